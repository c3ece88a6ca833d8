/*
 * test_paper_sensitivity.c - the papers' mechanisms: no row moves a statistic
 * further than declared, as real numbers or as integers (docs/proofs.md, 8).
 */
#include "core/accounting/fit_cost.h"
#include "core/gmm/gmm_paper.h"
#include "core/gmm/nominal_noise.h"
#include "core/numeric/linalg.h"
#include "core/pass/features.h"
#include "seeded_source.h"
#include "unit.h"

#define MAX_D 5
#define MAX_NUMBERS (MAX_D * MAX_D)

static SeededSource seeded;

static double
uniform(void)
{
	return (double) (seeded_word(&seeded) >> 11) * 0x1p-53;
}

/* a row and its responsibilities for three components; all zero: the null row */
typedef struct Row
{
	double		r[3];
	double		x[MAX_D];
} Row;

static void
make_valid(Row *row, int d)
{
	double		sum = 0;
	double		norm2 = 0;

	for (int k = 0; k < 3; k++)
		sum += row->r[k] = fmax(row->r[k], 0);
	for (int k = 0; k < 3; k++)
		row->r[k] = sum > 0 ? row->r[k] / sum : k == 0;
	for (int j = 0; j < d; j++)
		norm2 += row->x[j] * row->x[j];
	for (int j = 0; j < d && norm2 > 1; j++)
		row->x[j] /= sqrt(norm2) * (1 + 1e-15);
}

/* what one release of a statistic holds: all counts, or one component's sum or second moment */
static int
contribution(const Row *row, DpemPaperStatistic statistic, const DpemMomentLayout *layout, double *out)
{
	int			n = 0;
	double		norm2 = 0;

	for (int j = 0; j < layout->d; j++)
		norm2 += row->x[j] * row->x[j];
	if (statistic == DPEM_PAPER_WEIGHTS)
		for (; n < 3; n++)
			out[n] = row->r[n];
	else if (statistic == DPEM_PAPER_MEANS)
		for (; n < layout->d; n++)
			out[n] = row->r[0] * row->x[n];
	else if (layout->second == DPEM_SECOND_NORM)
		out[n++] = row->r[0] * norm2;
	else
		for (int j = 0; j < layout->d; j++)
			for (int l = layout->second == DPEM_SECOND_FULL ? 0 : j; l <= j; l++)
				out[n++] = row->r[0] * row->x[j] * row->x[l] * (l == j ? 1 : M_SQRT2);
	return n;
}

static double
moved(const Row *a, const Row *b, DpemPaperStatistic statistic, const DpemMomentLayout *layout, bool l1)
{
	double		one[MAX_NUMBERS];
	double		two[MAX_NUMBERS];
	int			n = contribution(a, statistic, layout, one);
	double		sum = 0;

	(void) contribution(b, statistic, layout, two);
	for (int i = 0; i < n; i++)
		sum += l1 ? fabs(one[i] - two[i]) : (one[i] - two[i]) * (one[i] - two[i]);
	return l1 ? sum : sqrt(sum);
}

static void
perturb(Row *row, int d, double step)
{
	for (int k = 0; k < 3; k++)
		row->r[k] += step * (2 * uniform() - 1);
	for (int j = 0; j < d; j++)
		row->x[j] += step * (2 * uniform() - 1);
	make_valid(row, d);
}

static double
climb(DpemPaperStatistic statistic, const DpemMomentLayout *layout, bool l1, bool replace_one)
{
	Row			a = {0};
	Row			b = {0};
	double		step = 1;
	double		best;

	perturb(&a, layout->d, 2);
	if (replace_one)
		perturb(&b, layout->d, 2);
	best = moved(&a, &b, statistic, layout, l1);
	for (int i = 0; i < 700; i++, step = fmax(step * 0.985, 1e-3))
	{
		Row			na = a;
		Row			nb = b;
		double		now;

		perturb(&na, layout->d, step);
		if (replace_one)
			perturb(&nb, layout->d, step);
		now = moved(&na, &nb, statistic, layout, l1);
		if (now > best)
		{
			best = now;
			a = na;
			b = nb;
		}
	}
	return best;
}

/* null rows included: with one of the two rows null, replace_one is add_remove */
static void
check_sensitivity(DpemPaperStatistic statistic, DpemNoiseKind noise, DpemSecondMoment shape, int d,
				  bool replace_one)
{
	DpemMomentLayout layout = {3, d, shape};
	double		limit = dpem_paper_sensitivity(statistic, noise, &layout, replace_one);
	bool		l1 = noise == DPEM_NOISE_LAPLACE;
	double		worst = 0;

	for (int start = 0; start < 25; start++)
	{
		worst = fmax(worst, climb(statistic, &layout, l1, replace_one));
		worst = fmax(worst, climb(statistic, &layout, l1, false));
	}
	CHECK(worst <= limit, "%s mechanism %d shape %d d %d %d: moved %.15g, bound %.15g",
		  dpem_paper_statistic_names[statistic], dpem_noise_mechanism(noise, shape), shape, d, replace_one,
		  worst, limit);
	CHECK(worst >= 0.97 * limit, "%s mechanism %d shape %d d %d %d: the search reaches %.6f of %.6f only",
		  dpem_paper_statistic_names[statistic], dpem_noise_mechanism(noise, shape), shape, d, replace_one,
		  worst, limit);
}

static void
test_sensitivities(void)
{
	for (int d = 1; d <= MAX_D; d += 2)
		for (int replace_one = 0; replace_one < 2; replace_one++)
		{
			check_sensitivity(DPEM_PAPER_WEIGHTS, DPEM_NOISE_GAUSSIAN, DPEM_SECOND_FULL, d, replace_one);
			check_sensitivity(DPEM_PAPER_WEIGHTS, DPEM_NOISE_LAPLACE, DPEM_SECOND_FULL, d, replace_one);
			check_sensitivity(DPEM_PAPER_MEANS, DPEM_NOISE_GAUSSIAN, DPEM_SECOND_FULL, d, replace_one);
			check_sensitivity(DPEM_PAPER_MEANS, DPEM_NOISE_LAPLACE, DPEM_SECOND_FULL, d, replace_one);
			for (int shape = DPEM_SECOND_NORM; shape <= DPEM_SECOND_FULL; shape++)
				check_sensitivity(DPEM_PAPER_COVARIANCES, DPEM_NOISE_GAUSSIAN, shape, d, replace_one);
		}
	CHECK(isnan(dpem_paper_sensitivity(DPEM_PAPER_COVARIANCES, DPEM_NOISE_LAPLACE,
									   &(DpemMomentLayout) {3, 2, DPEM_SECOND_FULL}, true)), "no such mechanism");
}

/* the L1 norm of every row's integers, and of differences, is what Laplace noise is scaled to */
static void
test_integer_l1(int d)
{
	double		lower[MAX_D];
	double		upper[MAX_D];
	DpemFeatureMap map = {.d = d,.bits = DPEM_FEATURE_BITS,.radius = 1,.lower = lower,.upper = upper};
	static double x[MAX_D * DPEM_BLOCK_STRIDE] __attribute__((aligned(64)));
	static double keep[DPEM_BLOCK_STRIDE] __attribute__((aligned(64)));
	DpemBlock	block = {.rows = DPEM_BLOCK_ROWS,.d = d,.x = x,.keep = keep};
	DpemMomentLayout layout = {1, d, DPEM_SECOND_FULL};
	double		limit = ldexp(dpem_paper_sensitivity(DPEM_PAPER_MEANS, DPEM_NOISE_LAPLACE, &layout, true), map.bits);
	double		worst = 0;

	for (int j = 0; j < d; j++)
	{
		lower[j] = -1;
		upper[j] = 1;
	}
	for (int row = 0; row < block.rows; row++)
	{
		block.keep[row] = 1;
		for (int j = 0; j < d; j++)	/* half of the rows on the diagonal, where L1 is largest */
			block.x[j * DPEM_BLOCK_STRIDE + row] = (row % 2 ? 1 : 2 * uniform()) * (seeded_word(&seeded) & 1 ? 1 : -1);
	}
	dpem_features_apply(&map, &block, NULL);
	for (int row = 0; row < block.rows; row++)
		for (int other = 0; other < block.rows; other++)
		{
			double		sum = 0;

			for (int j = 0; j < d; j++)
				sum += fabs(block.x[j * DPEM_BLOCK_STRIDE + row] - block.x[j * DPEM_BLOCK_STRIDE + other]);
			worst = fmax(worst, sum);
		}
	CHECK(worst <= limit, "d %d: integers differ by %.17g, bound %.17g", d, worst, limit);
	CHECK(worst >= 0.999 * limit, "d %d: the largest difference is %.6f of the bound", d, worst / limit);
}

/* what a release draws is never less than what was asked for, and hardly more */
static void
test_integer_scale(DpemNoiseKind noise)
{
	static const int bits[] = {18, 31, 44};

	for (int i = 0; i < 3000; i++)
	{
		double		scale = exp(12 * uniform() - 6);
		int			b = bits[i % 3];
		long double asked = ldexpl(scale, b);
		DpemUint128 drawn = dpem_noise_integer_scale(noise, scale, b);
		bool		fine = drawn > 0 && (long double) drawn >= asked && (long double) drawn <= asked * (1 + 2e-12L) + 1;

		if (noise == DPEM_NOISE_LAPLACE && asked >= (long double) DPEM_LAPLACE_SCALE_MAX)
			fine = drawn == 0;
		CHECK(fine, "mechanism %d: scale %.17g at %d bits", dpem_noise_mechanism(noise, DPEM_SECOND_FULL), scale, b);
	}
	CHECK(dpem_noise_integer_scale(noise, 0x1p92, 18) == 0, "too large");
	CHECK(dpem_noise_integer_scale(noise, NAN, 18) == 0, "NaN");
	CHECK(dpem_noise_integer_scale(noise, 1e-300, 18) == 1, "at least one unit");
}

int
main(void)
{
	seeded_init(&seeded, 20170420);
	test_sensitivities();
	for (int d = 1; d <= MAX_D; d++)
		test_integer_l1(d);
	test_integer_scale(DPEM_NOISE_GAUSSIAN);
	test_integer_scale(DPEM_NOISE_LAPLACE);
	CHECK(dpem_noise_integer_scale(DPEM_NOISE_ONE_SIDED, 1, 18) == 0, "nothing one-sided is released");
	return unit_report();
}

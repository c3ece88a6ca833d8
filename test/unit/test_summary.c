/*
 * test_summary.c - several statistics from one release: a row's vector has no negative entry and is in the unit ball,
 * and no two rows move the sum further than declared (docs/proofs.md, 18); what is released comes back as statistics
 * of the rows, with intervals that cover.
 */
#include <math.h>

#include "core/accounting/sensitivity.h"
#include "core/kernels/kernel.h"
#include "core/numeric/vector.h"
#include "core/statistics/summary.h"
#include "kernel_fixture.h"

#define D	8					/* two numbers, a label of three, a number that may be unknown, its flag, the constant */
#define KEPT_BITS (P + Q)

typedef struct Fixture
{
	DpemSummary summary;
	DpemMomentLayout layout;
	double		theta[64];
	size_t		length;
	double	   *sums;
	Work		w;
} Fixture;

static Fixture
make_fixture(int levels)
{
	Fixture		f = {.summary = {.radius = sqrt(D),.constant = 7,.rows = 1,.levels = levels,.columns = 4}};

	f.summary.column[0] = (DpemSummaryColumn) {0, 0, -1, 0, 1, 1, levels ? 1.5 : 0};
	f.summary.column[1] = (DpemSummaryColumn) {1, 0, -1, 0, 1, 0, levels ? 1 : 0};
	f.summary.column[2] = (DpemSummaryColumn) {2, 3, -1, 1, 0, 0, 0};
	f.summary.column[3] = (DpemSummaryColumn) {5, 0, 6, 0.5, 1, 2, levels ? 1 : 0};
	CHECK(dpem_summary_normalise(&f.summary), "weights");
	f.layout = (DpemMomentLayout) {dpem_summary_components(&f.summary), D, DPEM_SECOND_NONE};
	dpem_summary_write(&f.summary, f.theta);
	CHECK(dpem_summary_check(&f.layout, f.theta, 64) == dpem_summary_theta_length(&f.summary), "%d levels", levels);
	f.length = dpem_moments_length(&f.layout);
	f.sums = numbers(f.length);
	f.w = work_make(D, 1);
	return f;
}

static void
free_fixture(Fixture *f)
{
	free(f->sums);
	work_free(&f->w);
}

/* one row of box coordinates, alone in the block */
static void
put_row(Fixture *f, const double *box, double keep)
{
	for (int j = 0; j < D; j++)
		f->w.block.x[(size_t) j * DPEM_BLOCK_STRIDE] = rint(ldexp(box[j] / f->summary.radius, Q));
	f->w.block.keep[0] = keep;
	f->w.block.rows = 1;
	dpem_kernel_summary.accumulate(&f->layout, f->theta, &f->w.block, Q, P, f->sums, f->w.scratch);
}

/* as a source gives them, and as it does not: several categories at once, flags of any size, numbers beyond the box */
static void
random_row(Rng *rng, double *box)
{
	static const double odd[] = {-1, 1, 0, 1.3, -1.3, 0.0001, -0.0001};

	for (int j = 0; j < D; j++)
		box[j] = rng_below(rng, 2) ? odd[rng_below(rng, 7)] : rng_uniform(rng, -1, 1);
	box[7] = 1;
}

static double
moved2(const double *a, const double *b, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (long double) (a[i] - (b ? b[i] : 0)) * (a[i] - (b ? b[i] : 0));
	return (double) ldexpl(sum, -2 * KEPT_BITS);
}

static void
check_vectors(Rng *rng, int levels)
{
	Fixture		f = make_fixture(levels);
	double	   *other = numbers(f.length);
	double		worst[2] = {0, 0};
	int			bad = 0;

	for (int round = 0; round < 2000; round++)
	{
		double		box[D];

		random_row(rng, box);
		put_row(&f, box, 1);
		for (size_t i = 0; i < f.length; i++)
			bad += f.sums[i] != rint(f.sums[i]) || f.sums[i] < 0;
		memcpy(other, f.sums, f.length * sizeof(double));
		worst[0] = fmax(worst[0], moved2(other, NULL, f.length));
		random_row(rng, box);
		put_row(&f, box, round % 5 != 0);
		worst[1] = fmax(worst[1], moved2(f.sums, other, f.length));
	}
	CHECK(bad == 0, "%d numbers that are negative or no integers", bad);
	CHECK(worst[0] <= dpem_document_sensitivity2(false), "add_remove: %g", worst[0]);
	CHECK(worst[1] <= dpem_document_sensitivity2(true), "replace_one: %g", worst[1]);
	/* the mark for being a row is the same in all */
	CHECK(worst[0] > 0.97 && worst[1] > 0.9, "nearly attained: %g, %g", worst[0], worst[1]);
	free(other);
	free_fixture(&f);
}

static void
check_refused(void)
{
	static const double odd[] = {-2, 0.5, NAN, INFINITY, 1e300, 9};
	Fixture		f = make_fixture(2);
	DpemMomentLayout other = f.layout;

	for (size_t at = 0; at < dpem_summary_theta_length(&f.summary); at++)
		for (int i = 0; i < 6; i++)
		{
			double		kept = f.theta[at];
			/* a radius may be anything positive, and weights are from 0 to 1: then the norm must not grow */
			bool		allowed = (at == 0 && i != 0 && i != 2 && i != 3) || (i == 1 && 0.5 <= kept);

			f.theta[at] = odd[i];
			CHECK(allowed || dpem_summary_check(&f.layout, f.theta, 64) == 0, "number %zu is %g", at, odd[i]);
			f.theta[at] = kept;
		}
	other.k++;
	CHECK(dpem_summary_check(&other, f.theta, 64) == 0, "another number of components");
	f.theta[5 + 7] = f.theta[5];
	CHECK(dpem_summary_check(&f.layout, f.theta, 64) == 0, "two columns in one place");
	free_fixture(&f);
}

/* ---- statistics of rows ---- */

#define ROWS	3000

static void
add_rows(Fixture *f, Rng *rng, double *total, double *value)
{
	memset(total, 0, f->length * sizeof(double));
	for (int i = 0; i < ROWS; i++)
	{
		double		box[D] = {0};

		box[0] = fmin(fmax(0.4 * rng_normal(rng) - 0.2, -1), 1);
		box[2 + i % 3] = i % 7 ? 1 : 0;
		box[5] = 0.5;
		box[6] = i % 10 ? 1 : 0;
		box[7] = 1;
		put_row(f, box, 1);
		value[i] = (rint(ldexp(box[0] / f->summary.radius, Q)) * ldexp(f->summary.radius, -Q) + 1) / 2;
		for (size_t k = 0; k < f->length; k++)
			total[k] += ldexp(f->sums[k], -KEPT_BITS);
	}
	qsort(value, ROWS, sizeof(double), dpem_ascending);
}

/* of sorted values, a tenth at either end */
static double
winsorised(const double *value)
{
	double		sum = 0;

	for (int i = 0; i < ROWS; i++)
		sum += fmin(fmax(value[i], value[ROWS / 10]), value[ROWS - 1 - ROWS / 10]);
	return sum / ROWS;
}

static double
trimmed(const double *value)
{
	double		sum = 0;

	for (int i = ROWS / 10; i < ROWS - ROWS / 10; i++)
		sum += value[i];
	return sum / (ROWS - 2 * (ROWS / 10));
}

/* without noise all but for the width of bins */
static void
check_middle(const Fixture *f, const DpemNoisyMoments *m, const double *value)
{
	DpemStatisticValue v;

	dpem_summary_spread(&f->summary, m, 0, 0.25, 0, 1, &v);
	CHECK(fabs(v.value - value[3 * ROWS / 4] + value[ROWS / 4]) < 2.0 / 256, "interquartile range %g", v.value);
	dpem_summary_middle_mean(&f->summary, m, 0, 0.1, false, 0, 1, &v);
	CHECK(fabs(v.value - trimmed(value)) < 1.0 / 256, "trimmed mean %g, not %g", v.value, trimmed(value));
	CHECK(v.lower <= trimmed(value) && trimmed(value) <= v.upper && v.upper - v.lower < 8.0 / 256, "its interval, %g wide", v.upper - v.lower);
	dpem_summary_middle_mean(&f->summary, m, 0, 0.1, true, 10, 30, &v);
	CHECK(fabs(v.value - 10 - 20 * winsorised(value)) < 20.0 / 256, "winsorised mean %g", v.value);
}

static void
check_exact(Rng *rng)
{
	Fixture		f = make_fixture(2);
	double	   *total = numbers(f.length);
	double	   *value = numbers(ROWS);
	DpemNoisyMoments m = {f.layout, 0, 0, 0, total};
	DpemStatisticValue v;
	double		sum = 0;
	double		square = 0;

	add_rows(&f, rng, total, value);
	for (int i = 0; i < ROWS; i++)
	{
		sum += value[i];
		square += value[i] * value[i];
	}
	dpem_summary_rows(&f.summary, &m, &v);
	CHECK_CLOSE(v.value, ROWS, 1e-6, "rows");
	dpem_summary_missing(&f.summary, &m, 3, &v);
	CHECK_CLOSE(v.value, ROWS / 10, 1e-4, "missing");
	dpem_summary_missing(&f.summary, &m, 0, &v);
	CHECK(v.value == 0 && v.sd == 0, "a number that is always known");
	dpem_summary_category(&f.summary, &m, 2, 1, &v);
	CHECK(fabs(v.value - ROWS * 2 / 7) < 3, "a category: %g", v.value);
	dpem_summary_statistic(&f.summary, &m, 0, dpem_statistic_from_name("avg"), 10, 30, &v);
	CHECK_CLOSE(v.value, 10 + 20 * sum / ROWS, 1e-6, "average");
	dpem_summary_statistic(&f.summary, &m, 0, dpem_statistic_from_name("variance"), 10, 30, &v);
	CHECK_CLOSE(v.value, 400 * (square - sum * sum / ROWS) / (ROWS - 1), 1e-5, "variance");
	for (int i = 1; i < 20; i++)
	{
		dpem_summary_quantile(&f.summary, &m, 0, i / 20.0, 0, 1, &v);
		CHECK(fabs(v.value - value[i * ROWS / 20]) < 1.0 / 256, "quantile %g: %g, not %g", i / 20.0, v.value, value[i * ROWS / 20]);
	}
	check_middle(&f, &m, value);
	free(total);
	free(value);
	free_fixture(&f);
}

#define ROUNDS 3000

/* of 3000 intervals of 95 %, so many outside happen less than once in 10 million times */
static void
check_coverage(Rng *rng)
{
	Fixture		f = make_fixture(2);
	double	   *total = numbers(f.length);
	double	   *noisy = numbers(f.length);
	double	   *value = numbers(ROWS);
	DpemNoisyMoments m = {f.layout, 0, 3, 0, noisy};
	double		mean = 0;
	int			covered[7] = {0};

	add_rows(&f, rng, total, value);
	for (int i = 0; i < ROWS; i++)
		mean += value[i] / ROWS;
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemStatisticValue v;

		for (size_t k = 0; k < f.length; k++)
			noisy[k] = total[k] + m.sum_sd * rng_normal(rng);
		dpem_summary_rows(&f.summary, &m, &v);
		covered[0] += v.lower <= ROWS && ROWS <= v.upper;
		dpem_summary_statistic(&f.summary, &m, 0, dpem_statistic_from_name("avg"), 0, 1, &v);
		covered[1] += v.lower <= mean && mean <= v.upper;
		for (int q = 0; q < 2; q++)
		{
			dpem_summary_quantile(&f.summary, &m, 0, q ? 0.75 : 0.5, 0, 1, &v);
			covered[2 + q] += v.lower <= value[ROWS * (2 + q) / 4] && value[ROWS * (2 + q) / 4] <= v.upper;
		}
		dpem_summary_spread(&f.summary, &m, 0, 0.25, 0, 1, &v);
		covered[4] += v.lower <= value[3 * ROWS / 4] - value[ROWS / 4] && value[3 * ROWS / 4] - value[ROWS / 4] <= v.upper;
		dpem_summary_middle_mean(&f.summary, &m, 0, 0.1, false, 0, 1, &v);
		covered[5] += v.lower <= trimmed(value) && trimmed(value) <= v.upper;
		dpem_summary_middle_mean(&f.summary, &m, 0, 0.1, true, 0, 1, &v);
		covered[6] += v.lower <= winsorised(value) && winsorised(value) <= v.upper;
	}
	for (int i = 0; i < 7; i++)
		CHECK(covered[i] > ROUNDS * 0.95 - 65 && (i >= 2 || covered[i] < ROUNDS * 0.95 + 65), "statistic %d: %d of %d intervals cover", i, covered[i], ROUNDS);
	free(total);
	free(noisy);
	free(value);
	free_fixture(&f);
}

/*
 * Two heaps and nothing between, a few rows more than half of all in the upper one, or in the lower one: ends between them have the same
 * rank, of which noise may make any fit the median's while the one next to the heap certainly does not.
 */
static void
check_coverage_apart(Rng *rng, int above)
{
	Fixture		f = make_fixture(2);
	double	   *total = numbers(f.length);
	double	   *noisy = numbers(f.length);
	DpemNoisyMoments m = {f.layout, 0, 0.6, 0, noisy};
	double		truth = above > ROWS / 2 ? 0.8 : 0.2;
	int			covered = 0;

	memset(total, 0, f.length * sizeof(double));
	for (int i = 0; i < ROWS; i++)
	{
		double		box[D] = {[0] = i < above ? 0.6 : -0.6,[7] = 1};

		put_row(&f, box, 1);
		for (size_t k = 0; k < f.length; k++)
			total[k] += ldexp(f.sums[k], -KEPT_BITS);
	}
	for (int round = 0; round < ROUNDS; round++)
	{
		DpemStatisticValue v;

		for (size_t k = 0; k < f.length; k++)
			noisy[k] = total[k] + m.sum_sd * rng_normal(rng);
		dpem_summary_quantile(&f.summary, &m, 0, 0.5, 0, 1, &v);
		CHECK(v.lower <= v.value && v.value <= v.upper, "%g in %g to %g", v.value, v.lower, v.upper);
		covered += v.lower <= truth && truth <= v.upper;
	}
	CHECK(covered > ROUNDS * 0.95 - 65, "median of heaps, %d rows above: %d of %d intervals cover", above, covered, ROUNDS);
	free(total);
	free(noisy);
	free_fixture(&f);
}

/* of rows that noise hides: no more than two rows can have, which is half the squared range */
static void
check_possible(Rng *rng)
{
	Fixture		f = make_fixture(2);
	double	   *noisy = numbers(f.length);
	DpemNoisyMoments m = {f.layout, 0, 30, 0, noisy};
	int			large = 0;

	for (int round = 0; round < ROUNDS; round++)
	{
		DpemStatisticValue v;
		DpemStatisticValue sd;

		for (size_t k = 0; k < f.length; k++)
			noisy[k] = m.sum_sd * rng_normal(rng);
		dpem_summary_statistic(&f.summary, &m, 0, dpem_statistic_from_name("variance"), 10, 30, &v);
		dpem_summary_statistic(&f.summary, &m, 0, dpem_statistic_from_name("stddev"), 10, 30, &sd);
		CHECK(v.value >= 0 && v.value <= 200 + 1e-9 && v.upper <= 200 + 1e-9 && v.sd <= 200 + 1e-9, "variance %g to %g, off by %g", v.value, v.upper, v.sd);
		CHECK(fabs(sd.value - sqrt(v.value)) < 1e-9 && sd.upper <= sqrt(200) + 1e-9, "deviation %g to %g", sd.value, sd.upper);
		large += v.value > 90;
	}
	CHECK(large > 0, "some are as large as that");
	free(noisy);
	free_fixture(&f);
}

int
main(void)
{
	Rng			rng = {1918};

	for (int levels = 0; levels <= 2; levels++)
		check_vectors(&rng, levels);
	check_refused();
	check_exact(&rng);
	check_coverage(&rng);
	check_possible(&rng);
	for (int off = -12; off <= 12; off += 6)
		check_coverage_apart(&rng, ROWS / 2 + off + (off == 0));
	return unit_report();
}

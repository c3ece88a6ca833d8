/*
 * test_column_frames.c - components of numbers and categories in frames of their own: the kernel's sums by another formula, and a search
 * for two rows that move the stacked moments further than the declared sensitivity (docs/proofs.md, 4).
 */
#include <float.h>
#include <math.h>

#include "core/refine/column_frames.h"
#include "kernel_fixture.h"

#define D	4
#define MOST_K	3

#include "stack_fixture.h"

typedef struct Case
{
	DpemMomentLayout layout;
	int			place;
	double	   *theta;
	double	   *sums;
	double	   *scratch;
	DpemBlock	rows;
} Case;

static Case *
case_make(int k)
{
	Case	   *c = calloc(1, sizeof(Case));

	c->layout = (DpemMomentLayout) {k, D, DPEM_SECOND_DIAGONAL};
	c->theta = numbers(dpem_column_frames_theta_length(&c->layout));
	c->sums = numbers(dpem_moments_length(&c->layout));
	c->scratch = numbers(dpem_kernel_column_frames.scratch_length(&c->layout));
	c->rows = (DpemBlock) {.rows = 1,.d = D,.x = numbers(D * DPEM_BLOCK_STRIDE),.keep = numbers(DPEM_BLOCK_STRIDE)};
	return c;
}

static void
case_free(Case *c)
{
	free(c->theta);
	free(c->sums);
	free(c->scratch);
	free(c->rows.x);
	free(c->rows.keep);
	free(c);
}

/* offsets, means, factors; then a, b and a place */
static void
fill_case(Rng *rng, Case *c, double scale, int place)
{
	size_t		k = (size_t) c->layout.k;
	size_t		n = dpem_column_frames_theta_length(&c->layout);

	for (size_t i = 0; i < n - 1; i++)
		c->theta[i] = i < k + k * D ? rng_uniform(rng, -0.5, 0.5)
			: i < k + 2 * k * D ? rng_uniform(rng, 0.5, 3) : scale * rng_uniform(rng, i < k + 3 * k * D ? 0.5 : -1, 1);
	c->theta[n - 1] = c->place = place;
}

static void
contribute(Case *c, int bits, const double *x)
{
	memset(c->rows.keep, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	memset(c->rows.x, 0, D * DPEM_BLOCK_STRIDE * sizeof(double));
	c->rows.keep[0] = 1;
	for (int j = 0; j < D; j++)
		c->rows.x[j * DPEM_BLOCK_STRIDE] = x[j];
	dpem_kernel_column_frames.accumulate(&c->layout, c->theta, &c->rows, bits, bits > 0 ? P : 0, c->sums, c->scratch);
}

/* what component k is given of x, and the exponential of its logit */
static double
frame_of(const Case *c, int k, const double *x, double *z)
{
	size_t		all = (size_t) c->layout.k;
	const double *mean = c->theta + all + k * D;
	const double *a = c->theta + all + 2 * all * D + k * D;
	const double *b = a + all * D;
	double		logit = c->theta[k];
	double		norm = 0;

	for (int j = 0; j < D; j++)
	{
		double		origin = c->place == 0 ? b[j] : j + c->place < D ? b[j] * x[j + c->place] : 0;

		logit -= pow(mean[all * D + j] * (x[j] - mean[j]), 2) / 2;
		z[j] = fmin(fmax(a[j] * x[j] - origin, -1), 1);
		norm += z[j] * z[j];
	}
	for (int j = 0; j < D; j++)
		z[j] /= fmax(sqrt(norm), 1);
	return exp(logit);
}

static void
check_values(Rng *rng, int k, int place)
{
	Case	   *c = case_make(k);
	double		off = 0;

	for (int test = 0; test < 300; test++)
	{
		double		x[D];
		double		z[MOST_K][D];
		double		density[MOST_K];
		double		total = 0;

		fill_case(rng, c, rng_uniform(rng, 0.1, 3), place);
		for (int j = 0; j < D; j++)
			x[j] = rng_uniform(rng, -0.5, 0.5);
		for (int i = 0; i < k; i++)
			total += density[i] = frame_of(c, i, x, z[i]);
		contribute(c, 0, x);
		for (int i = 0; i < k; i++)
		{
			const double *s = c->sums + i * dpem_moments_record(&c->layout);
			double		r = density[i] / total;

			off = fmax(off, fabs(s[0] - r));
			for (int j = 0; j < D; j++)
				off = fmax(off, fmax(fabs(s[1 + j] - r * z[i][j]), fabs(s[1 + D + j] - r * z[i][j] * z[i][j])));
		}
	}
	CHECK(off < 1e-9, "K = %d, place %d: off by %g", k, place, off);
	case_free(c);
}

static void
random_row(Rng *rng, double *x)
{
	int			axis = rng_below(rng, 2 * D);
	double		norm = 0;

	for (int j = 0; j < D; j++)
	{
		x[j] = axis < D ? (j == axis) * (rng_below(rng, 2) ? 1 : -1) : rng_uniform(rng, -1, 1);
		norm += x[j] * x[j];
	}
	for (int j = 0; j < D; j++)
		x[j] = trunc(ldexp(x[j] / fmax(sqrt(norm), 1), Q));
}

static void
search(Rng *rng, int k, int place)
{
	static const double scales[] = {1e-6, 0.1, 1, 10, 1e3, 1e12, DBL_MAX};
	Case	   *c = case_make(k);
	size_t		length = dpem_moments_length(&c->layout);
	double	   *other = numbers(length);
	double		worst = 0;
	int			wrong = 0;

	for (int test = 0; test < 30000; test++)
	{
		double		a[D];
		double		b[D];

		if (test % 20 == 0)
			fill_case(rng, c, scales[rng_below(rng, 7)], place);
		random_row(rng, a);
		random_row(rng, b);
		for (int j = 0; j < D && test % 3 == 0; j++)
			b[j] = -a[j];
		contribute(c, Q, a);
		wrong += wrong_records(&c->layout, c->sums);
		memcpy(other, c->sums, length * sizeof(double));
		contribute(c, Q, b);
		worst = fmax(worst, part_of_bound(&c->layout, stack_weights[test % 4], c->sums, other));
	}
	check_found(&c->layout, wrong, worst);
	free(other);
	case_free(c);
}

/* nobody can give the kernel parameters that it does not bear */
static void
check_limits(Rng *rng)
{
	static const double places[] = {-1, D, 1.5, NAN, INFINITY};
	Case	   *c = case_make(2);
	DpemMomentLayout full = {2, D, DPEM_SECOND_FULL};
	size_t		n = dpem_column_frames_theta_length(&c->layout);

	fill_case(rng, c, 1, 2);
	CHECK(dpem_kernel_column_frames.theta_valid(&c->layout, c->theta), "its parameters are none");
	CHECK(!dpem_kernel_column_frames.theta_valid(&full, c->theta), "full second moments are accepted");
	for (size_t i = 0; i + 1 < n; i++)
		c->theta[i] = i % 3 == 0 ? -DBL_MAX : i % 3 == 1 ? DBL_MAX : NAN;
	contribute(c, Q, (double[D]) {1 << Q, 0, 0, 0});
	CHECK(wrong_records(&c->layout, c->sums) == 0, "parameters of anybody's");
	for (int i = 0; i < 5; i++)
	{
		c->theta[n - 1] = places[i];
		CHECK(!dpem_kernel_column_frames.theta_valid(&c->layout, c->theta), "a place of %g is accepted", places[i]);
	}
	case_free(c);
}

int
main(void)
{
	Rng			rng = {2031};

	for (int k = 1; k <= MOST_K; k++)
		for (int place = 0; place <= 3; place++)
		{
			check_values(&rng, k, place);
			search(&rng, k, place);
		}
	check_limits(&rng);
	return unit_report();
}

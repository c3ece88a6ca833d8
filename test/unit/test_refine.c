/*
 * test_refine.c - components in frames of their own: the kernel's sums by another formula, a search for two rows that
 * move the stacked moments further than the declared sensitivity (docs/proofs.md, 4), and the M-step.
 */
#include <float.h>
#include <math.h>

#include "core/accounting/sensitivity.h"
#include "core/numeric/linalg.h"
#include "core/refine/refine.h"
#include "kernel_fixture.h"

#define D	3
#define MOST_K	3

static const DpemSecondMoment shapes[] = {DPEM_SECOND_FULL, DPEM_SECOND_DIAGONAL, DPEM_SECOND_NORM};

/* a mixture, the kernel's parameters, and one row at a time */
typedef struct Case
{
	DpemMomentLayout layout;
	DpemGmm		gmm;
	double		radius;
	double	   *theta;
	double	   *sums;
	double	   *scratch;
	DpemBlock	rows;
} Case;

static DpemWorkspace
work_of(size_t n)
{
	double	   *start = numbers(n);

	return (DpemWorkspace) {start, start + n};
}

static Case *
case_make(int k, DpemSecondMoment second)
{
	Case	   *c = calloc(1, sizeof(Case));

	c->layout = (DpemMomentLayout) {k, D, second};
	c->gmm = (DpemGmm) {k, D, second, numbers(k), numbers(k * D), numbers(k * D * D)};
	c->theta = numbers(dpem_refine_theta_length(&c->layout));
	c->sums = numbers(dpem_moments_length(&c->layout));
	c->scratch = numbers(dpem_kernel_gmm_refine.scratch_length(&c->layout));
	c->rows = (DpemBlock) {.rows = 1,.d = D,.x = numbers(D * DPEM_BLOCK_STRIDE),.keep = numbers(DPEM_BLOCK_STRIDE)};
	return c;
}

static void
case_free(Case *c)
{
	free(c->gmm.weight);
	free(c->gmm.mean);
	free(c->gmm.covariance);
	free(c->theta);
	free(c->sums);
	free(c->scratch);
	free(c->rows.x);
	free(c->rows.keep);
	free(c);
}

/* S = scale (B B' / 4 + 0.02 I), or its diagonal, or a multiple of I */
static void
random_covariance(Rng *rng, DpemSecondMoment shape, double scale, double *s)
{
	double		b[D * D];

	for (int i = 0; i < D * D; i++)
		b[i] = rng_uniform(rng, -1, 1);
	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++)
		{
			double		sum = i == j ? 0.02 : 0;

			for (int a = 0; a < D; a++)
				sum += b[i * D + a] * b[j * D + a] / 4;
			s[i * D + j] = shape == DPEM_SECOND_FULL || i == j ? scale * sum : 0;
		}
	for (int i = 1; i < D && shape == DPEM_SECOND_NORM; i++)
		s[i * D + i] = s[0];
}

static void
fill_case(Rng *rng, Case *c, double scale, double radius)
{
	DpemWorkspace work = work_of(dpem_gmm_theta_work(D));

	for (int k = 0; k < c->layout.k; k++)
	{
		c->gmm.weight[k] = rng_uniform(rng, 0.2, 1);
		for (int j = 0; j < D; j++)
			c->gmm.mean[k * D + j] = rng_uniform(rng, -0.5, 0.5);
		random_covariance(rng, c->layout.second, scale, c->gmm.covariance + k * D * D);
	}
	c->radius = radius;
	CHECK(dpem_refine_theta(&c->gmm, radius, c->theta, work) == DPEM_OK, "no parameters");
	free(work.next);
}

/* what one row adds; x: real, or integers of the ball with bits */
static void
contribute(Case *c, int bits, const double *x)
{
	memset(c->rows.keep, 0, DPEM_BLOCK_STRIDE * sizeof(double));
	memset(c->rows.x, 0, D * DPEM_BLOCK_STRIDE * sizeof(double));
	c->rows.keep[0] = 1;
	for (int j = 0; j < D; j++)
		c->rows.x[j * DPEM_BLOCK_STRIDE] = x[j];
	dpem_kernel_gmm_refine.accumulate(&c->layout, c->theta, &c->rows, bits, bits > 0 ? P : 0, c->sums, c->scratch);
}

/* ---- values ------------------------------------------------------------------ */

/* z = L^-1 (x - m), L L' = S; returns the density but for a constant */
static double
standardise(const Case *c, int k, const double *x, double *z)
{
	double		l[D * D];
	double		density = c->gmm.weight[k];

	(void) dpem_linalg_cholesky(D, c->gmm.covariance + k * D * D, l);
	for (int i = 0; i < D; i++)
	{
		z[i] = x[i] - c->gmm.mean[k * D + i];
		for (int j = 0; j < i; j++)
			z[i] -= l[i * D + j] * z[j];
		z[i] /= l[i * D + i];
		density *= exp(-z[i] * z[i] / 2) / l[i * D + i];
	}
	return density;
}

/* the second moments of z as the layout has them */
static int
second_of(DpemSecondMoment second, const double *z, double *out)
{
	int			n = 0;

	if (second == DPEM_SECOND_NORM)
		out[n++] = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
	for (int i = 0; i < D && second != DPEM_SECOND_NORM; i++)
		for (int j = second == DPEM_SECOND_FULL ? 0 : i; j <= i; j++)
			out[n++] = z[i] * z[j];
	return n;
}

static void
check_values(Rng *rng, int k, DpemSecondMoment second)
{
	Case	   *c = case_make(k, second);
	double		off = 0;
	int			clipped = 0;

	for (int test = 0; test < 300; test++)
	{
		double		x[D];
		double		z[MOST_K][D];
		double		density[MOST_K];
		double		total = 0;

		fill_case(rng, c, rng_uniform(rng, 0.02, 1), 2);
		for (int j = 0; j < D; j++)
			x[j] = rng_uniform(rng, -0.55, 0.55);
		for (int i = 0; i < k; i++)
			total += density[i] = standardise(c, i, x, z[i]);
		contribute(c, 0, x);
		for (int i = 0; i < k; i++)
		{
			const double *s = c->sums + i * dpem_moments_record(&c->layout);
			double		r = density[i] / total;
			double		norm = sqrt(z[i][0] * z[i][0] + z[i][1] * z[i][1] + z[i][2] * z[i][2]);
			double		h[D * (D + 1) / 2];
			int			n;

			clipped += norm > c->radius;
			for (int j = 0; j < D; j++)
				z[i][j] /= fmax(norm, c->radius);
			n = second_of(second, z[i], h);
			off = fmax(off, fabs(s[0] - r));
			for (int j = 0; j < D; j++)
				off = fmax(off, fabs(s[1 + j] - r * z[i][j]));
			for (int j = 0; j < n; j++)
				off = fmax(off, fabs(s[1 + D + j] - r * h[j]));
		}
	}
	CHECK(off < 1e-9, "K = %d, second %d: off by %g", k, second, off);
	CHECK(clipped > 30 && clipped < 300 * k, "K = %d, second %d: %d rows are clipped", k, second, clipped);
	case_free(c);
}

/* ---- sensitivity -------------------------------------------------------------- */

/* |a - b|, weighted, in real units; b NULL: the null row */
static double
distance(const DpemMomentLayout *layout, const double *w, const double *a, const double *b)
{
	size_t		record = dpem_moments_record(layout);
	double		square = 0;

	for (size_t i = 0; i < dpem_moments_length(layout); i++)
	{
		int			place = (int) (i % record) - 1 - D;
		bool		diagonal = layout->second != DPEM_SECOND_FULL || place == 0 || place == 2 || place == 5;
		double		unit = place >= 0 ? w[2] * ldexp(diagonal ? 1 : M_SQRT2, -P - 2 * Q) : place >= -D ? w[1] * ldexp(1, -P - Q) : w[0] * ldexp(1, -P);

		square += pow((a[i] - (b ? b[i] : 0)) * unit, 2);
	}
	return sqrt(square);
}

/* responsibilities add up to no more than the whole, and each component's part is that of a point in the ball */
static int
wrong_records(const Case *c)
{
	size_t		record = dpem_moments_record(&c->layout);
	double		whole = 0;
	int			wrong = 0;

	for (int k = 0; k < c->layout.k; k++)
	{
		const double *s = c->sums + k * record;
		double		trace = 0;

		whole += s[0];
		for (size_t i = 0; i < record; i++)
			wrong += s[i] != rint(s[i]);
		for (int j = 0; j < D; j++)
			trace += c->layout.second == DPEM_SECOND_FULL ? s[1 + D + j * (j + 3) / 2]
				: c->layout.second == DPEM_SECOND_DIAGONAL ? s[1 + D + j] : j == 0 ? s[1 + D] : 0;
		wrong += s[0] < 0 || trace > s[0] * ldexp(1, 2 * Q);
	}
	return wrong + (whole > ldexp(1, P));
}

/* integers of the unit ball: near a mean, along an axis of the ball, or anywhere */
static void
random_row(Rng *rng, const Case *c, double *x)
{
	int			kind = rng_below(rng, 4);
	int			k = rng_below(rng, c->layout.k);
	double		norm = 0;

	for (int j = 0; j < D; j++)
	{
		x[j] = kind == 0 ? c->gmm.mean[k * D + j] + rng_uniform(rng, -1, 1) * pow(10, rng_uniform(rng, -4, 0))
			: kind == 1 ? (j == k) * (rng_below(rng, 2) ? 1 : -1) : rng_uniform(rng, -1, 1);
		norm += x[j] * x[j];
	}
	for (int j = 0; j < D; j++)
		x[j] = trunc(ldexp(x[j] / fmax(sqrt(norm), 1), Q));
}

static void
search(Rng *rng, int k, DpemSecondMoment second)
{
	static const double weights[][3] = {{0.35, 0.6, 1}, {1, 1, 1}, {0.2, 1, 1}, {1, 2, 0.1}};
	static const double scales[] = {1e-12, 1e-6, 1e-3, 0.1, 1, 1e6};
	static const double radii[] = {1e-6, 0.5, 3, 30};
	Case	   *c = case_make(k, second);
	size_t		length = dpem_moments_length(&c->layout);
	double	   *other = numbers(length);
	double		worst = 0;
	int			wrong = 0;

	for (int test = 0; test < 30000; test++)
	{
		const double *w = weights[test % 4];
		double		a[D];
		double		b[D];
		double		one = sqrt(dpem_joint_sensitivity2(k, w[0], w[1], w[2], false));
		double		two = sqrt(dpem_joint_sensitivity2(k, w[0], w[1], w[2], true));

		if (test % 20 == 0)
			fill_case(rng, c, scales[rng_below(rng, 6)], radii[rng_below(rng, 4)]);
		random_row(rng, c, a);
		random_row(rng, c, b);
		for (int j = 0; j < D && test % 3 == 0; j++)
			b[j] = -a[j];
		contribute(c, Q, a);
		wrong += wrong_records(c);
		memcpy(other, c->sums, length * sizeof(double));
		contribute(c, Q, b);
		worst = fmax(worst, distance(&c->layout, w, c->sums, NULL) / one);
		worst = fmax(worst, distance(&c->layout, w, c->sums, other) / fmax(one, two));
	}
	CHECK(wrong == 0, "K = %d, second %d: %d rows are no points of the ball", k, second, wrong);
	CHECK(worst <= 1 + 1e-12, "K = %d, second %d: a row moves %.9f of the bound", k, second, worst);
	CHECK(worst > 0.9, "K = %d, second %d: the search reaches %.6f of the bound only", k, second, worst);
	free(other);
	case_free(c);
}

/* nobody can give the kernel parameters that it does not bear */
static void
check_limits(Rng *rng)
{
	static const double radii[] = {0, -1, NAN, INFINITY};
	Case	   *c = case_make(2, DPEM_SECOND_FULL);
	DpemMomentLayout none = {2, D, DPEM_SECOND_NONE};
	size_t		n = dpem_refine_theta_length(&c->layout);

	fill_case(rng, c, 0.1, 3);
	CHECK(dpem_kernel_gmm_refine.theta_valid(&c->layout, c->theta), "its parameters are none");
	CHECK(!dpem_kernel_gmm_refine.theta_valid(&none, c->theta), "no second moments are accepted");
	for (size_t i = 0; i + 1 < n; i++)
		c->theta[i] = i % 3 == 0 ? -DBL_MAX : i % 3 == 1 ? DBL_MAX : NAN;
	contribute(c, Q, (double[D]) {1 << Q, 0, 0});
	CHECK(wrong_records(c) == 0, "parameters of anybody's");
	for (int i = 0; i < 4; i++)
	{
		c->theta[n - 1] = radii[i];
		CHECK(!dpem_kernel_gmm_refine.theta_valid(&c->layout, c->theta), "a radius of %g is accepted", radii[i]);
	}
	case_free(c);
}

/* ---- the M-step --------------------------------------------------------------- */

/* what a pass in the frame of (m, S) releases of a single component with that mean and covariance, which no clip touches */
static void
expected_record(const Case *c, double size, const double *mean, const double *covariance, double *record)
{
	double		l[D * D];
	double		m[D];
	double		columns[D * D];
	double		rows[D * D];
	int			at = 1 + D;

	(void) dpem_linalg_cholesky(D, c->gmm.covariance, l);
	for (int i = 0; i < D; i++)
		m[i] = mean[i] - c->gmm.mean[i];
	memcpy(columns, covariance, sizeof(columns));
	dpem_linalg_solve_lower(D, l, false, 1, m);
	dpem_linalg_solve_lower(D, l, false, D, columns);
	for (int i = 0; i < D * D; i++)
		rows[i] = columns[i % D * D + i / D];
	dpem_linalg_solve_lower(D, l, false, D, rows);
	record[0] = size;
	for (int i = 0; i < D; i++)
	{
		record[1 + i] = size * m[i] / c->radius;
		for (int j = 0; j <= i; j++)
			record[at++] = size * (rows[i * D + j] + m[i] * m[j]) / (c->radius * c->radius);
	}
}

typedef struct Truth
{
	double		mean[D];
	double		covariance[D * D];
} Truth;

/* how far the mixture's component is from the truth, relative to this: largest entry */
static double
distance_from(const Case *c, const Truth *truth)
{
	double		off = 0;

	for (int i = 0; i < D; i++)
	{
		off = fmax(off, fabs(c->gmm.mean[i] - truth->mean[i]) / sqrt(truth->covariance[i * D + i]));
		for (int j = 0; j < D; j++)
			off = fmax(off, fabs(c->gmm.covariance[i * D + j] - truth->covariance[i * D + j]) /
					   sqrt(truth->covariance[i * D + i] * truth->covariance[j * D + j]));
	}
	return off;
}

/* passes with that noise, from a frame ten times as wide; returns the distance after the last one */
static double
run_passes(Rng *rng, int passes, double noise, double *claimed)
{
	Case	   *c = case_make(1, DPEM_SECOND_FULL);
	Truth		truth;
	double		record[1 + D + D * (D + 1) / 2];
	DpemRefined refined = {0, 60, (double[1]) {0}, (double[1]) {0}, (double[1]) {0}};
	DpemNoisyMoments m = {{1, D, DPEM_SECOND_FULL}, noise, noise, noise, record};
	DpemWorkspace work = work_of(dpem_refine_work(D));
	double		off;

	fill_case(rng, c, 1e-3, refined.radius);
	memcpy(truth.mean, c->gmm.mean, sizeof(truth.mean));
	memcpy(truth.covariance, c->gmm.covariance, sizeof(truth.covariance));
	random_covariance(rng, DPEM_SECOND_FULL, 1e-1, c->gmm.covariance);
	for (int j = 0; j < D; j++)
		c->gmm.mean[j] += 0.05;
	for (int pass = 0; pass < passes; pass++)
	{
		expected_record(c, 1e5, truth.mean, truth.covariance, record);
		for (size_t i = 0; i < sizeof(record) / sizeof(record[0]); i++)
			record[i] += noise * rng_normal(rng) * (i == 5 || i == 7 || i == 8 ? M_SQRT1_2 : 1);
		CHECK(dpem_refine_step(&refined, &m, 0, 1e-12, &c->gmm, work) == DPEM_OK, "no step");
	}
	off = distance_from(c, &truth);
	*claimed = sqrt(refined.second_variance[0]);
	free(work.next);
	case_free(c);
	return off;
}

static void
check_steps(Rng *rng)
{
	double		claimed;
	double		one = 0;
	double		eight = 0;
	double		sum = 0;

	for (int test = 0; test < 50; test++)
	{
		double		off = run_passes(rng, 1, 0, &claimed);

		CHECK(off < 1e-9, "without noise a pass leaves the component %g away", off);
		CHECK(claimed == 0, "without noise there is some: %g", claimed);
		/* noise of 0.04 in a covariance of one pass, in the frame's own units */
		one += run_passes(rng, 2, 1, &claimed);
		eight += run_passes(rng, 9, 1, &claimed);
		sum += claimed;
	}
	CHECK(eight < 0.6 * one, "passes average out no noise: %g after two, %g after nine", one / 50, eight / 50);
	CHECK(eight / 50 < 4 * sum / 50 && eight / 50 > sum / 50, "noise of %g is said to be %g", eight / 50, sum / 50);
}

/* where a component is what it seems, passes of pure noise leave it nearly alone */
static void
check_nothing_to_do(Rng *rng)
{
	Case	   *c = case_make(1, DPEM_SECOND_FULL);
	double		record[1 + D + D * (D + 1) / 2];
	DpemRefined refined = {0, 3, (double[1]) {0}, (double[1]) {0}, (double[1]) {0}};
	DpemNoisyMoments m = {{1, D, DPEM_SECOND_FULL}, 300, 300, 300, record};
	DpemWorkspace work = work_of(dpem_refine_work(D));
	Truth		truth;

	fill_case(rng, c, 1e-2, refined.radius);
	memcpy(truth.mean, c->gmm.mean, sizeof(truth.mean));
	memcpy(truth.covariance, c->gmm.covariance, sizeof(truth.covariance));
	memset(record, 0, sizeof(record));
	for (int pass = 0; pass < 5; pass++)
		CHECK(dpem_refine_step(&refined, &m, 0, 1e-12, &c->gmm, work) == DPEM_OK, "no step");
	CHECK(distance_from(c, &truth) < 1e-9, "an empty component moves by %g", distance_from(c, &truth));
	free(work.next);
	case_free(c);
}

int
main(void)
{
	Rng			rng = {2027};

	for (int k = 1; k <= MOST_K; k++)
		for (int s = 0; s < 3; s++)
		{
			check_values(&rng, k, shapes[s]);
			search(&rng, k, shapes[s]);
		}
	check_limits(&rng);
	check_steps(&rng);
	check_nothing_to_do(&rng);
	return unit_report();
}

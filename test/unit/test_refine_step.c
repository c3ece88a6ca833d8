/*
 * test_refine_step.c - the M-step of components in frames of their own: without noise what rows have, with noise an average
 * over passes; what is stated of the noise left.
 */
#include <math.h>

#include "core/numeric/chi_square.h"
#include "core/numeric/linalg.h"
#include "refine_fixture.h"

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

/* of one number for all axes: the same, where a component's own variance is what it seems by that */
static void
check_spherical(Rng *rng)
{
	Case	   *c = case_make(1, DPEM_SECOND_NORM);
	double		record[1 + D + 1] = {1e5};
	DpemRefined refined = {0, 3, (double[1]) {0}, (double[1]) {0}, (double[1]) {0}};
	DpemNoisyMoments m = {{1, D, DPEM_SECOND_NORM}, 0, 0, 0, record};
	DpemWorkspace work = work_of(dpem_refine_work(D));
	double		before;

	fill_case(rng, c, 1e-2, refined.radius);
	before = c->gmm.covariance[0];
	/* what rows of four times the variance have after the clip at 3 of the frame's deviations: less than 4, and divided by what is left of a normal's */
	record[1 + D] = 1e5 * D * 4 * dpem_chi_clipped_share(D, 1, 3) / 9;
	CHECK(dpem_refine_step(&refined, &m, 0, 1e-12, &c->gmm, work) == DPEM_OK, "no step");
	for (int i = 0; i < D * D; i++)
		CHECK(fabs(c->gmm.covariance[i] - (i % (D + 1) == 0 ? 4 * before : 0)) < 1e-12, "entry %d of a variance of %g is %g", i, 4 * before,
			  c->gmm.covariance[i]);
	free(work.next);
	case_free(c);
}

/* C E C' of noise E, one draw after the other, scatters as stated; so do means */
static void
check_noise_levels(Rng *rng)
{
	Case	   *c = case_make(1, DPEM_SECOND_FULL);
	DpemRefined refined = {4, 3, (double[1]) {1e4}, (double[1]) {0.01}, (double[1]) {0.04}};
	double		weight[1];
	double		mean[D];
	double		covariance[D * D];
	double		square[D * D] = {0};
	double		mean_square[D] = {0};
	double		l[D * D];
	int			draws = 20000;

	fill_case(rng, c, 0.1, refined.radius);
	c->gmm.weight[0] = 1;
	dpem_refine_noise_levels(&refined, 10, &c->gmm, &(DpemGmmNoiseLevels) {weight, mean, covariance});
	(void) dpem_linalg_cholesky(D, c->gmm.covariance, l);
	for (int draw = 0; draw < draws; draw++)
	{
		double		e[D * D];
		double		le[D * D];
		double		lel[D * D];

		for (int i = 0; i < D; i++)
			for (int j = 0; j <= i; j++)
				e[i * D + j] = e[j * D + i] = 0.2 * rng_normal(rng) * (i == j ? 1 : M_SQRT1_2);
		dpem_linalg_multiply(D, l, e, le);
		dpem_linalg_multiply_nt(D, le, l, lel);
		for (int i = 0; i < D * D; i++)
			square[i] += lel[i] * lel[i] / draws;
		for (int i = 0; i < D; i++)
		{
			double		sum = 0;

			for (int j = 0; j <= i; j++)
				sum += l[i * D + j] * 0.1 * rng_normal(rng);
			mean_square[i] += sum * sum / draws;
		}
	}
	for (int i = 0; i < D * D; i++)
		CHECK(fabs(sqrt(square[i]) / covariance[i] - 1) < 0.05, "entry %d scatters by %g, %g is stated", i, sqrt(square[i]), covariance[i]);
	for (int i = 0; i < D; i++)
		CHECK(fabs(sqrt(mean_square[i]) / mean[i] - 1) < 0.05, "mean %d scatters by %g, %g is stated", i, sqrt(mean_square[i]), mean[i]);
	CHECK(weight[0] == 0, "the weight of the only component has noise of %g", weight[0]);
	case_free(c);
}

int
main(void)
{
	Rng			rng = {2028};

	check_steps(&rng);
	check_nothing_to_do(&rng);
	check_spherical(&rng);
	check_noise_levels(&rng);
	return unit_report();
}

/*
 * test_seen.c - what several releases say of the same rows, and axes that are found look by look.  Noise is drawn with public
 * random numbers from a fixed seed: nothing here comes by chance.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gmm/gmm_whiten.h"
#include "core/numeric/linalg.h"
#include "core/numeric/public_random.h"
#include "unit.h"

#define D		4
#define ROWS	10000.0
#define RADIUS	2.5
#define NOISE	0.004			/* of a svec entry, in the unit ball and per row */

/* of rows in the frame: three columns, and one more for each of two planes on which all rows nearly lie */
static void
true_covariance(double *c)
{
	static const double factor[D][D] = {{1, 0, 0, 0}, {1, 0.05, 0, 0}, {0.5, 0.5, 0.7, 0}, {0.7, 0, 0.7, 0.05}};

	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++)
		{
			c[i * D + j] = 0;
			for (int a = 0; a < D; a++)
				c[i * D + j] += factor[i][a] * factor[j][a];
		}
}

/* y = A x of those rows, in the ball, with noise */
static DpemNoisyMoments
release(const double *a, const double *covariance, double noise, DpemPublicRandom *random, double *value)
{
	double		product[D * D];
	double		seen[D * D];
	double	   *second = value + 1 + D;

	dpem_linalg_multiply(D, a, covariance, product);
	dpem_linalg_multiply_nt(D, product, a, seen);
	value[0] = ROWS;
	for (int j = 0; j < D; j++)
		value[1 + j] = ROWS * noise * dpem_public_normal(random);
	for (int i = 0; i < D; i++)
		for (int j = 0; j <= i; j++)
			*second++ = ROWS * (seen[i * D + j] / (RADIUS * RADIUS) + noise * (i == j ? 1 : sqrt(0.5)) * dpem_public_normal(random));
	return (DpemNoisyMoments) {{1, D, DPEM_SECOND_FULL}, 0, ROWS * noise, ROWS * noise, value};
}

typedef struct Axes
{
	double		whitening[D * D];
	double		inverse[D * D];
	double		covariance[D * D];
	double		variance[D * D];
	double		mean_variance[D];
	double		center[D];
	double		scale[D];
	double		spread2[D];
	double		spread2_sd[D];
} Axes;

/* how far from 1 the logarithm of the variances in those axes is, at most */
static double
worst_axis(const Axes *axes, const double *truth)
{
	double		worst = 0;

	for (int i = 0; i < D; i++)
	{
		double		variance = 0;

		for (int a = 0; a < D; a++)
			for (int b = 0; b < D; b++)
				variance += axes->whitening[i * D + a] * truth[a * D + b] * axes->whitening[i * D + b];
		worst = fmax(worst, fabs(log(variance)));
	}
	return worst;
}

static double
find_axes(int looks, DpemPublicRandom *random, Axes *axes)
{
	static const double identity[D * D] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
	double		truth[D * D];
	double		value[1 + D + D * (D + 1) / 2];
	DpemGmmFrame frame = {D, RADIUS, axes->center, axes->scale, axes->spread2, axes->spread2_sd, 0};
	DpemGmmSeen seen = {axes->covariance, axes->variance, axes->mean_variance};
	double	   *memory = malloc(dpem_gmm_whitening_work(D) * sizeof(double));
	DpemWorkspace work = {memory, memory + dpem_gmm_whitening_work(D)};
	DpemNoisyMoments m;

	true_covariance(truth);
	memset(axes, 0, sizeof(*axes));
	for (int j = 0; j < D; j++)
		axes->scale[j] = 1;
	m = release(identity, truth, NOISE, random, value);
	CHECK(dpem_gmm_whitening(&m, ROWS, &frame, axes->whitening, axes->inverse, work) == DPEM_OK, "first look");
	dpem_gmm_whitened_moments(&m, ROWS, &frame, axes->whitening, &seen, work);
	for (int look = 2; look <= looks; look++)
	{
		m = release(axes->whitening, truth, NOISE, random, value);
		CHECK(dpem_gmm_whiten_again(&m, ROWS, &frame, &seen, axes->whitening, axes->inverse, work) == DPEM_OK, "look %d", look);
	}
	free(memory);
	return worst_axis(axes, truth);
}

/* the matrices are each other's inverse, so that models come back in the columns' units */
static void
check_inverse(const Axes *axes)
{
	double		product[D * D];
	double		worst = 0;

	dpem_linalg_multiply(D, axes->whitening, axes->inverse, product);
	for (int i = 0; i < D * D; i++)
		worst = fmax(worst, fabs(product[i] - (i % (D + 1) == 0)));
	CHECK(worst < 1e-9, "inverse: %g", worst);
}

/* axes in which the rows hardly vary are found by further looks, and only by them */
static void
test_looks(void)
{
	DpemPublicRandom random = dpem_public_seed((double[]) {1, 2, 3}, 3);
	Axes		axes;
	double		once = find_axes(1, &random, &axes);
	double		often;

	check_inverse(&axes);
	often = find_axes(5, &random, &axes);
	check_inverse(&axes);
	CHECK(once > 3, "one look: %g", once);
	CHECK(often < 0.3, "five looks: %g", often);
}

/* two releases with the same noise: their mean, with half of its variance */
static void
test_two(void)
{
	DpemPublicRandom random = dpem_public_seed((double[]) {4, 5, 6}, 3);
	double		truth[D * D];
	double		variance[D * D];
	double		mean_variance[D];
	double		earlier[D * D];
	double		later[D * D];
	double		memory[1000];
	DpemGmmSeen seen = {earlier, variance, mean_variance};
	DpemGmmTotalNoise noise = {0.1, 0.1};
	DpemGmmTotalNoise left;
	double		wrong[2] = {0, 0};

	true_covariance(truth);
	for (int t = 0; t < 400; t++)
	{
		double		mean[D] = {0};

		dpem_gmm_seen_noise(DPEM_SECOND_FULL, D, noise, &seen);
		for (int i = 0; i < D; i++)
			for (int j = 0; j <= i; j++)
			{
				double		sd = noise.second * (i == j ? 1 : sqrt(0.5));

				earlier[i * D + j] = earlier[j * D + i] = truth[i * D + j] + sd * dpem_public_normal(&random);
				later[i * D + j] = later[j * D + i] = truth[i * D + j] + sd * dpem_public_normal(&random);
			}
		for (int i = 0; i < D * D; i++)
			wrong[0] += pow(later[i] - truth[i], 2) / 400;
		left = dpem_gmm_seen_combine(&seen, DPEM_SECOND_FULL, D, noise, mean, later, NULL, (DpemWorkspace) {memory, memory + 1000});
		for (int i = 0; i < D * D; i++)
			wrong[1] += pow(later[i] - truth[i], 2) / 400;
	}
	CHECK(left.second > 0.07 && left.second < 0.09, "noise left: %g", left.second);
	CHECK(wrong[1] < 0.75 * wrong[0], "squares: %g of %g", wrong[1], wrong[0]);
}

/* rows that were clipped otherwise are another covariance: little of it counts */
static void
test_misfit(void)
{
	double		truth[D * D];
	double		variance[D * D];
	double		mean_variance[D];
	double		earlier[D * D] = {0};
	double		later[D * D];
	double		mean[D] = {0};
	double		memory[1000];
	DpemGmmSeen seen = {earlier, variance, mean_variance};
	DpemGmmTotalNoise noise = {1e-3, 1e-3};

	true_covariance(truth);
	memcpy(later, truth, sizeof(truth));
	for (int j = 0; j < D; j++)
		earlier[j * D + j] = 1;
	dpem_gmm_seen_noise(DPEM_SECOND_FULL, D, noise, &seen);
	dpem_gmm_seen_combine(&seen, DPEM_SECOND_FULL, D, noise, mean, later, NULL, (DpemWorkspace) {memory, memory + 1000});
	for (int i = 0; i < D * D; i++)
		CHECK(fabs(later[i] - truth[i]) < 1e-3, "entry %d: %g, not %g", i, later[i], truth[i]);
}

int
main(void)
{
	test_looks();
	test_two();
	test_misfit();
	return unit_report();
}

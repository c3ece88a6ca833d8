/*
 * test_near_constant.c - factor analysis of many columns that hardly vary.
 *
 * 38,000 rows of 52 columns, 30 of them with a variance of 1e-4 of the domain's
 * squared half-width, four factors in the others.  Noise in an entry is tens of
 * times such a variance, and noise in an eigenvalue ten times that: what is to
 * be had is the model of independent columns that the same released diagonal
 * gives, and the factors of the other columns on top.
 *
 * Comparisons with random noise use a fixed seed: they always come out the
 * same.
 */
#include "core/factors/factor_analysis.h"
#include "core/numeric/linalg.h"
#include "core/numeric/vector.h"
#include "kernel_fixture.h"

enum
{
	D = 52, NEAR_CONSTANT = 30, FACTORS = 4, RUNS = 11
};

#define ROWS		38000.0
#define BALL		2.5			/* root mean square distances */

static DpemWorkspace
workspace(size_t n)
{
	double	   *start = numbers(n);

	return (DpemWorkspace) {start, start + n};
}

/* in units of the ball's squared radius */
static void
make_covariance(Rng *rng, double *out)
{
	double		loading[FACTORS * D];
	double		trace = 0;

	for (int j = 0; j < D; j++)
	{
		double		variance = j < NEAR_CONSTANT ? 1e-4 : rng_uniform(rng, 0.02, 0.15);
		double		common = 0;

		for (int f = 0; f < FACTORS; f++)
		{
			loading[f * D + j] = rng_normal(rng);
			common += loading[f * D + j] * loading[f * D + j];
		}
		for (int f = 0; f < FACTORS; f++)
			loading[f * D + j] *= j < NEAR_CONSTANT ? 0 : sqrt(variance / 2 / common);
		trace += variance;
		for (int i = 0; i < D; i++)
			out[i * D + j] = i == j ? (j < NEAR_CONSTANT ? variance : variance / 2) : 0;
	}
	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++)
			for (int f = 0; f < FACTORS; f++)
				out[i * D + j] += loading[f * D + i] * loading[f * D + j];
	for (int i = 0; i < D * D; i++)
		out[i] /= BALL * BALL * trace;
}

static void
add_noise(Rng *rng, double sd, double *a)
{
	for (int i = 0; i < D; i++)
		for (int j = 0; j <= i; j++)
		{
			a[i * D + j] += rng_normal(rng) * (i == j ? sd : sd / sqrt(2));
			a[j * D + i] = a[i * D + j];
		}
}

/* mean log-density, less what depends on D alone, of rows of that covariance under Lambda' Lambda + diag(noise) */
static double
log_density(int k, const double *loading, const double *noise, const double *covariance)
{
	double		model[D * D];
	double		log_det;
	double		trace = 0;

	memset(model, 0, sizeof(model));
	if (k > 0)
		dpem_linalg_gram(k, D, loading, model);
	for (int j = 0; j < D; j++)
		model[j * D + j] += noise[j];
	if (dpem_linalg_inverse(D, model, &log_det) != DPEM_OK)
		return NAN;
	for (int i = 0; i < D * D; i++)
		trace += model[i] * covariance[i];
	return -(log_det + trace) / 2;
}

static double
independent_columns(const double *released, double sd, const double *covariance)
{
	double		noise[D];

	for (int j = 0; j < D; j++)
		noise[j] = fmax(released[j * D + j], sd / sqrt(2));
	return log_density(0, NULL, noise, covariance);
}

static double
factor_model(double *released, double sd, const double *covariance)
{
	double		loading[FACTORS * D];
	double		noise[D];
	DpemFactors f = {.d = D,.k = FACTORS,.loading = loading,.noise = noise};
	DpemFactorsRule rule = {.iterations = 1000,.tolerance = 1e-11,.sd = sd};
	DpemFactorsResult result;
	DpemWorkspace work = workspace(dpem_factors_fit_work(D, FACTORS));
	DpemStatus	status = dpem_factors_fit(&rule, released, &f, &result, work);

	free(work.next);
	return status == DPEM_OK ? log_density(FACTORS, loading, noise, covariance) : NAN;
}

static void
test_against_independent(Rng *rng, const double *covariance, double epsilon, double noise_multiplier)
{
	/* sensitivity sqrt(2) (1 + (d + 1)^(-1/2) / 2), nine tenths of mu^2 (docs/factors.md) */
	double		sd = noise_multiplier * sqrt(2 / 0.9) * (1 + 0.5 / sqrt(D + 1.0)) / ROWS;
	double		gain[RUNS];

	for (int run = 0; run < RUNS; run++)
	{
		double		released[D * D];

		memcpy(released, covariance, sizeof(released));
		add_noise(rng, sd, released);
		gain[run] = -independent_columns(released, sd, covariance);
		gain[run] += factor_model(released, sd, covariance);
	}
	qsort(gain, RUNS, sizeof(double), dpem_ascending);
	CHECK(gain[RUNS / 2] > 1, "epsilon %g: a row is %g likelier under factors, median", epsilon, gain[RUNS / 2]);
	CHECK(gain[0] > 0, "epsilon %g: a row is %g likelier under factors at worst", epsilon, gain[0]);
}

int
main(void)
{
	/* noise multipliers of one Gaussian release at delta 1e-6 */
	static const double levels[][2] = {{0.5, 8.06}, {1, 4.22}, {2, 2.24}, {4, 1.22}, {8, 0.685}};
	Rng			rng = {1936};
	double		covariance[D * D];

	make_covariance(&rng, covariance);
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		test_against_independent(&rng, covariance, levels[i][0], levels[i][1]);
	return unit_report();
}

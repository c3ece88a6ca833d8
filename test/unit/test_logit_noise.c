/*
 * test_logit_noise.c - the noise that coefficients of logistic regression are said to have, beside that over many
 * draws of it: the learnt precision of the prior follows the noise, too, and so do second moments.
 */
#include "core/logit/logit_estimate.h"
#include "core/logit/logit_solve.h"
#include "kernel_fixture.h"

#define D		5
#define ROWS	2000
#define COEFFICIENT	1.0
#define DRAWS	4000
#define OFF		0.1				/* six standard errors of a ratio of deviations, and .03 that first order leaves */

typedef struct Fit
{
	DpemLogitStatistics s;
	DpemLogit	fit;
	DpemWorkspace work;
	double		linear[D];
	double		second[D * D];
	double		curvature[D * D];
	double		mean[D];
	double		covariance[D * D];
	double		turn[D * D];
} Fit;

/* curvature of independent columns */
static Fit *
make_fit(double linear_sd)
{
	Fit		   *f = calloc(1, sizeof(Fit));
	size_t		work = dpem_logit_estimate_work(D);

	f->s = (DpemLogitStatistics) {.d = D,.linear = f->linear,.second = f->second,.curvature = f->curvature,.curvature_share = 1,
								  .rows = ROWS,.linear_sd = linear_sd};
	f->fit = (DpemLogit) {.d = D,.mean = f->mean,.covariance = f->covariance,.turn = f->turn};
	f->work.next = numbers(work);
	f->work.end = f->work.next + work;
	for (int j = 0; j < D; j++)
	{
		f->second[j * D + j] = ROWS / (double) D;
		f->curvature[j * D + j] = ROWS / 4.0 / D;
	}
	return f;
}

static double
norm2(const double *x)
{
	double		sum = 0;

	for (int j = 0; j < D; j++)
		sum += x[j] * x[j];
	return sum;
}

/* of the first coefficient; *stated: root mean square of what is said of it */
static double
deviation_over_draws(Rng *rng, Fit *f, double linear_sd, double *stated)
{
	double		sum = 0;
	double		square = 0;
	int			failed = 0;

	*stated = 0;
	for (int i = 0; i < DRAWS; i++)
	{
		for (int j = 0; j < D; j++)
			f->linear[j] = ROWS / 4.0 / D * COEFFICIENT + linear_sd * rng_normal(rng);
		failed += dpem_logit_solve(&f->s, f->curvature, 0, false, 0, &f->fit, f->work) != DPEM_OK;
		sum += f->mean[0];
		square += f->mean[0] * f->mean[0];
		*stated += norm2(f->turn) / DRAWS;
	}
	CHECK(failed == 0, "%d posteriors failed", failed);
	*stated = sqrt(*stated);
	return sqrt((square - sum * sum / DRAWS) / DRAWS);
}

static void
check_learnt(Rng *rng, double linear_sd)
{
	Fit		   *f = make_fit(linear_sd);
	double		stated;
	double		found = deviation_over_draws(rng, f, linear_sd, &stated);

	CHECK(fabs(stated / found - 1) < OFF, "noise %g in sums: %g in a coefficient, said to be %g", linear_sd, found, stated);
	free(f->work.next);
	free(f);
}

int
main(void)
{
	Rng			rng = {20301007};

	for (double sd = 2; sd <= 128; sd *= 8)
		check_learnt(&rng, sd);
	return unit_report();
}

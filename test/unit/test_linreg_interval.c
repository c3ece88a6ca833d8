/*
 * test_linreg_interval.c - how far a target may be from its prediction: the residual of rows that were clipped, and a
 * variance that noise leaves unsure.
 */
#include "linreg_fixture.h"

#define PREDICTORS	3
#define N			(PREDICTORS + 1)
#define ROWS		20000
#define REST		0.9				/* of the target's variance, that no predictor explains */
#define OFF			0.15			/* over ten standard errors of a variance, and what clipping's chance adds */

/* a row whose coordinates all have that variance, clipped to norm 1 */
static void
draw_row(Rng *rng, double variance, double *x)
{
	double		norm2 = 0;

	x[PREDICTORS] = sqrt(REST) * rng_normal(rng);
	for (int j = 0; j < PREDICTORS; j++)
	{
		x[j] = rng_normal(rng);
		x[PREDICTORS] += sqrt((1 - REST) / PREDICTORS) * x[j];
	}
	for (int j = 0; j < N; j++)
		norm2 += variance * x[j] * x[j];
	for (int j = 0; j < N; j++)
		x[j] *= sqrt(variance / fmax(norm2, 1));
}

/* sums of clipped rows as they are released; the noise is stated, and too little to be drawn */
static void
sum_rows(Rng *rng, double variance, double *value)
{
	double		x[N];

	memset(value, 0, (1 + N + N * (N + 1) / 2) * sizeof(double));
	value[0] = ROWS;
	for (int i = 0; i < ROWS; i++)
	{
		double	   *at = value + 1 + N;

		draw_row(rng, variance, x);
		for (int j = 0; j < N; j++)
		{
			value[1 + j] += x[j];
			for (int k = 0; k <= j; k++)
				*at++ += x[j] * x[k];
		}
	}
}

/* that variance over clipped rows' is what they were divided by, on average; slopes and R squared are what they are */
static void
check_clipped(Rng *rng, double variance, double center_error, double expected)
{
	double		value[1 + N + N * (N + 1) / 2];
	DpemNoisyMoments released = {.layout = {1, N, DPEM_SECOND_FULL},.sum_sd = 1,.second_sd = 1,.value = value};
	Problem    *a = make_problem(PREDICTORS);

	sum_rows(rng, variance, value);
	dpem_linreg_take(&released, ROWS, center_error, &a->m);
	HOLDS(dpem_linreg_estimate(&a->m, &a->fit, a->work) == DPEM_OK);
	CHECK(fabs(a->fit.residual_variance / (REST * variance) / expected - 1) < OFF, "rows of variance %g have a residual of %g, not %g", variance,
		  a->fit.residual_variance, expected * REST * variance);
	NEAR(a->fit.r2, 1 - REST, OFF);
	NEAR(a->fit.coefficient[0], sqrt((1 - REST) / PREDICTORS), OFF);
	free_problem(a);
}

static void
test_clipped(void)
{
	Rng			rng = {20300611};

	/* rows that hardly any clip reaches, that are clipped at their root mean square norm, and at less */
	check_clipped(&rng, 0.02, 0.1, 1);
	check_clipped(&rng, 1.0 / N, 0.1, 1);
	check_clipped(&rng, 2.0 / N, 0.1, 1);
	/* where nobody has said that rows are about their center, nothing is said of how they were clipped */
	check_clipped(&rng, 1.0 / N, 0, 0.78);
}

/* Student's quantiles: of 8, 20 and 50 degrees of freedom, at 95 % and 80 % */
static void
test_unsure(void)
{
	const double degrees[] = {8, 20, 50};
	const double most[] = {2.306, 2.086, 2.009};
	const double usual[] = {1.397, 1.325, 1.299};

	for (int i = 0; i < 3; i++)
	{
		NEAR(dpem_linreg_unsure_reach(1.959964, sqrt(2 / degrees[i])), most[i], 0.03);
		NEAR(dpem_linreg_unsure_reach(1.281552, sqrt(2 / degrees[i])), usual[i], 0.01);
	}
	NEAR(dpem_linreg_unsure_reach(1.5, 0), 1.5, 0);
	/* bounds of a residual that dp_evaluate cuts into cells */
	NEAR(dpem_linreg_unsure_reach(4, 1), 6.5, 1e-12);
}

/* ---- a predictor whose frame is too wide ---- */

#define RELEASES	400
#define HIDDEN		0.02		/* its variance, */
#define HIDDEN_SD	0.03		/* and the noise in that */
#define LONG		4.0			/* its slope, which explains most of the target */
#define REMAINS		0.05

/* of RELEASES of one predictor's moments, those whose interval has its slope */
static int
count_covered(Rng *rng)
{
	Problem    *a = make_problem(1);
	int			covered = 0;

	a->m.rows = ROWS;
	a->m.second_sd = HIDDEN_SD;
	a->m.mean_sd = 0;
	for (int i = 0; i < RELEASES; i++)
	{
		double		off = HIDDEN_SD * M_SQRT1_2 * rng_normal(rng);

		a->m.mean[0] = a->m.mean[1] = 0;
		a->m.covariance[0] = HIDDEN + HIDDEN_SD * rng_normal(rng);
		a->m.covariance[1] = a->m.covariance[2] = LONG * HIDDEN + off;
		a->m.covariance[3] = LONG * LONG * HIDDEN + REMAINS + HIDDEN_SD * rng_normal(rng);
		HOLDS(dpem_linreg_estimate(&a->m, &a->fit, a->work) == DPEM_OK);
		covered += fabs(a->fit.middle[0] - LONG) < 1.96 * sqrt(a->fit.spread[0]);
	}
	free_problem(a);
	return covered;
}

/* a slope that is as long as a ridge has it makes intervals of which a fifth do not have it */
static void
test_hidden(void)
{
	Rng			rng = {20300612};
	int			covered = count_covered(&rng);

	CHECK(covered > RELEASES * 9 / 10, "%d of %d intervals have the slope", covered, RELEASES);
}

int
main(void)
{
	test_clipped();
	test_hidden();
	test_unsure();
	return unit_report();
}

/*
 * test_linreg_labels.c - a number beside a label of many categories: what noise along the label does not hide the number,
 * and effects of categories that are seen are found; and how long a label's rows are.
 */
#include "core/columns/label_spread.h"
#include "linreg_fixture.h"

#define CATEGORIES	300
#define PREDICTORS			(CATEGORIES + 1)
#define ALL			(PREDICTORS + 1)
#define UNIT		0.5

typedef struct Wide
{
	DpemLinregMoments m;
	DpemLinreg	fit;
	int			label[PREDICTORS];
	double		unit[ALL];
	double		middle[ALL];
	double		effect[CATEGORIES];
	double		memory[5 * ALL * ALL + 4 * ALL];
	bool		shared[PREDICTORS];
} Wide;

static void
share_memory(Wide *a)
{
	double	   *at = a->memory;

	a->m = (DpemLinregMoments) {.p = PREDICTORS,.rows = 1e4,.covariance = at,.mean = at + 5 * ALL * ALL,.label = a->label,.unit = a->unit,.middle = a->middle};
	a->fit = (DpemLinreg) {.p = PREDICTORS,.shared = a->shared,.error = at + ALL * ALL,.noise = at + 2 * ALL * ALL,.sampling = at + 3 * ALL * ALL,.spread = at + 4 * ALL * ALL,
						   .coefficient = at + 5 * ALL * ALL + ALL,.middle = at + 5 * ALL * ALL + 2 * ALL};
}

/* y = x + size times an effect of the category, all as often; x has variance 1 */
static void
fill(Rng *rng, Wide *a, double size, double sd, double mean_sd)
{
	double		q = 1.0 / CATEGORIES;
	double		mean = 0;
	double		square = 0;

	for (int j = 0; j < CATEGORIES; j++)
	{
		a->effect[j] = size * rng_normal(rng);
		mean += q * a->effect[j];
		square += q * a->effect[j] * a->effect[j];
	}
	memset(a->memory, 0, sizeof(a->memory));
	for (int i = 0; i < PREDICTORS; i++)
	{
		a->label[i] = i == 0 ? -1 : 1;
		a->unit[i] = i == 0 ? 1 : UNIT;
		a->m.mean[i] = i == 0 ? 0 : q / UNIT;
		for (int j = 0; j < PREDICTORS; j++)
			a->m.covariance[i * ALL + j] = i == 0 || j == 0 ? i == j : ((i == j ? q : 0) - q * q) / (UNIT * UNIT);
		a->m.covariance[i * ALL + PREDICTORS] = a->m.covariance[PREDICTORS * ALL + i] = i == 0 ? 1 : q * (a->effect[i - 1] - mean) / UNIT;
	}
	a->m.covariance[ALL * ALL - 1] = 1.5 + square - mean * mean;
	a->m.mean[PREDICTORS] = mean;
	a->m.mean_sd = mean_sd;
	a->m.second_sd = sd;
	for (int i = 0; i < ALL; i++)
	{
		a->m.mean[i] += mean_sd * rng_normal(rng);
		for (int j = 0; j <= i; j++)
		{
			a->m.covariance[i * ALL + j] += sd * rng_normal(rng) * (i == j ? 1 : M_SQRT1_2);
			a->m.covariance[j * ALL + i] = a->m.covariance[i * ALL + j];
		}
	}
}

static void
estimate(Wide *a)
{
	size_t		size = dpem_linreg_estimate_work(PREDICTORS);
	double	   *memory = numbers(size);

	HOLDS(dpem_linreg_estimate(&a->m, &a->fit, (DpemWorkspace) {memory, memory + size}) == DPEM_OK);
	free(memory);
}

/* noise whose spectrum's edge, 0.05 sqrt(2 301), is beyond the number's variance */
static void
test_number(Rng *rng)
{
	Wide	   *a = calloc(1, sizeof(Wide));

	share_memory(a);
	for (int round = 0; round < 5; round++)
	{
		double		length2 = 0;

		fill(rng, a, 0, 0.05, 0.05);
		estimate(a);
		CHECK(fabs(a->fit.coefficient[0] - 1) < 0.25, "the number's coefficient is %g, not 1", a->fit.coefficient[0]);
		for (int j = 1; j < PREDICTORS; j++)
			length2 += a->fit.coefficient[j] * a->fit.coefficient[j] / (CATEGORIES * UNIT * UNIT);
		CHECK(length2 < 0.05, "categories that say nothing add a variance of %g", length2);
	}
	free(a);
}

/* effects whose covariances with the target are ten deviations of the noise */
static void
test_effects(Rng *rng)
{
	Wide	   *a = calloc(1, sizeof(Wide));
	double		error = 0;
	double		all = 0;

	share_memory(a);
	fill(rng, a, 1, 1e-3, 3e-4);
	estimate(a);
	for (int j = 1; j < PREDICTORS; j++)
	{
		error += pow(a->fit.coefficient[j] / UNIT - a->effect[j - 1] - (a->fit.coefficient[1] / UNIT - a->effect[0]), 2);
		all += a->effect[j - 1] * a->effect[j - 1];
	}
	CHECK(error < 0.3 * all, "errors in effects have a square of %g, effects of %g", error, all);
	CHECK(fabs(a->fit.coefficient[0] - 1) < 0.05, "the number's coefficient is %g, not 1", a->fit.coefficient[0]);
	free(a);
}

static double
row_square(int width, const double *share, const double *deviation)
{
	double		sum = 0;

	for (int j = 0; j < width; j++)
		sum += share[j] / (deviation[j] * deviation[j]);
	return sum;
}

/* numbers and labels of few categories keep their units, wide ones have rows of the norm that the rule says */
static void
test_spread(Rng *rng)
{
	double		kind[40];
	double		share[40];
	double		deviation[40];
	double		before[40];
	DpemMarginGrid grid;
	DpemLabelRule rule = {.most = 8};
	DpemLabelRule noisy = {.most = 8,.noise = 0.5};
	double		sum = 0;

	for (int j = 0; j < 40; j++)
	{
		kind[j] = j < 2 ? DPEM_MARGINS_NUMBER : j == 2 || j == 6 ? DPEM_MARGINS_LABEL : DPEM_MARGINS_NEXT;
		share[j] = j < 2 ? 0 : j < 6 ? 0.25 : -log(1 - rng_uniform(rng, 0, 1));
		sum += j >= 6 ? share[j] : 0;
	}
	for (int j = 0; j < 40; j++)
	{
		share[j] /= j >= 6 ? sum : 1;
		before[j] = deviation[j] = j < 2 ? 0.3 : sqrt(share[j] * (1 - share[j]));
	}
	grid = dpem_margin_grid_of(dpem_margin_grid(40, 1, 1), kind);
	dpem_label_spread(&grid, rule, share, deviation);
	HOLDS(memcmp(before, deviation, 6 * sizeof(double)) == 0);
	NEAR(row_square(34, share + 6, deviation + 6), 8.0, 1e-6);
	NEAR(dpem_label_row_square(&grid, rule), 2.0 + 4 + 8, 1e-12);
	NEAR(dpem_label_dilution(&grid, rule), 34.0 / 8, 1e-12);
	dpem_label_spread(&grid, noisy, share, deviation);
	NEAR(row_square(34, share + 6, deviation + 6), dpem_label_square(noisy, 34), 1e-6);
	HOLDS(dpem_label_square(noisy, 34) < 4 && dpem_label_square(noisy, 34) >= 1 && dpem_label_square(noisy, 8) == 8);
}

int
main(void)
{
	Rng			rng = {31};

	test_number(&rng);
	test_effects(&rng);
	test_spread(&rng);
	return unit_report();
}

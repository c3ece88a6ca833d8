/*
 * test_class_functional.c - baselines of linear classifiers from what was released: the functional
 * mechanism's polynomial, and the rule for output perturbation's ridge.
 */
#include "core/logit/class_estimate.h"
#include "core/numeric/linalg.h"
#include "kernel_fixture.h"

#define D 4

typedef struct Problem
{
	DpemNoisyMoments m;
	double		value[1 + D + D * (D + 1) / 2];
	double		mean[D];
	double		turn[D * D];
	DpemLogit	fit;
} Problem;

static void
start(Problem *p, double sum_sd, double second_sd)
{
	memset(p, 0, sizeof(*p));
	p->m = (DpemNoisyMoments) {
		.layout = {1, D, DPEM_SECOND_FULL},.sum_sd = sum_sd,.second_sd = second_sd,.value = p->value
	};
	p->fit = (DpemLogit) {.d = D,.mean = p->mean,.turn = p->turn};
}

static void
solve(Problem *p)
{
	size_t		length = dpem_class_functional_work(D);
	double	   *memory = numbers(length);

	CHECK(dpem_class_functional(&p->m, &p->fit, (DpemWorkspace) {memory, memory + length}) == DPEM_OK, "no model");
	free(memory);
}

static double *
product_at(Problem *p, int i, int j)
{
	return &p->value[1 + D + i * (i + 1) / 2 + j];
}

/* without noise: the polynomial's gradient, sum y x / 2 - sum x x' b / 4, is zero */
static void
check_exact(Rng *rng)
{
	Problem		p;

	start(&p, 0, 0);
	for (int row = 0; row < 100; row++)
	{
		double		x[D];

		for (int j = 0; j < D; j++)
		{
			x[j] = rng_normal(rng);
			p.value[1 + j] += x[j];
			for (int i = 0; i <= j; i++)
				*product_at(&p, j, i) += x[j] * x[i];
		}
	}
	solve(&p);
	for (int i = 0; i < D; i++)
	{
		double		gradient = p.value[1 + i] / 2;

		for (int j = 0; j < D; j++)
			gradient -= *product_at(&p, i > j ? i : j, i > j ? j : i) * p.mean[j] / 4;
		CHECK(fabs(gradient) < 1e-9, "gradient %g", gradient);
	}
}

/* the ridge is four deviations of a product, a direction of noise is left out, and noise is to first order */
static void
check_noise(void)
{
	const double sd = 3;
	Problem		p;
	double		length2;

	start(&p, 2, sd * sqrt(2));
	for (int j = 0; j < D; j++)
	{
		p.value[1 + j] = 10;
		*product_at(&p, j, j) = j == 0 ? -5 : 100 * j;
	}
	solve(&p);
	length2 = 0;
	for (int j = 0; j < D; j++)
	{
		CHECK_CLOSE(p.mean[j] + 1, (j == 0 ? 0 : 20 / (100 * j + 4 * sd)) + 1, 1e-12, "coefficient %d", j);
		length2 += p.mean[j] * p.mean[j];
	}
	for (int j = 0; j < D; j++)
		CHECK_CLOSE(p.turn[j * D + j] + 1, (j == 0 ? 0 : sqrt(16 + sd * sd * length2) / (100 * j + 4 * sd)) + 1, 1e-12, "noise %d", j);
}

/* in proportion to z^(2/3) and the cube root of rows and curvature, and less in more coordinates */
static void
check_rule(void)
{
	const DpemMarginLoss logistic = {DPEM_LOSS_LOGISTIC, 1};
	const DpemMarginLoss hinge = {DPEM_LOSS_HINGE, 0.5};
	double		ridge = dpem_class_ridge(&logistic, 8, 1000, 1);

	CHECK(ridge > 0 && dpem_class_steps() >= 1, "ridge %g", ridge);
	CHECK_CLOSE(dpem_class_ridge(&logistic, 8, 1000, 8), 4 * ridge, 1e-12, "of noise");
	CHECK_CLOSE(dpem_class_ridge(&logistic, 8, 8000, 1), 2 * ridge, 1e-12, "of rows");
	CHECK_CLOSE(dpem_class_ridge(&logistic, 1, 1000, 1), 2 * ridge, 1e-12, "of coordinates");
	CHECK_CLOSE(dpem_class_ridge(&hinge, 8, 1000, 1), cbrt(4) * ridge, 1e-12, "of curvature");
}

int
main(void)
{
	Rng			rng = {20120701};

	check_exact(&rng);
	check_noise();
	check_rule();
	return unit_report();
}

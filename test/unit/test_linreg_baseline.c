/*
 * test_linreg_baseline.c - published baselines of linear regression, and the rules of shares and radii.
 */
#include "core/linreg/linreg_baseline.h"
#include "linreg_fixture.h"

/* rows in the ball, released without noise: baselines are least squares, and with noise have a ridge */
static void
test_baselines(void)
{
	Rng			rng = {5};
	Problem    *a = make_problem(3);
	double		value[1 + 4 + 10];
	double		plain[4];
	size_t		length = dpem_linreg_baseline_work(3);
	double	   *memory = numbers(length);
	DpemWorkspace work = {memory, memory + length};

	for (int method = DPEM_LINREG_ADASSP; method <= DPEM_LINREG_FUNCTIONAL; method++)
	{
		DpemNoisyMoments m = {.layout = {1, 4, DPEM_SECOND_FULL},.value = value};

		memset(value, 0, sizeof(value));
		for (int row = 0; row < 500; row++)
		{
			double		x[4] = {rng_normal(&rng) / 4, rng_normal(&rng) / 4, rng_normal(&rng) / 4, 0};
			double	   *at = value + 5;

			x[3] = 0.3 * x[0] - 0.2 * x[1] + 0.1 + rng_normal(&rng) / 50;
			value[0]++;
			for (int i = 0; i < 4; i++)
			{
				value[1 + i] += x[i];
				for (int j = 0; j <= i; j++)
					*at++ += x[i] * x[j];
			}
		}
		dpem_linreg_take(&m, 0, 0, &a->m);
		solve_plainly(a, plain);
		HOLDS(dpem_linreg_baseline(method, &m, 0, &a->fit, work) == DPEM_OK);
		for (int j = 0; j < 4; j++)
			NEAR(a->fit.coefficient[j], plain[j], 1e-9);
		HOLDS(a->fit.r2 > 0.9 && a->fit.noise[0] == 0 && a->fit.sampling[0] > 0);
		m.second_sd = 1;
		HOLDS(dpem_linreg_baseline(method, &m, 0, &a->fit, work) == DPEM_OK);
		NEAR(a->fit.coefficient[0], plain[0], 0.1);
		HOLDS((fabs(a->fit.coefficient[0]) < fabs(plain[0]) - 1e-9) == (method == DPEM_LINREG_FUNCTIONAL) && a->fit.noise[0] > 0);
		m.second_sd = 1e4;
		HOLDS(dpem_linreg_baseline(method, &m, 0, &a->fit, work) == DPEM_OK);
		for (int j = 0; j < 4; j++)
			HOLDS(fabs(a->fit.coefficient[j]) < 0.02);
	}
	free(memory);
	free_problem(a);
}

static void
test_rules(void)
{
	double		before = INFINITY;

	for (double noise = 1e-8; noise < 10; noise *= 2)
	{
		double		radius = dpem_linreg_radius(9, 1e4, noise);

		HOLDS(radius <= before && radius >= 3 && radius <= 15 && radius <= dpem_linreg_radius(9, 1e3, noise));
		before = radius;
	}
	for (double noise = 1e-8; noise < 10; noise *= 2)
	{
		for (int few = 0; few < 2; few++)
		{
			double		share = dpem_linreg_margins_share(noise, few);

			/* something is left for the moments, whatever the noise */
			HOLDS(share > 0 && share <= dpem_linreg_margins_share(2 * noise, few) && share + dpem_linreg_location_share < 0.75);
			HOLDS(share <= dpem_linreg_margins_share(noise, true));
		}
	}
	HOLDS(dpem_linreg_hidden > dpem_linreg_margins_noise);
	HOLDS(dpem_linreg_mean_location(0.01) > 0 && dpem_linreg_mean_location(0.01) < 1 && dpem_linreg_mean_location(1) == 0);
	HOLDS(dpem_linreg_prior(0) > 0 && dpem_linreg_prior(DPEM_LINREG_PRIORS - 1) > dpem_linreg_prior(0));
}

int
main(void)
{
	test_baselines();
	test_rules();
	return unit_report();
}

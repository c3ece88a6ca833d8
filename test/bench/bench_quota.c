/*
 * bench_quota.c - the number of rows of a unit that is chosen privately, beside the best step and the bound: root mean
 * square of (rows lost, noise) over that of the best step, of counts at epsilon 1.
 *
 * Usage: bench_quota [choices]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/kernel_fixture.h"
#include "core/accounting/accountant.h"
#include "core/statistics/quota.h"

#define BOUND 1024
#define UNITS 20000

typedef struct Persons
{
	const char *name;
	double		(*rows) (Rng *rng);
} Persons;

static double
few(Rng *rng)
{
	return 1 - 3 * log(rng_uniform(rng, 1e-12, 1));
}

static double
three(Rng *rng)
{
	(void) rng;
	return 3;
}

static double
lognormal(Rng *rng)
{
	return 1 + exp(1 + rng_normal(rng));
}

static double
pareto(Rng *rng)
{
	return pow(rng_uniform(rng, 1e-12, 1), -1 / 1.5);
}

static double
endless(Rng *rng)
{
	return 1 / rng_uniform(rng, 1e-12, 1);
}

static const Persons persons[] = {{"few", few}, {"three", three}, {"lognormal", lognormal}, {"pareto 1.5", pareto}, {"pareto 1", endless}};

static void
count(const double *rows, int n, const int *step, int steps, double *units)
{
	for (int i = 0; i < steps; i++)
		units[i] = 0;
	for (int u = 0; u < n; u++)
	{
		int			i = 0;

		while (i < steps - 1 && rows[u] > step[i])
			i++;
		units[i]++;
	}
}

static double
error(const double *rows, int n, int quota, double one_row)
{
	double		lost = 0;

	for (int u = 0; u < n; u++)
		lost += fmax(rows[u] - quota, 0);
	return hypot(lost, quota * one_row);
}

static void
compare(const Persons *p, int n, double epsilon, int choices, Rng *rng)
{
	static double rows[UNITS];
	int			step[DPEM_QUOTA_STEPS];
	int			steps = dpem_quota_steps(BOUND, step);
	double		units[DPEM_QUOTA_STEPS];
	double		errors[DPEM_QUOTA_STEPS];
	double		best = INFINITY;
	double		sum = 0;
	double		mu_calls;
	double		mu_choice;

	if (dpem_gdp_mu(1, 1e-6, &mu_calls) != DPEM_OK || dpem_gdp_mu(epsilon, 1e-6, &mu_choice) != DPEM_OK)
		exit(1);
	for (int u = 0; u < n; u++)
		rows[u] = floor(p->rows(rng));
	count(rows, n, step, steps, units);
	for (int i = 0; i < steps; i++)
		best = fmin(best, errors[i] = error(rows, n, step[i], sqrt(2) / mu_calls));
	for (int c = 0; c < choices; c++)
	{
		double		noisy[DPEM_QUOTA_STEPS];
		double		chosen;

		for (int i = 0; i < steps; i++)
			noisy[i] = units[i] + sqrt(2) / mu_choice * rng_normal(rng);
		chosen = errors[dpem_quota_choose(noisy, steps, sqrt(2) / mu_choice, sqrt(2) / mu_calls)];
		sum += chosen * chosen;
	}
	printf("%-12s %6d %5g %8.1f %8.1f\n", p->name, n, epsilon, sqrt(sum / choices) / best, errors[steps - 1] / best);
}

int
main(int argc, char **argv)
{
	int			choices = argc > 1 ? atoi(argv[1]) : 1000;
	Rng			rng = {.state = 20261122};

	printf("%-12s %6s %5s %8s %8s\n", "rows", "units", "eps", "chosen", "bound");
	for (int i = 0; i < (int) (sizeof(persons) / sizeof(persons[0])); i++)
		for (int n = 1000; n <= UNITS; n *= 20)
			for (int e = 0; e < 2; e++)
				compare(&persons[i], n, e == 0 ? 1 : 0.2, choices, &rng);
	return 0;
}

/*
 * test_group.c - costs for a group of rows: a search for mechanisms that tell more about a group
 * than dpem_group_delta and dpem_group_units allow, and that the sums are no larger than need be.
 */
#include <math.h>
#include <stdlib.h>

#include "core/accounting/accountant.h"
#include "core/accounting/group.h"
#include "unit.h"

#define OUTCOMES 6
#define CHAINS 20000

/* sum over outcomes of what p has beyond e^epsilon q: the least delta of the pair */
static double
pair_delta(const double *p, const double *q, double epsilon)
{
	double		delta = 0;

	for (int i = 0; i < OUTCOMES; i++)
		delta += fmax(p[i] - exp(epsilon) * q[i], 0);
	return delta;
}

static void
random_outcomes(double *p, const double *before, double change)
{
	double		sum = 0;

	for (int i = 0; i < OUTCOMES; i++)
	{
		double		u = (rand() + 0.5) / (RAND_MAX + 1.0);

		p[i] = before ? before[i] * exp(change * (2 * u - 1)) + (u < 0.1 ? 0.01 * u : 0) : u;
		sum += p[i];
	}
	for (int i = 0; i < OUTCOMES; i++)
		p[i] /= sum;
}

/* a mechanism on a chain of neighbours, each of whose steps has this delta at epsilon, in either direction */
static double
check_chain(int size, double epsilon)
{
	double		p[8][OUTCOMES];
	double		step = 0;
	double		all;
	double		bound;

	random_outcomes(p[0], NULL, 0);
	for (int i = 1; i <= size; i++)
	{
		random_outcomes(p[i], p[i - 1], 1.2 * epsilon);
		step = fmax(step, fmax(pair_delta(p[i], p[i - 1], epsilon), pair_delta(p[i - 1], p[i], epsilon)));
	}
	all = fmax(pair_delta(p[0], p[size], size * epsilon), pair_delta(p[size], p[0], size * epsilon));
	bound = dpem_group_delta(epsilon, step, size);
	CHECK(all <= bound + 1e-13, "%d steps of (%g, %g): %g > %g", size, epsilon, step, all, bound);
	return bound > 0 ? all / bound : 0;
}

/* each step uses up its delta on one outcome, where all that came before is multiplied by e^epsilon */
static void
check_worst_chain(int size, double epsilon, double delta)
{
	double		mass = 0;

	for (int i = 0; i < size; i++)
		mass = mass * exp(epsilon) + delta;
	CHECK(mass <= dpem_group_delta(epsilon, delta, size), "%d steps of (%g, %g) reach %g", size, epsilon, delta, mass);
	CHECK(mass >= dpem_group_delta(epsilon, delta, size) * (1 - 1e-9), "and no less is enough");
}

/* noise about m times the distance has m^2 times mu^2 */
static void
check_gaussian(double mu, int size)
{
	int64_t		units = dpem_group_units(dpem_cost_units(mu * mu), size);
	double		shifted = size * mu;
	double		delta;
	double		allowed;

	CHECK(dpem_gdp_delta(shifted, 1, &delta) == DPEM_OK && dpem_gdp_delta(sqrt(units / DPEM_COST_UNITS), 1, &allowed) == DPEM_OK, "curves");
	CHECK(delta <= allowed && allowed <= delta * (1 + 1e-6), "%d rows at mu %g: %g, allowed %g", size, mu, delta, allowed);
}

static void
check_more_epsilon(void)
{
	/* calls of 0.5 and 0.25 for groups of 3: sums 2.25 and squares 9 (0.25 + 0.0625) */
	double		sum = 0.75;
	double		squares = 0.3125;
	double		more = dpem_group_more_epsilon(DPEM_ACCOUNTANT_LINEAR, sum, squares, 3);

	CHECK(sum + more == 2.25, "three times the sum");
	more = dpem_group_more_epsilon(DPEM_ACCOUNTANT_ADVANCED, sum, squares, 3);
	CHECK(sum + more >= 2.25, "at least that");
	CHECK(squares + more * more >= 9 * squares, "and nine times the squares");
	CHECK(dpem_group_more_epsilon(DPEM_ACCOUNTANT_ADVANCED, sum, squares, 1) == 0, "one row is itself");
}

int
main(void)
{
	double		closest = 0;

	srand(20220101);
	for (int i = 0; i < CHAINS; i++)
		closest = fmax(closest, check_chain(2 + i % 5, 0.05 + 0.1 * (i % 7)));
	CHECK(closest > 0.1, "chains come near to the bound: %g", closest);
	check_worst_chain(3, 0.5, 1e-5);
	check_worst_chain(20, 0.1, 1e-9);
	CHECK(dpem_group_delta(0.5, 0, 7) == 0, "pure stays pure");
	CHECK(dpem_group_delta(1, 1e-6, 1000) == 1, "and no delta is above 1");
	check_gaussian(0.1, 3);
	check_gaussian(0.02, 40);
	CHECK(dpem_group_units(DPEM_COST_UNITS_MAX, 2) == DPEM_COST_UNITS_MAX, "what does not fit does not fit");
	CHECK(dpem_group_units(7, 1) == 7, "one row");
	CHECK(dpem_group_units(1, 1000000) == 1000000000000, "a million rows");
	check_more_epsilon();
	return unit_report();
}

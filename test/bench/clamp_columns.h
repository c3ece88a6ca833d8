/*
 * clamp_columns.h - columns of unlike shapes in domains of unlike widths, for bench_clamp.c.
 */
#ifndef CLAMP_COLUMNS_H
#define CLAMP_COLUMNS_H

#include <math.h>

#include "../unit/kernel_fixture.h"

typedef struct Column
{
	const char *name;
	int			n;
	double		lower;
	double		upper;
	double		(*value) (Rng *rng);
	double		known;			/* part of the rows that have a value, if not all do; 0: all */
} Column;

static double
lognormal(Rng *rng)
{
	return exp(3 + 1.5 * rng_normal(rng));
}

static double
pareto(Rng *rng)
{
	return 10 * pow(1 - rng_uniform(rng, 0, 1), -1 / 1.5);
}

static double
cauchy(Rng *rng)
{
	return 50 + 5 * tan(M_PI * (rng_uniform(rng, 0, 1) - 0.5));
}

static double
spike(Rng *rng)
{
	return rng_below(rng, 10) > 0 ? 0 : 5000 * exp(0.9 * rng_normal(rng));
}

static double
constant(Rng *rng)
{
	(void) rng;
	return 42;
}

static double
heaps(Rng *rng)
{
	return rng_below(rng, 10) < 7 ? 20 + 4 * rng_normal(rng) : 900 + 30 * rng_normal(rng);
}

static double
far_heap(Rng *rng)
{
	return rng_below(rng, 50) > 0 ? 20 + 4 * rng_normal(rng) : 9000 + 30 * rng_normal(rng);
}

static double
integers(Rng *rng)
{
	return floor(-3 * log(1 - rng_uniform(rng, 0, 1)));
}

static double
normal(Rng *rng)
{
	return 60 + 20 * rng_normal(rng);
}

static double
uniform(Rng *rng)
{
	return rng_uniform(rng, 0, 100);
}

static double
small_normal(Rng *rng)
{
	return 1 + 0.3 * rng_normal(rng);
}

static double
small_lognormal(Rng *rng)
{
	return exp(0.6 * rng_normal(rng));
}

static double
rare_ones(Rng *rng)
{
	return rng_below(rng, 1000) < 9;
}

static double
rare_fiftieths(Rng *rng)
{
	return rng_below(rng, 50) == 0;
}

static double
visits(Rng *rng)
{
	return rng_below(rng, 3) == 0 ? 0 : floor(exp(1.2 + 1.1 * rng_normal(rng)));
}

static double
steps(Rng *rng)
{
	static const double income[] = {2500, 7500, 15000, 35000, 75000, 125000, 200000};
	int			i = rng_below(rng, 100);

	return income[i < 7 ? 0 : i < 26 ? 1 : i < 56 ? 2 : i < 83 ? 3 : i < 94 ? 4 : i < 97 ? 5 : 6];
}

static const Column columns[] = {
	{"visits_130", 4400, 0, 130, visits, 0},
	{"visits_500", 4400, 0, 500, visits, 0},
	{"steps_3e5", 2600, 0, 3e5, steps, 0},
	{"lognormal_2e3", 20000, 0, 2e3, lognormal, 0},
	{"normal_150", 3000, 0, 150, normal, 0},
	{"normal_1e3", 3000, 0, 1000, normal, 0},
	{"lognormal_1e4", 20000, 0, 1e4, lognormal, 0},
	{"lognormal_1e7", 20000, 0, 1e7, lognormal, 0},
	{"pareto_1e5", 20000, 0, 1e5, pareto, 0},
	{"pareto_1e7", 20000, 0, 1e7, pareto, 0},
	{"cauchy_1e6", 30000, -1e6, 1e6, cauchy, 0},
	{"cauchy_1e4", 5000, 0, 1e4, cauchy, 0},
	{"spike_1e5", 40000, 0, 1e5, spike, 0},
	{"spike_1e7", 40000, 0, 1e7, spike, 0},
	{"constant_1e5", 5000, 0, 1e5, constant, 0},
	{"constant_at_middle", 5000, -158, 242, constant, 0},
	{"two_heaps_2e4", 20000, 0, 2e4, heaps, 0},
	{"far_heap_1e4", 20000, 0, 1e4, far_heap, 0},
	{"far_heap_1e6", 20000, 0, 1e6, far_heap, 0},
	{"integers_1e3", 15000, 0, 1000, integers, 0},
	{"normal_5e4", 500, 0, 5e4, normal, 0},
	{"normal_2e6", 20000, -1e6, 1e6, normal, 0},
	{"normal_1e8", 1000000, -1e8, 1e8, normal, 0},
	{"few_rows_5e3", 100, 0, 5000, normal, 0},
	{"uniform", 5000, 0, 100, uniform, 0},
	{"small_normal", 8000, 0, 1000, small_normal, 0},
	{"small_normal_nulls", 6640, 0, 1000, small_normal, 0.83},
	{"small_lognormal", 8000, 0, 1000, small_lognormal, 0},
	{"rare_ones", 5000, 0, 1, rare_ones, 0},
	{"rare_fiftieths", 5000, 0, 1, rare_fiftieths, 0}
};

#endif							/* CLAMP_COLUMNS_H */

/*
 * mixture_tables.h - tables for bench_mixture.c: those of utility_mixture.pl, and others.
 */
#ifndef MIXTURE_TABLES_H
#define MIXTURE_TABLES_H

#include <math.h>

#include "core/numeric/public_random.h"

#define MOST_NUMBERS	20
#define MOST_LABELS		10

typedef struct TableSpec
{
	const char *name;
	int			rows;
	int			k;
	int			numbers;
	int			labels;
	int			missing;		/* may numbers be? */
	int			poisson;		/* one plus the number that is a count; 0: none */
	double		lower[MOST_NUMBERS];
	double		upper[MOST_NUMBERS];
	int			categories[MOST_LABELS];
	void		(*row) (DpemPublicRandom *random, int i, double *x, int *category);
} TableSpec;

static double
uniform(DpemPublicRandom *random)
{
	return dpem_public_uniform(random);
}

static double
normal(DpemPublicRandom *random)
{
	return dpem_public_normal(random);
}

static int
below(DpemPublicRandom *random, int n)
{
	return (int) dpem_public_index(random, n);
}

static void
classes(DpemPublicRandom *random, int i, double *x, int *category)
{
	static const double center[4] = {10, 20, 20, 35};
	static const double other[4] = {0, 50, -50, 0};
	static const double visits[4] = {0.02, 0.1, 0.3, 0.05};
	static const double sex[4] = {0.9, 0.2, 0.5, 0.1};
	int			c = i % 4;

	x[0] = uniform(random) < 0.3 ? NAN : center[c] + 3 * normal(random);
	x[1] = uniform(random) < 0.3 ? NAN : other[c] + 10 * normal(random);
	x[2] = 0;
	for (int n = 0; n < 40; n++)
		x[2] += uniform(random) < visits[c];
	category[0] = uniform(random) < 0.8 ? c : below(random, 5);
	category[1] = uniform(random) < sex[c];
}

static void
many(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 5;

	x[0] = 20 * c + 5 * normal(random);
	category[0] = 40 * c + (int) (40 * uniform(random) * uniform(random));
	category[1] = uniform(random) < 0.2 * c;
}

static void
answers(DpemPublicRandom *random, int i, double *x, int *category)
{
	(void) x;
	for (int q = 1; q <= 10; q++)
		category[q - 1] = uniform(random) < 0.6 ? (i % 3 * q + q) % 4 : below(random, 4);
}

static void
tails(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 4;

	x[0] = exp(c + 1.5 * normal(random));
	x[1] = uniform(random) < 0.7 ? 0 : 30 * c * uniform(random);
	x[2] = 2 * c + normal(random) / sqrt(uniform(random));
	category[0] = (c + (uniform(random) < 0.2)) % 4;
}

static void
nothing(DpemPublicRandom *random, int i, double *x, int *category)
{
	static const double deviation[4] = {3, 1, 5, 2};

	(void) i;
	for (int j = 0; j < 4; j++)
		x[j] = deviation[j] * normal(random);
	category[0] = below(random, 3);
	category[1] = below(random, 2);
}

/* independent laws: gamma, log-normal, integers with a spike at zero, uniform */
static void
laws(DpemPublicRandom *random, int i, double *x, int *category)
{
	(void) i;
	x[0] = -log(uniform(random) * uniform(random));
	x[1] = exp(normal(random));
	x[2] = uniform(random) < 0.6 ? 0 : floor(-20 * log(uniform(random)));
	x[3] = uniform(random);
	category[0] = uniform(random) < 0.05 ? 2 : uniform(random) < 0.3;
}

/* a chain of correlated columns */
static void
chain(DpemPublicRandom *random, int i, double *x, int *category)
{
	(void) i;
	x[0] = normal(random);
	for (int j = 1; j < 12; j++)
		x[j] = 0.8 * x[j - 1] + 0.6 * normal(random);
	category[0] = x[5] > 0;
}

/* small groups beside a large one */
static void
small_groups(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 20 < 17 ? 0 : i % 20 - 16;

	for (int j = 0; j < 3; j++)
		x[j] = (c == j + 1 ? 6 : 0) + normal(random);
	category[0] = uniform(random) < 0.9 ? c : below(random, 4);
}

static void
student(DpemPublicRandom *random, int i, double *x, int *category)
{
	(void) i;
	for (int j = 0; j < 6; j++)
		x[j] = normal(random) / sqrt(-log(uniform(random)));
	category[0] = below(random, 4);
}

/* heavy tails and groups at once */
static void
skewed_groups(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 3;

	x[0] = exp(2 * c + 0.7 * normal(random));
	x[1] = -(c + 1) * log(uniform(random));
	x[2] = c == 1 ? 0 : 10 * c + normal(random) / sqrt(uniform(random));
	x[3] = floor(-5 * (c + 1) * log(uniform(random)));
	category[0] = uniform(random) < 0.7 ? c : below(random, 6);
	category[1] = uniform(random) < 0.3 + 0.2 * c;
}

static void
twenty(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 5;

	for (int j = 0; j < 20; j++)
		x[j] = ((c * (j + 1)) % 5 - 2) + normal(random);
	category[0] = uniform(random) < 0.5 ? c : below(random, 5);
}

static void
nothing_wide(DpemPublicRandom *random, int i, double *x, int *category)
{
	(void) i;
	for (int j = 0; j < 10; j++)
		x[j] = j % 2 ? normal(random) : 5 * uniform(random);
	category[0] = below(random, 8);
	category[1] = uniform(random) < 0.02;
}

static void
two_numbers(DpemPublicRandom *random, int i, double *x, int *category)
{
	(void) category;
	x[0] = (i % 2 ? 3 : -3) + normal(random);
	x[1] = exp(i % 2 + 0.5 * normal(random));
}

/* groups of heavy-tailed counts and amounts: Pareto, log-normal, exponential with a far half, Student */
static void
pareto(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 3;

	x[0] = floor(pow(uniform(random), -1 / (1.2 + 0.5 * c)));
	x[1] = exp(c + 2 * normal(random));
	x[2] = -log(uniform(random)) * (uniform(random) < 0.1 ? 100 : 1);
	x[3] = 3 * c + normal(random) / sqrt(-log(uniform(random)));
	x[4] = floor((c + 1) * pow(uniform(random), -1 / 1.5));
	category[0] = uniform(random) < 0.8 ? c : below(random, 3);
}

/* mostly zero, the rest log-normal */
static void
spikes(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 4;

	for (int j = 0; j < 8; j++)
		x[j] = uniform(random) < 0.5 + 0.1 * ((j + c) % 5) ? 0 : exp(0.5 * j + 1.2 * normal(random));
	category[0] = uniform(random) < 0.7 ? c : below(random, 6);
}

static void
cauchy(DpemPublicRandom *random, int i, double *x, int *category)
{
	(void) category;
	for (int j = 0; j < 2; j++)
		x[j] = (i % 2 ? 5 : -5) + tan(M_PI * (uniform(random) - 0.5));
}

static void
weibull(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 5;

	for (int j = 0; j < 7; j++)
		x[j] = (1 + (c * (j + 1)) % 5) * pow(-log(uniform(random)), 2.5);
	category[0] = uniform(random) < 0.6 ? c : below(random, 5);
}

/* amounts of money with a common factor */
static void
money(DpemPublicRandom *random, int i, double *x, int *category)
{
	double		common = normal(random);

	(void) i;
	for (int j = 0; j < 4; j++)
		x[j] = exp(4 + j + 1.5 * common + normal(random));
	category[0] = common > 0.5;
	category[1] = below(random, 3);
}

/* shells: their size is behind all columns, and what these differ by grows with it */
static void
shells(DpemPublicRandom *random, int i, double *x, int *category)
{
	double		size = i % 3 == 0 ? 0.6 + 0.5 * uniform(random) : 1 + 0.3 * normal(random);

	size = fmax(size, 0.1);
	for (int j = 0; j < 8; j++)
		x[j] = pow(size, j < 3 ? 1 : 3) * (1 + j / 4 + 0.08 * normal(random));
	category[0] = i % 3 == 0 ? (uniform(random) < 0.8 ? 0 : 1) : below(random, 3);
}

/* numbers that follow each other through the year */
static void
weather(DpemPublicRandom *random, int i, double *x, int *category)
{
	double		season = 2 * M_PI * uniform(random);

	(void) i;
	x[0] = 12 - 14 * cos(season) + 5 * normal(random);
	x[1] = x[0] - 10 * uniform(random) - 4;
	x[2] = 1016 - 0.6 * x[0] + 4 * normal(random);
	x[3] = -log(uniform(random)) * 20;
	x[4] = -log(uniform(random)) * (60 + 40 * cos(season));
	category[0] = uniform(random) < 0.5 + 0.3 * sin(season) ? 0 : 1 + below(random, 3);
}

/* a balance of six months, and what was paid */
static void
balances(DpemPublicRandom *random, int i, double *x, int *category)
{
	double		limit = exp(11.5 + 0.8 * normal(random));
	double		used = uniform(random) < 0.3 ? 0.02 * uniform(random) : uniform(random);

	(void) i;
	x[0] = limit;
	for (int j = 1; j < 7; j++)
	{
		used = fmin(fmax(used + 0.05 * normal(random), 0), 1.1);
		x[j] = limit * used;
	}
	for (int j = 7; j < 10; j++)
		x[j] = x[j - 6] * (uniform(random) < 0.2 ? 1 : 0.06 * exp(0.5 * normal(random)));
	category[0] = uniform(random) < 0.1 + 0.3 * used;
	category[1] = below(random, 4);
}

/* a number that is 1 in one row of fifty, beside groups */
static void
flags(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 3;

	x[0] = uniform(random) < 0.02;
	for (int j = 1; j < 5; j++)
		x[j] = 1.5 * (c * j % 3) + normal(random);
	category[0] = uniform(random) < 0.7 ? c : 3;
}

/* amounts in the lowest thousandth of wide domains */
static void
wide(DpemPublicRandom *random, int i, double *x, int *category)
{
	int			c = i % 3;

	for (int j = 0; j < 8; j++)
		x[j] = exp(j / 3.0 + c * (j + 1) % 3 + 1.2 * normal(random));
	category[0] = uniform(random) < 0.7 ? c : 3;
}

#define SAME(a) {a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a}

static const TableSpec tables[] = {
	{"classes", 20000, 4, 3, 2, 1, 3, {-1000, -1000, 0}, {1000, 1000, 100}, {5, 2}, classes},
	{"few", 1000, 4, 3, 2, 1, 3, {-1000, -1000, 0}, {1000, 1000, 100}, {5, 2}, classes},
	{"answers", 30000, 3, 0, 10, 0, 0, {0}, {0}, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, answers},
	{"many", 30000, 5, 1, 2, 1, 0, {0}, {100}, {200, 2}, many},
	{"tails", 30000, 4, 3, 1, 1, 0, {0, 0, -500}, {100000, 1000, 500}, {4}, tails},
	{"nothing", 10000, 4, 4, 2, 1, 0, SAME(-20), SAME(20), {3, 2}, nothing},
	{"laws", 20000, 4, 4, 1, 0, 0, {0, 0, 0, 0}, {100, 1000, 500, 2}, {3}, laws},
	{"chain", 10000, 5, 12, 1, 0, 0, SAME(-10), SAME(10), {2}, chain},
	{"small_groups", 20000, 4, 3, 1, 1, 0, SAME(-20), SAME(20), {4}, small_groups},
	{"held_student", 15000, 4, 6, 1, 0, 0, SAME(-100), SAME(100), {4}, student},
	{"held_skewed", 40000, 3, 4, 2, 1, 0, {0, 0, -1000, 0}, {10000, 200, 1000, 500}, {6, 2}, skewed_groups},
	{"held_twenty", 20000, 5, 20, 1, 0, 0, SAME(-30), SAME(30), {5}, twenty},
	{"held_nothing", 5000, 3, 10, 2, 0, 0, SAME(-20), SAME(20), {8, 2}, nothing_wide},
	{"held_two", 1000, 2, 2, 0, 0, 0, {-50, 0}, {50, 200}, {0}, two_numbers},
	{"held_large", 100000, 6, 4, 1, 0, 0, {0, 0, 0, 0}, {100, 1000, 500, 2}, {3}, laws},
	{"held_larger", 100000, 4, 3, 1, 1, 0, {0, 0, -500}, {100000, 1000, 500}, {4}, tails},
	{"pareto", 50000, 3, 5, 1, 0, 0, {0, 0, 0, -1000, 0}, {1e6, 1e5, 1000, 1000, 1e5}, {3}, pareto},
	{"shells", 4000, 3, 8, 1, 0, 0, SAME(0), SAME(30), {3}, shells},
	{"shells_many", 40000, 4, 8, 1, 0, 0, SAME(0), SAME(30), {3}, shells},
	{"weather", 40000, 4, 5, 1, 0, 0, {-60, -60, 900, 0, 0}, {60, 60, 1100, 500, 2000}, {4}, weather},
	{"held_balances", 15000, 4, 10, 2, 0, 0, SAME(0), SAME(3e6), {2, 4}, balances},
	{"flags", 10000, 3, 5, 1, 1, 0, {0, -10, -10, -10, -10}, {1, 10, 10, 10, 10}, {4}, flags},
	{"wide", 10000, 3, 8, 1, 1, 0, SAME(0), SAME(100000), {4}, wide},
	{"spikes", 8000, 4, 8, 1, 1, 0, SAME(0), SAME(1000), {6}, spikes},
	{"held_cauchy", 60000, 2, 2, 0, 0, 0, SAME(-10000), SAME(10000), {0}, cauchy},
	{"held_weibull", 12000, 5, 7, 1, 1, 0, SAME(0), SAME(5000), {5}, weibull},
	{"held_money", 30000, 4, 4, 2, 0, 0, SAME(0), SAME(1e7), {2, 3}, money}
};

#endif							/* MIXTURE_TABLES_H */

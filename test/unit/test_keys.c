/*
 * test_keys.c - keys that are not public: how far a unit moves their numbers,
 * tails and thresholds, and privacy of small tables by their exact laws.
 *
 * Nothing here is random.
 */
#include <math.h>
#include <stdlib.h>

#include "core/accounting/accountant.h"
#include "core/accounting/keys.h"
#include "unit.h"

#define KEYS 3
#define SETS (1 << KEYS)

static int
size_of(int set)
{
	return __builtin_popcount((unsigned) set);
}

/* ---- sensitivity: all tables of few units, and all that one unit of m rows may have before and after ---- */

typedef struct Neighbours
{
	int			others[KEYS];	/* units of each key besides the one that changes */
	int			before;			/* sets of its keys */
	int			after;
} Neighbours;

static bool
next_others(int others[KEYS], int most)
{
	for (int k = 0; k < KEYS; k++)
	{
		if (++others[k] <= most)
			return true;
		others[k] = 0;
	}
	return false;
}

/* add_remove: one of the sets is empty */
static bool
are_neighbours(const Neighbours *n, int m, bool replace_one)
{
	return size_of(n->before) <= m && size_of(n->after) <= m && (replace_one || n->before == 0 || n->after == 0);
}

/* the change of the numbers of keys that both have, by its norm to the power p */
static double
shared_change(const Neighbours *n, int power)
{
	double		sum = 0;

	for (int k = 0; k < KEYS; k++)
	{
		int			before = n->others[k] + (n->before >> k & 1);
		int			after = n->others[k] + (n->after >> k & 1);

		if (before > 0 && after > 0)
			sum += pow(abs(before - after), power);
	}
	return sum;
}

static void
search_sensitivity(int m, bool replace_one)
{
	double		worst1 = 0;
	double		worst2 = 0;
	Neighbours	n = {{0}, 0, 0};

	do
		for (n.before = 0; n.before < SETS; n.before++)
			for (n.after = 0; n.after < SETS; n.after++)
			{
				if (!are_neighbours(&n, m, replace_one))
					continue;
				worst1 = fmax(worst1, shared_change(&n, 1));
				worst2 = fmax(worst2, sqrt(shared_change(&n, 2)));
			}
	while (next_others(n.others, 1));
	CHECK(worst1 <= dpem_keys_sensitivity(DPEM_NOISE_LAPLACE, m, replace_one), "%d rows: L1 %g", m, worst1);
	CHECK(worst2 <= dpem_keys_sensitivity(DPEM_NOISE_GAUSSIAN, m, replace_one), "%d rows: L2 %g", m, worst2);
	if ((replace_one ? 2 : 1) * m <= KEYS)
	{
		CHECK_CLOSE(worst1, dpem_keys_sensitivity(DPEM_NOISE_LAPLACE, m, replace_one), 1e-14, "L1 is attained");
		CHECK_CLOSE(worst2, dpem_keys_sensitivity(DPEM_NOISE_GAUSSIAN, m, replace_one), 1e-14, "L2 is attained");
	}
}

static void
test_sensitivity(void)
{
	for (int m = 1; m <= KEYS; m++)
	{
		search_sensitivity(m, false);
		search_sensitivity(m, true);
	}
	CHECK(isnan(dpem_keys_sensitivity(DPEM_NOISE_GAUSSIAN, 0, true)) &&
		  isnan(dpem_keys_sensitivity(DPEM_NOISE_ONE_SIDED, 1, true)), "domain");
}

/* ---- laws ---- */

/* P(Z = z), the samplers' own */
static long double
probability_of(DpemNoiseKind noise, int scale, int z)
{
	long double q = expl(-1.0L / scale);
	long double u = (abs(z) - 0.5L) / (scale * sqrtl(2));

	if (noise == DPEM_NOISE_LAPLACE)
		return (1 - q) / (1 + q) * powl(q, abs(z));
	return z == 0 ? erfl(-u) : (erfcl(u) - erfcl(u + 1 / (scale * sqrtl(2)))) / 2;
}

static long double
tail_of(DpemNoiseKind noise, int scale, int above)
{
	long double sum = 0;

	for (int z = above + 60 * scale; z >= above; z--)
		sum += probability_of(noise, scale, z);
	return sum;
}

static void
test_failure(void)
{
	for (int noise = DPEM_NOISE_GAUSSIAN; noise <= DPEM_NOISE_LAPLACE; noise++)
		for (int scale = 1; scale < 60; scale = 2 * scale + 1)
			for (int above = 1; above < 30 * scale; above += 1 + above / 3)
			{
				long double tail = tail_of(noise, scale, above);
				double		failure = dpem_keys_failure(noise, scale, above, 3);

				CHECK(failure >= 3 * tail && failure <= 3 * tail * (1 + 1e-9L) + 1e-299L,
					  "%d, scale %d: P(Z >= %d) is %Lg, not %g", noise, scale, above, tail, failure / 3);
			}
	CHECK(isnan(dpem_keys_failure(DPEM_NOISE_GAUSSIAN, 0, 1, 1)) && isnan(dpem_keys_failure(DPEM_NOISE_GAUSSIAN, 1, 0, 1)) &&
		  isnan(dpem_keys_failure(DPEM_NOISE_LAPLACE, 2 * DPEM_KEYS_SCALE_MAX, 1, 1)) &&
		  isnan(dpem_keys_failure(DPEM_NOISE_ONE_SIDED, 1, 1, 1)) && isnan(dpem_keys_failure(DPEM_NOISE_LAPLACE, 1, 1, 0)), "domain");
}

/* the least of that failure, from a thousandth of a unit to the greatest scale */
static void
test_threshold(void)
{
	static const double failures[] = {0.4, 1e-3, 1e-9, 1e-50, 1e-290};
	const int64_t one = 1 << 18;

	for (int noise = DPEM_NOISE_GAUSSIAN; noise <= DPEM_NOISE_LAPLACE; noise++)
		for (DpemUint128 scale = 1; scale <= DPEM_KEYS_SCALE_MAX; scale *= 32)
			for (int i = 0; i < (int) (sizeof(failures) / sizeof(failures[0])); i++)
			{
				int64_t		threshold = dpem_keys_threshold(noise, scale, one, 2, failures[i]);

				CHECK(threshold > one && dpem_keys_failure(noise, scale, threshold - one, 2) <= failures[i],
					  "scale 2^%g, failure %g", log2((double) scale), failures[i]);
				CHECK(threshold == one + 1 || dpem_keys_failure(noise, scale, threshold - one - 1, 2) > failures[i],
					  "scale 2^%g, failure %g: a lower one would do", log2((double) scale), failures[i]);
			}
	CHECK(dpem_keys_threshold(DPEM_NOISE_GAUSSIAN, 1, one, 1, 1e-301) == 0 && dpem_keys_threshold(DPEM_NOISE_GAUSSIAN, 1, one, 1, 0) == 0 &&
		  dpem_keys_threshold(DPEM_NOISE_GAUSSIAN, 1, one, 1, NAN) == 0 && dpem_keys_threshold(DPEM_NOISE_GAUSSIAN, 1, one, 1, 1) == 0 &&
		  dpem_keys_threshold(DPEM_NOISE_LAPLACE, 0, one, 1, 0.1) == 0 && dpem_keys_threshold(DPEM_NOISE_LAPLACE, 1, 0, 1, 0.1) == 0, "none");
}

/* ---- privacy: the divergence of what is really released, for all small neighbours ---- */

#define VALUES 24				/* a key is not released, or with one of these numbers, the last one and more being one */

/* of a key that so many units have */
static void
key_law(DpemNoiseKind noise, int scale, int64_t threshold, int units, double law[VALUES])
{
	double		rest = 1;

	for (int v = 0; v < VALUES; v++)
		law[v] = 0;
	if (units == 0)
	{
		law[0] = 1;
		return;
	}
	for (int v = 1; v < VALUES - 1; v++)
		law[v] = (double) probability_of(noise, scale, (int) threshold + v - 1 - units);
	law[VALUES - 1] = (double) tail_of(noise, scale, (int) threshold + VALUES - 2 - units);
	for (int v = 1; v < VALUES; v++)
		rest -= law[v];
	law[0] = rest;
}

/* sum over all answers of max(0, P - e^epsilon Q) */
static double
divergence(double p[KEYS][VALUES], double q[KEYS][VALUES], double epsilon)
{
	double		sum = 0;

	for (int a = 0; a < VALUES; a++)
		for (int b = 0; b < VALUES; b++)
		{
			double		pab = p[0][a] * p[1][b];
			double		qab = q[0][a] * q[1][b] * exp(epsilon);

			for (int c = 0; c < VALUES && pab > 0; c++)
				sum += fmax(pab * p[2][c] - qab * q[2][c], 0);
		}
	return sum;
}

static double
worst_divergence(DpemNoiseKind noise, int scale, int64_t threshold, int m, bool replace_one, double epsilon)
{
	double		worst = 0;
	Neighbours	n = {{0}, 0, 0};

	do
		for (n.before = 0; n.before < SETS; n.before++)
			for (n.after = 0; n.after < SETS; n.after++)
			{
				double		p[KEYS][VALUES];
				double		q[KEYS][VALUES];

				if (!are_neighbours(&n, m, replace_one))
					continue;
				for (int k = 0; k < KEYS; k++)
				{
					key_law(noise, scale, threshold, n.others[k] + (n.before >> k & 1), p[k]);
					key_law(noise, scale, threshold, n.others[k] + (n.after >> k & 1), q[k]);
				}
				worst = fmax(worst, divergence(p, q, epsilon));
			}
	while (next_others(n.others, 1));
	return worst;
}

/* delta of the noise alone at epsilon: all of it above the L1 sensitivity for Laplace noise */
static double
noise_delta(DpemNoiseKind noise, int scale, int m, bool replace_one, double epsilon)
{
	double		ratio = dpem_keys_sensitivity(noise, m, replace_one) / scale;
	double		delta = 0;

	if (noise == DPEM_NOISE_LAPLACE)
		return epsilon >= ratio ? 0 : 1;
	(void) dpem_gdp_delta(ratio, epsilon, &delta);
	return delta;
}

static void
check_privacy(DpemNoiseKind noise, int scale, int m, bool replace_one, double failure)
{
	int64_t		threshold = dpem_keys_threshold(noise, scale, 1, m, failure);
	double		pure = dpem_keys_sensitivity(DPEM_NOISE_LAPLACE, m, replace_one) / scale;

	for (int i = 0; i < 2; i++)
	{
		double		epsilon = (1 + i) * pure;
		double		claimed = noise_delta(noise, scale, m, replace_one, epsilon) + dpem_keys_failure(noise, scale, threshold - 1, m);
		double		worst = worst_divergence(noise, scale, threshold, m, replace_one, epsilon);

		CHECK(worst <= claimed * (1 + 1e-12), "%d, scale %d, %d rows, %d: %g of %g", noise, scale, m, replace_one, worst, claimed);
		/* a key of one unit alone is nearly the worst there is */
		CHECK(m > 1 || worst >= 0.9 * dpem_keys_failure(noise, scale, threshold - 1, m), "%d: %g of %g", noise, worst, claimed);
		if (noise == DPEM_NOISE_LAPLACE && m == 1)
			CHECK(worst_divergence(noise, scale, threshold - 1, m, replace_one, epsilon) > claimed, "a lower threshold is found out");
	}
}

static void
test_privacy(void)
{
	for (int noise = DPEM_NOISE_GAUSSIAN; noise <= DPEM_NOISE_LAPLACE; noise++)
		for (int replace_one = 0; replace_one < 2; replace_one++)
			for (int m = 1; m <= 2; m++)
			{
				check_privacy(noise, 3, m, replace_one, 0.05);
				check_privacy(noise, 2, m, replace_one, 0.002);
			}
}

int
main(void)
{
	test_sensitivity();
	test_failure();
	test_threshold();
	test_privacy();
	return unit_report();
}

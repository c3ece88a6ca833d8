/*
 * test_subsampling.c - Poisson samples under replace_one (docs/proofs.md, section 6).
 *
 * One release on neighbours is a pair of mixtures: the changed unit not drawn
 * (a normal law at the origin), or drawn with its old value (at u) or its new
 * one (at v), where origin, u and v are no further than 1 from each other.  Any
 * three points lie in a plane, so the search is over all pairs in the unit disc:
 * their divergences and hockey-stick divergences, by quadrature, against what is charged.
 */
#include <math.h>

#include "core/accounting/fit_cost.h"
#include "unit.h"

#define ORDERS	7
#define STEP	0.4				/* of the grid, in standard deviations */
#define TAIL	9.0

typedef struct Pair
{
	double		u[2];
	double		v[2];
} Pair;

static const double orders[ORDERS] = {1.5, 2, 2.5, 3, 5, 8, 16};

/* the laws' densities, of standard deviation z, over the one at the origin */
static void
densities(const Pair *pair, double q, double z, const double x[2], double *p, double *r)
{
	const double *at[2] = {pair->u, pair->v};
	double		value[2];

	for (int i = 0; i < 2; i++)
		value[i] = 1 - q + q * exp((at[i][0] * (x[0] - at[i][0] / 2) + at[i][1] * (x[1] - at[i][1] / 2)) / (z * z));
	*p = value[0];
	*r = value[1];
}

/* mass ((P/Q)^a - 1 - a (P/Q - 1)), from logarithms: of the mean of (P/Q)^a - 1 that, as nothing cancels in its sum */
static double
beyond_linear(double a, double loss, double mass)
{
	if (a * loss > 60)
		return exp(a * loss + mass);
	return exp(mass) * (expm1(a * loss) - a * expm1(loss));
}

/* moment[i] = E_Q[(P/Q)^orders[i]] - 1, *above = E_Q[max(P/Q - e^epsilon, 0)] */
static void
compare_laws(const Pair *pair, double q, double z, double epsilon, double moment[ORDERS], double *above)
{
	double		end = TAIL * z + orders[ORDERS - 1];
	double		h = STEP * z;
	int			n = (int) ceil(end / h);

	*above = 0;
	for (int i = 0; i < ORDERS; i++)
		moment[i] = 0;
	for (int i = -n; i <= n; i++)
		for (int j = -n; j <= n; j++)
		{
			double		x[2] = {i * h, j * h};
			double		mass = log(STEP * STEP / (2 * M_PI)) - (x[0] * x[0] + x[1] * x[1]) / (2 * z * z);
			double		p,
						r;

			densities(pair, q, z, x, &p, &r);
			*above += exp(mass) * fmax(p - exp(epsilon) * r, 0);
			for (int o = 0; o < ORDERS; o++)
				moment[o] += beyond_linear(orders[o], log(p / r), mass + log(r));
		}
}

static double
at_order(const double curve[DPEM_RDP_ORDERS], double order)
{
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		if (dpem_rdp_orders[i] == order)
			return curve[i];
	return NAN;
}

/* greatest share of what is claimed that a pair reaches, over the orders */
static double
reach(DpemSampling sampling, const Pair *pair, double q, double z)
{
	const double delta = 1e-6;
	DpemCostLine line = {DPEM_COST_GAUSSIAN, z, 1, sampling, q};
	double		curve[DPEM_RDP_ORDERS];
	double		moment[ORDERS];
	double		worst;
	double		epsilon;
	double		above;

	CHECK(dpem_cost_curve(&line, curve) == DPEM_OK, "curve");
	CHECK(dpem_cost_epsilon(&line, 1, DPEM_COMPOSE_RDP, delta, 0, &epsilon) == DPEM_OK, "epsilon");
	compare_laws(pair, q, z, epsilon, moment, &above);
	worst = above / delta;
	for (int o = 0; o < ORDERS; o++)
		worst = fmax(worst, log1p(moment[o]) / ((orders[o] - 1) * at_order(curve, orders[o])));
	return worst;
}

/* the quadrature itself, on the pair whose divergence is known: a unit that is there or not */
static void
test_quadrature(void)
{
	const Pair	present = {{1, 0}, {0, 0}};
	double		moment[ORDERS];
	double		above;
	double		rdp;

	for (double z = 0.6; z < 4; z *= 2)
	{
		compare_laws(&present, 0.05, z, 1, moment, &above);
		for (int o = 0; o < ORDERS; o++)
		{
			(void) dpem_rdp_poisson_gaussian(0.05, z, orders[o], &rdp);
			CHECK_CLOSE(log1p(moment[o]) / (orders[o] - 1), rdp, 1e-6, "z %g, order %g", z, orders[o]);
		}
	}
}

static double
random_unit(void)
{
	static uint64_t state = 20;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ldexp((double) (state >> 11), -53);
}

static double
distance(const double *a, const double *b)
{
	return hypot(a[0] - b[0], a[1] - b[1]);
}

/* two points of the disc, as far from each other and from the origin as the sensitivity allows */
static Pair
random_pair(void)
{
	static const double origin[2] = {0, 0};
	Pair		pair;
	double		far;

	for (int i = 0; i < 2; i++)
	{
		pair.u[i] = 2 * random_unit() - 1;
		pair.v[i] = 2 * random_unit() - 1;
	}
	far = fmax(distance(pair.u, pair.v), fmax(distance(pair.u, origin), distance(pair.v, origin)));
	for (int i = 0; i < 2; i++)
	{
		pair.u[i] /= far;
		pair.v[i] /= far;
	}
	return pair;
}

/* opposite sides of the origin, one of the two nothing, at right angles, all equally far */
static const Pair corners[] = {
	{{0.5, 0}, {-0.5, 0}}, {{1, 0}, {0, 0}}, {{0, 0}, {1, 0}}, {{M_SQRT1_2, 0}, {0, M_SQRT1_2}},
	{{1, 0}, {0.5, 0.86602540378443865}}, {{1, 0}, {0.5, 0}}, {{0.5, 0}, {1, 0}}
};

#define CORNERS	(int) (sizeof(corners) / sizeof(corners[0]))

static void
test_replace_one(void)
{
	double		most = 0;
	double		least = INFINITY;

	for (double q = 0.002; q < 1; q *= 6)
		for (double z = 0.6; z < 4; z *= 2)
		{
			double		here = 0;

			for (int t = 0; t < CORNERS + 12; t++)
			{
				Pair		pair = t < CORNERS ? corners[t] : random_pair();
				double		share = reach(DPEM_SAMPLING_POISSON_REPLACE, &pair, q, z);

				CHECK(share <= 1 + 1e-9, "q %g, z %g: (%g, %g) and (%g, %g) reach %g of the claim", q, z,
					  pair.u[0], pair.u[1], pair.v[0], pair.v[1], share);
				here = fmax(here, share);
			}
			most = fmax(most, here);
			least = fmin(least, here);
		}
	CHECK(most > 0.5, "the search comes near: %g", most);
	printf("# of the claim, the worst pairs reach %.2f to %.2f\n", least, most);
}

/* the search would find a curve that is too low: that of units that are there or not is none for units that change */
static void
test_other_adjacency(void)
{
	CHECK(reach(DPEM_SAMPLING_POISSON, &corners[4], 0.05, 1) > 1.1, "equally far: %g",
		  reach(DPEM_SAMPLING_POISSON, &corners[4], 0.05, 1));
}

int
main(void)
{
	test_quadrature();
	test_replace_one();
	test_other_adjacency();
	return unit_report();
}

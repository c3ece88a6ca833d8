/*
 * test_direction_net.c - nets of directions are within the limits of the
 * exponential mechanism, fine enough, and orthogonal to what was chosen.
 */
#include "core/accounting/choice.h"
#include "core/factors/direction_net.h"
#include "core/factors/pca.h"
#include "kernel_fixture.h"

/* documented angles to the nearest direction, in degrees */
static const double most_degrees[] = {0, 0, 0.04, 0.45, 3.2, 9.5};

static double
nearest(int d, const int32_t *net, size_t n, const double *x)
{
	double		best = 0;

	for (size_t i = 0; i < n; i++)
	{
		double		dot = 0;
		double		norm2 = 0;

		for (int j = 0; j < d; j++)
		{
			dot += net[i * d + j] * x[j];
			norm2 += (double) net[i * d + j] * net[i * d + j];
		}
		best = fmax(best, fabs(dot) / sqrt(norm2));
	}
	return acos(fmin(best, 1)) * 180 / M_PI;
}

static void
random_unit(Rng *rng, int taken, int d, double *basis)
{
	for (int j = 0; j < d; j++)
		basis[taken * d + j] = rng_normal(rng);
	dpem_pca_orthonormalize(taken + 1, d, basis);
}

static void
check_net(Rng *rng, int d, int taken)
{
	size_t		n = dpem_direction_net_size(d - taken);
	int32_t    *net = calloc(n * d, sizeof(int32_t));
	double		basis[DPEM_NET_MAX_DIMENSIONS * DPEM_NET_MAX_DIMENSIONS];
	double		copy[DPEM_NET_MAX_DIMENSIONS * DPEM_NET_MAX_DIMENSIONS];
	double		across = 0;
	double		worst = 0;
	double		least = INFINITY;

	for (int i = 0; i < taken; i++)
		random_unit(rng, i, d, basis);
	memcpy(copy, basis, sizeof(basis));
	dpem_direction_net(d, taken, basis, net);
	CHECK(n >= 1 && n <= DPEM_CHOICE_MAX, "d %d: %zu directions", d, n);
	CHECK(dpem_directions_norm2(net, n, d) <= DPEM_DIRECTION_NORM2_MAX, "d %d taken %d: too long", d, taken);
	for (size_t i = 0; i < n; i++)
	{
		double		norm2 = 0;

		for (int j = 0; j < d; j++)
			norm2 += (double) net[i * d + j] * net[i * d + j];
		least = fmin(least, sqrt(norm2));
		for (int k = 0; k < taken; k++)
		{
			double		dot = 0;

			for (int j = 0; j < d; j++)
				dot += net[i * d + j] * copy[k * d + j];
			across = fmax(across, fabs(dot) / sqrt(norm2));
		}
	}
	CHECK(least >= 65530, "d %d taken %d: a length of %g", d, taken, least);
	CHECK(across <= 3e-5, "d %d taken %d: %g off the complement", d, taken, across);
	for (int test = 0; test < 100; test++)
	{
		memcpy(basis, copy, sizeof(basis));
		random_unit(rng, taken, d, basis);
		worst = fmax(worst, nearest(d, net, n, basis + taken * d));
	}
	CHECK(worst <= most_degrees[d - taken] + 0.002, "d %d taken %d: nearest direction %g degrees away", d, taken, worst);
	free(net);
}

/* the calibration of a choice is the inverse of its cost */
static void
test_epsilon(void)
{
	for (double mu = 1e-6; mu < 20; mu *= 3)
	{
		double		epsilon = dpem_choice_epsilon(mu);

		CHECK(dpem_choice_mu2(epsilon) <= mu * mu, "mu %g costs more", mu);
		CHECK(dpem_choice_mu2(epsilon * (1 + 1e-9)) > mu * mu, "mu %g would buy more than %g", mu, epsilon);
	}
	CHECK(isnan(dpem_choice_epsilon(0)) && isnan(dpem_choice_epsilon(-1)) && isnan(dpem_choice_epsilon(NAN)) &&
		  isnan(dpem_choice_epsilon(INFINITY)), "no mu");
}

int
main(void)
{
	Rng			rng = {65536};

	for (int d = 1; d <= DPEM_NET_MAX_DIMENSIONS; d++)
		for (int taken = 0; taken < d; taken++)
			check_net(&rng, d, taken);
	test_epsilon();
	return unit_report();
}

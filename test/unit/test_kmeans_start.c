/*
 * test_kmeans_start.c - where private k-means starts, the domain its centers
 * stay in, and its rules.
 */
#include <stdlib.h>
#include <string.h>

#include "core/accounting/sensitivity.h"
#include "core/kmeans/kmeans_estimate.h"
#include "kernel_fixture.h"

static void
test_clamp(void)
{
	double		center[6] = {3, -0.2, 0.1, -7, 0.9, 0.9};

	dpem_kmeans_clamp(3, 2, 0.5, center);
	CHECK(center[0] == 0.5 && center[1] == -0.2 && center[2] == 0.1 && center[3] == -0.5, "the box");
	center[4] = center[5] = 0.9;
	dpem_kmeans_clamp(3, 2, 2, center);
	CHECK_CLOSE(hypot(center[4], center[5]), 1, 1e-15, "the ball");
	center[0] = INFINITY;
	center[1] = 1e308;
	dpem_kmeans_clamp(1, 2, INFINITY, center);
	CHECK_CLOSE(center[0], sqrt(0.5), 1e-15, "from beyond the range of double");
}

/* the start: in the domain, well apart, the same each time, and for any size in no time */
static void
test_start(int k, int d, double half_width, double least_distance)
{
	double	   *center = numbers((size_t) k * d);
	double	   *again = numbers((size_t) k * d);
	double	   *memory = numbers(dpem_kmeans_start_work(k, d));
	DpemWorkspace work = {memory, memory + dpem_kmeans_start_work(k, d)};
	double		nearest = INFINITY;
	bool		inside = true;

	dpem_kmeans_start(k, d, half_width, center, work);
	dpem_kmeans_start(k, d, half_width, again, work);
	CHECK(memcmp(center, again, (size_t) k * d * sizeof(double)) == 0, "K=%d d=%d twice", k, d);
	for (int c = 0; c < k; c++)
	{
		double		square = 0;

		for (int j = 0; j < d; j++)
		{
			square += center[(size_t) c * d + j] * center[(size_t) c * d + j];
			inside = inside && fabs(center[(size_t) c * d + j]) <= half_width;
		}
		inside = inside && square <= 1 + 1e-12;
		for (int b = 0; b < c; b++)
		{
			double		distance = 0;

			for (int j = 0; j < d; j++)
				distance += pow(center[(size_t) c * d + j] - center[(size_t) b * d + j], 2);
			nearest = fmin(nearest, sqrt(distance));
		}
	}
	CHECK(inside, "K=%d d=%d: outside", k, d);
	CHECK(nearest >= least_distance, "K=%d d=%d: %g apart", k, d, nearest);
	free(memory);
	free(again);
	free(center);
}

/* the weights are those of the least noise in a center of norm 1/2, for a given sensitivity */
static void
test_weights(int d, bool replace_one)
{
	double		a;
	double		b;
	double		chosen;
	double		best = INFINITY;

	dpem_kmeans_weights(d, replace_one, &a, &b);
	chosen = dpem_joint_sensitivity2(5, a, b, 0, replace_one) * (d / (b * b) + 0.25 / (a * a));
	for (double t = 0.02; t < 5; t *= 1.01)
		best = fmin(best, dpem_joint_sensitivity2(5, t, 1, 0, replace_one) * (d + 0.25 / (t * t)));
	CHECK(chosen <= best * 1.001, "d=%d %d: %g, and %g can be had", d, replace_one, chosen, best);
}

static void
test_iterations(void)
{
	int			last = 0;

	for (double rows = 1; rows < 1e12; rows *= 3)
	{
		int			passes = dpem_kmeans_iterations(5, 2, rows, 10);

		CHECK(passes >= 2 && passes <= 10 && passes >= last, "%d passes over %g rows", passes, rows);
		last = passes;
	}
	CHECK(last == 10 && dpem_kmeans_iterations(5, 2, 1e4, 0) == 10, "no noise");
	CHECK(dpem_kmeans_iterations(5, 2, 0, 10) == 5 && dpem_kmeans_iterations(5, 2, NAN, 10) == 5, "rows not public");
	CHECK(dpem_kmeans_iterations(5, 2, 1e4, INFINITY) == 2, "nothing but noise");
}

static void
test_units(void)
{
	double		lower[2] = {-90, 100};
	double		upper[2] = {90, 300};
	DpemFeatureMap map = {.d = 2,.radius = 2,.lower = lower,.upper = upper};
	double		x[4] = {45, 150, -90, 300};
	double		center[4];
	double		noise[4] = {0.1, 0.1, 0, 1};
	DpemKmeans	fit = {2, 2, center, noise, NULL, NULL};

	dpem_kmeans_from_columns(&map, 2, x, center);
	CHECK(center[0] == 0.25 && center[1] == -0.25 && center[2] == -0.5 && center[3] == 0.5, "in the ball");
	dpem_kmeans_to_columns(&map, &fit);
	CHECK(memcmp(center, x, sizeof(x)) == 0, "and back");
	CHECK_CLOSE(noise[0], 18, 1e-12, "noise");
	CHECK_CLOSE(noise[1], 20, 1e-12, "noise");
	center[0] = 0.6;
	dpem_kmeans_to_columns(&map, &fit);
	CHECK(center[0] == 90, "not beyond the domain");
}

/* starts: evenly over an even law, by shares over others, never in a bin that has none */
static void
test_place(void)
{
	double		even[4] = {0.25, 0.25, 0.25, 0.25};
	double		one[4] = {0, 0, 1, 0};
	double		two[4] = {0.5, 0, 0, 0.5};
	double		rare[4] = {0.9, 0, 0, 0.1};

	for (double u = -1; u <= 1; u += 0.125)
	{
		double		x = dpem_lloyd_place(4, two, u);

		CHECK_CLOSE(dpem_lloyd_place(4, even, u), u, 1e-15, "an even law");
		CHECK_CLOSE(dpem_lloyd_place(4, one, u), 0.25 + u / 4, 1e-15, "a single bin");
		CHECK(x <= -0.5 || x >= 0.5, "%g is where nothing is", x);
	}
	CHECK(dpem_lloyd_place(4, rare, 0.5) < -0.5 && dpem_lloyd_place(4, rare, 0.75) > 0.5, "rare ones get more than their share");
	CHECK(dpem_lloyd_starts_anywhere(0.3, 2) && !dpem_lloyd_starts_anywhere(0.2, 2), "anywhere");
}

/* what is spent on finding the rows, and how large balls may be */
static void
test_located(void)
{
	CHECK(dpem_lloyd_margins_share(0) == 0.1 && dpem_lloyd_margins_share(0.02) == 0.1, "little noise");
	CHECK_CLOSE(dpem_lloyd_margins_share(0.03), 0.225, 1e-12, "more for more noise");
	CHECK(dpem_lloyd_margins_share(1) == 0.3, "at most");
	CHECK(dpem_lloyd_ball_noise(1, 3, 1000, 0) == 0 && dpem_lloyd_norms_noise(1000, 0) == 0, "no noise");
	CHECK_CLOSE(dpem_lloyd_ball_noise(1, 3, 1000, 20) / 1000, 3 * pow(20.0 / 1000, 2), 1e-12, "squared noise in a mean");
	CHECK_CLOSE(dpem_lloyd_ball_noise(5, 3, 1000, 20), 0.2 * 25 * dpem_lloyd_ball_noise(1, 3, 1000, 20), 1e-9, "... in a center");
	CHECK(dpem_kmeans_iterations(1, 5, 1000, 1) == 1, "a mean needs one pass");
}

int
main(void)
{
	test_clamp();
	test_place();
	test_located();
	test_start(1, 2, 1 / sqrt(2), 0);
	test_start(5, 2, 1 / sqrt(2), 0.4);
	test_start(15, 2, 1 / sqrt(2), 0.2);
	test_start(3, 10, 1 / sqrt(10), 0.3);
	test_start(4, 2, 1, 0.5);
	test_start(1000, 10, 1 / sqrt(10), 0);
	test_start(1000, 300, 2, 0);
	test_start(5, 3, 1e300, 0.4);
	for (int d = 1; d <= 64; d *= 2)
	{
		test_weights(d, true);
		test_weights(d, false);
	}
	test_iterations();
	test_units();
	return unit_report();
}

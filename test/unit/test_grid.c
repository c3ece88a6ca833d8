/*
 * test_grid.c - sizes of grids, thresholds, two levels, and k-means of what
 * is left.  Random numbers are seeded: the outcome is the same on every run.
 */
#include "core/kmeans/grid.h"
#include "core/kmeans/seeded_kmeans.h"
#include "kernel_fixture.h"

static void
test_sizes(void)
{
	/* M = (0.1 N epsilon)^(2d/(d+2)) for Laplace noise: S1 at epsilon 1 has 500 cells */
	CHECK(dpem_grid_parts(&dpem_grid_published, 2, 3, 5000, sqrt(2)) == 22, "as published, two axes");
	CHECK(dpem_grid_parts(&dpem_grid_published, 4, 3, 1e4, sqrt(2)) == 10, "four axes");
	CHECK(dpem_grid_parts(&dpem_grid_published, 1, 3, 1e6, sqrt(2)) == (int) rint(pow(1e5, 2.0 / 3)), "one axis");
	CHECK(dpem_grid_parts(&dpem_grid_thresholded, 2, 2, -300, 10) == 4, "no rows: eight cells for a cluster");
	CHECK(dpem_grid_parts(&dpem_grid_thresholded, 2, 2, NAN, 10) == 4, "no number of rows");
	CHECK(dpem_grid_parts(&dpem_grid_thresholded, 2, 2, 1e12, 1) == 64, "no finer than is useful");
	CHECK(dpem_grid_parts(&dpem_grid_thresholded, 2, 2, 1000, 0) == 64, "without noise");
	CHECK(dpem_grid_parts(&dpem_grid_thresholded, 2, 1000, 1000, 10) == 90, "many clusters");
	CHECK(dpem_grid_parts(&dpem_grid_published, 2, 3, -300, 10) == 1, "as published, no rows");
	CHECK(dpem_grid_parts_of(2, 100) == 10 && dpem_grid_parts_of(2, 99) == 9 && dpem_grid_parts_of(3, 1000) == 10 &&
		  dpem_grid_parts_of(4, 16) == 2 && dpem_grid_parts_of(2, 1) == 1, "cells asked for");
	CHECK(dpem_grid_parts_of(1, 1e9) == DPEM_CELLS_MAX && dpem_grid_parts_of(2, 1e9) == 1024, "as many as there may be");
}

/* n cells of noise alone, of which `full` hold `rows` each; Laplace or Gaussian of deviation sd */
static double *
noisy_counts(Rng *rng, int n, int full, double rows, DpemNoiseKind noise, double sd)
{
	double	   *count = numbers(n);

	for (int i = 0; i < n; i++)
	{
		double		u = rng_uniform(rng, -0.5, 0.5);
		double		laplace = -copysign(M_SQRT1_2 * log(1 - 2 * fabs(u)), u);

		count[i] = (i < full ? rows : 0) + sd * (noise == DPEM_NOISE_LAPLACE ? laplace : rng_normal(rng));
	}
	return count;
}

static double
sum_above(const double *count, int from, int to, double threshold, int *n)
{
	double		sum = 0;

	*n = 0;
	for (int i = from; i < to; i++)
	{
		if (count[i] > threshold)
		{
			sum += count[i];
			(*n)++;
		}
	}
	return sum;
}

static void
test_threshold(void)
{
	Rng			rng = {1};
	int			n;

	for (int kind = 0; kind < 2; kind++)
	{
		DpemNoiseKind noise = kind ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
		double	   *count = noisy_counts(&rng, 4096, 100, 500, noise, 10);
		double		t = dpem_grid_threshold(count, 4096, noise, 10, 10);
		double		from_noise = sum_above(count, 100, 4096, t, &n);
		double		all = sum_above(count, 0, 4096, t, &n);

		CHECK(t > 10 && t < 80, "kind %d: threshold %g", kind, t);
		CHECK(from_noise < 0.03 * all, "kind %d: %g of %g is noise", kind, from_noise, all);
		(void) sum_above(count, 0, 100, t, &n);
		CHECK(n == 100, "kind %d: %d of 100 cells with rows are left", kind, n);
		free(count);

		/* nothing but noise: still as many cells as were asked for */
		count = noisy_counts(&rng, 400, 0, 0, noise, 10);
		t = dpem_grid_threshold(count, 400, noise, 10, 30);
		(void) sum_above(count, 0, 400, t, &n);
		CHECK(n >= 30 && n < 60, "kind %d: %d cells of noise", kind, n);
		CHECK(dpem_grid_threshold(count, 400, noise, 0, 30) == 0, "no noise, no threshold");
		CHECK(dpem_grid_threshold(count, 400, noise, 10, 399) == 0, "more than are positive");
		free(count);
	}
}

static void
test_keep(void)
{
	double		count[5] = {3, -1, 7, 2, 9};
	double		point[10] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4};

	CHECK(dpem_grid_keep(count, point, 5, 2, 2) == 3, "three above 2");
	CHECK(count[0] == 3 && count[1] == 7 && count[2] == 9, "their counts");
	CHECK(point[1] == 0 && point[2] == 2 && point[5] == 4, "their points");
	CHECK(dpem_grid_keep(count, point, 3, 2, 100) == 0, "none");
}

static void
test_two_levels(void)
{
	double		coarse[3] = {100, 5, 10000};
	double		parts[3];
	double		count[1 + 9 + 4];
	double		chosen[3] = {1, 3, 2};
	static double many[DPEM_CELLS_MAX / 4];
	static double many_parts[DPEM_CELLS_MAX / 4];
	double		total = 0;

	dpem_grid_refine(coarse, 3, 2, 20, 10, parts);
	CHECK(parts[0] == rint(sqrt(0.3 * 10)) && parts[1] == 1 && parts[2] == 8, "parts %g %g %g", parts[0], parts[1], parts[2]);
	for (int i = 0; i < DPEM_CELLS_MAX / 4; i++)
		many[i] = 1e6;
	dpem_grid_refine(many, DPEM_CELLS_MAX / 4, 2, 0, 1, many_parts);
	for (int i = 0; i < DPEM_CELLS_MAX / 4; i++)
		total += many_parts[i] * many_parts[i];
	CHECK(total <= DPEM_CELLS_MAX && total >= DPEM_CELLS_MAX / 4, "%g cells in all", total);

	for (int i = 0; i < 14; i++)
		count[i] = 10;
	coarse[1] = 120;
	coarse[2] = 40;
	dpem_grid_reconcile(coarse, 3, 5, chosen, 2, count, 5);
	CHECK_CLOSE(count[0], 55, 1e-12, "one part: the mean of two equally good counts");
	CHECK_CLOSE(9 * count[5], 90 + 0.9 * 30, 1e-12, "nine parts: their sum has nine times the variance");
	CHECK_CLOSE(count[10], 10, 1e-12, "levels that agree");
	dpem_grid_reconcile(coarse, 3, 5, chosen, 2, count, 0);
	CHECK_CLOSE(count[0], 55, 1e-12, "exact counts stay");
}

/* ---- k-means of weighted points ---- */

#define SIDE 30

/* rows of three round clusters of different sizes on a grid of cells */
static void
three_clusters(double *point, double *weight)
{
	static const double middle[3][2] = {{-0.6, -0.5}, {0.5, -0.4}, {0.1, 0.6}};

	for (int i = 0; i < SIDE * SIDE; i++)
	{
		point[2 * i] = (i / SIDE + 0.5) * 2 / SIDE - 1;
		point[2 * i + 1] = (i % SIDE + 0.5) * 2 / SIDE - 1;
		weight[i] = 1e-9;
		for (int c = 0; c < 3; c++)
		{
			double		dx = point[2 * i] - middle[c][0];
			double		dy = point[2 * i + 1] - middle[c][1];

			weight[i] += (c + 1) * exp(-(dx * dx + dy * dy) / (2 * 0.1 * 0.1));
		}
	}
}

static bool
has_center(const double *center, double x, double y)
{
	for (int c = 0; c < 3; c++)
	{
		if (hypot(center[2 * c] - x, center[2 * c + 1] - y) < 0.02)
			return true;
	}
	return false;
}

static void
test_seeded_kmeans(void)
{
	double		point[2 * SIDE * SIDE];
	double		weight[SIDE * SIDE];
	DpemPoints	points = {SIDE * SIDE, 2, point, weight};
	size_t		work_length = dpem_seeded_kmeans_work(points.n, 3, 2);
	double	   *memory = numbers(work_length);
	DpemWorkspace work = {memory, memory + work_length};
	DpemPublicRandom random = {7};
	double		center[6];
	double		share[3];
	double		share_noise[3];
	double		center_noise[6];
	double		spread[3];
	double		blur[2] = {0, 0};
	double		cell[2] = {1.0 / (12 * 225), 1.0 / (12 * 225)};
	int			good = 0;

	three_clusters(point, weight);
	for (int trial = 0; trial < 20; trial++)
	{
		double		squares = dpem_seeded_kmeans(&points, 3, &random, center, work);
		double		again = 0;

		for (size_t i = 0; i < points.n; i++)
		{
			double		distance;

			(void) dpem_nearest_center(3, 2, center, point + 2 * i, &distance);
			again += weight[i] * distance;
		}
		CHECK_CLOSE(squares, again, 1e-6, "the sum of squares of trial %d", trial);
		good += has_center(center, -0.6, -0.5) && has_center(center, 0.5, -0.4) && has_center(center, 0.1, 0.6);
	}
	CHECK(good >= 19, "%d of 20 trials found the clusters", good);
	dpem_seeded_kmeans_spread(&points, 3, center, &(DpemBlur) {.levels = 1,.variance = cell}, spread, work);
	for (int c = 0; c < 3; c++)
		CHECK_CLOSE(spread[c], sqrt(2 * 0.01 + 2.0 / (12 * 225)), 0.05, "spread of cluster %d", c);
	dpem_seeded_kmeans_shares(&points, 3, center, 0.5, &(DpemBlur) {.levels = 1,.variance = blur}, share, share_noise, center_noise);
	CHECK_CLOSE(share[0] + share[1] + share[2], 1, 1e-12, "shares");
	CHECK(dpem_seeded_kmeans_trials(10, 2, 2) == 20 && dpem_seeded_kmeans_trials(1 << 20, 100, 2) == 1, "trials");
	free(memory);
}

/* the deviations that are told are those of repeated noise */
static void
test_noise(void)
{
	double		point[8] = {-1, -1, -1, -0.8, 1, 0.9, 1, 1.1};
	double		weight[4] = {100, 200, 400, 300};
	double		center[4] = {-1, -0.866666666666666667, 1, 0.985714285714285714};
	DpemPoints	points = {4, 2, point, weight};
	double		share[2];
	double		share_noise[2];
	double		center_noise[4];
	double		blur[2] = {0, 0};
	double		square = 0;
	double		share_square = 0;
	Rng			rng = {3};

	dpem_seeded_kmeans_shares(&points, 2, center, 5, &(DpemBlur) {.levels = 1,.variance = blur}, share, share_noise, center_noise);
	CHECK_CLOSE(share[0], 0.3, 1e-12, "share");
	for (int i = 0; i < 20000; i++)
	{
		double		w[4];
		double		y;

		for (int j = 0; j < 4; j++)
			w[j] = weight[j] + 5 * rng_normal(&rng);
		y = (w[0] * -1 + w[1] * -0.8) / (w[0] + w[1]);
		square += pow(y - center[1], 2);
		share_square += pow((w[0] + w[1]) / (w[0] + w[1] + w[2] + w[3]) - 0.3, 2);
	}
	CHECK_CLOSE(center_noise[1], sqrt(square / 20000), 0.03, "noise in a center");
	CHECK_CLOSE(share_noise[0], sqrt(share_square / 20000), 0.03, "noise in a share");
	CHECK(center_noise[0] == 0, "a coordinate in which the points agree");
	blur[0] = 0.03;
	dpem_seeded_kmeans_shares(&points, 2, center, 5, &(DpemBlur) {.levels = 1,.variance = blur}, share, share_noise, center_noise);
	CHECK_CLOSE(center_noise[0], sqrt(0.03 * (1e4 + 4e4)) / 300, 1e-12, "where in their cells the rows are is not known");
}

/* how often the largest of noise alone, or their number, is said to be of rows: once in a hundred times */
static void
test_surprise(void)
{
	enum
	{
		CELLS = 1000, RUNS = 2000
	};
	Rng			rng = {11};

	for (int kind = 0; kind < 2; kind++)
	{
		DpemNoiseKind noise = kind ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
		double		surprise = dpem_grid_surprise(noise, CELLS, 0.01);
		int			largest = 0;
		int			many = 0;

		CHECK_CLOSE(surprise, kind ? log(CELLS / 0.02) * M_SQRT1_2 : 4.26489, 1e-5, "kind %d: %g deviations", kind, surprise);
		for (int run = 0; run < RUNS; run++)
		{
			double	   *count = noisy_counts(&rng, CELLS, 0, 0, noise, 10);
			int			n;
			int			above;

			(void) sum_above(count, 0, CELLS, 10 * surprise, &n);
			(void) sum_above(count, 0, CELLS, 25, &above);
			largest += n > 0 ? 1 : 0;
			many += dpem_grid_surprising(noise, CELLS, 2.5, above, 0.01) ? 1 : 0;
			free(count);
		}
		/* 20 expected, if not fewer; more than 50 with a probability below 1e-7 */
		CHECK(largest <= 50 && many <= 50, "kind %d: %d and %d of %d", kind, largest, many, RUNS);
	}
	CHECK(dpem_grid_surprising(DPEM_NOISE_GAUSSIAN, 1000, 3, 12, 0.01), "1.3 expected above three deviations, 12 there");
	CHECK(!dpem_grid_surprising(DPEM_NOISE_GAUSSIAN, 1000, 3, 3, 0.01), "three are no surprise");
	CHECK(dpem_grid_surprising(DPEM_NOISE_GAUSSIAN, 1e6, 100, 1, 0.01), "one where none can be");
}

/* two clusters with rows, and far away a cell that noise made: it costs k-means a center, and is done without */
static void
test_phantom(void)
{
	double		point[8] = {-0.5, -0.5, -0.4, -0.5, -0.5, 0.5, 0.9, 0.9};
	double		weight[4] = {3000, 2500, 4000, 70};
	double		center[6] = {-0.45, -0.5, -0.5, 0.5, 0.9, 0.9};
	double		memory[3];
	DpemPoints	points = {4, 2, point, weight};
	DpemWorkspace work = {memory, memory + 3};
	DpemClusterWeights weights[3];
	DpemPublicRandom random = {5};
	double		blur[2] = {0.0003, 0.0003};
	bool		supported[3] = {true, true, false};
	bool		drop[3];

	dpem_seeded_kmeans_weights(&points, 3, center, 2600, weights);
	CHECK(weights[0].points == 2 && weights[0].above == 1 && weights[0].largest == 3000 && weights[0].sum == 5500,
		  "the first: %g points, %g above, %g, %g", weights[0].points, weights[0].above, weights[0].largest, weights[0].sum);
	CHECK(dpem_seeded_kmeans_drop(&points, 3, center, supported, 0.05, drop, work) == 1 && drop[2] && !drop[0] && !drop[1],
		  "what noise may have made is dropped");
	CHECK(dpem_seeded_kmeans_drop(&points, 3, center, supported, 0.005, drop, work) == 0, "but not more than may be");
	supported[0] = false;
	CHECK(dpem_seeded_kmeans_drop(&points, 3, center, supported, 0.05, drop, work) == 1 && !drop[0], "no heavy one");

	/* what is left has no cells for the third: it goes beside the heaviest */
	points.n = 3;
	center[4] = center[2];
	center[5] = center[3];
	dpem_seeded_kmeans_split(&points, 3, &(DpemBlur) {.levels = 1,.variance = blur}, &random, center, work);
	CHECK(fabs(center[4] - center[0]) <= 0.03 + 1e-12 && fabs(center[5] - center[1]) <= 0.03 + 1e-12 &&
		  (center[4] != center[0] || center[5] != center[1]), "at (%g, %g), within the cell", center[4], center[5]);
}

/* fewer points than clusters, and all in one place */
static void
test_few_points(void)
{
	double		point[4] = {0.5, 0.5, 0.5, 0.5};
	double		weight[2] = {1, 2};
	DpemPoints	points = {2, 2, point, weight};
	double		memory[64];
	double		center[10];
	double		spread[5];
	DpemPublicRandom random = {1};
	DpemWorkspace work = {memory, memory + 64};

	CHECK(dpem_seeded_kmeans(&points, 5, &random, center, work) == 0, "no distance left");
	for (int i = 0; i < 10; i++)
		CHECK(center[i] == 0.5, "center %d is %g", i, center[i]);
	dpem_seeded_kmeans_spread(&points, 5, center, &(DpemBlur) {.levels = 1,.variance = (double[2]) {0.006, 0.004}}, spread, work);
	CHECK(spread[0] == 0.1 && isinf(spread[4]), "spreads %g and %g", spread[0], spread[4]);
}

int
main(void)
{
	test_sizes();
	test_threshold();
	test_keep();
	test_two_levels();
	test_seeded_kmeans();
	test_noise();
	test_surprise();
	test_phantom();
	test_few_points();
	return unit_report();
}

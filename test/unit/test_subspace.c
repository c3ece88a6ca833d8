/*
 * test_subspace.c - k-means from a start in a subspace: its rules keep their
 * promises wherever they are asked, and spare centers become the clusters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/kmeans/subspace.h"
#include "kmeans_fixture.h"
#include "unit.h"

static void
test_axes(void)
{
	CHECK(dpem_subspace_axes(16, 100, 20000, 1) == 6 && dpem_subspace_axes(17, 100, 20000, 1) == 7, "directions for 16 clusters, and for 17");
	CHECK(dpem_subspace_axes(1, 100, 20000, 1) == 2 && dpem_subspace_axes(16, 3, 20000, 1) == 3, "never more than coordinates");
	CHECK(dpem_subspace_axes(1000, 1000, 0, 0) == DPEM_CELLS_MAX_AXES, "nor than a grid can have");
	CHECK(dpem_subspace_nearer(2, 0.1) && !dpem_subspace_nearer(2, 1.5), "a look from nearer where rows are near");
	CHECK(dpem_subspace_blind(0.6) && !dpem_subspace_blind(0.1), "a center of noise alone is nowhere to look about");
	CHECK(dpem_subspace_narrow(0.5) && !dpem_subspace_narrow(5), "how far rows are from their middle is seen, or noise");
	CHECK(dpem_subspace_hides(0.3, 0.2) && !dpem_subspace_hides(0.01, 0.2), "a middle that is known worse than rows are near it");
	CHECK(dpem_lloyd_hides(4, 500, 50) && !dpem_lloyd_hides(4, 50000, 50), "clusters of few rows in much noise are not looked for");
	CHECK(dpem_subspace_axes(16, 100, 20000, 600) == 2 && dpem_subspace_axes(16, 100, -5, 600) == 2, "few where all is noise");
}

/* as wide as each other, about as many as asked for, never too many */
static void
test_parts(void)
{
	DpemPublicRandom random = {3};
	int			too_many = 0;
	int			off = 0;
	int			uneven = 0;

	for (int test = 0; test < 2000; test++)
	{
		int			axes = 1 + (int) (dpem_public_uniform(&random) * DPEM_CELLS_MAX_AXES);
		double		cells = exp(dpem_public_uniform(&random) * log(DPEM_CELLS_MAX));
		double		half[DPEM_CELLS_MAX_AXES];
		int			parts[DPEM_CELLS_MAX_AXES];
		double		total = 1;
		double		narrowest = INFINITY;
		double		widest = 0;

		for (int a = 0; a < axes; a++)
			half[a] = exp(-10 * dpem_public_uniform(&random) * (test % 2));
		dpem_subspace_parts(half, axes, cells, parts);
		for (int a = 0; a < axes; a++)
		{
			total *= parts[a];
			widest = fmax(widest, half[a] / parts[a]);
			narrowest = fmin(narrowest, parts[a] > 1 ? half[a] / parts[a] : INFINITY);
		}
		too_many += total > DPEM_CELLS_MAX || total < 1;
		/* rint moves each axis by a factor of 1.5 at most */
		off += total > cells * pow(1.5, axes) || total * pow(3, axes) < cells;
		/* and a part's width to between 3/4 and 5/4 of the others', of an axis in one part up to 3/2 */
		uneven += widest > 2 * narrowest * (1 + 1e-9);
	}
	CHECK(too_many == 0, "%d grids of too many cells", too_many);
	CHECK(off == 0, "%d grids far from what was asked for", off);
	CHECK(uneven == 0, "%d grids with parts unlike each other", uneven);
}

static void
test_rules(void)
{
	int			wrong = 0;

	for (double noise = 1e-3; noise < 1e6; noise *= 1.7)
	{
		int			passes = dpem_subspace_passes(16, 16, 20000, noise);
		int			centers = dpem_subspace_centers(16, 16, 20000, noise);
		double		reach = dpem_subspace_reach(0.1, 1000, 16, noise, 2);

		wrong += passes < 3 || passes > 10 || passes < dpem_subspace_passes(16, 16, 20000, noise * 1.7);
		wrong += centers < 16 || centers > 34 || centers < dpem_subspace_centers(16, 16, 20000, noise * 1.7);
		wrong += !(reach > 0 && reach <= 2) || reach < dpem_subspace_reach(0.1, 1000, 16, noise * 1.7, 2);
	}
	CHECK(wrong == 0, "%d rules that ask for more where there is more noise", wrong);
	CHECK(dpem_subspace_further(1, 9, 1e4, 4, 5) == 0 && dpem_subspace_further(9, 9, 1e4, 4, 5) == 0, "the last step is to the mean, as is the first");
	CHECK(dpem_subspace_further(2, 9, 1e4, 4, 5) > 0 && dpem_subspace_further(8, 9, 1e4, 4, 0) < 1, "others go further, less than twice as far");
	CHECK(dpem_subspace_further(2, 9, 200, 4, 5) == 0 && dpem_subspace_further(2, 9, -5, 4, 5) == 0, "but not by noise");
	CHECK(dpem_subspace_centers(1, 5, 1e6, 1) == 1, "one cluster has one center");
	CHECK(dpem_subspace_reach(0.1, 1000, 16, 0, 2) == 2 && dpem_subspace_reach(0, -5, 16, 1, 2) > 0, "a reach that is one");
	CHECK(dpem_subspace_cells(6, 16, -1, 5) >= 128 && dpem_subspace_cells(6, 16, 1e9, 5) <= DPEM_CELLS_MAX, "cells");
	CHECK(dpem_subspace_half(3, 0.01, 0.04) <= 1 && dpem_subspace_half(3, -1, 0) == 0, "a box in the ball");
}

/* counts are free beside the others where rows change places (docs/proofs.md, section 4) */
static void
test_weights(void)
{
	double		count;
	double		sum;
	double		norm;

	dpem_subspace_weights(true, &count, &sum, &norm);
	CHECK(count > 0 && count * count + norm * norm <= sum * sum * (1 + 1e-12), "under replace_one");
	dpem_subspace_weights(false, &count, &sum, &norm);
	CHECK(count > 0 && sum > 0 && norm > 0, "under add_remove");
}

static DpemKmeans
make_means(int k, int d)
{
	return (DpemKmeans) {
		.k = k,.d = d,.center = kmeans_allocate((size_t) k * d),.center_noise = kmeans_allocate((size_t) k * d),
			.weight = kmeans_allocate((size_t) k),.weight_noise = kmeans_allocate((size_t) k)
	};
}

static void
free_means(DpemKmeans *means)
{
	free(means->center);
	free(means->center_noise);
	free(means->weight);
	free(means->weight_noise);
}

/* two centers in each of three clusters, two that nobody is near: `used` have rows */
static void
merge_case(int used, DpemKmeans *from, double *spread, DpemKmeans *to, double *to_spread)
{
	DpemWorkspace work = kmeans_workspace(dpem_subspace_merge_work(8, 3, 2));
	double	   *memory = work.next;

	*from = make_means(8, 2);
	*to = make_means(3, 2);
	for (int i = 0; i < 8; i++)
	{
		from->center[2 * i] = i % 3 + (i < 3 ? -0.1 : 0.1);
		from->center[2 * i + 1] = i < 6 ? 0 : 50;
		from->center_noise[2 * i] = 0.02;
		from->weight[i] = i < used ? 1.0 / used : 0;
		spread[i] = 0.3;
	}
	dpem_subspace_merge(from, spread, to, to_spread, work);
	free(memory);
}

static void
test_merge(void)
{
	DpemKmeans	from;
	DpemKmeans	to;
	double		spread[8];
	double		to_spread[3];
	bool		found[3] = {false, false, false};

	merge_case(6, &from, spread, &to, to_spread);
	for (int c = 0; c < 3; c++)
	{
		int			at = (int) lrint(to.center[2 * c]);

		if (at < 0 || at > 2)
			continue;
		found[at] = true;
		CHECK_CLOSE(to.center[2 * c], at, 1e-12, "between its two");
		CHECK_CLOSE(to.weight[c], 1.0 / 3, 1e-12, "with the rows of both");
		CHECK_CLOSE(to.center_noise[2 * c], 0.02 / sqrt(2), 1e-12, "and the noise of their mean");
		CHECK_CLOSE(to_spread[c], sqrt(0.09 + 0.01), 1e-12, "as far about as both and between them");
	}
	CHECK(found[0] && found[1] && found[2], "the three clusters");
	free_means(&from);
	free_means(&to);
}

/* fewer centers with rows than clusters, down to none */
static void
test_few(void)
{
	for (int used = 0; used < 3; used++)
	{
		DpemKmeans	from;
		DpemKmeans	to;
		double		spread[8];
		double		to_spread[3];
		int			wrong = 0;

		merge_case(used, &from, spread, &to, to_spread);
		for (int i = 0; i < 6; i++)
			wrong += !isfinite(to.center[i]) || !isfinite(to.center_noise[i]);
		for (int c = 0; c < 3; c++)
			wrong += !(to_spread[c] > 0);
		CHECK(wrong == 0, "%d of 8 centers have rows: %d numbers are none", used, wrong);
		free_means(&from);
		free_means(&to);
	}
}

static void
normal_case(const DpemNormalLaw *law, int k, double *center, double *spread)
{
	DpemWorkspace work = kmeans_workspace(dpem_normal_centers_work(k, law->d));
	double	   *memory = work.next;

	dpem_normal_centers(law, k, 1, center, spread, work);
	free(memory);
}

/* along the axis that is known, wider where the mean is not, and never out of the domain */
static void
test_normal(void)
{
	const double axis[3] = {0.6, 0.8, 0};
	const double mean[3] = {0.1, -0.2, 0.3};
	double		variance[1] = {0.01};
	double		center[60];
	double		spread[20];
	DpemNormalLaw law = {.d = 3,.axes = 1,.axis = axis,.variance = variance,.spread = 0.1,.mean = mean};
	int			wrong = 0;

	normal_case(&law, 2, center, spread);
	/* the best two points of a normal law are sqrt(2 / pi) deviations from its mean */
	for (int i = 0; i < 2; i++)
	{
		double		along = (center[3 * i] - mean[0]) * 0.6 + (center[3 * i + 1] - mean[1]) * 0.8;

		CHECK_CLOSE(fabs(along), 0.1 * sqrt(2 / M_PI), 0.1, "along the axis: %g", along);
		CHECK_CLOSE(center[3 * i + 2], mean[2], 1e-9, "and nowhere else");
		CHECK_CLOSE(spread[i], 0.1 * sqrt(1 - 2 / M_PI), 0.1, "with its own rows about it: %g", spread[i]);
	}
	variance[0] = 4;
	normal_case(&law, 1, center, spread);
	CHECK(hypot(center[0] - mean[0], center[1] - mean[1]) < 0.03 && spread[0] <= 0.1, "no axis is wider than all rows are");
	law.mean_sd = 50;
	normal_case(&law, 20, center, spread);
	for (int i = 0; i < 20; i++)
		wrong += !(hypot(hypot(center[3 * i], center[3 * i + 1]), center[3 * i + 2]) <= 1 + 1e-12) || !(spread[i] > 0 && spread[i] <= 0.1);
	CHECK(wrong == 0, "%d centers out of the ball", wrong);
	law.mean_sd = 0;
	law.spread = 0;
	normal_case(&law, 20, center, spread);
	for (int i = 0; i < 60; i++)
		wrong += !(fabs(center[i] - mean[i % 3]) < 1e-12);
	CHECK(wrong == 0, "%d coordinates of a single point", wrong);
}

static void
refill(DpemKmeans *means, bool last, double *spread)
{
	size_t		n = dpem_subspace_refill_work(means->k, means->d);
	double	   *memory = kmeans_allocate(n);

	dpem_subspace_refill(means, 1, last, spread, (DpemWorkspace) {memory, memory + n});
	free(memory);
}

/* centers without rows go where most rows are, and leave what others know as it is */
static void
test_refill(void)
{
	const double start[8] = {0.1, 0.2, 0.9, -0.9, -0.3, 0, 0.8, 0.8};
	double		center[8];
	double		noise[8];
	double		weight[4] = {0.7, 0.01, 0.28, -0.02};
	double		weight_noise[4] = {0.02, 0.02, 0.02, 0.02};
	double		spread[4] = {0.05, 0.4, 0.03, 0.4};
	DpemKmeans	means = {.k = 4,.d = 2,.center = center,.center_noise = noise,.weight = weight,.weight_noise = weight_noise};

	memcpy(center, start, sizeof(start));
	for (int i = 0; i < 8; i++)
		noise[i] = 0.01;
	refill(&means, true, spread);
	CHECK(memcmp(center, start, 2 * sizeof(double)) == 0 && memcmp(center + 4, start + 4, 2 * sizeof(double)) == 0 &&
		  noise[0] == 0.01 && noise[4] == 0.01, "centers with rows stay after the last pass");
	CHECK(hypot(center[2] - 0.1, center[3] - 0.2) < 0.2 && hypot(center[6] - 0.1, center[7] - 0.2) < 0.2, "the others are among most rows");
	CHECK(noise[2] == 0 && noise[7] == 0 && weight[1] == 0.01 && weight[3] == -0.02, "by no count of their own");
	memcpy(center, start, sizeof(start));
	refill(&means, false, spread);
	CHECK_CLOSE(weight[0], 0.7 / 3, 1e-12, "before a pass they share the rows");
	CHECK(weight[1] == weight[0] && weight[3] == weight[0] && weight_noise[1] == 0 && weight[2] == 0.28, "equally");
	CHECK(spread[0] < 0.06 && spread[1] < 0.06 && spread[2] == 0.03, "near each other");
	memcpy(center, start, sizeof(start));
	for (int k = 0; k < 4; k++)
	{
		weight[k] = k == 0 ? 0.5 : 0.1;
		weight_noise[k] = 0.2;
	}
	refill(&means, false, spread);
	CHECK(memcmp(center, start, sizeof(start)) == 0, "where all counts are noise's nothing moves");
}

int
main(void)
{
	test_refill();
	test_axes();
	test_parts();
	test_rules();
	test_weights();
	test_merge();
	test_few();
	test_normal();
	return unit_report();
}

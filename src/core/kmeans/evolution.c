/*
 * evolution.c - see evolution.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/kmeans/evolution.h"
#include "core/kmeans/kmeans_estimate.h"

#define WORK_OF_SCALES	4e8		/* coordinates compared in all, at most */
#define SURVIVORS		4		/* one of so many candidates at most, however many were voted for */

/* parents of a generation: centers, then survivors */
typedef struct Parents
{
	int			n;
	double	   *x;				/* n * d */
	double	   *scale;			/* n */
	double	   *weight;			/* n */
} Parents;

/* distances to the nearest other candidate, of as many as their number and d allow */
static void
find_scales(DpemCandidates *of)
{
	double		bearable = fmax(WORK_OF_SCALES / ((double) of->n * of->d), 2);
	int			others = (int) fmin(of->n, bearable);

	for (int i = 0; i < of->n; i++)
	{
		of->scale[i] = INFINITY;
		for (int j = 0; j < others; j++)
		{
			double		distance;

			if (j == i)
				continue;
			(void) dpem_nearest_center(1, of->d, of->x + (size_t) j * of->d, of->x + (size_t) i * of->d, &distance);
			of->scale[i] = fmin(of->scale[i], sqrt(distance));
		}
		if (isinf(of->scale[i]))
			of->scale[i] = of->half_width;
	}
}

void
dpem_evolution_begin(DpemCandidates *to, DpemPublicRandom *random)
{
	for (size_t i = 0; i < (size_t) to->n * to->d; i++)
		to->x[i] = to->half_width * (2 * dpem_public_uniform(random) - 1);
	dpem_kmeans_clamp(to->n, to->d, to->half_width, to->x);
	find_scales(to);
}

static int
descending(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x < y) - (x > y);
}

/* the threshold, raised until at most that many votes exceed it */
static double
raise_threshold(const double *votes, int n, int most, double threshold, double *sorted)
{
	memcpy(sorted, votes, (size_t) n * sizeof(double));
	qsort(sorted, (size_t) n, sizeof(double), descending);
	return most < n ? fmax(threshold, sorted[most]) : threshold;
}

static void
select_survivors(const DpemCandidates *from, const double *votes, double threshold, Parents *to)
{
	size_t		d = (size_t) from->d;

	to->n = 0;
	for (int i = 0; i < from->n; i++)
	{
		if (!(votes[i] > threshold && votes[i] > 0))
			continue;
		memcpy(to->x + to->n * d, from->x + i * d, d * sizeof(double));
		to->scale[to->n] = from->scale[i];
		to->weight[to->n] = votes[i];
		to->n++;
	}
}

/* k-means of the survivors: centers with their votes, and how far the rows of these are */
static void
find_centers(const Parents *survivors, int d, int k, DpemPublicRandom *random, Parents *to, DpemWorkspace work)
{
	DpemPoints	points = {(size_t) survivors->n, d, survivors->x, survivors->weight};

	(void) dpem_seeded_kmeans(&points, k, random, to->x, work);
	memset(to->weight, 0, (size_t) k * sizeof(double));
	memset(to->scale, 0, (size_t) k * sizeof(double));
	for (int i = 0; i < survivors->n; i++)
	{
		double		distance;
		int			c = dpem_nearest_center(k, d, to->x, survivors->x + (size_t) i * d, &distance);

		to->weight[c] += survivors->weight[i];
		to->scale[c] += survivors->weight[i] * (distance + survivors->scale[i] * survivors->scale[i]);
	}
	to->n = k;
	for (int c = 0; c < k; c++)
		to->scale[c] = to->weight[c] > 0 ? sqrt(to->scale[c] / to->weight[c]) : 0;
}

/* a child at that many of its parent's scales */
static void
add_child(const Parents *parents, int parent, double step, DpemPublicRandom *random, DpemCandidates *to, int at)
{
	size_t		d = (size_t) to->d;
	double		scale = parents->scale[parent];

	for (size_t j = 0; j < d; j++)
		to->x[at * d + j] = parents->x[parent * d + j] +
			(step > 0 ? step * scale / sqrt((double) d) * dpem_public_normal(random) : 0);
	to->scale[at] = dpem_evolution_step * scale;
}

/* parents themselves from `at` on, as many as there is room for, then their variations; returns where those of all parents begin */
static int
add_parents(const Parents *parents, DpemCandidates *to, int at)
{
	for (int i = 0; i < parents->n && at < to->n; i++)
		if (parents->weight[i] > 0)
			add_child(parents, i, 0, NULL, to, at++);
	return at;
}

/* candidates [from, until) are variations of parents drawn by weight, evenly */
static void
add_variations(const Parents *parents, DpemPublicRandom *random, DpemCandidates *to, int from, int until)
{
	double		total = 0;
	double		before = 0;
	int			parent = 0;

	for (int i = 0; i < parents->n; i++)
		total += parents->weight[i];
	for (int at = from; at < until; at++)
	{
		double		place = total * (at - from + 0.5) / (until - from);

		while (parent < parents->n - 1 && before + parents->weight[parent] <= place)
			before += parents->weight[parent++];
		add_child(parents, parent, dpem_evolution_step, random, to, at);
	}
}

static Parents
take_parents(int n, int d, DpemWorkspace *work)
{
	return (Parents) {
		.x = dpem_workspace_take(work, (size_t) n * d),.scale = dpem_workspace_take(work, (size_t) n),
		.weight = dpem_workspace_take(work, (size_t) n)
	};
}

size_t
dpem_evolution_work(int n, int k, int d)
{
	return ((size_t) n + k) * ((size_t) d + 2) + n + dpem_seeded_kmeans_work((size_t) n, k, d);
}

void
dpem_evolution_breed(const DpemCandidates *from, const double *votes, double threshold, int k,
					 DpemPublicRandom *random, DpemCandidates *to, DpemWorkspace work)
{
	Parents		survivors = take_parents(from->n, from->d, &work);
	Parents		centers = take_parents(k, from->d, &work);
	double	   *sorted = dpem_workspace_take(&work, (size_t) from->n);
	int			most = from->n / SURVIVORS > k ? from->n / SURVIVORS : k;
	int			at;

	select_survivors(from, votes, raise_threshold(votes, from->n, most, threshold, sorted), &survivors);
	if (survivors.n == 0)
	{
		dpem_evolution_begin(to, random);
		return;
	}
	find_centers(&survivors, from->d, k, random, &centers, work);
	at = add_parents(&survivors, to, add_parents(&centers, to, 0));
	add_variations(&centers, random, to, at, (at + to->n) / 2);
	add_variations(&survivors, random, to, (at + to->n) / 2, to->n);
	dpem_kmeans_clamp(to->n, to->d, to->half_width, to->x);
}

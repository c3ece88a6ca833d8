/*
 * gmm_cells_seeds.c - see gmm_cells_seeds.h.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/gmm_cells_seeds.h"

#define CANDIDATES	5
#define LLOYD_STEPS	8
#define AVERAGE_PART 0.2		/* of an average cluster, which a cluster's spread and weight start with on top */

static double
squared_distance(const double *a, const double *b, int d)
{
	double		sum = 0;

	for (int j = 0; j < d; j++)
		sum += (a[j] - b[j]) * (a[j] - b[j]);
	return sum;
}

/* a cell drawn by count times distance; any, where none is left */
static int
draw_cell(DpemCellSeeds *s)
{
	const DpemGmmCells *c = s->cells;
	double		total = 0;
	double		u;

	for (int n = 0; n < c->n; n++)
		total += s->distance[n] * fmax(c->count[n], 0);
	u = dpem_public_uniform(&s->random) * total;
	for (int n = 0; n < c->n && total > 0; n++)
	{
		u -= s->distance[n] * fmax(c->count[n], 0);
		if (s->distance[n] > 0 && u <= 0)
			return n;
	}
	return (int) dpem_public_index(&s->random, c->n);
}

/* squares that would be left with one more mean at this cell */
static double
left_with(const DpemCellSeeds *s, int cell)
{
	const DpemGmmCells *c = s->cells;
	const double *x = c->middle + (size_t) cell * c->d;
	double		left = 0;

	for (int n = 0; n < c->n; n++)
		if (s->distance[n] > 0)
			left += c->count[n] * fmin(s->distance[n], squared_distance(x, c->middle + (size_t) n * c->d, c->d));
	return left;
}

static void
seed_means(DpemCellSeeds *s, DpemGmm *gmm)
{
	const DpemGmmCells *c = s->cells;

	for (int n = 0; n < c->n; n++)
		s->distance[n] = c->count[n] > s->threshold ? 1 : 0;
	for (int i = 0; i < gmm->k; i++)
	{
		int			best = draw_cell(s);
		double		least = i > 0 ? left_with(s, best) : 0;

		for (int trial = 1; i > 0 && trial < CANDIDATES; trial++)
		{
			int			cell = draw_cell(s);
			double		left = left_with(s, cell);

			best = left < least ? cell : best;
			least = fmin(left, least);
		}
		memcpy(gmm->mean + (size_t) i * c->d, c->middle + (size_t) best * c->d, c->d * sizeof(double));
		for (int n = 0; n < c->n; n++)
		{
			double		here = squared_distance(gmm->mean + (size_t) i * c->d, c->middle + (size_t) n * c->d, c->d);

			if (s->distance[n] > 0)
				s->distance[n] = i > 0 ? fmin(s->distance[n], here) : fmax(here, 1e-300);
		}
	}
}

/*
 * Sums of the clusters' rows into gmm: weight counts, mean sums, the first
 * entry of covariance squares about the means before.  Returns all squares.
 */
static double
sum_clusters(DpemCellSeeds *s, const double *mean, DpemGmm *gmm)
{
	const DpemGmmCells *c = s->cells;
	size_t		d = (size_t) c->d;
	double		all = 0;

	for (int n = 0; n < c->n; n++)
	{
		const double *x = c->middle + n * d;
		double		least = INFINITY;
		int			best = 0;

		if (!(c->count[n] > s->threshold))
			continue;
		for (int i = 0; i < gmm->k; i++)
		{
			double		here = squared_distance(x, mean + i * d, c->d);

			best = here < least ? i : best;
			least = fmin(here, least);
		}
		gmm->weight[best] += c->count[n];
		gmm->covariance[best * d * d] += c->count[n] * least;
		all += c->count[n] * least;
		for (size_t j = 0; j < d; j++)
			gmm->mean[best * d + j] += c->count[n] * x[j];
	}
	return all;
}

/* one of Lloyd's steps; weights and round covariances follow the clusters */
static void
lloyd_step(DpemCellSeeds *s, DpemGmm *gmm, DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *before = dpem_workspace_take(&work, gmm->k * d);
	double		rows = 0;
	double		squares;

	memcpy(before, gmm->mean, gmm->k * d * sizeof(double));
	memset(gmm->mean, 0, gmm->k * d * sizeof(double));
	memset(gmm->weight, 0, gmm->k * sizeof(double));
	memset(gmm->covariance, 0, gmm->k * d * d * sizeof(double));
	squares = sum_clusters(s, before, gmm);
	for (int i = 0; i < gmm->k; i++)
		rows += gmm->weight[i];
	for (int i = 0; i < gmm->k; i++)
	{
		double		size = gmm->weight[i];
		double		extra = AVERAGE_PART * rows / gmm->k + 1e-300;
		double		variance = (gmm->covariance[i * d * d] + AVERAGE_PART * squares / gmm->k) / (size + extra) / d;

		for (size_t j = 0; j < d; j++)
		{
			double		width2 = s->cells->width[j] * s->cells->width[j];

			gmm->mean[i * d + j] = size > 0 ? gmm->mean[i * d + j] / size : before[i * d + j];
			gmm->covariance[(i * d + j) * d + j] = fmax(variance, width2 / 12);
		}
		gmm->weight[i] = (size + extra) / (rows + gmm->k * extra);
	}
}

void
dpem_cell_seeds(DpemCellSeeds *s, double deviations, DpemGmm *gmm, DpemWorkspace work)
{
	s->threshold = deviations * s->cells->sd;
	seed_means(s, gmm);
	for (int i = 0; i < LLOYD_STEPS; i++)
		lloyd_step(s, gmm, work);
}

/*
 * gmm_cells_search.c - starts and number of components, see gmm_cells.h.
 *
 * Starts: one that covers all rows evenly, and k-means++ (Arthur, Vassilvitskii 2007) with the best of a few candidates each
 * time, and some of Lloyd's steps, on the cells whose counts stand out of the noise.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/mixture/gmm_cells.h"
#include "core/mixture/gmm_merge.h"
#include "core/numeric/public_random.h"

#define CANDIDATES	5
#define LLOYD_STEPS	8
#define AVERAGE_PART 0.2		/* of an average cluster, which a cluster's spread and weight start with on top */

typedef struct CellsSearch
{
	const DpemGmmCells *cells;
	DpemPublicRandom random;
	double		threshold;
	double	   *distance;		/* n: squared, to the nearest mean so far; 0 for a cell below the threshold */
	double	   *size;			/* k, of Lloyd's clusters */
	const DpemGmm *given;		/* a start for its number of components; NULL: none */
	DpemWorkspace work;
} CellsSearch;

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
draw_cell(CellsSearch *s)
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
left_with(const CellsSearch *s, int cell)
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
seed_means(CellsSearch *s, DpemGmm *gmm)
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
sum_clusters(CellsSearch *s, const double *mean, DpemGmm *gmm)
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
lloyd_step(CellsSearch *s, DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;
	DpemWorkspace work = s->work;
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

static DpemGmm
take_mixture(const DpemGmm *like, DpemWorkspace *work)
{
	size_t		d = (size_t) like->d;

	return (DpemGmm) {
		like->k, like->d, like->shape, dpem_workspace_take(work, like->k),
		dpem_workspace_take(work, like->k * d), dpem_workspace_take(work, like->k * d * d)
	};
}

/* components spread over all rows, which are round about the origin */
static void
spread_start(CellsSearch *s, DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;
	double		mean[DPEM_GMM_CELLS_MAX_D] = {0};
	double		value[DPEM_GMM_CELLS_MAX_D];
	double		axes[DPEM_GMM_CELLS_MAX_D * DPEM_GMM_CELLS_MAX_D] = {0};

	for (size_t j = 0; j < d; j++)
	{
		axes[j * d + d - 1 - j] = 1;
		value[j] = s->cells->variance;
	}
	dpem_gmm_start_from(gmm, mean, axes, value);
}

/* from the cells that stand out by so many deviations of the noise */
static void
seeded_start(CellsSearch *s, double deviations, DpemGmm *gmm)
{
	s->threshold = deviations * s->cells->sd;
	seed_means(s, gmm);
	for (int i = 0; i < LLOYD_STEPS; i++)
		lloyd_step(s, gmm);
}

/* best of some starts with k components into `best`; returns its log-likelihood */
static double
search_size(CellsSearch *s, int k, int starts, DpemGmm *trial, DpemGmm *best)
{
	static const double thresholds[] = {3, 2, 1.5};	/* noise deviations */
	double		most = -INFINITY;

	trial->k = k;
	for (int start = 0; start < starts; start++)
	{
		double		likelihood;

		if (start == 0 && s->given != NULL && s->given->k == k)
			dpem_gmm_copy(s->given, trial);
		else if (start == 0)
			spread_start(s, trial);
		else
			seeded_start(s, thresholds[start % 3], trial);
		likelihood = dpem_gmm_cells_em(s->cells, DPEM_GMM_CELLS_SHORT, trial, s->work);
		if (likelihood > most)
			dpem_gmm_copy(trial, best);
		most = fmax(most, likelihood);
	}
	return most;
}

/* K, and then the numbers of about two thirds of it each */
static int
next_size(int k)
{
	return k > 4 ? 2 * k / 3 : k - 1;
}

/* a component's: weight, mean, covariance */
static double
parameters(const DpemGmmCells *c, DpemSecondMoment shape)
{
	double		second = shape == DPEM_SECOND_FULL ? c->d * (c->d + 1) / 2 : shape == DPEM_SECOND_DIAGONAL ? c->d : 1;

	return 1 + c->d + second;
}

static double
price(const DpemGmmCells *c, int k, DpemSecondMoment shape)
{
	return DPEM_GMM_CELLS_PRICE * k * parameters(c, shape);
}

/* the heaviest component once more, until there are `most` */
static void
repeat_components(DpemGmm *gmm, int most)
{
	size_t		d = (size_t) gmm->d;

	for (; gmm->k < most; gmm->k++)
	{
		int			heaviest = 0;

		for (int i = 1; i < gmm->k; i++)
			heaviest = gmm->weight[i] > gmm->weight[heaviest] ? i : heaviest;
		gmm->weight[gmm->k] = gmm->weight[heaviest] /= 2;
		memcpy(gmm->mean + gmm->k * d, gmm->mean + heaviest * d, d * sizeof(double));
		memcpy(gmm->covariance + gmm->k * d * d, gmm->covariance + heaviest * d * d, d * d * sizeof(double));
	}
}

/* all rows as one component, as whitening has released them */
static void
set_total(const DpemGmmCells *cells, DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;

	gmm->k = 1;
	gmm->weight[0] = 1;
	memset(gmm->mean, 0, d * sizeof(double));
	memset(gmm->covariance, 0, d * d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		gmm->covariance[j * d + j] = cells->variance;
}

/* is that as good as the best mixture found?  It is not fitted to the counts, so that their noise is not in it */
static bool
total_suffices(const CellsSearch *s, double score, DpemGmm *trial)
{
	set_total(s->cells, trial);
	return dpem_gmm_cells_em(s->cells, 1, trial, s->work) >= score - DPEM_GMM_CELLS_BETTER;
}

static int
fit_from(const DpemGmmCells *cells, const DpemGmm *given, DpemGmm *gmm, DpemWorkspace work)
{
	CellsSearch s = {.cells = cells,.random = dpem_public_seed(cells->count, cells->n),.given = given};
	DpemGmm		trial = take_mixture(gmm, &work);
	DpemGmm		best = take_mixture(gmm, &work);
	int			most = gmm->k;
	double		score = -INFINITY;
	int			distinct = 0;

	s.distance = dpem_workspace_take(&work, cells->n);
	s.work = work;
	for (int k = most, worse = 0; k > 0 && worse < DPEM_GMM_CELLS_PATIENCE; k = next_size(k))
	{
		double		here = search_size(&s, k, k == most ? DPEM_GMM_CELLS_STARTS : DPEM_GMM_CELLS_STARTS / 2,
									   &trial, &best) - price(cells, k, gmm->shape);

		worse = here > score ? 0 : worse + 1;
		if (here > score)
		{
			dpem_gmm_copy(&best, gmm);
			distinct = k;
		}
		score = fmax(score, here);
	}
	gmm->k = distinct > 0 ? distinct : most;
	if (total_suffices(&s, score, &trial))
	{
		set_total(cells, gmm);
		distinct = 1;
	}
	else if (distinct > 0 && !isfinite(dpem_gmm_cells_em(cells, DPEM_GMM_CELLS_LONG, gmm, work)))
		distinct = 0;
	repeat_components(gmm, most);
	return distinct;
}

int
dpem_gmm_cells_fit(const DpemGmmCells *cells, DpemGmm *gmm, DpemWorkspace work)
{
	return fit_from(cells, NULL, gmm, work);
}

int
dpem_gmm_cells_refit(const DpemGmmCells *cells, DpemGmm *gmm, DpemWorkspace work)
{
	DpemGmm		given = take_mixture(gmm, &work);

	dpem_gmm_copy(gmm, &given);
	return fit_from(cells, &given, gmm, work);
}

/* starts of the next smaller number: the best mixture of the larger one with its nearest components merged, and some anew */
static double
search_smaller(CellsSearch *s, int k, DpemGmm *larger, DpemGmm *trial, DpemGmm *best)
{
	double		merged = -INFINITY;
	double		anew;

	while (larger->k > k && dpem_gmm_merge_nearest(larger, NULL, 0, s->work) == DPEM_OK)
		;
	if (larger->k == k)
		merged = dpem_gmm_cells_em(s->cells, 2 * DPEM_GMM_CELLS_SHORT, larger, s->work);
	anew = search_size(s, k, DPEM_GMM_CELLS_STARTS / 2, trial, best);
	if (anew > merged)
		dpem_gmm_copy(best, larger);
	return fmax(merged, anew);
}

void
dpem_gmm_cells_choose(const DpemGmmCells *cells, DpemSizes *sizes, DpemGmm *gmm, DpemWorkspace work)
{
	CellsSearch s = {.cells = cells,.random = dpem_public_seed(cells->count, cells->n)};
	DpemGmm		trial = take_mixture(gmm, &work);
	DpemGmm		best = take_mixture(gmm, &work);
	DpemGmm		chosen = take_mixture(gmm, &work);
	double		most = -INFINITY;

	s.distance = dpem_workspace_take(&work, cells->n);
	s.work = work;
	for (int i = sizes->n - 1; i >= 0; i--)
	{
		int			k = sizes->k[i];
		double		likelihood = i == sizes->n - 1 ? search_size(&s, k, DPEM_GMM_CELLS_STARTS, &trial, gmm)
			: search_smaller(&s, k, gmm, &trial, &best);

		dpem_sizes_score(sizes, i, likelihood / cells->rows, k * parameters(cells, gmm->shape) - 1, cells->rows);
		if (sizes->score[i] >= most)
			dpem_gmm_copy(gmm, &chosen);
		most = fmax(most, sizes->score[i]);
	}
	dpem_gmm_copy(&chosen, gmm);
	gmm->k = dpem_sizes_choose(sizes);
}

/*
 * gmm_cells_search.c - starts and number of components, see gmm_cells.h.
 *
 * Starts: one that covers all rows evenly, and clusters of cells (gmm_cells_seeds.h).
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/mixture/gmm_cells_seeds.h"
#include "core/mixture/gmm_merge.h"
#include "core/numeric/linalg.h"

typedef struct CellsSearch
{
	DpemCellSeeds seeds;		/* and the cells */
	const DpemGmm *given;		/* a start for its number of components; NULL: none */
	DpemWorkspace work;
} CellsSearch;

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
		value[j] = s->seeds.cells->variance;
	}
	dpem_gmm_start_from(gmm, mean, axes, value);
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
			dpem_cell_seeds(&s->seeds, thresholds[start % 3], trial, s->work);
		likelihood = dpem_gmm_cells_em(s->seeds.cells, DPEM_GMM_CELLS_SHORT, trial, s->work);
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
	set_total(s->seeds.cells, trial);
	return dpem_gmm_cells_em(s->seeds.cells, 1, trial, s->work) >= score - DPEM_GMM_CELLS_BETTER;
}

static CellsSearch
begin_search(const DpemGmmCells *cells, const DpemGmm *given, DpemWorkspace work)
{
	CellsSearch s = {.seeds = {.cells = cells,.random = dpem_public_seed(cells->count, cells->n)},.given = given};

	s.seeds.distance = dpem_workspace_take(&work, cells->n);
	s.work = work;
	return s;
}

bool
dpem_gmm_cells_start(const DpemGmmCells *cells, DpemGmm *gmm, DpemWorkspace work)
{
	DpemGmm		trial = take_mixture(gmm, &work);
	CellsSearch s = begin_search(cells, NULL, work);

	return search_size(&s, gmm->k, DPEM_GMM_SEED_STARTS, &trial, gmm) > -INFINITY;
}

double
dpem_gmm_cells_within(const DpemGmmCells *cells, const DpemGmm *gmm, DpemWorkspace work)
{
	int			d = gmm->d;
	int			axes = d < gmm->k - 1 ? d : gmm->k - 1;
	double		within[DPEM_GMM_CELLS_MAX_D * DPEM_GMM_CELLS_MAX_D] = {0};
	double		value[DPEM_GMM_CELLS_MAX_D];
	double		sum = 0;

	for (int k = 0; k < gmm->k; k++)
		for (int i = 0; i < d * d; i++)
			within[i] += gmm->weight[k] * gmm->covariance[k * d * d + i];
	if (axes < 1 || dpem_linalg_eigen(d, within, value, dpem_workspace_take(&work, dpem_linalg_eigen_work(d))) != DPEM_OK)
		return INFINITY;
	for (int i = 0; i < axes; i++)
		sum += value[i];
	return sum / axes / cells->variance * pow(gmm->k, 2.0 / axes);
}

static int
fit_from(const DpemGmmCells *cells, const DpemGmm *given, DpemGmm *gmm, DpemWorkspace work)
{
	DpemGmm		trial = take_mixture(gmm, &work);
	DpemGmm		best = take_mixture(gmm, &work);
	CellsSearch s = begin_search(cells, given, work);
	int			most = gmm->k;
	double		score = -INFINITY;
	int			distinct = 0;

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
		merged = dpem_gmm_cells_em(s->seeds.cells, 2 * DPEM_GMM_CELLS_SHORT, larger, s->work);
	anew = search_size(s, k, DPEM_GMM_CELLS_STARTS / 2, trial, best);
	if (anew > merged)
		dpem_gmm_copy(best, larger);
	return fmax(merged, anew);
}

void
dpem_gmm_cells_choose(const DpemGmmCells *cells, DpemSizes *sizes, DpemGmm *gmm, DpemWorkspace work)
{
	DpemGmm		trial = take_mixture(gmm, &work);
	DpemGmm		best = take_mixture(gmm, &work);
	DpemGmm		chosen = take_mixture(gmm, &work);
	CellsSearch s = begin_search(cells, NULL, work);
	double		most = -INFINITY;

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

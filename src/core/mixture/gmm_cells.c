/*
 * gmm_cells.c - EM on noisy counts, see gmm_cells.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_estimate.h"
#include "core/mixture/gmm_cells.h"
#include "core/gmm/gmm_covariance.h"
#include "core/numeric/linalg.h"

#define LEAST_LOGIT		(-40.0)		/* below which a component has no part in a cell */
#define LEAST_WEIGHT	1e-9

typedef struct CellsEm
{
	const DpemGmmCells *cells;
	DpemGmm    *gmm;
	double	   *part;			/* n * k: rows that a cell has beyond what is expected, by component */
	double		step;			/* what these are multiplied by */
	double	   *factor;			/* k * d (d + 1) / 2 */
	double	   *offset;			/* k */
	double	   *square;			/* d * d */
	DpemWorkspace work;
} CellsEm;

size_t
dpem_gmm_cells_work(int n, int k, int d)
{
	size_t		square = (size_t) d * d;
	size_t		parameters = k * (1 + (size_t) d + square);

	/* EM; then the search's distances, and the best of a size, of all, and a given one */
	return (size_t) n * k + k * (square + 1) + square + 4 * square + (size_t) d + dpem_linalg_eigen_work(d) +
		(size_t) n + 3 * parameters + k;
}

/* E-step constants of component i: its covariance is that of its rows' cells */
static bool
prepare_component(CellsEm *em, int i)
{
	const DpemGmmCells *c = em->cells;
	size_t		d = (size_t) c->d;
	double		blurred[DPEM_GMM_CELLS_MAX_D * DPEM_GMM_CELLS_MAX_D];
	double		log_det;
	double		volume = 1;

	memcpy(blurred, em->gmm->covariance + i * d * d, d * d * sizeof(double));
	for (size_t j = 0; j < d; j++)
	{
		blurred[j * d + j] += c->width[j] * c->width[j] / 12;
		volume *= c->width[j];
	}
	if (dpem_linalg_inverse_cholesky(c->d, blurred, em->factor + i * d * (d + 1) / 2, &log_det, em->square))
		return false;
	em->offset[i] = log(em->gmm->weight[i] * (1 - DPEM_GMM_CELLS_OUTLIERS) * volume) -
		log_det / 2 - d * log(2 * M_PI) / 2;
	return true;
}

/* probability of a cell, by component; returns their sum */
static double
cell_probability(const CellsEm *em, const double *x, double *part)
{
	int			d = em->cells->d;
	const double *u = em->factor;
	double		sum = 0;

	for (int i = 0; i < em->gmm->k; i++)
	{
		const double *mean = em->gmm->mean + (size_t) i * d;
		double		logit = em->offset[i];

		for (int a = 0; a < d; a++)
		{
			double		v = 0;

			for (int b = 0; b <= a; b++)
				v += *u++ * (x[b] - mean[b]);
			logit -= v * v / 2;
		}
		part[i] = logit > LEAST_LOGIT ? exp(logit) : 0;
		sum += part[i];
	}
	return sum;
}

/*
 * Log-likelihood, and the expected rows of each cell by component.  Where noise
 * is large they are hardly other than what the parameters say, and steps of EM
 * are short: what cells have beyond it is taken `step` times, the same for all
 * cells, so that the cell of the greatest part counts as it was released.
 */
static double
expect(CellsEm *em)
{
	const DpemGmmCells *c = em->cells;
	int			k = em->gmm->k;
	double		uniform = DPEM_GMM_CELLS_OUTLIERS / c->n;
	double		likelihood = 0;
	double		most = 1 / DPEM_GMM_CELLS_MOST_STEP;

	for (int i = 0; i < k; i++)
		if (!prepare_component(em, i))
			return -INFINITY;
	for (int n = 0; n < c->n; n++)
	{
		double	   *part = em->part + (size_t) n * k;
		double		p = uniform + cell_probability(em, c->middle + (size_t) n * c->d, part);
		double		expected = c->rows * p;
		double		variance = expected + c->sd * c->sd;
		double		gap = c->count[n] - expected;

		for (int i = 0; i < k; i++)
			part[i] *= c->rows * (1 + em->step * gap / variance);
		most = fmax(most, expected / variance);
		likelihood -= (gap * gap / variance + log(variance)) / 2;
	}
	em->step = 1 / most;		/* of the next time: the parameters change little */
	return likelihood;
}

/* rows of component i, their mean's distance from the one before, and their squares about that */
static double
component_record(const CellsEm *em, int i, double *shift, double *square)
{
	const DpemGmmCells *c = em->cells;
	int			d = c->d;
	const double *mean = em->gmm->mean + (size_t) i * d;
	double		before = c->rows * em->gmm->weight[i];
	double		rows = 0;

	memset(shift, 0, d * sizeof(double));
	memset(square, 0, (size_t) d * d * sizeof(double));
	for (int n = 0; n < c->n; n++)
	{
		double		part = em->part[(size_t) n * em->gmm->k + i];
		const double *x = c->middle + (size_t) n * d;

		rows += part;
		for (int a = 0; a < d && part != 0; a++)
		{
			shift[a] += part * (x[a] - mean[a]);
			for (int b = 0; b <= a; b++)
				square[a * d + b] += part * (x[a] - mean[a]) * (x[b] - mean[b]);
		}
	}
	/* no component loses more than half its rows in one step, nor comes to nothing */
	rows = fmax(rows, fmax(before / 2, LEAST_WEIGHT * c->rows));
	for (int a = 0; a < d; a++)
	{
		shift[a] /= rows;
		square[a * d + a] -= rows * c->width[a] * c->width[a] / 12;
		for (int b = 0; b < a; b++)
			square[b * d + a] = square[a * d + b];
	}
	return rows;
}

/* of the mixture's shape, with the prior's rows; least: what cells can still tell from none */
static DpemStatus
component_covariance(const CellsEm *em, double rows, const double *shift, const double *square,
					 double *covariance)
{
	const DpemGmmCells *c = em->cells;
	int			d = c->d;
	double		prior = em->step * DPEM_GMM_CELLS_PRIOR * c->sd + DPEM_GMM_CELLS_LEAST_PRIOR;
	double		usual = pow(em->gmm->k, -2.0 / d) * c->variance;
	double		least = INFINITY;
	double		trace = 0;

	for (int a = 0; a < d; a++)
		for (int b = 0; b < d; b++)
			covariance[a * d + b] = (square[a * d + b] - rows * shift[a] * shift[b] + (a == b ? prior * usual : 0)) /
				(rows + prior);
	for (int a = 0; a < d; a++)
	{
		trace += covariance[a * d + a];
		least = fmin(least, DPEM_GMM_CELLS_LEAST * c->width[a] * c->width[a]);
	}
	for (int j = 0; j < d * d; j++)
	{
		if (em->gmm->shape == DPEM_SECOND_NORM && j % (d + 1) == 0)
			covariance[j] = trace / d;
		if (em->gmm->shape != DPEM_SECOND_FULL && j % (d + 1) != 0)
			covariance[j] = 0;
	}
	return dpem_gmm_bound_eigenvalues(em->gmm->shape, d, least, DPEM_GMM_CELLS_WIDEST * c->variance, covariance, em->work);
}

static DpemStatus
maximize(CellsEm *em)
{
	DpemGmm    *gmm = em->gmm;
	size_t		d = (size_t) gmm->d;
	double		shift[DPEM_GMM_CELLS_MAX_D];
	double		square[DPEM_GMM_CELLS_MAX_D * DPEM_GMM_CELLS_MAX_D];
	double		total = 0;

	for (int i = 0; i < gmm->k; i++)
	{
		double		rows = component_record(em, i, shift, square);

		if (component_covariance(em, rows, shift, square, gmm->covariance + i * d * d))
			return DPEM_LAPACK_FAILED;
		for (size_t j = 0; j < d; j++)
			gmm->mean[i * d + j] += shift[j];
		gmm->weight[i] = rows;
		total += gmm->weight[i];
	}
	for (int i = 0; i < gmm->k; i++)
		gmm->weight[i] /= total;
	return DPEM_OK;
}

double
dpem_gmm_cells_em(const DpemGmmCells *cells, int iterations, DpemGmm *gmm, DpemWorkspace work)
{
	size_t		d = (size_t) cells->d;
	CellsEm		em = {.cells = cells,.gmm = gmm,.step = 1};
	double		likelihood = -INFINITY;

	em.part = dpem_workspace_take(&work, (size_t) cells->n * gmm->k);
	em.factor = dpem_workspace_take(&work, gmm->k * d * (d + 1) / 2);
	em.offset = dpem_workspace_take(&work, gmm->k);
	em.square = dpem_workspace_take(&work, d * d);
	em.work = work;
	for (int i = 0; i < iterations; i++)
	{
		if (cells->pause != NULL)
			cells->pause();
		likelihood = expect(&em);
		if (!isfinite(likelihood) || maximize(&em) != DPEM_OK)
			return -INFINITY;
	}
	return likelihood;
}

/*
 * gam_pairs.c - see gam_pairs.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_pairs.h"
#include "core/numeric/linalg.h"

#define MOST_CELLS	(DPEM_GAM_MAX_PARTS * DPEM_GAM_MAX_PARTS)
#define SWEEPS		1000		/* at most, until what is left of the columns' effects is */
#define NOTHING		1e-14		/* times the largest */

/* ---- parts ---- */

static bool
has_unknown(const DpemGamColumn *column)
{
	return dpem_gam_column_cells(column) > column->bins;
}

int
dpem_gam_parts(const DpemGamColumn *column, int most)
{
	return (column->bins < most ? column->bins : most) + has_unknown(column);
}

/* a bin is in the part that the middle of its rows is in */
static void
divide_bins(int bins, int parts, const double *count, double *part)
{
	double		total = 0;
	double		before = 0;

	for (int i = 0; i < bins; i++)
		total += count[i];
	for (int i = 0; i < bins; i++)
	{
		double		at = total > 0 ? (before + count[i] / 2) / total : (i + 0.5) / bins;

		part[i] = fmin(floor(parts * at), parts - 1);
		before += count[i];
	}
}

static void
divide_categories(int categories, int parts, const double *count, double *part)
{
	for (int i = 0; i < categories; i++)
	{
		int			rank = 0;

		for (int j = 0; j < categories; j++)
			rank += count[j] > count[i] || (count[j] == count[i] && j < i);
		part[i] = categories <= parts ? i : rank < parts ? rank : parts - 1;
	}
}

void
dpem_gam_divide(const DpemGamShape *shape, const double *count, double *part)
{
	for (int c = 0; c < shape->columns; c++)
	{
		const DpemGamColumn *column = &shape->column[c];
		int			parts = column->parts - has_unknown(column);

		if (column->length > 0)
			divide_categories(column->bins, parts, count, part);
		else
			divide_bins(column->bins, parts, count, part);
		if (has_unknown(column))
			part[column->bins] = parts;
		count += dpem_gam_column_cells(column);
		part += dpem_gam_column_cells(column);
	}
}

/* ---- effects of two columns ---- */

/* takes the means of n lines of m cells from the sums, adds them to `effect`; the largest */
static double
take_means(int n, int m, int line, int step, const double *count, double *sum, double *effect, int stride)
{
	double		largest = 0;

	for (int i = 0; i < n; i++)
	{
		double		total = 0;
		double		rows = 0;
		double		mean;

		for (int j = 0; j < m; j++)
		{
			total += sum[i * line + j * step];
			rows += count[i * line + j * step];
		}
		mean = rows > 0 ? total / rows : 0;
		for (int j = 0; j < m; j++)
			sum[i * line + j * step] -= count[i * line + j * step] * mean;
		effect[(size_t) i * stride] += mean;
		largest = fmax(largest, fabs(mean));
	}
	return largest;
}

/*
 * Takes from `sum`, the sums of a function over the rows of each cell, what is a sum of functions of both
 * columns' parts, and adds these to `effect`, in turns until nothing is left.
 */
static void
take_effects(int first, int second, const double *count, double *sum, double *effect, int stride)
{
	double		largest = 0;

	for (int sweep = 0; sweep < SWEEPS; sweep++)
	{
		double		moved = take_means(first, second, second, 1, count, sum, effect, stride);

		moved = fmax(moved, take_means(second, first, 1, second, count, sum, effect + (size_t) first * stride, stride));
		largest = fmax(largest, moved);
		if (moved <= NOTHING * largest)
			break;
	}
}

size_t
dpem_gam_effects_length(const DpemGamShape *shape, int q)
{
	int			parts = shape->column[shape->pair[q].first].parts + shape->column[shape->pair[q].second].parts;

	return (size_t) parts * dpem_gam_term_cells(shape, shape->columns + q);
}

void
dpem_gam_effects(int first, int second, const double *count, double *effect, double *work)
{
	int			cells = first * second;

	memset(effect, 0, (size_t) (first + second) * cells * sizeof(double));
	for (int z = 0; z < cells; z++)
	{
		memset(work, 0, cells * sizeof(double));
		work[z] = count[z];
		take_effects(first, second, count, work, effect + z, cells);
	}
}

/* ---- rows of pairs ---- */

/* rows in each cell of pair q, from pairs of the columns' cells; cleaning may have left some a little below zero */
static void
count_pair(const DpemGamRows *mains, const DpemGamShape *shape, int q, double *count)
{
	const DpemGamPair *pair = &shape->pair[q];
	int			across = shape->column[pair->second].parts;
	int			first = mains->offset[pair->first];
	int			second = mains->offset[pair->second];

	memset(count, 0, dpem_gam_term_cells(shape, shape->columns + q) * sizeof(double));
	for (int i = 0; i < dpem_gam_term_cells(shape, pair->first); i++)
		for (int j = 0; j < dpem_gam_term_cells(shape, pair->second); j++)
			count[(int) shape->part[first + i] * across + (int) shape->part[second + j]] +=
				fmax(mains->second[(size_t) (first + i) * mains->n + second + j], 0);
}

/* each cell's indicator as a sum of functions of its columns: a line of the columns' cells for each cell */
static void
explain_pair(const DpemGamRows *mains, const DpemGamShape *shape, int q, const double *effect, double *explained)
{
	const DpemGamPair *pair = &shape->pair[q];
	int			cells = dpem_gam_term_cells(shape, shape->columns + q);

	memset(explained, 0, (size_t) cells * mains->n * sizeof(double));
	for (int side = 0; side < 2; side++)
	{
		int			column = side == 0 ? pair->first : pair->second;
		int			start = mains->offset[column];
		int			before = side == 0 ? 0 : shape->column[pair->first].parts;

		for (int i = 0; i < dpem_gam_term_cells(shape, column); i++)
			for (int z = 0; z < cells; z++)
				explained[(size_t) z * mains->n + start + i] = effect[(size_t) (before + (int) shape->part[start + i]) * cells + z];
	}
}

/*
 * What pair q's own columns leave of its cells' second moments, which are a diagonal of counts: added to what they
 * explain, `shared` of all pairs' cells, k of them, where this pair's begin at `at`.
 */
static DpemStatus
add_rest(int cells, const double *count, int at, int k, double *shared, DpemWorkspace work)
{
	double	   *rest = dpem_workspace_take(&work, (size_t) cells * cells);
	double	   *scratch = dpem_workspace_take(&work, (size_t) cells * (cells + 1));
	DpemStatus	status;

	for (int y = 0; y < cells; y++)
		for (int z = 0; z < cells; z++)
			rest[y * cells + z] = (y == z ? count[y] : 0) - shared[(size_t) (at + y) * k + at + z];
	status = dpem_linalg_drop_negative(cells, rest, scratch, work.next);
	for (int y = 0; y < cells && status == DPEM_OK; y++)
		for (int z = 0; z < cells; z++)
			shared[(size_t) (at + y) * k + at + z] += rest[y * cells + z];
	return status;
}

typedef struct PairWork
{
	double	   *effect;			/* of one pair */
	double	   *line;			/* its cells */
	double	   *explained;		/* k x mains */
	double	   *cross;			/* k x mains */
	double	   *shared;			/* k x k */
} PairWork;

static PairWork
take_work(int mains, int n, DpemWorkspace *work)
{
	size_t		k = (size_t) (n - mains);
	PairWork	w = {.effect = dpem_workspace_take(work, 2 * (size_t) DPEM_GAM_MAX_PARTS * MOST_CELLS)};

	w.line = dpem_workspace_take(work, MOST_CELLS);
	w.explained = dpem_workspace_take(work, k * mains);
	w.cross = dpem_workspace_take(work, k * mains);
	w.shared = dpem_workspace_take(work, k * k);
	return w;
}

size_t
dpem_gam_pairs_work(int mains, int n)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take_work(mains, n, &dry);
	dpem_workspace_take(&dry, 2 * (size_t) MOST_CELLS * MOST_CELLS + MOST_CELLS);
	dpem_workspace_take(&dry, dpem_linalg_drop_negative_work(MOST_CELLS));
	return dpem_workspace_taken(&dry);
}

/* all pairs of cells, those of the columns as they were */
static void
put_second(const DpemGamRows *mains, const PairWork *w, DpemGamRows *all)
{
	size_t		n = (size_t) all->n;
	size_t		m = (size_t) mains->n;

	for (size_t i = 0; i < m; i++)
		memcpy(all->second + i * n, mains->second + i * m, m * sizeof(double));
	for (size_t y = 0; y < n - m; y++)
	{
		for (size_t i = 0; i < m; i++)
			all->second[i * n + m + y] = all->second[(m + y) * n + i] = w->cross[y * m + i];
		memcpy(all->second + (m + y) * n + m, w->shared + y * (n - m), (n - m) * sizeof(double));
	}
}

DpemStatus
dpem_gam_add_pairs(const DpemGamRows *mains, DpemGamRows *all, DpemWorkspace work)
{
	const DpemGamShape *shape = &all->shape;
	PairWork	w = take_work(mains->n, all->n, &work);
	int			k = all->n - mains->n;
	DpemStatus	status = DPEM_OK;

	memcpy(all->count, mains->count, mains->n * sizeof(double));
	memcpy(all->noise, mains->noise, mains->n * sizeof(double));
	for (int q = 0; q < shape->pairs; q++)
	{
		int			at = all->offset[shape->columns + q];

		count_pair(mains, shape, q, all->count + at);
		dpem_gam_effects(shape->column[shape->pair[q].first].parts, shape->column[shape->pair[q].second].parts, all->count + at, w.effect, w.line);
		explain_pair(mains, shape, q, w.effect, w.explained + (size_t) (at - mains->n) * mains->n);
	}
	dpem_linalg_product(k, mains->n, mains->n, w.explained, mains->second, w.cross);
	dpem_linalg_product_nt(k, k, mains->n, w.cross, mains->n, w.explained, mains->n, w.shared, k);
	for (int q = 0; q < shape->pairs && status == DPEM_OK; q++)
	{
		int			at = all->offset[shape->columns + q];

		status = add_rest(dpem_gam_term_cells(shape, shape->columns + q), all->count + at, at - mains->n, k, w.shared, work);
	}
	put_second(mains, &w, all);
	return status;
}

/* ---- which pairs ---- */

size_t
dpem_gam_gains_work(void)
{
	return 2 * (size_t) MOST_CELLS + 2 * DPEM_GAM_MAX_PARTS;
}

/* of score s's residuals, in those units: of classes by their share, which is a little too large, as what is explained counts */
static double
residual_variance(const DpemGamRows *mains, const DpemGamScore *score)
{
	return mains->shape.targets > 1 ? score->spread : mains->dispersion;
}

/* of sums in cells, in units of their variances */
static double
squares(int cells, const double *count, const double *sum, double residual, double noise)
{
	double		all = 0;

	for (int z = 0; z < cells; z++)
	{
		double		variance = count[z] * residual + noise;

		all += variance > 0 ? sum[z] * sum[z] / variance : 1;
	}
	return all;
}

void
dpem_gam_pair_gains(const DpemGamRows *mains, const DpemGamShape *shape, const DpemNoisyMoments *m, int s,
					const DpemGamScore *score, double *gain, DpemWorkspace work)
{
	double	   *count = dpem_workspace_take(&work, MOST_CELLS);
	double	   *sum = dpem_workspace_take(&work, MOST_CELLS);
	double	   *effect = dpem_workspace_take(&work, 2 * DPEM_GAM_MAX_PARTS);
	double		unit = dpem_gam_residual_unit(mains) / dpem_gam_gradient_mark(shape);
	double		noise = pow(unit * m->count_sd, 2);
	const double *value = m->value + (size_t) s * dpem_gam_cells(shape) + mains->n;

	for (int q = 0; q < shape->pairs; q++)
	{
		int			cells = dpem_gam_term_cells(shape, shape->columns + q);
		const DpemGamPair *pair = &shape->pair[q];
		double		most;
		double		left;

		count_pair(mains, shape, q, count);
		for (int z = 0; z < cells; z++)
			sum[z] = unit * value[z];
		most = squares(cells, count, sum, residual_variance(mains, score), noise);
		memset(effect, 0, 2 * DPEM_GAM_MAX_PARTS * sizeof(double));
		take_effects(shape->column[pair->first].parts, shape->column[pair->second].parts, count, sum, effect, 1);
		left = squares(cells, count, sum, residual_variance(mains, score), noise);
		/* effects without end, of sums in cells that noise has left without rows, say nothing */
		gain[q] += left <= most ? left - cells : 0;
		value += cells;
	}
}

void
dpem_gam_best_pairs(const double *gain, int pairs, int n, int *chosen)
{
	int			found = 0;

	for (int q = 0; q < pairs; q++)
	{
		int			rank = 0;

		/* one that is no number is less than all */
		for (int e = 0; e < pairs; e++)
			rank += gain[e] > gain[q] || (e < q && gain[e] == gain[q]) || (isnan(gain[q]) && (e < q || !isnan(gain[e])));
		if (rank < n)
			chosen[found++] = q;
	}
}

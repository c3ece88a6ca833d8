/*
 * gam_result.c - contributions about their mean over all rows, and what is known of their errors.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_pairs.h"
#include "core/gam/gam_posterior.h"
#include "core/numeric/linalg.h"

/* variance of sum_i v_i b_i over all coefficients: v' K v - |reduced v|^2, and of its noise, N |V^-1 H K v|^2 */
static void
variance_of(const DpemGamRows *rows, const DpemGamPosterior *posterior, const double *v, double *work, double *sd, double *noise)
{
	int			n = rows->n;
	double	   *reduced = work;
	double	   *lever = work + n;
	double		sum = 0;
	double		square = 0;
	double		total = 0;

	dpem_linalg_product(n, 1, n, posterior->reduced, v, reduced);
	for (int i = 0; i < n; i++)
	{
		total += v[i];
		sum -= reduced[i] * reduced[i];
	}
	memcpy(lever, reduced, n * sizeof(double));
	dpem_linalg_solve_lower(n, posterior->factor, true, 1, lever);
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		const double *block = dpem_gam_block(rows, posterior, c);
		int			s = rows->offset[c + 1] - rows->offset[c];
		const double *own = v + rows->offset[c];

		for (int i = 0; i < s; i++)
			for (int j = 0; j < s && own[i] != 0; j++)
				sum += own[i] * block[(size_t) i * s + j] * own[j];
	}
	sum += posterior->constant * total * total;
	for (int i = 0; i < n; i++)
		square += lever[i] * lever[i];
	*sd = sqrt(rows->dispersion * fmax(sum, 0));
	*noise = sqrt(rows->dispersion * posterior->noise * square);
}

/* weights of coefficients in what is reported */
typedef struct Levels
{
	double	  **effect;			/* of each pair, as dpem_gam_effects has it */
	double	   *column;			/* n: in a column's mean over all rows */
	double	   *all;			/* n: in the intercept */
	double	   *own;			/* n */
} Levels;

/* adds `times` the effects of pairs of column c in its cell i to v */
static void
add_effects(const DpemGamRows *rows, const Levels *levels, int c, int i, double times, double *v)
{
	const DpemGamShape *shape = &rows->shape;

	for (int q = 0; q < shape->pairs; q++)
	{
		int			cells = dpem_gam_term_cells(shape, shape->columns + q);
		int			before = shape->pair[q].first == c ? 0 : shape->column[shape->pair[q].first].parts;

		if (shape->pair[q].first != c && shape->pair[q].second != c)
			continue;
		for (int z = 0; z < cells; z++)
			v[rows->offset[shape->columns + q] + z] += times * levels->effect[q][(before + (int) shape->part[i]) * cells + z];
	}
}

static void
find_level(const DpemGamRows *rows, const Levels *levels, int c)
{
	double		all = 0;

	memset(levels->column, 0, rows->n * sizeof(double));
	for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
		all += rows->count[i];
	for (int i = rows->offset[c]; i < rows->offset[c + 1] && all > 0; i++)
	{
		levels->column[i] = rows->count[i] / all;
		add_effects(rows, levels, c, i, rows->count[i] / all, levels->column);
	}
	for (int i = 0; i < rows->n; i++)
		levels->all[i] += levels->column[i];
}

/* of cell i of pair q: less the effects of both of its parts */
static void
take_pair(const DpemGamRows *rows, const Levels *levels, int q, int i, double *v)
{
	const DpemGamShape *shape = &rows->shape;
	const DpemGamPair *pair = &shape->pair[q];
	int			start = rows->offset[shape->columns + q];
	int			cells = dpem_gam_term_cells(shape, shape->columns + q);
	int			across = shape->column[pair->second].parts;
	const double *first = levels->effect[q] + (i - start) / across * cells;
	const double *second = levels->effect[q] + (shape->column[pair->first].parts + (i - start) % across) * cells;

	for (int z = 0; z < cells; z++)
		v[start + z] -= first[z] + second[z];
}

static void
finish_cell(const DpemGamRows *rows, const DpemGamPosterior *posterior, const Levels *levels, int c, int i, DpemGamResult *result)
{
	double	   *v = levels->own;

	for (int j = 0; j < rows->n; j++)
		v[j] = (j == i) - (c < rows->shape.columns ? levels->column[j] : 0);
	if (c < rows->shape.columns)
		add_effects(rows, levels, c, i, 1, v);
	else
		take_pair(rows, levels, c - rows->shape.columns, i, v);
	result->contribution[i] = 0;
	for (int j = 0; j < rows->n; j++)
		result->contribution[i] += v[j] * posterior->mean[j];
	variance_of(rows, posterior, v, v + rows->n, &result->sd[i], &result->noise[i]);
}

static Levels
take_levels(const DpemGamRows *rows, double **effect, DpemWorkspace *work)
{
	const DpemGamShape *shape = &rows->shape;
	size_t		n = (size_t) rows->n;
	Levels		levels = {.effect = effect,.column = dpem_workspace_take(work, n),.all = dpem_workspace_take(work, n)};

	levels.own = dpem_workspace_take(work, 3 * n);
	memset(levels.all, 0, n * sizeof(double));
	for (int q = 0; q < shape->pairs; q++)
	{
		effect[q] = dpem_workspace_take(work, dpem_gam_effects_length(shape, q));
		dpem_gam_effects(shape->column[shape->pair[q].first].parts, shape->column[shape->pair[q].second].parts,
						 rows->count + rows->offset[shape->columns + q], effect[q], levels.own);
	}
	return levels;
}

DpemStatus
dpem_gam_finish(const DpemGamRows *rows, const DpemGamScore *score, DpemGamResult *result, DpemWorkspace work)
{
	double	   *effect[DPEM_GAM_MAX_CELLS];
	DpemGamPosterior posterior;
	DpemStatus	status = dpem_gam_solve(rows, score, &posterior, &work);
	Levels		levels;

	if (status != DPEM_OK)
		return status;
	dpem_gam_reduce(rows, &posterior);
	levels = take_levels(rows, effect, &work);
	result->intercept = rows->shape.targets == 1 ? rows->shape.middle : 0;
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		if (c < rows->shape.columns)
			find_level(rows, &levels, c);
		for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
			finish_cell(rows, &posterior, &levels, c, i, result);
	}
	for (int i = 0; i < rows->n; i++)
		result->intercept += levels.all[i] * posterior.mean[i];
	variance_of(rows, &posterior, levels.all, levels.own, &result->intercept_sd, &result->intercept_noise);
	return DPEM_OK;
}

/*
 * gam_result.c - contributions about their mean over all rows, what of a number's is kept, and what is known of their errors.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_pairs.h"
#include "core/gam/gam_posterior.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"

/* to sum: m, v' K v of every column v of weight (n x m), most terms of which have none; work: n x m */
static void
add_prior(const DpemGamRows *rows, const DpemGamPosterior *posterior, int m, const double *weight, double *work, double *sum)
{
	const double *block = posterior->prior;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		int			s = dpem_gam_cells_of(rows, c);
		const double *own = weight + (size_t) rows->offset[c] * m;
		size_t		length = (size_t) s * m;
		size_t		zeros = 0;

		while (zeros < length && own[zeros] == 0)
			zeros++;
		if (zeros < length)
			dpem_linalg_product(s, m, s, block, own, work);
		for (size_t i = zeros; i < length; i++)
			sum[i % m] += own[i] * work[i];
		block += (size_t) s * s;
	}
}

static void
add_squares(int n, int m, double factor, const double *x, double *sum)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			sum[j] += factor * x[(size_t) i * m + j] * x[(size_t) i * m + j];
}

/*
 * For each of the m columns v of weight (n x m) the variance of sum_i v_i b_i over all coefficients: v' K v - |reduced v|^2,
 * and of its noise, N |V^-1 H K v|^2, as standard deviations.  work: n x m.
 */
static void
variances_of(const DpemGamRows *rows, const DpemGamPosterior *posterior, int m, const double *weight, double *work, double *sd, double *noise)
{
	int			n = rows->n;

	memset(sd, 0, m * sizeof(double));
	memset(noise, 0, m * sizeof(double));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			noise[j] += weight[(size_t) i * m + j];
	for (int j = 0; j < m; j++)
		sd[j] = posterior->constant * noise[j] * noise[j];
	add_prior(rows, posterior, m, weight, work, sd);
	dpem_linalg_product(n, m, n, posterior->reduced, weight, work);
	add_squares(n, m, -1, work, sd);
	dpem_linalg_solve_lower(n, posterior->factor, true, m, work);
	memset(noise, 0, m * sizeof(double));
	add_squares(n, m, posterior->noise, work, noise);
	for (int j = 0; j < m; j++)
	{
		sd[j] = sqrt(rows->dispersion * fmax(sd[j], 0));
		noise[j] = sqrt(rows->dispersion * noise[j]);
	}
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

/* levels->own: weights of all coefficients in what is reported of cell i of term c */
static void
weigh_cell(const DpemGamRows *rows, const Levels *levels, int c, int i)
{
	double	   *v = levels->own;

	for (int j = 0; j < rows->n; j++)
		v[j] = (j == i) - (c < rows->shape.columns ? levels->column[j] : 0);
	if (c < rows->shape.columns)
		add_effects(rows, levels, c, i, 1, v);
	else
		take_pair(rows, levels, c - rows->shape.columns, i, v);
}

/* all cells of a term at once: the gain is of no use any more, and makes room for their weights */
static void
finish_term(const DpemGamRows *rows, const DpemGamPosterior *posterior, const Levels *levels, int c, DpemGamResult *result)
{
	int			first = rows->offset[c];
	int			m = rows->offset[c + 1] - first;
	double	   *weight = posterior->gain;

	for (int i = first; i < first + m; i++)
	{
		weigh_cell(rows, levels, c, i);
		result->contribution[i] = 0;
		for (int j = 0; j < rows->n; j++)
		{
			result->contribution[i] += levels->own[j] * posterior->mean[j];
			weight[(size_t) j * m + i - first] = levels->own[j];
		}
	}
	variances_of(rows, posterior, m, weight, posterior->spare, result->sd + first, result->noise + first);
}

/* adds noise of that variance to n of the deviations */
static void
add_noise(int n, double variance, double *sd, double *noise)
{
	for (int i = 0; i < n; i++)
	{
		sd[i] = hypot(sd[i], sqrt(variance));
		noise[i] = hypot(noise[i], sqrt(variance));
	}
}

/*
 * Contributions add up to 0 over counts, and the noise in these, which moves a count no farther than to 0, moves what they add
 * up to over the rows: from the intercept to all contributions of the column, which have it then.  Returns its variance.
 */
static double
add_level_noise(const DpemGamRows *rows, int c, DpemGamResult *result)
{
	int			first = rows->offset[c];
	double		sum = 0;

	for (int i = first; i < rows->offset[c + 1]; i++)
		sum += result->contribution[i] * result->contribution[i] * rows->noise[i];
	sum /= rows->rows * rows->rows;
	add_noise(dpem_gam_cells_of(rows, c), sum, result->sd + first, result->noise + first);
	return sum;
}

/* the intercept's, in gradients' noise and in that of all columns' levels */
static void
finish_intercept(const DpemGamRows *rows, const DpemGamScore *score, const DpemGamPosterior *posterior, const Levels *levels, double moved, DpemGamResult *result)
{
	double		own;

	result->intercept = rows->shape.targets == 1 ? rows->shape.middle : 0;
	for (int i = 0; i < rows->n; i++)
		result->intercept += levels->all[i] * posterior->mean[i];
	variances_of(rows, posterior, 1, levels->all, levels->own, &result->intercept_sd, &result->intercept_noise);
	own = pow(result->intercept_noise, 2);
	add_noise(1, own * (pow(dpem_gam_steepness(rows, score, levels->own), 2) - 1) + moved, &result->intercept_sd, &result->intercept_noise);
}

/* ---- of a number: nearer to its mean alone ---- */

/* mean square over all rows, a term after the other */
static double
mean_square(const DpemGamRows *rows, const double *x)
{
	double		sum = 0;

	for (int i = 0; i < rows->n; i++)
		sum += rows->count[i] * x[i] * x[i];
	return sum / rows->rows;
}

/*
 * The part of all contributions that is kept: as James and Stein (1961) have it, 1 less what noise is of what they explain.  But they are the
 * posterior's, which has taken noise into account: only where it may add much to the target's variance that is not enough.
 */
static double
part_kept(const DpemGamRows *rows, const DpemGamResult *result)
{
	double		explained = mean_square(rows, result->contribution);
	double		noise = mean_square(rows, result->noise);
	double		much = noise / (dpem_gam_rules.much_noise * rows->variance);

	if (rows->shape.targets > 1 || rows->exact || !(explained > 0) || !(much > 0))
		return 1;
	return fmax(1 - noise / explained * fmin(much * much, 1), 0);
}

/* the error is that of the posterior, about what is left; noise is stated as if nothing had been taken, which is no less than there is */
static void
keep_part(const DpemGamRows *rows, DpemGamResult *result)
{
	double		part = part_kept(rows, result);

	if (part == 1)
		return;
	for (int i = 0; i < rows->n; i++)
	{
		result->sd[i] = hypot(result->sd[i], (1 - part) * result->contribution[i]);
		result->contribution[i] *= part;
	}
}

static Levels
take_levels(const DpemGamRows *rows, double **effect, DpemWorkspace *work)
{
	const DpemGamShape *shape = &rows->shape;
	size_t		n = (size_t) rows->n;
	Levels		levels = {.effect = effect,.column = dpem_workspace_take(work, n),.all = dpem_workspace_take(work, n)};

	levels.own = dpem_workspace_take(work, n);
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
	double		moved = 0;

	if (status != DPEM_OK)
		return status;
	dpem_gam_reduce(rows, &posterior);
	levels = take_levels(rows, effect, &work);
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		if (c < rows->shape.columns)
			find_level(rows, &levels, c);
		finish_term(rows, &posterior, &levels, c, result);
		if (c < rows->shape.columns)
			moved += add_level_noise(rows, c, result);
	}
	finish_intercept(rows, score, &posterior, &levels, moved, result);
	keep_part(rows, result);
	return DPEM_OK;
}

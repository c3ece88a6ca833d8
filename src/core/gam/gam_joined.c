/*
 * gam_joined.c - see gam_join.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_join.h"

#define NOT_SEEN	(-1)

/* ---- shapes ---- */

DpemGamShape
dpem_gam_seen_shape(const DpemGamShape *shape, DpemGamColumn *column)
{
	DpemGamShape seen = *shape;

	seen.columns = 0;
	seen.column = column;
	seen.joined = seen.edge = NULL;
	for (int c = 0; c < shape->columns; c++)
	{
		const DpemGamColumn *from = &shape->column[c];
		DpemGamColumn *to = &column[seen.columns];

		if (from->joined == 0)
			continue;
		*to = *from;
		to->bins = from->joined - (dpem_gam_column_cells(from) - from->bins);
		to->joined = 0;
		seen.columns++;
	}
	return seen;
}

DpemGamShape
dpem_gam_passed_shape(const DpemGamShape *shape, const DpemGamShape *seen, DpemGamColumn *column, double *part)
{
	DpemGamShape passed = *seen;
	const double *joined = shape->joined;
	const double *own = seen->part;
	int			at = 0;

	passed.columns = shape->columns;
	passed.column = column;
	passed.joined = shape->joined;
	passed.edge = shape->edge;
	passed.part = part;
	for (int c = 0; c < shape->columns; c++)
	{
		bool		parts = shape->column[c].joined > 0 && seen->pairs > 0;

		column[c] = shape->column[c];
		column[c].parts = parts ? seen->column[at].parts : 0;
		for (int i = dpem_gam_column_cells(&column[c]); i > 0; i--, joined++)
			*part++ = parts ? own[(int) *joined] : 0;
		own += parts ? column[c].joined : 0;
		at += column[c].joined > 0;
	}
	return passed;
}

/* ---- rows ---- */

/* place: of each of the shape's cells that among those that are seen */
static void
find_places(const DpemGamShape *shape, int *place)
{
	const double *joined = shape->joined;
	int			offset = 0;

	for (int c = 0; c < shape->columns; offset += shape->column[c++].joined)
		for (int i = dpem_gam_column_cells(&shape->column[c]); i > 0; i--, joined++)
			*place++ = shape->column[c].joined > 0 ? offset + (int) *joined : NOT_SEEN;
}

/* to: n x n */
static void
add_pairs(const DpemGamRows *from, const int *place, int n, double *to)
{
	memset(to, 0, (size_t) n * n * sizeof(double));
	for (int i = 0; i < from->n; i++)
	{
		const double *second = from->second + (size_t) i * from->n;

		for (int j = 0; j < from->n && place[i] != NOT_SEEN; j++)
			if (place[j] != NOT_SEEN)
				to[(size_t) place[i] * n + place[j]] += second[j];
	}
}

void
dpem_gam_join_pairs(const DpemGamRows *from, const DpemGamShape *shape, int n, double *pairs)
{
	int			place[DPEM_GAM_MAX_CELLS];

	find_places(shape, place);
	add_pairs(from, place, n, pairs);
}

void
dpem_gam_keep_pairs(const DpemGamShape *shape, int n, const double *pairs, DpemGamRows *to)
{
	int			from[DPEM_GAM_MAX_CELLS];
	int			left = 0;
	int			at = 0;
	int			cell = 0;

	for (int c = 0; c < shape->columns; c++)
	{
		int			own;

		at += dpem_gam_column_cells(&shape->column[c]);
		own = (int) shape->joined[at - 1] + 1;
		for (int i = 0; i < own; i++, cell++)
			if (shape->column[c].joined > 0)
				from[left++] = cell;
	}
	for (int i = 0; i < left; i++)
		for (int j = 0; j < left; j++)
			to->second[(size_t) i * to->n + j] = pairs[(size_t) from[i] * n + from[j]];
}

void
dpem_gam_join_rows(const DpemGamRows *from, const DpemGamShape *shape, DpemGamRows *to)
{
	size_t		n = (size_t) to->n;
	int			place[DPEM_GAM_MAX_CELLS];
	DpemGamRows joined = *from;

	joined.shape = to->shape;
	joined.shape.bins_middle = from->shape.bins_middle;
	joined.shape.bins_half = from->shape.bins_half;
	joined.shape.middle = from->shape.middle;
	joined.shape.reach = from->shape.reach;
	joined.n = to->n;
	joined.pair_sd = from->pair_sd * from->n / to->n;
	joined.offset = to->offset;
	joined.count = memset(to->count, 0, n * sizeof(double));
	joined.noise = memset(to->noise, 0, n * sizeof(double));
	joined.second = to->second;
	find_places(shape, place);
	add_pairs(from, place, to->n, to->second);
	for (int i = 0; i < from->n; i++)
		if (place[i] != NOT_SEEN)
		{
			joined.count[place[i]] += from->count[i];
			joined.noise[place[i]] += from->noise[i];
		}
	*to = joined;
}

void
dpem_gam_join_start(const DpemGamRows *from, const DpemGamShape *shape, const DpemGamScore *start, const DpemGamRows *to, DpemGamScore *joined, double *together)
{
	int			place[DPEM_GAM_MAX_CELLS];

	find_places(shape, place);
	memset(joined->linear, 0, (size_t) to->n * sizeof(double));
	memset(together, 0, (size_t) to->n * sizeof(double));
	for (int i = 0; i < from->n; i++)
		if (place[i] != NOT_SEEN)
		{
			joined->linear[place[i]] += start->linear[i];
			together[place[i]]++;
		}
	joined->weight = start->weight;
	joined->noise = start->noise;
	joined->spread = start->spread;
	joined->together = together;
}

void
dpem_gam_forget_start(const DpemGamRows *rows, DpemGamScore *score)
{
	size_t		n = (size_t) rows->n;

	memset(score->linear, 0, n * sizeof(double));
	memset(score->curvature, 0, n * n * sizeof(double));
	score->weight = score->noise = 0;
	score->together = NULL;
}

/* what scores have, on average, of columns that are not seen is each other column's in equal parts */
void
dpem_gam_join_mean(const DpemGamRows *from, const DpemGamShape *shape, const double *mean, const DpemGamRows *to, double *joined)
{
	int			place[DPEM_GAM_MAX_CELLS];
	double		rest = 0;

	memset(joined, 0, (size_t) to->n * sizeof(double));
	find_places(shape, place);
	for (int i = 0; i < from->n; i++)
		if (place[i] == NOT_SEEN)
			rest += mean[i] * from->count[i] / from->rows;
		else if (to->count[place[i]] > 0)
			joined[place[i]] += mean[i] * from->count[i] / to->count[place[i]];
	for (int i = 0; i < to->n; i++)
		joined[i] += rest / to->shape.columns;
}

/* ---- results ---- */

/* bins that are one with bin i of a column, itself among them */
static int
bins_with(const double *joined, int bins, int i)
{
	int			n = 0;

	for (int j = 0; j < bins; j++)
		n += joined[j] == joined[i];
	return n;
}

/* of m neighbours about their mean, on average, in a walk of that variance a step */
static double
walk_variance(int m, double step)
{
	return step * ((double) m * m - 1) / (6 * m);
}

/* at: its cell of those that are seen; -1: the column is not; term: of those */
static void
part_cell(const DpemGamRows *seen, const DpemGamScore *score, const DpemGamResult *result, int at, int together, double step, int i, DpemGamResult *all)
{
	double		apart = seen->dispersion * score->scale * walk_variance(together, step);

	all->contribution[i] = at >= 0 ? result->contribution[at] : 0;
	all->noise[i] = at >= 0 ? result->noise[at] : 0;
	all->sd[i] = hypot(at >= 0 ? result->sd[at] : 0, sqrt(apart));
}

void
dpem_gam_part_result(const DpemGamRows *seen, const DpemGamScore *score, const DpemGamResult *result, const DpemGamShape *passed, DpemGamResult *all)
{
	const double *joined = passed->joined;
	int			term = 0;
	int			i = 0;

	all->intercept = result->intercept;
	all->intercept_sd = result->intercept_sd;
	all->intercept_noise = result->intercept_noise;
	for (int c = 0; c < passed->columns; c++)
	{
		const DpemGamColumn *column = &passed->column[c];
		int			cells = dpem_gam_column_cells(column);

		for (int j = 0; j < cells; j++, i++)
		{
			int			together = column->length > 0 || j >= column->bins ? 1 : column->joined == 0 ? column->bins : bins_with(joined, column->bins, j);
			double		step = column->joined > 0 ? score->step[term] / together : 2 * dpem_gam_expected_step(passed, c);

			part_cell(seen, score, result, column->joined > 0 ? seen->offset[term] + (int) joined[j] : NOT_SEEN, together, step, i, all);
		}
		joined += cells;
		term += column->joined > 0;
	}
	for (int from = seen->offset[term]; from < seen->n; from++, i++)
		part_cell(seen, score, result, from, 1, 0, i, all);
}

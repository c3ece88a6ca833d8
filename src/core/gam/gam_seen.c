/*
 * gam_seen.c - what releases have told of cells, and which columns gradients see: see gam_join.h.
 */
#include <math.h>

#include "core/gam/gam_join.h"
#include "core/gam/gam_rules.h"
#include "core/gam/gam_shape.h"

/* ---- rows and scores ---- */

/* what a row tells of scores */
static double
told_by_row(const DpemGamRows *rows)
{
	int			k = rows->shape.targets;
	double		spread = 0;

	if (k == 1)
		return sqrt(rows->variance) / rows->shape.reach;
	for (int t = k == 2; t < k; t++)
		spread += rows->share[t] * (1 - rows->share[t]) / (k == 2 ? 1 : k);
	return spread;
}

/* variance of what rows differ by, in parts of that */
static double
chance_of(const DpemGamRows *rows)
{
	return rows->shape.targets == 1 ? told_by_row(rows) : 1;
}

void
dpem_gam_see_rows(const DpemGamRows *rows, int models, DpemGamSeen *seen)
{
	seen->rows += rows->rows;
	seen->told += rows->rows * told_by_row(rows) / models;
	seen->chance += chance_of(rows) / models;
}

/* rows are taken to be no fewer than noise could hide: here they may be */
bool
dpem_gam_hides_classes(const DpemGamRows *rows, double noise)
{
	double		all = rows->public ? rows->rows : rows->counted - dpem_gam_rules.doubtful * rows->counted_sd;

	return rows->shape.targets > 1 && !rows->exact &&
		all * told_by_row(rows) < (rows->shape.targets == 2 ? dpem_gam_rules.hidden_classes : dpem_gam_rules.hidden_several) * noise;
}

double
dpem_gam_excess(const DpemGamRows *rows, const DpemGamScore *score, double *excess)
{
	double		unit = dpem_gam_residual_unit(rows);

	for (int i = 0; i < rows->n; i++)
		excess[i] = score->linear[i] / unit;
	return sqrt(score->noise) / unit;
}

/* ---- columns ---- */

/* what gradients at the coefficients so far may show in a cell, or in several that are one */
typedef struct Cell
{
	int			from;			/* those that are one */
	int			end;
	double		part;			/* of the rows */
	double		told;			/* by a coefficient of 1, */
	double		chance;			/* variance of what rows differ by, */
	double		noise;			/* and of the noise in their excess, */
	double		square;			/* whose square this is, mean over scores */
	double		expected;		/* square of what it tells that no other column does */
} Cell;

typedef struct Columns
{
	int			n;
	int			at[DPEM_GAM_MAX_COLUMNS + 1];	/* first cell of each */
	Cell		cell[DPEM_GAM_MAX_CELLS];
	int			order[DPEM_GAM_MAX_COLUMNS];	/* first that tell most */
	double		effect;			/* expected square of a coefficient of one column alone */
	double		apart;
} Columns;

static double
excess_of(const DpemGamSeen *seen, int t, int from, int end)
{
	double		sum = 0;

	for (int i = from; i < end; i++)
		sum += seen->excess[t][i];
	return sum;
}

static Cell
cell_of(const DpemGamSeen *seen, int from, int end)
{
	Cell		cell = {.from = from,.end = end};

	for (int i = from; i < end; i++)
		cell.part += seen->count[i] / seen->rows;
	cell.told = seen->told * cell.part * fmax(1 - cell.part, 0);
	cell.chance = cell.told * seen->chance;
	for (int t = 0; t < seen->scores; t++)
	{
		cell.square += pow(excess_of(seen, t, from, end), 2) / seen->scores;
		cell.noise += pow(seen->excess_sd[t], 2) * (end - from) / seen->scores;
	}
	return cell;
}

static void
see_columns(int columns, const DpemGamColumn *column, const DpemGamSeen *seen, const double *joined, Columns *to)
{
	int			from = 0;
	int			n = 0;

	to->n = columns;
	for (int c = 0; c < columns; c++)
	{
		int			last = from + dpem_gam_column_cells(&column[c]);

		to->order[c] = c;
		to->at[c] = n;
		for (int end = from; from < last; from = end)
		{
			while (end < last && joined[end] == joined[from])
				end++;
			to->cell[n++] = cell_of(seen, from, end);
		}
	}
	to->at[columns] = n;
}

/* of a cell's excess what is not likely to be noise, where coefficients have such a variance */
static double
kept(const Cell *cell, double effect)
{
	double		prior = cell->told * cell->told * effect;

	return prior > 0 ? prior / (prior + cell->noise + cell->chance) : 0;
}

/* expected square of what a cell tells, given so many parts of its excess: that may be other columns', and is noise where it is chosen for being large */
static double
square_told(const Cell *cell, double effect, double own)
{
	double		part = kept(cell, effect);
	double		seen = cell->told * cell->told * effect * (1 - part) + part * part * cell->square;

	return own * seen + (1 - own) * cell->told * cell->told * effect;
}

/* that variance by expectation and maximisation, as far as steps from what is expected beforehand go */
static double
find_effect(const Columns *columns)
{
	double		effect = dpem_gam_rules.effect;

	for (int step = 0; step < dpem_gam_rules.first_updates; step++)
	{
		double		sum = 0;
		int			n = 0;

		for (int i = 0; i < columns->at[columns->n]; i++)
			if (columns->cell[i].told > 0)
			{
				sum += square_told(&columns->cell[i], effect, 1) / pow(columns->cell[i].told, 2);
				n++;
			}
		effect = n > 0 ? sum / n : effect;
	}
	return effect;
}

/* scores of cells by what each column tells of score t by itself, about their mean over all rows */
static void
set_alone(const Columns *columns, const DpemGamSeen *seen, int t, double *score)
{
	for (int c = 0; c < columns->n; c++)
	{
		double		mean = 0;

		for (int i = columns->at[c]; i < columns->at[c + 1]; i++)
		{
			const Cell *cell = &columns->cell[i];

			score[i] = cell->told > 0 ? kept(cell, columns->effect) * excess_of(seen, t, cell->from, cell->end) * (1 - cell->part) / cell->told : 0;
			mean += score[i] * cell->part;
		}
		for (int i = columns->at[c]; i < columns->at[c + 1]; i++)
			score[i] -= mean;
	}
}

/* adds squares of a row's scores, times the rows: of all columns' cells from `from` to before `end` together */
static double
square_of_scores(int n, const double *pairs, const double *score, int from, int end)
{
	double		sum = 0;

	for (int i = from; i < end; i++)
		for (int j = from; j < end; j++)
			sum += score[i] * pairs[(size_t) i * n + j] * score[j];
	return sum;
}

/* how much of what each column tells by itself no other does: what they tell in parts of what all together would */
static double
find_apart(const Columns *columns, const DpemGamSeen *seen)
{
	int			n = columns->at[columns->n];
	double		score[DPEM_GAM_MAX_CELLS];
	double		alone = 0;
	double		together = 0;

	for (int t = 0; t < seen->scores; t++)
	{
		set_alone(columns, seen, t, score);
		together += square_of_scores(n, seen->pairs, score, 0, n);
		for (int c = 0; c < columns->n; c++)
			alone += square_of_scores(n, seen->pairs, score, columns->at[c], columns->at[c + 1]);
	}
	return together > alone ? alone / together : 1;
}

/*
 * What a column is expected to add to the log-likelihood, but for a factor of 2, if gradients have such noise.  Where columns tell
 * in part the same, each adds the less to the others, and noise in what they tell apart is larger.
 */
static double
gain(const Columns *columns, int c, double noise)
{
	double		sum = 0;

	for (int i = columns->at[c]; i < columns->at[c + 1]; i++)
	{
		const Cell *cell = &columns->cell[i];

		if (cell->chance > 0)
			sum += cell->expected / cell->chance * cell->expected / (cell->expected + cell->chance + noise * noise / columns->apart);
	}
	return sum;
}

/* of the first columns in order, with noise for so many; the one that tells least comes last among them */
static double
rank_last(Columns *columns, int left, double noise)
{
	double		sum = 0;
	double		least = INFINITY;
	int			last = left - 1;
	int			c;

	for (int i = 0; i < left; i++)
	{
		double		here = gain(columns, columns->order[i], noise);

		sum += here;
		if (here < least)
		{
			least = here;
			last = i;
		}
	}
	c = columns->order[last];
	columns->order[last] = columns->order[left - 1];
	columns->order[left - 1] = c;
	return sum;
}

void
dpem_gam_leave_out(int columns, DpemGamColumn *column, const DpemGamSeen *seen, const double *joined)
{
	Columns		all;
	double		best = -1;
	int			most = columns;

	see_columns(columns, column, seen, joined, &all);
	all.effect = find_effect(&all);
	all.apart = find_apart(&all, seen);
	for (int i = 0; i < all.at[columns]; i++)
		all.cell[i].expected = all.apart * square_told(&all.cell[i], all.effect, dpem_gam_rules.own);
	for (int left = columns; left > 0; left--)
	{
		double		here = rank_last(&all, left, seen->noise * sqrt((double) left / columns));

		if (here >= best)
		{
			best = here;
			most = left;
		}
	}
	for (int i = most; i < columns; i++)
		column[all.order[i]].joined = 0;
}

/*
 * synth_refine.c - tables of a model that were released by themselves: see synth_use.h.
 *
 * A step of iterative proportional fitting with one table more than the model has: with m the model's cells and y those
 * released, the least of  sum (p - y)^2 / (2 v) + ridge KL(p, m)  over tables p of the model's total is m exp(x), where
 *     m exp(x) + ridge v (x + price) = y
 * and the price, the same for all cells, is that at which they add up.  The ridge is learnt as for a table of the model
 * (dpem_synth_learn_ridge), level by level, from few large groups to categories.
 */
#include <math.h>
#include <string.h>

#include "core/numeric/vector.h"
#include "core/synth/synth_belief.h"
#include "core/synth/synth_rules.h"
#include "core/synth/synth_use.h"

#define PRICE_STEPS 50			/* Newton's; the sum is convex in the price, so that all but the first come from one side */
#define RAKINGS		100
#define RAKED		1e-9		/* largest change of a cell, relative, at which its sums are right */
#define WORK_PER_CELL 16
#define LEAST_SHARE 1e-4		/* of the rows, spread over all cells of a table before it is refined */

/* the root, from the right, where Newton's steps do not overshoot */
double
dpem_synth_solve_cell(double m, double y, double ridge)
{
	double		x = y > m ? fmin(log(y / fmax(m, 1e-300)), y / ridge) : 0;

	for (int i = 0; i < 30; i++)
	{
		double		grown = m * exp(x);
		double		step = (grown + ridge * x - y) / (grown + ridge);

		x -= step;
		if (fabs(step) < 1e-9)
			break;
	}
	return x;
}

typedef struct Level
{
	size_t		n;
	double	   *released;
	double	   *ridge;			/* the variance of released; then times the ridge */
	double	   *model;
	double	   *factor;
} Level;

/* factors at a price; the sum they lead to, and how fast it falls with the price */
static double
sum_at(Level *level, double price, double *slope)
{
	double		sum = 0;

	*slope = 0;
	for (size_t i = 0; i < level->n; i++)
	{
		double		ridge = level->ridge[i];
		double		grown;

		level->factor[i] = exp(dpem_synth_solve_cell(level->model[i], level->released[i] - ridge * price, ridge));
		grown = level->model[i] * level->factor[i];
		sum += grown;
		*slope += ridge * grown / (grown + ridge);
	}
	return sum;
}

static void
find_factors(Level *level, double total)
{
	double		price = 0;

	for (int i = 0; i < PRICE_STEPS; i++)
	{
		double		slope;
		double		over = sum_at(level, price, &slope) - total;

		if (fabs(over) < 1e-9 * total || !(slope > 0))
			return;
		price += over / slope;
	}
}

static Level
take_level(size_t n, DpemWorkspace *work)
{
	Level		level = {.n = n};

	level.released = dpem_workspace_take(work, n);
	level.ridge = dpem_workspace_take(work, n);
	level.model = dpem_workspace_take(work, n);
	level.factor = dpem_workspace_take(work, n);
	return level;
}

/* sums of a level's cells over those of the level above: n of them; parent[i] is that of cell i */
typedef struct Above
{
	double	   *expected;
	double	   *released;
	double	   *variance;		/* 0 without a level above, as the rows are known */
} Above;

static Above
sum_above(const Level *level, const int *parent, size_t n, DpemWorkspace *work)
{
	Above		above;

	above.expected = dpem_workspace_take(work, n);
	above.released = dpem_workspace_take(work, n);
	above.variance = dpem_workspace_take(work, n);
	memset(above.expected, 0, n * sizeof(double));
	memset(above.released, 0, n * sizeof(double));
	memset(above.variance, 0, n * sizeof(double));
	for (size_t i = 0; i < level->n; i++)
	{
		above.expected[parent[i]] += level->model[i];
		above.released[parent[i]] += level->released[i];
		above.variance[parent[i]] += n > 1 ? level->ridge[i] : 0;
	}
	return above;
}

/*
 * The ridge from how the cells of a level divide those above, which is the same whatever of these was taken in before.  What
 * cell i has beyond its share of y above has variance v (1 - 2 share) + share^2 v above of noise, and its rows times 1 - share
 * over the ridge; cells count by their rows, and part of what noise alone makes of the sum is left out.
 */
static double
learn_ridge(const Level *level, const int *parent, size_t parents, DpemWorkspace work)
{
	Above		above = sum_above(level, parent, parents, &work);
	double		excess = 0;
	double		squares = 0;
	double		doubt = 0;

	for (size_t i = 0; i < level->n; i++)
	{
		double		rows = above.expected[parent[i]];
		double		share = rows > 0 ? level->model[i] / rows : 0;
		double		error = level->released[i] - share * above.released[parent[i]];
		double		noise = level->ridge[i] * (parents > 1 ? 1 - 2 * share : 1) + share * share * above.variance[parent[i]];
		double		weight = level->model[i] * (1 - share);

		excess += weight * (error * error - noise);
		squares += weight * weight;
		doubt += 2 * weight * weight * noise * noise;
	}
	excess -= dpem_synth_refine_doubt * sqrt(doubt);
	return excess > 0 ? fmin(squares / excess, dpem_synth_most_ridge) : dpem_synth_most_ridge;
}

/* of the level's cells the cell above, by way of the categories' cells; returns how many there are above */
static size_t
find_parents(const DpemSynthLevels *levels, DpemSynthTable table, const int *place, int *parent, DpemWorkspace work)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, table.set);
	DpemSynthTable above = {table.set, table.level + 1};
	int		   *up = (int *) dpem_workspace_take(&work, dpem_synth_doubles(n * sizeof(int)));

	if (table.level == DPEM_SYNTH_LEVELS - 1)
	{
		memset(parent, 0, (size_t) dpem_synth_table_cells(levels, table) * sizeof *parent);
		return 1;
	}
	dpem_synth_places(levels, above, up);
	for (size_t i = 0; i < n; i++)
		parent[place[i]] = up[i];
	return (size_t) dpem_synth_table_cells(levels, above);
}

/* what was released, with the model's total as its sum, and its variance, of the level's cells */
static void
set_released(const DpemSynthLevels *levels, DpemSynthTable table, const double *released, double sd, double total, Level *level, DpemWorkspace work)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, table.set);
	double	   *each = dpem_workspace_take(&work, n);
	double		shift = (total - dpem_sum(released, n)) / (double) n;

	for (size_t i = 0; i < n; i++)
		each[i] = released[i] + shift;
	dpem_synth_coarsen(levels, table, each, level->released);
	dpem_synth_coarsen_noise(levels, table, sd, level->ridge);
}

/* one level of the table: the cells become the refined ones; those expected are as they were before all levels */
static void
refine_level(const DpemSynthLevels *levels, DpemSynthTable table, const double *expected, const double *released, double sd, double *cells, DpemWorkspace work)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, table.set);
	Level		level = take_level((size_t) dpem_synth_table_cells(levels, table), &work);
	int		   *place = (int *) dpem_workspace_take(&work, dpem_synth_doubles(n * sizeof(int)));
	int		   *parent = (int *) dpem_workspace_take(&work, dpem_synth_doubles(n * sizeof(int)));
	double		total = dpem_sum(cells, n);
	size_t		parents;
	double		ridge;

	dpem_synth_places(levels, table, place);
	parents = find_parents(levels, table, place, parent, work);
	set_released(levels, table, released, sd, total, &level, work);
	dpem_synth_coarsen(levels, table, expected, level.model);
	ridge = learn_ridge(&level, parent, parents, work);
	for (size_t i = 0; i < level.n; i++)
		level.ridge[i] = fmax(ridge * level.ridge[i], dpem_synth_least_ridge);
	dpem_synth_coarsen(levels, table, cells, level.model);
	find_factors(&level, total);
	for (size_t i = 0; i < n; i++)
		cells[i] *= level.factor[place[i]];
}

/* room for a cell that the model leaves empty, as shares of categories with no rows do */
static void
leave_none_empty(size_t n, double *cells)
{
	double		least = LEAST_SHARE * dpem_sum(cells, n) / (double) n;

	for (size_t i = 0; i < n; i++)
		cells[i] = (1 - LEAST_SHARE) * cells[i] + least;
}

size_t
dpem_synth_refine_work(const DpemSynthLevels *levels, DpemSynthSet set)
{
	return WORK_PER_CELL * (size_t) dpem_synth_cells(levels->domain.size, set);
}

void
dpem_synth_refine(const DpemSynthLevels *levels, DpemSynthSet set, int top, const double *released, double sd, double *cells, DpemWorkspace work)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, set);
	double	   *expected = dpem_workspace_take(&work, n);

	leave_none_empty(n, cells);
	memcpy(expected, cells, n * sizeof *cells);
	for (int l = top; l >= 0; l--)
		refine_level(levels, (DpemSynthTable) {set, l}, expected, released, sd, cells, work);
}

/* ---- sums of single columns ------------------------------------------------------ */

/* cells times what makes the column's sums those wanted; returns the largest change of a factor */
static double
rake(const DpemSynthLevels *levels, DpemSynthSet set, int j, const double *wanted, double *cells)
{
	DpemSynthLayout layout = {levels->domain.columns, levels->domain.size, NULL};
	int			n = layout.size[j];
	double		sum[DPEM_SYNTH_SIZE];
	double		change = 0;

	dpem_synth_sum(layout, set, dpem_synth_column(j), cells, sum);
	for (int i = 0; i < n; i++)
	{
		double		factor = sum[i] > 0 ? wanted[i] / sum[i] : 1;

		change = fmax(change, fabs(factor - 1));
		sum[i] = factor;
	}
	dpem_synth_multiply(layout, set, dpem_synth_column(j), cells, sum);
	return change;
}

void
dpem_synth_rake(const DpemSynthLevels *levels, DpemSynthSet set, const double *sums, double *cells)
{
	double		change = INFINITY;

	for (int i = 0; i < RAKINGS && change > RAKED; i++)
	{
		change = 0;
		for (DpemSynthSet rest = set; rest != 0; rest &= rest - 1)
		{
			int			j = __builtin_ctzll(rest);

			change = fmax(change, rake(levels, set, j, sums + levels->offset[j], cells));
		}
	}
}

void
dpem_synth_add_sums(const DpemSynthLevels *levels, DpemSynthSet set, const double *cells, double weight, double *sums)
{
	DpemSynthLayout layout = {levels->domain.columns, levels->domain.size, NULL};

	for (DpemSynthSet rest = set; rest != 0; rest &= rest - 1)
	{
		int			j = __builtin_ctzll(rest);
		double		sum[DPEM_SYNTH_SIZE];

		dpem_synth_sum(layout, set, dpem_synth_column(j), cells, sum);
		for (int i = 0; i < layout.size[j]; i++)
			sums[levels->offset[j] + i] += weight * sum[i];
	}
}

/*
 * synth_tabulate.c - tables of a model of marginals: dp_tabulate, and the cells
 * that were released.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "core/synth/synth_use.h"
#include "families/synth/synth.h"
#include "fit/fit_arguments.h"
#include "server/argument_list.h"
#include "server/fit_memory.h"
#include "server/version_shims.h"

#define NORMAL_95 1.959963984540054	/* 97.5 % quantile */
#define MOST_CELLS 1000000

PG_FUNCTION_INFO_V1(dp_tabulate);
PG_FUNCTION_INFO_V1(dpem_synth_released_cells);

typedef struct Tabulation
{
	DpemReadySynth *ready;
	int			n;				/* columns asked for, in the caller's order */
	int			column[DPEM_SYNTH_COLUMNS];
	DpemSynthSet set;
	bool	   *allowed;		/* NULL: no filter */
	DpemSynthSet filtered;		/* columns that the filter names */
	int			cells;
	double	   *estimate;
	double	   *value;			/* of what was released */
	double	   *variance;		/* of its noise; infinite: nothing was, or is asked for */
} Tabulation;

/* ---- arguments ---- */

static int
column_named(const DpemReadySynth *ready, const char *name)
{
	for (int c = 0; c < ready->columns; c++)
	{
		if (strcmp(ready->name[c], name) == 0)
			return c;
	}
	dpem_refuse_argument(psprintf("the model has no column \"%s\"", name), "The view dpem.model_columns lists the columns of a model.");
}

static void
set_columns(Tabulation *t, List *names)
{
	ListCell   *cell;
	double		cells;

	if (names == NIL)
		dpem_refuse_argument("columns must name at least one column", "The view dpem.model_columns lists the columns of a model.");
	foreach(cell, names)
	{
		int			c = column_named(t->ready, lfirst(cell));

		if (t->set & dpem_synth_column(c))
			dpem_refuse_argument(psprintf("column \"%s\" is named twice", (char *) lfirst(cell)), "Name each column once.");
		t->set |= dpem_synth_column(c);
		t->column[t->n++] = c;
	}
	cells = dpem_synth_cells(t->ready->levels.domain.size, t->set);
	if (cells > MOST_CELLS)
		dpem_refuse_argument(psprintf("the table has %.0f cells, and at most %d are tabulated", cells, MOST_CELLS), "Name fewer columns.");
	t->cells = (int) cells;
}

/* ---- what the model says ---- */

static void
find_estimates(Tabulation *t)
{
	DpemSynthTable table = {t->set, 0};

	t->estimate = dpem_fit_allocate(t->cells);
	if (t->allowed != NULL && dpem_synth_filtered(&t->ready->graph, table, t->allowed, t->estimate) == DPEM_OK)
		return;
	if (t->allowed == NULL && dpem_synth_best_table(&t->ready->released, &t->ready->graph, table, t->estimate) == DPEM_OK)
		return;
	dpem_refuse_argument("these columns are too far apart in the model for a table of all of them", "Name fewer columns.");
}

/* ---- what was released ---- */

/* place of a cell in a table: groups of its columns at a level, the last fastest */
static void
split_cell(const DpemReadySynth *ready, DpemSynthTable table, int cell, int *group)
{
	for (int c = ready->columns - 1; c >= 0; c--)
	{
		int			size = ready->levels.size[table.level][c];

		if (!(table.set & dpem_synth_column(c)))
			continue;
		group[c] = cell % size;
		cell /= size;
	}
}

static int
join_cell(const DpemReadySynth *ready, DpemSynthTable table, const int *group)
{
	int			cell = 0;

	for (int c = 0; c < ready->columns; c++)
	{
		if (table.set & dpem_synth_column(c))
			cell = cell * ready->levels.size[table.level][c] + group[c];
	}
	return cell;
}

/* is a group of a filtered column kept?  1, 0, or -1: a part of it is */
static int
keeps_group(const Tabulation *t, int c, int level, int group)
{
	const DpemSynthLevels *levels = &t->ready->levels;
	int			kept = 0;
	int			of = 0;

	for (int i = levels->offset[c]; i < levels->offset[c + 1]; i++)
	{
		of += levels->group[level][i] == group;
		kept += levels->group[level][i] == group && t->allowed[i];
	}
	return kept == of ? 1 : kept == 0 ? 0 : -1;
}

/* kept[offset of the column + group] as keeps_group; false if the filter divides a group */
static bool
kept_groups(const Tabulation *t, int level, int *kept)
{
	const DpemSynthLevels *levels = &t->ready->levels;

	for (int c = 0; c < t->ready->columns; c++)
	{
		for (int g = 0; g < levels->size[level][c]; g++)
		{
			int			keeps = t->filtered & dpem_synth_column(c) ? keeps_group(t, c, level, g) : 1;

			if (keeps < 0)
				return false;
			kept[levels->offset[c] + g] = keeps;
		}
	}
	return true;
}

/* sums of a released table over the columns that are not asked for, and how many cells are in each */
static void
sum_released(const Tabulation *t, int r, const int *kept, double *sum, double *cells)
{
	const DpemReadySynth *ready = t->ready;
	DpemSynthTable table = ready->released.table[r];
	int			group[DPEM_SYNTH_COLUMNS];

	for (int i = 0; i < ready->released.value[r].n; i++)
	{
		bool		keep = true;
		int			into;

		split_cell(ready, table, i, group);
		for (int c = 0; c < ready->columns; c++)
			keep = keep && (!(table.set & dpem_synth_column(c)) || kept[ready->levels.offset[c] + group[c]]);
		if (!keep)
			continue;
		into = join_cell(ready, (DpemSynthTable) {t->set, table.level}, group);
		sum[into] += ready->released.value[r].number[i];
		cells[into] += 1;
	}
}

static int
group_size(const DpemReadySynth *ready, int c, int level, int group)
{
	int			n = 0;

	for (int i = ready->levels.offset[c]; i < ready->levels.offset[c + 1]; i++)
		n += ready->levels.group[level][i] == group;
	return n;
}

/* the groups of a cell of categories at a level; false if one of them has other categories, too */
static bool
groups_of(const Tabulation *t, int cell, int level, int *group)
{
	const DpemReadySynth *ready = t->ready;
	int			category[DPEM_SYNTH_COLUMNS];

	split_cell(ready, (DpemSynthTable) {t->set, 0}, cell, category);
	for (int i = 0; i < t->n; i++)
	{
		int			c = t->column[i];

		group[c] = ready->levels.group[level][ready->levels.offset[c] + category[c]];
		if (level > 0 && group_size(ready, c, level, group[c]) > 1)
			return false;
	}
	return true;
}

/* cells that a released table tells with less noise than those before */
static void
take_released(Tabulation *t, int r)
{
	const DpemReadySynth *ready = t->ready;
	int			level = ready->released.table[r].level;
	int			n = (int) dpem_synth_table_cells(&ready->levels, (DpemSynthTable) {t->set, level});
	int		   *kept = palloc(ready->levels.offset[ready->columns] * sizeof(int));
	double	   *sum = dpem_fit_allocate(n);
	double	   *cells = dpem_fit_allocate(n);
	int			group[DPEM_SYNTH_COLUMNS];

	if (!kept_groups(t, level, kept))
		return;
	sum_released(t, r, kept, sum, cells);
	for (int i = 0; i < t->cells; i++)
	{
		double		variance;
		int			at;

		if (!groups_of(t, i, level, group))
			continue;
		at = join_cell(ready, (DpemSynthTable) {t->set, level}, group);
		variance = cells[at] * ready->released.sd[r] * ready->released.sd[r];
		if (cells[at] > 0 && variance < t->variance[i])
		{
			t->variance[i] = variance;
			t->value[i] = sum[at];
		}
	}
	pfree(kept);
	pfree(sum);
	pfree(cells);
}

static void
find_released(Tabulation *t, bool consistent)
{
	const DpemSynthReleased *r = &t->ready->released;
	DpemSynthSet needed = t->set | t->filtered;

	t->value = dpem_fit_allocate(t->cells);
	t->variance = dpem_fit_allocate(t->cells);
	for (int i = 0; i < t->cells; i++)
		t->variance[i] = INFINITY;
	for (int i = 0; i < r->n && !consistent; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if ((needed & ~r->table[i].set) == 0)
			take_released(t, i);
	}
}

/* ---- rows ---- */

static Datum
texts(char **text, int n)
{
	Datum	   *datum = palloc(n * sizeof(Datum));

	for (int i = 0; i < n; i++)
		datum[i] = CStringGetTextDatum(text[i]);
	return PointerGetDatum(construct_array(datum, n, TEXTOID, -1, false, TYPALIGN_INT));
}

/* value, noise and interval in the row, from `at` on */
static void
put_measured(Datum *values, bool *nulls, int at, double value, double sd)
{
	const double number[] = {value, sd, value - NORMAL_95 * sd, value + NORMAL_95 * sd};

	for (int i = 0; i < 4; i++)
	{
		values[at + i] = Float8GetDatum(number[i]);
		nulls[at + i] = isnan(number[i]);
	}
}

static void
put_row(const Tabulation *t, ReturnSetInfo *result, int cell)
{
	int			category[DPEM_SYNTH_COLUMNS];
	char	   *key[DPEM_SYNTH_COLUMNS];
	bool		measured = isfinite(t->variance[cell]);
	Datum		values[6];
	bool		nulls[6] = {false};

	split_cell(t->ready, (DpemSynthTable) {t->set, 0}, cell, category);
	for (int i = 0; i < t->n; i++)
		key[i] = dpem_synth_key(t->ready, t->column[i], 0, category[t->column[i]]);
	values[0] = texts(key, t->n);
	put_measured(values, nulls, 1, measured ? t->value[cell] : t->estimate[cell], measured ? sqrt(t->variance[cell]) : NAN);
	values[5] = BoolGetDatum(measured);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/*
 * dp_tabulate(model text, columns text[], filter text, consistent boolean): a row per cell, in rows of the table.
 * A cell that was released, or is the sum of such, has the released value and its interval, unless consistent; others
 * are estimates of the model, which are those of one distribution.
 * Raises 22023 for columns that the model has not, and for filters that divide a bin.
 */
Datum
dp_tabulate(PG_FUNCTION_ARGS)
{
	Tabulation	t = {.ready = dpem_ready_synth(fcinfo, true)};
	char	   *filter = dpem_optional_text(fcinfo, 2);

	set_columns(&t, dpem_text_list_argument(fcinfo, 1, "columns"));
	if (filter != NULL)
		t.allowed = dpem_synth_filter(t.ready, filter, &t.filtered);
	find_estimates(&t);
	find_released(&t, !PG_ARGISNULL(3) && PG_GETARG_BOOL(3));
	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < t.cells; i++)
		put_row(&t, (ReturnSetInfo *) fcinfo->resultinfo, i);
	return (Datum) 0;
}

static void
put_cell(const DpemReadySynth *ready, ReturnSetInfo *result, int r, int cell, Datum columns)
{
	DpemSynthTable table = ready->released.table[r];
	int			group[DPEM_SYNTH_COLUMNS];
	char	   *key[DPEM_SYNTH_COLUMNS];
	Datum		values[7];
	bool		nulls[7] = {false};
	int			n = 0;

	split_cell(ready, table, cell, group);
	for (int c = 0; c < ready->columns; c++)
	{
		if (table.set & dpem_synth_column(c))
			key[n++] = dpem_synth_key(ready, c, table.level, group[c]);
	}
	values[0] = Int32GetDatum(r + 1);
	values[1] = columns;
	values[2] = texts(key, n);
	put_measured(values, nulls, 3, ready->released.value[r].number[cell], ready->released.sd[r]);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* dpem_internal.synth_released_cells(model text): the cells of all released tables, as they were released */
Datum
dpem_synth_released_cells(PG_FUNCTION_ARGS)
{
	DpemReadySynth *ready = dpem_ready_synth(fcinfo, false);

	InitMaterializedSRF(fcinfo, 0);
	for (int r = 0; r < ready->released.n; r++)
	{
		char	   *name[DPEM_SYNTH_COLUMNS];
		Datum		columns;
		int			n = 0;

		for (int c = 0; c < ready->columns; c++)
		{
			if (ready->released.table[r].set & dpem_synth_column(c))
				name[n++] = ready->name[c];
		}
		columns = texts(name, n);
		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < ready->released.value[r].n; i++)
			put_cell(ready, (ReturnSetInfo *) fcinfo->resultinfo, r, i, columns);
	}
	return (Datum) 0;
}

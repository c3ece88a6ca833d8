/*
 * synth_fixture.h - a small table of categories, its model, and the same model by enumeration of all cells.
 */
#ifndef SYNTH_FIXTURE_H
#define SYNTH_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/synth/synth_use.h"

#define FIX_COLUMNS 5
#define FIX_CELLS	(3 * 4 * 2 * 5 * 3)

static const int fix_size[FIX_COLUMNS] = {3, 4, 2, 5, 3};
static const bool fix_ordered[FIX_COLUMNS] = {false, true, false, true, false};

typedef struct SynthFixture
{
	DpemSynthDomain domain;
	DpemSynthLevels levels;
	DpemSynthModel model;
	double		joint[FIX_CELLS];	/* true counts */
	double		one_way[17];
	double	   *memory[2];
} SynthFixture;

/* categories of a cell of the whole table */
static inline void
fix_row(int cell, int *row)
{
	for (int j = FIX_COLUMNS - 1; j >= 0; j--)
	{
		row[j] = cell % fix_size[j];
		cell /= fix_size[j];
	}
}

/* cell of a table of a set, of these sizes, that the row is in */
static inline size_t
fix_place(const int *size, DpemSynthSet set, const int *row)
{
	size_t		place = 0;

	for (int j = 0; j < FIX_COLUMNS; j++)
		if (set & dpem_synth_column(j))
			place = place * (size_t) size[j] + (size_t) row[j];
	return place;
}

/* the table of a set of joint's categories */
static inline void
fix_marginal(const double *joint, DpemSynthSet set, double *out)
{
	int			row[FIX_COLUMNS];

	memset(out, 0, (size_t) dpem_synth_cells(fix_size, set) * sizeof *out);
	for (int cell = 0; cell < FIX_CELLS; cell++)
	{
		fix_row(cell, row);
		out[fix_place(fix_size, set, row)] += joint[cell];
	}
}

/*
 * Counts with associations; the last column's third category and the second's last are rare, so
 * that with sd 100 they are joined at level 1.
 */
static inline void
fix_counts(SynthFixture *f)
{
	DpemPublicRandom random = {42};
	int			row[FIX_COLUMNS];
	double	   *next = f->one_way;

	for (int cell = 0; cell < FIX_CELLS; cell++)
	{
		fix_row(cell, row);
		f->joint[cell] = floor(200 * dpem_public_uniform(&random)) + 40 * abs(row[0] - row[1]) + 60 * (row[2] == (row[3] > 1));
		if (row[4] == 2 || row[1] == 3)
			f->joint[cell] = floor(f->joint[cell] / 100);
	}
	for (int j = 0; j < FIX_COLUMNS; next += fix_size[j], j++)
		fix_marginal(f->joint, dpem_synth_column(j), next);
}

static inline void
fix_init(SynthFixture *f, double sd, double tree_cells)
{
	DpemSynthShape shape = {FIX_COLUMNS, 20, 1000, tree_cells};
	double		each[FIX_COLUMNS];
	size_t		n;

	memset(f, 0, sizeof *f);
	f->domain = (DpemSynthDomain) {FIX_COLUMNS, fix_size, fix_ordered, NULL};
	fix_counts(f);
	n = dpem_synth_levels_work(&f->domain);
	f->memory[0] = calloc(n, sizeof(double));
	for (int j = 0; j < FIX_COLUMNS; j++)
		each[j] = sd;
	if (dpem_synth_levels(&f->domain, f->one_way, each, sd, &f->levels, (DpemWorkspace) {f->memory[0], f->memory[0] + n}) != DPEM_OK)
		abort();
	n = dpem_synth_model_work(&shape);
	f->memory[1] = calloc(n, sizeof(double));
	if (dpem_synth_model_init(&shape, &f->levels, &f->model, (DpemWorkspace) {f->memory[1], f->memory[1] + n}) != DPEM_OK)
		abort();
}

static inline void
fix_free(SynthFixture *f)
{
	free(f->memory[0]);
	free(f->memory[1]);
}

/* noisy values of one table at its level */
static inline DpemStatus
fix_add(SynthFixture *f, DpemSynthTable table, double sd, DpemPublicRandom *random)
{
	double		fine[FIX_CELLS];
	double		value[FIX_CELLS];
	size_t		n = (size_t) dpem_synth_table_cells(&f->levels, table);

	fix_marginal(f->joint, table.set, fine);
	dpem_synth_coarsen(&f->levels, table, fine, value);
	for (size_t i = 0; i < n; i++)
		value[i] += sd * dpem_public_normal(random);
	return dpem_synth_add(&f->model, table, value, sd, NULL);
}

/* all single columns, and pairs and a triple that make a tree of three cliques, in part at level 2 */
static inline void
fix_measure(SynthFixture *f, double sd)
{
	static const DpemSynthTable tables[] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {1 | 2, 1}, {2 | 4, 2}, {4 | 8, 1}, {1 | 4, 1}, {8 | 16, 2}};
	DpemPublicRandom random = {7};

	for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
		if (fix_add(f, tables[t], sd, &random) != DPEM_OK)
			abort();
}

/* sum of the tables' theta in a cell */
static inline double
fix_exponent(const SynthFixture *f, int cell)
{
	const DpemSynthLevels *levels = &f->levels;
	double		exponent = 0;
	int			row[FIX_COLUMNS];

	fix_row(cell, row);
	for (int t = 0; t < f->model.tables; t++)
	{
		const DpemSynthMeasured *m = &f->model.table[t];
		int			group[FIX_COLUMNS];

		for (int j = 0; j < FIX_COLUMNS; j++)
			group[j] = levels->group[m->table.level][levels->offset[j] + row[j]];
		exponent += m->theta[fix_place(levels->size[m->table.level], m->table.set, group)];
	}
	return exponent;
}

/* the model's rows in every cell, by its definition: theta of the groups, shares of the categories */
static inline void
fix_enumerate(const SynthFixture *f, double *joint)
{
	const DpemSynthLevels *levels = &f->levels;
	double		sum = 0;
	double		most = -INFINITY;

	for (int cell = 0; cell < FIX_CELLS; cell++)
		most = fmax(most, fix_exponent(f, cell));
	for (int cell = 0; cell < FIX_CELLS; cell++)
	{
		int			row[FIX_COLUMNS];

		fix_row(cell, row);
		joint[cell] = exp(fix_exponent(f, cell) - most);
		for (int j = 0; j < FIX_COLUMNS; j++)
			joint[cell] *= levels->share[levels->offset[j] + row[j]];
		sum += joint[cell];
	}
	for (int cell = 0; cell < FIX_CELLS; cell++)
		joint[cell] *= f->model.total / sum;
}

#endif							/* SYNTH_FIXTURE_H */

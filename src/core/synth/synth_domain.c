/*
 * synth_domain.c - see synth_domain.h.
 */
#include <string.h>

#include "core/synth/synth_walk.h"

double
dpem_synth_cells(const int *size, DpemSynthSet set)
{
	double		cells = 1;

	for (; set != 0; set &= set - 1)
		cells *= size[__builtin_ctzll(set)];
	return cells;
}

double
dpem_synth_table_cells(const DpemSynthLevels *levels, DpemSynthTable table)
{
	return dpem_synth_cells(levels->size[table.level], table.set);
}

DpemStatus
dpem_synth_domain_check(const DpemSynthDomain *domain)
{
	if (domain->columns < 1 || domain->columns > DPEM_SYNTH_COLUMNS)
		return DPEM_BAD_ARGUMENT;
	for (int j = 0; j < domain->columns; j++)
		if (domain->size[j] < 1 || domain->size[j] > DPEM_SYNTH_SIZE)
			return DPEM_BAD_ARGUMENT;
	return DPEM_OK;
}

/* columns of a set, and for each where its categories' groups at a level are */
typedef struct Digits
{
	int			n;
	int			index[DPEM_SYNTH_COLUMNS];
	int			size[DPEM_SYNTH_COLUMNS];
	const int  *group[DPEM_SYNTH_COLUMNS];
	size_t		stride[DPEM_SYNTH_COLUMNS];
} Digits;

static Digits
digits_of(const DpemSynthLevels *levels, DpemSynthTable table)
{
	DpemSynthLayout layout = {levels->domain.columns, levels->size[table.level], NULL};
	DpemSynthStride stride = dpem_synth_stride(layout, table.set);
	Digits		d = {0};

	for (DpemSynthSet set = table.set; set != 0; set &= set - 1, d.n++)
	{
		int			j = __builtin_ctzll(set);

		d.size[d.n] = levels->domain.size[j];
		d.group[d.n] = levels->group[table.level] + levels->offset[j];
		d.stride[d.n] = stride.by[j];
	}
	return d;
}

static size_t
digits_place(const Digits *d)
{
	size_t		place = 0;

	for (int i = 0; i < d->n; i++)
		place += d->stride[i] * (size_t) d->group[i][d->index[i]];
	return place;
}

static void
digits_next(Digits *d)
{
	for (int i = d->n - 1; i >= 0; i--)
	{
		if (++d->index[i] < d->size[i])
			return;
		d->index[i] = 0;
	}
}

void
dpem_synth_places(const DpemSynthLevels *levels, DpemSynthTable table, int *place)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, table.set);
	Digits		d = digits_of(levels, table);

	for (size_t i = 0; i < n; i++, digits_next(&d))
		place[i] = (int) digits_place(&d);
}

void
dpem_synth_coarsen(const DpemSynthLevels *levels, DpemSynthTable table, const double *from, double *to)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, table.set);
	Digits		d = digits_of(levels, table);

	memset(to, 0, (size_t) dpem_synth_table_cells(levels, table) * sizeof *to);
	for (size_t i = 0; i < n; i++, digits_next(&d))
		to[digits_place(&d)] += from[i];
}

void
dpem_synth_coarsen_noise(const DpemSynthLevels *levels, DpemSynthTable table, double sd, double *variance)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, table.set);
	Digits		d = digits_of(levels, table);

	memset(variance, 0, (size_t) dpem_synth_table_cells(levels, table) * sizeof *variance);
	for (size_t i = 0; i < n; i++, digits_next(&d))
		variance[digits_place(&d)] += sd * sd;
}

/* from level 1 to the categories, each with its shares */
static void
spread_to_categories(const DpemSynthLevels *levels, DpemSynthTable table, const double *level1, double *out)
{
	size_t		n = (size_t) dpem_synth_table_cells(levels, table);
	DpemSynthTable from = {table.set, 1};
	Digits		d = digits_of(levels, from);
	const double *share[DPEM_SYNTH_COLUMNS];

	for (int i = 0; i < d.n; i++)
		share[i] = levels->share + (d.group[i] - levels->group[1]);
	for (size_t c = 0; c < n; c++, digits_next(&d))
	{
		double		value = level1[digits_place(&d)];

		for (int i = 0; i < d.n; i++)
			value *= share[i][d.index[i]];
		out[c] = value;
	}
}

/*
 * Groups of level 1 are visited by their first category each: other cells of the
 * same groups add nothing.
 */
static void
sum_groups(const DpemSynthLevels *levels, DpemSynthTable table, const double *level1, double *out)
{
	int			first[DPEM_SYNTH_COLUMNS][DPEM_SYNTH_SIZE];
	size_t		n = 1;
	DpemSynthTable from = {table.set, 1};
	Digits		coarse = digits_of(levels, table);
	Digits		fine = digits_of(levels, from);
	int			i = 0;

	for (DpemSynthSet set = table.set; set != 0; set &= set - 1, i++)
	{
		int			j = __builtin_ctzll(set);

		for (int c = fine.size[i] - 1; c >= 0; c--)
			first[i][fine.group[i][c]] = coarse.group[i][c];
		coarse.group[i] = first[i];
		coarse.size[i] = levels->size[1][j];
		n *= (size_t) coarse.size[i];
	}
	memset(out, 0, (size_t) dpem_synth_table_cells(levels, table) * sizeof *out);
	for (size_t c = 0; c < n; c++, digits_next(&coarse))
		out[digits_place(&coarse)] += level1[c];
}

void
dpem_synth_spread(const DpemSynthLevels *levels, DpemSynthTable table, const double *level1, double *out)
{
	if (table.level == 0)
		spread_to_categories(levels, table, level1, out);
	else if (table.level == 1)
		memcpy(out, level1, (size_t) dpem_synth_table_cells(levels, table) * sizeof *out);
	else
		sum_groups(levels, table, level1, out);
}

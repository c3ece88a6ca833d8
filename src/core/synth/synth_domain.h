/*
 * synth_domain.h - columns of categories, tables of them, and groups of categories.
 *
 * A table is a set of columns, as a bit mask: bit j is column j.  Its cells are in
 * row-major order over its columns in increasing order, the last column varying
 * fastest.
 *
 * A table is counted at a level.  Level 0 has the categories themselves.  At level
 * l >= 1 some categories of a column are one group, and groups of level l + 1 are
 * unions of those of level l.  Groups are made of released one-way counts: noise
 * of a table is one number per cell, and cells whose counts would be below their
 * noise say more together.  The graphical model (synth_model.h) knows groups of
 * level 1; within them categories are distributed as the one-way counts say,
 * independently of other columns.
 */
#ifndef DPEM_CORE_SYNTH_DOMAIN_H
#define DPEM_CORE_SYNTH_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/numeric/status.h"
#include "core/numeric/workspace.h"

#define DPEM_SYNTH_COLUMNS	64	/* most columns */
#define DPEM_SYNTH_SIZE		500 /* most categories of a column */
#define DPEM_SYNTH_LEVELS	5	/* levels 0 .. 4 */

typedef uint64_t DpemSynthSet;

typedef struct DpemSynthTable
{
	DpemSynthSet set;			/* not empty */
	int			level;			/* of all its columns, 0 .. DPEM_SYNTH_LEVELS - 1 */
} DpemSynthTable;

/* of a column whose rows are known to be in some of its bins, as far as can be seen */
typedef struct DpemSynthBody
{
	int			bins;			/* what is unknown comes after them; 0: nothing is known of them */
	bool		empty[DPEM_SYNTH_SIZE]; /* each of the bins: it has next to no rows, unless its own count says so */
} DpemSynthBody;

typedef struct DpemSynthDomain
{
	int			columns;		/* 1 .. DPEM_SYNTH_COLUMNS */
	const int  *size;			/* columns: categories, 1 .. DPEM_SYNTH_SIZE */
	const bool *ordered;		/* columns: neighbouring categories are alike, as bins of numbers are; NULL: none are */
	const DpemSynthBody *body;	/* columns; NULL: nothing is known of any */
} DpemSynthDomain;

/*
 * Groups at all levels.  group[l][offset[j] + c] is the group of category c of
 * column j, 0 .. size[l][j] - 1; offset[j] is the sum of the sizes before j.
 */
typedef struct DpemSynthLevels
{
	DpemSynthDomain domain;
	int			offset[DPEM_SYNTH_COLUMNS + 1];
	int			size[DPEM_SYNTH_LEVELS][DPEM_SYNTH_COLUMNS];
	int		   *group[DPEM_SYNTH_LEVELS];
	double	   *share;			/* of every category in its group of level 1; they add up to 1 in a group */
} DpemSynthLevels;

/* doubles that hold so many bytes */
static inline size_t
dpem_synth_doubles(size_t bytes)
{
	return (bytes + sizeof(double) - 1) / sizeof(double);
}

static inline DpemSynthSet
dpem_synth_column(int j)
{
	return (DpemSynthSet) 1 << j;
}

static inline int
dpem_synth_order(DpemSynthSet set)
{
	return __builtin_popcountll(set);
}

/* product of the sizes of the set's columns; 1 for the empty set */
extern double dpem_synth_cells(const int *size, DpemSynthSet set);

/* the same of a table at its level */
extern double dpem_synth_table_cells(const DpemSynthLevels *levels, DpemSynthTable table);

/* DPEM_BAD_ARGUMENT unless within the limits above */
extern DpemStatus dpem_synth_domain_check(const DpemSynthDomain *domain);

/*
 * Groups from noisy one-way counts, sd[j] the standard deviation of the noise in
 * each number of column j and pair_sd that expected in a cell of a table measured later.
 * one_way: counts of all categories, column after column.  Level 1: a category
 * with a count below three sd (McKenna, Miklau, Sheldon 2021, "Winning the NIST
 * contest", section 3.2) is joined with its smaller neighbour if ordered, with
 * the smallest other one if not.  Levels above: the same with a number of groups
 * that decreases by the rule of synth_rules.c, so that a pair's cells outweigh
 * pair_sd.  Empty bins (body) whose counts are none beside their noise are one group with the bin before or after them, which has next
 * to all of its rows: noise far from all rows would be taken for rows, and move means by many times what all rows do.  levels: filled in, with arrays of `work`, which has to live as long:
 * dpem_synth_levels_work(domain).  DPEM_BAD_ARGUMENT.
 */
extern size_t dpem_synth_levels_work(const DpemSynthDomain *domain);
extern DpemStatus dpem_synth_levels(const DpemSynthDomain *domain, const double *one_way, const double *sd, double pair_sd,
									DpemSynthLevels *levels, DpemWorkspace work);

/* of each cell of the table at level 0, in their order, the cell of its groups at table.level */
extern void dpem_synth_places(const DpemSynthLevels *levels, DpemSynthTable table, int *place);

/*
 * Sums the cells of a table of level 0 (`from`) into those of its groups at
 * table.level (`to`, dpem_synth_table_cells numbers, overwritten).
 */
extern void dpem_synth_coarsen(const DpemSynthLevels *levels, DpemSynthTable table, const double *from, double *to);

/* variances of such sums, if each cell of level 0 has noise of standard deviation sd: overwritten */
extern void dpem_synth_coarsen_noise(const DpemSynthLevels *levels, DpemSynthTable table, double sd, double *variance);

/* From a table of level 1 of these columns to one at another level: sums above, shares of categories below. */
extern void dpem_synth_spread(const DpemSynthLevels *levels, DpemSynthTable table, const double *level1, double *out);

#endif							/* DPEM_CORE_SYNTH_DOMAIN_H */

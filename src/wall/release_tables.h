/*
 * release_tables.h - tables that pass the wall, some of them, several times.
 *
 * A pass of the kernel `tables` counts all tables that may ever be asked for; its
 * raw moments stay on the private side while releases of one charge take from
 * them: noisy cells of some tables, and choices among tables by how badly a model
 * explains them (docs/proofs.md, 24).  The tables are those of the pass, whatever a
 * caller says.  The last call is dpem_release_tables_end.
 */
#ifndef DPEM_WALL_RELEASE_TABLES_H
#define DPEM_WALL_RELEASE_TABLES_H

#include "core/synth/tables.h"
#include "core/pass/noisy_moments.h"
#include "ledger/charge.h"
#include "scan/moments.h"
#include "scan/query/source.h"

typedef struct DpemTablesSpec
{
	int			groups;			/* of rows, each with all tables; at least 1 */
	bool		replace_one;
	int			rows_per_unit;
} DpemTablesSpec;

/* a table of the pass, or, with `into`, sums over cells of it: a row is still in one cell */
typedef struct DpemTableView
{
	int			table;			/* number of it in the pass */
	int			cells;
	const int32 *into;			/* of each of the table's cells, the cell that it is added to; NULL: the table itself */
	double		weight;			/* > 0: the noise is in inverse proportion */
} DpemTableView;

/* L2 sensitivity of `views` tables of weight 1 together: sqrt(views), or sqrt(2 views) for replace_one, per row of a unit */
extern double dpem_release_tables_sensitivity(const DpemTablesSpec *spec, double views);

/* raises 22023 if noise at this multiplier is too large to be drawn; called before the charge */
extern void dpem_release_tables_check(const DpemTablesSpec *spec, double views, double noise_multiplier);

/*
 * Takes one release of the line.  view: n views for each group, group by group.  Returns
 * for each view its cells, in rows, with their noise as count_sd; layout.k: their number.
 */
extern DpemNoisyMoments *dpem_release_tables(DpemCharge *charge, int line, const DpemRawMoments *raw,
											 const DpemTablesSpec *spec, const DpemTableView *view, int n);

/* a table that may be chosen */
typedef struct DpemTableCandidate
{
	DpemTableView view;
	const double *expected;		/* view.cells: what the model says of it, in rows */
	double		sd;				/* of the noise that its score leaves out of account */
	int64		weight;			/* of its score */
} DpemTableCandidate;

/* most that a unit can change a score relative to another, for weights up to `weight`: the range of choice.h, in rows */
extern double dpem_release_table_choice_range(const DpemTablesSpec *spec, int64 weight);

/* raises 22003 if a choice at this noise multiplier cannot be drawn; called before the charge */
extern void dpem_release_table_choice_check(const DpemTablesSpec *spec, int64 weight, double noise_multiplier);

/*
 * The exponential mechanism over dpem_synth_score, once in each group; takes one
 * release of the line for all.  candidate[g]: n[g] of them, of weights up to `weight`;
 * chosen[g]: one of them, -1 where there is none.
 */
extern void dpem_release_table_choice(DpemCharge *charge, int line, const DpemRawMoments *raw,
									  const DpemTablesSpec *spec, int64 weight,
									  DpemTableCandidate *const *candidate, const int *n, int *chosen);

/* wipes and frees what was counted */
extern void dpem_release_tables_end(DpemRawMoments *raw);

#endif							/* DPEM_WALL_RELEASE_TABLES_H */

/*
 * synth_belief.h - what the files of the graphical model share.  Private to core/synth.
 */
#ifndef DPEM_CORE_SYNTH_BELIEF_H
#define DPEM_CORE_SYNTH_BELIEF_H

#include "core/synth/synth_model.h"
#include "core/synth/synth_tree.h"
#include "core/synth/synth_walk.h"

/* pairs of vectors that limited-memory BFGS remembers, and vectors of all measured cells that dpem_synth_fit has */
#define DPEM_SYNTH_HISTORY	8
#define DPEM_SYNTH_VECTORS	(2 * DPEM_SYNTH_HISTORY + 5)

/* how cliques are laid out */
static inline DpemSynthLayout
dpem_synth_layout(const DpemSynthModel *model)
{
	DpemSynthLayout layout = {model->levels->domain.columns, model->levels->size[1], model->order};

	return layout;
}

/* cells of all measured tables at their levels */
extern size_t dpem_synth_measured_cells(const DpemSynthModel *model);

/* the junction tree of the tables and one more set, 0: none */
extern void dpem_synth_model_tree(const DpemSynthModel *model, DpemSynthSet set, DpemSynthTree *tree);

/* the smallest clique with the set, -1 if none has it */
extern int	dpem_synth_home(const DpemSynthModel *model, DpemSynthSet set);

/* builds the tree and gives every clique its memory and every table its clique, if that is not done */
extern void dpem_synth_build(DpemSynthModel *model);

/*
 * Belief propagation (Lauritzen, Spiegelhalter 1988) with theta (all tables', one
 * after the other) in place of the tables' own: beliefs add up to the total, and
 * log_partition.
 */
extern void dpem_synth_propagate(DpemSynthModel *model, const double *theta);

/* the same with the tables' own theta */
extern void dpem_synth_propagate_own(DpemSynthModel *model);

/* every clique's potential: the sum of its tables' theta (all tables', one after the other) */
extern void dpem_synth_add_potentials(DpemSynthModel *model, const double *theta);

/* the tables' marginals of the beliefs, one table after the other; and table t's alone, at its place among them */
extern void dpem_synth_measure(const DpemSynthModel *model, double *marginal);
extern void dpem_synth_measure_one(const DpemSynthModel *model, int t, double *marginal);

/* the tables at level 1, columns in increasing order, of those of n sets that are at home in clique c */
extern void dpem_synth_clique_tables(const DpemSynthModel *model, int c, int n, const DpemSynthSet *set, double *const *out);

/* the root of m exp(x) + ridge x = y: by how much one cell's potential grows while others stay what they are (synth_refine.c) */
extern double dpem_synth_solve_cell(double m, double y, double ridge);

/*
 * The table of `set` at level 1, in the model's order of columns, of the rows that
 * agree with `row`: a group of level 1 per column, -1 for any; the set's columns
 * are -1.  row NULL: all rows.  *out is in *scratch, which is advanced.
 * DPEM_NO_SOLUTION if scratch is too small.
 */
extern DpemStatus dpem_synth_eliminate(const DpemSynthModel *model, DpemSynthSet set, const int *row,
									   DpemWorkspace *scratch, double **out);

#endif							/* DPEM_CORE_SYNTH_BELIEF_H */

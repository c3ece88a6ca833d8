/*
 * synth_use.h - what a fitted model answers: filtered tables, posteriors, rows and
 * associations.  Post-processing of synth_model.h.
 */
#ifndef DPEM_CORE_SYNTH_USE_H
#define DPEM_CORE_SYNTH_USE_H

#include "core/numeric/public_random.h"
#include "core/synth/synth_model.h"

/*
 * The table (any level) of the rows whose columns all have an allowed category:
 * allowed is one flag per category, column after column; NULL: all.  Overwrites
 * the model's beliefs by those of the filtered rows and puts them back.
 */
extern DpemStatus dpem_synth_filtered(DpemSynthModel *model, DpemSynthTable table, const bool *allowed, double *out);

/*
 * cells: the model's table of `set` at level 0, which becomes what is known of it with `released`, cells of the same table
 * with noise of sd: nearer to it the more there is in it beyond noise.  top: the level from which on it says something that the
 * model has not taken in, DPEM_SYNTH_LEVELS - 1 of a table that is not in the graph, 0 of one that is.  Post-processing.
 */
extern size_t dpem_synth_refine_work(const DpemSynthLevels *levels, DpemSynthSet set);
extern void dpem_synth_refine(const DpemSynthLevels *levels, DpemSynthSet set, int top, const double *released, double sd,
							  double *cells, DpemWorkspace work);

/*
 * Refined tables agree where each has the same sums of single columns: sums, of every category of every column, such as the
 * means of those of all refined tables.  rake: the table at level 0 times factors of single columns that make them its sums (Deming,
 * Stephan 1940).  add_sums: adds weight times the sums of the set's columns.
 */
extern void dpem_synth_rake(const DpemSynthLevels *levels, DpemSynthSet set, const double *sums, double *cells);
extern void dpem_synth_add_sums(const DpemSynthLevels *levels, DpemSynthSet set, const double *cells, double weight, double *sums);

/*
 * P(column = c | the others), c over the column's categories, at `row`: a category
 * per column, -1 for one that is not known; that of the column is not read.
 * DPEM_NO_SOLUTION if the row has probability zero.
 */
extern DpemStatus dpem_synth_posterior(const DpemSynthModel *model, int column, const int *row, double *out);

/* natural logarithm of the row's probability, no category of which is -1 */
extern DpemStatus dpem_synth_log_density(const DpemSynthModel *model, const int *row, double *out);

/*
 * Columns as the model has each, independently, and each category with some probability: logarithms of theirs, of all categories of
 * column after column.  Noise and few rows leave categories and cells without any, and a row in one is rare, not impossible.
 * DPEM_NO_SOLUTION as dpem_synth_table.
 */
extern DpemStatus dpem_synth_background_shares(const DpemSynthModel *model, double *log_share);

/* density of a row as the model has it (-infinity: not at all), before that background */
extern double dpem_synth_before_background(const DpemSynthLevels *levels, const double *log_share, const int *row, double density);

/*
 * n independent rows, n x columns categories, drawn along the tree.  Rows may be
 * drawn in pieces.
 */
extern DpemStatus dpem_synth_sample(const DpemSynthModel *model, DpemPublicRandom *random, size_t n, int *rows);

/*
 * The same, but cells of the first clique and then each conditional get their
 * expected numbers of rows, rounded at random (Private-PGM's generator): less
 * sampling error, rows not independent.  work: dpem_synth_rows_work.
 */
extern size_t dpem_synth_rows_work(const DpemSynthModel *model, size_t n);
extern DpemStatus dpem_synth_rows(const DpemSynthModel *model, DpemPublicRandom *random, size_t n, int *rows,
								  DpemWorkspace work);

/* mutual information in nats of an a x b table, any positive total */
extern double dpem_synth_information(int a, int b, const double *table);

/* of all pairs of columns, columns x columns, the entropies on the diagonal.  At level 1. */
extern DpemStatus dpem_synth_association(const DpemSynthModel *model, double *information, DpemWorkspace work);
extern size_t dpem_synth_association_work(const DpemSynthModel *model);

#endif							/* DPEM_CORE_SYNTH_USE_H */

/*
 * synth_residual.h - ResidualPlanner (Xiao, He, Zhang, Kifer 2023, NeurIPS): the
 * Gaussian release for a given workload of tables that has the least sum of
 * weighted variances, and those variances beforehand.
 *
 * A table is the sum of its residuals over all its subsets; residuals of different
 * sets are orthogonal.  For a column of n categories, Sub has n - 1 rows e_1 - e_i
 * (i >= 2); the residual of a set A is the product of Sub over A and of sums over
 * the other columns, with noise sd_A of covariance sd_A^2 (Sub Sub') over A, which
 * costs mu^2 = prod over A of (n_i - 1) / n_i / sd_A^2 per row (theorem 5 there).
 */
#ifndef DPEM_CORE_SYNTH_RESIDUAL_H
#define DPEM_CORE_SYNTH_RESIDUAL_H

#include "core/synth/synth_plan.h"

typedef struct DpemSynthResiduals
{
	const int  *size;			/* columns */
	int			n;				/* residuals: the workload's downward closure with the empty set */
	DpemSynthSet *set;			/* n, in increasing order of columns and then of masks */
	double	   *sd;				/* n: noise of each, in rows */
} DpemSynthResiduals;

/* number of residuals, -1 if more than `most` */
extern int	dpem_synth_residuals_count(const DpemSynthWanted *wanted, int n, int most);

/*
 * Fills sd so that the sum over wanted tables of weight times the mean variance of
 * a cell is least, at a cost of mu^2 for one row; r->set and r->sd are the caller's
 * arrays, of r->n (dpem_synth_residuals_count).  DPEM_BAD_ARGUMENT.
 */
extern DpemStatus dpem_synth_residuals_plan(const DpemSynthWanted *wanted, int n, double mu, DpemSynthResiduals *r);

/* standard deviation of each cell of a table in the closure after that release; NaN outside it */
extern double dpem_synth_residuals_sd(const DpemSynthResiduals *r, DpemSynthSet set);

/* cells of the residual of a set, prod (n_i - 1); and of it as a table, prod n_i, which the functions below use */
extern double dpem_synth_residual_cells(const int *size, DpemSynthSet set);

/*
 * The release of a residual is the same as this: independent noise of standard
 * deviation sd in every cell of the table of `set`, of which only the residual
 * part (each column's mean over any column subtracted) is kept:
 * dpem_synth_residual_part does that in place.  Equal in law to the paper's
 * mechanism by its lemma 2.  scratch: none.
 */
extern void dpem_synth_residual_part(const int *size, DpemSynthSet set, double *table);

/*
 * A wanted table from residual parts: part[i] of r->set[i] (prod n_j numbers, as
 * above) for all subsets of `set`; out: its cells, in rows, unbiased.
 */
extern DpemStatus dpem_synth_residuals_table(const DpemSynthResiduals *r, double *const *part, DpemSynthSet set,
											 double *out);

#endif							/* DPEM_CORE_SYNTH_RESIDUAL_H */

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

/* the residuals of a workload, in that order; returns their number, -1 if more than `most` */
extern int	dpem_synth_residuals(const DpemSynthWanted *wanted, int n, int most, DpemSynthSet *sets);

/*
 * Fills sd so that the sum over wanted tables of weight times the mean variance of
 * a cell is least, at a cost of mu^2 for one row; r->set and r->sd are the caller's
 * arrays, of r->n numbers, set filled by dpem_synth_residuals.  DPEM_BAD_ARGUMENT.
 */
extern DpemStatus dpem_synth_residuals_plan(const DpemSynthWanted *wanted, int n, double mu, DpemSynthResiduals *r);

/* standard deviation of each cell of a table in the closure after that release; NaN outside it */
extern double dpem_synth_residuals_sd(const DpemSynthResiduals *r, DpemSynthSet set);

/*
 * The release of a residual is the same as this: independent noise of standard
 * deviation sd in every cell of the table of `set`, of which only the residual
 * part is kept: along every column the mean is subtracted.  That is a projection P
 * (P P = P = P'), so noise of covariance sd^2 P is added to P times the table, and a
 * row, whose part has squared length prod (n_i - 1) / n_i, costs what is said above.
 * dpem_synth_residual_part applies P in place; of the empty set nothing is subtracted.
 */
extern void dpem_synth_residual_part(const int *size, DpemSynthSet set, double *table);

/*
 * A wanted table from residual parts: part[i] of r->set[i] (prod n_j numbers, as
 * above) for all subsets of `set`; out: its cells, in rows, unbiased.
 * DPEM_BAD_ARGUMENT if not all subsets are there.
 */
extern DpemStatus dpem_synth_residuals_table(const DpemSynthResiduals *r, double *const *part, DpemSynthSet set,
											 double *out);

#endif							/* DPEM_CORE_SYNTH_RESIDUAL_H */

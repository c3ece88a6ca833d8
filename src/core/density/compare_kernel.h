/*
 * compare_kernel.h - a pass that compares what two released mixtures say of the rows.
 *
 * A row is counted in the cell that the difference of the two log-densities there lies in.  Of many rows some are looked at, by a coin
 * each, as few say enough.  So a row that counts is in one cell or in none, whatever the mixtures are: the contribution is that
 * of DPEM_ON_SIMPLEX for any numbers that are drawn (docs/proofs.md, 10).  Features only say which cell a row is in.
 *
 * theta: the share of rows that are looked at, box coordinates per feature, numbers of components of both, and both
 * mixtures (gmm_whole.h), whose domain is what the box stands for.
 */
#ifndef DPEM_CORE_COMPARE_KERNEL_H
#define DPEM_CORE_COMPARE_KERNEL_H

#include "core/density/gmm_whole.h"
#include "core/kernels/kernel.h"

#define DPEM_COMPARE_LEVELS 13

/* what a difference in each cell is taken for */
extern const double dpem_compare_level[DPEM_COMPARE_LEVELS];

/* a uniform number in (0, 1) for one row alone, from a cryptographic source; registered when the library is loaded; NULL: such passes are malformed */
extern double (*dpem_compare_uniform) (void);

typedef struct DpemCompareTask
{
	double		rate;			/* in (0, 1] */
	double		unit;			/* box coordinates that a feature of 1 stands for */
	DpemGmmWhole mixture[2];
} DpemCompareTask;

/* numbers of theta for mixtures of so many components */
extern size_t dpem_compare_theta_length(int first, int second, int d);

/* writes rate, unit and numbers of components, and places both mixtures, which the caller fills */
extern DpemCompareTask dpem_compare_begin(double rate, double unit, int first, int second, int d, double *theta);

/* the sum over rows that were looked at of the first log-density less the second, from counts (DPEM_COMPARE_LEVELS) with noise sd in each; sd: its own */
extern double dpem_compare_sum(const double *count, double count_sd, double *sd);

#endif							/* DPEM_CORE_COMPARE_KERNEL_H */

/*
 * sbn_kernel.h - inference and expected statistics of a sigmoid belief network
 * with one hidden layer (Gan, Henao, Carlson, Carin 2015, AISTATS; Foulds,
 * Park, Chaudhuri, Welling, "Variational Bayes in private settings").
 *
 * h_k ~ Bernoulli(sigma(b_k)), v_j | h ~ Bernoulli(sigma(s_j)) with s_j = w_j'h~
 * and h~ = (1, h).  Polya-Gamma variables omega_j bound ln p(v_j | h) below by
 * (v_j - 1/2) s_j - omega_j (s_j^2 - c_j^2) / 2 - ln(2 cosh(c_j / 2)), where
 * omega_j = E[omega] at c_j^2 = E[s_j^2].  A row is inferred by coordinate
 * ascent of that bound over q(h) = prod Bernoulli(on_k) and c.
 */
#ifndef DPEM_CORE_SBN_KERNEL_H
#define DPEM_CORE_SBN_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/pass/block.h"
#include "core/pass/moments.h"

#define DPEM_SBN_MAX_HIDDEN		200
#define DPEM_SBN_MAX_COLUMNS	5000
#define DPEM_SBN_SWEEPS			6	/* coordinate ascent sweeps per row in a pass, always all */

typedef struct DpemSbn
{
	int			d;				/* visible columns */
	int			hidden;			/* may be 0: columns independent of each other */
	const double *bias;			/* hidden: b_k */
	const double *weight;		/* (1 + hidden) * d: unit by unit; the first is the constant one: visible biases */
} DpemSbn;

/* up to DPEM_BLOCK_GROUP rows under inference; element `row` of number i is at [i * DPEM_BLOCK_GROUP + row] */
typedef struct DpemSbnRows
{
	int			rows;
	double	   *half;			/* d: v - 1/2, given */
	double	   *on;				/* 1 + hidden: P(unit = 1 | v), the constant's 1 first */
	double	   *score;			/* d: E[s] */
	double	   *omega;			/* d */
} DpemSbnRows;

/* arrays of rows in the work given, dpem_sbn_rows_work doubles */
extern size_t dpem_sbn_rows_work(const DpemSbn *sbn);
extern void dpem_sbn_rows_init(const DpemSbn *sbn, int rows, double *work, DpemSbnRows *state);

/*
 * q(h) of each row after `sweeps` sweeps over all units, starting from q = p(h);
 * the bits of a row's result depend on that row alone.
 */
extern void dpem_sbn_infer(const DpemSbn *sbn, int sweeps, DpemSbnRows *state);

/* lower bound on ln p(v) of an inferred row, maximised over the variational variables c */
extern double dpem_sbn_bound(const DpemSbn *sbn, const DpemSbnRows *state, int row);

/*
 * The statistics of a block under parameters theta = (B, bias, weight): the
 * gradient of the bound, g = (v - 1/2 - omega s) h~ in expectation, (1 +
 * hidden) * d numbers, clipped to norm B and divided by it; and E[h~ h~'] over
 * 1 + hidden, whose Frobenius norm is at most 1 after that.  A column counts
 * as 1 where its feature is not negative: from the middle of its domain on.
 *
 * sums[] (overwritten) is in the layout of moments.h, a record of d + 1 + k
 * numbers, the count 0, for each unit.  With bits the gradient of a row consists
 * of integers in units of 2^-(p + q) with sum x^2 <= 2^(2 (p + q)) exactly, and
 * products are integers in units of 2^-(p + 2q), off by at most one.  A row with
 * numbers that are not finite is a null row.
 */
extern size_t dpem_sbn_theta_length(int units, int d);
extern bool dpem_sbn_valid(const DpemMomentLayout *layout, const double *theta);
extern size_t dpem_sbn_scratch(int units, int d);
extern void dpem_sbn_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
								int feature_bits, int responsibility_bits, double *sums, double *scratch);

#endif							/* DPEM_CORE_SBN_KERNEL_H */

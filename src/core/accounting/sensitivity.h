/*
 * sensitivity.h - sensitivities of the stacked moments.
 */
#ifndef DPEM_CORE_SENSITIVITY_H
#define DPEM_CORE_SENSITIVITY_H

#include <stdbool.h>

#include "core/numeric/status.h"

/*
 * Square of the L2 sensitivity of (a N_k, b s_k, c S_k) stacked over k
 * clusters, N_k = sum r_k, s_k = sum r_k x, S_k = sum r_k svec(x x'), for
 * responsibilities r on the simplex and ||x|| <= 1, rounded up.
 *
 * A row contributes r (x) f(x) with f(x) = (a, b x, c svec(x x')).
 * add_remove: max |f|^2 = S = a^2 + b^2 + c^2.
 * replace_one: |r (x) f(x) - r' (x) f(y)|^2 is convex in (r, r'), hence largest
 * at corners of the simplex: two clusters (k >= 2) give |f(x)|^2 + |f(y)|^2
 * <= 2 S; one cluster gives b^2 |x-y|^2 + c^2 |x x' - y y'|^2, in which a
 * cancels.  With p = -x.y that is b^2 (|x|^2+|y|^2+2p) + c^2
 * (|x|^4+|y|^4-2p^2), so both rows lie on the sphere, and p = b^2/(2 c^2), or
 * 1 if that is beyond it:
 *     same = 2 b^2 + 2 c^2 + b^4/(2 c^2)   if b^2 <= 2 c^2,   else 4 b^2.
 * replace_one is `same` for k = 1 and max(2 S, same) for k >= 2.
 *
 * Also an upper bound with x o x or ||x||^2 instead of svec(x x'): a matrix
 * difference is no shorter than its diagonal, and |x x' - y y'|^2 =
 * |x|^4+|y|^4-2p^2 >= (|x|^2-|y|^2)^2.  Attained there too where 2 S is the maximum.
 *
 * NaN unless k >= 1 and the weights are finite and not negative.
 */
extern double dpem_joint_sensitivity2(int k, double a, double b, double c, bool replace_one);

/*
 * L1 sensitivity of (a N_k, b s_k) stacked over k clusters of d coordinates,
 * ||x|| <= 1 and hence ||x||_1 <= sqrt(d), rounded up: add_remove
 * a + b sqrt(d); replace_one twice that for two clusters, 2 b sqrt(d) within
 * one, in which a cancels.  NaN unless k, d >= 1 and the weights are finite
 * and not negative.
 */
extern double dpem_joint_sensitivity1(int k, int d, double a, double b, bool replace_one);

/*
 * L1 sensitivity of c S_k, S_k = sum r_k svec(x x'), stacked over k clusters of d
 * coordinates, ||x|| <= 1, rounded up: |svec(x x')|_1 = |x|^2 + sqrt(2) sum_{i<j} |x_i x_j| is at
 * most q = 1 + (d - 1) / sqrt(2), as 2 sum_{i<j} |x_i x_j| = |x|_1^2 - |x|^2 <= (d - 1) |x|^2.  add_remove c q, replace_one 2 c q (within one cluster a
 * bound that is not attained).  Also an upper bound with x o x or ||x||^2, which
 * are no longer.  NaN as above.
 */
extern double dpem_products_sensitivity1(int k, int d, double c, bool replace_one);

/*
 * Square of the L2 sensitivity of sum x y' for the projections y of
 * projection.h.  add_remove: |x||y| <= 1.  replace_one: for exact y = Q x and
 * |Q| <= 1, |(x x' - z z') Q'| <= |x x' - z z'| <= sqrt(2); rounding adds at most
 * sqrt(k) 2^-p, and the scale 1 - sqrt(k) 2^-p takes away sqrt(2) times that.
 */
extern double dpem_projection_sensitivity2(bool replace_one);

/*
 * Square of the L2 sensitivity of a sum of vectors without negative entries and of
 * norm at most 1, such as a document's share of the topics' words (lda_kernel.h):
 * add_remove 1; replace_one |x - y|^2 = |x|^2 + |y|^2 - 2 x.y <= 2, as x.y >= 0
 * (docs/proofs.md, 16).
 */
extern double dpem_document_sensitivity2(bool replace_one);

/*
 * Square of the L2 sensitivity of a sum of vectors of the unit ball (gam_gradient,
 * gam_kernel.h), rounded up: add_remove 1, replace_one 4.
 */
extern double dpem_residual_sensitivity2(bool replace_one);

/*
 * Square of the L2 sensitivity of (b g, c H) stacked, g = sum of vectors of the
 * unit ball, H = sum of E[h h'] / k for k variables in [0, 1] of which the first
 * is 1 (DPEM_GRADIENT), rounded up.  add_remove: b^2 + c^2, as |E[h h']| <= k.
 * replace_one: 4 b^2 + c^2, as E[h h'] is a mean of h h' over h in {0, 1}^k with
 * h_1 = 1, and for two such h with n and m ones, l of them in common (l >= 1, n +
 * m - l <= k), |h h' - h* h*'|^2 = n^2 + m^2 - 2 l^2 <= k^2 - 1.  NaN unless the
 * weights are finite and not negative.
 */
extern double dpem_gradient_sensitivity2(double b, double c, bool replace_one);

/*
 * Square of the L2 sensitivity of tables stacked with weights, in one cell of each of
 * which a row counts; `square`: sum of the squared weights.  add_remove: that;
 * replace_one: rows may differ in all tables, twice that.  Rounded up; NaN unless
 * square is positive.
 */
extern double dpem_tables_sensitivity2(double square, bool replace_one);

/*
 * Sensitivity of the sum of the blocks' outputs (block_means.h), k points of the
 * unit ball each: 2 sqrt(k) in L2, 2 k sqrt(d) in L1, under both adjacencies, as
 * one block's output may change arbitrarily.
 */
extern double dpem_block_sensitivity(int k, int d, bool l1);

/*
 * `count` gradient steps from 0 on J(w) = sum l(w'z) + ridge |w|^2 / 2 over rows z of
 * the unit ball, each of length 1 / (ridge + n curvature) for n rows that count; l
 * convex, |l'| <= 1, |l'(0)| = slope, l'' <= curvature.
 */
typedef struct DpemSteps
{
	double		ridge;
	double		slope;
	double		curvature;
	int			count;
} DpemSteps;

/*
 * L2 sensitivity of where these steps end, in d coordinates, as numbers of finite
 * precision (docs/proofs.md, 27): add_remove (1 + slope exp(-1 - 1 / slope)) / ridge,
 * although the steps' length is the private n's, replace_one 2 / ridge, each
 * with dpem_steps_rounding.  NaN unless all are positive, and slope at most 1.
 */
extern double dpem_steps_sensitivity(const DpemSteps *steps, int d, bool replace_one);

/* how much further apart the ends of two computed runs may be than the steps' own: rounding of all steps and of the end */
extern double dpem_steps_rounding(const DpemSteps *steps, int d);

/*
 * The minimum of sum l(w'z) + ridge |w|^2 / 2 + b'w over |w| <= reach, for rows z of the unit ball and b with Gaussian
 * noise in each coordinate; for margins up to reach, 0 <= -l' <= slope and least <= l'' <= most.  It is
 * approached by `passes` steps (core/logit/class_objective.h).  Noise of multiplier 1 / mu pays with
 * the part `part` of mu for the slope, and with the rest for the curvature (docs/proofs.md, 30).
 */
typedef struct DpemObjective
{
	double		ridge;
	double		slope;
	double		least;
	double		most;
	double		reach;
	double		part;
	int			passes;
} DpemObjective;

/* how far one row moves b, over `part`: slope / part, or for replace_one twice that; NaN for what is no such problem */
extern double dpem_objective_sensitivity(const DpemObjective *o, bool replace_one);

/* what a curvature costs one row of the problem, in mu: sqrt(pi / 2) ln(1 + most / ridge); its inverse */
extern double dpem_objective_curvature_mu(double most, double ridge);
extern double dpem_objective_ridge(double most, double mu);

/* least eigenvalue that a row's curvature has beside the greatest, in the metric of steps in d coordinates */
extern double dpem_objective_rate(const DpemObjective *o, int d);

/*
 * How far the last of the steps can be from the minimum, in numbers of finite precision: whatever the rows are, of
 * which there are DPEM_OBJECTIVE_ROWS at most, the blocks of kept rows being numbered in 32 bits.
 */
#define DPEM_OBJECTIVE_ROWS 0x1p41

/* what eigenvectors and eigenvalues of the rows' products are off by, as a part of d rows */
#define DPEM_OBJECTIVE_SPECTRUM 0x1p-49
extern double dpem_minimum_distance(const DpemObjective *o, int d);

/* the part of that which more steps make smaller: all of it in exact numbers */
extern double dpem_minimum_left(const DpemObjective *o, int d);

#endif							/* DPEM_CORE_SENSITIVITY_H */

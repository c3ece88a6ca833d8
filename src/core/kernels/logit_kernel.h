/*
 * logit_kernel.h - the link of Bayesian logistic regression by Polya-Gamma
 * augmentation (Polson, Scott, Windle 2013, JASA; variational Bayes as in
 * Foulds, Park, Chaudhuri, Welling, section 5).
 *
 * A row x with label y = 1 or 0 adds (y - 1/2) x to the linear statistic and
 * E[omega] x x' to the curvature, with E[omega] = tanh(c/2) / (2c) <= 1/4 and
 * c^2 = x' E[beta beta'] x.  The label comes in as the row's sign: z = x or
 * -x, so that (y - 1/2) x = z/2 and x x' = z z'.  The row's responsibility is
 * 4 E[omega], in [0, 1]; it is 1 for c = 0.
 */
#ifndef DPEM_CORE_LOGIT_KERNEL_H
#define DPEM_CORE_LOGIT_KERNEL_H

#include "core/pass/block.h"

#define DPEM_LOGIT_MAX_COORDINATES	2000

/*
 * r[row] = 2 tanh(c/2) / c with c^2 = |L'x|^2, in multiples of
 * 2^-responsibility_bits (0 bits: as it is), for every row of the block; 0 for
 * null rows and padding.  factor: the columns of the lower triangular L one after
 * the other, each from the diagonal down: d (d + 1) / 2 numbers.  For any numbers,
 * 0 <= r <= 1, and the bits of a row's r depend on that row alone.
 */
extern void dpem_logit_respond(const double *factor, const DpemBlock *block, int feature_bits,
							   int responsibility_bits, double *r);

/*
 * The same for the gradient of the log-likelihood: (y - sigma(m'x)) x = sigma(-m'z) z, so
 * that r[row] = sigma(-m'z) and sum r z is the gradient.  mean: the d coefficients m.
 */
extern void dpem_logit_gradient_respond(const double *mean, const DpemBlock *block, int feature_bits,
										int responsibility_bits, double *r);

#endif							/* DPEM_CORE_LOGIT_KERNEL_H */

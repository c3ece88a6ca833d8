/*
 * residual_kernel.h - gradients of a linear regression whose residuals are clipped: of Huber's loss (Huber
 * 1964, Annals of Mathematical Statistics 35).
 *
 * All coordinates of a row x, the target among them, have a coefficient, the target's being -1, so that the
 * residual is -m'x.  The row adds a x, a = the residual over the bound, clipped to [-1, 1]: the negative gradient, in
 * units of the bound, and a product of two vectors of the unit ball (docs/proofs.md, 23, 28).
 */
#ifndef DPEM_CORE_RESIDUAL_KERNEL_H
#define DPEM_CORE_RESIDUAL_KERNEL_H

#include "core/pass/block.h"

/* theta of the kernel `residual` (kernel.h): the bound, in units of the ball, and the coefficients */
#define DPEM_RESIDUAL_HEAD	1

/*
 * a[row] in multiples of 2^-responsibility_bits, towards zero, of absolute value at most 1, of the row alone; real for 0
 * bits.  0 for null rows and residuals that are no numbers.
 */
extern void dpem_residual_respond(const double *theta, const DpemBlock *block, int feature_bits, int responsibility_bits,
								  double *a);

#endif							/* DPEM_CORE_RESIDUAL_KERNEL_H */

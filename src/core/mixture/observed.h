/*
 * observed.h - EM for rows of which only some coordinates are known.
 *
 * The kernel `gmm_observed` (kernel.h) treats complete rows as the kernel `gmm`
 * does, to the bit.  Of an incomplete row x_o its responsibilities are those of
 * its known coordinates, r_k ~ w_k N(x_o; m_o, S_oo), and to component k it
 * contributes the expected statistics given these, E x and E xx' = E x E x' + C
 * with (E x)_u = m_u + S_uo S_oo^-1 (x_o - m_o) and
 * C_uu = S_uu - S_uo S_oo^-1 S_ou (Ghahramani and Jordan, "Supervised learning
 * from incomplete data via an EM approach", 1994, eqs. 10-12).  These are
 * clipped so that they are moments of a law in the unit ball (docs/proofs.md,
 * "Rows with unknown coordinates").  A row without a known coordinate is the
 * null row.
 */
#ifndef DPEM_CORE_OBSERVED_H
#define DPEM_CORE_OBSERVED_H

#include "core/gmm/gmm_estimate.h"
#include "core/kernels/kernel.h"

#define DPEM_OBSERVED_MAX_D	64	/* coordinates: which are known is a word of so many bits */

/* parameters as the kernel reads them, in box coordinates [-1, 1]^d; each array follows the theta of kernel `gmm` */
typedef struct DpemObservedParameters
{
	const double *log_weight;	/* k */
	const double *mean;			/* k * d */
	const double *covariance;	/* k lower triangles, row by row */
} DpemObservedParameters;

extern size_t dpem_observed_theta_length(const DpemMomentLayout *layout);
extern DpemObservedParameters dpem_observed_parameters(const DpemMomentLayout *layout, const double *theta);

/*
 * theta of the kernel for a mixture in the unit-ball coordinates of a feature
 * map, of which inverse (d x d) is the inverse of the whitening matrix, or NULL
 * without one.  Fails as dpem_gmm_theta does.
 */
extern size_t dpem_observed_theta_work(int k, int d);
extern DpemStatus dpem_observed_theta(const DpemGmm *gmm, const DpemFeatureMap *map, const double *inverse,
									  double *theta, DpemWorkspace work);

/*
 * One component about the center of the map, with standard deviation `spread` of
 * every axis before the rows are divided by the radius: what is assumed of rows
 * whose mean and covariance are not released yet.
 */
extern size_t dpem_observed_start_work(int d);
extern DpemStatus dpem_observed_start(double spread, DpemSecondMoment shape, const DpemFeatureMap *map,
									  const double *inverse, double *theta, DpemWorkspace work);

/* DpemKernel.scratch_length of kernel `gmm_observed` */
extern size_t dpem_observed_scratch(const DpemMomentLayout *layout);

/* adds what incomplete rows contribute; DpemKernel.add_incomplete of kernel `gmm_observed` */
extern void dpem_observed_add(const DpemMomentLayout *layout, const double *theta, const DpemFeatureMap *map,
							  const DpemBlock *rows, int responsibility_bits, double *sums, double *scratch);

#endif							/* DPEM_CORE_OBSERVED_H */

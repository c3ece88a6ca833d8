/*
 * refine.h - components of a mixture, measured in frames of their own.
 *
 * Passes of the kernel `gmm` sum second moments in one frame for all rows, and the noise in them is that of
 * the frame: a component that is narrow in some direction is lost in it.  The kernel `gmm_refine` sums to
 * component k, with the same responsibilities, z = clip(U_k (x - m_k), R) / R and z z', U_k S_k U_k' = I: what a
 * row is in the component's own deviations.  Its noise is relative to the component's covariance, and its sensitivity is
 * what it was (docs/proofs.md, 4, "Frames of components").  This is recursive preconditioning (Kamath, Li, Singhal,
 * Ullman 2019, COLT) of every component of an EM.
 */
#ifndef DPEM_CORE_REFINE_H
#define DPEM_CORE_REFINE_H

#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_noise.h"
#include "core/kernels/kernel.h"

/* what passes in components' own frames have told so far; k numbers each, zero before the first */
typedef struct DpemRefined
{
	int			passes;
	double		radius;			/* R, in deviations */
	double	   *size;			/* rows of a component, mean over the passes */
	double	   *mean_variance;	/* of the noise left in a coordinate of a mean, in the component's deviations */
	double	   *second_variance;	/* and in an svec entry of a covariance */
} DpemRefined;

/* of the kernel `gmm_refine`: the theta of `gmm` (gmm_kernel.h), then R */
extern size_t dpem_refine_theta_length(const DpemMomentLayout *layout);

/* theta for these parameters; work: as for dpem_gmm_theta, and fails as that does */
extern DpemStatus dpem_refine_theta(const DpemGmm *gmm, double radius, double *theta, DpemWorkspace work);

/*
 * The M-step: gmm, in unit-ball coordinates, moves by what its passes have released in the frames that it had.  What noise
 * could have made of nothing is left out: each component's mean and covariance move by g = p / (p + v), v the variance of the
 * noise, p what the move is beyond it, or what is left of earlier noise.  Eigenvalues stay in [least, 1].  extra: rows
 * that a prior adds to every component.  work: dpem_refine_work(d).  A component whose covariance has no factor stays as it was.
 */
extern size_t dpem_refine_work(int d);
extern DpemStatus dpem_refine_step(DpemRefined *refined, const DpemNoisyMoments *released, double extra, double least, DpemGmm *gmm,
								   DpemWorkspace work);

/* what noise is left in the parameters; gmm in any units, levels in the same; count_sd: of one pass */
extern void dpem_refine_noise_levels(const DpemRefined *refined, double count_sd, const DpemGmm *gmm, DpemGmmNoiseLevels *levels);

#endif							/* DPEM_CORE_REFINE_H */

/*
 * release_steps.h - output perturbation: where gradient steps over private rows end; and objective perturbation: an
 * approximate minimum.
 *
 * The wall runs the passes itself (core/kernels/logit_kernel.h): what a pass found, and the
 * coefficients that the next one is made with, are seen by nobody, and the last
 * coefficients get noise.  The number of passes is public.
 */
#ifndef DPEM_WALL_RELEASE_STEPS_H
#define DPEM_WALL_RELEASE_STEPS_H

#include "core/kernels/logit_kernel.h"
#include "wall/release.h"

/* steps on this loss: its slope at zero and greatest curvature, the caller's ridge and count */
extern DpemSteps dpem_release_steps_of(const DpemMarginLoss *loss, double ridge, int count);

/*
 * Passes over rows with labels, by the pass's feature map, and one release of line `line`:
 * sums of one component are the coefficients of a row's margin in the unit ball.  The source
 * must keep its rows (dpem_source_keeps_rows), so that coefficients never
 * stand in a query; the spec is of contribution DPEM_STEPS with the loss's steps.
 */
extern DpemNoisyMoments *dpem_release_steps(DpemCharge *charge, int line, DpemSource *source, const DpemPass *pass,
											const DpemMarginLoss *loss, const DpemReleaseSpec *spec);

/*
 * Likewise a minimum (core/logit/class_objective.h), with noise of line[0] in the objective, of contribution DPEM_OBJECTIVE, which no caller
 * sees, and of line[1] in where the steps end, DPEM_MINIMUM; both of the same problem, for whose ridge
 * the first line's multiplier must pay (docs/proofs.md, 30).
 */
extern DpemNoisyMoments *dpem_release_minimum(DpemCharge *charge, const int line[2], DpemSource *source, const DpemPass *pass,
											  const DpemMarginLoss *loss, const DpemReleaseSpec *noise,
											  const DpemReleaseSpec *end);

/* passes that the wall makes by itself for a release of this spec, beside the one that each release has */
extern int	dpem_release_own_passes(const DpemReleaseSpec *spec);

#endif							/* DPEM_WALL_RELEASE_STEPS_H */

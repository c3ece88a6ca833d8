/*
 * column_frames.h - components of a mixture of numbers and categories, measured in frames of their own.
 *
 * Noise in a pass of the kernel `gmm` is that of the units which a number has for all rows.  The kernel `column_frames` sums to component k,
 * with the same responsibilities, clip(z_k) / R and its squares: where number j is known, z_kj = (x_j - m_kj) / s_kj, where it is not, 0; a
 * category's indicator is what it was.  So noise in a component's number is relative to its own deviation s_kj, and the sensitivity is what
 * it was (docs/proofs.md, 4, "Frames of components").
 */
#ifndef DPEM_CORE_COLUMN_FRAMES_H
#define DPEM_CORE_COLUMN_FRAMES_H

#include "core/kernels/kernel.h"
#include "core/mixture/mixture_estimate.h"

/*
 * theta: that of `gmm` with diagonal factors; then a_kj and b_kj (k * n each) and a place p: z_kj = a_kj x_j - b_kj x_(j + p) where that
 * is a coordinate, a_kj x_j - b_kj without p (0), each in parts of R.
 */
typedef struct DpemColumnFrames
{
	double		radius;			/* R, in deviations */
	double		left;			/* of a normal number's variance, where rows are clipped there */
	bool	   *own;			/* rows->numbers: has the number units of components' own?  The others keep those of all rows: */
	double	   *center;			/* k * n: m_kj in units of the rows; 0 of what has none of its own */
	double	   *spread;			/* k * n: s_kj; 1 of what has none of its own */
	double	   *moved;			/* k * n each: room for the centers and scales of the moments */
	double	   *scale;
} DpemColumnFrames;

extern size_t dpem_column_frames_theta_length(const DpemMomentLayout *layout);

/* R for rows of so many numbers, and what is left of a normal's variance there; the rest stays */
extern void dpem_column_frames_set_radius(const DpemMixtureRows *rows, double radius, DpemColumnFrames *frames);

/* the radius of the ball of all rows, which noise does not depend on any more: whoever is in a component is in it as a whole */
extern double dpem_column_frames_ball(const DpemMixtureRows *rows);

/*
 * Frames of the components as they are now, as wide as they and the noise in their means are.  moments: what they were made of, which tells
 * how wide counts are.
 */
extern void dpem_column_frames_find(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, const DpemMixture *total,
									const DpemMixture *mixture, DpemColumnFrames *frames);

extern void dpem_column_frames_theta(const DpemMixtureRows *rows, const DpemMixture *mixture, const DpemColumnFrames *frames,
									 double *theta);

/* dpem_mixture_average of a pass in these frames; moments has room for centers and scales */
extern void dpem_column_frames_average(const DpemMixtureRows *rows, const DpemColumnFrames *frames, const DpemMixture *total,
									   const DpemNoisyMoments *released, double share, DpemMixtureMoments *moments);

#endif							/* DPEM_CORE_COLUMN_FRAMES_H */

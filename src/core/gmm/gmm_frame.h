/*
 * gmm_frame.h - where the rows of a wide domain are, axis by axis, from early
 * releases (docs/estimation.md, "preconditioning"; post-processing throughout).
 *
 * A frame is a feature map (features.h) from box coordinates [-1, 1]^d:
 * y = clip((x - center) / scale, radius) / radius.  Each release of counts,
 * sums and squares of such y is a closer look, as near as its noise allows.
 * An axis on which rows hardly vary gets a small scale, so that the noise of
 * the next release is in proportion to each axis, not to the widest.
 */
#ifndef DPEM_CORE_GMM_FRAME_H
#define DPEM_CORE_GMM_FRAME_H

#include "core/pass/noisy_moments.h"

typedef struct DpemGmmFrame
{
	int			d;
	double		radius;			/* clip norm in scaled coordinates */
	double	   *center;			/* d, box coordinates */
	double	   *scale;			/* d, box coordinates; > 0 */
	double	   *spread2;		/* d: mean square about the center, box coordinates; before it, zeros */
	double	   *spread2_sd;		/* d: noise in that */
	double		lost;			/* share of the mean square that the clip of the whitening stage cut off */
} DpemGmmFrame;

/* the whole box, rows clipped at `radius`; the arrays are the caller's */
extern void dpem_gmm_frame_begin(DpemGmmFrame *frame, double radius);

/*
 * A closer look.  m: one component's release over rows in the frame, second
 * moments of shape DPEM_SECOND_DIAGONAL, or DPEM_SECOND_NORM for one scale in
 * all axes.  public_rows: 0 if private.  work: d numbers.
 */
extern void dpem_gmm_frame_zoom(const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame,
								double *work);

#endif							/* DPEM_CORE_GMM_FRAME_H */

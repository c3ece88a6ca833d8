/*
 * gmm_frame.h - location and spread of the rows within a wide domain, axis by
 * axis, from early releases (docs/estimation.md, "preconditioning";
 * post-processing throughout).
 *
 * A frame is a feature map (features.h) from box coordinates [-1, 1]^d:
 * y = clip((x - center) / scale, radius) / radius.  Each release of counts,
 * sums and squares of such y narrows the frame as far as its noise allows.  An
 * axis on which rows hardly vary gets a small scale, so that the noise of the next
 * release is proportional to each axis' spread, not to the widest one's.
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
	double	   *spread2;		/* d: mean square about the center, box coordinates; zeros at first */
	double	   *spread2_sd;		/* d: noise in that */
	double		lost;			/* share of the mean square lost to the whitening stage's clip */
} DpemGmmFrame;

/* the whole box, rows clipped at `radius`; the arrays are the caller's */
extern void dpem_gmm_frame_begin(DpemGmmFrame *frame, double radius);

/*
 * A frame whose center and scale are those of column_spread.h: the centers and standard deviations
 * of margins.  Sets its radius, in scaled coordinates, and its spreads.
 */
extern void dpem_gmm_frame_located(DpemGmmFrame *frame, double radius);

/*
 * Narrows the frame.  m: a one-component release over rows in the frame, with
 * second moments of shape DPEM_SECOND_DIAGONAL, or DPEM_SECOND_NORM for one scale
 * for all axes.  public_rows: 0 if private.  work: d numbers.
 */
extern void dpem_gmm_frame_zoom(const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame,
								double *work);

#endif							/* DPEM_CORE_GMM_FRAME_H */

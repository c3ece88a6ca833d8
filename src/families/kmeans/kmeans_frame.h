/*
 * kmeans_frame.h - where the rows are and along which directions they spread:
 * the first two releases of the algorithms that count cells along such directions.
 */
#ifndef DPEM_FAMILY_KMEANS_FRAME_H
#define DPEM_FAMILY_KMEANS_FRAME_H

#include "core/kernels/cells.h"
#include "families/kmeans/kmeans.h"

typedef struct DpemKmeansFrame
{
	int			axes;
	int			d;
	double		rows;			/* released */
	double	   *axis;			/* axes * d: orthonormal, in the coordinates of re-centered features */
	double	   *variance;		/* axes: of the rows along each, and the noise in that */
	double		variance_noise;
} DpemKmeansFrame;

/* a frame of up to so many axes, without numbers, in the current memory context */
extern DpemKmeansFrame dpem_kmeans_frame_make(int axes, int d);

/*
 * The two releases, which plan->plane has the lines of.  The first finds the
 * number of rows, and the feature map of all later passes is re-centered where they
 * are and clips to the radius most of them are within.  Of the second moment
 * there the top eigenvectors are the axes; there may be made fewer of them in between.
 */
extern void dpem_kmeans_frame_center(DpemKmeansRun *run, DpemKmeansFrame *frame);
extern void dpem_kmeans_frame_axes(DpemKmeansRun *run, DpemKmeansFrame *frame);

/* centers along the axes as points of the whole space, with their noise */
extern void dpem_kmeans_frame_lift(const DpemKmeansFrame *frame, const DpemKmeans *flat, DpemKmeans *means);

/* stages of an algorithm that starts in a frame */
typedef enum DpemKmeansFrameStage
{
	DPEM_FRAME_CENTER,			/* where rows are, and how far they spread */
	DPEM_FRAME_SECOND,			/* the second moment of re-centered rows */
	DPEM_FRAME_CELLS,			/* counts on a grid along its axes */
	DPEM_FRAME_PASSES,			/* plan->joint, plan->fit.iterations times */
	DPEM_FRAME_STAGES
} DpemKmeansFrameStage;

/* plans them with these shares of the budget; the passes are called so and release such second moments */
extern void dpem_kmeans_frame_stages(DpemKmeansPlan *plan, const double shares[DPEM_FRAME_STAGES],
									 const char *passes, DpemSecondMoment second);

#endif							/* DPEM_FAMILY_KMEANS_FRAME_H */

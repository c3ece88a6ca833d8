/*
 * kmeans_frame.h - location and principal directions of the rows: the first two
 * releases of the algorithms that count cells along such directions.
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
	double		center_noise;	/* expected length of the noise in the center; the domain's ball has radius 1 */
	double	   *axis;			/* axes * d: orthonormal, in the coordinates of re-centered features */
	double	   *variance;		/* axes: variance of the rows along each, and the noise in it */
	double		variance_noise;
} DpemKmeansFrame;

/* an empty frame of up to `axes` axes, in the current memory context */
extern DpemKmeansFrame dpem_kmeans_frame_make(int axes, int d);

/*
 * The two stages' releases, paid for as below.  The first, of one look or two, estimates
 * the number of rows, and re-centers and clips the feature map of all later passes
 * to a ball that holds most of them.  The second releases the second moment of
 * the re-centered rows; its top eigenvectors become the axes.  frame->axes may be
 * lowered between the two.
 */
extern void dpem_kmeans_frame_center(DpemKmeansRun *run, DpemKmeansFrame *frame);
extern void dpem_kmeans_frame_axes(DpemKmeansRun *run, DpemKmeansFrame *frame);

/* frame->center_noise that is to be expected of the first stage with that share of the squared mu, as far as the number of rows is public */
extern double dpem_kmeans_frame_expected_noise(const DpemKmeansPlan *plan, double share);

/* converts centers along the axes to points of the whole space, with their noise */
extern void dpem_kmeans_frame_lift(const DpemKmeansFrame *frame, const DpemKmeans *flat, DpemKmeans *means);

/* stages of an algorithm that starts with a frame */
typedef enum DpemKmeansFrameStage
{
	DPEM_FRAME_CENTER,			/* location and spread of the rows */
	DPEM_FRAME_SECOND,			/* the second moment of re-centered rows */
	DPEM_FRAME_CELLS,			/* counts on a grid along its axes */
	DPEM_FRAME_PASSES,			/* plan->joint, plan->fit.iterations times */
	DPEM_FRAME_STAGES
} DpemKmeansFrameStage;

/*
 * Plans them with these shares of the budget; looks: releases of the first stage, 1 or 2; passes: name of the passes;
 * second: what they release.  Raises 54000 where a second moment of all
 * coordinates does not fit into memory: before anything is paid.
 */
extern void dpem_kmeans_frame_stages(DpemKmeansPlan *plan, const double shares[DPEM_FRAME_STAGES],
									 int looks, const char *passes, DpemSecondMoment second);

#endif							/* DPEM_FAMILY_KMEANS_FRAME_H */

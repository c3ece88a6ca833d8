/*
 * kmeans_frame.h - location and principal directions of the rows: the first two
 * releases of the algorithms that count cells along such directions.
 */
#ifndef DPEM_FAMILY_KMEANS_FRAME_H
#define DPEM_FAMILY_KMEANS_FRAME_H

#include "core/kernels/cells.h"
#include "core/kmeans/nearby_step.h"
#include "families/kmeans/kmeans_grid.h"

typedef struct DpemKmeansFrame
{
	int			axes;
	int			d;
	double		rows;			/* released, and the noise in it; 0: public */
	double		rows_sd;
	double	   *center;			/* d, box coordinates: of the feature map of later passes, and its radius */
	double		radius;
	double		spread;			/* root mean square distance of the rows from it, or a little more; the domain's ball has radius 1 */
	DpemKmeansTotal total;		/* what the same looks say in the coordinates of the domain, with this in mind */
	double		resolution;		/* of the mean squared distance, in standard deviations of its noise */
	double		center_noise;	/* expected length of the noise in the center; the domain's ball has radius 1 */
	double		ball_noise;		/* the same in radii of the ball that was looked at last */
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

/* in the count of a cell; 0 without noise */
extern double dpem_kmeans_cell_noise(const DpemKmeansPlan *plan);

/* counts on a grid along the axes, fine enough for so many centers */
extern DpemKmeansCounts dpem_kmeans_frame_cells(DpemKmeansRun *run, const DpemKmeansFrame *frame, int centers);

/* later passes read rows in the domain's coordinates, none clipped */
extern void dpem_kmeans_frame_leave(DpemKmeansRun *run);

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

/* ---- passes over the rows about centers (kmeans_total.c) ---- */

/* of Lloyd's: those between which centers stay where they are are one of less noise */
typedef struct DpemKmeansSteps
{
	int			n;
	int			step;			/* from 1 */
	int			releases;		/* in all */
	int			made;
} DpemKmeansSteps;

/* noise in a sum of one release; 0 without noise */
extern double dpem_kmeans_pass_noise(const DpemKmeansPlan *plan);

/*
 * As many steps as would have been planned for so many rows, by the releases that looks have left.  All that were, where the number of rows was
 * known before, or that of passes is the caller's.
 */
extern DpemKmeansSteps dpem_kmeans_steps(const DpemKmeansPlan *plan, double rows, int looks);

/* the mean of all releases of the present step, and the noise in a sum of it */
extern double dpem_kmeans_step_noise(const DpemKmeansPlan *plan, const DpemKmeansSteps *steps);
extern DpemNoisyMoments *dpem_kmeans_release_step(DpemKmeansRun *run, DpemKmeansSteps *steps, const DpemMomentLayout *layout,
												  const double *theta);

/* means->k centers of a normal law with the frame's moments, in the coordinates of the domain, where no cells stand out from the noise */
extern void dpem_kmeans_normal_start(DpemKmeansRun *run, const DpemKmeansFrame *frame, DpemKmeans *means, double *spread);

/*
 * Where noise hides even where the rows are, all that is left of the budget looks for the middle of them, release by release as
 * planned; run->means are centers of a normal law about it.  After the first stage.
 */
extern bool dpem_kmeans_total_alone(const DpemKmeansRun *run, const DpemKmeansFrame *frame);
extern void dpem_kmeans_run_total(DpemKmeansRun *run, DpemKmeansFrame *frame);

/*
 * Where the middle is seen, but not how far rows are from it, second moment and cells would be noise: what was paid for them
 * looks at all rows from nearer, and frame->total is what it says. As long as noise hides clusters even then passes look, too, one
 * after the other; returns how many.
 */
extern bool dpem_kmeans_is_narrow(const DpemKmeansRun *run, const DpemKmeansFrame *frame);
extern void dpem_kmeans_look_nearer(DpemKmeansRun *run, DpemKmeansFrame *frame);
extern int	dpem_kmeans_look_further(DpemKmeansRun *run, DpemKmeansFrame *frame);

/* means->k centers of a round normal law about the middle that looks saw */
extern void dpem_kmeans_round_start(const DpemKmeansRun *run, const DpemKmeansTotal *total, DpemKmeans *means, double *spread);

/*
 * One look at all rows of each group, by a release that a line of the charge has paid for, with the noise of its own sensitivity;
 * total: of every group
 */
extern void dpem_kmeans_look_at_all(DpemKmeansRun *run, int line, const char *phase, int look, DpemKmeansTotal *total);

/* raises 22023, before the charge, if noise of such a look under that line, if it is one, is too large to be drawn */
extern void dpem_kmeans_check_look(const DpemFitPlan *plan, int line);

#endif							/* DPEM_FAMILY_KMEANS_FRAME_H */

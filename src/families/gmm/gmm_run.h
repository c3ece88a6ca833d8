/*
 * gmm_run.h - a mixture fit under way, for the files that run its stages.
 */
#ifndef DPEM_FAMILY_GMM_RUN_H
#define DPEM_FAMILY_GMM_RUN_H

#include "core/gmm/affine.h"
#include "core/gmm/gmm_frame.h"
#include "families/gmm/gmm_fit_paper.h"
#include "families/gmm/gmm.h"

/* the mixture of one group of rows; its feature map is the part of the fit's passes */
typedef struct GmmGroup
{
	DpemPassPart *part;
	double	   *inverse;		/* of the whitening matrix, or NULL */
	double		rows;			/* as far as the whitening stage's release tells; 0: not known */
	DpemAffine	affine;
	DpemGmmHistory history;
	DpemNoisyMoments noise;		/* levels only: of the records that the parameters are made of */
	DpemGmm		gmm;
} GmmGroup;

typedef struct GmmRun
{
	DpemFitRun *fit;
	const DpemGmmPlan *plan;
	int			groups;
	GmmGroup   *group;
	DpemGmmPaperRun paper;
} GmmRun;

/* one pass over the rows and its release, by groups; the result lives in the current context */
extern DpemNoisyMoments *dpem_gmm_release_pass(GmmRun *run, DpemGmmStage stage, const DpemKernel *kernel,
											   int k, DpemSecondMoment second);

/* the first two stages: center, whitening and radius of every group's feature map */
extern void dpem_gmm_precondition(GmmRun *run);

/* the last stage where it is no EM over rows (DPEM_GMM_CELLS, DPEM_GMM_TOTAL): fills every group's gmm and noise */
extern void dpem_gmm_run_cells(GmmRun *run);
extern void dpem_gmm_run_total(GmmRun *run, int passes);

#endif							/* DPEM_FAMILY_GMM_RUN_H */

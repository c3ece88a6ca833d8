/*
 * gmm_fit_paper.h - EM by the mechanisms of the papers.
 */
#ifndef DPEM_FAMILY_GMM_FIT_PAPER_H
#define DPEM_FAMILY_GMM_FIT_PAPER_H

#include "families/gmm/gmm.h"

/* what one iteration needs of a fit */
typedef struct DpemGmmPaperRun
{
	const DpemGmmPlan *plan;
	DpemFitRun *fit;			/* with its feature map set */
	DpemNoisyMoments released;	/* of the last iteration: layout and standard deviations only */
	double		rows;			/* N of the last iteration */
} DpemGmmPaperRun;

/* one iteration: E-step, releases, M-step; gmm in and out; memory of the current context */
extern DpemStatus dpem_gmm_paper_iterate(DpemGmmPaperRun *run, DpemGmm *gmm);

#endif							/* DPEM_FAMILY_GMM_FIT_PAPER_H */

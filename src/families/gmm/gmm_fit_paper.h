/*
 * gmm_fit_paper.h - EM with the mechanisms of the papers.
 */
#ifndef DPEM_FAMILY_GMM_FIT_PAPER_H
#define DPEM_FAMILY_GMM_FIT_PAPER_H

#include "families/gmm/gmm.h"

/* state of a fit that one iteration needs */
typedef struct DpemGmmPaperRun
{
	const DpemGmmPlan *plan;
	DpemFitRun *fit;			/* with its feature map set */
	DpemNoisyMoments released;	/* of the last iteration: layout and standard deviations only */
	double		rows;			/* N of the last iteration */
} DpemGmmPaperRun;

/* one iteration: E-step, releases, M-step; updates gmm; allocates in the current memory context */
extern DpemStatus dpem_gmm_paper_iterate(DpemGmmPaperRun *run, DpemGmm *gmm);

#endif							/* DPEM_FAMILY_GMM_FIT_PAPER_H */

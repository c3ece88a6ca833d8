/*
 * gam_run.h - what the passes of an additive model work on, for one group of rows.
 */
#ifndef DPEM_FAMILY_GAM_RUN_H
#define DPEM_FAMILY_GAM_RUN_H

#include "families/gam/gam.h"

typedef struct DpemGamRun
{
	DpemGamRows rows;			/* their shape is what gradients see */
	DpemGamScore *score;
	double	   *coefficient;	/* scores * n: of the last pass */
	DpemGamShape joined;		/* the plan's shape, whose cells are joined to those; columns 0: they are the same */
	bool		converged;
} DpemGamRun;

extern void dpem_gam_create_run(DpemGamRun *run, const DpemGamPlan *plan, const DpemGamShape *shape);

extern void dpem_gam_free_run(DpemGamRun *run, const DpemGamPlan *plan);

/* finds where a number's bins are to be, if the plan says so */
extern void dpem_gam_locate_runs(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run);

/* one of the plan's stages at the coefficients so far, or of counts alone at zeros */
extern DpemNoisyMoments *dpem_gam_release(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int stage, bool zeros);

/* what was found of score s; rows and results of all of the plan's cells, of each those of the cell that it was joined to */
extern DpemGamResult dpem_gam_run_result(const DpemGamRun *run, int s);
extern DpemGamRows dpem_gam_all_rows(const DpemGamRun *run);

/* joins bins that noise would hide in gradients (core/gam/gam_join.h), if there are such and the request leaves bins to the fit */
extern void dpem_gam_join_runs(const DpemGamPlan *plan, DpemGamRun *run);

#endif							/* DPEM_FAMILY_GAM_RUN_H */

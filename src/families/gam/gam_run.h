/*
 * gam_run.h - what the passes of an additive model work on, for one group of rows.
 */
#ifndef DPEM_FAMILY_GAM_RUN_H
#define DPEM_FAMILY_GAM_RUN_H

#include "core/gam_search/gam_search.h"
#include "families/gam/gam.h"

typedef struct DpemGamRun
{
	DpemGamRows rows;			/* their shape is what gradients see */
	DpemGamScore *score;
	double	   *coefficient;	/* scores * n: of the last pass */
	double	   *margins;		/* of a number: what was released of them, and its noise */
	double		margins_sd;
	DpemGamShape joined;		/* the plan's shape, whose cells are joined to those; columns 0: they are the same */
	bool		cleaned;		/* pairs are (dpem_gam_clean_pairs) */
	bool		converged;
	DpemGamSearch *search;		/* without noise of several classes, once the prior's variances are learnt; else NULL */
} DpemGamRun;

extern void dpem_gam_create_run(DpemGamRun *run, const DpemGamPlan *plan, const DpemGamShape *shape);

/* matrices of n x n for every score, zeros: once it is known which cells are joined, before anything is estimated */
extern void dpem_gam_create_curvatures(DpemGamRun *run, const DpemGamPlan *plan);

extern void dpem_gam_free_run(DpemGamRun *run, const DpemGamPlan *plan);

/* finds where a number's bins are to be, if the plan says so; what is public of it */
extern void dpem_gam_locate_runs(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run);
extern DpemColumnValues dpem_gam_target_values(const DpemFitPlan *plan);

/* one of the plan's stages at the coefficients so far, or of counts alone at zeros */
extern DpemNoisyMoments *dpem_gam_release(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int stage, bool zeros);

/* the same, of what another stage is for */
extern DpemNoisyMoments *dpem_gam_release_as(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int stage, int what, bool zeros);

/* what was found of score s; rows and results of all of the plan's cells, of each those of the cell that it was joined to */
extern DpemGamResult dpem_gam_run_result(const DpemGamRun *run, int s);
extern DpemGamRows dpem_gam_all_rows(const DpemGamRun *run);

/* joins bins that noise would hide in gradients (core/gam/gam_join.h), if there are such and the request leaves bins to the fit */
extern void dpem_gam_join_runs(const DpemGamPlan *plan, DpemGamRun *run, DpemWorkspace work);

/* ---- gam_minimum.c: several classes without noise, once the prior's variances are learnt ---- */

extern void dpem_gam_begin_search(const DpemGamPlan *plan, DpemGamRun *run);

/* a gradient of all groups; those whose minimum is found have converged */
extern void dpem_gam_search_pass(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run);

/* ---- gam_mean.c: the mean of a number alone, or the shares of two classes; gam_shares.c: of more ---- */

/* do margins say of all groups that noise will hide a model, where the plan could not know? */
extern bool dpem_gam_are_hidden(const DpemGamPlan *plan, const DpemGamRun *run);

/* do counts say of all groups that it will hide a model of classes? */
extern bool dpem_gam_are_classes_hidden(const DpemGamPlan *plan, const DpemGamRun *run);

/* dpem_gam_run where that is so, or the plan says so: what is left of the budget is for the mean, or the classes' shares; raises a NOTICE */
extern void dpem_gam_run_mean(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, DpemFitted *fitted);
extern void dpem_gam_run_shares(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, DpemFitted *fitted);
extern void dpem_gam_tell_of_mean(const DpemGamPlan *plan);

/* cells were found with all columns: of these one is seen, and of it one cell */
extern void dpem_gam_join_all(const DpemGamPlan *plan, DpemGamRun *run);

/* all cells, of which nothing was released: the prior is all that there is; of its first score */
extern DpemGamRun dpem_gam_prior_run(const DpemGamPlan *plan, double rows, double dispersion);

#endif							/* DPEM_FAMILY_GAM_RUN_H */

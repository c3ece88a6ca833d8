/*
 * fit_stages.h - a fit of several releases that get shares of its budget.
 */
#ifndef DPEM_FIT_FIT_STAGES_H
#define DPEM_FIT_FIT_STAGES_H

#include "fit/fit.h"
#include "fit/forecast.h"

/*
 * Adds a line for each stage to the plan's charge; all have the same kind of
 * noise.  Without noise, and for a stage without a share, there is none.
 * Raises 22023 where the composition has no such noise level, 22003 where it is
 * too large to be drawn.  No more than DPEM_FIT_MAX_STAGES stages.
 */
extern void dpem_fit_add_stages(DpemFitPlan *plan, DpemFitStage *stages, int n);

/* the same for the plan's own stages */
extern void dpem_fit_plan_stages(DpemFitPlan *plan, int n);

/* the spec of joint releases with such weights of counts, sums and second moments, as the dataset has it */
extern DpemReleaseSpec dpem_fit_spec(const DpemFitPlan *plan, double count, double sum, double second);

/* of the noise multiplier of a stage; 0: it has no release */
extern double dpem_fit_stage_multiplier(const DpemFitPlan *plan, int stage);

/* each of the plan's stages that has a line is a joint release */
extern void dpem_fit_forecast_stages(const DpemFitPlan *plan, DpemForecast *forecast);

/* one pass and the release of one of the plan's stages (dpem_fit_release, dpem_fit_release_groups) */
extern DpemNoisyMoments *dpem_fit_release_stage(DpemFitRun *run, int stage, const DpemKernel *kernel,
												const DpemMomentLayout *layout, const double *theta);
extern DpemNoisyMoments *dpem_fit_release_stage_groups(DpemFitRun *run, int stage, const DpemKernel *kernel,
													   const DpemMomentLayout *layout);

#endif							/* DPEM_FIT_FIT_STAGES_H */

/*
 * fit_margins.h - a stage of a fit that releases histograms of all its columns
 * (core/kernels/margins.h), from which the rest of the fit takes its frame.
 */
#ifndef DPEM_FIT_FIT_MARGINS_H
#define DPEM_FIT_FIT_MARGINS_H

#include "core/gmm/column_spread.h"
#include "fit/fit_stages.h"

/* margins of the first `columns` coordinates, for `share` of the budget */
extern DpemFitStage dpem_fit_margins_stage(const DpemFitPlan *plan, const DpemMarginGrid *grid, double share);

/*
 * Releases the stage, which must be a fit's first, before rows have a frame: what
 * it says of each of plan->groups.
 */
extern DpemMargins *dpem_fit_release_margins(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid);

/*
 * The frame of later passes for a group's rows: about centers, in units of
 * scales (d numbers each, which stay in use), clipped at that radius.
 */
extern void dpem_fit_set_frame(DpemFitRun *run, int group, const double *center, const double *scale, double radius);

#endif							/* DPEM_FIT_FIT_MARGINS_H */

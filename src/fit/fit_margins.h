/*
 * fit_margins.h - a stage of a fit that releases histograms of all columns
 * (core/kernels/margins.h), from which later passes take center, scales and radius.
 */
#ifndef DPEM_FIT_FIT_MARGINS_H
#define DPEM_FIT_FIT_MARGINS_H

#include "core/gmm/column_spread.h"
#include "fit/fit_stages.h"

/* margins of the first `columns` coordinates, for `share` of the budget */
extern DpemFitStage dpem_fit_margins_stage(const DpemFitPlan *plan, const DpemMarginGrid *grid, double share);

/*
 * Releases the stage, which must be the fit's first, before dpem_fit_set_frame.
 * Returns the margins of each of plan->groups.
 */
extern DpemMargins *dpem_fit_release_margins(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid);

/*
 * Sets the coordinates of a group's rows in later passes: relative to center, in
 * units of scale (d numbers each; not copied), clipped at radius.
 */
extern void dpem_fit_set_frame(DpemFitRun *run, int group, const double *center, const double *scale, double radius);

#endif							/* DPEM_FIT_FIT_MARGINS_H */

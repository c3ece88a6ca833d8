/*
 * linreg_target.h - where the target of a linear regression is, from its own released margins (core/columns).
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_LINREG_TARGET_H
#define DPEM_CORE_LINREG_TARGET_H

#include <stdbool.h>

#include "core/columns/released_margins.h"
#include "core/numeric/workspace.h"

/* center and deviation of a target that may be anywhere in its domain, in box coordinates */
extern void dpem_linreg_anywhere(double *center, double *deviation);

/*
 * The same of the margins' last column.  alone: only its mean is released, at dpem_linreg_mean_radius deviations.
 * work: dpem_linreg_locate_work.
 */
extern size_t dpem_linreg_locate_work(const DpemMarginGrid *grid);
extern void dpem_linreg_locate(const DpemMargins *margins, bool alone, double *center, double *deviation, DpemWorkspace work);

/* a number that is anywhere from -1 to 1, alike, and was released with noise of that deviation: its posterior mean */
extern double dpem_linreg_within(double released, double sd);

#endif							/* DPEM_CORE_LINREG_TARGET_H */

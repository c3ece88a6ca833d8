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
 * The same of the margins' first column.  alone: only its mean is released, at dpem_linreg_mean_radius deviations.
 * work: dpem_column_spread_work.
 */
extern void dpem_linreg_locate(const DpemMargins *margins, bool alone, double *center, double *deviation, DpemWorkspace work);

#endif							/* DPEM_CORE_LINREG_TARGET_H */

/*
 * column_target.h - where a number that is to be explained is, from its own released margins.
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_TARGET_H
#define DPEM_CORE_COLUMN_TARGET_H

#include <stdbool.h>

#include "core/columns/released_margins.h"
#include "core/numeric/workspace.h"

/* standard deviations to either side that the target is seen in where only its mean is released */
extern const double dpem_target_reach;

/* center and deviation of a target that may be anywhere in its domain, in box coordinates */
extern void dpem_target_anywhere(double *center, double *deviation);

/*
 * The same of the margins' last column.  alone: only its mean is released, at dpem_target_reach deviations.
 * work: dpem_target_locate_work.
 */
extern size_t dpem_target_locate_work(const DpemMarginGrid *grid);
extern void dpem_target_locate(const DpemMargins *margins, bool alone, double *center, double *deviation, DpemWorkspace work);

/* a number that is anywhere from -1 to 1, alike, and was released with noise of that deviation: its posterior mean */
extern double dpem_target_within(double released, double sd);

#endif							/* DPEM_CORE_COLUMN_TARGET_H */

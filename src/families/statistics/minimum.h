/*
 * minimum.h - how many persons a cell that is shown stands for: a rule of the owner's, or of the call's, beside epsilon.
 *
 * A cell is hidden if its own noisy number of persons is below the minimum: a function of what was released, so
 * post-processing (docs/proofs.md, 18).  It is no guarantee about rows, of which noise says no more than it does anywhere.
 */
#ifndef DPEM_FAMILY_STATISTICS_MINIMUM_H
#define DPEM_FAMILY_STATISTICS_MINIMUM_H

#include "fit/fit.h"

/* the larger one of the dataset's and of the call's; 0: everything is shown, as to readers of the rows */
extern int	dpem_minimum_of(const DpemFitPlan *plan);

/* noisy rows that so many persons have at least: the minimum times the rows of a unit; 0: everything is shown */
extern double dpem_minimum_rows(const DpemFitPlan *plan);

/* for a kept answer's question: ", minimum 10", or "" */
extern const char *dpem_minimum_text(int minimum);

/* a NOTICE if any of `cells` was hidden */
extern void dpem_minimum_tell(const DpemFitPlan *plan, int hidden, int cells);

/*
 * Raises 22023 under a minimum where a filter chooses the rows and no number of them is released: nothing would say
 * whether it is reached.  Called before the charge.
 */
extern void dpem_minimum_require_counted(const DpemFitPlan *plan);

#endif							/* DPEM_FAMILY_STATISTICS_MINIMUM_H */

/*
 * minimum.h - how many persons a cell that is shown stands for (dpem_fit_minimum): what is particular to statistics.
 *
 * A cell is hidden if its own noisy number of persons is below the minimum.  It is no guarantee about rows, of which noise
 * says no more than it does anywhere.
 */
#ifndef DPEM_FAMILY_STATISTICS_MINIMUM_H
#define DPEM_FAMILY_STATISTICS_MINIMUM_H

#include "fit/fit.h"

/* for a kept answer's question: ", minimum 10", or "" */
extern const char *dpem_minimum_text(int minimum);

/*
 * Raises 22023 under a minimum where a filter chooses the rows and no number of them is released: nothing would say
 * whether it is reached.  Called before the charge.
 */
extern void dpem_minimum_require_counted(const DpemFitPlan *plan);

#endif							/* DPEM_FAMILY_STATISTICS_MINIMUM_H */

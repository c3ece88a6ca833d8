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

#endif							/* DPEM_FAMILY_STATISTICS_MINIMUM_H */

/*
 * released_histogram.h - a histogram that a function of the owner's pays for and chooses by.
 */
#ifndef DPEM_API_DATASETS_RELEASED_HISTOGRAM_H
#define DPEM_API_DATASETS_RELEASED_HISTOGRAM_H

#include "families/statistics/statistics.h"

/*
 * Counts in n bins between n + 1 ascending edges of a registered number, as of dp_histogram, of which a minimum of
 * persons may hide some (dpem_statistic_is_hidden): released, or kept of an earlier call.  function: who is said to
 * have called, in the ledger and in messages.  Charges the caller's share; raises as dp_histogram does, and 25006 in
 * a read-only transaction, as the choice is stored.
 */
extern DpemStatisticValue *dpem_released_histogram(const char *function, const DpemDataset *dataset, const char *column,
												   double epsilon, double delta, double *edge, int n);

#endif							/* DPEM_API_DATASETS_RELEASED_HISTOGRAM_H */

/*
 * synth_smooth.h - one-way counts with less noise.  Private to core/synth.
 */
#ifndef DPEM_CORE_SYNTH_SMOOTH_H
#define DPEM_CORE_SYNTH_SMOOTH_H

#include "core/synth/synth_domain.h"

/*
 * n numbers, 1 .. DPEM_SYNTH_SIZE, with independent noise of standard deviation sd,
 * of which neighbours are alike: the partition into intervals that minimises the
 * squares about the intervals' means, in units of sd^2, plus `price` for every
 * interval (Jackson et al. 2005, "An algorithm for optimal partitioning of data on
 * an interval"); out: the interval's mean, and of the rest of the number as much as
 * exceeds noise (James, Stein 1961, positive part).
 */
extern void dpem_synth_smooth(int n, const double *noisy, double sd, double price, double *out);

/* the partition alone: start[i] is where the interval that ends before number i, 1 .. n, begins, if one does; the last ends before n */
extern void dpem_synth_intervals(int n, const double *noisy, double sd, double price, int *start);

/* towards their mean, by the same positive part; n >= 1.  `member`: which of the numbers take part */
extern void dpem_synth_shrink(int n, const bool *member, const double *noisy, double sd, double *out);

/*
 * In which of n bins rows are seen (dpem_synth_place_rules): in intervals of one count that is clearly more than noise.  Bins that were
 * `empty` before make no interval with others.  share: of each, a share of the rows that are seen, or 0.  Returns what part of all rows
 * is clearly in other bins that were not empty; 1 where nothing is seen.
 */
extern double dpem_synth_find_rows(int n, const double *count, const bool *empty, double sd, double *share);

#endif							/* DPEM_CORE_SYNTH_SMOOTH_H */

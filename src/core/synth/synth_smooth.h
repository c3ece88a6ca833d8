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

/* towards their mean, by the same positive part; n >= 1.  `member`: which of the numbers take part */
extern void dpem_synth_shrink(int n, const bool *member, const double *noisy, double sd, double *out);

#endif							/* DPEM_CORE_SYNTH_SMOOTH_H */

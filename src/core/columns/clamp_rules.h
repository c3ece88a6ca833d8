/*
 * clamp_rules.h - what clamps take from nowhere else (column_clamp.h).  The numbers were chosen by
 * errors of averages and variances on the columns of test/bench/bench_clamp.c, in domains of up to 10^6 times their spread.  These move by
 * less than a tenth with 3.5 seen, 3 reached, 8 few, or half or twice as much wider.
 */
#ifndef DPEM_CORE_CLAMP_RULES_H
#define DPEM_CORE_CLAMP_RULES_H

/*
 * Standard deviations of its noise that a bin must hold to be seen by itself: noise alone does in one of
 * 18,000 releases of 16 bins.  Every such bin far away makes the statistic as noisy as without clamps.
 */
#define DPEM_CLAMP_SEEN			4.5

/* likewise, of the 1, 2, 4 or 8 bins next to those that are seen: what noise adds there is a bin or two */
#define DPEM_CLAMP_REACHED		2.5
#define DPEM_CLAMP_LONGEST_WINDOW 8

/*
 * Likewise, of the rows that are missing from a range, before it grows: noise alone does in one release of 700, which makes
 * the clamp far too wide on the first level only.
 */
#define DPEM_CLAMP_MISSED		3.0

/* times that a range of a later level grows at most, by a bin at each end */
#define DPEM_CLAMP_GROWS		2

/* likewise, of the rows that are missing after that, for the range of the level before: it is 16 times as long */
#define DPEM_CLAMP_GIVEN_UP		4.0

/* bins: a range of no more is looked at on the next level */
#define DPEM_CLAMP_FEW			4

/*
 * Of the range, on either side.  A tail of mass h and length s beyond an end is least noise and bias together
 * s ln(h / (sqrt(2) k)) further out, k the noise in an average for each unit between the ends.  The bins at the end of a
 * range hide several times the 2.7 k that is the noise of one, whatever epsilon and the number of rows; wider clamps
 * cost noise in proportion, of which a wide domain had hundreds of times as much.
 */
#define DPEM_CLAMP_WIDER		1.0

/*
 * In a description, the part of the budget that the margins of a number get, where its sum gets 0.5 and its sum of squares 1
 * (test/bench/utility_wide.pl).
 */
#define DPEM_CLAMP_DESCRIBED	0.5

#endif							/* DPEM_CORE_CLAMP_RULES_H */

/*
 * quantile.h - a quantile as a choice among bins.
 *
 * Rows are counted in bins in ascending order.  For the quantile q of N rows,
 * bin b, with F rows below it and F' rows in it or below, has the utility score
 *	   -max(0, F - q N, q N - F'),
 * minus the number of rows by which it misses the rank q N: 0 for the bin of the
 * quantile, however many equal values it holds.  (The exponential mechanism with
 * rank as utility: Smith 2011, "Privacy-preserving statistical estimation with
 * optimal convergence rates", section 3; here for bins instead of values.)
 *
 * q is a multiple of 1 / DPEM_QUANTILE_PARTS, its level the multiple, so that
 * scores are integers.
 */
#ifndef DPEM_CORE_QUANTILE_H
#define DPEM_CORE_QUANTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/noise/sampler.h"

#define DPEM_QUANTILE_PARTS (INT64_C(1) << 30)

/* the nearest level to q in (0, 1), at least 1 and below DPEM_QUANTILE_PARTS; 0 for other q */
extern int64_t dpem_quantile_level(double q);

/*
 * Range of a unit's effect on the scores (largest minus smallest change), in parts
 * of a row (1 / DPEM_QUANTILE_PARTS), if every row adds a point of the simplex, or
 * nothing, to the counts: 2 parts for replace_one, 2 max(level, parts - level)
 * for add_remove; m rows: m times that (docs/proofs.md, "quantiles").
 */
extern DpemUint128 dpem_quantile_range(int64_t level, bool replace_one, int rows_per_unit);

/*
 * Scores of n bins, in parts of the counts' own unit.  The count of bin i is
 * count[i stride]; exact for counts whose sum is below 2^96.
 */
extern void dpem_quantile_scores(const DpemInt128 *count, size_t stride, size_t n, int64_t level,
								 DpemInt128 *score);

/*
 * With probability 95 % over the choice, whatever the rows are, a bin chosen of
 * n with probability proportional to exp(score / scale) misses the rank by at
 * most this, in the units of the scale: scale ln(19 (n - 1)).
 */
extern double dpem_quantile_rank_error(double scale, int n);

#endif							/* DPEM_CORE_QUANTILE_H */

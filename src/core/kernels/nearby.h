/*
 * nearby.h - sums of rows relative to public centers.
 *
 * A row belongs to its nearest center c_k and is summed as y = (x - c_k) / R_k,
 * clipped to the unit ball and rounded like all features (features.h).  So noise
 * need only hide a cluster's own reach R_k: noise in a sum moves its center by R_k
 * times as much.  The kernel `nearby`
 * (kernel.h) has centers and reaches as parameters; its moments are counts,
 * sums and, where wanted, squared norms of y; or counts alone.
 */
#ifndef DPEM_CORE_NEARBY_H
#define DPEM_CORE_NEARBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pass/block.h"

#define DPEM_NEARBY_MAX_COMPONENTS 100000

/* parameters are k * d centers, then k reaches, which must be positive */
extern size_t dpem_nearby_theta_length(int k, int d);
extern bool dpem_nearby_valid(int k, int d, const double *theta);

/*
 * component[row] = the nearest center of every row of the block, -1 for null
 * rows, and the row's features become y, in units of 2^-feature_bits:
 * integers with sum_j y_j^2 <= 2^(2 feature_bits), exactly, or for 0 bits
 * real numbers.  A row whose y is not finite becomes a null row.  scratch:
 * dpem_nearby_scratch doubles.
 */
extern size_t dpem_nearby_scratch(void);
extern void dpem_nearby_locate(int k, const double *theta, DpemBlock *block, int feature_bits,
							   int32_t *component, double *scratch);

#endif							/* DPEM_CORE_NEARBY_H */

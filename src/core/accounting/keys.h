/*
 * keys.h - keys that are not public: how many units have each, released where
 * many have it.
 *
 * Every key that some unit has gets its number of units with noise Z, and is
 * released with that number where it is at least a threshold.  Of two
 * neighbours' keys those that both have are Gaussian, or Laplace, releases of
 * numbers that differ by at most 1 each.  A key that only one of them has is one
 * unit's alone, its number 1; that any such key is released, of the m or fewer
 * which a unit of at most m rows has, is the failure:
 *	   m P(1 + Z >= threshold),
 * under both adjacencies (docs/proofs.md, "keys that are not public"; Korolova,
 * Kenthapadi, Mishra, Ntoulas 2009, "Releasing search queries and clicks
 * privately"; Desfontaines, Voss, Gipson, Mandayam 2022, "Differentially private
 * partition selection").
 *
 * Numbers are integers in parts of a unit; noise is round(scale X), X a standard
 * normal deviate, or discrete Laplace of that scale, as sampler.h draws them.
 */
#ifndef DPEM_CORE_KEYS_H
#define DPEM_CORE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/noise/noise.h"

/* greatest scale, in parts of a unit */
#define DPEM_KEYS_SCALE_MAX ((DpemUint128) 1 << 52)

/*
 * L2 (Gaussian noise) or L1 (Laplace noise) sensitivity, in units, of the
 * numbers of keys that both neighbours have, rounded up: L1 m for add_remove, 2 m
 * for replace_one, where a unit may leave m keys for m others; L2 its root.
 */
extern double dpem_keys_sensitivity(DpemNoiseKind noise, int rows_per_unit, bool replace_one);

/*
 * The failure, rounded up, of a threshold that is `above` (>= 1) parts more than
 * one unit.  At least 1e-300; at most rows_per_unit.
 */
extern double dpem_keys_failure(DpemNoiseKind noise, DpemUint128 scale, int64_t above, int rows_per_unit);

/*
 * The least threshold, in parts, `one` of which are a unit, of at most that
 * failure; 0 if there is none, or for a scale or a failure that is none.
 */
extern int64_t dpem_keys_threshold(DpemNoiseKind noise, DpemUint128 scale, int64_t one, int rows_per_unit,
								   double failure);

#endif							/* DPEM_CORE_KEYS_H */

/*
 * keys.h - selection of private keys: keys that many units have are released, with
 * their numbers of units.
 *
 * Noise Z is added to the number of units of every key that occurs; the key is
 * released with the noisy number if that reaches a threshold.  Between two
 * neighbouring tables, the keys that occur in both are Gaussian, or Laplace,
 * releases of numbers that differ by at most 1 each.  A key that occurs in only
 * one belongs to a single unit, so its number is 1.  The failure is that any such
 * key, of the at most m that a unit of m rows has, is released:
 *	   m P(1 + Z >= threshold),
 * under both adjacencies (docs/proofs.md, "keys that are not public"; Korolova,
 * Kenthapadi, Mishra, Ntoulas 2009, "Releasing search queries and clicks
 * privately"; Desfontaines, Voss, Gipson, Mandayam 2022, "Differentially private
 * partition selection").
 *
 * Numbers are integers in fractions ("parts") of a unit; noise is round(scale X),
 * X a standard normal deviate, or discrete Laplace of that scale (sampler.h).
 */
#ifndef DPEM_CORE_KEYS_H
#define DPEM_CORE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/noise/noise.h"

/* greatest scale, in parts of a unit */
#define DPEM_KEYS_SCALE_MAX ((DpemUint128) 1 << 52)

/*
 * L2 (Gaussian noise) or L1 (Laplace noise) sensitivity, in units, of the numbers
 * of the keys that occur in both tables, rounded up: L1 m for add_remove, 2 m for
 * replace_one, where a unit may replace m keys by m others; L2 the square root.
 */
extern double dpem_keys_sensitivity(DpemNoiseKind noise, int rows_per_unit, bool replace_one);

/*
 * L2 (Gaussian noise) or L1 (Laplace noise) sensitivity, rounded up, of how many different units (`persons`; a unit
 * of any number of rows without groups, of m rows with them) or values the rows of each group have
 * (docs/proofs.md, 25).  Units: 1 in one group; in several 1 for each group that a unit may enter or leave, m for add_remove,
 * 2 m for replace_one, if there are so many; L2 the square root.  Values: m in one group, L1 and L2; in several
 * for replace_one L1 2 m, L2 sqrt(2) m.
 */
extern double dpem_distinct_sensitivity(DpemNoiseKind noise, bool persons, int rows_per_unit, int groups, bool replace_one);

/*
 * The failure, rounded up, of a threshold `above` (>= 1) parts greater than one
 * unit.  At least 1e-300; at most rows_per_unit.
 */
extern double dpem_keys_failure(DpemNoiseKind noise, DpemUint128 scale, int64_t above, int rows_per_unit);

/*
 * The least threshold, in parts (`one` parts are a unit), with at most that
 * failure; 0 if there is none, or if scale or failure is invalid.
 */
extern int64_t dpem_keys_threshold(DpemNoiseKind noise, DpemUint128 scale, int64_t one, int rows_per_unit,
								   double failure);

#endif							/* DPEM_CORE_KEYS_H */

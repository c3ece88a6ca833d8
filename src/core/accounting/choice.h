/*
 * choice.h - sensitivity and cost of the exponential mechanism.
 *
 * A candidate is chosen with probability proportional to exp(score / t).  If
 * one unit moves the scores by d with max d - min d <= R, the log-ratio of any
 * candidate's probabilities lies in an interval of length e = R / t that is
 * the same for all candidates: the choice has e-bounded range (Durfee and
 * Rogers 2019; docs/proofs.md, "the exponential mechanism"), hence is e-DP.
 */
#ifndef DPEM_CORE_CHOICE_H
#define DPEM_CORE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/noise/sampler.h"

/* integer directions of quadratic forms: greatest coordinate and greatest squared norm */
#define DPEM_DIRECTION_MAX (1 << 16)
#define DPEM_DIRECTION_NORM2_MAX (INT64_C(1) << 32)

/*
 * R in the scores' integer units, exactly, if each row adds a number in
 * [0, greatest] to every score: 2 greatest for replace_one, where replacing a row
 * may lower one score and raise another; greatest for add_remove.  A unit of m
 * rows: m times that.
 */
extern DpemUint128 dpem_choice_range(DpemUint128 greatest, bool replace_one, int rows_per_unit);

/*
 * t = ceil(noise_multiplier R), rounded up; the noise multiplier is t / R = 1 /
 * epsilon.  0 if t exceeds the sampler's DPEM_CHOICE_DEN_MAX or is not positive.
 */
extern DpemUint128 dpem_choice_scale(double noise_multiplier, DpemUint128 range);

/*
 * Squared mu of a choice of range epsilon, rounded up.  It is the least possible:
 * that of two candidates with probabilities e^(epsilon/2) : 1 on one table and
 * 1 : e^(epsilon/2) on the other, mu = 2 Phi^-1(e^(epsilon/2) / (1 +
 * e^(epsilon/2))).  NaN unless epsilon > 0 and finite.
 */
extern double dpem_choice_mu2(double epsilon);

/* the greatest range whose dpem_choice_mu2 is at most mu^2; NaN unless mu > 0 */
extern double dpem_choice_epsilon(double mu);

/* zCDP's rho = epsilon^2 / 8, rounded up (Cesar and Rogers 2021). */
extern double dpem_choice_rho(double epsilon);

/* greatest |v_i|^2 of n directions of d coordinates; -1 if a limit above is crossed or all are zero */
extern int64_t dpem_directions_norm2(const int32_t *direction, size_t n, int d);

/*
 * v'Sv for a second moment as moments.h lays it out (x_i x_j, j <= i).  Exact
 * if the result is below 2^127, whatever the intermediate sums.
 */
extern DpemInt128 dpem_quadratic_form(const DpemInt128 *second, const int32_t *v, int d);

#endif							/* DPEM_CORE_CHOICE_H */

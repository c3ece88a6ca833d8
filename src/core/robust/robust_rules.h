/*
 * robust_rules.h - constants of the survey's mechanisms.  test/bench/utility_robust.pl prints the errors that they were
 * chosen by.
 */
#ifndef DPEM_CORE_ROBUST_RULES_H
#define DPEM_CORE_ROBUST_RULES_H

/*
 * The density of a choice falls with this power of the distance.  For a sensitivity that grows in proportion to the
 * distance of tables, as it does near a median, and the best parts of epsilon for scale and smoothing (below), the
 * median error is in proportion to p^2 (2^(1 / (p - 1)) - 1), and the error that one in twenty exceeds to
 * p^2 (20^(1 / (p - 1)) - 1): 4 and 76 for p = 2, 3.7 and 31 for 3, 4.2 and 27 for 4, 4.7 and 28 for 5.
 */
#define DPEM_SMOOTH_POWER	4

/* steps in which the weight of farther tables falls, at most; beyond them it does not */
#define DPEM_SMOOTH_STEPS	4096

/* the local sensitivity that is proposed where a call does not say: this part of the domain */
#define DPEM_ROBUST_PROPOSAL (1 / 256.0)

/* of a Gaussian budget's squared mu, for the test: errors are in proportion to the product of both deviations */
#define DPEM_ROBUST_TEST_SHARE 0.5

/* of a tested call's delta, for the failure of the test; the noise has the rest */
#define DPEM_ROBUST_FAILURE 0.5

/*
 * Blocks of Smith's estimator: rows to this power.  Noise falls with the number of blocks, and what their estimates are off
 * together grows as blocks become small.
 */
#define DPEM_ROBUST_BLOCK_POWER 0.65

/* their estimates are winsorised to the range of their middle half, so many of its widths farther on both sides */
#define DPEM_ROBUST_WIDEN	1

/*
 * Noise multipliers of each of the two quartiles, and of the number of rows, where that is not public, over that of what is
 * aggregated: a mean, or centers of attention
 */
#define DPEM_ROBUST_ENDS	1.0
#define DPEM_ROBUST_ROWS	4.0

#endif							/* DPEM_CORE_ROBUST_RULES_H */

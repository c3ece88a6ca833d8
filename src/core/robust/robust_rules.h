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

#endif							/* DPEM_CORE_ROBUST_RULES_H */

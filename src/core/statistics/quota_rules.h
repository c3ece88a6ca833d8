/*
 * quota_rules.h - constants of the number of rows of a unit that is chosen privately (quota.h).
 *
 * test/bench/bench_quota.c compares the chosen number with the best one, on persons with few rows, with as many all,
 * and with tails that have no end.  With 1 in place of 2, noise is taken for persons with very many rows, and errors are
 * up to 35 times the best one's instead of 6; with 3, they are up to a half larger where a long tail is lost.
 */
#ifndef DPEM_CORE_QUOTA_RULES_H
#define DPEM_CORE_QUOTA_RULES_H

/* standard deviations of its noise that a released tail is seen above */
#define DPEM_QUOTA_SEEN 2.0

#endif							/* DPEM_CORE_QUOTA_RULES_H */

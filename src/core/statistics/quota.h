/*
 * quota.h - how many rows of a unit should count, from how many units have how many rows.
 *
 * With a quota of m a unit's rows beyond m are lost, and noise is m times that of one row.  Of the quotas m and m', the
 * next greater one, m loses at most (m' - m) rows more of each unit with more than m rows, and has (m' - m) times the
 * noise of one row less.  So the rule is: the least m for which no more units have more than m rows than the noise of
 * one row is.  It is the race of R2T (Dong, Fang, Yi, Tao, Machanavajjhala 2022) read off one histogram, whose steps
 * need not share a budget.
 *
 * What is read here was released: post-processing (docs/proofs.md, "Rows of a person that are chosen").
 */
#ifndef DPEM_CORE_QUOTA_H
#define DPEM_CORE_QUOTA_H

#define DPEM_QUOTA_STEPS 32		/* at most, of a bound that is an int */

/* step[] = 1, 2, 4, ... below the bound, and the bound, which is at least 1; returns how many */
extern int	dpem_quota_steps(int bound, int step[DPEM_QUOTA_STEPS]);

/*
 * units[i]: released numbers of units with more than step[i - 1] rows and at most step[i] (the last one: with more,
 * too), each with noise of standard deviation `noise`.  one_row: standard deviation of the noise that a count of rows
 * has with a quota of 1 in the calls that the choice is made for.  Returns which step to take.
 */
extern int	dpem_quota_choose(const double *units, int n, double noise, double one_row);

#endif							/* DPEM_CORE_QUOTA_H */

/*
 * sbn_shares.h - how often columns of bits are 1, from noisy counts.
 *
 * Columns' shares are taken for draws of one Beta law, whose mean and variance are the counts' own less the noise
 * (empirical Bayes; Robbins 1956, James and Stein 1961).  The posterior mean of a share is what expects the least
 * logarithmic loss: nowhere 0 or 1, and where noise is more than what sets columns apart, the mean of all.
 * Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_SBN_SHARES_H
#define DPEM_CORE_SBN_SHARES_H

#include <math.h>

/*
 * Log-odds of the shares of d columns in `rows` rows, from counts with noise of this standard deviation each.
 * Without noise (sd 0) half a row of each kind is added.
 */
extern void dpem_sbn_shares(const double *count, int d, double rows, double sd, double *log_odds);

/* the share of ones with these log-odds, and back */
static inline double
dpem_sbn_share_of(double log_odds)
{
	return 1 / (1 + exp(-log_odds));
}

static inline double
dpem_sbn_odds_of(double share)
{
	return log(share / (1 - share));
}

#endif							/* DPEM_CORE_SBN_SHARES_H */

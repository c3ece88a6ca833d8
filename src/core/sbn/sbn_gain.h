/*
 * sbn_gain.h - what a network's hidden units are worth, from released gradients, and the columns without them.
 *
 * The gain is the bound's integral along the path of weights, from the network of independent columns to where it
 * is: every leg's length times the mean of the gradients at its two ends.  What the noise of a gradient adds to the
 * step that was taken by it is known and taken away.  Where the gain does not exceed its own noise, hidden units
 * explain nothing that can be told, and later passes count how often each column is 1 instead.  Reads released
 * numbers only: post-processing.
 */
#ifndef DPEM_CORE_SBN_GAIN_H
#define DPEM_CORE_SBN_GAIN_H

#include "core/sbn/sbn_estimate.h"

/* from the columns without hidden units to the start: `moved` is the first leg */
extern void dpem_sbn_gain_start(DpemSbnEstimate *fit);

/*
 * The next leg was `moved` (not NULL: (1 + hidden) * d) by that gradient, released with this variance of noise in an
 * entry; added: what noise alone is expected to add to their product.
 */
extern void dpem_sbn_gain_step(const double *gradient, const double *moved, double noise2, double added,
							   DpemSbnEstimate *fit);

/* standard deviations of its noise that the gain exceeds what free parameters alone make of it; infinite without noise */
extern double dpem_sbn_gain_seen(const DpemSbnEstimate *fit);

/* what free parameters alone are expected to gain in the rows they were fitted to */
extern double dpem_sbn_gain_of_chance(const DpemSbnEstimate *fit);

/* independent columns from now on: no weights, hidden units that are never on in a pass */
extern void dpem_sbn_drop_hidden(DpemSbnEstimate *fit);

/* a pass that clipped to that norm, of which more is known how often each column is 1 */
extern void dpem_sbn_count_ones(const DpemNoisyMoments *m, double clip, double rate, DpemSbnEstimate *fit);

#endif							/* DPEM_CORE_SBN_GAIN_H */

/*
 * sbn_trial.h - when noise may have made a network's weights: what it is worth beside independent columns.
 *
 * The mean of recent steps' weights has less noise than the last (Polyak and Juditsky 1992).  Passes at the middles
 * of equal parts of the line from the columns without hidden units to that mean release gradients whose noise is
 * independent of the line, so that their sum along it is an unbiased estimate of what the bound gains (midpoint rule), and its
 * noise is known exactly.  It tells whether the estimate goes on with that mean or with independent columns; where it
 * leaves doubt, another trial some steps later does.  Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_SBN_TRIAL_H
#define DPEM_CORE_SBN_TRIAL_H

#include "core/sbn/sbn_estimate.h"

/* after step `step` of `steps` under noise: gives up hidden units, starts or ends a trial, or makes the mean of steps the estimate */
extern void dpem_sbn_after_step(int step, int steps, DpemSbnEstimate *fit);

/* one point of the line: its gradient, (1 + hidden) * d, released with this variance of noise in an entry */
extern void dpem_sbn_trial_point(const double *gradient, double noise2, DpemSbnEstimate *fit);

#endif							/* DPEM_CORE_SBN_TRIAL_H */

/*
 * sbn_ones.h - how often each column is 1, from the first release and from passes over independent columns.
 *
 * The gradient of a network without hidden units is v - p, p the shares that are known already, and most rows are as
 * near to them as independent columns are: sum p (1 - p), where v - 1/2 is d / 4 from 0.  So passes clip at a norm
 * little above that, which makes noise less the rarer columns are 1 or 0.  Rows that are further off are clipped, and
 * counts move towards p.  Those of the first release, which clips none, tell if that is much: then they, and passes
 * that clip none either, count for more.  Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_SBN_ONES_H
#define DPEM_CORE_SBN_ONES_H

#include "core/sbn/sbn_estimate.h"

/* from the first release */
extern void dpem_sbn_ones_start(const DpemNoisyMoments *margins, DpemSbnEstimate *fit);

/* log-likelihood of a row that noise in the counts is expected to cost */
extern double dpem_sbn_ones_loss(const DpemSbnEstimate *fit);

/* norm that the next pass clips rows to, dpem_sbn_margin_clip or less: then weights are the columns' log-odds */
extern double dpem_sbn_ones_clip(const DpemSbnEstimate *fit);

/* a pass that clipped to that norm, over this part of the rows */
extern void dpem_sbn_ones_add(const DpemNoisyMoments *m, double clip, double rate, DpemSbnEstimate *fit);

#endif							/* DPEM_CORE_SBN_ONES_H */

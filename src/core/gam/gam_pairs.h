/*
 * gam_pairs.h - pairs of columns in an additive model: which are worth having, what is known of their
 * rows, and what of a pair's shape is the columns' own.
 *
 * Everything here reads released numbers and public facts.
 */
#ifndef DPEM_CORE_GAM_PAIRS_H
#define DPEM_CORE_GAM_PAIRS_H

#include "core/gam/gam_estimate.h"

/* parts of a column in pairs, at most `most` of its bins or categories and one of rows without a value; public */
extern int	dpem_gam_parts(const DpemGamColumn *column, int most);

/*
 * part: a number for each of the columns' cells.  Bins are divided by their counts into parts with as
 * many rows as possible in each; categories have a part each, or the most frequent of them, before one for all others.
 */
extern void dpem_gam_divide(const DpemGamShape *shape, const double *count, double *part);

/*
 * What each of the shape's pairs would explain, added to gain: the score statistic of its cells beyond what both columns explain by
 * themselves, in units of its variance.  m: a release of gam_gradient for the shape at score s's mean; mains: without pairs.
 * work: dpem_gam_gains_work().
 */
extern size_t dpem_gam_gains_work(void);
extern void dpem_gam_pair_gains(const DpemGamRows *mains, const DpemGamShape *shape, const DpemNoisyMoments *m, int s,
								const DpemGamScore *score, double *gain, DpemWorkspace work);

/* the n pairs of largest gain, first in the order of pairs; chosen: n places in the shape's pairs */
extern void dpem_gam_best_pairs(const double *gain, int pairs, int n, int *chosen);

/*
 * Counts of cells, and of pairs of cells, of a shape with pairs from those of its columns: rows of a pair are known; what
 * else they have in common with other columns is taken to be what their own two columns explain of it.  all: shape, n,
 * offset, count and second are there.  work: dpem_gam_pairs_work(n of mains, n of all).
 */
extern size_t dpem_gam_pairs_work(int mains, int n);
extern DpemStatus dpem_gam_add_pairs(const DpemGamRows *mains, DpemGamRows *all, DpemWorkspace work);

/*
 * The best approximation of a function of a pair's cells by a sum of functions of its columns' parts, by
 * counts of rows (functional analysis of variance: Lengerich et al. 2020, AISTATS, algorithm 1).  count: cells of the pair;
 * effect: (parts of the first + parts of the second) x cells, effects of a cell's indicator.  work: cells.
 */
extern void dpem_gam_effects(int first, int second, const double *count, double *effect, double *work);

/* numbers in the effects of pair q, at most cells times 2 DPEM_GAM_MAX_PARTS */
extern size_t dpem_gam_effects_length(const DpemGamShape *shape, int q);

#endif							/* DPEM_CORE_GAM_PAIRS_H */

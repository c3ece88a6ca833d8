/*
 * lda_totals.h - how often every term occurs in all documents, from several releases.
 *
 * The first release weighs all terms alike.  Its estimates say which terms are
 * frequent, and these are given less weight in the next: the norm to which a
 * document's statistics are clipped then goes to the many terms that noise hides,
 * and to the frequent ones as much as they need.
 */
#ifndef DPEM_CORE_LDA_TOTALS_H
#define DPEM_CORE_LDA_TOTALS_H

#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

typedef struct DpemLdaTotals
{
	int			terms;
	double	   *raw;			/* words with noise: the mean of the releases, weighted by precision */
	double	   *precision;		/* 1 / variance of its noise; 0 before the first release */
	double	   *total;			/* estimates of the words */
} DpemLdaTotals;

/*
 * emphasis[v] prop. to (total_v + noise)^-1/2, with sum emphasis^2 total = sum
 * total, which keeps the size of a document's statistics.  noise: of the releases to
 * come, in words.  It minimises sum_v variance_v / (total_v + noise) at a given mean
 * square norm of documents' statistics.
 */
extern void dpem_lda_emphasise(const DpemLdaTotals *totals, double noise, double *emphasis);

/*
 * Adds a release of one topic and estimates the totals by deconvolution (deconvolution.h).  unit:
 * words per unit of the moments; emphasis: what it was made with, NULL for ones.  A
 * clip takes another part of all words under another emphasis: the release is first brought to the
 * sum of the estimates so far.  work: dpem_lda_totals_work doubles.
 */
extern size_t dpem_lda_totals_work(int terms);
extern DpemStatus dpem_lda_totals_add(const DpemNoisyMoments *moments, double unit, const double *emphasis,
									  DpemLdaTotals *totals, DpemWorkspace work);

#endif							/* DPEM_CORE_LDA_TOTALS_H */

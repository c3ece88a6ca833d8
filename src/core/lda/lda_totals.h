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

#include "core/numeric/deconvolution.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

typedef struct DpemLdaTotals
{
	int			terms;
	double	   *raw;			/* words with noise: the mean of the releases, weighted by precision */
	double	   *precision;		/* 1 / variance of its noise; 0 before the first release */
	double	   *total;			/* estimates of the words */
	double		length;			/* words of a document, as if drawn from the estimates; 0: unknown */
	double		released;		/* sum of the releases of the terms alone under an emphasis, in words times it */
	double		expected;		/* what it should have been by the estimates before each */
	double		variance;		/* of its noise */
	double		law[DPEM_DECONVOLUTION_POINTS]; /* distribution of the words that the last estimate ended with; zeros: none */
} DpemLdaTotals;

/*
 * Sets length from the first release, if all documents were clipped to `radius` of their `words`: of documents that have a term c
 * times it keeps radius times the mean of (sum c) / (sum c^2)^(1/2), which rises with the number of words drawn from the
 * estimates, as far as words that all documents have let it.  Where it is above that, but for noise, the clip takes the same of
 * every term, and the length stays unknown.  Documents that are not clipped look like ones of so many words that they just would
 * be, for which there is little to make good; where these are few the length stays unknown, too, because nothing may have
 * been clipped.  rows: documents, if public; else 0.  work: dpem_lda_totals_work doubles.
 */
extern void dpem_lda_totals_measure(DpemLdaTotals *totals, double rows, double radius, double words,
									DpemWorkspace work);

/*
 * emphasis[v] prop. to (total_v + noise)^-1/2, with sum emphasis^2 total = sum
 * total, which keeps the size of a document's statistics.  noise: of the releases to
 * come, in words.  It minimises sum_v variance_v / (total_v + noise) at a given mean
 * square norm of documents' statistics.
 */
extern void dpem_lda_emphasise(const DpemLdaTotals *totals, double noise, double *emphasis);

/*
 * Adds a release, summed over its topics, and estimates the totals by deconvolution
 * (deconvolution.h).  unit: words per unit of the moments; emphasis: what it was made with, NULL for ones.
 *
 * A clip takes another part of all words under another emphasis, or of words that are spread over topics: the
 * release is first brought to the sum of the estimates so far.  And it takes more of a term with much emphasis, whose
 * documents are long by that term alone.  Where their length is known that is made good: a word of term v is left a part
 * proportional to the mean of x^(-1/2), x the square of the norm under the emphasis of that word and n - 1 others drawn from the
 * estimates, which is 2 / sqrt(pi) times the integral over u > 0 of E[exp(-x u^2)].
 * work: dpem_lda_totals_work doubles.
 */
extern size_t dpem_lda_totals_work(int terms);
extern DpemStatus dpem_lda_totals_add(const DpemNoisyMoments *moments, double unit, const double *emphasis,
									  DpemLdaTotals *totals, DpemWorkspace work);

#endif							/* DPEM_CORE_LDA_TOTALS_H */

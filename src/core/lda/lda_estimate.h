/*
 * lda_estimate.h - topics from released counts: the M-step of latent Dirichlet allocation.
 *
 * Matrices are k x terms, row-major, a topic after the other.
 */
#ifndef DPEM_CORE_LDA_ESTIMATE_H
#define DPEM_CORE_LDA_ESTIMATE_H

#include <stdbool.h>

#include "core/numeric/status.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

typedef struct DpemLdaTopics
{
	int			k;
	int			terms;
	double	   *lambda;			/* k * terms: parameters of the topics' posterior Dirichlets */
} DpemLdaTopics;

/* expected words by topic and term, and the noise in each entry */
typedef struct DpemLdaCounts
{
	double	   *words;			/* k * terms; may be negative */
	double		variance;		/* of the noise */
} DpemLdaCounts;

/* a start that depends on k and terms alone: numbers between 0.5 and 1.5 */
extern void dpem_lda_start(const DpemLdaTopics *topics);

/* passes by default, each over that part of the documents: ten, or those of one epoch */
extern int	dpem_lda_iterations(double sampling_rate);

/*
 * Part of the budget for the release of the terms' totals.  noise: in an
 * entry of topics and terms if one pass had the whole budget; mean: words of
 * an entry, 0 if unknown.  Where noise leaves nothing to be seen of topics, the
 * distribution of words in all of them is what is worth paying for.
 */
extern double dpem_lda_terms_share(double noise, double mean);

/* rate of dpem_lda_blend over all documents: 1, then the mean over the second half of the passes */
extern double dpem_lda_full_rate(int pass, int passes);

/*
 * counts = (1 - rate) counts + rate * unit * released, and its noise
 * likewise; unit: words per unit of the moments.  truncate: negative ones
 * first become zero ([VIPS], algorithm 1).
 */
extern void dpem_lda_blend(const DpemNoisyMoments *moments, double unit, double rate, bool truncate,
						   DpemLdaCounts *counts);

/* lambda = eta + counts, which are not negative */
extern void dpem_lda_add_prior(const DpemLdaCounts *counts, double eta, const DpemLdaTopics *topics);

/*
 * lambda = eta + estimates of the counts.  The words of each term over all
 * topics come from the counts and from `totals` (one topic), each weighted by
 * its noise, by deconvolution; so does then each topic's part of every term
 * (deconvolution.h).  Where noise rules, a topic has the same part of every
 * term: topics are shrunk towards the distribution of words in all of them.
 * work: dpem_lda_shrink_work doubles.
 */
extern size_t dpem_lda_shrink_work(int terms);
extern DpemStatus dpem_lda_shrink(const DpemLdaCounts *counts, const DpemLdaCounts *totals, double eta,
								  const DpemLdaTopics *topics, DpemWorkspace work);

/* weight[v * k + topic] = exp(E[log beta]) of a pass (lda_kernel.h), above 0 */
extern void dpem_lda_weights(const DpemLdaTopics *topics, double *weight);

/*
 * E[log p(beta) - log q(beta)], the topics' part of the variational bound (Hoffman, Blei, Bach
 * 2010, eq. 4)
 */
extern double dpem_lda_topics_bound(const DpemLdaTopics *topics, double eta);

/* part[topic]: of all words */
extern void dpem_lda_parts(const DpemLdaTopics *topics, double *part);

#endif							/* DPEM_CORE_LDA_ESTIMATE_H */

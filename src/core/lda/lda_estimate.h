/*
 * lda_estimate.h - topics from released counts: the M-step of latent Dirichlet allocation.
 *
 * Matrices are k x terms, row-major, a row per topic.
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

/* a data-independent start: numbers between 0.5 and 1.5 that depend on k and terms alone */
extern void dpem_lda_start(const DpemLdaTopics *topics);

/* default number of passes over that part of the documents: ten, or one epoch */
extern int	dpem_lda_iterations(double sampling_rate);

/*
 * Part of the budget for the release of the terms' totals.  noise: in an
 * entry of topics and terms if one pass had the whole budget; mean: mean words of
 * an entry, 0 if unknown.  Where noise hides the topics, the budget is better spent
 * on the overall distribution of words.
 */
extern double dpem_lda_terms_share(double noise, double mean);

/* rate of dpem_lda_blend over all documents: 1, then the mean over the second half of the passes */
extern double dpem_lda_full_rate(int pass, int passes);

/*
 * counts = (1 - rate) counts + rate * unit * released, and its noise
 * likewise; unit: words per unit of the moments.  truncate: negative released
 * numbers first become zero ([VIPS], algorithm 1).
 */
extern void dpem_lda_blend(const DpemNoisyMoments *moments, double unit, double rate, bool truncate,
						   DpemLdaCounts *counts);

/* lambda = eta + counts, which are not negative */
extern void dpem_lda_add_prior(const DpemLdaCounts *counts, double eta, const DpemLdaTopics *topics);

/*
 * lambda = eta + estimates of the counts.  The words of each term over all
 * topics are estimated from the counts and from `totals` (one topic), weighted by
 * their noise, by deconvolution (deconvolution.h), and then likewise each topic's
 * part of every term.  Where noise dominates, a topic has the same part of every
 * term: topics are shrunk towards the overall distribution of words.
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

/* part[topic]: the topic's share of all words */
extern void dpem_lda_parts(const DpemLdaTopics *topics, double *part);

#endif							/* DPEM_CORE_LDA_ESTIMATE_H */

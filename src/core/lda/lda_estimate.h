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
 * lambda = eta + estimates of the counts: total[terms], the words of each term over all topics,
 * times each topic's part of every term, estimated by deconvolution (deconvolution.h).  Where
 * noise dominates, a topic has the same part of every term: topics are shrunk towards the overall
 * distribution of words.  emphasis[terms]: by which the counts are multiplied.  work: dpem_lda_shrink_work doubles.
 */
extern size_t dpem_lda_shrink_work(int terms);
extern DpemStatus dpem_lda_shrink(const DpemLdaCounts *counts, const double *total, const double *emphasis, double eta,
								  const DpemLdaTopics *topics, DpemWorkspace work);

/* makes the topics' words of every term, lambda - eta, sum to total[terms]: together they are the unigram */
extern void dpem_lda_balance(const double *total, double eta, const DpemLdaTopics *topics);

/* lambda = eta + the same part of all words for every topic */
extern void dpem_lda_make_equal(const double *total, double eta, const DpemLdaTopics *topics);

/* weight[v * k + topic] = exp(E[log beta]) of a pass (lda_kernel.h), above 0 */
extern void dpem_lda_weights(const DpemLdaTopics *topics, double *weight);

/*
 * weight = weight^sharpness times a factor of each term, which leaves the terms' geometric means over topics: below 1,
 * topics are less unlike each other (deterministic annealing: Ueda and Nakano 1998)
 */
extern void dpem_lda_soften(int k, int terms, double sharpness, double *weight);

/* probability[v * k + topic] = E[beta] */
extern void dpem_lda_probabilities(const DpemLdaTopics *topics, double *probability);

/*
 * E[log p(beta) - log q(beta)], the topics' part of the variational bound (Hoffman, Blei, Bach
 * 2010, eq. 4)
 */
extern double dpem_lda_topics_bound(const DpemLdaTopics *topics, double eta);

/* part[topic]: the topic's share of all words */
extern void dpem_lda_parts(const DpemLdaTopics *topics, double *part);

#endif							/* DPEM_CORE_LDA_ESTIMATE_H */

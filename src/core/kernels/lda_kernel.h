/*
 * lda_kernel.h - a document's contribution to the statistics of latent Dirichlet allocation.
 *
 * Variational E-step (Blei, Ng, Jordan 2003, section 5.2; Hoffman, Blei, Bach
 * 2010, algorithm 1): phi_ik prop. to w_k b_ik for the document's i-th distinct
 * term, w_k = exp(E[log theta_k]), b_ik = exp(E[log beta_k,term]), and
 * gamma_k = alpha_k + sum_i n_i phi_ik.  Its statistics are n_i phi_ik times the
 * term's emphasis, a number for each of its terms and topics; no array has the size
 * of the vocabulary.
 * Everything depends on the document, public and released numbers alone.
 */
#ifndef DPEM_CORE_LDA_KERNEL_H
#define DPEM_CORE_LDA_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/noise/sampler.h"
#include "core/pass/kernel_clone.h"
#include "core/pass/moments.h"

#define DPEM_LDA_MAX_TOPICS		500
#define DPEM_LDA_MAX_LENGTH		100000 /* words that a document may be brought to */

/* E-steps of every document in a private pass: a fixed number reveals nothing */
#define DPEM_LDA_STEPS			20

/* numbers of a document in a pass that adds up gains (lda_choice.h), whose vocabulary has as many terms or more */
#define DPEM_LDA_GAINS			8

/* of one or several sets of topics, each with its own gains */
#define DPEM_LDA_MOST_SETS		16

/* and in one that adds up losses (lda_evaluate.h) */
#define DPEM_LDA_LOSSES			2
#define DPEM_LDA_MOST_LOSS		1e9		/* nats per word */

/* what a pass adds up of every document */
typedef enum DpemLdaSums
{
	DPEM_LDA_SUM_WORDS, DPEM_LDA_SUM_GAINS, DPEM_LDA_SUM_LOSSES
} DpemLdaSums;

/*
 * A pass: theta of the kernel `lda`.  weight[v * k + topic] = exp(E[log
 * beta_(topic, v)]), terms of the vocabulary counted from 0.  Where gains or losses
 * are added up, weights are probabilities.  Gains may be of several sets of topics side by side: set[topic] counts
 * them from 0, in ascending order.
 */
typedef struct DpemLdaTask
{
	int			k;
	int			terms;			/* of the vocabulary */
	double		length;			/* words that every document is brought to; 0: unchanged */
	bool		resampled;		/* by drawing that many of its words, else by scaling its statistics */
	int			steps;			/* of the E-step; 0: until nothing changes */
	DpemLdaSums sums;
	double		low;			/* of losses: between which mean log-probabilities of a word are clipped, and */
	double		high;			/* length: words that a document counts for at most */
	const double *alpha;		/* k: a document's Dirichlet prior */
	const double *set;			/* k: of which set of topics; NULL: of one */
	int			stride;			/* numbers of a term's weights; 0: k */
	const double *emphasis;		/* terms: factors of their statistics; NULL: all are one */
	const double *weight;
} DpemLdaTask;

/* numbers before the k of alpha, after which come k of set, the emphasis and the weights */
#define DPEM_LDA_TASK_HEAD 6

/* where the weights stand */
#define DPEM_LDA_TASK_WEIGHTS(k, terms) (DPEM_LDA_TASK_HEAD + 2 * (size_t) (k) + (size_t) (terms))

/* writes all but the weights: length, resampled, steps, sums, low, high, alpha, set, emphasis */
extern void dpem_lda_task_write(const DpemLdaTask *task, double *theta);
extern void dpem_lda_task_read(const DpemMomentLayout *layout, const double *theta, DpemLdaTask *task);

/* of a task: sets of topics, and the number after a set's last topic, for the one that begins with topic `first` */
extern int	dpem_lda_sets(const DpemLdaTask *task);
extern int	dpem_lda_set_end(const DpemLdaTask *task, int first);

/* are these numbers a task? */
extern bool dpem_lda_task_valid(const DpemMomentLayout *layout, const double *theta);

/* distinct terms of a document, each below the vocabulary's length, and how often they occur (> 0) */
typedef struct DpemLdaDocument
{
	int			terms;
	int32_t    *term;
	double	   *count;			/* integers below 2^31 */
} DpemLdaDocument;

/*
 * Replaces the counts by those of `length` words drawn from the document with
 * replacement, and drops the terms that were not drawn.  An empty document stays
 * empty.  sum: room for a number per term.
 */
extern DpemStatus dpem_lda_resample(DpemSampler *sampler, int length, DpemLdaDocument *document,
									double *sum);

/* doubles of workspace for a document of `terms` distinct terms */
extern size_t dpem_lda_work(int k, int terms);

/*
 * The statistics of a document, share[i * padded + topic] = n_i phi_i,topic for its i-th term,
 * padded = dpem_lda_padded(k), the padding zero; scaled to sum to task->length if that is not 0 and the
 * document was not resampled; then times the emphasis.  Both arrays are in `work` (dpem_lda_work
 * doubles).  bound: NULL, or gets the variational bound on the log-probability
 * of its words.
 */
typedef struct DpemLdaShare
{
	int			padded;
	double	   *share;			/* terms * padded */
	double	   *gamma;			/* padded: the posterior Dirichlet's parameters */
} DpemLdaShare;

extern int	dpem_lda_padded(int k);
extern DpemLdaShare dpem_lda_respond(const DpemLdaTask *task, const DpemLdaDocument *document,
									 double *bound, double *work);
extern DpemLdaShare dpem_lda_respond_clone(DpemClone clone, const DpemLdaTask *task,
										   const DpemLdaDocument *document, double *bound, double *work);

/*
 * Clips the n shares to a Euclidean norm of `radius` and replaces them by
 * integers: share / radius in units of 2^-bits, rounded towards zero, so that the
 * sum of their squares is exactly at most 2^(2 bits).  False, for a null row, if
 * one is not finite.  bits = 0: clips only.
 */
extern bool dpem_lda_clip(double *share, size_t n, double radius, int bits);

/* adds the integers, or numbers, of a document to the totals of a layout of sums (DPEM_SECOND_NONE) */
extern void dpem_lda_add_exact(const DpemMomentLayout *layout, const DpemLdaDocument *document,
							   const DpemLdaShare *share, DpemInt128 *total);
extern void dpem_lda_add_real(const DpemMomentLayout *layout, const DpemLdaDocument *document,
							  const DpemLdaShare *share, double *total);

#endif							/* DPEM_CORE_LDA_KERNEL_H */

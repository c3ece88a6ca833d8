/*
 * lda_evaluate.h - documents under given topics: their mixtures and held-out likelihood.
 */
#ifndef DPEM_CORE_LDA_EVALUATE_H
#define DPEM_CORE_LDA_EVALUATE_H

#include "core/kernels/lda_kernel.h"

/*
 * Point estimates of topics: probability[v * k + topic], above 0, instead of exp(E[log beta]), with
 * alpha[k].  The task keeps both arrays.
 */
extern DpemLdaTask dpem_lda_evaluation(int k, int terms, const double *alpha, const double *probability);

/* mixture[k] = E[theta] of a document; the prior's for an empty one.  work: dpem_lda_work */
extern void dpem_lda_mixture(const DpemLdaTask *task, const DpemLdaDocument *document, double *mixture,
							 double *work);

/* half: every other occurrence of the document's terms, beginning with the first; room for all terms */
extern void dpem_lda_halve(const DpemLdaDocument *document, DpemLdaDocument *half);

/*
 * To *log_probability is added that of the words that are not in the half, sum n_i log sum_k
 * mixture_k beta_ki, to *words their number.
 */
extern void dpem_lda_predict(const DpemLdaTask *task, const DpemLdaDocument *document, const DpemLdaDocument *half,
							 const double *mixture, double *log_probability, double *words);

/*
 * Document completion (Wallach, Murray, Salakhutdinov, Mimno 2009, section 5.1):
 * the mixture is estimated from one half of a document's words; to
 * *log_probability the other half's sum n_i log sum_k E[theta_k] beta_ki is added,
 * to *words its number of words.  Occurrences of terms go to the halves in turn,
 * the first to the observed half.  half: room for all terms; mixture: k numbers.
 */
extern void dpem_lda_complete(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
							  double *mixture, double *log_probability, double *words, double *work);

/*
 * What a document adds to the mean log-probability of a word, completed as above: share = min(words,
 * task->length) / task->length of its words, which log-probabilities between task->low and
 * task->high divide: loss[1] = share t, loss[0] = share (1 - t), t the part of the way down from high
 * to low of its words' mean.  Both are at least 0, and their sum at most 1: the vector is in
 * the unit ball.  work: dpem_lda_gain_work (lda_choice.h) doubles.
 */
extern void dpem_lda_losses(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
							double loss[DPEM_LDA_LOSSES], double *work);

/*
 * Log-probabilities of a word, by the model alone: low, high = its mean -+ `reach` standard deviations, high at
 * most 0, for a word drawn from the topics' mean, mixed by alpha.
 */
extern void dpem_lda_word_bounds(const DpemLdaTask *task, double reach, double *low, double *high);

#endif							/* DPEM_CORE_LDA_EVALUATE_H */

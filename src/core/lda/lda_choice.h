/*
 * lda_choice.h - how far a document's own words should decide on its mixture of topics.
 *
 * The prior of a document's mixture is Dirichlet(c w), w the topics' shares of all
 * words and c one of a few public concentrations.  As c grows, mixtures become w,
 * and a document is predicted from the distribution of all words.  One pass adds
 * up what every c gains over that, on halves of documents predicted from their
 * other halves (lda_evaluate.h); the sum is released like any other.
 */
#ifndef DPEM_CORE_LDA_CHOICE_H
#define DPEM_CORE_LDA_CHOICE_H

#include "core/kernels/lda_kernel.h"
#include "core/pass/noisy_moments.h"

/* two numbers of a document each */
#define DPEM_LDA_CONCENTRATIONS (DPEM_LDA_GAINS / 2)

/* norm, in nats per word, to which a document's gains are clipped */
#define DPEM_LDA_GAIN_RADIUS 0.5

/* c of a document whose own words decide nothing */
#define DPEM_LDA_CONCENTRATED 1e6

/* doubles of workspace for documents of `terms` distinct terms */
extern size_t dpem_lda_gain_work(int k, int terms);

/*
 * gain[2j], gain[2j + 1]: what the j-th concentration gains and loses, of which one is zero, in nats
 * per predicted word: the positive and the negative part of the mean of log p_c(word) / p_w(word).
 * task->alpha is w, its weights are the topics' probabilities.  All are zero where no word is left to
 * predict.  half: room for all terms.  Of several sets of topics the gains of one follow those of another, in units of the
 * same prediction if the topics of each add up to the same distribution of all words.
 */
extern void dpem_lda_gains(const DpemLdaTask *task, const DpemLdaDocument *document, DpemLdaDocument *half,
						   double *gain, double *work);

/*
 * Of each set of topics the largest gain in the released sums, of which the first DPEM_LDA_GAINS of the
 * first topic are read for each, and its concentration; 0 and DPEM_LDA_CONCENTRATED unless it is above its
 * noise.
 */
extern void dpem_lda_choose(const DpemNoisyMoments *moments, int sets, double *gain, double *concentration);

/* the largest gain of the first set in the released sums, noise or not */
extern double dpem_lda_best_gain(const DpemNoisyMoments *moments);

/* gains to choose by: what is less than the largest by no more than noise could be, or a small part of it, is as good */
extern void dpem_lda_scores(const DpemNoisyMoments *moments, int sets, const double *gain, double *score);

#endif							/* DPEM_CORE_LDA_CHOICE_H */

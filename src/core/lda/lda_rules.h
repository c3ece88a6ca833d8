/*
 * lda_rules.h - what a fit of topics takes from public and released quantities.
 */
#ifndef DPEM_CORE_LDA_RULES_H
#define DPEM_CORE_LDA_RULES_H

#include <stdbool.h>

#include "core/lda/lda_choice.h"

/* of documents' mixtures, among which lda_choice.h chooses, rising */
extern const double dpem_lda_concentration[DPEM_LDA_CONCENTRATIONS];

/* a gain is believed if it is so many deviations of its noise above zero */
extern const double dpem_lda_gain_needed;

/*
 * Topics that gain less, in nats per predicted word, when they are first looked at are given up.  early: with passes over terms
 * left to make, which make it less
 */
extern double dpem_lda_gain_hoped(bool early);

/* part of the largest gain that a smaller number of topics may leave */
extern const double dpem_lda_gain_left;

/* default number of releases after the first: over all documents, or one epoch of samples */
extern int	dpem_lda_iterations(double sampling_rate);

/* parts of the budget: of the first release, of how often terms occur; of the choice */
extern double dpem_lda_terms_share(void);
extern double dpem_lda_choice_share(void);

/*
 * The part of the first release where all later passes are of samples.  noise: in an entry of
 * topics and terms if one pass had the whole budget; mean: mean words of an entry, 0 if unknown.
 * Where noise hides the topics, the budget is better spent on the distribution of all words.
 */
extern double dpem_lda_only_terms_share(double noise, double mean);

/* rate of dpem_lda_blend over all documents: the mean of the passes so far, weighted by pass (pass + 1) */
extern double dpem_lda_full_rate(int pass);

/*
 * Sharpness (dpem_lda_soften) of topics in a pass over all documents: 1 in the first, which has to tell a start's
 * topics apart, then rising from about a half to 1, because early topics are mostly noise and would assign words by
 * it.  1 in all of few passes.
 */
extern double dpem_lda_sharpness(int pass, int passes);

/* of the emphasis of terms in `passes` over topics, each with noise of deviation sd: so that it is milder than in ones over terms */
extern double dpem_lda_topics_noise(double sd, int passes);

/* after which of so many passes over topics to look at what they gain; 0: after none */
extern int	dpem_lda_first_look(int passes);

/*
 * How many of `passes` releases, each with noise of deviation `sd` in a number,
 * are of the terms alone, before the k topics': some, or all where noise would hide
 * the topics or where the distribution of all words needs the whole budget.
 * total[terms]: estimated words.
 */
extern int	dpem_lda_terms_passes(int passes, int k, int terms, const double *total, double sd);

/*
 * Of n of `passes`, over terms, those before the first over topics, where topics are looked at after it: a part, or all where
 * topics could not gain what the distribution of all words would lose for want of the others.
 */
extern int	dpem_lda_terms_at_first(int passes, int n, int terms, const double *total, double sd);

/* those left to make after that look, some having been made: none if topics gain about as much, in nats per word, as that loss */
extern int	dpem_lda_terms_left(int passes, int some, int n, int terms, const double *total, double sd, double gain);

#endif							/* DPEM_CORE_LDA_RULES_H */

/*
 * mixture_choice.h - how many components of a mixed mixture: from a released mixture of more than enough.
 *
 * As gmm_choice.h does: the mixture of the first passes is reduced to the largest candidate by merging (mixture_estimate.h), rows
 * are drawn from it, it is reduced to each other candidate, fitted to the drawn rows by some steps of EM, and scored by its mean log-likelihood less
 * Schwarz's penalty for as many rows as the released moments are worth.  Post-processing.
 */
#ifndef DPEM_CORE_MIXTURE_CHOICE_H
#define DPEM_CORE_MIXTURE_CHOICE_H

#include "core/mixture/mixture_estimate.h"
#include "core/numeric/model_sizes.h"

/* doubles of workspace, for a mixture of up to `components` */
extern size_t dpem_mixture_choice_work(const DpemMixtureRows *rows, const DpemSizes *candidates, int components);

/*
 * Rows, in the sense of dpem_effective_rows, that moments are worth to the parameters of one of k components: their noise
 * against the sampling errors of components of equal size with the mixture's mean variances.
 */
extern double dpem_mixture_effective_rows(const DpemMixtureRows *rows, const DpemMixtureMoments *moments,
										  const DpemMixture *mixture, int k);

/*
 * Scores the candidates and leaves in mixture, which has as many components as the largest or more, that of the one chosen.
 * moments: those that the mixture was made of.  pause: called from time to time, may not return; NULL: never.
 */
extern void dpem_mixture_choose(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, DpemSizes *candidates,
								DpemMixture *mixture, void (*pause) (void), DpemWorkspace work);

#endif							/* DPEM_CORE_MIXTURE_CHOICE_H */

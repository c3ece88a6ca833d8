/*
 * factor_choice.h - how many factors or components, from one noisy covariance.
 */
#ifndef DPEM_CORE_FACTOR_CHOICE_H
#define DPEM_CORE_FACTOR_CHOICE_H

#include "core/numeric/model_sizes.h"
#include "core/numeric/status.h"
#include "core/numeric/workspace.h"

/*
 * Rows, in the sense of dpem_effective_rows, that a covariance of `rows` rows is worth whose svec entries have
 * noise sd, for axes of variance v: sampling errors of svec entries have the variance 2 v^2 / rows.
 */
extern double dpem_covariance_effective_rows(double sd, double v, double rows);

/* free parameters of k factors with a noise variance for each of d coordinates, and of k components with one for all */
extern double dpem_factor_parameters(int d, int k);
extern double dpem_component_parameters(int d, int k);

/*
 * Scores numbers of principal components by the likelihood of probabilistic components (Tipping, Bishop 1999,
 * equation 8) for the eigenvalues without what noise adds to their spread (spectrum.h).  covariance: d x d,
 * noise sd per svec entry, kept.  Chooses.
 */
extern size_t dpem_component_choice_work(int d);
extern DpemStatus dpem_component_choose(DpemSizes *sizes, int d, const double *covariance, double sd, double rows,
										DpemWorkspace work);

#endif							/* DPEM_CORE_FACTOR_CHOICE_H */

/*
 * gam_prior.h - for gam_search.c and gam_prior.c: priors of all scores as precisions, and what they say of the scores' common part.
 */
#ifndef DPEM_CORE_GAM_PRIOR_H
#define DPEM_CORE_GAM_PRIOR_H

#include "core/gam_search/gam_search.h"

/* of all columns' blocks of a score */
extern size_t dpem_gam_blocks_length(const DpemGamRows *rows);

/* K_s^-1 of the variances that the score has; of that out (n) is the product with b, and what is added to the lower triangle of sum (n x n) */
extern void dpem_gam_find_precision(DpemGamSearch *search, int s);
extern void dpem_gam_apply_precision(const DpemGamSearch *search, int s, const double *b, double *out);
extern void dpem_gam_add_precision(const DpemGamSearch *search, int s, double *sum);

/* once all are found: what scores have in common is moved to where the prior wants it */
extern DpemStatus dpem_gam_find_common(DpemGamSearch *search);
extern void dpem_gam_center_classes(const DpemGamSearch *search, double *coefficient);

/* the prior's variances, by a step of expectation and maximisation from the score's mean and covariance (n x n) */
extern void dpem_gam_learn_prior(const DpemGamRows *rows, const double *covariance, DpemGamScore *score);

#endif							/* DPEM_CORE_GAM_PRIOR_H */

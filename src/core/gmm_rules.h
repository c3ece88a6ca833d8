/*
 * gmm_rules.h - the choices a fit makes from public quantities
 * (docs/estimation.md says how they were found and what they are worth).
 */
#ifndef DPEM_CORE_GMM_RULES_H
#define DPEM_CORE_GMM_RULES_H

#include "moments.h"

/* weights of counts, sums and second moments in the stacked vector of a stage */
typedef struct DpemGmmWeights
{
	double		count;
	double		sum;
	double		second;
} DpemGmmWeights;

/* by stage: centre, whitening, mixture; shares of the squared mu */
extern const DpemGmmWeights dpem_gmm_weights[3];
extern const double dpem_gmm_budget_shares[3];

/* the start, in unit-ball coordinates: without and with whitening */
extern const double dpem_gmm_start_radius[2];
extern const double dpem_gmm_start_variance[2];

/* clip radius of the whitened coordinates: this times sqrt(d) */
extern const double dpem_gmm_whitened_clip;

/* what is known of a fit before it starts */
typedef struct DpemGmmPrediction
{
	int			k;
	int			d;
	double		rows;			/* public number of rows, or 0 */
	DpemSecondMoment shape;
	double		count_sd;		/* noise if one pass got the whole mixture share; 0: none */
	double		sum_sd;
	double		second_sd;
} DpemGmmPrediction;

/* number of EM passes */
extern int	dpem_gmm_iterations(const DpemGmmPrediction *prediction);

#endif							/* DPEM_CORE_GMM_RULES_H */

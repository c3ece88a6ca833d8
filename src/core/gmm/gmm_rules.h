/*
 * gmm_rules.h - the choices a fit makes from public quantities
 * (docs/estimation.md says how they were found and what they are worth).
 */
#ifndef DPEM_CORE_GMM_RULES_H
#define DPEM_CORE_GMM_RULES_H

#include "core/pass/moments.h"

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

/* what is known of a fit before it starts */
typedef struct DpemGmmPrediction
{
	int			k;
	int			d;
	double		rows;			/* public number of rows, or 0 */
	DpemSecondMoment shape;
	double		sum_sd;			/* noise of one pass; 0: none */
	double		second_sd;
} DpemGmmPrediction;

/*
 * Noise of a component's parameters after one pass, relative to the
 * parameters: components of equal size, unit variances, rows clipped at
 * `clip` times the root of d.
 */
extern double dpem_gmm_relative_noise(const DpemGmmPrediction *p, double clip);

/* number of passes; p: noise if there were a single one */
extern int	dpem_gmm_iterations(const DpemGmmPrediction *p);

/* least weight of a pass over whitened rows in the average; p: noise of one of the passes */
extern double dpem_gmm_least_step(const DpemGmmPrediction *p, double radius);

/*
 * Radius at which whitened rows are clipped: 1.3 sqrt(d), more where the
 * noise leaves room for the rows that this would move.  lost: share of the
 * variance that the clip of the whitening stage cut off; p: noise of one of
 * the passes.
 */
extern double dpem_gmm_whitened_radius(const DpemGmmPrediction *p, double lost);

#endif							/* DPEM_CORE_GMM_RULES_H */

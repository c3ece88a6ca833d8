/*
 * sbn.h - request, plan and model fields of a sigmoid belief network.
 *
 * The first pass releases how often each column is 1, as the gradient of a
 * network without hidden units; each later pass releases the gradient and
 * E[h~ h~'] at the previous weights (core/kernels/sbn_kernel.h).
 */
#ifndef DPEM_FAMILY_SBN_H
#define DPEM_FAMILY_SBN_H

#include "fit/family.h"
#include "fit/fit_stages.h"

typedef struct DpemSbnRequest
{
	DpemFitRequest fit;
	int			hidden;
	double		prior_variance; /* of a weight and a visible bias */
} DpemSbnRequest;

/* stages: how often each column is 1, then steps; plan.iterations counts the steps */
enum
{
	DPEM_SBN_MARGINS, DPEM_SBN_GRADIENTS, DPEM_SBN_STAGES
};

/* fields of the model's table */
enum
{
	DPEM_SBN_BIAS,				/* of each hidden unit; NaN for the constant one, unit 0 */
	DPEM_SBN_WEIGHT				/* unit by unit; the constant unit's are the visible biases */
};

/* members of DpemFamily */
extern DpemFitPlan *dpem_sbn_plan(const DpemFitRequest *request);
extern void dpem_sbn_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_sbn_load(DpemModel *model);
extern const double *dpem_sbn_posterior(void *ready, const double *x, int *n);
extern double dpem_sbn_log_density(void *ready, const double *x);
extern void dpem_sbn_sample(void *ready, DpemSampler *sampler, double *x);

extern const DpemFamily dpem_family_sbn;

#endif							/* DPEM_FAMILY_SBN_H */

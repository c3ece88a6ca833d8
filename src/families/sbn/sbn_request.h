/*
 * sbn_request.h - a sigmoid belief network: what was asked, and what will be done.
 *
 * The first pass releases how often each column is 1, as the gradient of a
 * network without hidden units; each later one the gradient and E[h~ h~'] at the
 * weights before it (core/kernels/sbn_kernel.h).
 */
#ifndef DPEM_FAMILY_SBN_REQUEST_H
#define DPEM_FAMILY_SBN_REQUEST_H

#include "fit/fit.h"
#include "fit/forecast.h"

typedef struct DpemSbnRequest
{
	DpemFitRequest fit;
	int			hidden;
	double		prior_variance; /* of a weight and a visible bias */
} DpemSbnRequest;

typedef struct DpemSbnPlan
{
	DpemFitPlan fit;			/* iterations: steps, the first pass left out */
	const DpemSbnRequest *request;
	DpemReleaseSpec spec;		/* of every release */
	int			first_line;		/* of the charge; -1 without noise */
	int			later_line;
} DpemSbnPlan;

/* raises 22023 and others for whatever cannot be done */
extern DpemSbnPlan *dpem_sbn_plan(const DpemSbnRequest *request);

extern void dpem_sbn_forecast(const DpemSbnPlan *plan, DpemForecast *forecast);

typedef struct DpemSbnFit
{
	int			d;
	int			hidden;
	const double *bias;			/* hidden */
	const double *weight;		/* (1 + hidden) * d: visible biases, then unit by unit */
	int			iterations;		/* steps that were made */
	int64		charge;			/* number of the charge; 0 without noise */
	int64		maker;			/* who paid, in dpem.role_number */
} DpemSbnFit;

/* charges, reads, releases; raises DP001, DP002, DP003, 42501 */
extern DpemSbnFit *dpem_sbn_fit(const DpemSbnPlan *plan);

#endif							/* DPEM_FAMILY_SBN_REQUEST_H */

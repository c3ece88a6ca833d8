/*
 * logit_request.h - a logistic regression: what was asked, and what will be done.
 *
 * The first pass releases sum (y - 1/2) x, which depends on no parameter, and,
 * as E[omega] = 1/4 where the coefficients are zero, the curvature there; each
 * later one the curvature at the coefficients before it.
 */
#ifndef DPEM_FAMILY_LOGIT_REQUEST_H
#define DPEM_FAMILY_LOGIT_REQUEST_H

#include "fit/fit.h"
#include "fit/forecast.h"

typedef struct DpemLogitRequest
{
	DpemFitRequest fit;
	double		prior_variance; /* of a coefficient in the unit ball; 0: learnt */
} DpemLogitRequest;

typedef struct DpemLogitPlan
{
	DpemFitPlan fit;
	const DpemLogitRequest *request;
	DpemReleaseSpec first;
	DpemReleaseSpec later;
	int			first_line;		/* of the charge; -1 without noise */
	int			later_line;		/* -1 if there is one pass only */
} DpemLogitPlan;

/* raises 22023 and others for whatever cannot be done */
extern DpemLogitPlan *dpem_logit_plan(const DpemLogitRequest *request);

extern void dpem_logit_forecast(const DpemLogitPlan *plan, DpemForecast *forecast);

/*
 * The posterior of score = sum_j b_j x_j + b_n for rows in the columns' own
 * units: a coefficient for each coordinate, then the intercept.
 */
typedef struct DpemLogitFit
{
	int			n;
	double	   *mean;			/* n */
	double	   *covariance;		/* n x n */
	double	   *noise;			/* n: standard deviation of the privacy noise in the mean */
	int			iterations;		/* passes that were made */
	int64		charge;			/* number of the charge; 0 without noise */
	int64		maker;			/* who paid, in dpem.role_number */
} DpemLogitFit;

/* charges, reads, releases: a posterior for each of plan->fit.groups; raises DP001, DP002, DP003, 42501 */
extern DpemLogitFit *dpem_logit_fit(const DpemLogitPlan *plan);

#endif							/* DPEM_FAMILY_LOGIT_REQUEST_H */

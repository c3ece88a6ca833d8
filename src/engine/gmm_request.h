/*
 * gmm_request.h - a mixture fit: what was asked, and what will be done.
 *
 * The request holds the arguments of dp_gmm_fit, checked for form.  The plan
 * is made of the request and public facts alone: it touches no row and
 * spends nothing, and everything a fit does is in it.
 */
#ifndef DPEM_ENGINE_GMM_REQUEST_H
#define DPEM_ENGINE_GMM_REQUEST_H

#include "catalog/charge.h"
#include "catalog/dataset.h"
#include "core/accountant.h"
#include "core/gmm_estimate.h"
#include "core/gmm_rules.h"
#include "core/paper_mechanism.h"
#include "engine/release.h"

/* the caller's priors, NaN where the default is to stand */
typedef struct DpemGmmPrior
{
	double		dirichlet;
	double		kappa0;
	double		nu0;
	double		scale0;
	double		floor;
} DpemGmmPrior;

typedef struct DpemGmmRequest
{
	const char *function;		/* what the ledger and the messages call it */
	char	   *dataset;
	int			k;
	double		epsilon;		/* infinity: without noise, for a reader of the rows */
	double		delta;
	List	   *columns;		/* names; NIL: all numeric ones */
	int			iterations;		/* 0: chosen by the plan */
	DpemSecondMoment shape;
	bool		map;
	char	   *mechanism;
	char	   *composition;	/* NULL: the dataset's accountant's */
	bool		whiten;
	double	   *init_means;		/* n_init numbers in the columns' units, or NULL */
	int			n_init;
	double		init_variance;	/* 0: the default */
	double		clip_norm;		/* 0: the default */
	char	   *model;			/* NULL: generated */
	const DpemPaperMechanism *paper;	/* NULL: the joint mechanism */
	DpemGmmPrior prior;
	double		step_delta;		/* of a Gaussian release of a paper's mechanism; 0: the default */
	bool		nominal;		/* epsilon is a number only: for a reader of the rows */
} DpemGmmRequest;

typedef enum DpemGmmStage
{
	DPEM_STAGE_CENTRE,			/* sums and squared norms: centre and radius */
	DPEM_STAGE_WHITEN,			/* second moment of re-centred rows */
	DPEM_STAGE_MIXTURE,			/* the EM passes */
	DPEM_STAGES
} DpemGmmStage;

/* what a paper's mechanism releases in each iteration */
typedef struct DpemGmmPaperPlan
{
	DpemSeparateSpec spec;
	double		noise_multiplier[DPEM_PAPER_STATISTICS];	/* 0: without noise */
	double		step_epsilon;	/* of every release */
	double		step_delta;		/* of a Gaussian one */
} DpemGmmPaperPlan;

typedef struct DpemGmmPlan
{
	const DpemGmmRequest *request;
	DpemDataset *dataset;		/* bound */
	int			d;
	bool		noisy;			/* private: charged, quantised, stored */
	DpemComposition composition;
	int			iterations;
	double		clip_norm;
	double		public_rows;	/* rows that count, if public; else 0 */
	int			line[DPEM_STAGES];	/* of the charge; -1: stage not run */
	double		noise_multiplier[DPEM_STAGES];
	DpemReleaseSpec spec[DPEM_STAGES];
	DpemGmmPaperPlan paper;		/* in the place of stages, if the request asks for it */
	DpemChargeRequest charge;
} DpemGmmPlan;

/* raises 22023 and others for whatever cannot be done; see DESIGN of errors in errors.h */
extern DpemGmmPlan *dpem_gmm_plan(const DpemGmmRequest *request);

/* noise of a mixture pass at a noise multiplier, for the rules of core/gmm_rules.h */
extern DpemGmmPrediction dpem_gmm_predict(const DpemGmmPlan *plan, double noise_multiplier);

/* priors and eigenvalue floor of the M-step */
extern DpemGmmRule dpem_gmm_rule(const DpemGmmPlan *plan);

/* iterations, noise and lines of the charge of a paper's mechanism; raises 22023, 22003 */
extern void dpem_gmm_plan_paper(DpemGmmPlan *plan);

/* a fitted mixture in the columns' own units */
typedef struct DpemGmmFit
{
	DpemGmm		gmm;
	double	   *weight_noise;	/* noise standard deviations, shaped as the parameters */
	double	   *mean_noise;
	double	   *covariance_noise;
	int64		charge;			/* number of the charge; 0 without noise */
	int64		maker;			/* who paid, in dpem.role_number */
} DpemGmmFit;

/* charges, reads, releases; raises DP001, DP002, DP003, 42501 */
extern DpemGmmFit *dpem_gmm_fit(const DpemGmmPlan *plan);

extern void dpem_fit_init(void);

#endif							/* DPEM_ENGINE_GMM_REQUEST_H */

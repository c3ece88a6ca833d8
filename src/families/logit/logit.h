/*
 * logit.h - logistic regression.
 *
 * If rows are to be standardised, margins are released first.  The first pass
 * releases sum (y - 1/2) x, which depends on no parameter, and the curvature at
 * zero coefficients, where E[omega] = 1/4.  Each later pass releases the gradient
 * of the log-likelihood at the previous coefficients, or, without noise, the
 * curvature there.
 */
#ifndef DPEM_FAMILY_LOGIT_H
#define DPEM_FAMILY_LOGIT_H

#include "core/kernels/logit_kernel.h"
#include "core/logit/logit_estimate.h"
#include "fit/family.h"
#include "fit/fit_margins.h"
#include "fit/fit_stages.h"

/* all but the first are published baselines (classes_baseline.c, classes_online.c) */
typedef enum DpemLogitAlgorithm
{
	DPEM_LOGIT_NEWTON, DPEM_LOGIT_OUTPUT, DPEM_LOGIT_OBJECTIVE, DPEM_LOGIT_ONLINE, DPEM_LOGIT_FUNCTIONAL
} DpemLogitAlgorithm;

typedef struct DpemLogitRequest
{
	DpemFitRequest fit;			/* bind.constant: with an intercept */
	DpemLogitAlgorithm algorithm;
	double		prior_variance; /* of a coefficient in the unit ball; 0: learnt */
	bool		standardise;	/* by means of a release of margins */
	bool		standardise_given;	/* standardise is the caller's; else the plan chooses */
	DpemMarginLoss loss;		/* of classes.h, as is what follows */
	DpemFitFourier fourier;
} DpemLogitRequest;

/* stages */
enum
{
	DPEM_LOGIT_MARGINS, DPEM_LOGIT_FIRST, DPEM_LOGIT_LATER, DPEM_LOGIT_STAGES
};

/*
 * Fields of the model's table: the posterior of score = sum_j b_j x_j + b_n for
 * rows in the columns' own units, a coefficient for each coordinate, then the
 * intercept; noise: standard deviation of the privacy noise in the mean.
 */
enum
{
	DPEM_LOGIT_LABEL, DPEM_LOGIT_NEGATIVE, DPEM_LOGIT_POSITIVE, DPEM_LOGIT_MEAN, DPEM_LOGIT_COVARIANCE, DPEM_LOGIT_NOISE
};

/* grid of the margins of a fit that standardises rows: all coordinates but the constant */
extern DpemMarginGrid dpem_logit_grid(const DpemFitPlan *plan);

/* the usual parts of the budget as the plan has them: more for margins where noise would hide numbers, none where rows are not standardised */
extern DpemLogitShares dpem_logit_plan_shares(const DpemFitPlan *plan, DpemLogitShares usual);

/* noise of one release with the whole budget, in parts of so many rows, or of those that the largest group has by public facts and a release of each */
extern double dpem_logit_noise(const DpemFitPlan *plan, double rows);
extern double dpem_logit_seen_noise(const DpemFitPlan *plan, const DpemNoisyMoments *released);

/* the same of the public rows, for dpem_logit_iterations; infinite where more passes cost noise */
extern double dpem_logit_plan_noise(const DpemFitPlan *plan);

/* whether rows are to be standardised; raises 22023 where the request says both */
extern bool dpem_logit_standardises(const DpemFitPlan *plan);

/* does the caller want that, or say nothing that rules it out? */
extern bool dpem_logit_asks_to_standardise(const DpemLogitRequest *request);

/* after margins: the rest of the fit sees rows about released centers, in released units */
extern void dpem_logit_standardise(DpemFitRun *fit);

/*
 * Without margins: unknown numbers are at the columns' means if there is no noise, but at the middle of the domains where
 * scores are about it (no constant) or the caller's clip norm or prior is of rows about it.
 */
extern void dpem_logit_center(DpemFitRun *fit);

/* (core/logit/logit_secant.h) of a noisy fit whose passes read all rows; else NULL */
extern struct DpemLogitSecant *dpem_logit_create_secant(const DpemFitPlan *plan, int d);

/*
 * The matrix (n x d) that takes coefficients of rows in the ball to those of rows in the
 * columns' own units, the intercept last; n = d, or d + 1 if no coordinate is constant.
 */
extern double *dpem_logit_columns(const DpemFeatureMap *map, int d, int n);

/* the constant of rows that are not clipped; of no use where there is none */
extern double dpem_logit_constant(DpemFitRun *fit, int group);

/* the same for dpem_group_scores; 0: there is none, or a row is clipped with it and scored as it is then */
extern double dpem_logit_whole(DpemFitRun *fit, int group);

/* members of DpemFamily */
extern DpemFitPlan *dpem_logit_plan(const DpemFitRequest *request);
extern void dpem_logit_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_logit_load(DpemModel *model);
extern int	dpem_logit_predict(void *ready, const double *x);
extern const char *dpem_logit_label(void *ready, const double *x);
extern const double *dpem_logit_posterior(void *ready, const double *x, int *n);
extern void dpem_logit_predictor(void *ready, struct DpemPredictor *predictor);
extern const char *dpem_logit_target(void *ready);
extern const char *dpem_logit_category(void *ready, int class);

extern const DpemFamily dpem_family_logit;

/* ---- what is said of noise (logit_noise.c) ---- */

/* room for what a pass releases, and what it has released, put there: memory of passes ends with them */
extern DpemNoisyMoments dpem_logit_create_kept(DpemMomentLayout layout);
extern void dpem_logit_keep(const DpemNoisyMoments *m, DpemNoisyMoments *kept);

typedef struct DpemLogitHistory DpemLogitHistory;

/* before passes; NULL: nothing is kept.  whole: of dpem_group_scores. */
extern DpemLogitHistory *dpem_logit_keep_history(const DpemFitPlan *plan, double whole);

/* what a pass has released, a gradient at these coefficients, before it is taken */
extern void dpem_logit_note(DpemLogitHistory *history, const DpemNoisyMoments *m, double scale, int pass, const double *at);

/* after passes: d x draws numbers, which normal deviates times them are the noise by; *draws 0: none were found */
extern double *dpem_logit_find_noise(const DpemLogitHistory *history, const DpemLogitStatistics *s, const double *mean, int groups, int *draws);

/* ---- steps by a model of the rows (logit_model.c) ---- */

typedef struct DpemLogitModel DpemLogitModel;

/* before passes; NULL: steps are not by one */
extern DpemLogitModel *dpem_logit_create_model(const DpemFitPlan *plan, DpemLogitHistory *history);

/* after the first pass, whose release is noted; and a gradient, after `before` others.  false: rounding leaves nothing, and the model is to be dropped */
extern bool dpem_logit_begin_model(const DpemLogitHistory *history, const DpemLogitStatistics *s, const DpemLogit *fit, DpemLogitModel *model);
extern bool dpem_logit_step_by_model(const DpemNoisyMoments *m, double scale, int before, DpemLogitStatistics *s, DpemLogit *fit,
									 DpemLogitModel *model);
extern void dpem_logit_drop_model(DpemLogitHistory *history, DpemLogitStatistics *s);

#endif							/* DPEM_FAMILY_LOGIT_H */

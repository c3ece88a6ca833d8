/*
 * linreg.h - linear regression.
 *
 * If rows are to be standardised, margins are released first.  Then one release
 * has the number, sums and second moments of all rows, predictors and target
 * together; coefficients follow from it (core/linreg/linreg_estimate.h).  Where noise
 * makes the margins coarse, the target, which all depends on, has margins of its own before.  Where
 * noise would hide the margins, or has hidden them of rows whose number is not public, only the target's own, and its mean and
 * variance about these, are released, and coefficients are zero (linreg_mean.c).  Baselines (core/linreg/linreg_baseline.h) release the
 * moments alone.  Without noise a first pass finds means and deviations instead of
 * the margins.  With Fourier features the moments are those of the features and the target.
 */
#ifndef DPEM_FAMILY_LINREG_H
#define DPEM_FAMILY_LINREG_H

#include "core/linreg/linreg_baseline.h"
#include "fit/family.h"
#include "fit/fit_margins.h"
#include "fit/fit_model.h"
#include "fit/fit_stages.h"

typedef struct DpemLinregAlgorithm
{
	const char *name;
	bool		baseline;		/* published, in the box of the domains */
	bool		blocks;			/* sample and aggregate, linreg_blocks.c */
	bool		tested;			/* blocks whose medians are released by propose-test-release, linreg_tested.c */
	bool		online;			/* batches, one after the other, linreg_online.c; else, a baseline is one of linreg_baseline.h */
	DpemLinregBaseline method;	/* which */
	DpemNoiseKind noise;
} DpemLinregAlgorithm;

typedef struct DpemLinregRequest
{
	DpemFitRequest fit;			/* bind.target: the last coordinate */
	const DpemLinregAlgorithm *algorithm;
	char	   *precondition;	/* standardise or none; NULL: the plan chooses */
	DpemFitFourier fourier;		/* of the predictors */
} DpemLinregRequest;

/* stages */
enum
{
	DPEM_LINREG_LOCATION, DPEM_LINREG_MARGINS, DPEM_LINREG_MOMENTS, DPEM_LINREG_STAGES
};

/* stages of sample and aggregate */
enum
{
	DPEM_LINREG_BLOCK_MARGINS, DPEM_LINREG_BLOCK_CENTER, DPEM_LINREG_BLOCK_MEAN,
	DPEM_LINREG_BLOCK_DISTANCE = DPEM_LINREG_BLOCK_CENTER, DPEM_LINREG_BLOCK_MEDIANS
};

/* numbers whose moments are released, the target last: features, or columns; and the width of the features' kernel */
extern int	dpem_linreg_dimension(const DpemFitPlan *plan);
extern double dpem_linreg_width(const DpemFitPlan *plan);

/* does the fit see rows about their centers, in units of their deviations, by margins or, without noise, by a first pass? */
extern bool dpem_linreg_standardises(const DpemFitPlan *plan);

/* does the caller want that, or say nothing of it? */
extern bool dpem_linreg_asks_to_standardise(const DpemLinregRequest *request);

/* where standardised rows are clipped, of so many; noise, if asked for: in a svec entry of their covariance */
extern double dpem_linreg_frame_radius(const DpemFitPlan *plan, double rows, double *noise);

/* is the model the target's mean, whatever the rows are? */
extern bool dpem_linreg_is_mean(const DpemFitPlan *plan);

/*
 * Fields of the model's tables, on the scales of the columns, or of Fourier features, and the target, but for its bounds, which are in its own unit: coefficients, the
 * intercept last; standard deviations of the privacy noise in them; middles of the intervals for the rows'
 * least squares, and the standard deviations of these; covariance of the coefficients' difference from
 * those of the population.  Of a model that learnt online the column in whose order rows were met, the ends of its
 * batches, and the coefficients that each batch was met with, with their noise; of others "" and nothing.
 */
enum
{
	DPEM_LINREG_TARGET, DPEM_LINREG_SCALE, DPEM_LINREG_COEFFICIENT, DPEM_LINREG_NOISE, DPEM_LINREG_MIDDLE, DPEM_LINREG_ERROR, DPEM_LINREG_COVARIANCE,
	DPEM_LINREG_LOWER, DPEM_LINREG_UPPER,
	DPEM_LINREG_TABLE2,
	DPEM_LINREG_R2 = DPEM_LINREG_TABLE2, DPEM_LINREG_R2_NOISE, DPEM_LINREG_RESIDUAL, DPEM_LINREG_RESIDUAL_NOISE,
	DPEM_LINREG_TABLE3, DPEM_LINREG_DIMENSION = DPEM_LINREG_TABLE3,	/* of fit_model.h, as are the four that follow */
	DPEM_LINREG_ORDER = DPEM_LINREG_TABLE3 + DPEM_FOURIER_SCALE + 1, DPEM_LINREG_EDGE, DPEM_LINREG_MET, DPEM_LINREG_MET_NOISE
};

/* the algorithm of that name; raises 22023 */
extern const DpemLinregAlgorithm *dpem_linreg_algorithm(const char *name);

/* does the fit make its model by a baseline? without noise none does */
extern bool dpem_linreg_is_baseline(const DpemFitPlan *plan);

/* does it by sample and aggregate? */
extern bool dpem_linreg_is_blocks(const DpemFitPlan *plan);

/*
 * Its plan and its passes.  Raises 22023 where a request has groups, samples or a
 * clip norm, which it does not know.
 */
extern void dpem_linreg_plan_blocks(DpemFitPlan *plan);
extern void dpem_linreg_run_blocks(DpemFitRun *fit, DpemFitted *fitted);

/* its parts that the next has, too: what requests cannot have, and the frame of the rows, of which it returns the number */
extern void dpem_linreg_check_blocks(const DpemFitPlan *plan);
extern DpemFitStage dpem_linreg_blocks_stage(const DpemFitPlan *plan, const char *statistic, int points, double share);
extern double dpem_linreg_frame_blocks(DpemFitRun *run);

/* does it by medians of blocks?  its plan, forecast and passes; raises a NOTICE where the test refuses */
extern bool dpem_linreg_is_tested(const DpemFitPlan *plan);
extern void dpem_linreg_plan_tested(DpemFitPlan *plan);
extern void dpem_linreg_forecast_tested(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_linreg_run_tested(DpemFitRun *fit, DpemFitted *fitted);

/* does it learn online? */
extern bool dpem_linreg_is_online(const DpemFitPlan *plan);

/*
 * Its plan, before and after what all requests are checked for, and its passes.  Raises 22023 where a request has
 * samples.
 */
extern void dpem_linreg_plan_batches(DpemFitPlan *plan);
extern void dpem_linreg_plan_online(DpemFitPlan *plan);
extern void dpem_linreg_run_online(DpemFitRun *fit, DpemFitted *fitted);

/* the trajectory's fields, of nothing */
extern void dpem_linreg_no_trajectory(DpemModel *model);

/* a coordinate of the group's ball times unit, and middle added, is the column's value on its scale, or the feature; dpem_linreg_dimension numbers each */
extern void dpem_linreg_units(const DpemFitRun *run, int group, double *middle, double *unit);

/* one group's rows are seen about center, in units of 1 / deviation where that is not 0, to that radius; plan->d numbers */
extern void dpem_linreg_set_frame(DpemFitRun *fit, int group, const double *center, const double *deviation, double radius);

/* what margins leave for the moments, of one group */
typedef struct DpemLinregLocated
{
	double		center_error;	/* of the means, in units of the group's ball; 0: not known */
	double	   *known;			/* rows in which each predictor is known, all that the moments see in those of labels; NULL: not released */
	double		known_sd;
	bool		hidden;			/* noise hides where the columns' values are: only the target's mean is to be told, */
	double		low;			/* which is clamped there, in box coordinates */
	double		high;
} DpemLinregLocated;

/* releases margins and sees rows about their centers, in their deviations; located: of each group, zeros before */
extern void dpem_linreg_standardise(DpemFitRun *fit, DpemLinregLocated *located);

/* releases the target's own margins; each group's frame is the box again */
extern DpemMargins *dpem_linreg_release_target(DpemFitRun *run);

/* a fit of zeros in the plan's coordinates; what of it the group's model's tables keep, covariances added up */
extern DpemLinreg dpem_linreg_create(const DpemFitPlan *plan);
extern void dpem_linreg_store(const DpemFitRun *run, int group, const DpemLinreg *fit, DpemModel *model);

/* the release of the mean of a target alone; and where such a target is clamped, as the last column of these margins tells */
extern DpemReleaseSpec dpem_linreg_mean_spec(const DpemFitPlan *plan);
extern void dpem_linreg_clamp_target(const DpemFitPlan *plan, const DpemMargins *margins, double *low, double *high);

/* rows of the group are their targets alone, of which only the mean is to be told */
extern void dpem_linreg_see_target(DpemFitRun *run, int group, double low, double high);

/* what moments of these make of the group's model */
extern void dpem_linreg_finish_mean(const DpemFitRun *run, int group, const DpemNoisyMoments *m, DpemModel *model);

/* dpem_linreg_run where dpem_linreg_is_mean, or margins say that all groups are hidden; raises a NOTICE that says so */
extern void dpem_linreg_run_mean(DpemFitRun *run, DpemFitted *fitted);
extern void dpem_linreg_run_hidden(DpemFitRun *run, DpemFitted *fitted);

/* members of DpemFamily */
extern DpemFitPlan *dpem_linreg_plan(const DpemFitRequest *request);
extern void dpem_linreg_forecast(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_linreg_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_linreg_load(DpemModel *model);
extern double dpem_linreg_value(void *ready, const double *x);
extern const DpemScaledDomain *dpem_linreg_domain(void *ready);
extern void dpem_linreg_interval(void *ready, const double *x, double reach, double *bounds);
extern void dpem_linreg_predictor(void *ready, struct DpemPredictor *predictor);
extern const char *dpem_linreg_target(void *ready);

extern const DpemFamily dpem_family_linreg;

#endif							/* DPEM_FAMILY_LINREG_H */

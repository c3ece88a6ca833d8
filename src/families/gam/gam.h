/*
 * gam.h - additive models.
 *
 * One pass counts rows by cell and class and by pairs of cells; each later pass
 * releases the gradient of the log-likelihood at the coefficients so far (core/gam/gam_estimate.h).
 * Without noise passes go on until they change nothing.
 */
#ifndef DPEM_FAMILY_GAM_H
#define DPEM_FAMILY_GAM_H

#include "core/gam/gam_estimate.h"
#include "fit/family.h"
#include "fit/fit_stages.h"

typedef struct DpemGamRequest
{
	DpemFitRequest fit;			/* bind.target: a number or a label, the last coordinates */
	int			bins;			/* of a number */
	double		prior_variance; /* between neighbouring bins, and of a category; 0: learnt */
} DpemGamRequest;

enum
{
	DPEM_GAM_COUNTS, DPEM_GAM_GRADIENTS, DPEM_GAM_STAGES
};

typedef struct DpemGamPlan
{
	DpemFitPlan fit;
	DpemGamShape shape;			/* middle and reach: found by the fit */
	int			n;				/* cells */
	int		   *offset;			/* of each column's first cell; columns + 1 */
	int			scores;
} DpemGamPlan;

/*
 * Fields of the model's tables.  Rows of cells: for each score the intercept (place 0), then the
 * columns' cells; place: a column's first coordinate, from 1; bin: from 1, of a label the
 * category's place, 0 for rows without a value; bounds in the column's own units.  Contributions are log-odds, or on
 * the target's scale.
 */
enum
{
	DPEM_GAM_TARGET, DPEM_GAM_SCALE, DPEM_GAM_NEGATIVE, DPEM_GAM_RESIDUAL,
	DPEM_GAM_CLASS, DPEM_GAM_PLACE, DPEM_GAM_BIN, DPEM_GAM_LOWER, DPEM_GAM_UPPER, DPEM_GAM_CONTRIBUTION, DPEM_GAM_ERROR, DPEM_GAM_NOISE
};

/* members of DpemFamily */
extern DpemFitPlan *dpem_gam_plan(const DpemFitRequest *request);
extern void dpem_gam_forecast(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_gam_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_gam_load(DpemModel *model);
extern void dpem_gam_predictor(void *ready, struct DpemPredictor *predictor);
extern int	dpem_gam_predict(void *ready, const double *x);
extern double dpem_gam_value(void *ready, const double *x);
extern void dpem_gam_interval(void *ready, const double *x, double reach, double *bounds);
extern const char *dpem_gam_label(void *ready, const double *x);
extern bool dpem_gam_is_number(void *ready);
extern const char *dpem_gam_target(void *ready);
extern const char *dpem_gam_category(void *ready, int class);
extern const double *dpem_gam_posterior(void *ready, const double *x, int *n);

/* the model's rows of cells from what was estimated, a result for each score */
extern void dpem_gam_store(const DpemGamPlan *plan, const DpemGamRows *rows, const DpemGamResult *result, DpemModel *model);

extern const DpemFamily dpem_family_gam;

#endif							/* DPEM_FAMILY_GAM_H */

/*
 * evaluation.h - how good a released model is on private rows: request, plan, scorer, result.
 *
 * What a model can do (DpemModelUse) says how it is evaluated, so that every family is: classifiers by counts of
 * (bin of the score, class), the score being the logarithm of the odds, or, where a model has no probabilities,
 * half the difference of the two classes' scores; those of more classes by counts of (class, predicted class) and sums
 * of what was lost; regressions by sums and a histogram of residuals, densities by their mean
 * logarithm, centers by the mean squared distance to the nearest, topics by the mean logarithm of a word's probability.
 * The model is public, and travels with the pass.
 */
#ifndef DPEM_FAMILY_EVALUATION_H
#define DPEM_FAMILY_EVALUATION_H

#include "core/evaluation/evaluate_kernel.h"
#include "core/evaluation/evaluate_metrics.h"
#include "fit/family.h"
#include "fit/fit_stages.h"

#define DPEM_EVALUATE_REGRESSION_VALUES 4
#define DPEM_EVALUATE_CLASSES_VALUES 2	/* of more than two classes: logarithmic loss, Brier score */

typedef enum DpemEvaluationKind
{
	DPEM_EVALUATE_CLASSES, DPEM_EVALUATE_REGRESSION, DPEM_EVALUATE_DENSITY, DPEM_EVALUATE_DISTANCE, DPEM_EVALUATE_MARGINS,
	DPEM_EVALUATE_TOPICS		/* of documents: no scorer, but a pass of their own (evaluation_topics.c) */
} DpemEvaluationKind;

typedef struct DpemEvaluationRequest
{
	DpemFitRequest fit;
	char	   *name;			/* of the model */
	int64		id;				/* of the model: its name may be another's when the evaluation ends */
	const DpemFamily *family;
	DpemModel  *model;
	void	   *ready;
	DpemEvaluationKind kind;
	int			classes;		/* of a classifier; else 0 */
	int			values;			/* of a row that are summed; 0: none */
	int			bins;			/* of scores or residuals; of more than two classes, the classes */
	double		threshold;		/* least probability at which class 2 is predicted */
	double		low;			/* values are clipped to low..high: scores, residuals, log-densities, squared distances */
	double		high;
	int			length;			/* words that a document counts for at most */
	const struct DpemExpectedTables *tables;	/* of marginals; else NULL */
} DpemEvaluationRequest;

/*
 * Stages: a classifier of two classes has only cells, and so have margins; a density or centers only sums, but marginals
 * tables, too; a regression has both, and before them, in a wide domain, where the target is.
 */
enum
{
	DPEM_EVALUATE_LOCATION, DPEM_EVALUATE_SUMS, DPEM_EVALUATE_CELLS, DPEM_EVALUATE_STAGES
};

static inline bool
dpem_evaluation_has_classes(DpemEvaluationKind kind)
{
	return kind == DPEM_EVALUATE_CLASSES || kind == DPEM_EVALUATE_MARGINS;
}

typedef struct DpemEvaluationPlan
{
	DpemFitPlan fit;
	const DpemEvaluationRequest *request;
	int			target;			/* coordinate of a regression's */
	double	   *task;			/* of topics: parameters of the pass */
	struct DpemEvaluationTables *tables;	/* of marginals; else NULL */
} DpemEvaluationPlan;

#define DPEM_EVALUATION_METRICS 12	/* at most */

typedef struct DpemEvaluation
{
	double		target[2];		/* of a regression: bounds to which its target is clamped, in its own unit */
	int			metrics;
	const char *name[DPEM_EVALUATION_METRICS];
	DpemStatisticValue metric[DPEM_EVALUATION_METRICS];
	DpemEvaluateCells cells;	/* of no bins if there are none */
	int			classes;		/* of cells; 1 of residuals */
	int64		charge;			/* 0 without noise */
	int64		maker;
} DpemEvaluation;

/* raises 42704, 42809, 22023, 42703 for models and arguments that do not fit; spends nothing */
extern DpemEvaluationRequest *dpem_evaluation_arguments(FunctionCallInfo fcinfo, const char *function);
extern DpemEvaluationPlan *dpem_evaluation_plan(const DpemEvaluationRequest *request);
extern void dpem_evaluation_forecast(const DpemFitPlan *plan, DpemForecast *forecast);

/* charges, reads, releases; raises DP001, DP002, DP003, 42501 */
extern DpemEvaluation *dpem_evaluation_run(const DpemEvaluationPlan *plan);

/* parameters of a pass that scores rows for a stage; target: bounds of a regression's */
extern double *dpem_evaluation_theta(const DpemEvaluationPlan *plan, int stage, const double target[2]);

/* where each coordinate of the dataset is in the model; below 0: nowhere */
extern int32 *dpem_evaluation_places(const DpemEvaluationPlan *plan);

/* a coordinate of the model that none of d places is; -1: they have all */
extern int	dpem_evaluation_unplaced(const DpemModel *model, const int32 *place, int d);

/* registers what makes scorers of these; called when the library is loaded */
extern void dpem_evaluation_init(void);

extern void dpem_evaluation_add_metric(DpemEvaluation *evaluation, const char *name, DpemStatisticValue value);

/*
 * Topics: arguments, the only stage and its row of the plan, and what follows from its release.  Raises 42804 where the
 * vocabulary is another, 42809 for topics that are no distributions.
 */
extern void dpem_evaluation_topics_arguments(const DpemArguments *arguments, DpemEvaluationRequest *request);
extern void dpem_evaluation_plan_topics(DpemEvaluationPlan *plan);
extern void dpem_evaluation_forecast_topics(const DpemEvaluationPlan *plan, DpemForecast *forecast);
extern void dpem_evaluation_judge_topics(const DpemEvaluationPlan *plan, DpemFitRun *run, DpemEvaluation *evaluation);

/*
 * Marginals: their tables are the stage of cells.  Raises 42804 where a column is registered otherwise, 54000; the check,
 * once the stages have their noise, 22023.
 */
extern void dpem_evaluation_plan_tables(DpemEvaluationPlan *plan);
extern void dpem_evaluation_check_tables(const DpemEvaluationPlan *plan);
extern void dpem_evaluation_forecast_tables(const DpemEvaluationPlan *plan, DpemForecast *forecast);
extern void dpem_evaluation_judge_tables(const DpemEvaluationPlan *plan, DpemFitRun *run, DpemEvaluation *evaluation);

/* a range that scores are in, log-densities of the model's own rows, and squared distances: public */
extern void dpem_evaluation_range(DpemEvaluationRequest *request);

/* stores what was paid for; a WARNING if that fails */
extern void dpem_evaluation_save(const DpemEvaluationPlan *plan, const DpemEvaluation *evaluation);

/* what no other model will have, whatever is dropped; of the name as it is now */
extern int64 dpem_evaluation_model_id(const char *model);

/* the holdout of the fit, if it was of this dataset, whose secret chooses the rows; 0: none */
extern double dpem_evaluation_holdout(const char *model, const char *dataset);

/* residuals of a regression in the last evaluation of it */
typedef struct DpemResiduals
{
	DpemEvaluateCells cells;
	double		reach;
	double		coverage;		/* what half is for; 0: none yet */
	double		half;
} DpemResiduals;

/* in the current memory context; NULL if a model that the caller may read has not been evaluated so */
extern DpemResiduals *dpem_evaluation_residuals(const char *model);

/* the share `coverage` quantile of their absolute values; infinite where more than the others are certainly beyond their reach */
extern double dpem_evaluation_half_width(DpemResiduals *residuals, double coverage);

/* has no models of its own; supplies cases for dp_selftest */
extern const DpemFamily dpem_family_evaluation;

#endif							/* DPEM_FAMILY_EVALUATION_H */

/*
 * classes.h - linear classifiers of the problems of core/kernels/logit_kernel.h:
 * support vector machines, of several classes one against the rest or discriminant analysis, and multinomial logistic regression of several classes.
 *
 * If rows are to be standardised, margins are released first; then second moments, once
 * for all classes; then sums by class, and gradients of all classes at a time.  Without
 * noise each gradient is followed by the curvature of each problem.
 */
#ifndef DPEM_FAMILY_CLASSES_H
#define DPEM_FAMILY_CLASSES_H

#include "families/logit/logit.h"

/* stages */
enum
{
	DPEM_CLASS_MARGINS = DPEM_LOGIT_MARGINS, DPEM_CLASS_SECOND, DPEM_CLASS_GRADIENTS, DPEM_CLASS_STAGES,
	DPEM_CLASS_BASELINE = DPEM_CLASS_SECOND, DPEM_CLASS_BASELINE_STAGES,
	DPEM_CLASS_OBJECTIVE = DPEM_CLASS_BASELINE, DPEM_CLASS_MINIMUM, DPEM_CLASS_OBJECTIVE_STAGES
};

/*
 * Fields of a model's tables: of each class its category and the coefficients of its score in the
 * columns' own units, the intercept last, with standard deviations of the privacy noise;
 * then, of all, the label and the loss, and of random Fourier features (dimension 0:
 * none) width and seed of their frequencies, and center and scale of the columns, in
 * coordinates of their domains; of a model that learnt online the column in whose order rows
 * were read, the ends of its batches, and the coefficients that each batch was met with, the
 * last ones aside, with standard deviations of the noise; otherwise "" and nothing.
 */
enum
{
	DPEM_CLASS_CATEGORY, DPEM_CLASS_COEFFICIENT, DPEM_CLASS_NOISE, DPEM_CLASS_TABLE2,
	DPEM_CLASS_LABEL = DPEM_CLASS_TABLE2, DPEM_CLASS_LOSS, DPEM_CLASS_SMOOTHING, DPEM_CLASS_DIMENSION,
	DPEM_CLASS_WIDTH, DPEM_CLASS_SEED, DPEM_CLASS_CENTER, DPEM_CLASS_SCALE,
	DPEM_CLASS_ORDER, DPEM_CLASS_EDGE, DPEM_CLASS_MET, DPEM_CLASS_MET_NOISE
};

/* problems of a label: 1 of two classes */
extern int	dpem_classes_problems(const DpemFitPlan *plan);

/* the request's; a logistic one of several classes is multinomial */
extern DpemMarginLoss dpem_classes_loss(const DpemFitPlan *plan);

/* numbers that a row becomes: its coordinates, or Fourier features; the width of these */
extern int	dpem_classes_dimension(const DpemFitPlan *plan);
extern double dpem_classes_width(const DpemFitPlan *plan);

/*
 * label, positive, intercept, prior_variance, precondition, features, dimension, width, seed, algorithm, one of
 * the first `algorithms`, order_column and batches; raises 22023
 */
extern void dpem_classes_read(const DpemArguments *arguments, int algorithms, DpemFitRequest *request);

/* the rest of a plan for a bound request */
extern void dpem_classes_complete_plan(DpemFitPlan *plan);

/* ---- baselines (classes_baseline.c, classes_online.c), of two classes in one group ---- */

/* does the fit make its model by a baseline? without noise none does */
extern bool dpem_classes_is_baseline(const DpemFitPlan *plan);

/* its stages; raises 22023 where the request has what it does not know */
extern void dpem_classes_plan_baseline(DpemFitPlan *plan);

/* of algorithm online, after dpem_fit_plan_batches */
extern void dpem_classes_plan_online(DpemFitPlan *plan);

/* its name, as the model's mechanism */
extern const char *dpem_classes_algorithm(const DpemFitPlan *plan);

/* members of DpemFamily */
extern DpemFitPlan *dpem_classes_plan(const DpemFitRequest *request);
extern void dpem_classes_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_classes_load(DpemModel *model);
extern int	dpem_classes_predict(void *ready, const double *x);
extern const char *dpem_classes_label(void *ready, const double *x);
extern void dpem_svm_predictor(void *ready, struct DpemPredictor *predictor);
extern void dpem_classes_predictor(void *ready, struct DpemPredictor *predictor);
extern const char *dpem_classes_target(void *ready);
extern const char *dpem_classes_category(void *ready, int class);
extern const double *dpem_classes_posterior(void *ready, const double *x, int *n);
extern const double *dpem_classes_scores(void *ready, const double *x, int *n);

/* the second is that of logistic regressions of more than two classes, or of Fourier features */
extern const DpemFamily dpem_family_svm;
extern const DpemFamily dpem_family_logit_classes;

#endif							/* DPEM_FAMILY_CLASSES_H */

/*
 * classes.h - linear classifiers of the problems of core/kernels/class_kernel.h:
 * support vector machines, and logistic regression of several classes.
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
	DPEM_CLASS_MARGINS = DPEM_LOGIT_MARGINS, DPEM_CLASS_SECOND, DPEM_CLASS_GRADIENTS, DPEM_CLASS_STAGES
};

/*
 * Fields of a model's tables: of each class its category and the coefficients of its score in the
 * columns' own units, the intercept last, with standard deviations of the privacy noise;
 * then, of all, the label and the loss.
 */
enum
{
	DPEM_CLASS_CATEGORY, DPEM_CLASS_COEFFICIENT, DPEM_CLASS_NOISE, DPEM_CLASS_TABLE2,
	DPEM_CLASS_LABEL = DPEM_CLASS_TABLE2, DPEM_CLASS_LOSS, DPEM_CLASS_SMOOTHING
};

/* problems of a label: 1 of two classes */
extern int	dpem_classes_problems(const DpemFitPlan *plan);

/* members of DpemFamily */
extern DpemFitPlan *dpem_classes_plan(const DpemFitRequest *request);
extern void dpem_classes_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_classes_load(DpemModel *model);
extern int	dpem_classes_predict(void *ready, const double *x);
extern const char *dpem_classes_label(void *ready, const double *x);
extern const double *dpem_classes_posterior(void *ready, const double *x, int *n);
extern const double *dpem_classes_scores(void *ready, const double *x, int *n);

extern const DpemFamily dpem_family_svm;

#endif							/* DPEM_FAMILY_CLASSES_H */

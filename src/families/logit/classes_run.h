/*
 * classes_run.h - a linear classifier's passes, with noise and without, for
 * classes_fit.c, classes_noise.c, classes_newton.c and classes_minimum.c.
 */
#ifndef DPEM_FAMILY_CLASSES_RUN_H
#define DPEM_FAMILY_CLASSES_RUN_H

#include "core/replay/class_model.h"
#include "core/replay/class_noise.h"
#include "families/logit/classes.h"

/* of one group of rows */
typedef struct DpemClassesRun
{
	DpemFitRun *fit;
	DpemClassFit classes;
	double	   *theta;			/* DPEM_CLASS_HEAD, then coefficients of all problems */
	double	   *sums;			/* where noise hides, the mean of the sums by class that were released so far; NULL: it is not looked for */
	double	   *middle;			/* d: of the prior then */
	DpemClassHistory *history;	/* NULL: nothing is kept */
	DpemClassModel *model;		/* NULL: steps are not by one */
	bool		modelled;		/* they are */
	DpemFitTrajectory met;		/* online: the coefficients; else of 0 batches */
} DpemClassesRun;

extern const char *const dpem_classes_hinge;
extern const char *const dpem_classes_logistic;
extern const char *const dpem_classes_multinomial;

/* into the parameters of the next pass; run is an array of the plan's groups in what follows */
extern void dpem_classes_put_coefficients(DpemClassesRun *run, int problem, const double *coefficient);
extern DpemNoisyMoments *dpem_classes_release_gradients(DpemFitRun *fit, DpemClassesRun *run, const DpemMarginLoss *loss);
extern DpemNoisyMoments *dpem_classes_release_curvature(DpemFitRun *fit, DpemClassesRun *run, const DpemMarginLoss *loss,
														int class);

/* ---- what is said of noise (classes_noise.c) ---- */

/* before passes: where there is memory and time for it, what they release is kept, with the scale that it is taken at */
extern void dpem_classes_keep_history(const DpemFitPlan *plan, DpemClassesRun *run);
extern void dpem_classes_note_first(const DpemFitRun *fit, DpemClassesRun *run, bool sums, double scale, const DpemNoisyMoments *m);
extern void dpem_classes_note_gradient(const DpemFitRun *fit, DpemClassesRun *run, int before, double scale, const DpemNoisyMoments *m);

/* after passes, of one group */
extern void dpem_classes_find_noise(DpemClassesRun *run);

/* ---- steps by a model of the rows (classes_model.c) ---- */

/* before passes: where there is memory and time for it */
extern void dpem_classes_create_model(const DpemFitPlan *plan, DpemClassesRun *run);

/* after the sums by class, whose noise has that deviation, of one group: whether steps are by it */
extern void dpem_classes_begin_model(DpemClassesRun *run, double sd);

/* a gradient, after `before` others; false: steps are not by it, or no more, and the gradient is still to be taken */
extern bool dpem_classes_step_by_model(DpemClassesRun *run, const DpemNoisyMoments *m, double scale, int before);

/* a baseline's passes and coefficients, in rows' ball; returns the number of passes */
extern int	dpem_classes_run_baseline(DpemFitRun *fit, DpemClassesRun *run);

/* the same online */
extern void dpem_classes_run_online(DpemFitRun *fit, DpemClassesRun *run);

/* what of the trajectory the model keeps, in the columns' own units by a (n x d) */
extern void dpem_classes_put_trajectory(const DpemClassesRun *run, int n, const double *a, DpemModel *model);

/* without noise: from the first coefficients to the minimum; returns the number of passes */
extern int	dpem_classes_run_newton(DpemFitRun *fit, DpemClassesRun *run);

/* the same of a multinomial loss (classes_minimum.c) */
extern int	dpem_classes_run_minimum(DpemFitRun *fit, DpemClassesRun *run);

#endif							/* DPEM_FAMILY_CLASSES_RUN_H */

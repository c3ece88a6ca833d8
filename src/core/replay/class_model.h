/*
 * class_model.h - steps of multinomial logistic regression by a model of the rows (class_softmax.h).
 *
 * Where classes are apart the loss bends far less than its bound, and steps by that are short.  How much it bends is known of rows of the
 * law that discriminant analysis supposes (class_law.h).  So a step leads to where that law's gradient, and what released ones have had
 * beyond it on average, and the prior's, cancel (Shamir, Srebro, Zhang 2014, "Communication-efficient distributed optimization using
 * an approximate Newton-type method", ICML).  There a gradient of the rows would be none but for noise, if the law were theirs; as
 * it is not, steps are held back by a part of the bound.
 *
 * A gradient's noise is not to be taken for slopes where the loss hardly bends: along an axis in which it bends by h, noise of variance
 * s^2 leaves h / (h + s^2) of what a gradient tells (logit_estimate.h), so the prior is as much stronger.  Of what all classes
 * have in common, which changes no probability, nothing tells but the prior, and slopes of all classes sum up to noise alone, which is left out.
 *
 * Noise in coefficients is what that of the releases becomes in steps, to first order (class_moved.c).
 */
#ifndef DPEM_CORE_CLASS_MODEL_H
#define DPEM_CORE_CLASS_MODEL_H

#include "core/logit/class_law.h"
#include "core/numeric/public_random.h"

#define DPEM_MODEL_DRAWS	100	/* a deviation of so many is known to 7 % */

typedef struct DpemClassModel
{
	DpemClassLaw law;
	int			d;
	int			problems;
	int			n;				/* problems x d */
	double		off_sd;			/* of the noise in off */
	double		precision;		/* of the prior, */
	double	   *middle;			/* n: about these coefficients */
	double	   *off;			/* n: what released gradients have had beyond the law's, on average */
	double	   *from;			/* n: where the last one was released */
	double	   *at;				/* n: coefficients */
	double	   *slope;			/* n: of the loss there */
	double	   *step;			/* n */
	double	   *value;			/* n */
	double	   *own;			/* d x DPEM_MODEL_DRAWS */
	double	   *hold;			/* problems: steps of each are held back by so much, times */
	double	   *whole;			/* d x d: sum x x' */
	double	   *bend;			/* n x n: what the law bends by where gradients were released, on average */
	double	   *prior;			/* n x n */
	double	   *matrix;			/* n x n */
	double	   *noise;			/* n x DPEM_MODEL_DRAWS: draws of the noise in off, */
	double	   *moved;			/* n x DPEM_MODEL_DRAWS: and of what coefficients are moved by */
	double	   *scratch;
	DpemPublicRandom random;
} DpemClassModel;

/* may steps be by one?  By what is known before passes: gradients in so many groups are few enough numbers; */
extern bool dpem_class_model_fits(const DpemClassFit *fit, int gradients, int groups);

/* and by second moments and sums by class as taken: there is little noise, of deviation sd in the mean of all gradients to come */
extern bool dpem_class_model_helps(const DpemClassFit *fit, double sd);

extern size_t dpem_class_model_work(const DpemClassFit *fit);
extern DpemClassModel dpem_class_model_take(const DpemClassFit *fit, DpemWorkspace *work);

/* of a fit that has spread, centers and middles; sd as before */
extern void dpem_class_model_begin(const DpemClassFit *fit, double sd, DpemClassModel *model);

/* a gradient at the coefficients, as of dpem_class_take_gradient; then steps, as long as there are more to make; then what noise they leave */
extern DpemStatus dpem_class_model_gradient(const DpemNoisyMoments *m, double scale, int before, const DpemClassFit *fit, DpemClassModel *model);
extern DpemStatus dpem_class_model_step(DpemClassModel *model, bool *more);
extern DpemStatus dpem_class_model_move(DpemClassModel *model);

/* ---- parts of these ---- */

extern void dpem_class_moved_begin(const DpemClassFit *fit, DpemClassModel *model);

/* draws of the noise in a gradient, of that deviation, which is a part of all */
extern void dpem_class_moved_gradient(double sd, double part, DpemClassModel *model);

/* model->matrix: what all that a step's end is found by bends by at the coefficients, factorised */
extern DpemStatus dpem_class_model_factorise(DpemClassModel *model);

/* coefficients, and what they are moved by (fit->draws: DPEM_MODEL_DRAWS), into fit */
extern void dpem_class_model_put(const DpemClassModel *model, DpemClassFit *fit);

#endif							/* DPEM_CORE_CLASS_MODEL_H */

/*
 * class_softmax.h - multinomial logistic regression from released statistics (class_estimate.h).
 *
 * All classes' scores are fitted together: in a row of class c their vector has the slopes 1 - p_c, -p_k (Boehning 1992, Annals of the
 * Institute of Statistical Mathematics 44), whose length is at most sqrt(2), and is mostly less than 1.
 *
 * The first coefficients are those of linear discriminant analysis (Hastie, Tibshirani, Friedman 2009, 4.3): W^-1 (mu_k -
 * mu), W being what rows differ by within their classes, sum x x' less what the means of classes explain of it.  A
 * part of that is left, as rows are not normal and W's small eigenvalues would make too sure of classes.  Where
 * no coordinate is constant, what is nearest to 1 in all rows by least squares stands for it.
 *
 * Noise draws coefficients towards no slopes and the log-odds of the classes' parts of the rows, as far as these are known.
 *
 * Each gradient then makes a step of every class along the axes of sum x x', as if the others stood still, with the curvature
 * pi_k sum x x': that of diag(p), which is no less than diag(p) - p p', where probabilities are the classes' parts of the rows.
 * Where there is little noise, steps are by a model of the rows instead (core/replay/class_model.h).
 */
#ifndef DPEM_CORE_CLASS_SOFTMAX_H
#define DPEM_CORE_CLASS_SOFTMAX_H

#include "core/logit/class_estimate.h"

/* as dpem_class_take_sums and dpem_class_take_gradient; work: dpem_softmax_work(d) */
extern size_t dpem_softmax_work(int d);
extern DpemStatus dpem_softmax_take_sums(const DpemNoisyMoments *m, double scale, DpemClassFit *fit, DpemWorkspace work);
extern void dpem_softmax_take_gradient(const DpemNoisyMoments *m, double scale, int before, DpemClassFit *fit, DpemWorkspace work);

#endif							/* DPEM_CORE_CLASS_SOFTMAX_H */

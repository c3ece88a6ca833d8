/*
 * discriminant.h - discriminant analysis of what a fit of margins has released: means of classes and the spread within them, which tell
 * the law of its rows (class_law.h).  Post-processing of released numbers.
 */
#ifndef DPEM_CORE_DISCRIMINANT_H
#define DPEM_CORE_DISCRIMINANT_H

#include "core/logit/class_estimate.h"

/* one for a fit of so many problems (1: two classes) in d coordinates; work: where there is none, nothing is made */
extern DpemClassFit dpem_discriminant_take(int problems, int d, DpemWorkspace *work);

/* of sums by class, times scale, and second moments as `of` has taken them; work: dpem_discriminant_work(d) */
extern size_t dpem_discriminant_work(int d);
extern DpemStatus dpem_discriminant_find(const DpemNoisyMoments *sums, double scale, const DpemClassFit *of, DpemClassFit *fit, DpemWorkspace work);

#endif							/* DPEM_CORE_DISCRIMINANT_H */

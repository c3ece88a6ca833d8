/*
 * evaluate_kernel.h - what a released model says of every row, counted or summed.
 *
 * A row is scored by a model, which is public.  In cells, the score names one of `bins` bins, and the
 * row adds one to the cell (class, bin): class 0 or 1 of rows with labels, and only class 0 of others; of more
 * classes, the bins are the classes that may be predicted, and there is a cell for each pair.  As
 * values, the row is replaced by up to DPEM_EVALUATE_MOST_VALUES numbers in [-1, 1] that say how it was
 * predicted, and these are summed: a row adds one and a point of the unit ball to the only component.  Either
 * way the contribution is that of DPEM_ON_SIMPLEX, whatever the scorer returns (docs/proofs.md, 10).
 *
 * Core knows no model: theta holds bytes, which whoever knows the models registers a scorer for.
 */
#ifndef DPEM_CORE_EVALUATE_KERNEL_H
#define DPEM_CORE_EVALUATE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pass/block.h"

#define DPEM_EVALUATE_MOST_BINS		4096
#define DPEM_EVALUATE_MOST_VALUES	4
#define DPEM_EVALUATE_MOST_CLASSES	1000

typedef struct DpemEvaluateTask
{
	int			bins;			/* 0: values */
	int			values;			/* 0: cells */
	size_t		n;				/* bytes that the scorer is made of */
} DpemEvaluateTask;

/* a scorer begins with its task */
typedef struct DpemRowScorer
{
	DpemEvaluateTask task;
	int			class;			/* of the row that is scored, from 0; 0 of rows without labels */

	/*
	 * x: a row's d features in the unit ball, of its own sign.  score[0]: for cells, its place among the bins, in
	 * [0, 1]; for values, `values` numbers in [-1, 1].  What is beyond counts as the end, and what is no number as
	 * the lower one.  A function of the row and its class alone; raises nothing.
	 */
	void		(*score) (struct DpemRowScorer *scorer, const double *x, double *score);
} DpemRowScorer;

/*
 * Makes a scorer of theta for rows of d features, in memory that outlives the pass; raises for bytes that it does
 * not know.  Registered when the library is loaded; NULL: passes of these kernels are malformed.
 */
extern DpemRowScorer *(*dpem_make_row_scorer) (const double *theta, int d);

/* a task and its bytes as parameters of a pass, dpem_evaluate_theta_length numbers, and back */
extern size_t dpem_evaluate_theta_length(const DpemEvaluateTask *task);
extern void dpem_evaluate_write(const DpemEvaluateTask *task, const unsigned char *bytes, double *theta);
extern DpemEvaluateTask dpem_evaluate_task(const double *theta);
extern void dpem_evaluate_read(const double *theta, unsigned char *bytes);

/* what value 1 is in features of the unit ball: a whole multiple of 2^-13, of which `values` have a norm of at most 1 */
extern double dpem_evaluate_unit(int values);

#endif							/* DPEM_CORE_EVALUATE_KERNEL_H */

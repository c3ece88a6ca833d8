/*
 * bayes_estimate.h - a naive Bayes classifier from released counts of rows by class
 * and by cell of every column.
 *
 * With noise of known size: in every cell the classes' shares differ from those of
 * all rows by an amount that has a normal prior of mean 0, which between neighbouring parts of
 * a number is an autoregression of order 1, and whose variance and correlation are those under which the
 * released counts of the column are most probable (empirical Bayes; Efron and Morris 1973).  Where noise
 * hides a cell it says nothing, and otherwise it says as much as is known.  The posterior mean
 * is found by the Kalman filter and smoother (Rauch, Tung and Striebel 1965), given that a share is not below 0.
 * Without noise: Laplace's rule of succession.  Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_BAYES_ESTIMATE_H
#define DPEM_CORE_BAYES_ESTIMATE_H

#include <stdbool.h>

#include "core/numeric/workspace.h"

/* released counts, in rows */
typedef struct DpemBayesCounts
{
	int			classes;
	int			columns;
	int			cells;			/* of all columns */
	const int  *length;			/* columns: cells of each */
	const bool *ordered;		/* columns: are neighbouring cells alike? */
	const bool *complete;		/* columns: does every row of a class count in one of the cells? */
	double		sd;				/* standard deviation of the noise in each count; 0: none */
	const double *count;		/* classes * (1 + cells): of a class, then of its cells */
} DpemBayesCounts;

typedef struct DpemBayes
{
	double	   *weight;			/* classes: share of the rows, above 0, adding up to 1 */
	double	   *weight_noise;	/* classes: standard deviation of the noise in it, to first order */
	double	   *probability;	/* classes * cells: of the cell in rows of the class, above 0, adding up to 1 in each column */
	double	   *noise;			/* classes: standard deviation of the noise in a share of the class's rows */
} DpemBayes;

/* work: dpem_bayes_estimate_work doubles */
extern size_t dpem_bayes_estimate_work(const DpemBayesCounts *counts);
extern void dpem_bayes_estimate(const DpemBayesCounts *counts, DpemBayes *bayes, DpemWorkspace work);

/*
 * posterior[] = the classes' probabilities in a row; cell: of each column, below 0 where it is not known; power: of what
 * the columns say together (bayes_power.h).
 * Returns the most probable class, from 0.
 */
extern int	dpem_bayes_posterior(int classes, int columns, int cells, const double *weight, const double *probability,
								 double power, const int *cell, double *posterior);

#endif							/* DPEM_CORE_BAYES_ESTIMATE_H */

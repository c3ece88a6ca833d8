/*
 * bayes_power.h - the power of a naive Bayes classifier's evidence.
 *
 * Columns that tell the same thing twice count it twice: probabilities are then too sure of themselves.  A power T of what the
 * columns say, P(c | row) ~ P(c) (prod P(cell | c))^T, keeps their order and is what temperature scaling is to a network's scores
 * (Platt 1999; Guo et al. 2017): 1 where the columns are independent, 1/m where all are copies of m, near 0 the classes' shares.
 *
 * It is estimated from released counts of class_pairs.h: of an unknown number of rows at one place, the second class has the share
 * p = 1 / (1 + exp(odds - T evidence)), and counts differ from that by noise, by chance, and by what the classifier gets wrong whatever
 * T is.  The logarithm of T has a normal prior, lower for more columns; the
 * estimate is the mean of its posterior.  Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_BAYES_POWER_H
#define DPEM_CORE_BAYES_POWER_H

typedef struct DpemPairCounts
{
	int			classes;
	int			columns;		/* that are counted by class */
	const double *weight;		/* classes: share of the rows, above 0 */
	const double *count;		/* dpem_class_pairs_places */
	double		sd;				/* standard deviation of the noise in each, above 0 */
} DpemPairCounts;

/* at most */
#define DPEM_BAYES_MOST_POWER	2.0

extern double dpem_bayes_power(const DpemPairCounts *counts);

#endif							/* DPEM_CORE_BAYES_POWER_H */

/*
 * class_shares.h - shares of several classes from sums of residuals alone.
 *
 * Where a row's probability of class c is 1, the sum of class t's residuals is the number of rows in t, whatever that of all rows is, and
 * c's own is its number less that of all.  Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_CLASS_SHARES_H
#define DPEM_CORE_CLASS_SHARES_H

/* the score that leaves no doubt beside those of 0 */
extern const double dpem_class_shares_certain;

typedef struct DpemClassShares
{
	int			classes;
	double		rows;			/* as known */
	double		rows_sd;		/* and what that may be off by */
	double	   *count;			/* classes: of rows in each, the mean of what was taken, by precision */
	double	   *precision;		/* classes: of that; begins with zeros */
} DpemClassShares;

/* sums of residuals (classes of them), each with noise of that deviation, where all rows are certain to be of that class, from 0 */
extern void dpem_class_shares_take(const double *residual, double sd, int certain, DpemClassShares *shares);

/* of each class, positive and adding up to 1, and the noise in it; either may be `count` or `precision` */
extern void dpem_class_shares_find(const DpemClassShares *shares, double *share, double *sd);

#endif							/* DPEM_CORE_CLASS_SHARES_H */

/*
 * bounds.h - where a column's values are, from counts in bins that grow by powers of two.
 *
 * Bins are [2^i, 2^(i+1)) and their mirror images, cut off at the registered domain, from a smallest size on: as
 * many for a domain of any width as its logarithm has.  One histogram counts rows in them (docs/proofs.md, 18); the rest
 * reads released counts: post-processing.
 */
#ifndef DPEM_CORE_BOUNDS_H
#define DPEM_CORE_BOUNDS_H

#include "core/noise/noise.h"

/* nearest to 0 that is told from it: 2^-20, or 2^-20 of the domain's greatest end where that is less than 1 */
#define DPEM_BOUNDS_OCTAVES	20
#define DPEM_BOUNDS_MOST	2200	/* bins at most, of domains within 1e300 */

/* edge[] = the ends of the bins of a domain lower < upper, ascending, at most DPEM_BOUNDS_MOST + 1; returns the number of bins */
extern int	dpem_bounds_edges(double lower, double upper, double *edge);

typedef struct DpemBounds
{
	int			first;			/* bins from the first to the last that is seen above the noise; -1: none is */
	int			last;
	double		outside;		/* share of the rows in other bins */
	double		outside_lower;	/* its 95 % interval */
	double		outside_upper;
} DpemBounds;

/* a bin counts as seen if of so many empty ones noise takes one above this in 5 of 100 releases */
extern double dpem_bounds_threshold(DpemNoiseKind noise, double sd, int bins);

/* count[]: n released counts with noise of that standard deviation each; 0: exact */
extern void dpem_bounds_estimate(const double *count, int n, DpemNoiseKind noise, double sd, DpemBounds *out);

#endif							/* DPEM_CORE_BOUNDS_H */

/*
 * gam_place.h - where a number's values are, as noisy counts of its bins tell.
 */
#ifndef DPEM_CORE_GAM_PLACE_H
#define DPEM_CORE_GAM_PLACE_H

#include <stdbool.h>

/* noisy counts of equal bins, DPEM_GAM_TARGET_BINS at most, and of parts of so many of them */
typedef struct DpemGamBins
{
	int			n;
	const double *count;
	double		sd;				/* of the noise in each */
	int			parts;			/* 0: there are none */
	const double *part;
	double		part_sd;
	double		rows;			/* of all bins, */
	double		rows_sd;		/* and what they may be off by */
} DpemGamBins;

typedef struct DpemGamPlace
{
	double		middle;			/* mean and variance of the values, which lie between -1 and 1 */
	double		variance;
	double		tails;			/* how heavy these are, as far as bins can be seen one by one: fourth root of the kurtosis in a normal law's, from 1 */
	bool		together;		/* they are in one bin or in two next to each other, all that can be told from noise */
	double		off;			/* variance of what the middle is off by; infinite where bins can be seen and gradients tell more */
} DpemGamPlace;

extern DpemGamPlace dpem_gam_place(const DpemGamBins *bins);

#endif							/* DPEM_CORE_GAM_PLACE_H */

/*
 * mixture_run.h - a mixture's fit while it runs.
 */
#ifndef DPEM_FAMILY_MIXTURE_RUN_H
#define DPEM_FAMILY_MIXTURE_RUN_H

#include "families/mixture/mixture.h"

/* of one group of rows */
typedef struct MixtureRun
{
	DpemMixtureRows rows;
	DpemMixture total;
	DpemMixture mixture;
	DpemMixtureMoments all;		/* of all rows */
	DpemMixtureMoments moments;
	double	   *theta;
	DpemSizes	candidates;		/* of a fit that chooses, which has one group */
	bool		equal;			/* components are given up, and are each of all rows */
} MixtureRun;

/* releases the margins, and makes of them the centers and units of every group's rows */
extern void dpem_mixture_find_frames(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run);

#endif							/* DPEM_FAMILY_MIXTURE_RUN_H */

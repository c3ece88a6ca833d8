/*
 * mixture_run.h - a mixture's fit while it runs.
 */
#ifndef DPEM_FAMILY_MIXTURE_RUN_H
#define DPEM_FAMILY_MIXTURE_RUN_H

#include "core/columns/column_atom.h"
#include "core/mixture/mixture_worth.h"
#include "core/refine/column_frames.h"
#include "families/mixture/mixture.h"

/* of one group of rows */
typedef struct MixtureRun
{
	DpemMixtureRows rows;
	DpemMixture total;
	DpemMixture mixture;
	DpemMixtureMoments all;		/* of all rows */
	DpemMixtureMoments moments;
	DpemColumnFrames frames;	/* of the last passes, */
	bool		has_frames;		/* which have some, or not, in all groups */
	DpemMixture begun;			/* what the passes began with */
	DpemMixtureSearch search;	/* the passes so far */
	double	   *theta;
	const DpemMargins *margins; /* of the numbers; NULL: there are none */
	DpemColumnAtom *atom;		/* of the numbers, in the columns' own units; NULL: without numbers */
	DpemSizes	candidates;		/* of a fit that chooses, which has one group */
	bool		equal;			/* components are given up, and are each of all rows */
} MixtureRun;

/* releases the margins, and makes of them the centers and units of every group's rows */
extern void dpem_mixture_find_frames(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run);

/* of a finished mixture, in the columns' own units, the values that many rows of a normal number have: fields of the model */
extern void dpem_mixture_find_atoms(const DpemFitRun *fit, const MixtureRun *run, DpemModel *model);

/* gives columns that are wider than margins say other units, with which m, of all rows, and what is known of these go on */
extern void dpem_mixture_widen_units(DpemFitRun *fit, const DpemMixturePlan *plan, int group, MixtureRun *run, DpemNoisyMoments *m);

/* by what the early passes have released, are components to be measured in frames of their own? */
extern bool dpem_mixture_has_frames(const DpemMixturePlan *plan, const MixtureRun *run);

/* the how manieth of passes in which components are measured in frames of their own this one is, from 1; 0: it is none */
extern int	dpem_mixture_frames_pass(const DpemMixturePlan *plan, const MixtureRun *run, int pass);
extern DpemColumnFrames dpem_mixture_allocate_frames(int k, int n);

/* theta of such a pass */
extern void dpem_mixture_enter_frames(DpemFitRun *fit, const DpemMixturePlan *plan, int group, MixtureRun *run);

/* are components hardly more than noise?  Passes that were asked for are made all the same */
extern bool dpem_mixture_is_noise(const DpemMixturePlan *plan, const MixtureRun *run, DpemMixturePrior prior);

/* the same halfway, and where the passes so far find as much in rows without groups */
extern bool dpem_mixture_is_no_group(const DpemMixturePlan *plan, const MixtureRun *run);

#endif							/* DPEM_FAMILY_MIXTURE_RUN_H */

/*
 * synth_run.h - a fit of marginals under way, and its candidates.
 */
#ifndef DPEM_FAMILY_SYNTH_RUN_H
#define DPEM_FAMILY_SYNTH_RUN_H

#include "families/synth/synth.h"

/* a candidate set at a level */
typedef struct DpemSynthCandidate
{
	int			number;			/* of its set */
	int			level;
	DpemTableView view;
	double	   *expected;
	bool		chosen;			/* in this round */
} DpemSynthCandidate;

/* of one group of rows */
typedef struct DpemSynthRun
{
	DpemSynthColumn *column;	/* the plan's, where its bins are */
	DpemSynthBody *body;		/* of each column */
	DpemSynthLevels levels;
	DpemSynthModel model;
	DpemSynthReleased released;
	int			n;				/* candidates: 0 of a fit at once */
	DpemSynthCandidate  *candidate;
	double	  **level1;			/* what the model says of each candidate set, at level 1 */
	const double *exact;		/* without noise: counts of all cells; else NULL */
} DpemSynthRun;

/* places bins of numbers: looks at them, if the plan has any; fills column and body of all groups (synth_looks.c) */
extern void dpem_synth_look(DpemFitRun *run, const DpemSynthPlan *plan, DpemSynthRun *group);

/* all sets at all levels of a group's model, once its levels are known */
extern void dpem_synth_create_candidates(const DpemSynthPlan *plan, DpemSynthRun *run);

/* fills what the model says of each; none is chosen yet */
extern void dpem_synth_expect(const DpemSynthPlan *plan, DpemSynthRun *run);

/* lists those that the model has room for in a round and that are not chosen; of[]: which candidates they are */
extern int	dpem_synth_admitted(const DpemSynthPlan *plan, const DpemSynthRun *run, int round, DpemTableCandidate *list,
								int *of);

/*
 * Of a fit at once: value[i]: candidate i as released, in its categories.  The model takes in those it explains worst, round by round;
 * all are put among the released tables, those of the model first.
 */
extern void dpem_synth_take_in(const DpemSynthPlan *plan, DpemSynthRun *run, double *const *value);

#endif							/* DPEM_FAMILY_SYNTH_RUN_H */

/*
 * gmm_run.h - a running mixture fit, for the files that run its stages.
 */
#ifndef DPEM_FAMILY_GMM_RUN_H
#define DPEM_FAMILY_GMM_RUN_H

#include "core/columns/column_atom.h"
#include "core/gmm/affine.h"
#include "core/gmm/gmm_frame.h"
#include "core/refine/refine.h"
#include "families/gmm/gmm_fit_paper.h"
#include "families/gmm/gmm.h"

/* the mixture of one group of rows; `part` holds its feature map */
typedef struct GmmGroup
{
	DpemPassPart *part;
	double	   *inverse;		/* of the whitening matrix, or NULL */
	const DpemMargins *margins;
	DpemColumnAtom *atom;		/* d, in the columns' own units; NULL: margins were not released */
	DpemGmmSeen *seen;			/* what the whitening stage has released of the rows; NULL: nothing */
	double		clip;			/* of rows in the whitening stage, in deviations */
	double		rows;			/* as estimated from the whitening stage's release; 0: not known */
	DpemAffine	affine;
	DpemGmmHistory history;
	DpemNoisyMoments noise;		/* noise levels only, of the records behind the parameters */
	DpemGmm		gmm;
	DpemRefined *refined;		/* NULL: components were not measured in frames of their own */
} GmmGroup;

typedef struct GmmRun
{
	DpemFitRun *fit;
	const DpemGmmPlan *plan;
	int			groups;
	GmmGroup   *group;
	bool		apart;			/* components differ, and are compared with one */
	double		spread;			/* variance of these, mean over the axes of the ball */
	bool		placed;			/* they start where cells show them, and have passes in frames of their own alone */
	DpemGmmPaperRun paper;
	DpemSizes candidates;	/* with their scores, if there is a choice */
} GmmRun;

/* a mixture of zeros, in the current memory context */
extern DpemGmm dpem_gmm_create(int k, int d, DpemSecondMoment shape);

/* one pass and its release: an array of the groups' moments, in the current memory context */
extern DpemNoisyMoments *dpem_gmm_release_pass(GmmRun *run, DpemGmmStage stage, const DpemKernel *kernel,
											   int k, DpemSecondMoment second);

/* the same of one component, before there are others: of rows of which some coordinates are unknown, what is expected */
extern DpemNoisyMoments *dpem_gmm_release_total(GmmRun *run);

/* runs the first two stages: sets center, whitening and radius of every group's feature map */
extern void dpem_gmm_precondition(GmmRun *run);

/* how many of so many EM passes measure components in frames of their own; runs these, from the components found */
extern int	dpem_gmm_refine_passes(const GmmRun *run, int passes);
extern void dpem_gmm_refine(GmmRun *run, int first, int passes);

/* the noise of one EM pass in a component, of as many rows as are known by now; passes: averaged */
extern DpemGmmPrediction dpem_gmm_noise_by_now(const GmmRun *run, int passes);

/* run the last stage by the methods without EM passes over rows: fill every group's gmm and noise */
extern void dpem_gmm_run_cells(GmmRun *run);
extern void dpem_gmm_run_total(GmmRun *run, int passes);

/* a start of EM passes without noise: the best mixture of the grid's counts, if these support all components */
extern void dpem_gmm_start_in_cells(GmmRun *run);

/*
 * A start of EM passes from the counts of cells of the rows' three widest axes, which one of the paid passes releases, where there may
 * be one; returns how many of so many passes it has taken.
 */
extern int	dpem_gmm_seed(GmmRun *run, int passes);

/* the same where components are there only if cells show them: returns how many passes are left for these; 0: all have measured the total */
extern int	dpem_gmm_probe(GmmRun *run, int passes);

/*
 * The model of the only group: of its components, or, where these turn out to be no better than one, of as many that are equal.  By a
 * release of the stage that compares, which reads rows also where nothing is to be decided; finish makes a model of a group's mixture.
 */
extern void dpem_gmm_compare(GmmRun *run, DpemModel *model);

/* into the columns' own units; m->k and the fields of a model */
extern void dpem_gmm_finish(const GmmRun *run, GmmGroup *group, DpemModel *model);

/* scales the covariances up by what clips cut off, and their noise; a single component's is that of the total with what was seen before */
extern void dpem_gmm_unclip_group(GmmGroup *group);

/* equal components, each the total of all passes so far */
extern void dpem_gmm_take_total(const GmmRun *run, GmmGroup *group);

/* goes on with the k chosen: run->plan, and the mixtures' number of components */
extern void dpem_gmm_settle(GmmRun *run);

/* chooses k by what EM passes with the largest candidate have released, and starts the mixture chosen from there */
extern void dpem_gmm_choose_merged(GmmRun *run);

/* the same where components are equal */
extern void dpem_gmm_choose_least(GmmRun *run);

#endif							/* DPEM_FAMILY_GMM_RUN_H */

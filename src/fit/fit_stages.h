/*
 * fit_stages.h - fits whose budget is shared among stages of releases.
 */
#ifndef DPEM_FIT_FIT_STAGES_H
#define DPEM_FIT_FIT_STAGES_H

#include "core/columns/label_spread.h"
#include "core/robust/block_cells.h"
#include "fit/fit.h"
#include "fit/forecast.h"
#include "fit/model_fields.h"
#include "wall/release_tree.h"

/*
 * Adds a line for each stage to the plan's charge; all stages have the same kind
 * of noise.  No line is added without noise, or for a stage whose share is 0.
 * Raises 22023 where the composition allows no such noise level, or one that
 * is too large to be drawn.  At most DPEM_FIT_MAX_STAGES stages.
 */
extern void dpem_fit_add_stages(DpemFitPlan *plan, DpemFitStage *stages, int n);

/* the same for the plan's own stages */
extern void dpem_fit_plan_stages(DpemFitPlan *plan, int n);

/* the grid of the plan's first `columns` coordinates, in which a label counts as one column (core/kernels/margins.h) */
extern DpemMarginGrid dpem_fit_margin_grid(const DpemFitPlan *plan, int columns);

/* spec of joint releases with these weights of counts, sums and second moments, for the dataset */
extern DpemReleaseSpec dpem_fit_spec(const DpemFitPlan *plan, double count, double sum, double second);

/*
 * Raises 54000, with this hint, where second moments of all coordinates do not
 * fit into memory: as 128-bit integers or as a matrix of doubles, of every group.
 */
extern void dpem_fit_check_second_moments(const DpemFitPlan *plan, const char *hint);

/* raises 54000 where bind.marginal asks for more coordinates than incomplete rows can have */
extern void dpem_fit_check_marginal(const DpemFitPlan *plan);

/* noise multiplier of a stage; 0: it has no release */
extern double dpem_fit_stage_multiplier(const DpemFitPlan *plan, int stage);

/* noise in counts, sums and second moments of a stage's release, as of dpem_release_noise; 0: it has no release */
typedef struct DpemStageNoise
{
	double		count;
	double		sum;
	double		second;
} DpemStageNoise;

extern DpemStageNoise dpem_fit_stage_noise(const DpemFitPlan *plan, int stage);

/*
 * How long rows of wide labels are beside those of the other columns of the grid (core/columns/label_spread.h), in `rows` rows of whose
 * second moments that stage has a release; with 0 rows, or of a stage without second moments, as if noise were none.
 */
extern DpemLabelRule dpem_fit_label_rule(const DpemFitPlan *plan, const DpemMarginGrid *grid, int stage, double rows);

/* adds a joint release to the forecast for each of the plan's stages that has a line */
extern void dpem_fit_forecast_stages(const DpemFitPlan *plan, DpemForecast *forecast);

/* one pass and its release, for one of the plan's stages (dpem_fit_release, dpem_fit_release_groups) */
extern DpemNoisyMoments *dpem_fit_release_stage(DpemFitRun *run, int stage, const DpemKernel *kernel,
												const DpemMomentLayout *layout, const double *theta);
extern DpemNoisyMoments *dpem_fit_release_stage_groups(DpemFitRun *run, int stage, const DpemKernel *kernel,
													   const DpemMomentLayout *layout);

/*
 * Rows of every group in equal parts of the only column's domain, before noise; `stage` is its name in the progress.  Of a column that
 * is bound on two scales (bind.mixed), in equal parts of places of which the second scale has that share (dpem_scale_mixed).
 */
extern DpemRawMoments *dpem_fit_count_bins(DpemFitRun *run, int bins, double mixed, const char *stage);

/* a capacity of blocks for about that many rows (dpem_block_capacity), as far as maintenance_work_mem goes */
extern double dpem_fit_block_capacity(const DpemFitPlan *plan, double rows);

/* outputs of random blocks in cells, before noise (core/robust/block_cells.h); number: of the stage in the progress */
extern DpemRawMoments *dpem_fit_count_outputs(DpemFitRun *run, const DpemBlockCells *blocks, const char *stage, int number);

/* the passes and the releases of wall/release_steps.h, of a fit of one group: by the line of a stage, or by those of two */
extern DpemNoisyMoments *dpem_fit_release_steps(DpemFitRun *run, const DpemMarginLoss *loss, const DpemFitStage *stage);
extern DpemNoisyMoments *dpem_fit_release_minimum(DpemFitRun *run, const DpemMarginLoss *loss, const DpemFitStage *noise,
												  const DpemFitStage *end);

/* what batches were met with: d parameters of each batch, then those after the last, with standard deviations of their noise */
typedef struct DpemFitTrajectory
{
	int			batches;
	int			d;
	double	   *at;				/* (batches + 1) x d */
	double	   *noise;			/* likewise */
	double	   *mean;			/* d: the average of these but for some at first (online_learner.h) */
	double	   *mean_noise;		/* d: of the noise in that */
} DpemFitTrajectory;

/*
 * Learns from batches, which are the groups that the plan binds (in a plan of one group of models), for one of the plan's
 * stages: each is read with a kernel whose sums are negative gradients, and its parameters theta, of which `at`
 * are the d that are learnt (wall/release_tree.h, core/online/online_learner.h).  fixed: one of these that keeps its value; -1: none.
 */
extern DpemFitTrajectory dpem_fit_learn(DpemFitRun *run, int stage, const DpemKernel *kernel, double reach, const double *theta,
										double *at, int fixed);

/*
 * What a fit that learns online plans: its groups are batches of rows, of one model, which is said before anything that depends on
 * their number; and a tree of gradients is its stage.
 */
extern void dpem_fit_plan_batches(DpemFitPlan *plan);
extern DpemFitStage dpem_fit_tree_stage(const DpemFitPlan *plan);

/* n zeros of a model's field */
extern DpemFieldArray *dpem_fit_field(int n);

/*
 * Into four fields of the model, from `first` on: the column that the batches go by, their edges, and what each was met with, with
 * its noise.  batches: NULL of a fit that learnt from none, whose fields are "" and nothing.
 */
extern void dpem_fit_put_trajectory(const DpemGrouping *batches, const DpemFieldArray *met, const DpemFieldArray *noise, DpemModel *model,
									int first);

#endif							/* DPEM_FIT_FIT_STAGES_H */

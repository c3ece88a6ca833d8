/*
 * factors_run.h - common to the fits of factor analysis and PCA.
 */
#ifndef DPEM_FAMILY_FACTORS_RUN_H
#define DPEM_FAMILY_FACTORS_RUN_H

#include "core/columns/column_atom.h"
#include "core/gmm/total_covariance.h"
#include "families/factors/factors.h"

/* Analyze Gauss: plans one release of second moments; raises 54000 where they do not fit into memory */
extern void dpem_factors_plan_covariance(DpemFactorsPlan *plan);

/* rows that a pass of this stage reads; 0 unless public */
extern double dpem_factors_stage_rows(const DpemFactorsPlan *plan, DpemFactorsStage stage);

/*
 * The coordinates of a result: a ball of that radius about `center` (d box
 * coordinates; NULL: the origin), in box coordinates times `scale` (d; NULL: ones).
 */
typedef struct DpemFactorsBall
{
	const double *center;
	double		radius;
	const double *scale;
} DpemFactorsBall;

/* mean and covariance of one group of rows, in units of its ball */
typedef struct DpemFactorsTotal
{
	DpemFactorsBall ball;
	double	   *mean;			/* d */
	double	   *covariance;		/* d x d */
	DpemTotal	total;
	double	   *metric;			/* d x d: noise in u' covariance v is that of u' A N A' v, metric = A A'; NULL: A = 1 */
	const DpemColumnAtom *atom; /* d, in the columns' own units; NULL: margins were not released */
	const DpemMargins *margins;
} DpemFactorsTotal;

/* releases those of each group, in a ball of its own, which is found first if the plan says so */
extern DpemFactorsTotal *dpem_factors_release_covariance(DpemFitRun *run, const DpemFactorsPlan *plan);

/* the plan's stages, and the run of them, where second moments are those of whitened rows (factors_whiten.c) */
extern bool dpem_factors_choose_whiten(const DpemFactorsPlan *plan);
extern void dpem_factors_plan_whitened(DpemFactorsPlan *plan);
extern DpemFactorsTotal *dpem_factors_release_whitened(DpemFitRun *run, const DpemFactorsPlan *plan);

/* fills the model's fields of atoms; factors and mean in the columns' own units */
extern void dpem_factors_share_atoms(const DpemFitRun *run, const DpemFactorsTotal *total, const DpemFactors *factors,
									 const double *mean, DpemModel *model);

/* releases of the second moments of a fit: more than one where some columns of a row may be unknown */
extern int	dpem_factors_passes(const DpemFactorsPlan *plan);

/*
 * Counts, sums and second moments of each group's rows as they are seen now; inverse: of each
 * group's whitening matrix, NULL: these are diagonal, or there are none.
 */
extern DpemNoisyMoments *dpem_factors_release_moments(DpemFitRun *run, const DpemFactorsPlan *plan, double *const *inverse);

/* one unit of the ball along coordinate j, in box coordinates */
extern double dpem_factors_unit(const DpemFactorsBall *ball, int j);

/* fills frame: mean and units converted to the columns' own units */
extern void dpem_factors_fill_frame(const DpemFitRun *run, const DpemFactorsBall *ball, const double *mean, double mean_sd,
									DpemFactorsFrame *frame);

#endif							/* DPEM_FAMILY_FACTORS_RUN_H */

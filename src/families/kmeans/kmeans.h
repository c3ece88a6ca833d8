/*
 * kmeans.h - request, plan and model fields of a k-means fit.
 *
 * Algorithms differ in what they release; each is an entry of one table
 * (kmeans_algorithms.c) with functions that plan its charge, forecast its noise
 * and run it.
 */
#ifndef DPEM_FAMILY_KMEANS_H
#define DPEM_FAMILY_KMEANS_H

#include "core/kmeans/grid.h"
#include "core/kmeans/kmeans_estimate.h"
#include "core/kmeans/nearby_step.h"
#include "core/kernels/margins.h"
#include "fit/family.h"
#include "fit/fit_stages.h"

typedef struct DpemKmeansAlgorithm DpemKmeansAlgorithm;
typedef struct DpemKmeansPostprocess DpemKmeansPostprocess;

typedef enum DpemKmeansNoise
{
	DPEM_KMEANS_NOISE_USUAL,	/* the algorithm's default */
	DPEM_KMEANS_NOISE_GAUSSIAN,
	DPEM_KMEANS_NOISE_LAPLACE
} DpemKmeansNoise;

typedef struct DpemKmeansRequest
{
	DpemFitRequest fit;
	int			k;
	const DpemKmeansAlgorithm *algorithm;	/* NULL: chosen by the plan */
	const DpemKmeansPostprocess *postprocess;	/* NULL: none */
	int			postprocess_steps;
	double	   *init_means;		/* n_init numbers in the columns' units, or NULL */
	int			n_init;
	DpemKmeansNoise noise;		/* of an algorithm with has_noise_kinds */
	int			cells;			/* of a grid; 0: chosen by the algorithm */
	double		threshold;		/* of a grid, in standard deviations; NaN: chosen by the algorithm */
	bool		adaptive;		/* a grid of two levels */
} DpemKmeansRequest;

/* releases of the algorithms that count cells of a grid */
enum
{
	DPEM_GRID_ROWS,				/* if their number is not public */
	DPEM_GRID_FIRST,			/* the first of two levels */
	DPEM_GRID_CELLS,
	DPEM_GRID_NEARBY,			/* rows near the centers found */
	DPEM_GRID_LINES
};

/* stages of an algorithm that finds the rows of every group before Lloyd's passes (kmeans_locate.h) */
typedef enum DpemKmeansLloydStage
{
	DPEM_LLOYD_MARGINS,			/* location and spread of each column */
	DPEM_LLOYD_BALL,			/* center and radius of the ball that passes read rows in */
	DPEM_LLOYD_PASSES,
	DPEM_LLOYD_STAGES
} DpemKmeansLloydStage;

typedef struct DpemKmeansGridPlan
{
	const DpemGridRule *rule;
	int			cells;			/* 0: by the rule */
	double		threshold;		/* NaN: chosen from the noise */
	bool		adaptive;
	int			looks;			/* releases of the cells' counts, each at where the one before found the rows */
	bool		nearby;			/* a final pass over rows near the centers found */
	DpemReleaseSpec spec;		/* of all counts */
	DpemReleaseSpec nearby_spec;
	int			line[DPEM_GRID_LINES];	/* of the charge; -1: not released */
} DpemKmeansGridPlan;

typedef struct DpemKmeansPlan
{
	DpemFitPlan fit;
	const DpemKmeansRequest *request;
	const DpemKmeansAlgorithm *algorithm;
	int			line;			/* of the charge: an iterative algorithm's joint releases */
	DpemReleaseSpec joint;
	bool		separately;		/* instead, a release per statistic: algorithm dpem */
	DpemSeparateSpec separate;
	double		noise_multiplier;	/* of every release of an iterative algorithm; 0 without noise */
	int			rows_line;		/* of the charge: the number of rows, if released; else -1 */
	DpemReleaseSpec rows;
	const DpemKmeansRule *rule;
	DpemKmeansGridPlan grid;
	bool		located;		/* the rows of every group are looked for before Lloyd's passes */
	bool		middle;			/* or all passes look for the middle of all rows (kmeans_total.c) */
	DpemMarginGrid margins;		/* for that */
} DpemKmeansPlan;

/* a run for one group; centers are in feature coordinates until the run ends: of a ball, in box coordinates */
typedef struct DpemKmeansRun
{
	DpemFitRun *fit;			/* of all groups */
	const DpemKmeansPlan *plan;
	DpemKmeans	means;
	const double *origin;		/* d: the ball's center; NULL: the middle of the domain */
	double		radius;			/* of it */
	DpemKmeansTotal *total;		/* Lloyd's passes look for the middle of all rows; NULL: for centers */
	double	   *middle;			/* d: of the ball of such a pass */
	DpemKmeansHistory history;	/* of iterative algorithms: every pass */
	DpemSizes	sizes;			/* with their scores, if there is a choice; then means.k is the one chosen */
} DpemKmeansRun;

/* entries of the two tables below; an entry without a name ends a table */
struct DpemKmeansAlgorithm
{
	const char *name;
	bool		iterates;		/* Lloyd's passes: init_means, history and postprocessing */
	bool		samples;		/* its passes, each with one Gaussian release, may read samples */
	bool		groups;			/* handles groups of rows by joint releases: run gets one run per group */
	bool		has_noise_kinds;	/* takes argument noise */
	bool		has_grid;		/* takes arguments cells, threshold, adaptive */
	bool		together;		/* all rows of a unit go to one random block */
	bool		chooses;		/* among several k, by what it releases anyway */
	void		(*plan) (DpemKmeansPlan *plan); /* iterations, lines of the charge; raises 22023 */
	void		(*forecast) (const DpemKmeansPlan *plan, DpemForecast *forecast);	/* NULL: of the plan's stages */
	void		(*run) (DpemKmeansRun *run);	/* fills run[i].means, i < plan->fit.groups */
};

struct DpemKmeansPostprocess
{
	const char *name;
	void		(*apply) (DpemKmeansRun *run);	/* reads run->history, changes run->means; releases nothing */
};

extern const DpemKmeansAlgorithm dpem_kmeans_algorithms[];
extern const DpemKmeansPostprocess dpem_kmeans_postprocesses[];

/* the algorithm that 'auto' selects, from public quantities alone */
extern const DpemKmeansAlgorithm *dpem_kmeans_choose(const DpemKmeansPlan *plan);

/*
 * Adds a row to a forecast: what one pass adds to a center of a cluster of a third of the rows, or of 1/k of them if k > 3, by
 * noise of that deviation in a sum.  reach: of rows seen about their centers, in root mean square distances of
 * the cluster's rows, which are private: the row is in these; 0: of rows in the box, in the columns' own units.
 * No row where the number of rows is not public.
 */
extern void dpem_kmeans_forecast_center(const DpemKmeansPlan *plan, DpemForecast *forecast, double deviation, double reach);

/* rows in such a cluster that a pass reads; 0: not known */
extern double dpem_kmeans_forecast_size(const DpemKmeansPlan *plan);

/* number of components, over all groups, in a joint release */
extern int	dpem_kmeans_components(const DpemKmeansPlan *plan);

/* k centers in d coordinates, all zero, in the current memory context */
extern DpemKmeans dpem_kmeans_make(int k, int d);

/* the same centers in another's arrays, which have room for them */
extern void dpem_kmeans_copy(const DpemKmeans *from, DpemKmeans *to);

/* sets the centers of Lloyd's first pass: the caller's, or spread over the domain */
extern void dpem_kmeans_run_start(DpemKmeansRun *run);

/* Lloyd's passes, each with the plan's releases, starting from the means of each group's run */
extern void dpem_kmeans_run_passes(DpemKmeansRun *run);

/* ---- the middle of all rows of a group (kmeans_total.c) ---- */

/* before any release, in the current memory context */
extern DpemKmeansTotal dpem_kmeans_total_make(const DpemKmeansRun *run);

/* what a release of all rows in that ball says, and what is believed then: a mean within the box of the domain */
extern void dpem_kmeans_add_look(const DpemKmeansRun *run, const DpemNoisyMoments *m, const double *center, double reach,
								 DpemKmeansTotal *total);

/* sets the ball of a group's next look, which will have noise sum_sd in a sum: middle (d) and the reach returned are its own */
extern double dpem_kmeans_total_ball(DpemKmeansRun *run, int group, double sum_sd, const DpemKmeansTotal *total, double *middle);

/* run->means: centers of a normal law with that total, one of them its middle, in the coordinates of the domain */
extern void dpem_kmeans_total_centers(DpemKmeansRun *run, const DpemKmeansTotal *total);

/* fields of the model's table, cluster by cluster, in the columns' own units */
enum
{
	DPEM_KMEANS_WEIGHT, DPEM_KMEANS_WEIGHT_NOISE, DPEM_KMEANS_CENTER, DPEM_KMEANS_CENTER_NOISE
};

/* members of DpemFamily */
extern DpemFitPlan *dpem_kmeans_plan(const DpemFitRequest *request);
extern void dpem_kmeans_forecast(const DpemFitPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_kmeans_load(DpemModel *model);
extern void dpem_kmeans_predictor(void *ready, struct DpemPredictor *predictor);
extern int	dpem_kmeans_predict(void *ready, const double *x);
extern double dpem_kmeans_squared_distance(void *ready, const double *x);
extern const double *dpem_kmeans_transform(void *ready, const double *x, int *n);
extern void dpem_kmeans_plot(DpemPlot *plot);

extern const DpemFamily dpem_family_kmeans;

#endif							/* DPEM_FAMILY_KMEANS_H */

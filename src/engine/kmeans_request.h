/*
 * kmeans_request.h - a k-means fit: what was asked, and what will be done.
 *
 * Algorithms differ in what they release; each is an entry of one table
 * (kmeans_algorithms.c) that plans its charge, tells its noise and runs.
 */
#ifndef DPEM_ENGINE_KMEANS_REQUEST_H
#define DPEM_ENGINE_KMEANS_REQUEST_H

#include "core/kmeans_estimate.h"
#include "engine/fit.h"
#include "engine/forecast.h"

typedef struct DpemKmeansAlgorithm DpemKmeansAlgorithm;
typedef struct DpemKmeansPostprocess DpemKmeansPostprocess;

typedef struct DpemKmeansRequest
{
	DpemFitRequest fit;
	int			k;
	const DpemKmeansAlgorithm *algorithm;	/* NULL: chosen by the plan */
	const DpemKmeansPostprocess *postprocess;	/* NULL: none */
	int			postprocess_steps;
	double	   *init_means;		/* n_init numbers in the columns' units, or NULL */
	int			n_init;
	bool		laplace;		/* noise of algorithm dpem */
} DpemKmeansRequest;

typedef struct DpemKmeansPlan
{
	DpemFitPlan fit;
	const DpemKmeansRequest *request;
	const DpemKmeansAlgorithm *algorithm;
	int			line;			/* of the charge: an iterative algorithm's joint releases */
	DpemReleaseSpec joint;
	bool		separately;		/* ... or a release for each statistic, algorithm dpem's */
	DpemSeparateSpec separate;
	double		noise_multiplier;	/* of every release of an iterative algorithm; 0 without noise */
	int			rows_line;		/* ... of the number of rows, where an algorithm pays for it; else -1 */
	DpemReleaseSpec rows;
	const DpemKmeansRule *rule;
} DpemKmeansPlan;

/* a run; centres are in feature coordinates until dpem_kmeans_fit returns them */
typedef struct DpemKmeansRun
{
	DpemFitRun	fit;
	const DpemKmeansPlan *plan;
	DpemKmeans	means;
	DpemKmeansHistory history;	/* of iterative algorithms: every pass */
} DpemKmeansRun;

/* entries of the two tables, ended by one without a name */
struct DpemKmeansAlgorithm
{
	const char *name;
	bool		iterates;		/* Lloyd's passes: takes init_means, keeps a history, can be postprocessed */
	bool		has_noise_kinds;	/* takes argument noise */
	void		(*plan) (DpemKmeansPlan *plan); /* iterations, lines of the charge; raises 22023 */
	void		(*forecast) (const DpemKmeansPlan *plan, DpemForecast *forecast);
	void		(*run) (DpemKmeansRun *run);	/* fills run->means */
};

struct DpemKmeansPostprocess
{
	const char *name;
	void		(*apply) (DpemKmeansRun *run);	/* reads run->history, changes run->means; releases nothing */
};

extern const DpemKmeansAlgorithm dpem_kmeans_algorithms[];
extern const DpemKmeansPostprocess dpem_kmeans_postprocesses[];

/* what 'auto' stands for: from public quantities alone */
extern const DpemKmeansAlgorithm *dpem_kmeans_choose(const DpemKmeansPlan *plan);

/* raises 22023 and others for whatever cannot be done */
extern DpemKmeansPlan *dpem_kmeans_plan(const DpemKmeansRequest *request);

extern void dpem_kmeans_forecast(const DpemKmeansPlan *plan, DpemForecast *forecast);

/* centres of Lloyd's first pass: the caller's, or spread over the domain */
extern void dpem_kmeans_run_start(DpemKmeansRun *run);

/* passes of Lloyd's algorithm from run->means on, each with the plan's releases */
extern void dpem_kmeans_run_passes(DpemKmeansRun *run);

/* a fit in the columns' own units */
typedef struct DpemKmeansFit
{
	DpemKmeans	means;
	int64		charge;			/* number of the charge; 0 without noise */
	int64		maker;			/* who paid, in dpem.role_number */
} DpemKmeansFit;

/* charges, reads, releases; raises DP001, DP002, DP003, 42501 */
extern DpemKmeansFit *dpem_kmeans_fit(const DpemKmeansPlan *plan);

#endif							/* DPEM_ENGINE_KMEANS_REQUEST_H */

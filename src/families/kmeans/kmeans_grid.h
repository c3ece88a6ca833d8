/*
 * kmeans_grid.h - k-means on noisy counts in the cells of a grid.
 */
#ifndef DPEM_FAMILY_KMEANS_GRID_H
#define DPEM_FAMILY_KMEANS_GRID_H

#include "core/kernels/cells.h"
#include "families/kmeans/kmeans_cells.h"
#include "families/kmeans/kmeans.h"
#include "fit/fit_stages.h"

/* largest d for which a grid has enough cells along each coordinate */
#define DPEM_KMEANS_GRID_MAX_D 4

/* EUGkM (core/kmeans/grid.h): all cells of a grid of the published size, unless options say otherwise */
extern void dpem_kmeans_plan_grid(DpemKmeansPlan *plan);

/*
 * A finer grid, of which only cells that stand out from the noise are used; then
 * one Lloyd step in which rows are taken relative to the centers found so far,
 * clipped to a reach derived from the counts (core/kernels/nearby.h)
 */
extern void dpem_kmeans_plan_sparse_grid(DpemKmeansPlan *plan);

extern void dpem_kmeans_forecast_grid(const DpemKmeansPlan *plan, DpemForecast *forecast);
extern void dpem_kmeans_run_grid(DpemKmeansRun *run);

/* ---- for algorithms that count cells among other things ---- */

/* spec of counts alone; noise: as requested, else the kind that is smaller under the composition */
extern DpemReleaseSpec dpem_kmeans_count_spec(const DpemKmeansPlan *plan);

/* a stage that releases the counts of cells */
extern DpemFitStage dpem_kmeans_count_stage(const DpemKmeansPlan *plan, const char *statistic, double share);

/* a stage that releases counts and sums of the rows about centers, once */
extern DpemFitStage dpem_kmeans_nearby_stage(const DpemKmeansPlan *plan, double share);

/* specs of counts and of the rows about centers in plan->grid, and no lines yet */
extern void dpem_kmeans_plan_counts(DpemKmeansPlan *plan);

/* the public number of rows, or a released one, if plan->grid has a line for it */
extern double dpem_kmeans_find_rows(DpemKmeansRun *run);

/* clusters of a candidate's number, and the root mean square distances of their rows */
typedef struct DpemKmeansTrial
{
	DpemKmeans	means;
	double	   *spread;			/* means.k */
} DpemKmeansTrial;

/* scores the candidates by a trial each, and sets run->means.k to the one chosen; the number of its trial, from 0 */
extern int	dpem_kmeans_choose_trial(DpemKmeansRun *run, const DpemKmeansTrial *trial, double rows);

/*
 * Clusters of every candidate's number in the same cells: run->means and spread become those of the k
 * chosen; false, and the least k, if no cell stands out
 */
extern bool dpem_kmeans_choose_clusters(DpemKmeansRun *run, const DpemKmeansCounts *counts, int axes, double *spread);

/* nothing stands out: the start, equal shares, and rows anywhere about it; spread: k numbers */
extern void dpem_kmeans_stay_at_start(DpemKmeansRun *run, double *spread);

/* a step of run->means from the release of the rows about them, whose distances are spread (k) in root mean square */
extern void dpem_kmeans_run_nearby(DpemKmeansRun *run, const double *spread);

/*
 * The same by a release of that spec and those second moments under a line of the charge, whose pass is reported as phase; what was
 * released, and within which reach of each center (k), in the current memory context
 */
extern DpemNoisyMoments *dpem_kmeans_move_nearby(DpemKmeansRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment second,
												 const char *phase, const double *spread, double *reach);

/* of the box that centers are in: rows are no farther from any */
extern double dpem_kmeans_diameter(const DpemKmeansRun *run);

/* counts the grid's cells: one pass and its release, paid for by that line of the charge */
extern DpemKmeansCounts dpem_kmeans_count_cells(DpemKmeansRun *run, int line, const DpemReleaseSpec *spec,
												const DpemCellGrid *grid);

/* noise of a count released under that line of the charge: standard deviation, 0 without noise */
extern double dpem_kmeans_count_deviation(const DpemKmeansPlan *plan, int line, const DpemReleaseSpec *spec);

#endif							/* DPEM_FAMILY_KMEANS_GRID_H */

/*
 * kmeans_looks.c - see kmeans_looks.h.
 *
 * How many passes are made, and what each is charged, is fixed by the plan; only the
 * box and the parts of a later grid follow from the counts released before.
 */
#include "postgres.h"

#include <math.h>

#include "core/kmeans/grid.h"
#include "core/kmeans/zoom.h"
#include "families/kmeans/kmeans_looks.h"
#include "server/fit_memory.h"

typedef struct Looks
{
	DpemKmeansRun *run;
	DpemCellGrid box;			/* the part of the domain that is looked at */
	DpemCellGrid grid;			/* over it */
	DpemZoomCounts counts;		/* of the grid: means of `same` releases */
	int			same;
	int			levels;
	DpemZoomCounts outer[DPEM_ZOOM_LOOKS];	/* of the grids before: outside the next one's box */
	double	   *lower;			/* DPEM_ZOOM_LOOKS * axes: as in DpemBlur */
	double	   *upper;
	double	   *variance;
} Looks;

static void
enter_level(Looks *l, const DpemCellGrid *box, const DpemCellGrid *grid)
{
	int			at = l->levels * box->axes;

	l->box = *box;
	l->grid = *grid;
	l->same = 0;
	for (int a = 0; a < box->axes; a++)
	{
		l->lower[at + a] = box->axis[a].lower;
		l->upper[at + a] = box->axis[a].upper;
	}
	dpem_zoom_blur(grid, l->variance + at);
	l->levels++;
}

static void
take_look(Looks *l)
{
	const DpemKmeansGridPlan *plan = &l->run->plan->grid;
	DpemKmeansCounts seen = dpem_kmeans_count_cells(l->run, plan->line[DPEM_GRID_CELLS], &plan->spec, &l->grid);

	if (l->same == 0)
		l->counts = (DpemZoomCounts) {.n = seen.n,.count = seen.count,.middle = seen.middle};
	else
		for (int i = 0; i < seen.n; i++)
			l->counts.count[i] += (seen.count[i] - l->counts.count[i]) / (l->same + 1);
	/* beyond the box a grid counts what is outside of it */
	for (int i = 0; i < seen.n; i++)
		if (!dpem_zoom_holds(&l->box, l->counts.middle + (size_t) i * l->box.axes))
			l->counts.count[i] = 0;
	l->same++;
	l->counts.sd = seen.sd / sqrt(l->same);
}

/* cells of a grid within the box for the looks that are left */
static double
next_cells(const Looks *l, const DpemCellGrid *box, int left)
{
	const DpemKmeansPlan *plan = l->run->plan;
	double		rows = 0;
	double		sd = dpem_kmeans_count_deviation(plan, plan->grid.line[DPEM_GRID_CELLS], &plan->grid.spec) / sqrt(left);

	if (plan->grid.cells > 0)
		return plan->grid.cells;
	for (int i = 0; i < l->counts.n; i++)
		rows += dpem_zoom_holds(box, l->counts.middle + i * box->axes) ? l->counts.count[i] : 0;
	return pow(dpem_grid_parts(plan->grid.rule, box->axes, plan->request->k, rows, sd), box->axes);
}

/* to a finer grid, if the rows stand in a part of this one */
static void
zoom(Looks *l, int left)
{
	DpemNoiseKind noise = l->run->plan->grid.spec.noise;
	DpemCellGrid box;
	DpemCellGrid grid;

	if (!dpem_zoom_box(&l->grid, &l->counts, noise, l->run->plan->request->k, &box))
		return;
	grid = dpem_zoom_grid(&box, next_cells(l, &box, left));
	if (dpem_cells_number(&grid) == 0)
		return;
	dpem_zoom_keep(&l->counts, &l->box, true);
	dpem_zoom_keep(&l->counts, &box, false);
	l->outer[l->levels - 1] = l->counts;
	enter_level(l, &box, &grid);
}

/* the innermost grid's cells, then those about it */
static DpemKmeansCounts
gather(Looks *l)
{
	size_t		axes = (size_t) l->grid.axes;
	DpemKmeansCounts all = {
		.sd = l->counts.sd,
		.blur = {.levels = l->levels,.lower = l->lower,.upper = l->upper,.variance = l->variance}
	};
	size_t		n = (size_t) dpem_zoom_keep(&l->counts, &l->box, true);

	l->outer[l->levels - 1] = l->counts;
	for (int level = 0; level < l->levels - 1; level++)
	{
		n += l->outer[level].n;
		all.sd = fmax(all.sd, l->outer[level].sd);
	}
	all.count = dpem_fit_allocate(n);
	all.middle = dpem_fit_allocate(n * axes);
	for (int level = l->levels - 1; level >= 0; level--)
	{
		const DpemZoomCounts *from = &l->outer[level];

		memcpy(all.count + all.n, from->count, from->n * sizeof(double));
		memcpy(all.middle + all.n * axes, from->middle, from->n * axes * sizeof(double));
		all.n += from->n;
	}
	return all;
}

DpemKmeansCounts
dpem_kmeans_look(DpemKmeansRun *run, const DpemCellGrid *grid)
{
	int			looks = run->plan->grid.looks;
	size_t		n = (size_t) DPEM_ZOOM_LOOKS * grid->axes;
	Looks		l = {.run = run,.lower = dpem_fit_allocate(n),.upper = dpem_fit_allocate(n),.variance = dpem_fit_allocate(n)};

	enter_level(&l, grid, grid);
	for (int look = 1; look <= looks; look++)
	{
		dpem_fit_report(run->fit, "cells", looks > 1 ? look : 0);
		take_look(&l);
		if (look < looks)
			zoom(&l, looks - look);
	}
	return gather(&l);
}

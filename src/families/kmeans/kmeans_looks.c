/*
 * kmeans_looks.c - see kmeans_looks.h.
 *
 * How many passes are made, and what each is charged, is fixed by the plan; only the
 * box and the parts of a later grid, and whether it is one, follow from the counts released before.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kmeans/grid.h"
#include "core/kmeans/nearby_step.h"
#include "core/kmeans/subspace.h"
#include "core/kmeans/zoom.h"
#include "families/kmeans/kmeans_frame.h"
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

/* rows in a box as the present counts see them */
static double
rows_within(const Looks *l, const DpemCellGrid *box)
{
	double		rows = 0;

	for (int i = 0; i < l->counts.n; i++)
		rows += dpem_zoom_holds(box, l->counts.middle + (size_t) i * box->axes) ? l->counts.count[i] : 0;
	return rows;
}

/* cells of a grid within the box for the looks that are left */
static double
next_cells(const Looks *l, const DpemCellGrid *box, int left)
{
	const DpemKmeansPlan *plan = l->run->plan;
	double		sd = dpem_kmeans_count_deviation(plan, plan->grid.line[DPEM_GRID_CELLS], &plan->grid.spec) / sqrt(left);

	if (plan->grid.cells > 0)
		return plan->grid.cells;
	return pow(dpem_grid_parts(plan->grid.rule, box->axes, plan->request->k, rows_within(l, box), sd), box->axes);
}

/* to a finer grid in that part of this one */
static void
zoom(Looks *l, const DpemCellGrid *box, int left)
{
	DpemCellGrid grid = dpem_zoom_grid(box, next_cells(l, box, left));

	if (dpem_cells_number(&grid) == 0)
		return;
	dpem_zoom_keep(&l->counts, &l->box, true);
	dpem_zoom_keep(&l->counts, box, false);
	l->outer[l->levels - 1] = l->counts;
	enter_level(l, box, &grid);
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

/* the mean of the rows that the counts see in a box, and the mean square of their distances from it */
static void
add_cells(const Looks *l, const DpemCellGrid *box, double *mean, double *square)
{
	double		rows = 0;

	for (int i = 0; i < l->counts.n; i++)
	{
		const double *x = l->counts.middle + (size_t) i * box->axes;
		double		count = dpem_zoom_holds(box, x) ? fmax(l->counts.count[i], 0) : 0;

		if (!(count > 0))
			continue;
		rows += count;
		*square *= 1 - count / rows;
		for (int a = 0; a < box->axes; a++)
		{
			double		step = x[a] - mean[a];

			mean[a] += step * count / rows;
			*square += step * (x[a] - mean[a]) * count / rows;
		}
	}
}

/*
 * What the counts in a box say of its rows, which are anywhere within its cells and may be close together.  false: their cells are further apart than
 * those of a single heap that stands across a side between two.
 */
static bool
heap_in(const Looks *l, const DpemCellGrid *box, DpemKmeansTotal *heap)
{
	double		within = 0;
	double		square = 0;
	double		widest = 0;

	memset(heap->mean, 0, box->axes * sizeof(double));
	add_cells(l, box, heap->mean, &square);
	memcpy(heap->seen, heap->mean, box->axes * sizeof(double));
	for (int a = 0; a < box->axes; a++)
	{
		within += l->variance[(l->levels - 1) * box->axes + a];
		widest = fmax(widest, l->variance[(l->levels - 1) * box->axes + a]);
	}
	heap->mean_sd = heap->seen_sd = sqrt(within / box->axes);
	heap->spread = sqrt(square + within);
	heap->square_sd = square + within;
	return square < dpem_zoom_rule.apart * widest;
}

/* of the first grid's box */
static double
part_of_domain(const Looks *l, const DpemCellGrid *box)
{
	double		part = 1;

	for (int a = 0; a < box->axes; a++)
		part *= (box->axis[a].upper - box->axis[a].lower) / (l->upper[a] - l->lower[a]);
	return part;
}

/* may looks be something else than those at cells? */
static bool
may_leave(const Looks *l)
{
	return l->run->sizes.n == 0 && l->run->plan->grid.cells == 0;
}

/* is a grid within another so dim that one more look would hardly show clusters in it? */
static bool
is_dim(const Looks *l)
{
	return l->levels > 1 && dpem_zoom_is_dim(part_of_domain(l, &l->box), rows_within(l, &l->box), l->counts.sd);
}

/* where all rows stand in few cells */
static bool
find_box(const Looks *l, DpemCellGrid *box)
{
	const DpemKmeansPlan *plan = l->run->plan;

	return dpem_zoom_box(&l->grid, &l->counts, plan->grid.spec.noise, plan->request->k, box);
}

/* the next look's grid, unless it is left, with all that follow, to what tells more of so few rows */
static bool
prepare_next(Looks *l, int left, DpemKmeansLeft *to)
{
	DpemCellGrid box;
	bool		found = find_box(l, &box);
	bool		dim = is_dim(l);
	bool		heap = found && may_leave(l) && heap_in(l, &box, &to->total);

	if (may_leave(l) && (dim || (heap && dpem_zoom_is_dark(part_of_domain(l, &box), rows_within(l, &box), l->counts.sd))))
	{
		to->looks = left;
		to->heap = heap;
		if (heap)
			(void) dpem_zoom_keep(&l->counts, &box, false);
		return false;
	}
	if (found)
		zoom(l, &box, left);
	return true;
}

DpemKmeansCounts
dpem_kmeans_look(DpemKmeansRun *run, const DpemCellGrid *grid, DpemKmeansLeft *left)
{
	int			looks = run->plan->grid.looks;
	size_t		n = (size_t) DPEM_ZOOM_LOOKS * grid->axes;
	Looks		l = {.run = run,.lower = dpem_fit_allocate(n),.upper = dpem_fit_allocate(n),.variance = dpem_fit_allocate(n)};

	enter_level(&l, grid, grid);
	for (int look = 1; look <= looks; look++)
	{
		dpem_fit_report(run->fit, looks > 1 ? psprintf("cells, look %d of %d", look, looks) : "cells", 0);
		take_look(&l);
		if (look < looks && !prepare_next(&l, looks - look, left))
			break;
	}
	return gather(&l);
}

/* ---- passes in place of looks ---- */

/* of a pass over rows about centers in place of a look */
static DpemReleaseSpec
pass_spec(const DpemKmeansPlan *plan)
{
	DpemReleaseSpec spec = plan->grid.spec;

	dpem_subspace_weights(spec.replace_one, &spec.count_weight, &spec.sum_weight, &spec.second_weight);
	return spec;
}

void
dpem_kmeans_check_grid_pass(const DpemKmeansPlan *plan)
{
	DpemReleaseSpec spec = pass_spec(plan);
	DpemMomentLayout layout = {plan->request->k, plan->fit.d, DPEM_SECOND_NORM};

	dpem_release_check(&spec, &layout, plan->fit.charge.lines[plan->grid.line[DPEM_GRID_CELLS]].noise_multiplier);
	dpem_kmeans_check_look(&plan->fit, plan->grid.line[DPEM_GRID_CELLS]);
	dpem_kmeans_check_look(&plan->fit, plan->grid.line[DPEM_GRID_NEARBY]);
}

/* centers without rows go where there are some, as another release will follow */
static void
refill(DpemKmeansRun *run, double *spread)
{
	dpem_subspace_refill(&run->means, fmin(1 / run->fit->pass.map.radius, 1), false, spread,
						 dpem_fit_workspace(dpem_subspace_refill_work(run->means.k, run->means.d)));
}

void
dpem_kmeans_run_grid_pass(DpemKmeansRun *run, double *spread)
{
	DpemKmeans *means = &run->means;
	DpemReleaseSpec spec = pass_spec(run->plan);
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double		diameter = dpem_kmeans_diameter(run);
	double	   *reach = dpem_fit_allocate(means->k);
	DpemNoisyMoments *released;

	/* an untouched start has rows anywhere about it */
	for (int k = 0; k < means->k; k++)
		spread[k] = fmin(spread[k], diameter);
	released = dpem_kmeans_move_nearby(run, run->plan->grid.line[DPEM_GRID_CELLS], &spec, DPEM_SECOND_NORM,
									   "rows about centers" DPEM_IN_PLACE_PHASE, spread, reach);
	dpem_nearby_spread(released, reach, spread);
	refill(run, spread);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

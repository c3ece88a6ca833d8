/*
 * zoom.c - see zoom.h.
 */
#include <math.h>
#include <string.h>

#include "core/kmeans/grid.h"
#include "core/kmeans/subspace.h"
#include "core/kmeans/zoom.h"

#define FINEST_PART	0x1p-12		/* features are multiples of 2^-13 */

bool
dpem_zoom_holds(const DpemCellGrid *box, const double *x)
{
	for (int a = 0; a < box->axes; a++)
		if (!(x[a] >= box->axis[a].lower && x[a] <= box->axis[a].upper))
			return false;
	return true;
}

/* parts from[a] .. to[a] - 1 of every axis hold the cells above the threshold; false if there are none */
static bool
find_block(const DpemCellGrid *grid, const double *count, double threshold, int *from, int *to)
{
	int			n = dpem_cells_coarse(grid);
	bool		any = false;

	for (int a = 0; a < grid->axes; a++)
	{
		from[a] = grid->axis[a].parts;
		to[a] = 0;
	}
	for (int c = 0; c < n; c++)
	{
		int			rest = c;

		if (!(count[c] > threshold))
			continue;
		any = true;
		for (int a = grid->axes - 1; a >= 0; a--)
		{
			int			part = rest % grid->axis[a].parts;

			from[a] = part < from[a] ? part : from[a];
			to[a] = part + 1 > to[a] ? part + 1 : to[a];
			rest /= grid->axis[a].parts;
		}
	}
	return any;
}

/* a count that noise makes nowhere in so many cells, nearly */
static double
sure_count(const DpemZoomCounts *counts, DpemNoiseKind noise, double chance)
{
	return counts->sd > 0 ? dpem_grid_surprise(noise, counts->n, chance) * counts->sd : 0;
}

/* number of the i-th cell of a block, whose last axis varies fastest like the grid's */
static int
cell_of_block(const DpemCellGrid *grid, const int *from, const int *to, int i)
{
	int			cell = 0;
	int			stride = 1;

	for (int a = grid->axes - 1; a >= 0; a--)
	{
		cell += (from[a] + i % (to[a] - from[a])) * stride;
		i /= to[a] - from[a];
		stride *= grid->axis[a].parts;
	}
	return cell;
}

/* whether the cells beside the block, of that part of one axis, hold more together than noise may */
static bool
side_holds_rows(const DpemCellGrid *grid, const DpemZoomCounts *counts, const int *from, const int *to, int axis,
				int part)
{
	int			low[DPEM_CELLS_MAX_AXES];
	int			high[DPEM_CELLS_MAX_AXES];
	int			cells = 1;
	double		sum = 0;

	if (part < 0 || part >= grid->axis[axis].parts)
		return false;
	for (int a = 0; a < grid->axes; a++)
	{
		low[a] = a == axis ? part : from[a];
		high[a] = a == axis ? part + 1 : to[a];
		cells *= high[a] - low[a];
	}
	for (int i = 0; i < cells; i++)
		sum += counts->count[cell_of_block(grid, low, high, i)];
	return sum > dpem_zoom_rule.deviations * counts->sd * sqrt(cells);
}

/* the block, as long as rows are seen beside it */
static void
grow_block(const DpemCellGrid *grid, const DpemZoomCounts *counts, int *from, int *to)
{
	bool		grown = true;

	while (grown)
	{
		grown = false;
		for (int a = 0; a < grid->axes; a++)
		{
			if (side_holds_rows(grid, counts, from, to, a, from[a] - 1))
			{
				from[a]--;
				grown = true;
			}
			if (side_holds_rows(grid, counts, from, to, a, to[a]))
			{
				to[a]++;
				grown = true;
			}
		}
	}
}

/* the share of all rows that the counts see in the box; beside few rows noise may be all that is counted */
static double
share_within(const DpemZoomCounts *counts, const DpemCellGrid *box)
{
	double		within = 0;
	double		beside = 0;
	int			cells = 0;

	for (int i = 0; i < counts->n; i++)
	{
		bool		holds = dpem_zoom_holds(box, counts->middle + (size_t) i * box->axes);

		within += holds ? counts->count[i] : 0;
		beside += holds ? 0 : counts->count[i];
		cells += holds ? 0 : 1;
	}
	if (within < dpem_zoom_rule.dim * counts->sd)
		beside -= dpem_zoom_rule.deviations * counts->sd * sqrt(cells);
	beside = fmax(beside, 0);
	return within > 0 ? within / (within + beside) : 0;
}

/* the cells' box */
static DpemCellGrid
box_of(const DpemCellGrid *grid, const int *from, const int *to)
{
	DpemCellGrid box = *grid;

	for (int a = 0; a < grid->axes; a++)
	{
		double		width = (grid->axis[a].upper - grid->axis[a].lower) / grid->axis[a].parts;

		box.axis[a] = (DpemCellAxis) {
			grid->axis[a].lower + from[a] * width, grid->axis[a].lower + to[a] * width, to[a] - from[a]
		};
	}
	return box;
}

/* of counts above `sure` a block of few cells, that has that share of the rows */
static bool
find_box(const DpemCellGrid *grid, const DpemZoomCounts *counts, double sure, double least_within, int k, DpemCellGrid *box)
{
	int			from[DPEM_CELLS_MAX_AXES];
	int			to[DPEM_CELLS_MAX_AXES];
	DpemCellGrid block;

	if (!find_block(grid, counts->count, sure, from, to))
		return false;
	block = box_of(grid, from, to);
	if (dpem_cells_coarse(&block) > fmax(k, ldexp(1, grid->axes)))
		return false;
	grow_block(grid, counts, from, to);
	block = box_of(grid, from, to);
	if (dpem_cells_coarse(&block) >= dpem_cells_coarse(grid) ||
		share_within(counts, &block) < least_within)
		return false;
	*box = block;
	return true;
}

bool
dpem_zoom_box(const DpemCellGrid *grid, const DpemZoomCounts *counts, DpemNoiseKind noise, int k, DpemCellGrid *box)
{
	const DpemZoomRule *rule = &dpem_zoom_rule;

	return find_box(grid, counts, sure_count(counts, noise, rule->chance), rule->least_within, k, box) ||
		(counts->sd > 0 && find_box(grid, counts, sure_count(counts, noise, rule->rare_chance), rule->nearly_all, k, box));
}

bool
dpem_zoom_is_dim(double part, double rows, double sd)
{
	return part < dpem_zoom_rule.narrow && rows < dpem_zoom_rule.dim * sd;
}

bool
dpem_zoom_is_dark(double part, double rows, double sd)
{
	return part < dpem_zoom_rule.narrow && rows < dpem_zoom_rule.few * sd;
}

DpemCellGrid
dpem_zoom_grid(const DpemCellGrid *box, double cells)
{
	DpemCellGrid grid = *box;
	double		half[DPEM_CELLS_MAX_AXES];
	int			parts[DPEM_CELLS_MAX_AXES];

	for (int a = 0; a < box->axes; a++)
		half[a] = (box->axis[a].upper - box->axis[a].lower) / 2;
	dpem_subspace_parts(half, box->axes, cells, parts);
	for (int a = 0; a < box->axes; a++)
	{
		int			most = (int) fmax(fmin(2 * half[a] / FINEST_PART, DPEM_CELLS_MAX), 1);
		double		width;

		parts[a] = parts[a] < most ? parts[a] : most;
		width = 2 * half[a] / parts[a];
		grid.axis[a] = (DpemCellAxis) {box->axis[a].lower - width, box->axis[a].upper + width, parts[a] + 2};
	}
	return grid;
}

int
dpem_zoom_keep(DpemZoomCounts *counts, const DpemCellGrid *box, bool within)
{
	size_t		axes = (size_t) box->axes;
	int			kept = 0;

	for (int i = 0; i < counts->n; i++)
	{
		if (dpem_zoom_holds(box, counts->middle + i * axes) != within)
			continue;
		counts->count[kept] = counts->count[i];
		memmove(counts->middle + kept * axes, counts->middle + i * axes, axes * sizeof(double));
		kept++;
	}
	return counts->n = kept;
}

void
dpem_zoom_blur(const DpemCellGrid *grid, double *variance)
{
	for (int a = 0; a < grid->axes; a++)
	{
		double		width = (grid->axis[a].upper - grid->axis[a].lower) / grid->axis[a].parts;

		variance[a] = width * width / 12;
	}
}

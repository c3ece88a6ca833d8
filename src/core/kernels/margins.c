/*
 * margins.c - see margins.h.
 */
#include <math.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/kernels/margins.h"
#include "core/numeric/bisect.h"
#include "core/numeric/fpenv.h"

#define MOST_NUMBERS	65536	/* bins times columns of a pass: its sums should fit into a processor's cache */
#define MOST_BINS		(1 << 20)	/* of all groups together: as many components as a pass may have (scan/pass.h) */
#define MOST_SUMS		(1 << 24)	/* of all groups together: 128-bit integers in memory */
#define KINDS			5		/* parameters before the coordinates' kinds */

/*
 * Parts of a row's squared marks by level: coarse bins are what spreads come from,
 * fine ones only tell apart what lies within one that many rows share
 * (test/bench/utility_logit.pl: marks of equal size cost 0.003 in AUC at epsilon 0.5).
 */
static const double level_share[DPEM_MARGINS_MAX_LEVELS] = {0.7, 0.2, 0.1};

int
dpem_margin_level_bins(const DpemMarginGrid *grid, int level)
{
	int			n = grid->parts;

	for (int l = 0; l < level; l++)
		n *= grid->parts;
	return n;
}

int
dpem_margin_level_first(const DpemMarginGrid *grid, int level)
{
	int			n = 0;

	for (int l = 0; l < level; l++)
		n += dpem_margin_level_bins(grid, l);
	return n;
}

/* a record has a number for each column, a constant one and the count */
static bool
is_affordable(double bins, double columns, double groups)
{
	return bins * columns <= MOST_NUMBERS && bins * groups <= MOST_BINS && bins * groups * (columns + 2) <= MOST_SUMS;
}

DpemMarginGrid
dpem_margin_grid(int columns, int groups, double radius)
{
	static const int shapes[][2] = {{16, 3}, {8, 3}, {16, 2}, {8, 2}, {16, 1}};
	DpemMarginGrid grid = {.radius = radius,.columns = columns};

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
	{
		grid.parts = shapes[i][0];
		grid.levels = shapes[i][1];
		if (is_affordable(dpem_margin_bins(&grid), columns, groups))
			break;
	}
	return grid;
}

int
dpem_margin_marks(const DpemMarginGrid *grid)
{
	return grid->marks > 0 ? grid->marks : grid->columns;
}

DpemMarginGrid
dpem_margin_grid_of(DpemMarginGrid grid, const double *kind)
{
	grid.kind = kind;
	grid.marks = 0;
	for (int j = 0; j < grid.columns; j++)
		grid.marks += kind[j] != DPEM_MARGINS_NEXT;
	return grid;
}

int
dpem_margin_width(const DpemMarginGrid *grid, int column)
{
	int			width = 1;

	while (grid->kind && column + width < grid->columns && grid->kind[column + width] == DPEM_MARGINS_NEXT)
		width++;
	return width;
}

double
dpem_margin_mark(const DpemMarginGrid *grid, int level)
{
	double		total = 0;

	for (int l = 0; l < grid->levels; l++)
		total += level_share[l];
	return sqrt(level_share[level] / total / dpem_margin_marks(grid));
}

size_t
dpem_margins_theta_length(const DpemMomentLayout *layout)
{
	return KINDS + (size_t) layout->d;
}

void
dpem_margins_write(const DpemMarginGrid *grid, const DpemMomentLayout *layout, double *theta)
{
	theta[0] = grid->radius;
	theta[1] = grid->columns;
	theta[2] = grid->parts;
	theta[3] = grid->levels;
	theta[4] = grid->known;
	for (int j = 0; j < layout->d; j++)
		theta[KINDS + j] = grid->kind && j < grid->columns ? grid->kind[j] : DPEM_MARGINS_NUMBER;
}

static DpemMarginGrid
read_grid(const double *theta)
{
	DpemMarginGrid grid = {theta[0], (int) theta[1], (int) theta[2], (int) theta[3], (int) theta[4], NULL, 0};

	return dpem_margin_grid_of(grid, theta + KINDS);
}

/* a label's other categories come after its first, and nothing comes after the last column */
static bool
are_kinds(const double *kind, int columns, int d)
{
	for (int j = 0; j < d; j++)
	{
		if (!dpem_is_whole(kind[j], DPEM_MARGINS_NUMBER, j < columns ? DPEM_MARGINS_NEXT : DPEM_MARGINS_NUMBER) ||
			(kind[j] == DPEM_MARGINS_NEXT && (j == 0 || kind[j - 1] == DPEM_MARGINS_NUMBER)))
			return false;
	}
	return true;
}

bool
dpem_is_margin_parts(double parts)
{
	return dpem_is_whole(parts, 2, DPEM_MARGINS_MAX_PARTS) && ((int) parts & ((int) parts - 1)) == 0;
}

bool
dpem_margins_valid(const DpemMomentLayout *layout, const double *theta)
{
	DpemMarginGrid grid;

	if (layout->second != DPEM_SECOND_NONE || !(theta[0] > 0) || !isfinite(theta[0]) ||
		!dpem_is_whole(theta[1], 1, layout->d) || !dpem_is_margin_parts(theta[2]) ||
		!dpem_is_whole(theta[3], 1, DPEM_MARGINS_MAX_LEVELS) ||
		(theta[4] != 0 && !dpem_is_whole(theta[4], theta[1], layout->d - theta[1])) ||
		!are_kinds(theta + KINDS, (int) theta[1], layout->d))
		return false;
	grid = read_grid(theta);
	return layout->k == dpem_margin_bins(&grid);
}

/*
 * The square root is at most half a unit in its last place too large, and
 * scaling by a power of two is exact; what is taken away is more than that, even
 * of the sum of all squares.
 */
static double
mark_of(const DpemMarginGrid *grid, int level, int bits)
{
	double		mark = dpem_margin_mark(grid, level);

	return bits > 0 ? floor(ldexp(mark * (1 - 0x1p-40), bits)) : mark;
}

/* the bin of the finest level that a box coordinate is in; what is beyond the box is in the last one there */
static int
finest_bin(double coordinate, int bins)
{
	double		at = (coordinate + 1) / 2 * bins;
	double		last = bins - 1;

	/* no branches: loops become vectors */
	at = at > 0 ? at : 0;
	return (int) (at < last ? at : last);
}

typedef struct Marks
{
	int			levels;
	int			finest;			/* bins */
	int			first[DPEM_MARGINS_MAX_LEVELS]; /* of the level's bins, among all */
	int			shift[DPEM_MARGINS_MAX_LEVELS];	/* logarithm of how many bins of the finest level are in one of this */
	double		mark[DPEM_MARGINS_MAX_LEVELS];
} Marks;

static Marks
prepare(const DpemMarginGrid *grid, int bits)
{
	Marks		marks = {.levels = grid->levels,.finest = dpem_margin_level_bins(grid, grid->levels - 1)};

	for (int l = 0; l < grid->levels; l++)
	{
		marks.first[l] = dpem_margin_level_first(grid, l);
		while (dpem_margin_level_bins(grid, l) << marks.shift[l] < marks.finest)
			marks.shift[l]++;
		marks.mark[l] = mark_of(grid, l, bits);
	}
	return marks;
}

/* of so many rows in a bin of the finest level */
static void
add_marks(const Marks *marks, size_t record, int bin, double rows, double *sums)
{
	for (int l = 0; l < marks->levels; l++)
		sums[(size_t) (marks->first[l] + (bin >> marks->shift[l])) * record] += rows * marks->mark[l];
}

/* counts of the finest bins, those of a column together: small enough for a processor's cache */
size_t
dpem_margins_scratch(const DpemMomentLayout *layout)
{
	return (size_t) layout->k * (size_t) layout->d * sizeof(uint32_t) / sizeof(double) + 1;
}

/* 1: the row counts; 0: a null row, or one whose number is unknown */
static void
find_counted(const DpemBlock *block, const double *known, uint32_t *counted)
{
	for (int row = 0; row < block->rows; row++)
		counted[row] = (block->keep[row] != 0) & (known[row] > 0);
}

/* of one column, of rows that count there */
static void
count_bins(int rows, const double *x, const uint32_t *counted, double unit, int bins, uint32_t *count)
{
	int			bin[DPEM_BLOCK_ROWS];

	for (int row = 0; row < rows; row++)
		bin[row] = finest_bin(x[row] * unit, bins);
	for (int row = 0; row < rows; row++)
		count[bin[row]] += counted[row];
}

/*
 * Of one label of `width` coordinates, whose counts follow each other: a row counts once, in the first category that it has, or at 0
 * of the first coordinate, whatever its coordinates are.
 */
static void
count_categories(int rows, const double *x, const uint32_t *counted, int width, double unit, int bins, uint32_t *count)
{
	uint32_t	left[DPEM_BLOCK_ROWS];

	memcpy(left, counted, rows * sizeof(uint32_t));
	for (int j = 0; j < width; j++)
		for (int row = 0; row < rows; row++)
		{
			uint32_t	here = left[row] & (finest_bin(x[(size_t) j * DPEM_BLOCK_STRIDE + row] * unit, bins) == bins - 1);

			count[(size_t) j * bins + bins - 1] += here;
			left[row] -= here;
		}
	for (int row = 0; row < rows; row++)
		count[bins / 2] += left[row];
}

void
dpem_margins_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
						int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemMarginGrid grid = read_grid(theta);
	int			finest = dpem_margin_level_bins(&grid, grid.levels - 1);
	double		unit = ldexp(grid.radius, -feature_bits);
	uint32_t   *count = (uint32_t *) scratch;
	uint32_t	counted[DPEM_BLOCK_ROWS];
	DpemFpenv	fpenv;

	(void) layout;
	(void) responsibility_bits;
	(void) sums;
	dpem_fpenv_enter(&fpenv);
	for (int j = 0, width = 1; j < grid.columns; j += width)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;

		width = dpem_margin_width(&grid, j);
		if (j == 0 || grid.known > 0)
			find_counted(block, grid.known > 0 ? x + (size_t) grid.known * DPEM_BLOCK_STRIDE : block->keep, counted);
		if (grid.kind[j] == DPEM_MARGINS_NUMBER)
			count_bins(block->rows, x, counted, unit, finest, count + (size_t) j * finest);
		else
			count_categories(block->rows, x, counted, width, unit, finest, count + (size_t) j * finest);
	}
	dpem_fpenv_leave(&fpenv);
}

void
dpem_margins_complete(const DpemMomentLayout *layout, const double *theta, int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemMarginGrid grid = read_grid(theta);
	Marks		marks = prepare(&grid, dpem_summed_bits(feature_bits, responsibility_bits));
	size_t		record = dpem_moments_record(layout);
	uint32_t   *count = (uint32_t *) scratch;
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	for (int j = 0; j < grid.columns; j++)
		for (int bin = 0; bin < marks.finest; bin++)
			add_marks(&marks, record, bin, *count++, sums + 1 + j);
	memset(scratch, 0, (size_t) grid.columns * marks.finest * sizeof(uint32_t));
	dpem_fpenv_leave(&fpenv);
}

/* where a raw value lies in its domain, in box coordinates */
static double
box_coordinate(const DpemFeatureMap *map, int j, double x)
{
	double		lower = map->lower[j];
	double		upper = map->upper[j];

	return 2 * ((fmin(fmax(x, lower), upper) / 2 - lower / 2) / (upper / 2 - lower / 2)) - 1;
}

/*
 * The finest bin of a raw row in the column of `width` coordinates that begins at *coordinate, which becomes the one
 * that the mark is in; -1: its number is unknown.
 */
static int
own_bin(const DpemMarginGrid *grid, const DpemFeatureMap *map, const DpemBlock *rows, int row, int *coordinate, int width, int finest)
{
	const double *x = rows->x + (size_t) *coordinate * DPEM_BLOCK_STRIDE + row;
	int			first = *coordinate;

	if (grid->kind[first] == DPEM_MARGINS_NUMBER)
		return isfinite(*x) ? finest_bin(box_coordinate(map, first, *x), finest) : -1;
	for (int j = 0; j < width; j++, x += DPEM_BLOCK_STRIDE)
	{
		*coordinate = first + j;
		if (isfinite(*x) && finest_bin(box_coordinate(map, first + j, *x), finest) == finest - 1)
			return finest - 1;
	}
	*coordinate = first;
	return finest / 2;
}

/* marks in the columns that are known */
static void
add_known(const DpemMomentLayout *layout, const double *theta, const DpemFeatureMap *map, const DpemBlock *rows,
		  int responsibility_bits, double *sums, double *scratch)
{
	DpemMarginGrid grid = read_grid(theta);
	Marks		marks = prepare(&grid, dpem_summed_bits(map->bits, responsibility_bits));
	size_t		record = dpem_moments_record(layout);
	DpemFpenv	fpenv;

	(void) scratch;
	dpem_fpenv_enter(&fpenv);
	for (int j = 0, width = 1; j < grid.columns; j += width)
	{
		width = dpem_margin_width(&grid, j);
		for (int row = 0; row < rows->rows; row++)
		{
			int			coordinate = j;
			int			bin = own_bin(&grid, map, rows, row, &coordinate, width, marks.finest);

			if (bin >= 0)
				add_marks(&marks, record, bin, 1, sums + 1 + coordinate);
		}
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernels of a pass -------------------------------------------------- */

const DpemKernel dpem_kernel_margins = {
	.name = "margins",.code = 12,.contribution = DPEM_DOCUMENT,.max_components = 1 << 13,
	.theta_length = dpem_margins_theta_length,.theta_valid = dpem_margins_valid,.scratch_length = dpem_margins_scratch,
	.adds = true,.fine = true,.accumulate = dpem_margins_accumulate,.complete = dpem_margins_complete
};

const DpemKernel dpem_kernel_class_margins = {
	.name = "class_margins",.code = 13,.contribution = DPEM_DOCUMENT,.max_components = 1 << 13,.labelled = true,.keeps_signs = true,
	.theta_length = dpem_margins_theta_length,.theta_valid = dpem_margins_valid,.scratch_length = dpem_margins_scratch,
	.adds = true,.fine = true,.accumulate = dpem_margins_accumulate,.complete = dpem_margins_complete
};

const DpemKernel dpem_kernel_margins_observed = {
	.name = "margins_observed",.code = 51,.contribution = DPEM_DOCUMENT,.max_components = 1 << 13,
	.theta_length = dpem_margins_theta_length,.theta_valid = dpem_margins_valid,.scratch_length = dpem_margins_scratch,
	.adds = true,.fine = true,.accumulate = dpem_margins_accumulate,.complete = dpem_margins_complete,.add_incomplete = add_known
};

const DpemKernel dpem_kernel_class_margins_observed = {
	.name = "class_margins_observed",.code = 52,.contribution = DPEM_DOCUMENT,.max_components = 1 << 13,.labelled = true,.keeps_signs = true,
	.theta_length = dpem_margins_theta_length,.theta_valid = dpem_margins_valid,.scratch_length = dpem_margins_scratch,
	.adds = true,.fine = true,.accumulate = dpem_margins_accumulate,.complete = dpem_margins_complete,.add_incomplete = add_known
};

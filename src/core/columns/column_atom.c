/*
 * column_atom.c - see column_atom.h.
 */
#include <math.h>

#include "core/columns/column_atom.h"
#include "core/columns/column_range.h"

/* PRICE: test_column_atom.c, and 33 tables of two and three columns at epsilon 0.1, whose worst runs of one normal gain .46 nats.  Beyond what is
   likely in bins of a single column, 60 have an atom of noise in every tenth fit at epsilon 0.1, which costs 8 nats (sixty_columns). */
#define LEAST_SHARE	0.1			/* of the rows in an atom */
#define PRICE		2.0			/* log-likelihood of an atom beyond what noise in as many bins of all columns has */
#define ALONE		0.15		/* of them in a bin beside it */

size_t
dpem_column_atoms_work(const DpemMarginGrid *grid)
{
	return dpem_margin_level_bins(grid, grid->levels - 1) + dpem_margin_bins(grid) + dpem_margins_law_work(grid);
}

/* rows of a smooth law that is narrow in its domain would be in the bins beside it, too */
static bool
is_alone(const double *count, int bins, int bin, double rows, double sd)
{
	double		beside = fmax(bin > 0 ? count[bin - 1] : 0, bin < bins - 1 ? count[bin + 1] : 0);

	return beside + sd < ALONE * rows;
}

/* mean of a law but for one bin, clipped at two deviations; without others, of the bin beside it that is nearer to the middle */
static double
rest_of(const double *p, int bins, int bin)
{
	double		width = 2.0 / bins;
	double		share = 0;
	double		mean = 0;
	double		square = 0;
	double		rest = 0;

	for (int b = 0; b < bins; b++)
	{
		double		x = (b + 0.5) * width - 1;

		mean += p[b] * x;
		square += p[b] * x * x;
		share += b != bin ? p[b] : 0;
	}
	if (share < 1e-6)
		return (bin + (bin < bins / 2 ? 1 : 0)) * width - 1;
	for (int b = 0; b < bins; b++)
	{
		double		reach = 2 * sqrt(fmax(square - mean * mean, 0));

		if (b != bin)
			rest += p[b] / share * fmin(fmax((b + 0.5) * width - 1, mean - reach), mean + reach);
	}
	return rest;
}

/* a bin of the last level as an atom: the share of the rows that the last two levels say together, and what it is worth */
typedef struct Path
{
	int			bin;
	double		share;
	double		gain;			/* log-likelihood beside rows that lie evenly in the bins above, of both levels, */
	double		last;			/* and of the last alone */
} Path;

/* the last level and the one above it, if there is one; count: rows of all levels' bins */
typedef struct LastLevels
{
	int			n;
	int			parts;			/* of a bin above */
	double		rows;
	const double *count[2];
	const double *above[2];		/* in the bins above; NULL: all are one */
	double		precision[2];	/* of the share of a bin */
} LastLevels;

static LastLevels
last_levels(const DpemMargins *m, const double *count, const double *variance, double rows)
{
	const DpemMarginGrid *grid = &m->grid;
	LastLevels	levels = {.n = grid->levels > 1 ? 2 : 1,.parts = grid->parts,.rows = rows};

	for (int i = 0; i < levels.n; i++)
	{
		int			l = grid->levels - 1 - i;

		levels.count[i] = count + dpem_margin_level_first(grid, l);
		levels.above[i] = l > 0 ? count + dpem_margin_level_first(grid, l - 1) : NULL;
		levels.precision[i] = rows * rows / variance[l];
	}
	return levels;
}

static Path
path_to(const LastLevels *levels, int bin)
{
	double		others = (levels->parts - 1.0) / levels->parts;
	double		over[2];		/* how many more rows the bin has than an even part of the bin above, in parts of all */
	double		sum = 0;
	double		weight = 0;
	Path		path = {.bin = bin};

	for (int i = 0; i < levels->n; i++, bin /= levels->parts)
	{
		double		above = levels->above[i] ? levels->above[i][bin / levels->parts] : levels->rows;

		over[i] = (levels->count[i][bin] - above / levels->parts) / levels->rows;
		sum += levels->precision[i] * over[i];
		weight += levels->precision[i];
	}
	path.share = fmin(sum / weight / others, 1);
	for (int i = levels->n - 1; i >= 0; i--)
	{
		double		more = path.share * others;

		path.last = levels->precision[i] * more * (over[i] - more / 2);
		path.gain += path.last;
	}
	return path;
}

/* log-likelihood of an atom beyond what noise in the bins of one column has, as any of the columns may have one by chance */
static double
least_price(const DpemMargins *m)
{
	return log(dpem_margin_marks(&m->grid)) + PRICE;
}

/* the likeliest atom, where chance among as many bins does not make one of its kind; else of share 0 */
static Path
likeliest(const DpemMargins *m, const double *count, const double *variance, double rows)
{
	int			bins = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	LastLevels	levels = last_levels(m, count, variance, rows);
	double		least = least_price(m);
	Path		best = {.gain = log(bins) + least};

	for (int b = 0; b < bins && variance[m->grid.levels - 1] > 0; b++)
	{
		Path		path = path_to(&levels, b);

		if (path.share >= LEAST_SHARE && path.gain > best.gain && path.last > log(levels.parts) + least)
			best = path;
	}
	return best;
}

static DpemColumnAtom
find_atom(const DpemMargins *m, int column, DpemWorkspace work)
{
	int			bins = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	double	   *p = dpem_workspace_take(&work, bins);
	double	   *count = dpem_workspace_take(&work, dpem_margin_bins(&m->grid));
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	double		rows = dpem_margins_rows(m, column);
	double		sd;
	double		share;
	DpemColumnAtom atom = {0};
	int			most = 0;

	if (m->values != NULL && m->values[column] > DPEM_VALUES_DENSITY)
		return atom;
	dpem_margins_law(m, column, p, work);
	dpem_margins_counts(m, column, count, variance);
	sd = sqrt(variance[m->grid.levels - 1]) / rows;
	for (int b = 1; b < bins; b++)
		most = p[b] > p[most] ? b : most;
	share = count[dpem_margin_bins(&m->grid) - bins + most] / rows;
	/* of thousands of bins noise makes one of many rows, which the law may not see, or see as all that there is; nor some that it hides */
	if (p[most] <= DPEM_COLUMN_SPIKE && (fmin(share, p[most]) < LEAST_SHARE || share * share < 2 * sd * sd * (log(m->grid.parts) + least_price(m))))
	{
		Path		path = likeliest(m, count, variance, rows);

		most = path.share > 0 ? path.bin : most;
		share = fmin(path.share, count[dpem_margin_bins(&m->grid) - bins + most] / rows + sd);
	}
	if (p[most] > DPEM_COLUMN_SPIKE || share < LEAST_SHARE)
		share = 0;
	atom.alone = is_alone(count + dpem_margin_bins(&m->grid) - bins, bins, most, share * rows, sd * rows);
	atom.rest = rest_of(p, bins, most);
	atom.share = fmin(share, fmax(1 - sd, 0));
	dpem_margins_bin(&m->grid, most, &atom.lower, &atom.upper);
	return atom;
}

void
dpem_column_atoms(const DpemMargins *m, const double *lower, const double *upper, DpemColumnAtom *atom, DpemWorkspace work)
{
	for (int j = 0; j < m->grid.columns; j++)
	{
		double		half = upper[j] / 2 - lower[j] / 2;
		double		middle = upper[j] / 2 + lower[j] / 2;

		atom[j] = find_atom(m, j, work);
		atom[j].lower = middle + half * atom[j].lower;
		atom[j].upper = middle + half * atom[j].upper;
		atom[j].rest = middle + half * atom[j].rest;
	}
}

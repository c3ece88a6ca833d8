/*
 * information.c - see information.h.
 */
#include <math.h>
#include <string.h>

#include "core/bayes/information.h"

#define NORMAL_975	1.9599639845400542

/* a cell with fewer rows in all classes than this many deviations of their noise is put together with others */
#define SEEN		4.0

/* ---- a column's table, of which cells that noise hides are one ---- */

typedef struct Table
{
	int			classes;
	int			cells;
	double		noise2;			/* variance of the noise in a count that is of one cell */
	double	   *count;			/* classes x cells */
	double	   *merged;			/* cells: how many cells are in it */
	double	   *class_rows;		/* sums of counts, and of cells' noise in them */
	double	   *cell_rows;
	double		rows;
	double		all_merged;
} Table;

size_t
dpem_information_work(const DpemBayesCounts *counts)
{
	return ((size_t) counts->cells + 1) * (counts->classes + 2) + counts->classes;
}

static double
count_at(const DpemBayesCounts *counts, int class, int cell)
{
	return counts->count[(size_t) class * (1 + counts->cells) + 1 + cell];
}

static void
add_cell(Table *t, const DpemBayesCounts *counts, int from, int to)
{
	t->merged[to] += 1;
	for (int c = 0; c < t->classes; c++)
		t->count[(size_t) c * t->cells + to] += count_at(counts, c, from);
}

static double
rows_of_cell(const DpemBayesCounts *counts, int cell)
{
	double		rows = 0;

	for (int c = 0; c < counts->classes; c++)
		rows += count_at(counts, c, cell);
	return rows;
}

/* the last cell of the table is of those that are not seen; it may be empty.  Counts below their own noise are raised to it */
static void
fill_counts(Table *t, const DpemBayesCounts *counts, int first, int length)
{
	double		least = SEEN * counts->sd * sqrt(counts->classes);

	for (int i = 0; i < length; i++)
	{
		bool		seen = rows_of_cell(counts, first + i) > least;

		add_cell(t, counts, first + i, seen ? i : length);
	}
	for (int c = 0; c < t->classes; c++)
		for (int i = 0; i < t->cells; i++)
		{
			double	   *count = &t->count[(size_t) c * t->cells + i];

			*count = fmax(*count, sqrt(t->merged[i] * t->noise2));
		}
}

static void
add_up(Table *t)
{
	for (int c = 0; c < t->classes; c++)
		for (int i = 0; i < t->cells; i++)
		{
			double		count = t->count[(size_t) c * t->cells + i];

			t->class_rows[c] += count;
			t->cell_rows[i] += count;
			t->rows += count;
		}
	for (int i = 0; i < t->cells; i++)
		t->all_merged += t->merged[i];
}

static Table
make_table(const DpemBayesCounts *counts, int first, int length, DpemWorkspace work)
{
	Table		t = {.classes = counts->classes,.cells = length + 1,.noise2 = counts->sd * counts->sd};

	t.count = dpem_workspace_take(&work, (size_t) t.classes * t.cells);
	t.merged = dpem_workspace_take(&work, t.cells);
	t.cell_rows = dpem_workspace_take(&work, t.cells);
	t.class_rows = dpem_workspace_take(&work, t.classes);
	memset(t.count, 0, (size_t) t.classes * t.cells * sizeof(double));
	memset(t.merged, 0, t.cells * sizeof(double));
	memset(t.cell_rows, 0, t.cells * sizeof(double));
	memset(t.class_rows, 0, t.classes * sizeof(double));
	fill_counts(&t, counts, first, length);
	add_up(&t);
	return t;
}

/* ---- information ---- */

/* ln (p(x, y) / (p(x) p(y))), 0 for an empty cell */
static double
surprise(const Table *t, int c, int i)
{
	double		count = t->count[(size_t) c * t->cells + i];

	return count > 0 ? log(count / t->class_rows[c] * t->rows / t->cell_rows[i]) : 0;
}

/* half the second derivative times the variance, summed over counts: what noise adds on average */
static double
added_by_noise(const Table *t)
{
	double		sum = t->rows > 0 ? t->classes * t->all_merged / t->rows : 0;

	for (int c = 0; c < t->classes; c++)
	{
		sum -= t->class_rows[c] > 0 ? t->all_merged / t->class_rows[c] : 0;
		for (int i = 0; i < t->cells; i++)
		{
			double		count = t->count[(size_t) c * t->cells + i];

			sum += count > 0 ? t->merged[i] / count : 0;
		}
	}
	for (int i = 0; i < t->cells; i++)
		sum -= t->cell_rows[i] > 0 ? t->classes * t->merged[i] / t->cell_rows[i] : 0;
	return t->noise2 * sum / (2 * t->rows);
}

static void
measure(const Table *t, DpemInformation *out)
{
	double		information = 0;
	double		variance = 0;

	*out = (DpemInformation) {0};
	if (!(t->rows > 0))
		return;
	for (int c = 0; c < t->classes; c++)
		for (int i = 0; i < t->cells; i++)
			information += t->count[(size_t) c * t->cells + i] * surprise(t, c, i) / t->rows;
	for (int c = 0; c < t->classes; c++)
		for (int i = 0; i < t->cells; i++)
		{
			double		count = t->count[(size_t) c * t->cells + i];
			double		noise2 = t->merged[i] * t->noise2;
			double		slope = surprise(t, c, i) - information;

			variance += noise2 * slope * slope + (count > 0 ? noise2 * noise2 / (2 * count * count) : 0);
		}
	out->value = fmax(information - added_by_noise(t), 0);
	out->sd = sqrt(variance) / t->rows;
}

/* ---- ranks ---- */

/* the point that a normal deviate is beyond, on both sides, with that probability */
static double
normal_point(double probability)
{
	double		low = 0;
	double		high = 40;

	for (int i = 0; i < 60; i++)
	{
		double		middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) > probability)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* a column is certainly after another where intervals that hold together, by Bonferroni's inequality, are apart */
static void
rank_columns(DpemInformation *out, int n)
{
	double		reach = normal_point(0.05 / n);

	for (int i = 0; i < n; i++)
	{
		out[i].rank = out[i].rank_best = 1;
		out[i].rank_worst = n;
		for (int j = 0; j < n; j++)
		{
			out[i].rank += out[j].value > out[i].value || (out[j].value == out[i].value && j < i);
			out[i].rank_best += out[j].value - reach * out[j].sd > out[i].value + reach * out[i].sd;
			out[i].rank_worst -= out[j].value + reach * out[j].sd < out[i].value - reach * out[i].sd;
		}
	}
}

void
dpem_information(const DpemBayesCounts *counts, DpemInformation *out, DpemWorkspace work)
{
	int			first = 0;

	for (int j = 0; j < counts->columns; j++)
	{
		Table		t = make_table(counts, first, counts->length[j], work);

		measure(&t, &out[j]);
		out[j].lower = fmax(out[j].value - NORMAL_975 * out[j].sd, 0);
		out[j].upper = out[j].value + NORMAL_975 * out[j].sd;
		first += counts->length[j];
	}
	rank_columns(out, counts->columns);
}

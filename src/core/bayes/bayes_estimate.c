/*
 * bayes_estimate.c - see bayes_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/bayes/bayes_estimate.h"
#include "core/bayes/bayes_rules.h"
#include "core/numeric/positive_mean.h"
#include "core/numeric/vector.h"

/* deviations of noise in a cell's number of rows, below which it counts as so many */
#define LEAST_ROWS	2.0

/* how much more often rows of which a column's value is not known may be of a class */
#define UNLIKE	0.25

/* ---- number of rows by class ----------------------------------------------------- */

static const double *
cells_of(const DpemBayesCounts *counts, int class)
{
	return counts->count + (size_t) class * (1 + counts->cells) + 1;
}

/* x[] := x / sum; equal where there is nothing */
static void
normalise(double *x, int n)
{
	double		sum = dpem_sum(x, n);

	for (int i = 0; i < n; i++)
		x[i] = sum > 0 ? x[i] / sum : 1.0 / n;
}

/* of all classes, that have one of a column's cells, from its first cell on */
static double
rows_of_column(const DpemBayesCounts *counts, int j, int first)
{
	double		sum = 0;

	for (int c = 0; c < counts->classes; c++)
		sum += dpem_sum(cells_of(counts, c) + first, counts->length[j]);
	return sum;
}

/*
 * By which a column's sums by class are multiplied to be those of all of so many rows, and the precision of that, in that of a class's own count.
 * Where not all are known to have one of its cells, shares of those that have none may be others.
 */
static double
stretch_of(const DpemBayesCounts *counts, int j, int first, double all, double *precision)
{
	double		noise2 = counts->length[j] * counts->sd * counts->sd;
	double		part = rows_of_column(counts, j, first) / all;
	double		none;

	*precision = 1.0 / counts->length[j];
	if (counts->complete[j])
		return 1;
	none = fmin(dpem_positive_mean(1 - part, sqrt(counts->classes * noise2) / all), 1);
	part = fmin(fmax(part, 1 - none), 1);
	*precision = part > 0 ? counts->sd * counts->sd / (noise2 / (part * part) + pow(UNLIKE * none * all, 2)) : 0;
	return part > 0 ? 1 / part : 0;
}

/* a class's own count, and the sums of columns, each by its precision; all: rows; *precision: of all, in that of one count */
static double
class_rows(const DpemBayesCounts *counts, int class, double all, double *precision)
{
	double		rows = cells_of(counts, class)[-1];
	int			first = 0;

	*precision = 1;
	for (int j = 0; j < counts->columns && counts->sd > 0; first += counts->length[j], j++)
	{
		double		own;
		double		stretch = stretch_of(counts, j, first, all, &own);

		rows += own * stretch * dpem_sum(cells_of(counts, class) + first, counts->length[j]);
		*precision += own;
	}
	return rows / *precision;
}

static double
all_rows(const DpemBayesCounts *counts)
{
	double		rows = 0;

	for (int c = 0; c < counts->classes; c++)
		rows += cells_of(counts, c)[-1];
	return dpem_positive_mean(rows, counts->sd * sqrt(counts->classes));
}

static void
find_weights(const DpemBayesCounts *counts, DpemBayes *bayes)
{
	double		precision = 1;
	double		total = 0;
	double		all = all_rows(counts);

	for (int c = 0; c < counts->classes; c++)
	{
		double		rows = class_rows(counts, c, all, &precision);

		bayes->weight[c] = dpem_positive_mean(rows, counts->sd / sqrt(precision));
		bayes->noise[c] = counts->sd > 0 ? counts->sd / fmax(bayes->weight[c], counts->sd) : 0;
		total += bayes->weight[c];
	}
	normalise(bayes->weight, counts->classes);
	for (int c = 0; c < counts->classes; c++)
	{
		double		w = bayes->weight[c];

		bayes->weight_noise[c] = counts->sd > 0 ? counts->sd / sqrt(precision) / fmax(total, counts->sd) * sqrt(1 - 2 * w + counts->classes * w * w) : 0;
	}
}

/* ---- one column -------------------------------------------------------------------- */

typedef struct Column
{
	int			n;				/* cells */
	int			first;			/* among all */
	bool		ordered;
	double	   *share;			/* classes: of its rows */
	double	   *rows;			/* n: in the cell, at least so many that noise does not hide them */
	double	   *all;			/* n: share of the cell in all rows */
	double	   *seen;			/* classes * n: by how much the class's share of the cell exceeds that of all rows */
	double	   *variance;		/* classes * n: of the noise and of chance in it */
	double	   *mean;			/* n: of the filter, then of the smoother */
	double	   *left;			/* n: variance of the filter, then of the smoother */
} Column;

static Column
take_column(const DpemBayesCounts *counts, DpemWorkspace *work)
{
	size_t		classes = (size_t) counts->classes;
	size_t		n = 0;
	Column		column = {0};

	for (int j = 0; j < counts->columns; j++)
		n = n < (size_t) counts->length[j] ? (size_t) counts->length[j] : n;
	column.share = dpem_workspace_take(work, classes);
	column.rows = dpem_workspace_take(work, n);
	column.all = dpem_workspace_take(work, n);
	column.seen = dpem_workspace_take(work, classes * n);
	column.variance = dpem_workspace_take(work, classes * n);
	column.mean = dpem_workspace_take(work, n);
	column.left = dpem_workspace_take(work, n);
	return column;
}

size_t
dpem_bayes_estimate_work(const DpemBayesCounts *counts)
{
	DpemWorkspace dry = {NULL, NULL};

	take_column(counts, &dry);
	return dpem_workspace_taken(&dry);
}

static void
find_shares(const DpemBayesCounts *counts, const double *weight, int j, Column *column)
{
	for (int c = 0; c < counts->classes; c++)
		column->share[c] = counts->complete[j] ? weight[c]
			: dpem_positive_mean(dpem_sum(cells_of(counts, c) + column->first, column->n), counts->sd * sqrt(column->n));
	normalise(column->share, counts->classes);
}

static void
find_seen(const DpemBayesCounts *counts, Column *column)
{
	double		k = counts->classes;
	double		sd = counts->sd * sqrt(k);

	for (int v = 0; v < column->n; v++)
	{
		double		total = 0;
		double		rows;

		for (int c = 0; c < counts->classes; c++)
			total += cells_of(counts, c)[column->first + v];
		rows = fmax(total, LEAST_ROWS * sd);
		column->all[v] = dpem_positive_mean(total, sd);
		column->rows[v] = rows;
		for (int c = 0; c < counts->classes; c++)
		{
			double		share = column->share[c];
			size_t		at = (size_t) c * column->n + v;

			column->seen[at] = (cells_of(counts, c)[column->first + v] - share * total) / rows;
			column->variance[at] = counts->sd * counts->sd * (1 - 2 * share + k * share * share) / (rows * rows) + share * (1 - share) / rows;
		}
	}
	normalise(column->all, column->n);
}

/* filters a class's cells: means and variances after each; returns twice the logarithm of their density, but for a constant */
static double
filter(const Column *column, int class, double spread, double tie)
{
	double		share = column->share[class];
	double		prior = spread * share * (1 - share);
	double		mean = 0;
	double		variance = prior;
	double		sum = 0;

	for (int v = 0; v < column->n; v++)
	{
		size_t		at = (size_t) class * column->n + v;
		double		error;
		double		total;

		if (v > 0)
		{
			mean *= tie;
			variance = tie * tie * variance + (1 - tie * tie) * prior;
		}
		error = column->seen[at] - mean;
		total = variance + column->variance[at];
		if (!(total > 0))
			total = 1e-300;
		sum -= log(total) + error * error / total;
		mean += variance / total * error;
		variance *= column->variance[at] / total;
		column->mean[v] = mean;
		column->left[v] = variance;
	}
	return sum;
}

static void
smooth(const Column *column, int class, double spread, double tie)
{
	double		share = column->share[class];
	double		prior = spread * share * (1 - share);

	filter(column, class, spread, tie);
	for (int v = column->n - 2; v >= 0 && tie > 0; v--)
	{
		double		next = tie * tie * column->left[v] + (1 - tie * tie) * prior;
		double		gain = next > 0 ? tie * column->left[v] / next : 0;

		column->mean[v] += gain * (column->mean[v + 1] - tie * column->mean[v]);
		column->left[v] += gain * gain * (column->left[v + 1] - next);
	}
}

static void
find_prior(const DpemBayesCounts *counts, const Column *column, double *spread, double *tie)
{
	int			ties = column->ordered ? DPEM_BAYES_TIES : 1;
	double		best = -INFINITY;

	for (int i = 0; i < DPEM_BAYES_SPREADS * ties; i++)
	{
		double		s = dpem_bayes_spread[i / ties];
		double		t = dpem_bayes_tie[i % ties];
		double		sum = 0;

		for (int c = 0; c < counts->classes; c++)
			sum += filter(column, c, s, t);
		if (sum > best)
		{
			best = sum;
			*spread = s;
			*tie = t;
		}
	}
}

/* what is known of the classes' shares in every cell, and by Bayes' rule of the cells' shares in every class */
static void
find_probabilities(const DpemBayesCounts *counts, Column *column, DpemBayes *bayes)
{
	double		spread = dpem_bayes_spread[0];
	double		tie = 0;

	find_prior(counts, column, &spread, &tie);
	for (int c = 0; c < counts->classes; c++)
	{
		double	   *p = bayes->probability + (size_t) c * counts->cells + column->first;

		smooth(column, c, spread, tie);
		for (int v = 0; v < column->n; v++)
			p[v] = dpem_positive_mean(column->share[c] + column->mean[v], sqrt(fmax(column->left[v], 0)));
	}
	for (int v = 0; v < column->n; v++)
	{
		double		sum = 0;

		for (int c = 0; c < counts->classes; c++)
			sum += bayes->probability[(size_t) c * counts->cells + column->first + v];
		for (int c = 0; c < counts->classes; c++)
			bayes->probability[(size_t) c * counts->cells + column->first + v] *= column->all[v] / (sum * column->share[c]);
	}
	for (int c = 0; c < counts->classes; c++)
		normalise(bayes->probability + (size_t) c * counts->cells + column->first, column->n);
}

/* Laplace (1814) */
static void
count_plainly(const DpemBayesCounts *counts, const Column *column, DpemBayes *bayes)
{
	for (int c = 0; c < counts->classes; c++)
	{
		double	   *p = bayes->probability + (size_t) c * counts->cells + column->first;

		for (int v = 0; v < column->n; v++)
			p[v] = cells_of(counts, c)[column->first + v] + dpem_bayes_pseudo_count;
		normalise(p, column->n);
	}
}

void
dpem_bayes_estimate(const DpemBayesCounts *counts, DpemBayes *bayes, DpemWorkspace work)
{
	Column		column = take_column(counts, &work);

	find_weights(counts, bayes);
	for (int j = 0; j < counts->columns; column.first += counts->length[j], j++)
	{
		column.n = counts->length[j];
		column.ordered = counts->ordered[j];
		if (counts->sd > 0)
		{
			find_shares(counts, bayes->weight, j, &column);
			find_seen(counts, &column);
			find_probabilities(counts, &column, bayes);
		}
		else
			count_plainly(counts, &column, bayes);
	}
}

int
dpem_bayes_posterior(int classes, int columns, int cells, const double *weight, const double *probability,
					 double power, const int *cell, double *posterior)
{
	double		most = -INFINITY;
	int			best = 0;

	for (int c = 0; c < classes; c++)
	{
		posterior[c] = log(weight[c]);
		for (int j = 0; j < columns; j++)
			posterior[c] += cell[j] >= 0 ? power * log(probability[(size_t) c * cells + cell[j]]) : 0;
		if (posterior[c] > most)
		{
			most = posterior[c];
			best = c;
		}
	}
	for (int c = 0; c < classes; c++)
		posterior[c] = isfinite(most) ? exp(posterior[c] - most) : 1;
	normalise(posterior, classes);
	return best;
}

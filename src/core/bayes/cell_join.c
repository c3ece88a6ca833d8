/*
 * cell_join.c - see cell_join.h.
 */
#include <math.h>
#include <string.h>

#include "core/bayes/bayes_rules.h"
#include "core/bayes/cell_join.h"
#include "core/gam/gam_join.h"

static int
longest(const DpemBayesCounts *cells)
{
	int			most = 1;

	for (int j = 0; j < cells->columns; j++)
		most = cells->length[j] > most ? cells->length[j] : most;
	return most;
}

void
dpem_cells_apart(const DpemBayesCounts *cells, DpemCellJoin *join)
{
	int			at = 0;

	for (int j = 0; j < cells->columns; at += cells->length[j++])
	{
		join->left[j] = cells->length[j];
		for (int i = 0; i < cells->length[j]; i++)
			join->place[at + i] = i;
	}
}

/* ---- what is joined ---- */

/* rows in all, as numbers that are known in all of them say it: the mean of sums, each by its noise */
static double
all_rows(const DpemBayesCounts *cells, const double *bins)
{
	double		rows = 0;
	double		told = 0;

	for (int j = 0; j < cells->columns; bins += cells->length[j++])
		for (int i = 0; i < cells->length[j] && cells->complete[j]; i++)
		{
			rows += bins[i] / cells->length[j];
			told += i == 0 ? 1.0 / cells->length[j] : 0;
		}
	return told > 0 ? rows / told : 0;
}

static double
sum_of(int n, const double *x)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

size_t
dpem_cells_join_work(const DpemBayesCounts *cells)
{
	return 2 * (size_t) longest(cells);
}

/* what parts of a number are to have */
typedef struct Wanted
{
	double		rows;			/* in all of them, above 0 */
	double		size;			/* about so many in each */
	double		clear;			/* in a cell that counts by class show beyond doubt */
} Wanted;

/* returns how many parts are left of a number; rows: as they were released, made the nearest that are possible */
static int
join_number(int n, const Wanted *wanted, double *rows, int *place, double *work)
{
	double	   *joined = work + n;
	int			left;

	dpem_gam_nearest_counts(n, wanted->rows, rows, work);
	left = dpem_gam_join_bins(n, rows, wanted->size, wanted->clear, joined);
	for (int i = 0; i < n; i++)
		place[i] = (int) joined[i];
	return left > 1 ? left : 0;
}

/* rows: that know the number */
static Wanted
wanted_of(const DpemBayesCounts *cells, int parts, double rows, double sd, double noise)
{
	double		k = cells->classes;
	double		wanted = fmax(dpem_bayes_parts_told * sqrt(fmax(rows, 0) * (k - 1) / (k * k) / noise), 2);
	double		clear = dpem_bayes_clear * noise * sqrt(k);
	double		size = fmax(rows, sd) / wanted;

	return (Wanted) {fmax(rows, sd), parts <= dpem_bayes_few_parts ? fmin(size, 2 * clear) : size, clear};
}

void
dpem_cells_join(const DpemBayesCounts *cells, double noise, DpemCellJoin *join, DpemWorkspace work)
{
	double		all = all_rows(cells, join->rows);
	double	   *room = dpem_workspace_take(&work, dpem_cells_join_work(cells));
	int			columns = 0;
	int			at = 0;

	dpem_cells_apart(cells, join);
	for (int j = 0; j < cells->columns; at += cells->length[j++])
	{
		int			n = cells->length[j];
		Wanted		wanted = wanted_of(cells, n, cells->complete[j] && all > 0 ? all : sum_of(n, join->rows + at), join->sd, noise);

		if (cells->ordered[j])
			join->left[j] = join_number(n, &wanted, join->rows + at, join->place + at, room);
		columns += join->left[j] > 0;
	}
	/* something has to be counted */
	if (columns == 0)
		dpem_cells_apart(cells, join);
}

/* ---- what is left, and all of it again ---- */

DpemBayesCounts
dpem_cells_left(const DpemBayesCounts *cells, const DpemCellJoin *join, int *length, bool *ordered, bool *complete)
{
	DpemBayesCounts left = *cells;

	left.columns = left.cells = 0;
	left.length = length;
	left.ordered = ordered;
	left.complete = complete;
	for (int j = 0; j < cells->columns; j++)
	{
		if (join->left[j] == 0)
			continue;
		length[left.columns] = join->left[j];
		ordered[left.columns] = cells->ordered[j];
		complete[left.columns++] = cells->complete[j];
		left.cells += join->left[j];
	}
	return left;
}

/* of a column */
typedef struct Parts
{
	int			cells;
	const int  *place;
	const double *rows;
	bool		counted;		/* by class; if it is not, all cells are one part */
} Parts;

static Parts
parts_of(const DpemBayesCounts *cells, const DpemCellJoin *join, int j, int at)
{
	return (Parts) {cells->length[j], join->place + at, join->rows + at, join->left[j] > 0};
}

/* share[]: of each cell in the rows of all cells that it is joined to; equal where there are none */
static void
find_shares(const Parts *p, double *share)
{
	for (int i = 0; i < p->cells; i++)
	{
		double		rows = 0;
		int			together = 0;

		for (int other = 0; other < p->cells; other++)
			if (!p->counted || p->place[other] == p->place[i])
			{
				rows += p->rows[other];
				together++;
			}
		share[i] = together == 1 ? 1 : (p->rows[i] + dpem_bayes_pseudo_count) / (rows + together * dpem_bayes_pseudo_count);
	}
}

/* noise in the probabilities of cells that are one part, which has such a probability in a class: that times the noise in their shares */
static double
noise_of_shares(const Parts *p, int part, double probability, double sd)
{
	double		rows = 0;
	int			together = 0;

	for (int i = 0; i < p->cells; i++)
		if (!p->counted || p->place[i] == part)
		{
			rows += p->rows[i];
			together++;
		}
	return together > 1 ? probability * sd / fmax(rows, sd) : 0;
}

/* of a column in a class; in: probabilities of its parts there */
static double
worst_noise(const DpemCellJoin *join, const Parts *p, int left, const double *in)
{
	double		worst = 0;

	for (int part = 0; part < (p->counted ? left : 1) && join->sd > 0; part++)
		worst = fmax(worst, noise_of_shares(p, part, p->counted ? in[part] : 1, join->sd));
	return worst;
}

void
dpem_cells_part(const DpemBayesCounts *cells, const DpemCellJoin *join, const DpemBayes *left, int cells_left, DpemBayes *all)
{
	int			at = 0;
	int			first = 0;

	memcpy(all->weight, left->weight, cells->classes * sizeof(double));
	memcpy(all->weight_noise, left->weight_noise, cells->classes * sizeof(double));
	memcpy(all->noise, left->noise, cells->classes * sizeof(double));
	for (int j = 0; j < cells->columns; at += cells->length[j], first += join->left[j++])
	{
		Parts		p = parts_of(cells, join, j, at);

		/* of the first class, and of the others times what these have */
		double	   *share = all->probability + at;

		find_shares(&p, share);
		for (int c = cells->classes - 1; c >= 0; c--)
		{
			const double *in = left->probability + (size_t) c * cells_left + first;

			for (int i = 0; i < p.cells; i++)
				all->probability[(size_t) c * cells->cells + at + i] = share[i] * (p.counted ? in[p.place[i]] : 1);
			all->noise[c] = fmax(all->noise[c], worst_noise(join, &p, join->left[j], in));
		}
	}
}

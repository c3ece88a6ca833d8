/*
 * normal_law.c - normal laws of a column, and which law is its own: see column_law.h.
 */
#include <math.h>
#include <string.h>

#include "core/columns/column_law.h"

/*
 * Log-likelihood that the law of bins that are seen is to be better by than normal ones, as it follows the noise in each, or may be worse by if it is of
 * a single bin, of which more may be hidden than a normal law has.  Normal laws are taken of columns within a bin of the first level: others are seen in these.
 * Of 108 columns of R's packages, 120 to 1,000 rows in domains of 20 and 1,000 times their range, centers are off by 0.47 and 0.77 deviations on average without
 * normal laws in noise of 0.03 of the rows in a bin of the first level, by 0.27 and 0.32 with them.
 */
#define CLEARER		6.0
#define FAINT		0.008	/* that noise, from which on normal laws are looked at: in less the bins that are seen are; */
#define DROWNED		0.15	/* and up to which: in more a law that noise makes is as likely */
#define SINGLE_WORSE 3.0

#define WIDEST		0.6			/* deviation: rows anywhere in the box have 0.58 */
#define NARROWEST	0.35		/* of a bin of the finest level: a narrower law is as good as in one */
#define NARROWER	M_SQRT2	/* each time */
#define REACH		4.0			/* of a law on either side, in deviations */
#define STEPS		64			/* of the table of normal probabilities, in a deviation */
#define MEANS		2.0			/* in a deviation */
#define CELLS		8.0			/* of means, in a bin of the first level */
#define UNLIKELY	18.0		/* logarithm of a likelihood, by the coarser levels, beside the greatest */
#define NEGLIGIBLE	9.0		/* likewise, of a posterior probability */
#define REBASED		200.0		/* likewise, at which weights are made relative to another */
#define ENDS		0.001		/* of the rows, beyond either end */

typedef struct Level
{
	int			bins;
	double		width;			/* of a bin; the box is 2 */
	double		variance;		/* of the noise in a bin, in rows */
	double	   *count;			/* rows in each bin by its own mark */
} Level;

typedef struct Search
{
	int			levels;
	Level		level[DPEM_MARGINS_MAX_LEVELS];
	double		rows;
	double	   *below;			/* normal probabilities */
	double	   *cell;			/* of the deviation that is tried, a log-likelihood of each cell of means, and -infinity on either side */
	double	   *p;				/* sum of laws by their weights */
	double		weight;			/* sum of these, */
	double		base;			/* relative to this logarithm */
	double		most;			/* greatest logarithm of a weight, */
	double		likelihood;		/* and the log-likelihood of its law */
} Search;

static Search
take(const DpemMarginGrid *grid, DpemWorkspace *work)
{
	Search		s = {.levels = grid->levels,.base = -INFINITY,.most = -INFINITY};

	s.below = dpem_workspace_take(work, 2 * (size_t) REACH * STEPS + 2);
	/* cells of less than two means have one */
	s.cell = dpem_workspace_take(work, 2 * (size_t) CELLS * dpem_margin_level_bins(grid, 0) + 3);
	for (int l = 0; l < grid->levels; l++)
	{
		s.level[l].bins = dpem_margin_level_bins(grid, l);
		s.level[l].width = 2.0 / s.level[l].bins;
		s.level[l].count = dpem_workspace_take(work, s.level[l].bins);
	}
	return s;
}

size_t
dpem_normal_law_work(const DpemMarginGrid *grid)
{
	DpemWorkspace dry = {NULL, NULL};

	take(grid, &dry);
	return dpem_workspace_taken(&dry);
}

static void
read_level(const DpemMargins *m, int column, int l, Level *level)
{
	double		mark = dpem_margin_mark(&m->grid, l);
	int			first = dpem_margin_level_first(&m->grid, l);

	level->variance = pow(m->released->sum_sd / mark, 2);
	for (int b = 0; b < level->bins; b++)
		level->count[b] = dpem_margins_sum(m, first + b, column) / mark;
}

/* ---- one law ---- */

typedef struct Law
{
	double		mean;
	double		deviation;
} Law;

/* the part of a law below an edge, so many deviations above its lowest */
static inline double
part_below(const Search *s, double above)
{
	double		x = above * STEPS;
	int			i = (int) x;

	if (x <= 0)
		return 0;
	return i >= 2 * REACH * STEPS ? 1 : s->below[i] + (x - i) * (s->below[i + 1] - s->below[i]);
}

/* the bins of a level that it is in; rows beyond the ends of the box were clamped to these */
static void
find_bins(const Level *level, Law law, int *from, int *to)
{
	*from = (int) fmax(floor((law.mean - REACH * law.deviation + 1) / level->width), 0);
	*to = (int) fmin(floor((law.mean + REACH * law.deviation + 1) / level->width), level->bins - 1);
}

static double
log_likelihood(const Search *s, const Level *level, Law law)
{
	double		counts = 0;
	double		squares = 0;
	double		below = 0;
	double		step = level->width / law.deviation;
	double		start = REACH - (1 + law.mean) / law.deviation;
	int			from;
	int			to;

	find_bins(level, law, &from, &to);
	for (int b = from; b <= to; b++)
	{
		double		next = b == to ? 1 : part_below(s, start + (b + 1) * step);

		counts += (next - below) * level->count[b];
		squares += (next - below) * (next - below);
		below = next;
	}
	return s->rows * (counts - s->rows * squares / 2) / level->variance;
}

static void
add_law(Search *s, Law law, double log_weight)
{
	const Level *level = &s->level[s->levels - 1];
	double		weight;
	double		below = 0;
	int			from;
	int			to;

	if (log_weight > s->base + REBASED)
	{
		double		before = exp(s->base - log_weight);

		for (int b = 0; b < level->bins; b++)
			s->p[b] *= before;
		s->weight *= before;
		s->base = log_weight;
	}
	weight = exp(log_weight - s->base);
	find_bins(level, law, &from, &to);
	for (int b = from; b <= to; b++)
	{
		double		next = b == to ? 1 : part_below(s, REACH + ((b + 1) * level->width - 1 - law.mean) / law.deviation);

		s->p[b] += weight * (next - below);
		below = next;
	}
	s->weight += weight;
}

/* ---- all laws ---- */

/* laws of one deviation, whose means are `number`, a cell of `together` after the other */
typedef struct Scan
{
	double		deviation;
	int			number;
	int			together;
	int			cells;
	double		coarse;			/* greatest log-likelihood by all levels but the finest */
} Scan;

static Law
law_at(const Scan *scan, double i)
{
	return (Law) {(i + 0.5) * 2 / scan->number - 1, scan->deviation};
}

/* by the first level, of the law in the middle of a cell */
static double
cell_likelihood(const Search *s, const Scan *scan, int cell)
{
	double		middle = (cell + 0.5) * scan->together - 0.5;

	return log_likelihood(s, &s->level[0], law_at(scan, fmin(middle, scan->number - 1)));
}

static double
coarse_likelihood(const Search *s, Law law)
{
	double		sum = 0;

	for (int l = 0; l < s->levels - 1; l++)
		sum += log_likelihood(s, &s->level[l], law);
	return sum;
}

static void
try_law(Search *s, Law law, double coarse, double log_prior)
{
	double		likelihood = coarse + log_likelihood(s, &s->level[s->levels - 1], law);
	double		log_weight = likelihood + log_prior;

	if (log_weight > s->most)
	{
		s->most = log_weight;
		s->likelihood = likelihood;
	}
	if (log_weight > s->most - NEGLIGIBLE)
		add_law(s, law, log_weight);
}

static void
try_cell(Search *s, Scan *scan, int cell)
{
	for (int i = cell * scan->together; i < (cell + 1) * scan->together && i < scan->number; i++)
	{
		double		coarse = coarse_likelihood(s, law_at(scan, i));

		scan->coarse = fmax(scan->coarse, coarse);
		if (coarse > scan->coarse - UNLIKELY)
			try_law(s, law_at(scan, i), coarse, -log(scan->number));
	}
}

/* cells beside likely ones are tried, too: where their means are across an edge of bins these are as likely */
static void
try_laws(Search *s, double deviation)
{
	Scan		scan = {.deviation = deviation,.number = (int) ceil(2 * MEANS / deviation),.coarse = -INFINITY};
	double		top = -INFINITY;

	scan.together = (int) fmax(s->level[0].width / CELLS * scan.number / 2, 1);
	scan.cells = (scan.number + scan.together - 1) / scan.together;
	s->cell[0] = s->cell[scan.cells + 1] = -INFINITY;
	for (int cell = 0; cell < scan.cells; cell++)
	{
		s->cell[cell + 1] = cell_likelihood(s, &scan, cell);
		top = fmax(top, s->cell[cell + 1]);
	}
	for (int cell = 0; cell < scan.cells; cell++)
		if (fmax(fmax(s->cell[cell], s->cell[cell + 2]), s->cell[cell + 1]) > top - UNLIKELY)
			try_cell(s, &scan, cell);
}

/* a law of sum 1, without what it has beyond ends that hardly any rows are beyond */
static void
cut_ends(int bins, double *p, double weight)
{
	double		least = ENDS * weight;
	double		below = 0;
	double		sum = 0;

	for (int b = 0; b < bins; b++)
	{
		below += p[b];
		if (below < least || below - p[b] > weight - least)
			p[b] = 0;
		sum += p[b];
	}
	for (int b = 0; b < bins; b++)
		p[b] /= sum;
}

double
dpem_normal_law(const DpemMargins *m, int column, double *p, DpemWorkspace work)
{
	Search		s = take(&m->grid, &work);
	const Level *finest = &s.level[s.levels - 1];

	s.rows = dpem_margins_rows(m, column);
	s.p = p;
	for (int i = 0; i <= 2 * REACH * STEPS + 1; i++)
		s.below[i] = i >= 2 * REACH * STEPS ? 1 : 0.5 * erfc((REACH - (double) i / STEPS) / M_SQRT2);
	for (int l = 0; l < s.levels; l++)
		read_level(m, column, l, &s.level[l]);
	for (int b = 0; b < finest->bins; b++)
		p[b] = 0;
	for (double deviation = WIDEST; deviation > NARROWEST * finest->width; deviation /= NARROWER)
		try_laws(&s, deviation);
	cut_ends(finest->bins, p, s.weight);
	return s.likelihood;
}

/* ---- any other law ---- */

double
dpem_law_likelihood(const DpemMargins *m, int column, const double *p)
{
	double		rows = dpem_margins_rows(m, column);
	double		sum = 0;

	for (int l = 0; l < m->grid.levels; l++)
	{
		int			bins = dpem_margin_level_bins(&m->grid, l);
		int			first = dpem_margin_level_first(&m->grid, l);
		int			within = dpem_margin_level_bins(&m->grid, m->grid.levels - 1) / bins;
		double		mark = dpem_margin_mark(&m->grid, l);
		double		products = 0;

		for (int b = 0; b < bins; b++)
		{
			double		share = 0;

			for (int i = 0; i < within; i++)
				share += p[b * within + i];
			products += share * (dpem_margins_sum(m, first + b, column) / mark - rows * share / 2);
		}
		sum += rows * products / pow(m->released->sum_sd / mark, 2);
	}
	return sum;
}

/* ---- a column's own ---- */

size_t
dpem_margins_law_work(const DpemMarginGrid *grid)
{
	size_t		seen = dpem_seen_law_work(grid);
	size_t		normal = dpem_margin_level_bins(grid, grid->levels - 1) + dpem_normal_law_work(grid);

	return seen > normal ? seen : normal;
}

static bool
find_law(const DpemMargins *m, int column, double *p, DpemWorkspace work)
{
	int			bins = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	double	   *normal;
	double		clearer;
	double		mean;
	double		variance;

	dpem_seen_law(m, column, p, work);
	if (!m->regressed || !(m->noise > FAINT) || m->noise > DROWNED)
		return false;
	normal = dpem_workspace_take(&work, bins);
	clearer = dpem_law_likelihood(m, column, p) - dpem_normal_law(m, column, normal, work);
	dpem_margins_law_moments(&m->grid, normal, &mean, &variance);
	if (clearer > (dpem_margins_single(&m->grid, p) ? -SINGLE_WORSE : CLEARER) || sqrt(variance) > 2.0 / m->grid.parts)
		return false;
	memcpy(p, normal, bins * sizeof(double));
	return true;
}

void
dpem_laws_forget(DpemKeptLaws *kept, int columns)
{
	memset(kept->found, 0, columns * sizeof(bool));
}

bool
dpem_margins_law(const DpemMargins *m, int column, double *p, DpemWorkspace work)
{
	size_t		bins = dpem_margin_level_bins(&m->grid, m->grid.levels - 1);
	DpemKeptLaws *kept = m->kept;
	bool		normal;

	if (kept == NULL)
		return find_law(m, column, p, work);
	if (kept->found[column])
	{
		memcpy(p, kept->p + column * bins, bins * sizeof(double));
		return kept->normal[column];
	}
	normal = find_law(m, column, p, work);
	memcpy(kept->p + column * bins, p, bins * sizeof(double));
	kept->found[column] = true;
	kept->normal[column] = normal;
	return normal;
}

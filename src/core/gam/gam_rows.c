/*
 * gam_rows.c - what the first release tells about all rows: their number, counts of cells
 * and pairs, shares of classes, and where a number's values are.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/gam/gam_estimate.h"
#include "core/gam/gam_join.h"
#include "core/gam/gam_place.h"
#include "core/gam/gam_rules.h"
#include "core/numeric/linalg.h"
#include "core/pass/features.h"

#define LEAST_ROWS	1.0
#define UNREACHED	1e6			/* domains wide: without noise no residual is cut off */

/* what was released: n for each class, and of cells i > j pair[i (i - 1) / 2 + j] */
typedef struct Counts
{
	const double *single;
	const double *pair;
	double		single_mark;
	double		pair_mark;
	double		sd;
} Counts;

static Counts
counts_of(const DpemGamRows *rows, const DpemNoisyMoments *m)
{
	return (Counts) {
		.single = m->value,.pair = m->value + (size_t) rows->shape.classes * rows->n,
		.single_mark = dpem_gam_single_mark(&rows->shape),.pair_mark = dpem_gam_pair_mark(&rows->shape),.sd = m->count_sd
	};
}

static double
count_of(const DpemGamRows *rows, const Counts *m, int class, int i)
{
	return m->single[(size_t) class * rows->n + i] / m->single_mark;
}

static double
pair_of(const Counts *m, int i, int j)
{
	size_t		high = (size_t) (i > j ? i : j);
	size_t		low = (size_t) (i > j ? j : i);

	return m->pair[high * (high - 1) / 2 + low] / m->pair_mark;
}

/* rows of a cell are counted by its classes, and again by its pairs with every other column e: 1 over the variance of the sum's noise, in units of an entry's */
static double
told_by_classes(const DpemGamRows *rows, const Counts *m)
{
	return m->single_mark * m->single_mark / rows->shape.classes;
}

static double
told_by_pairs(const DpemGamRows *rows, const Counts *m, int e)
{
	return m->pair_mark * m->pair_mark / dpem_gam_cells_of(rows, e);
}

/* those sums of cell i of column c, of pairs with columns before `end`, by what they tell: a number's classes are many, a label's cells few */
static double
weighted_count(const DpemGamRows *rows, const Counts *m, int c, int i, int end)
{
	double		told = told_by_classes(rows, m);
	double		sum = 0;

	for (int t = 0; t < rows->shape.classes; t++)
		sum += told * count_of(rows, m, t, i);
	for (int e = 0; e < end && rows->shape.pair_share > 0; e++)
	{
		told = told_by_pairs(rows, m, e);
		for (int j = rows->offset[e]; j < rows->offset[e + 1] && e != c; j++)
			sum += told * pair_of(m, i, j);
	}
	return sum;
}

/* of all of them */
static double
told_of_cells(const DpemGamRows *rows, const Counts *m, int c)
{
	double		told = told_by_classes(rows, m);

	for (int e = 0; e < dpem_gam_terms(&rows->shape) && rows->shape.pair_share > 0; e++)
		told += e != c ? told_by_pairs(rows, m, e) : 0;
	return told;
}

static void
count_cells(const DpemGamRows *rows, const Counts *m, int c)
{
	int			terms = dpem_gam_terms(&rows->shape);
	double		told = told_of_cells(rows, m, c);

	for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
	{
		rows->count[i] = weighted_count(rows, m, c, i, terms) / told;
		rows->noise[i] = m->sd * m->sd / told;
	}
}

/* every column's counts add up to all rows, and so do every two columns' pairs; the mean of those sums with the least noise */
static double
total_of(const DpemGamRows *rows, const Counts *m, double *sd)
{
	double		sum = 0;
	double		told = 0;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
			sum += weighted_count(rows, m, c, i, c) / dpem_gam_cells_of(rows, c);
		told += told_by_classes(rows, m) / dpem_gam_cells_of(rows, c);
		for (int e = 0; e < c && rows->shape.pair_share > 0; e++)
			told += told_by_pairs(rows, m, e) / dpem_gam_cells_of(rows, c);
	}
	*sd = m->sd / sqrt(told);
	return fmax(sum / told, LEAST_ROWS);
}

/* fewer rows than can be told from noise are as many as could just be: steps of a fit that takes them for fewer would go too far */
static void
take_counts(const Counts *m, double public_rows, DpemGamRows *rows, double *sorted)
{
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
		count_cells(rows, m, c);
	rows->single_sd = m->sd / m->single_mark;
	rows->counted = total_of(rows, m, &rows->counted_sd);
	rows->rows = fmax(rows->counted, dpem_gam_rules.seen * rows->counted_sd);
	/* what is public counts all units; filters and missing targets leave fewer rows */
	rows->public = public_rows > 0 && fabs(rows->counted - public_rows) < 6 * rows->counted_sd;
	if (rows->public)
		rows->rows = public_rows;
	for (int c = 0; c < dpem_gam_terms(&rows->shape) && !rows->exact; c++)
		dpem_gam_nearest_counts(dpem_gam_cells_of(rows, c), rows->rows, rows->count + rows->offset[c], sorted);
	for (int i = 0; i < rows->n; i++)
		rows->noise[i] = fmin(rows->noise[i], rows->count[i] * rows->count[i]);
}

/* ---- pairs ---- */

/* how far columns c and e are from independence, as variance of what their pairs have beyond it, noise taken away */
static double
dependence(const DpemGamRows *rows, const Counts *m, int c, int e, double noise)
{
	double		sum = 0;
	double		weight = 0;

	for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
		for (int j = rows->offset[e]; j < rows->offset[e + 1]; j++)
		{
			double		scale = (rows->count[i] + 1) * (rows->count[j] + 1);
			double		off = pair_of(m, i, j) - rows->count[i] * rows->count[j] / rows->rows;
			double		w = rows->count[i] * rows->count[j];

			sum += w * (off * off - noise * noise) / scale;
			weight += w;
		}
	return weight > 0 ? fmax(sum / weight, DBL_MIN) : DBL_MIN;
}

/* pairs of two columns: between the product of their margins and what was counted, by what is signal in it */
static void
take_pairs(const Counts *m, int c, int e, DpemGamRows *rows)
{
	double		noise = m->sd / m->pair_mark;
	double		signal = rows->exact ? 1 : dependence(rows, m, c, e, noise);

	for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
		for (int j = rows->offset[e]; j < rows->offset[e + 1]; j++)
		{
			double		expected = rows->count[i] * rows->count[j] / rows->rows;
			double		variance = rows->exact ? 0 : noise * noise / ((rows->count[i] + 1) * (rows->count[j] + 1));
			double		count = expected + (pair_of(m, i, j) - expected) * signal / (signal + variance);

			rows->second[(size_t) i * rows->n + j] = rows->second[(size_t) j * rows->n + i] = fmax(count, 0);
		}
}

/* ---- the target ---- */

/* rows in class t, or bin t of a number: the mean of what every column's cells say, with the least noise */
static double
target_count(const DpemGamRows *rows, const Counts *m, int t, double *sd)
{
	double		sum = 0;
	double		weight = 0;

	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
	{
		double		total = 0;
		int			cells = dpem_gam_cells_of(rows, c);

		for (int i = rows->offset[c]; i < rows->offset[c + 1]; i++)
			total += count_of(rows, m, t, i);
		sum += total / cells;
		weight += 1.0 / cells;
	}
	*sd = rows->single_sd / sqrt(weight);
	return sum / weight;
}

/* a class that noise may be all of is as rare as it can be to be seen; noise may also make more of one than there are rows */
static void
find_shares(const Counts *m, DpemGamRows *rows)
{
	int			k = rows->shape.targets;
	double		total = 0;

	for (int t = 0; t < k; t++)
	{
		double		sd;
		double		count = target_count(rows, m, t, &sd);

		rows->share[t] = fmin(fmax(count, fmin(fmax(dpem_gam_rules.seen * sd, LEAST_ROWS / 2), rows->rows / k)), rows->rows);
		total += rows->share[t];
	}
	for (int t = 0; t < k; t++)
		rows->share[t] /= total;
}

static void
place_target(const Counts *m, DpemGamRows *rows)
{
	double		half = dpem_gam_bins_half(&rows->shape);
	double		width = dpem_gam_bin_width(rows);
	double		count[DPEM_GAM_TARGET_BINS];
	DpemGamBins bins = {
		.n = rows->shape.classes,.count = count,.parts = rows->window.parts,.part = rows->window.count,.part_sd = rows->window.sd,
		.rows = rows->public ? rows->rows : rows->counted,.rows_sd = rows->public ? 0 : rows->counted_sd
	};
	DpemGamPlace place;

	for (int t = 0; t < rows->shape.classes; t++)
		count[t] = target_count(rows, m, t, &bins.sd);
	place = dpem_gam_place(&bins);
	rows->shape.middle = rows->shape.bins_middle + half * place.middle;
	rows->middle_off = place.off *= half * half;
	rows->tails = place.tails;
	rows->together = place.together;
	rows->variance = rows->dispersion = half * half * place.variance + width * width / 12;
	rows->shape.reach = rows->exact ? UNREACHED : dpem_gam_reach(rows, isinf(place.off) ? 0 : place.off);
}

double
dpem_gam_bin_width(const DpemGamRows *rows)
{
	return 2 * dpem_gam_bins_half(&rows->shape) / rows->shape.classes;
}

bool
dpem_gam_is_hidden(const DpemGamRows *rows)
{
	double		step = ldexp(rows->shape.radius, -DPEM_FINE_BITS);

	return rows->shape.targets == 1 && (rows->together || rows->variance < step * step / 3);
}

void
dpem_gam_take_rows(const DpemNoisyMoments *released, double public_rows, DpemGamRows *rows, DpemWorkspace work)
{
	int			n = rows->n;
	Counts		counts = counts_of(rows, released);
	const Counts *m = &counts;

	rows->exact = m->sd == 0;
	rows->pair_sd = m->pair_mark > 0 ? m->sd / m->pair_mark : 0;
	take_counts(m, public_rows, rows, work.next);
	memset(rows->second, 0, (size_t) n * n * sizeof(double));
	for (int i = 0; i < n; i++)
		rows->second[(size_t) i * (n + 1)] = rows->count[i];
	for (int c = 0; c < dpem_gam_terms(&rows->shape); c++)
		for (int e = 0; e < c; e++)
			take_pairs(m, c, e, rows);
	rows->variance = rows->dispersion = 1;
	rows->middle_off = INFINITY;
	if (rows->shape.targets == 1)
		place_target(m, rows);
	else
		find_shares(m, rows);
}

DpemStatus
dpem_gam_clean_pairs(DpemGamRows *rows, DpemWorkspace work)
{
	int			n = rows->n;
	double	   *scratch = dpem_workspace_take(&work, (size_t) n * (n + 1));

	return rows->exact ? DPEM_OK : dpem_linalg_drop_negative(n, rows->second, scratch, work.next);
}

/* ---- the first linear statistic ---- */

/* the probability that all rows begin at; without noise 1/2, from where Newton's steps are safe */
static double
starting_share(const DpemGamRows *rows)
{
	return rows->shape.targets == 2 && !rows->exact ? rows->share[1] : 1.0 / rows->shape.targets;
}

static double
starting_level(const DpemGamRows *rows)
{
	double		share = starting_share(rows);

	return rows->shape.targets == 2 ? log(share / (1 - share)) / dpem_gam_terms(&rows->shape) : 0;
}

/* sum of class 2 or not, less its share */
static void
start_classes(const DpemGamRows *rows, const Counts *m, int s, DpemGamScore *score)
{
	int			k = rows->shape.targets;
	int			own = k > 2 ? s : 1;
	double		share = starting_share(rows);

	for (int i = 0; i < rows->n; i++)
	{
		double		all = 0;

		for (int t = 0; t < k; t++)
			all += count_of(rows, m, t, i);
		score->linear[i] = count_of(rows, m, own, i) - share * all;
	}
	score->spread = rows->share[own] * (1 - rows->share[own]);
	score->noise = rows->single_sd * rows->single_sd * ((1 - share) * (1 - share) + (k - 1) * share * share);
}

/* sum of the bins' middles; bins beyond the reach have no rows to speak of */
static void
start_number(const DpemGamRows *rows, const Counts *m, DpemGamScore *score)
{
	int			bins = rows->shape.classes;
	double		square = 0;

	memset(score->linear, 0, rows->n * sizeof(double));
	for (int t = 0; t < bins; t++)
	{
		double		off = rows->shape.bins_middle + dpem_gam_bins_half(&rows->shape) * (-1 + (t + 0.5) * 2 / bins) - rows->shape.middle;

		if (fabs(off) > rows->shape.reach)
			continue;
		square += off * off;
		for (int i = 0; i < rows->n; i++)
			score->linear[i] += off * count_of(rows, m, t, i);
	}
	score->noise = square * rows->single_sd * rows->single_sd;
}

void
dpem_gam_start(const DpemGamRows *rows, const DpemNoisyMoments *released, int s, DpemGamScore *score)
{
	Counts		m = counts_of(rows, released);

	if (rows->shape.targets > 1)
		start_classes(rows, &m, s, score);
	else
		start_number(rows, &m, score);
	score->weight = 1;
}

/* A rare class's probability rises faster than on a line: with the curvature at its share alone the first scores would go too far. */
static double
starting_bend(const DpemGamRows *rows)
{
	double		share = starting_share(rows);
	double		rare = 1 + dpem_gam_rules.rare * (1 - 2 * share) * (1 - 2 * share);

	return rows->shape.targets == 1 ? 1 : rows->shape.targets > 2 ? share : fmin(rare * share * (1 - share), 0.25);
}

void
dpem_gam_start_curvature(const DpemGamRows *rows, DpemGamScore *score)
{
	size_t		length = (size_t) rows->n * rows->n;
	double		level = starting_level(rows);
	double		bend = starting_bend(rows);

	for (size_t i = 0; i < length; i++)
		score->here[i] = score->curvature[i] = bend * rows->second[i];
	for (int i = 0; i < rows->n; i++)
	{
		score->counted[i] = fmin(fmax(starting_share(rows) + score->linear[i] / fmax(rows->count[i], 1), 0), 1);
		score->mean[i] = level;
	}
	for (int i = 0; i < rows->n && level != 0; i++)
		for (int j = 0; j < rows->n; j++)
			score->linear[i] += score->here[(size_t) i * rows->n + j] * level;
}

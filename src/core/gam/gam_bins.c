/*
 * gam_bins.c - see gam_bins.h.
 */
#include "core/gam/gam_bins.h"

#include <math.h>

#include "core/gam/gam_rules.h"
#include "core/numeric/bisect.h"
#include "core/pass/features.h"

/* bins are equal in a share of the box coordinate in [-1, 1] and one of its logarithm about `zero` */
typedef struct Spread
{
	double		zero;
	double		finest;			/* distances from there at which the logarithm begins */
	double		weight;			/* of the logarithm */
	double		at;				/* share of the bins that an edge is looked for at */
} Spread;

static double
logarithm(const Spread *s, double x)
{
	return copysign(log1p(fabs(x - s->zero) / s->finest), x - s->zero);
}

static bool
is_below(const void *context, double x)
{
	const Spread *s = context;
	double		low = logarithm(s, -1);

	return (1 - s->weight) * (x + 1) / 2 + s->weight * (logarithm(s, x) - low) / (logarithm(s, 1) - low) < s->at;
}

static double
half_width(const DpemScaledDomain *domain)
{
	return dpem_scale_apply(domain->scale, domain->upper) / 2 - dpem_scale_apply(domain->scale, domain->lower) / 2;
}

/* a domain without zero has its nearest end in its place, if that is almost zero */
static Spread
spread_of(const DpemScaledDomain *domain)
{
	double		half = half_width(domain);
	double		nearest = fmin(fmax(0, domain->lower), domain->upper);
	double		far = fmax(fabs(domain->lower), fabs(domain->upper));
	Spread		s = {.zero = fmin(fmax((nearest - domain->lower) / half - 1, -1), 1)};
	double		reach = 1 + fabs(s.zero);

	if (domain->scale != DPEM_SCALE_LINEAR || fabs(nearest) > dpem_gam_rules.near_zero * far)
		return s;
	s.finest = dpem_gam_rules.finest * reach;
	s.weight = dpem_gam_rules.spread;
	if (1 - fabs(s.zero) > dpem_gam_rules.near_zero * reach)
	{
		s.finest = fmax(s.finest, 1 / half);
		s.weight = s.finest < dpem_gam_rules.least_spread * reach ? dpem_gam_rules.spread_within : 0;
	}
	return s;
}

/* powers of ten up to 10^22 are doubles */
#define LEAST	1e-20
#define MOST	1e22
#define NOTHING	1e-12			/* of a domain's half width */

/* to three digits: a product or quotient of two whole numbers, so that it is the number that is written like this */
static double
three_digits(double x)
{
	int			digits;

	if (!(fabs(x) >= LEAST && fabs(x) <= MOST))
		return x;
	digits = 2 - (int) floor(log10(fabs(x)));
	return digits > 0 ? rint(x * pow(10, digits)) / pow(10, digits) : rint(x / pow(10, -digits)) * pow(10, -digits);
}

static double
value_at(const DpemScaledDomain *domain, double x)
{
	return domain->lower + half_width(domain) * (x + 1);
}

/* a bound as a person would write it */
static double
as_written(const DpemScaledDomain *domain, double value)
{
	return fabs(value) < NOTHING * half_width(domain) ? 0 : three_digits(value);
}

/* where an edge near a value is put */
static double
round_bound(const DpemScaledDomain *domain, double value, bool spread, bool whole)
{
	double		bound = spread ? as_written(domain, value) : value;

	return whole ? ceil(bound - NOTHING * half_width(domain)) : bound;
}

/* what was put there, from an edge's coordinate: a number of three digits, or another whole number */
static double
read_bound(const DpemScaledDomain *domain, double value)
{
	double		bound = as_written(domain, value);

	return fabs(bound - value) < 10 * NOTHING * half_width(domain) ? bound : rint(value);
}

double
dpem_gam_bound(const DpemScaledDomain *domain, const double *edge, int bins, int i)
{
	if (i == 0 || i == bins || edge[i - 1] == dpem_gam_equal_edge(i, bins))
		return dpem_scale_between(domain->scale, domain->lower, domain->upper, i, bins);
	return fmin(fmax(read_bound(domain, value_at(domain, edge[i - 1])), domain->lower), domain->upper);
}

/* values that a column of whole numbers can have; others, and what is on a scale, have no end of them */
static double
values_of(const DpemScaledDomain *domain, bool whole)
{
	return whole && domain->scale == DPEM_SCALE_LINEAR ? floor(domain->upper) - ceil(domain->lower) + 1 : INFINITY;
}

int
dpem_gam_equal_bins(const DpemScaledDomain *domain, bool whole, int bins, double *edge)
{
	int			own = (int) fmin(bins, fmax(values_of(domain, whole), 2));

	for (int i = 1; i < own; i++)
		edge[i - 1] = dpem_gam_equal_edge(i, own);
	return own;
}

int
dpem_gam_spread_bins(const DpemScaledDomain *domain, bool whole, int bins, double *edge)
{
	Spread		s = spread_of(domain);
	double		half = half_width(domain);
	double		values = values_of(domain, whole);
	double		last = whole ? ceil(domain->lower) : domain->lower;
	int			n = 0;

	if (values <= bins || (isinf(values) && s.weight == 0))
		return dpem_gam_equal_bins(domain, whole, bins, edge);
	for (int i = 1; i < bins; i++)
	{
		double		bound;

		s.at = (double) i / bins;
		bound = value_at(domain, s.weight > 0 ? dpem_bisect(is_below, &s, -1, 1) : dpem_gam_equal_edge(i, bins));
		bound = round_bound(domain, bound, s.weight > 0, whole);
		edge[n] = bound / half - domain->lower / half - 1;
		if (bound > last && bound <= domain->upper && edge[n] > (n > 0 ? edge[n - 1] : -1) && edge[n] < 1)
		{
			last = bound;
			n++;
		}
	}
	return n + 1;
}

int
dpem_gam_drop_near(int bins, int d, double radius, double *edge)
{
	double		gap = ldexp(2 * (sqrt(d) + radius), -DPEM_FINE_BITS);
	int			n = 0;

	/* equal bins are wide, and their bounds are known by their number */
	if (bins < 2 || edge[0] == dpem_gam_equal_edge(1, bins))
		return bins;
	for (int i = 0; i < bins - 1; i++)
		if (edge[i] - (n > 0 ? edge[n - 1] : -1) >= gap && edge[i] <= 1 - gap)
			edge[n++] = edge[i];
	return n + 1;
}

/* ---- of a number that is explained ---- */

size_t
dpem_gam_locate_work(const DpemMarginGrid *grid)
{
	return 3 * (size_t) dpem_margin_bins(grid) + dpem_column_spread_work(grid);
}

/* its own counts are sums of a record of one column (core/pass/moments.h) */
static DpemNoisyMoments
sums_of(const double *value, double sd, int n, double *sums)
{
	for (int bin = 0; bin < n; bin++)
	{
		sums[2 * bin] = 0;
		sums[2 * bin + 1] = value[bin];
	}
	return (DpemNoisyMoments) {.layout = {n, 1, DPEM_SECOND_NONE},.value = sums,.sum_sd = sd};
}

/* bins of one level that a window is made of, so many in each of its parts; first: among all levels' */
typedef struct Aligned
{
	int			level;
	int			times;
	int			first;
} Aligned;

/* the finest level of which fewer bins than there are in one of the level above are enough in a part */
static Aligned
find_level(const DpemMarginGrid *grid, double length)
{
	Aligned		at = {.level = grid->levels - 1,.times = 1};

	for (;; at.level--)
	{
		at.times = (int) fmax(ceil(length / 2 * dpem_margin_level_bins(grid, at.level) / grid->parts), 1);
		if (at.level == 0 || at.times < grid->parts)
			break;
	}
	at.first = dpem_margin_level_first(grid, at.level);
	return at;
}

/* at least so long, at most 2, and within the domain */
static DpemGamWindow
align(const DpemMarginGrid *grid, double center, double length, Aligned *at)
{
	int			bins;
	int			start;
	double		half;

	*at = find_level(grid, length);
	bins = dpem_margin_level_bins(grid, at->level);
	half = (double) at->times * grid->parts / bins;
	start = (int) fmin(fmax(rint((center - half + 1) / 2 * bins), 0), bins - at->times * grid->parts);
	at->first += start;
	return (DpemGamWindow) {.middle = -1 + start * 2.0 / bins + half,.half = half,.parts = grid->parts};
}

/* margins are too coarse to tell more than that it is there */
static DpemGamWindow
window_within(double center, double length)
{
	double		middle = fmin(fmax(center, length / 2 - 1), 1 - length / 2);

	return (DpemGamWindow) {.middle = middle,.half = length / 2};
}

/*
 * Part of the rows that may be outside of an interval: those in parts of the first level that it does not meet, and the standard deviation
 * of their noise; count: of these parts.
 */
static double
hidden_part(const DpemMargins *margins, const double *count, double sd, double least, double most)
{
	int			parts = margins->grid.parts;
	double		within = 0;
	int			met = 0;

	for (int i = 0; i < parts; i++)
		if (-1 + i * 2.0 / parts < most && -1 + (i + 1) * 2.0 / parts > least)
		{
			within += count[i];
			met++;
		}
	return fmax(1 - within / margins->rows, 0) + sd * sqrt(margins->rows == margins->counted ? parts - met : met) / margins->rows;
}

/* 0 where rows that may be elsewhere are few, 1 where these may be most */
static double
doubt(double hidden)
{
	return fmin(fmax((hidden - dpem_gam_rules.trusted) / (dpem_gam_rules.doubted - dpem_gam_rules.trusted), 0), 1);
}

DpemGamWindow
dpem_gam_locate(const DpemNoisyMoments *released, const DpemMarginGrid *grid, double public_rows, DpemColumnValues values, DpemWorkspace work)
{
	int			bins = dpem_margin_bins(grid);
	DpemNoisyMoments m = sums_of(released->value, released->count_sd, bins, dpem_workspace_take(&work, 2 * (size_t) bins));
	DpemMargins margins = dpem_margins_take(grid, &m, public_rows);
	double	   *count = dpem_workspace_take(&work, bins);
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	double		center;
	double		deviation;
	double		least;
	double		most;
	double		length;
	Aligned		at;
	DpemGamWindow window;

	margins.values = &values;
	dpem_column_spread(&margins, true, &center, &deviation, work);
	dpem_margins_counts(&margins, 0, count, variance);
	least = fmax(center - dpem_gam_rules.window * deviation, -1);
	most = fmin(center + dpem_gam_rules.window * deviation, 1);
	length = 2 * pow((most - least) / 2, 1 - doubt(hidden_part(&margins, count, sqrt(variance[0]), least, most)));
	if (length < 1.0 / dpem_margin_level_bins(grid, grid->levels - 1) * grid->parts)
		window = window_within(least / 2 + most / 2, length);
	else
		window = align(grid, least / 2 + most / 2, length, &at);
	window.rows = margins.rows;
	window.rows_sd = margins.rows == public_rows ? 0 : margins.counted_sd;
	window.deviation = deviation;
	if (window.parts == 0)
		return window;
	for (int i = 0; i < grid->parts * at.times; i++)
		window.count[i / at.times] += count[at.first + i];
	window.sd = sqrt(at.times * variance[at.level]);
	return window;
}

DpemTargetMean
dpem_gam_find_mean(const double *value, double sd, double sum_sd, const DpemMarginGrid *grid, double public_rows, DpemColumnValues values, DpemWorkspace work)
{
	int			bins = dpem_margin_bins(grid);
	DpemNoisyMoments m = sums_of(value, sd, bins, dpem_workspace_take(&work, 2 * (size_t) bins));
	DpemMargins margins = dpem_margins_take(grid, &m, public_rows);

	margins.values = &values;
	return dpem_target_find_mean(&margins, sum_sd, public_rows, work);
}

double
dpem_gam_target_noise(const DpemGamShape *shape, double sd)
{
	double		told = 0;

	for (int c = 0; c < shape->columns; c++)
		told += pow(dpem_gam_single_mark(shape), 2) / dpem_gam_column_cells(&shape->column[c]);
	return sd / sqrt(told);
}

bool
dpem_gam_hides(double noise, const DpemGamWindow *window)
{
	return noise > dpem_gam_rules.hidden * (window->rows - dpem_gam_rules.doubtful * window->rows_sd) || window->half > dpem_gam_rules.coarse * window->deviation * DPEM_GAM_TARGET_BINS / 2;
}

/*
 * column_target.c - see column_target.h.
 */
#include <math.h>

#include "core/columns/column_clamp.h"
#include "core/columns/column_spread.h"
#include "core/columns/column_target.h"
#include "core/columns/tail_ends.h"

#define WITHIN_POINTS	400		/* of the posterior, */
#define WITHIN_REACH	8.0		/* deviations of the noise on either side of its highest point */

/* chosen with the mean alone of linear regressions (core/linreg/linreg_rules.c) */
const double dpem_target_reach = 2.5;

#define HIDDEN_TAIL	0.25		/* deviations that the mean may be off by for what they hide of a skewed number: up to where noise costs as much no tail is cut off */

/*
 * Part of the variance that is cut off, as far as a regression loses it.  Of targets of 320 tables of R's packages 0.05 and 0.3 have centers alike, 0.3 half
 * as many frames again that are more than twice too wide, in domains of six times the data's more of them still.
 */
#define EXPLAINED	0.05

/*
 * How often rows come back where a tail has ended, times that of clamps: of 667 normal rows in a domain of 4,000 deviations, in noise of 0.0024 of the rows in
 * a bin, one frame in a thousand is 28 times too wide with 1, 6 times with 1e-4; as far away as those rows are said to be, they are most of the variance
 * however seldom they are.
 */
#define FRAME_AGAIN	1e-4

/*
 * Tails begin in the bin that has the median, which is far wider than a column that is narrow beside what noise lets be seen.  Of so many deviations of
 * the normal law that is as likely (column_law.h), it says nothing of these, and the frame is that of the law.  Else tails take what noise hides far out for
 * rows, and the law takes what a value hides that most rows have for none: the frame is between both, but of a target that is spread over bins of the first
 * level, which show it.
 */
#define WIDE_CORE	2.0

/*
 * What columns are like that are spread over many first-level bins, in box coordinates: variance of their means; mean squares, and the variance of these; least
 * deviation.
 */
#define MEAN_VARIANCE	0.1
#define ANYWHERE		(1 / 3.0)
#define SQUARE_VARIANCE	0.03
#define LEAST_SPREAD	0.3

size_t
dpem_target_locate_work(const DpemMarginGrid *grid)
{
	size_t		tails = dpem_column_tails_work(grid);
	size_t		spread = dpem_column_spread_work(grid);
	size_t		clamp = dpem_margin_bins(grid);
	size_t		most = tails > spread ? tails : spread;

	return 2 * (size_t) grid->columns + dpem_margin_level_bins(grid, grid->levels - 1) + (most > clamp ? most : clamp);
}

/* center and deviation as margins show them */
static void
find_spread(const DpemMargins *m, double *center, double *deviation, DpemWorkspace work)
{
	double	   *centers = dpem_workspace_take(&work, m->grid.columns);
	double	   *deviations = dpem_workspace_take(&work, m->grid.columns);

	dpem_column_spread(m, true, centers, deviations, work);
	*center = centers[m->grid.columns - 1];
	*deviation = deviations[m->grid.columns - 1];
}

typedef enum Seen
{
	NOWHERE_SEEN,				/* nor is the median */
	ONES_HIDDEN,
	TAILS_SEEN
} Seen;

static Seen
find_tails(const DpemMargins *m, double again, DpemColumnTail tail[2], DpemWorkspace work)
{
	int			target = m->grid.columns - 1;

	if (!dpem_column_tails(m, target, again, tail, work))
		return NOWHERE_SEEN;
	return dpem_tails_hide_ones(m, target, tail) ? ONES_HIDDEN : TAILS_SEEN;
}

/* ---- a regression's frame ---- */

static double
variance_of(const DpemTailPart part[2], bool clamped, double *mean)
{
	const DpemTailSums *up = clamped ? &part[0].clamped : &part[0].whole;
	const DpemTailSums *down = clamped ? &part[1].clamped : &part[1].whole;
	double		n = up->n + down->n;

	*mean = (up->s + down->s) / n;
	return (up->p + down->p + up->within + down->within) / n - *mean * *mean;
}

static double
risk_of_frame(const void *of, const DpemTailPart part[2], double low, double high)
{
	double		noise = *(const double *) of;
	double		mean;
	double		bias = dpem_tail_bias(part);
	double		clamped = variance_of(part, true, &mean);
	double		whole = variance_of(part, false, &mean);

	(void) low;
	(void) high;
	return noise * clamped + bias * bias + EXPLAINED * fmax(whole - clamped, 0);
}

/*
 * Where no bin tells where the median is, rows are spread over many: the linear estimate of mean and mean square of rows that may be anywhere, from the
 * first level's bins and what is known of such columns.  Their law may be that of bins which are noise, far too narrow.
 */
static void
locate_spread(const DpemMargins *m, double *center, double *deviation, DpemWorkspace work)
{
	double	   *count = dpem_workspace_take(&work, dpem_margin_bins(&m->grid));
	double		width = 2.0 / m->grid.parts;
	double		rows = dpem_margins_rows(m, m->grid.columns - 1);
	double		variance[DPEM_MARGINS_MAX_LEVELS];
	double		mean = 0;
	double		square = 0;
	double		mean_noise = 0;
	double		square_noise = 0;

	dpem_margins_counts(m, m->grid.columns - 1, count, variance);
	for (int b = 0; b < m->grid.parts; b++)
	{
		double		x = (b + 0.5) * width - 1;

		mean += x * count[b] / rows;
		square += (x * x - ANYWHERE) * count[b] / rows;
		mean_noise += x * x * variance[0] / (rows * rows);
		square_noise += pow(x * x - ANYWHERE, 2) * variance[0] / (rows * rows);
	}
	*center = fmin(fmax(mean * MEAN_VARIANCE / (MEAN_VARIANCE + mean_noise), -1), 1);
	square = ANYWHERE + square * SQUARE_VARIANCE / (SQUARE_VARIANCE + square_noise);
	*deviation = sqrt(fmax(square - *center * *center, LEAST_SPREAD * LEAST_SPREAD));
}

/*
 * By tails, or, where no bin tells where the median is, by all of the first level's.  Returns the width of the bin that has the median, 0 of hidden
 * ones.
 */
static double
locate_by_bins(const DpemMargins *m, double noise, double *center, double *deviation, DpemWorkspace work)
{
	DpemColumnTail tail[2];
	DpemTailPart part[2];
	double		low;
	double		high;

	switch (find_tails(m, FRAME_AGAIN, tail, work))
	{
		case NOWHERE_SEEN:
			locate_spread(m, center, deviation, work);
			return 2;
		case ONES_HIDDEN:
			find_spread(m, center, deviation, work);
			return 0;
		default:
			break;
	}
	dpem_tail_ends(tail, risk_of_frame, &noise, &low, &high, part);
	*deviation = sqrt(variance_of(part, true, center));
	return tail[0].edge[1] - tail[0].edge[0];
}

void
dpem_target_locate(const DpemMargins *m, double noise, double *center, double *deviation, DpemWorkspace work)
{
	double	   *p = dpem_workspace_take(&work, dpem_margin_level_bins(&m->grid, m->grid.levels - 1));
	double		core = locate_by_bins(m, noise, center, deviation, work);
	double		mean;
	double		variance;

	if (!(core > 0) || !m->regressed || !dpem_margins_law(m, m->grid.columns - 1, p, work))
		return;
	dpem_margins_law_moments(&m->grid, p, &mean, &variance);
	if (*deviation < sqrt(variance) || (core < WIDE_CORE * sqrt(variance) && *deviation > 2.0 / m->grid.parts))
		return;
	*center = mean;
	*deviation = sqrt(core > WIDE_CORE * sqrt(variance) ? variance : *deviation * sqrt(variance));
}

double
dpem_target_within(double released, double sd)
{
	double		highest = fmin(fmax(released, -1), 1);
	double		low = fmax(highest - WITHIN_REACH * sd, -1);
	double		high = fmin(highest + WITHIN_REACH * sd, 1);
	double		sum = 0;
	double		weights = 0;

	for (int i = 0; sd > 0 && i < WITHIN_POINTS; i++)
	{
		double		at = low + (high - low) * (i + 0.5) / WITHIN_POINTS;
		double		weight = exp(((highest - released) * (highest - released) - (at - released) * (at - released)) / (2 * sd * sd));

		sum += weight * at;
		weights += weight;
	}
	return weights > 0 ? sum / weights : highest;
}

/* ---- the mean alone ---- */

#define NOWHERE	0.2				/* of the rows, noise in a first-level bin: with more no bin tells anything (core/linreg/linreg_rules.c) */

static double
risk_of_mean(const void *of, const DpemTailPart part[2], double low, double high)
{
	double		noise = *(const double *) of * (high - low) / 2;
	double		bias = dpem_tail_bias(part);

	return noise * noise + bias * bias;
}

/* from the center to where a clamp of a mean is narrowed to; noise: in the sum of numbers up to 1, over the rows */
static double
reach_of(double deviation, double noise)
{
	return deviation * fmax(dpem_target_reach, HIDDEN_TAIL / noise);
}

/* [*low, *high] as far as it is in another range, if it is in that at all */
static void
narrow(double from, double to, double *low, double *high)
{
	if (fmin(*high, to) <= fmax(*low, from))
		return;
	*low = fmax(*low, from);
	*high = fmin(*high, to);
}

/*
 * The clamp that costs least (as that of averages, core/statistics/clamp_choice.h) has all rows that tails may have; the law that is shown has none that
 * noise hides, but may be that of a bin which is noise, unless a clamp of bins that are seen (column_clamp.h) is not the whole box either.
 */
void
dpem_target_clamp(const DpemMargins *m, double sum_sd, double rows, double *low, double *high, DpemWorkspace work)
{
	double		noise = sum_sd / rows;
	double		center;
	double		deviation;
	double		reach;
	bool		seen;
	DpemColumnTail tail[2];
	DpemTailPart part[2];

	dpem_column_clamp(m, m->grid.columns - 1, low, high, work);
	seen = *high - *low < 2;
	*low = -1;
	*high = 1;
	if (find_tails(m, 1, tail, work) == TAILS_SEEN)
		dpem_tail_ends(tail, risk_of_mean, &noise, low, high, part);
	find_spread(m, &center, &deviation, work);
	reach = reach_of(deviation, noise);
	if (seen)
		narrow(center - reach, center + reach, low, high);
}

void
dpem_target_add_release(int n, const double *value, double sd, double *mean, double *mean_sd)
{
	double		share = *mean_sd * *mean_sd / (sd * sd + *mean_sd * *mean_sd);

	for (int i = 0; i < n; i++)
		mean[i] += share * (value[i] - mean[i]);
	*mean_sd *= sqrt(1 - share);
}

bool
dpem_target_is_nowhere(const DpemMarginGrid *grid, double sd, double rows)
{
	return sd / dpem_margin_mark(grid, 0) > NOWHERE * rows;
}

DpemTargetMean
dpem_target_find_mean(const DpemMargins *margins, double sum_sd, double public_rows, DpemWorkspace work)
{
	DpemTargetMean mean = {
		.rows = margins->rows,.rows_sd = margins->rows == public_rows ? 0 : margins->counted_sd,.counted = margins->counted,.counted_sd = margins->counted_sd
	};
	double		center;
	double		low = -1;
	double		high = 1;

	find_spread(margins, &center, &mean.deviation, work);
	if (!dpem_target_is_nowhere(&margins->grid, margins->released->sum_sd, mean.rows))
		dpem_column_clamp(margins, 0, &low, &high, work);
	if (high - low < 2)
	{
		double		reach = reach_of(mean.deviation, sum_sd / mean.rows);

		/* where noise has the center elsewhere, the clamp is all that is known */
		narrow(center - reach, center + reach, &low, &high);
	}
	mean.middle = low / 2 + high / 2;
	mean.reach = high / 2 - low / 2;
	mean.deviation = fmin(mean.deviation, mean.reach);
	return mean;
}

void
dpem_target_add_sum(DpemTargetSums *sums, double middle, double sum, double sd)
{
	double		weight = 1 / (sd * sd);
	double		along = middle - sums->middle;

	sums->weight += weight;
	sums->middle += weight / sums->weight * along;
	sums->sum += weight / sums->weight * (sum - sums->sum);
	sums->spread += weight * along * (middle - sums->middle);
	sums->together += weight * along * (sum - sums->sum);
}

/* a sum falls by the number of rows as its middle grows; sd: what is known of their number, and then is */
static double
rows_of(const DpemTargetMean *mean, const DpemTargetSums *sums, double *sd)
{
	double		before = 1 / (*sd * *sd);

	if (*sd == 0)
		return mean->rows;
	*sd = 1 / sqrt(sums->spread + before);
	return fmax((before * mean->rows - sums->together) / (sums->spread + before), *sd);
}

double
dpem_target_mean_of(const DpemTargetMean *mean, const DpemTargetSums *sums, double *noise)
{
	double		sd = mean->rows_sd;
	double		rows = rows_of(mean, sums, &sd);
	double		part = sums->sum / rows;

	*noise = hypot(1 / sqrt(sums->weight), fmin(fabs(part), mean->reach) * sd) / rows;
	return mean->middle + mean->reach * dpem_target_within((sums->middle + part - mean->middle) / mean->reach, *noise / mean->reach);
}

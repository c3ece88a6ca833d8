/*
 * clamp_choice.c - see clamp_choice.h.
 */
#include <math.h>

#include "core/columns/tail_ends.h"
#include "core/statistics/clamp_choice.h"

typedef struct Choice
{
	const DpemStatistic *statistic;
	const double *sd;
	double		rows;
	double		origin;			/* of sums, the middle of the domain in its half-widths */
	DpemColumnTail tail[2];
} Choice;

/* of the rows' places as the tails have them, clamped or not; the middle of a window is that of all its rows */
static double
variance_of(const DpemTailPart part[2], bool clamped, double *mean)
{
	const DpemTailSums *up = clamped ? &part[0].clamped : &part[0].whole;
	const DpemTailSums *down = clamped ? &part[1].clamped : &part[1].whole;
	double		n = part[0].whole.n + part[1].whole.n;

	*mean = (up->s + down->s) / n;
	return (up->p + down->p) / n - *mean * *mean;
}

/* in an average, or in a sum over the number of rows */
static double
noise_of_sum(const Choice *c, const DpemTailPart part[2], double low, double high)
{
	double		n = part[0].whole.n + part[1].whole.n;
	double		half = (high - low) / 2;
	double		middle = (high + low) / 2;
	double		mean = (part[0].clamped.s + part[1].clamped.s) / n;
	double		from_count = c->statistic->per_row ? mean - middle : c->origin + middle;

	return hypot(half * c->sd[DPEM_PART_SUM], from_count * c->sd[DPEM_PART_COUNT]) / c->rows;
}

/* in a variance: scatter_variance's of statistic.c, over n^2 */
static double
noise_of_variance(const Choice *c, const DpemTailPart part[2], double low, double high)
{
	double		half2 = (high - low) * (high - low) / 4;
	double		mean;
	double		variance = variance_of(part, true, &mean);
	double		y = mean - (high + low) / 2;
	double		from_sum = 2 * y * sqrt(half2) * c->sd[DPEM_PART_SUM];
	double		from_count = (y * y - variance) * c->sd[DPEM_PART_COUNT];

	return hypot(hypot(half2 * c->sd[DPEM_PART_SECOND], from_count), from_sum) / c->rows;
}

/* of an average, of a sum over the number of rows, or of a variance, by the rows expected beyond the ends */
static double
bias_of(const Choice *c, const DpemTailPart part[2])
{
	double		mean;

	if (c->statistic->second == DPEM_SECOND_NONE)
		return dpem_tail_bias(part);
	return variance_of(part, false, &mean) - variance_of(part, true, &mean);
}

static double
risk_of(const void *of, const DpemTailPart part[2], double low, double high)
{
	const Choice *c = of;
	double		noise = c->statistic->second == DPEM_SECOND_NONE ? noise_of_sum(c, part, low, high) : noise_of_variance(c, part, low, high);
	double		bias = bias_of(c, part);

	return noise * noise + bias * bias;
}

size_t
dpem_statistic_clamp_work(const DpemMarginGrid *grid)
{
	return dpem_column_tails_work(grid);
}

DpemClamp
dpem_statistic_clamp(const DpemMargins *margins, const DpemStatistic *statistic, const DpemStatisticScale *domain,
					 const double sd[DPEM_STATISTIC_PARTS], DpemWorkspace work)
{
	Choice		c = {.statistic = statistic,.sd = sd,.rows = dpem_margins_rows(margins, 0)};
	DpemClamp	clamp = {-1, 1, 0};
	DpemTailPart part[2];

	c.origin = domain->half[0] > 0 ? domain->middle[0] / domain->half[0] : 0;
	if (!dpem_column_tails(margins, 0, 1, c.tail, work) || dpem_tails_hide_ones(margins, 0, c.tail))
		return clamp;
	dpem_tail_ends(c.tail, risk_of, &c, &clamp.low, &clamp.high, part);
	clamp.bias = bias_of(&c, part) * (statistic->per_row ? 1 : c.rows);
	return clamp;
}

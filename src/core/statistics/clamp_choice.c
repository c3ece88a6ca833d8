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

/* noise^2 + bias^2 of a sum over the number of rows, or of an average */
static double
risk_of_sum(const Choice *c, const DpemTailPart part[2], double low, double high)
{
	double		n = part[0].whole.n + part[1].whole.n;
	double		half = (high - low) / 2;
	double		middle = (high + low) / 2;
	double		mean = (part[0].clamped.s + part[1].clamped.s) / n;
	double		from_count = c->statistic->per_row ? mean - middle : c->origin + middle;
	double		noise = hypot(half * c->sd[DPEM_PART_SUM], from_count * c->sd[DPEM_PART_COUNT]) / c->rows;
	double		bias = dpem_tail_bias(part);

	return noise * noise + bias * bias;
}

/* the same of a variance: noise is scatter_variance's of statistic.c, over n^2 */
static double
risk_of_variance(const Choice *c, const DpemTailPart part[2], double low, double high)
{
	double		n = part[0].whole.n + part[1].whole.n;
	double		half2 = (high - low) * (high - low) / 4;
	double		mean = (part[0].clamped.s + part[1].clamped.s) / n;
	double		whole = (part[0].whole.s + part[1].whole.s) / n;
	double		variance = (part[0].clamped.p + part[1].clamped.p) / n - mean * mean;
	double		y = mean - (high + low) / 2;
	double		from_sum = 2 * y * sqrt(half2) * c->sd[DPEM_PART_SUM];
	double		from_count = (y * y - variance) * c->sd[DPEM_PART_COUNT];
	double		noise = hypot(hypot(half2 * c->sd[DPEM_PART_SECOND], from_count), from_sum) / c->rows;
	double		bias = (part[0].whole.p + part[1].whole.p) / n - whole * whole - variance;

	return noise * noise + bias * bias;
}

static double
risk_of(const void *of, const DpemTailPart part[2], double low, double high)
{
	const Choice *c = of;

	return c->statistic->second == DPEM_SECOND_NONE ? risk_of_sum(c, part, low, high) : risk_of_variance(c, part, low, high);
}

size_t
dpem_statistic_clamp_work(const DpemMarginGrid *grid)
{
	return dpem_column_tails_work(grid);
}

void
dpem_statistic_clamp(const DpemMargins *margins, const DpemStatistic *statistic, const DpemStatisticScale *domain,
					 const double sd[DPEM_STATISTIC_PARTS], double *low, double *high, DpemWorkspace work)
{
	Choice		c = {.statistic = statistic,.sd = sd,.rows = dpem_margins_rows(margins, 0)};
	DpemTailPart part[2];

	c.origin = domain->half[0] > 0 ? domain->middle[0] / domain->half[0] : 0;
	*low = -1;
	*high = 1;
	if (dpem_column_tails(margins, 0, 1, c.tail, work) && !dpem_tails_hide_ones(margins, 0, c.tail))
		dpem_tail_ends(c.tail, risk_of, &c, low, high, part);
}

/*
 * evaluate_tables.c - see evaluate_tables.h.
 */
#include <math.h>

#include "core/evaluation/evaluate_metrics.h"
#include "core/evaluation/evaluate_tables.h"

#define CERTAIN	4				/* deviations of the noise that the number of rows is above */
#define STEPS	60				/* of a search that halves */
#define FOLDED	0.79788456080286535588	/* sqrt(2 / pi) = E|Z| */

/* of differences, in rows */
typedef struct Differences
{
	double		cells;
	double		tables;
	double		sum;			/* of |difference + noise| */
	double		square;			/* of its square */
} Differences;

/* E|x + Z|, x >= 0 */
static double
folded_mean(double x)
{
	return x * erf(x / M_SQRT2) + FOLDED * exp(-x * x / 2);
}

/* the x >= 0 of that mean; 0 for what is no mean */
static double
unfold(double mean)
{
	double		low = 0;
	double		high = fmax(mean, 0);

	for (int i = 0; i < STEPS; i++)
	{
		double		middle = (low + high) / 2;

		*(folded_mean(middle) < mean ? &low : &high) = middle;
	}
	return mean > FOLDED ? (low + high) / 2 : 0;
}

/* the x that a standard normal number exceeds with probability p < 1/2 */
static double
normal_upper(double p)
{
	double		low = 0;
	double		high = 40;

	for (int i = 0; i < STEPS; i++)
	{
		double		middle = (low + high) / 2;

		*(erfc(middle / M_SQRT2) / 2 > p ? &low : &high) = middle;
	}
	return (low + high) / 2;
}

/* ---- rows ---- */

void
dpem_evaluate_tables_rows(const DpemEvaluateTables *t, DpemStatisticValue *out)
{
	const double *count = t->count;
	double		precision = 0;	/* in units of 1 / sd^2 */
	double		rows = 0;

	for (int i = 0; i < t->tables; i++)
	{
		for (int c = 0; c < t->cells[i]; c++)
			rows += count[c] / t->cells[i];
		precision += 1.0 / t->cells[i];
		count += t->cells[i];
	}
	out->value = rows / precision;
	out->sd = t->sd / sqrt(precision);
	out->lower = out->value - DPEM_NORMAL_975 * out->sd;
	out->upper = out->value + DPEM_NORMAL_975 * out->sd;
	out->rows = 0;
}

/* ---- distances ---- */

static Differences
differences_of(const double *count, const double *share, int cells, double rows)
{
	Differences d = {cells, 1, 0, 0};

	for (int c = 0; c < cells; c++)
	{
		double		off = count[c] - share[c] * rows;

		d.sum += fabs(off);
		d.square += off * off;
	}
	return d;
}

/* of a part p of the differences, normal with variance v, and others that are nothing: p sqrt(2 v / pi) of each */
static double
expected_sum(const Differences *d, double sd)
{
	double		square = d->square / d->cells - sd * sd;	/* p v */
	double		excess = d->sum / d->cells / FOLDED - sd;	/* p (sqrt(sd^2 + v) - sd) */
	double		variance;

	if (!(square > 0) || !(excess > 0))
		return 0;
	variance = (square / excess - sd) * (square / excess - sd) - sd * sd;
	return d->cells * FOLDED * (variance > square ? square / sqrt(variance) : sqrt(square));
}

/* of the noisy sum: the differences' variances are at most sd^2 each, and what their squares leave of that */
static double
sum_deviation(const Differences *d, const DpemStatisticValue *rows, double sd)
{
	double		variance = fmin(d->cells * sd * sd, fmax(d->square - d->sum * d->sum / d->cells, 0));

	return sqrt(variance) + d->tables * rows->sd;
}

/* deviations of the noise below and above the sum */
typedef struct Reach
{
	double		below;
	double		above;
} Reach;

/* the least sum of |difference| that the noisy one allows */
static double
least_sum(const Differences *d, double sd, double reach)
{
	return fmax(d->sum - d->cells * FOLDED * sd - reach, 0);
}

/* half the sum of |difference| over the rows of all tables */
static DpemStatisticValue
distance_of(const Differences *d, const DpemStatisticValue *rows, double sd, Reach reach)
{
	double		deviation = sum_deviation(d, rows, sd);
	double		least = least_sum(d, sd, reach.below * deviation);
	double		most = sd > 0 ? d->cells * sd * unfold((d->sum + reach.above * deviation) / (d->cells * sd)) : d->sum;
	double		scale = 2 * d->tables;
	DpemStatisticValue v = {0};

	v.lower = fmin(least / (scale * (rows->value + reach.below * rows->sd)), 1);
	v.upper = fmin(most / (scale * (rows->value - reach.above * rows->sd)), 1);
	v.upper = fmax(v.upper, v.lower);
	v.value = fmin(fmax((sd > 0 ? expected_sum(d, sd) : d->sum) / (scale * rows->value), v.lower), v.upper);
	v.sd = deviation / (scale * rows->value);
	return v;
}

/*
 * The two ends of the header's inequality are S + m f(0) - m f(S / m) apart, the further the larger S is; 1.96 deviations
 * say how large it is at least, and where they do not, the interval misses it whatever follows.
 */
static Reach
reach_of(const Differences *d, const DpemStatisticValue *rows, double sd)
{
	double		deviation = sum_deviation(d, rows, sd);
	double		each = least_sum(d, sd, DPEM_NORMAL_975 * deviation) / (d->cells * sd);
	double		apart = d->cells * sd * (each + FOLDED - folded_mean(each));
	double		reach = sd > 0 && deviation > 0 ? dpem_evaluate_reach(apart / deviation) : DPEM_NORMAL_975;

	return (Reach) {reach, reach};
}

static void
add(const Differences *d, Differences *all)
{
	all->cells += d->cells;
	all->tables += d->tables;
	all->sum += d->sum;
	all->square += d->square;
}

/* the largest is at least each lower end, all of which hold at once, and at most its own upper one */
static void
take_largest(const DpemStatisticValue *v, DpemStatisticValue *largest)
{
	if (v->value >= largest->value)
	{
		largest->value = v->value;
		largest->sd = v->sd;
	}
	largest->lower = fmax(largest->lower, v->lower);
	largest->upper = fmax(largest->upper, v->upper);
}

void
dpem_evaluate_tables_distance(const DpemEvaluateTables *t, DpemStatisticValue *mean, DpemStatisticValue *largest)
{
	const Reach reach = {normal_upper(0.025 / t->tables), DPEM_NORMAL_975};
	const double *count = t->count;
	const double *share = t->share;
	Differences all = {0};
	DpemStatisticValue rows;

	dpem_evaluate_tables_rows(t, &rows);
	*mean = *largest = (DpemStatisticValue) {0, 1, 0, 1, 0};
	if (!(rows.value > 0) || !(rows.value > fmax(CERTAIN, reach.below) * rows.sd))
		return;
	*largest = (DpemStatisticValue) {0, 0, 0, 0, 0};
	for (int i = 0; i < t->tables; i++)
	{
		Differences d = differences_of(count, share, t->cells[i], rows.value);
		DpemStatisticValue v = distance_of(&d, &rows, t->sd, reach);

		take_largest(&v, largest);
		add(&d, &all);
		count += t->cells[i];
		share += t->cells[i];
	}
	*mean = distance_of(&all, &rows, t->sd, reach_of(&all, &rows, t->sd));
}

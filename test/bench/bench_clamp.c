/*
 * bench_clamp.c - averages and variances with clamp => 'auto' beside the same at the domain, at equal mu: thousands of
 * calls on data nobody tuned to.  Everything but the sampler is what a call does.  Errors are in units of the plain
 * statistic's root mean square: medians and the worst but one in a hundred, each beside the plain one's; then half the
 * clamps' lengths in the domain's, the median error in those of what is asked for, the part of clamps that are far too
 * wide, and the root mean square of what clamps cut off beside that of what is expected of it.
 *
 * Usage: bench_clamp [calls [regex of data]]
 */
#include <regex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clamp_columns.h"
#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "core/numeric/vector.h"
#include "core/statistics/clamp_choice.h"

#define MARGINS_SHARE	0.3		/* DPEM_STATISTIC_CLAMP_SHARE */
#define FAR				10.0	/* times where rows are, or a bin of the finest level and its like beside it: far too wide */

/* rows in box coordinates, ascending, with sums of all up to each, and how many are in each bin of the finest level */
typedef struct Data
{
	int			n;
	double		table;			/* rows, with those that have no value */
	double	   *x;
	double	   *sum;
	double	   *square;
	DpemMarginGrid grid;
	DpemColumnValues values;
	double	   *count;
} Data;

static Data
make_data(Rng *rng, const Column *c)
{
	Data		data = {.n = c->n,.table = c->known > 0 ? rint(c->n / c->known) : c->n,.x = numbers(c->n),.sum = numbers(c->n + 1),.square = numbers(c->n + 1),.grid = dpem_margin_grid(1, 1, 1)};
	int			bins = dpem_margin_level_bins(&data.grid, data.grid.levels - 1);

	data.values = c->lower == 0 && c->upper == 1 ? DPEM_VALUES_ONES : DPEM_VALUES_ANY;
	data.count = numbers(bins);
	memset(data.count, 0, bins * sizeof(double));
	for (int i = 0; i < c->n; i++)
	{
		double		x = (c->value(rng) - c->lower) / (c->upper - c->lower) * 2 - 1;
		int			b;

		data.x[i] = fmin(fmax(x, -1), 1);
		b = (int) ((data.x[i] + 1) / 2 * bins);
		data.count[b < bins ? b : bins - 1]++;
	}
	qsort(data.x, c->n, sizeof(double), dpem_ascending);
	data.sum[0] = data.square[0] = 0;
	for (int i = 0; i < c->n; i++)
	{
		data.sum[i + 1] = data.sum[i] + data.x[i];
		data.square[i + 1] = data.square[i] + data.x[i] * data.x[i];
	}
	return data;
}

static void
free_data(Data *data)
{
	free(data->x);
	free(data->sum);
	free(data->square);
	free(data->count);
}

/* rows below x */
static int
rank_of(const Data *data, double x)
{
	int			low = 0;
	int			high = data->n;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (data->x[middle] < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
release_margins(Rng *rng, const Data *data, double mu, DpemNoisyMoments *m)
{
	int			finest = dpem_margin_level_bins(&data->grid, data->grid.levels - 1);
	int			first = 0;

	m->sum_sd = sqrt(2 / MARGINS_SHARE) / mu;
	for (int l = 0; l < data->grid.levels; l++)
	{
		int			bins = dpem_margin_level_bins(&data->grid, l);
		int			within = finest / bins;

		for (int b = 0; b < bins; b++)
		{
			double		rows = 0;

			for (int i = 0; i < within; i++)
				rows += data->count[b * within + i];
			m->value[(size_t) (first + b) * 2 + 1] = rows * dpem_margin_mark(&data->grid, l) + m->sum_sd * rng_normal(rng);
		}
		first += bins;
	}
}

static const DpemStatisticScale own = {{0}, {1}};

/* of the noise in the parts of a release with so much of mu */
static void
find_noise(const DpemStatistic *statistic, double mu, double sd[DPEM_STATISTIC_PARTS])
{
	double		importance[DPEM_STATISTIC_PARTS];
	double		w[DPEM_STATISTIC_PARTS];
	double		delta;

	statistic->importance(&own, importance);
	dpem_statistic_weights(importance, DPEM_NOISE_GAUSSIAN, 1, 1, true, w);
	delta = sqrt(dpem_joint_sensitivity2(1, w[0], w[1], w[2], true));
	for (int i = 0; i < DPEM_STATISTIC_PARTS; i++)
		sd[i] = w[i] > 0 ? delta / w[i] / mu : 0;
}

/* the statistic of rows clamped to [low, high] by a release with so much of mu */
static double
release_statistic(Rng *rng, const Data *data, const DpemStatistic *statistic, double mu, double low, double high)
{
	double		middle = (low + high) / 2;
	double		half = (high - low) / 2;
	DpemStatisticScale unit = {{middle}, {half}};
	int			from = rank_of(data, low);
	int			to = rank_of(data, high);
	double		sum = data->sum[to] - data->sum[from];
	double		square = data->square[to] - data->square[from];
	double		ends = data->n - to - from;
	DpemStatisticMoments m = {.noise = DPEM_NOISE_GAUSSIAN,.n = data->n};
	DpemStatisticValue out;

	find_noise(statistic, mu, m.sd);
	m.s[0] = (sum - (to - from) * middle) / half + ends;
	m.p = (square - 2 * middle * sum + (to - from) * middle * middle) / (half * half) + (data->n - to + from);
	m.n += m.sd[0] * rng_normal(rng);
	m.s[0] += m.sd[1] * rng_normal(rng);
	m.p += m.sd[2] * rng_normal(rng);
	statistic->estimate(&m, &unit, &out);
	return out.value;
}

typedef struct Errors
{
	double	   *plain;
	double	   *clamped;
	double	   *width;			/* of the clamps */
	double		cut;			/* root mean squares of what the rows beyond them change, */
	double		expected;		/* and of what those that are expected there would */
	double		far;			/* share of the clamps that are more than ten times as long as where all rows are */
	double		truth;			/* in half-widths of the domain, about its middle; a variance in their squares */
} Errors;

static void
measure(Rng *rng, const Data *data, const DpemStatistic *statistic, double mu, int calls, Errors *e)
{
	DpemNoisyMoments m = {.layout = {dpem_margin_bins(&data->grid), 1, DPEM_SECOND_NONE}};
	double		mean = data->sum[data->n] / data->n;
	double		truth = strcmp(statistic->name, "avg") == 0 ? mean
		: (data->square[data->n] - data->n * mean * mean) / (data->n - 1);
	size_t		size = dpem_statistic_clamp_work(&data->grid);
	double	   *work = numbers(size);
	double		sd[DPEM_STATISTIC_PARTS];

	find_noise(statistic, mu * sqrt(1 - MARGINS_SHARE), sd);
	e->far = e->cut = e->expected = 0;
	e->truth = strcmp(statistic->name, "avg") == 0 ? 1 + mean : truth;
	m.value = numbers((size_t) dpem_margin_bins(&data->grid) * 2);
	memset(m.value, 0, (size_t) dpem_margin_bins(&data->grid) * 2 * sizeof(double));
	for (int i = 0; i < calls; i++)
	{
		DpemMargins margins;
		DpemClamp	clamp;

		release_margins(rng, data, mu, &m);
		margins = dpem_margins_take(&data->grid, &m, data->table);
		margins.values = &data->values;
		clamp = dpem_statistic_clamp(&margins, statistic, &own, sd, (DpemWorkspace) {work, work + size});
		e->width[i] = (clamp.high - clamp.low) / 2;
		e->far += clamp.high - clamp.low > FAR * fmax(data->x[data->n - 1] - data->x[0], 1e-3) ? 1.0 / calls : 0;
		e->cut += pow(release_statistic(rng, data, statistic, INFINITY, clamp.low, clamp.high) - truth, 2) / calls;
		e->expected += clamp.bias * clamp.bias / calls;
		e->clamped[i] = fabs(release_statistic(rng, data, statistic, mu * sqrt(1 - MARGINS_SHARE), clamp.low, clamp.high) - truth);
		e->plain[i] = fabs(release_statistic(rng, data, statistic, mu, -1, 1) - truth);
	}
	e->cut = sqrt(e->cut);
	e->expected = sqrt(e->expected);
	qsort(e->width, calls, sizeof(double), dpem_ascending);
	qsort(e->clamped, calls, sizeof(double), dpem_ascending);
	qsort(e->plain, calls, sizeof(double), dpem_ascending);
	free(m.value);
	free(work);
}

static double
root_mean_square(const double *x, int n)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum / n);
}

static void
report(const char *name, const DpemStatistic *statistic, double epsilon, int calls, const Errors *e)
{
	double		unit = root_mean_square(e->plain, calls);
	int			worst = calls - 1 - calls / 100;

	printf("%-18s %-8s %5g  %8.4f %8.4f  %8.4f %8.4f  %9.6f %9.6f %8.3f %7.4f  %8.4f %8.4f%s\n", name, statistic->name, epsilon,
		   e->clamped[calls / 2] / unit, e->plain[calls / 2] / unit, e->clamped[worst] / unit, e->plain[worst] / unit,
		   e->width[calls / 2], e->width[worst], e->clamped[calls / 2] / e->truth, e->far, e->cut / unit, e->expected / unit,
		   e->clamped[worst] > 1.35 * e->plain[worst] ? " foolish" : 3 * e->clamped[calls / 2] > e->plain[calls / 2] ? " no third" : "");
}

static bool
wanted(const char *name, const char *pattern)
{
	regex_t		regex;
	bool		matches;

	if (pattern == NULL)
		return true;
	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	matches = regexec(&regex, name, 0, NULL, 0) == 0;
	regfree(&regex);
	return matches;
}

static void
measure_column(const Column *column, int calls, Errors *e)
{
	static const double epsilons[] = {0.05, 0.1, 0.5, 1, 4, 20};
	static const char *const names[] = {"avg", "variance"};
	Rng			rng = {1};
	Data		data = make_data(&rng, column);

	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < sizeof(epsilons) / sizeof(epsilons[0]); i++)
		{
			const DpemStatistic *statistic = dpem_statistic_from_name(names[s]);
			double		mu;

			if (dpem_gdp_mu(epsilons[i], 1e-6, &mu) != DPEM_OK)
				continue;
			measure(&rng, &data, statistic, mu, calls, e);
			report(column->name, statistic, epsilons[i], calls, e);
		}
	free_data(&data);
}

int
main(int argc, char **argv)
{
	int			calls = argc > 1 ? atoi(argv[1]) : 200;
	Errors		e = {.plain = numbers(calls),.clamped = numbers(calls),.width = numbers(calls)};

	printf("%-18s %-8s %5s  %8s %8s  %8s %8s  %9s %9s %8s %7s  %8s %8s\n", "data", "", "eps", "median", "plain", "worst", "plain", "width", "widest",
		   "of truth", "far", "cut off", "expected");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
	{
		if (wanted(columns[i].name, argc > 2 ? argv[2] : NULL))
			measure_column(&columns[i], calls, &e);
	}
	free(e.plain);
	free(e.clamped);
	free(e.width);
	return 0;
}

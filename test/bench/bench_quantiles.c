/*
 * bench_quantiles.c - quantiles of a column from counts of bins and by choices: by how many rows each misses its rank, in
 * the mean over all quantiles of a call, beside what the rule supposes of both; simulated with the noise of a call of one column.
 * Groups add nothing: rows are in one of them.  Chooses the constant of core/statistics/quantile_rules.h: for each value of it
 * that is tried, how much larger errors are than those of the better way, in the mean and at worst, and how often the worse one is taken.
 *
 * Usage: bench_quantiles [calls]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/kernel_fixture.h"
#include "core/accounting/accountant.h"
#include "core/accounting/fit_cost.h"
#include "core/statistics/quantile.h"
#include "core/statistics/quantile_rules.h"
#include "core/statistics/quantile_tree.h"
#include "core/statistics/summary.h"

#define BINS	4096
#define CUTS	(64 * BINS)		/* a quarter as many as of a call of few groups: more say nothing more of ranks here */
#define DELTA	1e-6
#define LEVELS	3
/* weights of rows and bins, squared, as families/statistics/summary_plan.c has them */
#define ROWS_WEIGHT	0.3
#define BINS_WEIGHT	2.0

/* ---- columns, on [0, 1) ---- */

static double
uniform(Rng *rng)
{
	return rng_uniform(rng, 0, 1);
}

static double
exponential(Rng *rng)
{
	return -0.15 * log(1 - rng_uniform(rng, 0, 1));
}

static double
tails(Rng *rng)
{
	return 0.005 * pow(1 - rng_uniform(rng, 0, 1), -1 / 1.2);
}

static double
integers(Rng *rng)
{
	return floor(80 * rng_uniform(rng, 0, 1) * rng_uniform(rng, 0, 1)) / 100;
}

static double
zeros(Rng *rng)
{
	return rng_below(rng, 10) < 6 ? 0 : rng_uniform(rng, 0, 1);
}

static double
narrow(Rng *rng)
{
	return 0.4 + 0.003 * rng_normal(rng);
}

static const struct
{
	const char *name;
	double		(*value) (Rng *rng);
}			laws[] = {{"uniform", uniform}, {"exponential", exponential}, {"tails", tails}, {"integers", integers}, {"60 % zeros", zeros}, {"narrow", narrow}};

/* of the rows' bins; below[b]: rows below bin b */
typedef struct Data
{
	int			n;
	double		below[BINS + 1];
} Data;

static void
make_data(Rng *rng, int law, int n, Data *data)
{
	*data = (Data) {.n = n};
	for (int i = 0; i < n; i++)
		data->below[1 + (int) (fmin(fmax(laws[law].value(rng), 0), 1 - 1e-9) * BINS)]++;
	for (int b = 0; b < BINS; b++)
		data->below[b + 1] += data->below[b];
}

/* rows by which the bin of a value, in bins, misses a rank */
static double
miss(const Data *data, double at, double rank)
{
	int			b = (int) fmin(fmax(at, 0), BINS - 1);

	return fmax(fmax(data->below[b] - rank, rank - data->below[b + 1]), 0);
}

/* ---- counts ---- */

typedef struct Counts
{
	DpemSummary summary;
	DpemNoisyMoments released;
} Counts;

static Counts
make_counts(double sensitivity, double z)
{
	Counts		c = {.summary = {.radius = 1,.constant = 1,.rows = sqrt(ROWS_WEIGHT),.levels = LEVELS,.columns = 1}};

	c.summary.column[0] = (DpemSummaryColumn) {.first = 0,.observed = -1,.bins = sqrt(BINS_WEIGHT)};
	(void) dpem_summary_normalise(&c.summary);
	c.released.layout = (DpemMomentLayout) {dpem_summary_components(&c.summary), 2, DPEM_SECOND_NONE};
	c.released.sum_sd = sensitivity * z;
	c.released.value = numbers(dpem_moments_length(&c.released.layout));
	return c;
}

static void
release_counts(Rng *rng, const Data *data, Counts *c)
{
	size_t		record = dpem_moments_record(&c->released.layout);
	double		mark = c->summary.column[0].bins / sqrt(LEVELS);
	double	   *bin = c->released.value + DPEM_SUMMARY_BINS * record + 1;

	c->released.value[DPEM_SUMMARY_KNOWN * record + 2] = c->summary.rows * data->n + c->released.sum_sd * rng_normal(rng);
	for (int l = 0; l < LEVELS; l++)
	{
		int			bins = dpem_summary_level_bins(l);
		int			within = BINS / bins;

		for (int b = 0; b < bins; b++, bin += record)
			*bin = mark * (data->below[(b + 1) * within] - data->below[b * within]) + c->released.sum_sd * rng_normal(rng);
	}
}

static double
error_of_counts(Rng *rng, const Data *data, Counts *c, const double *level, int n)
{
	double		sum = 0;

	release_counts(rng, data, c);
	for (int i = 0; i < n; i++)
	{
		DpemStatisticValue v;

		dpem_summary_quantile(&c->summary, &c->released, 0, level[i], 0, BINS, &v);
		sum += miss(data, v.value, level[i] * data->n) / n;
	}
	return sum;
}

/* dpem_summary_typical_error's, but for the root of the bins in a rank */
static double
typical_of_counts(const Counts *c)
{
	return sqrt(2 / M_PI * LEVELS) * c->released.sum_sd / c->summary.column[0].bins;
}

/* ---- choices ---- */

static double
rows_below(const Data *data, int cut)
{
	int			b = cut / (CUTS / BINS);

	return b == BINS ? data->n : data->below[b] + (data->below[b + 1] - data->below[b]) * (cut % (CUTS / BINS)) / (CUTS / BINS);
}

/* one cut of [first, last], by inversion */
static int
choose(Rng *rng, const Data *data, int first, int last, double level, double scale)
{
	static double weight[CUTS + 1];
	double		outside = rows_below(data, first);
	double		rank = level * (rows_below(data, last) - outside);
	double		sum = 0;

	for (int cut = first; cut <= last; cut++)
		sum += weight[cut - first] = exp(-fabs(rows_below(data, cut) - outside - rank) / scale);
	sum *= rng_uniform(rng, 0, 1);
	for (int cut = first; cut < last; cut++)
		if ((sum -= weight[cut - first]) < 0)
			return cut;
	return last;
}

static double
error_of_choices(Rng *rng, const Data *data, const DpemQuantileTree *tree, const double *level, const double *scale)
{
	int			cut[DPEM_QUANTILES_MAX];
	double		sum = 0;

	for (int depth = 0; depth < tree->depths; depth++)
		for (int i = 0; i < tree->n; i++)
		{
			const DpemQuantileNode *node = &tree->node[i];

			if (node->depth == depth)
				cut[i] = choose(rng, data, node->lower < 0 ? 0 : cut[node->lower], node->upper == tree->n ? CUTS : cut[node->upper],
								(double) node->level / (double) DPEM_QUANTILE_PARTS, scale[depth]);
		}
	for (int i = 0; i < tree->n; i++)
		sum += miss(data, (double) cut[i] / (CUTS / BINS), level[i] * data->n) / tree->n;
	return sum;
}

/* ---- both ---- */

static const double median[] = {0.5};
static const double quartiles[] = {0.25, 0.5, 0.75};
static const double deciles[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
static const double ends[] = {0.01, 0.05, 0.95, 0.99};
static double percentiles[99];

static const struct
{
	const char *name;
	const double *level;
	int			n;
}			sets[] = {{"median", median, 1}, {"quartiles", quartiles, 3}, {"deciles", deciles, 9}, {"ends", ends, 4}, {"percentiles", percentiles, 99}};

static const double epsilons[] = {0.1, 0.5, 2};
static const int sizes[] = {300, 3000, 30000};

#define LAWS	(sizeof(laws) / sizeof(laws[0]))
#define SETS	(sizeof(sets) / sizeof(sets[0]))
#define EPSILONS 3
#define SIZES	3
#define MOST	(LAWS * SETS * EPSILONS * SIZES * 2)

typedef struct Case
{
	double		counts;			/* mean errors */
	double		choices;
	double		typical_counts; /* what is supposed of them */
	double		typical_choices;
} Case;

static Case cases[MOST];
static int	ncases;

static void
plant(int set, DpemQuantileTree *tree)
{
	int64_t		level[DPEM_QUANTILES_MAX];

	for (int i = 0; i < sets[set].n; i++)
		level[i] = dpem_quantile_level(sets[set].level[i]);
	if (!dpem_quantile_tree_init(tree, level, sets[set].n))
		exit(1);
}

static void
measure(Rng *rng, int law, int set, double epsilon, int n, bool replace_one, int calls)
{
	static Data data;
	DpemQuantileTree tree;
	Case	   *c = &cases[ncases++];
	double		scale[DPEM_QUANTILES_MAX];
	double		z[2];
	Counts		counts;

	plant(set, &tree);
	if (dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, epsilon, DELTA, 1, &z[0]) != DPEM_OK ||
		dpem_cost_multiplier(DPEM_COST_CHOICE, DPEM_COMPOSE_EXACT, epsilon, DELTA, tree.depths, &z[1]) != DPEM_OK)
		exit(1);
	counts = make_counts(replace_one ? M_SQRT2 : 1, z[0]);
	*c = (Case) {.typical_counts = typical_of_counts(&counts)};
	for (int d = 0; d < tree.depths; d++)
		scale[d] = z[1] * (double) dpem_quantile_tree_range(&tree, d, 1, replace_one, 1) / (double) DPEM_QUANTILE_PARTS;
	for (int i = 0; i < tree.n; i++)
		c->typical_choices = fmax(c->typical_choices, dpem_quantile_tree_spread(&tree, i, scale));
	for (int call = 0; call < calls; call++)
	{
		make_data(rng, law, n, &data);
		c->counts += error_of_counts(rng, &data, &counts, sets[set].level, sets[set].n) / calls;
		c->choices += error_of_choices(rng, &data, &tree, sets[set].level, scale) / calls;
	}
	printf("| %s | %s | %g | %d | %s | %.1f | %.1f | %.2f | %.1f | %.1f |\n", laws[law].name, sets[set].name, epsilon, n, replace_one ? "replace_one" : "add_remove",
		   c->counts, c->choices, c->choices / fmax(c->counts, 1e-9), c->typical_counts * sqrt(DPEM_QUANTILE_BINS_IN_A_RANK), c->typical_choices);
	free(counts.released.value);
}

/* a tenth of a row more than nothing is as good */
static double
regret(double taken, double other)
{
	return log((taken + 0.1) / (fmin(taken, other) + 0.1));
}

static void
judge(double bins)
{
	double		sum = 0;
	double		worst = 0;
	int			wrong = 0;
	int			choices = 0;

	for (int i = 0; i < ncases; i++)
	{
		bool		chosen = cases[i].typical_choices < cases[i].typical_counts * sqrt(bins);
		double		r = chosen ? regret(cases[i].choices, cases[i].counts) : regret(cases[i].counts, cases[i].choices);

		choices += chosen;
		wrong += r > log(1.1);
		sum += r;
		worst = fmax(worst, r);
	}
	printf("| %g | %d | %.3f | %.2f | %d |\n", bins, choices, exp(sum / ncases), exp(worst), wrong);
}

int
main(int argc, char **argv)
{
	const double tried[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 20, 30, 50, 100};
	int			calls = argc > 1 ? atoi(argv[1]) : 10;
	Rng			rng = {2049};

	for (int i = 0; i < 99; i++)
		percentiles[i] = (i + 1) / 100.0;
	printf("| law | quantiles | ε | rows | adjacency | counts | choices | ratio | counts, supposed | choices, supposed |\n|---|---|---|---|---|---|---|---|---|---|\n");
	for (int law = 0; law < (int) LAWS; law++)
		for (int set = 0; set < (int) SETS; set++)
			for (int e = 0; e < EPSILONS; e++)
				for (int s = 0; s < SIZES; s++)
					for (int replace_one = 0; replace_one < 2; replace_one++)
						measure(&rng, law, set, epsilons[e], sizes[s], replace_one, calls);
	printf("\n%d cases\n\n| bins in a rank | choices are taken | error beside the better way, mean | worst | more than 10 %% worse |\n|---|---|---|---|---|\n", ncases);
	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++)
		judge(tried[i]);
	return 0;
}

/*
 * bench_synth.c - mean total variation distance of all pairs of columns between a table and the model
 * that a fit makes of it (src/core/synth), and seconds; no server.
 *
 *     bench_synth FILE.csv epsilon [seeds [rounds]]
 *
 * FILE: a header (name=categories, or name#bins of a number) and codes from 0; delta 1e-9, add_remove.
 * test/bench/synth_tables.pl writes such files.  Noise here is drawn from a seeded generator: a bench, not a release.
 */
#define _DEFAULT_SOURCE
#include "core/synth/synth_rules.h"
#include "core/synth/synth_use.h"
#include "synth_fit.h"

/* ---- rounds ---- */

static void
find_expected(Fit *fit)
{
	double		start = seconds();

	if (dpem_synth_tables(&fit->model, fit->data->n, fit->data->set, fit->expected) != DPEM_OK)
		printf("no tables\n");
	fit->table_seconds += seconds() - start;
}

static double
gumbel(DpemPublicRandom *random)
{
	return -log(-log(1 - dpem_public_uniform(random)));
}

/* counts of the groups of a table */
static void
coarsen(const DpemSynthLevels *levels, DpemSynthTable table, const int64_t *from, int64_t *to)
{
	size_t		n = (size_t) dpem_synth_cells(levels->domain.size, table.set);
	int		   *place = room(n, sizeof *place);

	dpem_synth_places(levels, table, place);
	memset(to, 0, (size_t) dpem_synth_table_cells(levels, table) * sizeof *to);
	for (size_t i = 0; i < n; i++)
		to[place[i]] += from[i];
	free(place);
}

/* a candidate by the exponential mechanism, range 2 steps under add_remove; false if none is admissible */
static bool
choose(Fit *fit, double limit, const bool *taken, int *chosen, int *level)
{
	const Data *data = fit->data;
	double		best = -INFINITY;
	double		range = 2 * (double) dpem_synth_score_step(1);
	static int64_t coarse[1 << 18];
	static double expected[1 << 18];
	int			first = (int) parameter("LEVEL", 1);

	for (int i = 0; i < data->n; i++)
	{
		if (taken[i] || !dpem_synth_admits(&fit->model, (DpemSynthTable) {data->set[i], 1}, limit))
			continue;
		for (int l = first; l < DPEM_SYNTH_LEVELS; l++)
		{
			DpemSynthTable table = {data->set[i], l};
			double		score;

			coarsen(&fit->levels, table, data->count[i], coarse);
			dpem_synth_spread(&fit->levels, table, fit->expected[i], expected);
			score = (double) dpem_synth_score((size_t) dpem_synth_table_cells(&fit->levels, table), coarse, expected,
											  dpem_synth_bias * fit->measure_sd, 1);
			score = score / range * fit->choice_epsilon + gumbel(&fit->random);
			if (score > best)
			{
				best = score;
				*chosen = i;
				*level = l;
			}
		}
	}
	return best > -INFINITY;
}

static void
measure(Fit *fit, int i, int level)
{
	static int64_t coarse[1 << 18];
	static double noisy[1 << 18];
	DpemSynthTable table = {fit->data->set[i], level};
	size_t		cells = (size_t) dpem_synth_table_cells(&fit->levels, table);

	coarsen(&fit->levels, table, fit->data->count[i], coarse);
	for (size_t c = 0; c < cells; c++)
		noisy[c] = (double) coarse[c] + fit->measure_sd * dpem_public_normal(&fit->random);
	if (dpem_synth_add(&fit->model, table, noisy, fit->measure_sd, NULL) != DPEM_OK)
		printf("not added\n");
	dpem_synth_spread(&fit->levels, table, fit->expected[i], noisy);
	if (getenv("NOLEARN") == NULL)
		dpem_synth_learn_ridge(&fit->model, noisy);
}

static void
refit(Fit *fit, int iterations)
{
	double		start = seconds();
	double		loss;

	dpem_synth_fit(&fit->model, iterations, &loss);
	fit->fit_seconds += seconds() - start;
	if (getenv("VERBOSE") != NULL)
		printf("  %d tables, tree %.0f, loss %.3f, %.2f s\n", fit->model.tables, fit->model.tree_cells, loss,
			   fit->fit_seconds);
}

/* a pair's columns, distance, and the levels at which it was measured */
static void
print_pair(const Fit *fit, int i, double distance)
{
	DpemSynthSet set = fit->data->set[i];

	printf("pair %d %d: %.4f, sizes %d %d, measured", __builtin_ctzll(set), 63 - __builtin_clzll(set), distance,
		   fit->levels.size[1][__builtin_ctzll(set)], fit->levels.size[1][63 - __builtin_clzll(set)]);
	for (int t = 0; t < fit->model.tables; t++)
		if (fit->model.table[t].table.set == set)
			printf(" %d", fit->model.table[t].table.level);
	printf("\n");
}

/* what is known of a candidate set's table, at level 0: of the model, or with its own release */
static void
find_answer(Fit *fit, int i, bool refined, double *table)
{
	DpemSynthSet set = fit->data->set[i];
	int			top = (int) parameter("TOP", DPEM_SYNTH_LEVELS - 1);
	size_t		work = dpem_synth_refine_work(&fit->levels, set);
	double	   *memory;

	dpem_synth_table(&fit->model, (DpemSynthTable) {set, 0}, table);
	if (!refined)
		return;
	memory = room(work, sizeof *memory);
	for (int t = 0; t < fit->model.tables; t++)
		if (fit->model.table[t].table.set == set)
			top = 0;
	dpem_synth_refine(&fit->levels, set, top, fit->released[i], fit->measure_sd, table, (DpemWorkspace) {memory, memory + work});
	free(memory);
}

/* means of what all refined tables say of each column */
static double *
common_sums(Fit *fit)
{
	static double table[1 << 18];
	double	   *sums = room((size_t) fit->levels.offset[fit->data->columns], sizeof *sums);

	for (int i = 0; i < fit->data->n; i++)
	{
		find_answer(fit, i, true, table);
		dpem_synth_add_sums(&fit->levels, fit->data->set[i], table, 1.0 / (fit->data->columns - 1), sums);
	}
	return sums;
}

static double
mean_distance(Fit *fit, bool refined)
{
	const Data *data = fit->data;
	double		sum = 0;
	double	   *sums = refined ? common_sums(fit) : NULL;
	static double table[1 << 18];

	for (int i = 0; i < data->n; i++)
	{
		size_t		cells = (size_t) dpem_synth_cells(data->size, data->set[i]);
		double		distance = 0;

		find_answer(fit, i, refined, table);
		if (refined)
			dpem_synth_rake(&fit->levels, data->set[i], sums, table);
		for (size_t c = 0; c < cells; c++)
			distance += fabs(table[c] / fit->model.total - (double) data->count[i][c] / data->rows);
		sum += distance / 2;
		if (getenv("PAIRS") != NULL)
			print_pair(fit, i, distance / 2);
	}
	free(sums);
	return sum / data->n;
}

static void
run_rounds(Fit *fit)
{
	for (int r = 0; r < fit->plan.rounds; r++)
	{
		bool	   *taken = room((size_t) fit->data->n, sizeof *taken);
		double		limit = dpem_synth_limit(&fit->plan, r);

		find_expected(fit);
		for (int k = 0; k < fit->plan.each; k++)
		{
			int			i = 0;
			int			level = 1;

			if (!choose(fit, limit, taken, &i, &level))
				break;
			if (getenv("VERBOSE") != NULL)
				printf("  round %d: set %llx level %d\n", r, (unsigned long long) fit->data->set[i], level);
			measure(fit, i, level);
			taken[i] = true;
		}
		refit(fit, fit->plan.iterations);
		if (getenv("TRACE") != NULL && r % 10 == 9)
			printf("  after %d: %.4f\n", r + 1, mean_distance(fit, false));
		free(taken);
	}
}

/* ---- all at once ---- */

static void
measure_all(Fit *fit)
{
	const Data *data = fit->data;

	fit->released = room((size_t) data->n, sizeof *fit->released);
	for (int i = 0; i < data->n; i++)
	{
		size_t		cells = (size_t) dpem_synth_cells(data->size, data->set[i]);

		fit->released[i] = room(cells, sizeof(double));
		for (size_t c = 0; c < cells; c++)
			fit->released[i][c] = (double) data->count[i][c] + fit->measure_sd * dpem_public_normal(&fit->random);
	}
}

/* the released table that the model explains worst */
static int
worst_explained(Fit *fit, double limit, const bool *taken)
{
	static double coarse[1 << 18];
	static double variance[1 << 18];
	double		most = -INFINITY;
	int			best = -1;

	for (int i = 0; i < fit->data->n; i++)
	{
		DpemSynthTable table = {fit->data->set[i], 1};
		double		score;

		if (taken[i] || !dpem_synth_admits(&fit->model, table, limit))
			continue;
		dpem_synth_coarsen(&fit->levels, table, fit->released[i], coarse);
		dpem_synth_coarsen_noise(&fit->levels, table, fit->measure_sd, variance);
		score = dpem_synth_misfit((size_t) dpem_synth_table_cells(&fit->levels, table), coarse, variance, fit->expected[i]);
		if (score > most)
		{
			most = score;
			best = i;
		}
	}
	return best;
}

static void
add_rounds(Fit *fit)
{
	bool	   *taken = room((size_t) fit->data->n, sizeof *taken);

	for (int r = 0; r < fit->plan.rounds; r++)
	{
		int			i;

		find_expected(fit);
		i = worst_explained(fit, dpem_synth_limit(&fit->plan, r), taken);
		if (i < 0)
			continue;
		taken[i] = true;
		dpem_synth_add(&fit->model, (DpemSynthTable) {fit->data->set[i], 0}, fit->released[i], fit->measure_sd, NULL);
		dpem_synth_learn_ridge(&fit->model, fit->expected[i]);
		refit(fit, fit->plan.iterations);
		if (getenv("TRACE") != NULL && r % 10 == 9)
			printf("  after %d: %.4f\n", r + 1, mean_distance(fit, false));
	}
	free(taken);
}

static double
run(const Data *data, double epsilon, int rounds, int seed)
{
	Fit			fit = {.data = data,.random = {(uint64_t) seed * 7919 + 1}};
	double		start = seconds();
	double		mu;
	double		model;			/* what rows are drawn from */
	double		distance;
	bool		all;

	dpem_gdp_mu(epsilon, DELTA, &mu);
	fit.domain = (DpemSynthDomain) {data->columns, data->size, data->ordered, NULL};
	if (dpem_synth_schedule(&fit.domain, data->set, data->n, data->rows, mu, rounds, &fit.plan) != DPEM_OK)
		return NAN;
	all = parameter("ALL", fit.plan.at_once) > 0;
	if (!all)
		dpem_synth_schedule(&fit.domain, data->set, 0, data->rows, mu, rounds, &fit.plan);
	fit.plan.at_once = all;
	if (calibrate(&fit, epsilon) != DPEM_OK)
		return NAN;
	fit.expected = room((size_t) data->n, sizeof *fit.expected);
	for (int i = 0; i < data->n; i++)
		fit.expected[i] = room((size_t) dpem_synth_cells(data->size, data->set[i]), sizeof(double));
	take_one_ways(&fit);
	if (getenv("VERBOSE") != NULL)
		for (int j = 0; j < data->columns; j++)
			printf("  column %d: %d %d %d %d\n", j, fit.levels.size[0][j], fit.levels.size[1][j], fit.levels.size[2][j], fit.levels.size[3][j]);
	refit(&fit, fit.plan.last_iterations);
	if (getenv("TRACE") != NULL)
		printf("  mu %.4f sd %.1f %.1f, choice %.1f rows; one-ways: %.4f\n", mu, fit.one_way_sd[0], fit.measure_sd, 2 / fit.choice_epsilon, mean_distance(&fit, false));
	if (all)
	{
		measure_all(&fit);
		add_rounds(&fit);
	}
	else
		run_rounds(&fit);
	refit(&fit, fit.plan.last_iterations);
	model = distance = mean_distance(&fit, false);
	if (all)
		distance = mean_distance(&fit, true);
	printf("epsilon %g rounds %d: %.4f, %.1f s (fit %.1f, tables %.1f), tree %.0f, total %.0f, model %.4f; ", epsilon, fit.plan.rounds, distance,
		   seconds() - start, fit.fit_seconds, fit.table_seconds, fit.model.tree_cells, fit.model.total, model);
	printf("one-way %.4f, pairs %.4f\n", one_ways_alone(data, mu, &fit.random), pairs_at_once(data, mu, &fit.random));
	fflush(stdout);
	return distance;
}

int
main(int argc, char **argv)
{
	Data		data = {0};
	int			seeds = argc > 3 ? atoi(argv[3]) : 3;

	if (argc < 3 || !read_data(argv[1], &data))
	{
		printf("skipped: bench_synth FILE.csv epsilon [seeds [rounds]]\n");
		return 0;
	}
	count_all(&data);
	for (int s = 1; s <= seeds; s++)
		run(&data, atof(argv[2]), argc > 4 ? atoi(argv[4]) : 0, s);
	return 0;
}

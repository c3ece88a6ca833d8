/*
 * bench_gam.c - additive models of a table, many fits of it without a server: passes, budget, rounding to integers and the
 * sampler of the noise are those of dp_gam_fit by default (src/families/gam/gam_fit.c), delta 1e-6, add_remove or,
 * with ADJACENCY=replace_one, that.  Its bytes are seeded: a bench, not a release.
 *
 *     [ADJACENCY=replace_one] [BINS=apart] bench_gam FILE.csv [seeds [epsilons...]]
 *
 * Where BINS are asked for, none are joined, and no model is the mean or the shares alone.
 *
 * For each fit what it is worth on rows held out: AUC, accuracy of more than two classes, R squared of a number; log loss;
 * seconds; and the intercept (of several classes the first one's) with its noise as the model has it.  Epsilon 0 stands for the
 * shares of the classes, or the mean, alone, inf for the same model without noise.
 * test/bench/gam_tables.pl writes such files.
 */
#define _DEFAULT_SOURCE
#include <time.h>

#include "../unit/seeded_source.h"
#include "core/accounting/sensitivity.h"
#include "core/gam/gam_estimate.h"
#include "core/gam/gam_join.h"
#include "core/gam/gam_rules.h"
#include "gam_budget.h"
#include "gam_data.h"
#include "gam_fit.h"
#include "core/gam_search/gam_search.h"
#include "gam_alone.h"

#define CONVERGED		1e-11	/* as gam_fit.c has them */

static int
updates_of(const Fit *fit, int pass)
{
	return dpem_gam_updates(fit->sd[0] > 0, fit->data->shape.targets, 0, pass);
}

/* true where nothing changes any more */
static bool
estimate(Fit *fit, int pass)
{
	double		change = 0;
	double		size = 0;

	for (int s = 0; s < fit->scores; s++)
	{
		double	   *coefficient = fit->coefficient + (size_t) s * fit->rows.n;

		if (dpem_gam_estimate(&fit->rows, updates_of(fit, pass), &fit->score[s], fit->work) != DPEM_OK)
			exit(1);
		for (int i = 0; i < fit->rows.n; i++)
		{
			change = fmax(change, fabs(fit->score[s].mean[i] - coefficient[i]));
			size = fmax(size, fabs(fit->score[s].mean[i]));
			coefficient[i] = fit->score[s].mean[i];
		}
	}
	dpem_gam_update_dispersion(&fit->rows, &fit->score[0], pass, fit->work.next);
	return fit->sd[0] == 0 && updates_of(fit, pass) == 0 && change <= CONVERGED * size;
}

static void
locate(Fit *fit)
{
	DpemMarginGrid grid = dpem_margin_grid(1, 1, 1);
	size_t		length = dpem_gam_locate_work(&grid);
	double	   *work = zeros(length);
	DpemNoisyMoments m;
	fit->rows.shape.margins = grid;
	m = release(fit, 2);
	fit->rows.window = dpem_gam_locate(&m, &grid, fit->replace ? fit->data->part[0].rows : 0, DPEM_VALUES_TAIL, (DpemWorkspace) {work, work + length});
	fit->rows.shape.bins_middle = fit->rows.window.middle;
	fit->rows.shape.bins_half = fit->rows.window.half;
	free(work);
	fit->margins = m.value;
	fit->margins_sd = m.count_sd;
}

/* as gam_mean.c has it */
static bool
is_hidden(const Fit *fit)
{
	return fit->margins != NULL && getenv("BINS") == NULL && dpem_gam_hides(dpem_gam_target_noise(&fit->data->shape, fit->sd[0]), &fit->rows.window);
}

static void
run_first(Fit *fit)
{
	DpemNoisyMoments m = release(fit, 0);

	dpem_gam_take_rows(&m, fit->replace ? fit->data->part[0].rows : 0, &fit->rows, fit->work);
	for (int s = 0; s < fit->scores; s++)
		dpem_gam_start(&fit->rows, &m, s, &fit->score[s]);
	free(m.value);
}

static void
estimate_first(Fit *fit)
{
	if (!fit->cleaned && dpem_gam_clean_pairs(&fit->rows, fit->work) != DPEM_OK)
		exit(1);
	fit->cleaned = true;
	for (int s = 0; s < fit->scores; s++)
		dpem_gam_start_curvature(&fit->rows, &fit->score[s]);
	estimate(fit, 1);
	for (int s = 0; s < fit->scores; s++)
		if (fit->score[s].together != NULL)
			dpem_gam_forget_start(&fit->rows, &fit->score[s]);
}

static double
gradient_noise(const Fit *fit)
{
	return fit->sd[1] / dpem_gam_gradient_mark(&fit->data->shape) / sqrt(fit->passes - 1);
}

/* as gam_run.c joins them, once rows are counted */
static void
join(Fit *fit)
{
	Fit			before = *fit;
	double	   *joined = zeros((size_t) fit->rows.n);
	double		excess_sd[DPEM_GAM_MAX_CLASSES];
	double	   *excess[DPEM_GAM_MAX_CLASSES];
	DpemGamSeen told = {.n = fit->rows.n,.count = fit->rows.count,.scores = fit->scores,.excess = excess,.excess_sd = excess_sd};
	DpemGamRows all;
	DpemGamShape seen;

	told.noise = gradient_noise(fit);
	dpem_gam_see_rows(&fit->rows, 1, &told);
	told.bins = dpem_gam_bins_wanted(&fit->rows, told.told, told.noise);
	for (int s = 0; s < fit->scores; s++)
	{
		excess[s] = zeros((size_t) fit->rows.n);
		excess_sd[s] = dpem_gam_excess(&fit->rows, &fit->score[s], excess[s]);
	}
	memcpy(fit->column, fit->data->column, sizeof fit->column);
	dpem_gam_join_cells(fit->data->shape.columns, fit->column, &told, joined);
	fit->joined = fit->data->shape;
	fit->joined.column = fit->column;
	fit->joined.joined = joined;
	all = (DpemGamRows) {.n = dpem_gam_seen_cells(&fit->joined)};
	told.pairs = all.second = zeros((size_t) all.n * (size_t) all.n);
	dpem_gam_join_pairs(&fit->rows, &fit->joined, all.n, all.second);
	if (!fit->cleaned && dpem_gam_clean_pairs(&all, fit->work) != DPEM_OK)
		exit(1);
	fit->cleaned = true;
	dpem_gam_leave_out(fit->data->shape.columns, fit->column, &told, joined);
	for (int s = 0; s < fit->scores; s++)
		free(excess[s]);
	if (!dpem_gam_are_joined(fit->data->shape.columns, fit->column))
	{
		fit->joined = (DpemGamShape) {.columns = 0};
		memcpy(fit->rows.second, all.second, (size_t) all.n * (size_t) all.n * sizeof(double));
		free(all.second);
		free(joined);
		return;
	}
	seen = dpem_gam_seen_shape(&fit->joined, fit->seen_column);
	for (int c = 0; c < seen.columns; c++)
		fit->offset[c + 1] = fit->offset[c] + dpem_gam_column_cells(&seen.column[c]);
	for (int c = 0, at = 0; c < fit->data->shape.columns; at += fit->column[c++].joined > 0)
		for (int i = fit->data->offset[c]; i < fit->data->offset[c + 1]; i++)
			fit->place[i] = fit->column[c].joined > 0 ? fit->offset[at] + (int) joined[i] : -1;
	create_rows(fit, &seen, fit->offset);
	dpem_gam_join_rows(&before.rows, &fit->joined, &fit->rows);
	dpem_gam_keep_pairs(&fit->joined, all.n, all.second, &fit->rows);
	free(all.second);
	for (int s = 0; s < fit->scores; s++)
	{
		size_t		n = (size_t) fit->rows.n;
		DpemGamScore *score = &fit->score[s];

		if (fit->rows.shape.targets > 1)
		{
			dpem_gam_join_start(&before.rows, &fit->joined, &before.score[s], &fit->rows, score, zeros(n));
			continue;
		}
		score->scale = before.score[s].scale;
		dpem_gam_join_mean(&before.rows, &fit->joined, before.score[s].mean, &fit->rows, score->mean);
		memcpy(fit->coefficient + s * n, score->mean, n * sizeof(double));
		memcpy(score->here, fit->rows.second, n * n * sizeof(double));
	}
	destroy_rows(fit->scores, before.score, &before.rows);
	free(before.coefficient);
}

static bool
run_later(Fit *fit, int pass)
{
	bool		exact = fit->sd[0] == 0 && fit->data->shape.targets == 2;
	DpemNoisyMoments curvature = exact ? release(fit, 0) : (DpemNoisyMoments) {.value = NULL};
	DpemNoisyMoments m;

	dpem_gam_curvature(&fit->rows, exact ? &curvature : NULL, fit->score, fit->weights);
	m = release(fit, 1);
	for (int s = 0; s < fit->scores; s++)
		if (dpem_gam_take_gradient(&fit->rows, &m, 1, s, pass - 1, &fit->score[s], fit->work) != DPEM_OK)
			exit(1);
	free(curvature.value);
	free(m.value);
	return estimate(fit, pass);
}

static void
no_pause(void)
{
}

/* several classes without noise, as gam_minimum.c has it */
static void
run_minimum(Fit *fit)
{
	size_t		length = dpem_gam_search_work(&fit->rows, fit->scores);
	double	   *room = zeros(length);
	DpemGamSearch search;
	DpemStatus	status = dpem_gam_search_begin(&search, &fit->rows, fit->score, fit->scores, true, no_pause, (DpemWorkspace) {room, room + length});

	for (int pass = 2; pass <= fit->passes && status == DPEM_OK && !search.minimum.found; pass++)
	{
		DpemNoisyMoments m;

		dpem_gam_search_at(&search, fit->coefficient);
		m = release(fit, 1);
		status = dpem_gam_search_take(&search, &m, fit->coefficient);
		free(m.value);
	}
	if (status != DPEM_OK)
		exit(1);
	free(room);
}

static Worth
worth_of(const Fit *fit, double *score)
{
	const Part *test = &fit->data->part[1];

	return fit->data->shape.targets == 1 ? worth_of_number(test, score) : fit->scores == 1 ? worth_of_two(test, score) : worth_of_several(test, fit->scores, score);
}

/* the same scores of all rows */
static Worth
evaluate_alone(const Fit *fit, const double *alone)
{
	int			rows = fit->data->part[1].rows;
	double	   *score = zeros((size_t) rows * fit->scores);
	Worth		worth;

	for (int i = 0; i < rows * fit->scores; i++)
		score[i] = alone[i % fit->scores];
	worth = worth_of(fit, score);
	free(score);
	return worth;
}

/* scores of the rows held out, by what a model keeps */
static Worth
evaluate(Fit *fit)
{
	const Part *test = &fit->data->part[1];
	double	   *score = zeros((size_t) test->rows * fit->scores);
	DpemGamResult result = {.contribution = zeros((size_t) fit->rows.n),.sd = zeros((size_t) fit->rows.n),.noise = zeros((size_t) fit->rows.n)};
	Worth		worth;

	for (int s = 0; s < fit->scores; s++)
	{
		if (dpem_gam_finish(&fit->rows, &fit->score[s], &result, fit->work) != DPEM_OK)
			exit(1);
		if (s == 0)
		{
			fit->intercept = result.intercept;
			fit->intercept_noise = result.intercept_noise;
		}
		for (int r = 0; r < test->rows; r++)
		{
			double	   *sum = score + (size_t) r * fit->scores + s;

			*sum = result.intercept;
			for (int c = 0; c < fit->data->shape.columns; c++)
			{
				int			place = fit->place[test->cell[(size_t) r * fit->data->shape.columns + c]];

				*sum += place < 0 ? 0 : result.contribution[place];
			}
		}
	}
	worth = worth_of(fit, score);
	free(score);
	free(result.contribution);
	free(result.sd);
	free(result.noise);
	return worth;
}

static Worth
run_passes(Fit *fit)
{
	bool		converged = false;

	if (fit->sd[2] > 0)
		locate(fit);
	if (is_hidden(fit))
	{
		run_mean(fit);
		return evaluate_alone(fit, &fit->intercept);
	}
	run_first(fit);
	if (fit->sd[0] > 0 && getenv("BINS") == NULL)
	{
		if (dpem_gam_hides_classes(&fit->rows, gradient_noise(fit)))
		{
			double	   *alone = run_shares(fit);
			Worth		worth = evaluate_alone(fit, alone);

			free(alone);
			return worth;
		}
		if (fit->data->shape.targets > 1)
			join(fit);
	}
	estimate_first(fit);
	if (fit->sd[0] > 0 && getenv("BINS") == NULL && fit->data->shape.targets == 1)
		join(fit);
	if (fit->sd[0] == 0 && fit->data->shape.targets > 2)
		run_minimum(fit);
	else
		for (int pass = 2; pass <= fit->passes && !converged; pass++)
			converged = run_later(fit, pass);
	return evaluate(fit);
}

static void
run(const Data *data, double epsilon, int seed)
{
	double		start = seconds();
	Fit			fit = {0};
	SeededSource source;
	Worth		worth;

	seeded_init(&source, 7919 * (uint64_t) seed + 1);
	dpem_sampler_init(&fit.sampler, &source.source);
	create(&fit, data);
	fit.replace = getenv("ADJACENCY") != NULL && strcmp(getenv("ADJACENCY"), "replace_one") == 0;
	if (!plan_budget(data->shape.targets, fit.replace ? data->part[0].rows : 0, fit.replace, epsilon, &fit.passes, fit.sd))
		exit(1);
	worth = run_passes(&fit);
	printf("%g %d %.4f %.4f %.2f %.5f %.5f\n", epsilon, seed, worth.measure, worth.loss, seconds() - start, fit.intercept, fit.intercept_noise);
	fflush(stdout);
	destroy(&fit);
}

int
main(int argc, char **argv)
{
	static Data data;

	if (argc < 2 || !read_data(argv[1], &data))
	{
		printf("skipped: bench_gam FILE.csv [seeds [epsilons...]]\n");
		return 0;
	}
	print_shares(&data);
	for (int e = 3; e < argc; e++)
		for (int seed = 1; seed <= (isinf(atof(argv[e])) ? 1 : atoi(argv[2])); seed++)
			run(&data, atof(argv[e]), seed);
	return 0;
}

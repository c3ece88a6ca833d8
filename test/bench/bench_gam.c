/*
 * bench_gam.c - additive models of a table, many fits of it without a server: passes, budget, rounding to integers and the
 * sampler of the noise are those of dp_gam_fit by default (src/families/gam/gam_fit.c), delta 1e-6, add_remove or,
 * with ADJACENCY=replace_one, that.  Its bytes are seeded: a bench, not a release.
 *
 *     [ADJACENCY=replace_one] [BINS=apart] bench_gam FILE.csv [seeds [epsilons...]]
 *
 * Where BINS are asked for, none are joined.  With replace_one the number of rows is public, by which dp_gam_fit may choose the mean alone; this one does not.
 *
 * For each fit what it is worth on rows held out: AUC, accuracy of more than two classes, R squared of a number; log loss;
 * seconds; and the intercept (of several classes the first one's) with its noise as the model has it.  Epsilon 0 stands for the
 * shares of the classes, or the mean, alone, inf for the same model without noise.
 * test/bench/gam_tables.pl writes such files.
 */
#define _DEFAULT_SOURCE
#include <time.h>

#include "../unit/seeded_source.h"
#include "core/accounting/fit_cost.h"
#include "core/accounting/sensitivity.h"
#include "core/gam/gam_estimate.h"
#include "core/gam/gam_join.h"
#include "core/gam/gam_bins.h"
#include "core/gam/gam_rules.h"
#include "core/kernels/kernel.h"
#include "core/noise/noise.h"
#include "gam_budget.h"
#include "gam_data.h"

#define CONVERGED		1e-11	/* as gam_fit.c has them */

typedef struct Fit
{
	const Data *data;
	int			scores;
	int			passes;
	bool		replace;		/* adjacency */
	double		sd[3];			/* of counts, of gradients and of what locates a number; 0: exact */
	DpemGamRows rows;
	DpemGamShape joined;		/* the data's shape, of which that of the rows is what is seen; columns 0: it is the same */
	DpemGamColumn column[MOST_COLUMNS];
	DpemGamColumn seen_column[MOST_COLUMNS];
	int			offset[MOST_COLUMNS + 1];
	int			place[DPEM_GAM_MAX_CELLS];	/* of each of the data's cells among those; -1: it is not seen */
	DpemGamScore *score;
	double	   *coefficient;
	double	   *theta;
	DpemWorkspace work;
	double	   *weights;
	double	   *scratch;
	DpemSampler sampler;
	double		intercept;		/* of the first score, and its noise */
	double		intercept_noise;
} Fit;

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static double *
zeros(size_t n)
{
	return room(n, sizeof(double));
}

/* ---- a fit ------------------------------------------------------------------- */

/* of a shape, whose offsets these are */
static void
create_rows(Fit *fit, const DpemGamShape *shape, const int *offset)
{
	size_t		n = (size_t) offset[shape->columns];

	fit->rows = (DpemGamRows) {.shape = *shape,.n = (int) n,.offset = offset,.count = zeros(n),.noise = zeros(n),.second = zeros(n * n)};
	fit->rows.shape.pair_share = dpem_gam_rules.pair_share;
	fit->score = room((size_t) fit->scores, sizeof *fit->score);
	for (int s = 0; s < fit->scores; s++)
	{
		fit->score[s] = (DpemGamScore) {.linear = zeros(n),.curvature = zeros(n * n),.here = zeros(n * n),.mean = zeros(n),.step = zeros((size_t) shape->columns)};
		dpem_gam_begin_path((int) n, zeros(5 * n), &fit->score[s]);
		for (int c = 0; c < shape->columns; c++)
			fit->score[s].step[c] = 2 * dpem_gam_expected_step(shape, c);
	}
	fit->coefficient = zeros(n * (size_t) fit->scores);
}

static void
create(Fit *fit, const Data *data)
{
	size_t		n = (size_t) data->offset[data->shape.columns];
	size_t		work = dpem_gam_work((int) n);

	fit->data = data;
	fit->scores = dpem_gam_scores(&data->shape);
	create_rows(fit, &data->shape, data->offset);
	for (int i = 0; i < fit->rows.n; i++)
		fit->place[i] = i;
	fit->theta = zeros(dpem_gam_theta_length(&data->shape) + n);
	fit->work.next = zeros(work);
	fit->work.end = fit->work.next + work;
	fit->weights = zeros(3 * n);
}

static void
destroy_rows(int scores, DpemGamScore *score, DpemGamRows *rows)
{
	for (int s = 0; s < scores; s++)
	{
		free(score[s].linear);
		free(score[s].curvature);
		free(score[s].here);
		free(score[s].mean);
		free(score[s].path);
		free(score[s].step);
	}
	free(score);
	free(rows->count);
	free(rows->noise);
	free(rows->second);
}

static void
destroy(Fit *fit)
{
	destroy_rows(fit->scores, fit->score, &fit->rows);
	free((void *) fit->joined.joined);
	free(fit->coefficient);
	free(fit->theta);
	free(fit->work.next);
	free(fit->weights);
}

/* integers and their noise; without noise the sums as they are */
static DpemNoisyMoments
release(Fit *fit, int stage)
{
	const DpemKernel *kernel = (const DpemKernel *const[]) {&dpem_kernel_gam_moments, &dpem_kernel_gam_gradient, &dpem_kernel_gam_target}[stage];
	DpemGamColumn column[MOST_COLUMNS];
	double		part[DPEM_GAM_MAX_CELLS];
	DpemGamShape passed = fit->joined.columns > 0 ? dpem_gam_passed_shape(&fit->joined, &fit->rows.shape, column, part) : fit->rows.shape;
	const DpemGamShape *shape = &passed;
	int			bits = fit->sd[stage] > 0 ? DPEM_RESPONSIBILITY_BITS : 0;
	int			length = stage == 0 ? dpem_gam_moments_length(shape) : stage == 1 ? dpem_gam_gradient_length(shape) : dpem_gam_target_length(shape);
	DpemNoisyMoments m = {.layout = {length, shape->columns + shape->targets, DPEM_COUNTS_ALONE},.count_sd = fit->sd[stage]};
	const Part *train = &fit->data->part[0];
	double	   *scratch = zeros(kernel->scratch_length(&m.layout));
	DpemUint128 scale = bits > 0 ? dpem_noise_integer_scale(DPEM_NOISE_GAUSSIAN, m.count_sd, bits) : 0;

	m.value = zeros((size_t) m.layout.k);
	dpem_gam_write(shape, fit->coefficient, fit->theta);
	for (int r = 0; r < train->rows; r += DPEM_BLOCK_ROWS)
	{
		DpemBlock	block = {.rows = train->rows - r < DPEM_BLOCK_ROWS ? train->rows - r : DPEM_BLOCK_ROWS,.code = train->code + (size_t) r * dpem_gam_shape_codes(shape)};

		kernel->accumulate(&m.layout, fit->theta, &block, bits > 0 ? DPEM_FEATURE_BITS : 0, bits, m.value, scratch);
	}
	if (kernel->complete != NULL)
		kernel->complete(&m.layout, fit->theta, bits > 0 ? DPEM_FEATURE_BITS : 0, bits, m.value, scratch);
	for (int i = 0; i < m.layout.k && bits > 0; i++)
	{
		DpemInt128	noise;

		if (dpem_noise_draw(&fit->sampler, DPEM_NOISE_GAUSSIAN, scale, &noise) != DPEM_OK)
			exit(1);
		m.value[i] = ldexp(m.value[i] + (double) noise, -bits);
	}
	free(scratch);
	return m;
}

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
	free(m.value);
}

static void
run_first(Fit *fit)
{
	DpemNoisyMoments m;

	if (fit->sd[2] > 0)
		locate(fit);
	m = release(fit, 0);

	if (dpem_gam_take_rows(&m, fit->replace ? fit->data->part[0].rows : 0, &fit->rows, fit->work) != DPEM_OK)
		exit(1);
	for (int s = 0; s < fit->scores; s++)
		dpem_gam_start(&fit->rows, &m, s, &fit->score[s]);
	free(m.value);
	estimate(fit, 1);
}

/* as gam_run.c joins them, once rows are counted */
static void
join(Fit *fit)
{
	Fit			before = *fit;
	double	   *joined = zeros((size_t) fit->rows.n);
	double		excess_sd[DPEM_GAM_MAX_CLASSES];
	double	   *excess[DPEM_GAM_MAX_CLASSES];
	DpemGamSeen told = {.n = fit->rows.n,.count = fit->rows.count,.second = fit->rows.second,.scores = fit->scores,.excess = excess,.excess_sd = excess_sd};
	DpemGamShape seen;
	bool		any;

	told.noise = fit->sd[1] / dpem_gam_gradient_mark(&fit->data->shape) / sqrt(fit->passes - 1);
	dpem_gam_see_rows(&fit->rows, 1, &told);
	told.bins = dpem_gam_bins_wanted(&fit->rows, told.told, told.noise);
	for (int s = 0; s < fit->scores; s++)
	{
		excess[s] = zeros((size_t) fit->rows.n);
		excess_sd[s] = dpem_gam_excess(&fit->rows, &fit->score[s], excess[s]);
	}
	memcpy(fit->column, fit->data->column, sizeof fit->column);
	any = dpem_gam_join(fit->data->shape.columns, fit->column, &told, false, joined);
	for (int s = 0; s < fit->scores; s++)
		free(excess[s]);
	if (!any)
	{
		free(joined);
		return;
	}
	fit->joined = fit->data->shape;
	fit->joined.column = fit->column;
	fit->joined.joined = joined;
	seen = dpem_gam_seen_shape(&fit->joined, fit->seen_column);
	for (int c = 0; c < seen.columns; c++)
		fit->offset[c + 1] = fit->offset[c] + dpem_gam_column_cells(&seen.column[c]);
	for (int c = 0, at = 0; c < fit->data->shape.columns; at += fit->column[c++].joined > 0)
		for (int i = fit->data->offset[c]; i < fit->data->offset[c + 1]; i++)
			fit->place[i] = fit->column[c].joined > 0 ? fit->offset[at] + (int) joined[i] : -1;
	create_rows(fit, &seen, fit->offset);
	dpem_gam_join_rows(&before.rows, &fit->joined, &fit->rows);
	for (int s = 0; s < fit->scores; s++)
	{
		size_t		n = (size_t) fit->rows.n;
		DpemGamScore *score = &fit->score[s];

		score->scale = before.score[s].scale;
		score->spread = before.score[s].spread;
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

	for (int s = 0; s < fit->scores; s++)
		dpem_gam_curvature(&fit->rows, exact ? &curvature : NULL, s, fit->score, fit->weights);
	m = release(fit, 1);
	for (int s = 0; s < fit->scores; s++)
		if (dpem_gam_take_gradient(&fit->rows, &m, 1, s, pass - 1, &fit->score[s], fit->work) != DPEM_OK)
			exit(1);
	free(curvature.value);
	free(m.value);
	return estimate(fit, pass);
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
	worth = fit->data->shape.targets == 1 ? worth_of_number(test, score) : fit->scores == 1 ? worth_of_two(test, score) : worth_of_several(test, fit->scores, score);
	free(score);
	free(result.contribution);
	free(result.sd);
	free(result.noise);
	return worth;
}

static void
run(const Data *data, double epsilon, int seed)
{
	double		start = seconds();
	Fit			fit = {0};
	SeededSource source;
	Worth		worth;
	bool		converged = false;

	seeded_init(&source, 7919 * (uint64_t) seed + 1);
	dpem_sampler_init(&fit.sampler, &source.source);
	create(&fit, data);
	fit.replace = getenv("ADJACENCY") != NULL && strcmp(getenv("ADJACENCY"), "replace_one") == 0;
	if (!plan_budget(data->shape.targets, fit.replace ? data->part[0].rows : 0, fit.replace, epsilon, &fit.passes, fit.sd))
		exit(1);
	run_first(&fit);
	if (!isinf(epsilon) && getenv("BINS") == NULL)
		join(&fit);
	for (int pass = 2; pass <= fit.passes && !converged; pass++)
		converged = run_later(&fit, pass);
	worth = evaluate(&fit);
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

/*
 * logit_fit.c - the passes of a logistic regression, and back into the
 * columns' own units.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/logit/logit_response.h"
#include "core/logit/logit_secant.h"
#include "families/logit/classes.h"
#include "server/fit_memory.h"

/* relative change of the mean at which passes without noise end */
#define CONVERGED	1e-11

/* of the ball's radius, a constant that is kept where rows are clipped: a caller's clip norm may leave nothing beside it */
#define MOST_CONSTANT	0.9

/* of one group of rows */
typedef struct LogitRun
{
	DpemFitRun *fit;
	const DpemFitPlan *plan;
	DpemLogitStatistics statistics;
	DpemLogit	posterior;
	double	   *theta;
	double		whole;			/* dpem_logit_whole */
	double	   *before;			/* d: the mean before the last pass */
	bool		hidden;			/* coefficients are those of `response` */
	int			evens;			/* passes after the first that are of rows at zero coefficients */
	DpemLogitResponse response;
	DpemLogitHistory *history;	/* NULL: nothing is kept */
} LogitRun;

/* gradients of samples differ by the rows that are in them, too */
DpemLogitSecant *
dpem_logit_create_secant(const DpemFitPlan *plan, int d)
{
	DpemLogitSecant *secant;

	if (!plan->noisy || dpem_fit_is_sampled(plan))
		return NULL;
	secant = palloc(sizeof(DpemLogitSecant));
	dpem_logit_secant_begin(d, dpem_fit_allocate(dpem_logit_secant_length(d)), secant);
	return secant;
}

static void
create_run(LogitRun *run, DpemFitRun *fit)
{
	const DpemFitPlan *plan = fit->plan;
	size_t		d = (size_t) plan->d;

	run->fit = fit;
	run->plan = plan;
	run->statistics = (DpemLogitStatistics) {
		.d = plan->d,.linear = dpem_fit_allocate(d),.curvature = dpem_fit_allocate(d * d),
		.second = dpem_fit_allocate(d * d),.model = dpem_fit_allocate(d * d),.constant = plan->request->bind.constant
	};
	run->posterior = (DpemLogit) {
		.d = plan->d,.mean = dpem_fit_allocate(d),.covariance = dpem_fit_allocate(d * d),
		.turn = dpem_fit_allocate(d * d),.share = 1
	};
	run->statistics.secant = dpem_logit_create_secant(plan, plan->d);
	if (plan->noisy && plan->request->bind.constant && !(((const DpemLogitRequest *) plan->request)->prior_variance > 0))
		run->statistics.origin = dpem_fit_allocate(d);
	dpem_logit_response_begin(plan->d, dpem_fit_allocate(dpem_logit_response_length(plan->d)), &run->response);
	run->theta = dpem_fit_allocate(d * (d + 1) / 2 + 1);
	run->before = dpem_fit_allocate(d);
}

/* for one group at a time */
static size_t
take_work(int d)
{
	return Max(Max(dpem_logit_take_work(d), dpem_logit_response_work(d)), Max(dpem_logit_estimate_work(d), dpem_logit_prepare_work(d)));
}

/* does the pass after that one see rows at zero coefficients? */
static bool
is_even(const LogitRun *run, int pass)
{
	return run->hidden && pass <= run->evens;
}

static void
take_response(LogitRun *run, const DpemNoisyMoments *m, int pass, double scale, DpemWorkspace work)
{
	int			d = run->plan->d;

	if (pass == 1)
		dpem_fit_require_ok(dpem_logit_response_first(m, run->plan->public_rows, &run->statistics, &run->response, work));
	else
		dpem_logit_response_take(m, scale, is_even(run, pass - 1) ? NULL : run->theta, &run->statistics, &run->response, work);
	dpem_fit_require_ok(dpem_logit_response_estimate(&run->statistics, &run->response, &run->posterior, work));
	memset(run->theta, 0, ((size_t) d * (d + 1) / 2 + 1) * sizeof(double));
	if (!is_even(run, pass))
		dpem_logit_response_point(&run->statistics, &run->posterior, run->theta);
}

/* after the first pass: another curvature without noise, with it a gradient */
static void
take(LogitRun *run, const DpemNoisyMoments *m, int pass, double scale, DpemWorkspace work)
{
	const DpemFitPlan *plan = run->plan;
	bool		gradient = plan->noisy && pass > 1;
	double		prior = ((const DpemLogitRequest *) plan->request)->prior_variance;

	if (run->hidden)
	{
		take_response(run, m, pass, scale, work);
		return;
	}
	if (run->history)
		dpem_logit_note(run->history, m, scale, pass, run->posterior.mean);
	if (pass == 1)
		dpem_fit_require_ok(dpem_logit_take_first(m, plan->public_rows, &run->statistics, work));
	if (pass == 1 && run->statistics.origin)
		dpem_logit_find_origin(&run->statistics);
	if (gradient)
		dpem_logit_take_gradient(m, scale, &run->posterior, pass - 2, &run->statistics, work);
	else
		dpem_logit_take_curvature(m, scale, &run->posterior, 0, &run->statistics, work);
	memcpy(run->before, run->posterior.mean, plan->d * sizeof(double));
	dpem_fit_require_ok(gradient ? dpem_logit_estimate_step(&run->statistics, prior, &run->posterior, work)
						: dpem_logit_estimate(&run->statistics, prior, &run->posterior, work));
	if (plan->noisy)
	{
		memcpy(run->theta, run->posterior.mean, plan->d * sizeof(double));
		run->theta[plan->d] = run->whole;
	}
	else
		dpem_fit_require_ok(dpem_logit_prepare(&run->posterior, run->theta, work));
}

/* of all groups alike, as a pass has one kernel: by the one of the most rows, as public facts and the first release have it */
static void
find_hidden(const DpemFitPlan *plan, LogitRun *run, const DpemNoisyMoments *m)
{
	bool		standardised = plan->stage[DPEM_LOGIT_MARGINS].line >= 0;
	double		noise = dpem_logit_seen_noise(plan, m);

	for (int g = 0; g < plan->groups; g++)
	{
		run[g].hidden = standardised && run[g].statistics.origin && plan->d > 1 && dpem_logit_is_hidden(noise);
		run[g].evens = dpem_logit_even_passes(noise, plan->iterations - 1);
	}
}

/* of all groups */
static void
run_pass(DpemFitRun *fit, LogitRun *run, int pass)
{
	const DpemFitPlan *plan = run->plan;
	bool		later = plan->noisy && pass > 1;
	bool		gradient = later && !is_even(&run[0], pass - 1);
	DpemMomentLayout layout = {1, plan->d, later ? DPEM_SECOND_NONE : DPEM_SECOND_FULL};
	DpemWorkspace work = dpem_fit_workspace(take_work(plan->d));
	DpemNoisyMoments *m;

	fit->sampled = pass > 1 && dpem_fit_is_sampled(plan);
	/* least squares of clipped rows beside a whole constant; gradients weigh rows instead (logit.h) */
	fit->pass.map.kept = pass == 1 && run->whole > 0;
	for (int g = 0; g < plan->groups; g++)
		fit->part[g].theta = run[g].theta;
	m = dpem_fit_release_stage_groups(fit, later ? DPEM_LOGIT_LATER : DPEM_LOGIT_FIRST,
									  gradient ? &dpem_kernel_logit_gradient : &dpem_kernel_logit, &layout);
	if (pass == 1)
		find_hidden(plan, run, m);
	/* without coefficients every row has weight 1 */
	for (int g = 0; g < plan->groups && pass == 1; g++)
		dpem_fit_note_rows(fit, g, m[g].value[0], m[g].count_sd);
	for (int g = 0; g < plan->groups; g++)
		take(&run[g], &m[g], pass, fit->sampled ? 1 / plan->sample.rate : 1, work);
}

/* of baselines, which release no count: rows in which a number may be unknown are at least those of the column known best */
static void
note_rows(DpemFitRun *fit, int group, const DpemMargins *margins)
{
	double		sd;
	double		rows = dpem_margins_best_known(margins, &sd);

	if (!margins->apart || !dpem_classes_is_baseline(fit->plan))
		return;
	dpem_fit_note_rows(fit, group, rows, sd);
	fit->at_least = true;
}

/* what noise hides of a number that seems to have a single value is a tail, which the range takes care of */
static DpemColumnValues *
column_values(const DpemFitPlan *plan, int columns)
{
	DpemColumnValues *values = dpem_fit_column_values(plan, columns);

	for (int j = 0; j < columns; j++)
		values[j] = values[j] == DPEM_VALUES_ANY ? DPEM_VALUES_TAIL : values[j];
	return values;
}

/* waves are of columns in their own units, whatever these are */
static double
spread_labels(const DpemFitPlan *plan, const DpemMarginGrid *grid, double rows, const double *center, double *deviation)
{
	DpemLabelRule rule = dpem_fit_label_rule(plan, grid, DPEM_LOGIT_FIRST, rows);

	if (plan->features > 0)
		return grid->columns;
	dpem_label_spread(grid, rule, center, deviation);
	return dpem_label_row_square(grid, rule);
}

void
dpem_logit_standardise(DpemFitRun *fit)
{
	const DpemFitPlan *plan = fit->plan;
	bool		constant = plan->request->bind.constant;
	DpemMarginGrid grid = dpem_logit_grid(plan);
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&grid));
	DpemMargins *margins = dpem_fit_release_margins(fit, &plan->stage[DPEM_LOGIT_MARGINS], &grid);
	const DpemColumnValues *values = column_values(plan, grid.columns);
	double	   *deviation = dpem_fit_allocate(plan->d);
	double	   *scale = dpem_fit_allocate(plan->d);

	for (int g = 0; g < plan->groups; g++)
	{
		double	   *center = dpem_fit_allocate(plan->d);
		double		square;
		double		radius;

		margins[g].values = values;
		note_rows(fit, g, &margins[g]);
		/* without a constant scores are about the middle of the domains, but waves have no middle */
		dpem_column_spread(&margins[g], constant || plan->features > 0, center, deviation, work);
		square = spread_labels(plan, &grid, margins[g].rows, center, deviation);
		dpem_logit_frame(plan->d, constant, square, deviation, scale, &radius);
		dpem_fit_set_frame(fit, g, center, scale, radius);
		fit->part[g].range = dpem_fit_find_range(plan, plan->d, &margins[g], center, deviation, work);
	}
}

void
dpem_logit_center(DpemFitRun *fit)
{
	const DpemLogitRequest *r = (const DpemLogitRequest *) fit->plan->request;

	if ((r->fit.bind.constant || r->fourier.pairs > 0) && r->fit.clip_norm == 0 && r->prior_variance == 0)
		dpem_fit_center_unknown(fit);
}

/* only without noise, which no later pass would lessen */
static bool
has_converged(const LogitRun *run)
{
	double		change = 0;
	double		size = 0;

	for (int j = 0; j < run->posterior.d; j++)
	{
		change = fmax(change, fabs(run->posterior.mean[j] - run->before[j]));
		size = fmax(size, fabs(run->posterior.mean[j]));
	}
	return !run->plan->noisy && change <= CONVERGED * size;
}

static int
run_passes(DpemFitRun *fit, LogitRun *run)
{
	const DpemFitPlan *plan = fit->plan;
	bool		converged = false;
	int			pass = 0;

	while (pass < plan->iterations && !converged)
	{
		MemoryContext old = MemoryContextSwitchTo(fit->per_pass);

		dpem_fit_report(fit, "coefficients", ++pass);
		run_pass(fit, run, pass);
		converged = true;
		for (int g = 0; g < plan->groups; g++)
			converged &= has_converged(&run[g]);
		MemoryContextSwitchTo(old);
		MemoryContextReset(fit->per_pass);
	}
	return pass;
}

/*
 * A row's coordinate in the ball is w ((x - middle) / half-width - c) / radius, c the released
 * center and w the released scale, 0 and 1 where there are none: that of the constant column w / radius.
 */
double *
dpem_logit_columns(const DpemFeatureMap *map, int d, int n)
{
	double	   *a = dpem_fit_allocate((size_t) n * d);

	for (int j = 0; j < d; j++)
	{
		double		half = map->upper[j] / 2 - map->lower[j] / 2;
		double		middle = dpem_fit_middle(map, j);
		double		unit = half * dpem_fit_unit(map, d, j);

		if (j < n - 1)
			a[(size_t) j * d + j] = 1 / unit;
		a[(size_t) (n - 1) * d + j] = j < n - 1 ? -middle / unit : 1 / unit;
	}
	return a;
}

double
dpem_logit_constant(DpemFitRun *fit, int group)
{
	DpemFeatureMap map = dpem_fit_map(fit, group);
	int			last = fit->plan->d - 1;

	return 1 / ((map.upper[last] / 2 - map.lower[last] / 2) * dpem_fit_unit(&map, fit->plan->d, last));
}

/* from public facts alone */
static bool
keeps_constant(const DpemFitPlan *plan)
{
	return plan->noisy && plan->request->bind.constant && plan->features == 0 &&
		dpem_logit_keeps_constant(dpem_logit_noise(plan, dpem_supposed_rows(plan->public_rows)));
}

double
dpem_logit_whole(DpemFitRun *fit, int group)
{
	double		whole = keeps_constant(fit->plan) ? dpem_logit_constant(fit, group) : 0;

	return whole < MOST_CONSTANT ? whole : 0;
}

static void
transform_to_columns(const LogitRun *run, int group, int n, double *mean, double *covariance, double *noise)
{
	DpemFeatureMap map = dpem_fit_map(run->fit, group);
	int			d = run->posterior.d;
	double	   *a = dpem_logit_columns(&map, d, n);
	double	   *moved = NULL;
	int			draws = 0;

	dpem_logit_transform(&run->posterior, n, a, mean, covariance, noise, dpem_fit_workspace((size_t) n * d));
	if (run->history && !run->hidden)
		moved = dpem_logit_find_noise(run->history, &run->statistics, run->posterior.mean, run->plan->groups, &draws);
	if (draws > 0)
		dpem_logit_turn_noise(n, d, draws, a, moved, noise, dpem_fit_workspace((size_t) n * draws));
	pfree(a);
}

static void
finish(const LogitRun *run, int group, int passes, DpemModel *model)
{
	const DpemFitPlan *plan = run->plan;
	const DpemLabel *label = plan->binding->label;
	int			n = plan->d + (plan->request->bind.constant ? 0 : 1);
	double	   *mean = dpem_fit_allocate(n);
	double	   *noise = dpem_fit_allocate(n);
	double	   *covariance = dpem_fit_allocate((size_t) n * n);

	transform_to_columns(run, group, n, mean, covariance, noise);
	model->k = 2;
	model->iterations = passes;
	model->d = n - 1;
	model->value[DPEM_LOGIT_LABEL] = &label->column.name;
	model->value[DPEM_LOGIT_NEGATIVE] = &label->category[0];
	model->value[DPEM_LOGIT_POSITIVE] = &label->category[1];
	model->value[DPEM_LOGIT_MEAN] = mean;
	model->value[DPEM_LOGIT_COVARIANCE] = covariance;
	model->value[DPEM_LOGIT_NOISE] = noise;
}

void
dpem_logit_run(DpemFitRun *fit, DpemFitted *fitted)
{
	int			groups = fit->plan->groups;
	LogitRun   *run = palloc0(groups * sizeof(LogitRun));
	int			passes;

	for (int g = 0; g < groups; g++)
		create_run(&run[g], fit);
	if (fit->plan->stage[DPEM_LOGIT_MARGINS].line >= 0)
		dpem_logit_standardise(fit);
	else
		dpem_logit_center(fit);
	for (int g = 0; g < groups; g++)
	{
		run[g].statistics.value = dpem_logit_constant(fit, g);
		run[g].whole = dpem_logit_whole(fit, g);
		run[g].history = dpem_logit_keep_history(fit->plan, run[g].whole);
	}
	passes = run_passes(fit, run);
	for (int g = 0; g < groups; g++)
		finish(&run[g], g, passes, &fitted->model[g]);
}

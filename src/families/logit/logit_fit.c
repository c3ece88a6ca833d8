/*
 * logit_fit.c - the passes of a logistic regression.
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
	DpemLogitModel *model;		/* NULL: steps are not by one */
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

static void
drop_model(LogitRun *run)
{
	dpem_logit_drop_model(run->history, &run->statistics);
	run->model = NULL;
}

/* after the first pass; where rounding leaves a model no step, the gradient, which is paid for, is taken without it */
static void
take_gradient(LogitRun *run, const DpemNoisyMoments *m, int pass, double scale, DpemWorkspace work)
{
	double		prior = ((const DpemLogitRequest *) run->plan->request)->prior_variance;

	if (run->model && dpem_logit_step_by_model(m, scale, pass - 2, &run->statistics, &run->posterior, run->model))
		return;
	if (run->model)
		drop_model(run);
	dpem_logit_take_gradient(m, scale, &run->posterior, pass - 2, &run->statistics, work);
	dpem_fit_require_ok(dpem_logit_estimate_step(&run->statistics, prior, &run->posterior, work));
}

/* the first pass, and, without noise, those after it */
static void
take_curvature(LogitRun *run, const DpemNoisyMoments *m, int pass, double scale, DpemWorkspace work)
{
	const DpemFitPlan *plan = run->plan;

	if (pass == 1)
		dpem_fit_require_ok(dpem_logit_take_first(m, plan->public_rows, &run->statistics, work));
	if (pass == 1 && run->statistics.origin)
		dpem_logit_find_origin(&run->statistics);
	dpem_logit_take_curvature(m, scale, &run->posterior, 0, &run->statistics, work);
	dpem_fit_require_ok(dpem_logit_estimate(&run->statistics, ((const DpemLogitRequest *) plan->request)->prior_variance, &run->posterior, work));
	if (run->model && !dpem_logit_begin_model(run->history, &run->statistics, &run->posterior, run->model))
		drop_model(run);
}

static void
take(LogitRun *run, const DpemNoisyMoments *m, int pass, double scale, DpemWorkspace work)
{
	const DpemFitPlan *plan = run->plan;

	dpem_fit_pause();
	if (run->hidden)
	{
		take_response(run, m, pass, scale, work);
		return;
	}
	if (run->history)
		dpem_logit_note(run->history, m, scale, pass, run->posterior.mean);
	memcpy(run->before, run->posterior.mean, plan->d * sizeof(double));
	if (plan->noisy && pass > 1)
		take_gradient(run, m, pass, scale, work);
	else
		take_curvature(run, m, pass, scale, work);
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
		run[g].model = dpem_logit_create_model(fit->plan, run[g].history);
	}
	passes = run_passes(fit, run);
	for (int g = 0; g < groups; g++)
		finish(&run[g], g, passes, &fitted->model[g]);
}

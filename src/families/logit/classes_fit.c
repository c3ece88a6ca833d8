/*
 * classes_fit.c - the passes of a linear classifier.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/logit/class_estimate.h"
#include "families/logit/classes.h"
#include "families/logit/classes_run.h"
#include "fit/fit_model.h"
#include "server/fit_memory.h"

static void
create_problem(const DpemFitPlan *plan, DpemClassFit *fit, DpemClassProblem *p)
{
	size_t		d = (size_t) fit->d;
	size_t		square = fit->shared ? 0 : d * d;

	p->mean = dpem_fit_allocate(d);
	p->s = (DpemLogitStatistics) {
		.d = fit->d,.linear = dpem_fit_allocate(d),.second = fit->second,.constant = plan->request->bind.constant,.loss = &fit->loss,
			.mean = fit->loss.kind == DPEM_LOSS_HINGE ? p->mean : NULL
	};
	p->fit = (DpemLogit) {.d = fit->d,.mean = dpem_fit_allocate(d),.share = 1};
	if (fit->shared)
	{
		p->axis = dpem_fit_allocate(d);
		p->middle = fit->together ? dpem_fit_allocate(d) : NULL;
		p->gain = dpem_fit_allocate(d);
		p->g = dpem_fit_allocate(d);
		return;
	}
	if (fit->loss.kind == DPEM_LOSS_LOGISTIC)
		p->s.secant = dpem_logit_create_secant(plan, fit->d);
	p->s.curvature = dpem_fit_allocate(square);
	p->fit.covariance = dpem_fit_allocate(square);
	p->fit.turn = dpem_fit_allocate(square);
}

static void
create_run(DpemFitRun *fit, DpemClassesRun *run)
{
	const DpemFitPlan *plan = fit->plan;
	const DpemLogitRequest *r = (const DpemLogitRequest *) plan->request;
	size_t		d = (size_t) dpem_classes_dimension(plan);
	int			problems = dpem_classes_problems(plan);
	DpemMarginLoss loss = dpem_classes_loss(plan);
	bool		together = dpem_class_is_discriminant(&loss, problems, plan->noisy ? plan->iterations : 0);

	run->fit = fit;
	run->classes = (DpemClassFit) {
		.d = (int) d,.problems = problems,.loss = loss,.prior_variance = r->prior_variance,
			.together = together,.shared = dpem_class_shares_axes(together, problems, (int) d),.sum = dpem_fit_allocate(d),.second = dpem_fit_allocate(d * d),
			.problem = palloc0(problems * sizeof(DpemClassProblem))
	};
	if (run->classes.shared)
	{
		run->classes.axes.vectors = dpem_fit_allocate(d * d);
		run->classes.axes.value = dpem_fit_allocate(d);
	}
	for (int k = 0; k < problems; k++)
		create_problem(plan, &run->classes, &run->classes.problem[k]);
	if (plan->noisy && !dpem_classes_is_baseline(plan))
	{
		dpem_classes_keep_history(plan, run);
		dpem_classes_create_model(plan, run);
	}
	run->theta = dpem_fit_allocate(DPEM_CLASS_HEAD + problems * d);
}

/* ---- passes ------------------------------------------------------------------- */

void
dpem_classes_put_coefficients(DpemClassesRun *run, int problem, const double *coefficient)
{
	memcpy(run->theta + DPEM_CLASS_HEAD + (size_t) problem * run->classes.d, coefficient, run->classes.d * sizeof(double));
}

static DpemNoisyMoments *
release(DpemFitRun *fit, DpemClassesRun *run, int stage, const DpemKernel *kernel, DpemMomentLayout layout)
{
	for (int g = 0; g < fit->plan->groups; g++)
		fit->part[g].theta = run[g].theta;
	return dpem_fit_release_stage_groups(fit, stage, kernel, &layout);
}

DpemNoisyMoments *
dpem_classes_release_gradients(DpemFitRun *fit, DpemClassesRun *run, const DpemMarginLoss *loss)
{
	int			problems = run->classes.problems;
	double		bound = loss->kind == DPEM_LOSS_NONE ? 1 : dpem_class_bound(problems, fit->plan->noisy);

	for (int g = 0; g < fit->plan->groups; g++)
		dpem_class_write(loss, bound, run[g].classes.problem[0].s.value, run[g].theta);
	return release(fit, run, DPEM_CLASS_GRADIENTS, &dpem_kernel_class_gradient,
				   (DpemMomentLayout) {problems, run->classes.d, DPEM_SECOND_NONE});
}

DpemNoisyMoments *
dpem_classes_release_curvature(DpemFitRun *fit, DpemClassesRun *run, const DpemMarginLoss *loss, int class)
{
	for (int g = 0; g < fit->plan->groups; g++)
		dpem_class_write(loss, class, 0, run[g].theta);
	return release(fit, run, DPEM_CLASS_SECOND, &dpem_kernel_class_curvature,
				   (DpemMomentLayout) {1, run->classes.d, DPEM_SECOND_FULL});
}

/* of all groups alike: by the one of the most rows, as public facts and the first release have it */
static void
find_hidden(const DpemFitPlan *plan, DpemClassesRun *run, const DpemNoisyMoments *m)
{
	double		noise = dpem_logit_seen_noise(plan, m);

	for (int g = 0; g < plan->groups; g++)
	{
		run[g].classes.hidden = run[g].sums && dpem_logit_is_hidden(noise);
		if (run[g].classes.hidden)
			run[g].classes.problem[0].s.origin = run[g].middle;
	}
}

/* second moments of every unit, or sums by class of a sample: at no coefficients */
static void
release_first(DpemFitRun *fit, DpemClassesRun *run, int pass)
{
	bool		sums = pass > 1;
	const DpemMarginLoss none = {DPEM_LOSS_NONE, 1};
	DpemWorkspace work = dpem_fit_workspace(dpem_class_work(run->classes.d));
	DpemNoisyMoments *m;
	double		scale;

	dpem_fit_report(fit, sums ? "sums by class" : "second moments", pass);
	/* discriminant analysis has more of rows that are clipped as a whole: storms of dplyr at epsilon 10 a log loss of .055, not .119 */
	fit->pass.map.kept = run->classes.problems == 1 && run->classes.problem[0].s.value > 0;
	fit->sampled = sums && fit->plan->noisy && dpem_fit_is_sampled(fit->plan);
	scale = fit->sampled ? 1 / fit->plan->sample.rate : 1;
	m = sums ? dpem_classes_release_gradients(fit, run, &none) : dpem_classes_release_curvature(fit, run, &none, 0);
	if (pass == 1)
		find_hidden(fit->plan, run, m);
	for (int g = 0; g < fit->plan->groups && !sums; g++)
		dpem_fit_note_rows(fit, g, m[g].value[0], m[g].count_sd);
	for (int g = 0; g < fit->plan->groups && sums && run[g].classes.hidden; g++)
		dpem_noisy_moments_average(run[g].sums, pass - 1, &m[g]);
	dpem_classes_note_first(fit, run, sums, scale, m);
	for (int g = 0; g < fit->plan->groups; g++)
		dpem_fit_require_ok(sums ? dpem_class_take_sums(&m[g], scale, &run[g].classes, work)
							: dpem_class_take_second(&m[g], fit->plan->public_rows, &run[g].classes, work));
	for (int g = 0; g < fit->plan->groups && sums; g++)
		dpem_classes_begin_model(&run[g], scale * m[g].sum_sd);
}

static void
release_gradient(DpemFitRun *fit, DpemClassesRun *run, int pass)
{
	const DpemFitPlan *plan = fit->plan;
	DpemWorkspace work = dpem_fit_workspace(dpem_class_work(run->classes.d));
	double		scale = dpem_class_bound(run->classes.problems, plan->noisy);
	DpemNoisyMoments *m;

	dpem_fit_report(fit, "coefficients", pass);
	fit->pass.map.kept = 0;
	for (int g = 0; g < plan->groups; g++)
		for (int k = 0; k < run[g].classes.problems; k++)
			dpem_classes_put_coefficients(&run[g], k, run[g].classes.problem[k].fit.mean);
	m = dpem_classes_release_gradients(fit, run, &run->classes.loss);
	if (fit->sampled)
		scale /= plan->sample.rate;
	dpem_classes_note_gradient(fit, run, pass - 3, scale, m);
	for (int g = 0; g < plan->groups; g++)
		if (!dpem_classes_step_by_model(&run[g], &m[g], scale, pass - 3))
			dpem_fit_require_ok(dpem_class_take_gradient(&m[g], scale, pass - 3, &run[g].classes, work));
}

static int
run_passes(DpemFitRun *fit, DpemClassesRun *run)
{
	const DpemFitPlan *plan = fit->plan;

	for (int pass = 1; pass <= (plan->noisy ? plan->iterations : 2); pass++)
	{
		MemoryContext old = MemoryContextSwitchTo(fit->per_pass);

		if (pass <= 2 || run[0].classes.hidden)
			release_first(fit, run, pass);
		else
			release_gradient(fit, run, pass);
		MemoryContextSwitchTo(old);
		MemoryContextReset(fit->per_pass);
	}
	if (plan->noisy)
		return plan->iterations;
	return run->classes.loss.kind == DPEM_LOSS_MULTINOMIAL ? dpem_classes_run_minimum(fit, run) : dpem_classes_run_newton(fit, run);
}

/* ---- results ------------------------------------------------------------------- */

/* of two classes the first one's score is the second one's, negative */
static void
put_scores(const DpemClassesRun *run, int n, const double *a, DpemModel *model)
{
	const DpemClassFit *fit = &run->classes;
	double	   *coefficient = dpem_fit_allocate((size_t) model->k * n);
	double	   *noise = dpem_fit_allocate((size_t) model->k * n);
	DpemWorkspace work = dpem_fit_workspace(dpem_class_transform_work(fit, n));

	for (int k = 0; k < model->k; k++)
	{
		double	   *own = coefficient + (size_t) k * n;

		dpem_class_transform(fit, fit->problems == 1 ? 0 : k, n, a, own, noise + (size_t) k * n, work);
		for (int j = 0; j < n && fit->problems == 1 && k == 0; j++)
			own[j] = 0 - own[j];
	}
	model->value[DPEM_CLASS_COEFFICIENT] = coefficient;
	model->value[DPEM_CLASS_NOISE] = noise;
}

/* scores of the columns in their own units, the intercept last */
static void
finish_linear(DpemClassesRun *run, int group, DpemModel *model)
{
	const DpemFitPlan *plan = run->fit->plan;
	DpemFeatureMap map = dpem_fit_map(run->fit, group);
	int			n = plan->d + (plan->request->bind.constant ? 0 : 1);
	double	   *a = dpem_logit_columns(&map, plan->d, n);

	model->d = n - 1;
	model->features = n;
	put_scores(run, n, a, model);
	dpem_classes_put_trajectory(run, n, a, model);
	pfree(a);
}

static void
finish_fourier(DpemClassesRun *run, DpemModel *model)
{
	model->d = run->fit->plan->d;
	model->features = run->classes.d;
	put_scores(run, run->classes.d, NULL, model);
	dpem_classes_put_trajectory(run, run->classes.d, NULL, model);
}

static const char *const *
name_of(const DpemMarginLoss *loss)
{
	switch (loss->kind)
	{
		case DPEM_LOSS_HINGE:
			return &dpem_classes_hinge;
		case DPEM_LOSS_MULTINOMIAL:
			return &dpem_classes_multinomial;
		default:
			return &dpem_classes_logistic;
	}
}

static void
finish(DpemClassesRun *run, int group, int passes, DpemModel *model)
{
	const DpemLabel *label = run->fit->plan->binding->label;

	model->k = label->classes;
	model->iterations = passes;
	if (run->fit->plan->features > 0)
		finish_fourier(run, model);
	else
		finish_linear(run, group, model);
	dpem_fit_put_fourier(run->fit, group, &((const DpemLogitRequest *) run->fit->plan->request)->fourier,
						 dpem_classes_width(run->fit->plan), DPEM_CLASS_DIMENSION, model);
	model->value[DPEM_CLASS_CATEGORY] = label->category;
	model->value[DPEM_CLASS_LABEL] = &label->column.name;
	model->value[DPEM_CLASS_LOSS] = name_of(&run->classes.loss);
	model->value[DPEM_CLASS_SMOOTHING] = &run->classes.loss.smoothing;
}

/* once for all passes; of several classes each against the rest the middle of the prior makes no difference */
static void
expect_constant(DpemFitRun *fit, int group, DpemClassFit *classes)
{
	DpemLogitStatistics *s = &classes->problem[0].s;

	s->value = dpem_logit_whole(fit, group);
	if (fit->plan->request->bind.constant && fit->plan->features == 0 && fit->plan->noisy && !(classes->prior_variance > 0))
		classes->constant = dpem_logit_constant(fit, group);
	if (s->value > 0 && classes->problems == 1 && !(classes->prior_variance > 0))
		s->origin = dpem_fit_allocate(classes->d);
}

/* of standardised rows of two classes and a hinge */
static void
expect_noise(const DpemFitPlan *plan, DpemClassesRun *run)
{
	const DpemClassFit *classes = &run->classes;

	if (plan->stage[DPEM_CLASS_MARGINS].line < 0 || dpem_classes_is_baseline(plan) || classes->problems > 1 || classes->loss.kind != DPEM_LOSS_HINGE ||
		!(classes->constant > 0) || plan->d < 2)
		return;
	run->sums = dpem_fit_allocate(1 + classes->d);
	run->middle = dpem_fit_allocate(classes->d);
}

void
dpem_classes_run(DpemFitRun *fit, DpemFitted *fitted)
{
	int			groups = fit->plan->groups;
	const DpemFitFourier *fourier = &((const DpemLogitRequest *) fit->plan->request)->fourier;
	DpemClassesRun *run = palloc0(groups * sizeof(DpemClassesRun));
	int			passes;

	for (int g = 0; g < groups; g++)
		create_run(fit, &run[g]);
	if (fit->plan->stage[DPEM_CLASS_MARGINS].line >= 0)
		dpem_logit_standardise(fit);
	else
		dpem_logit_center(fit);
	if (fit->plan->features > 0)
		dpem_fit_use_fourier(fit, fourier, fit->plan->d, dpem_classes_width(fit->plan), NULL);
	for (int g = 0; g < groups; g++)
	{
		expect_constant(fit, g, &run[g].classes);
		expect_noise(fit->plan, &run[g]);
	}
	passes = dpem_classes_is_baseline(fit->plan) ? dpem_classes_run_baseline(fit, run) : run_passes(fit, run);
	for (int g = 0; g < groups; g++)
	{
		if (!run[g].modelled)
			dpem_classes_find_noise(&run[g]);
		finish(&run[g], g, passes, &fitted->model[g]);
	}
}

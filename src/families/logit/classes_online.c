/*
 * classes_online.c - linear classifiers that learn online: rows are met in batches, in the order of a
 * column, each with the coefficients that the batches before have led to (core/online/online_learner.h).
 *
 * Implicit gradient descent and generalised infinitesimal gradient ascent under differential privacy
 * (Jain, Kothari, Thakurta 2012, COLT 23) in the form that their noise has today: the regularised leader by sums from a
 * binary tree (Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021, ICML, algorithm 1).
 */
#include "postgres.h"

#include <math.h>

#include "core/online/online_learner.h"
#include "families/logit/classes_run.h"
#include "server/fit_memory.h"

static const char *const no_column = "";

/* a row's slope times its features, as in gradients of all rows */
static DpemMomentLayout
layout_of(const DpemFitPlan *plan)
{
	return (DpemMomentLayout) {1, plan->d, DPEM_SECOND_NONE};
}

/* groups are batches of rows, of one model */
void
dpem_classes_plan_batches(DpemFitPlan *plan)
{
	plan->iterations = plan->groups;
	plan->groups = 1;
}

void
dpem_classes_plan_online(DpemFitPlan *plan)
{
	DpemReleaseSpec spec = dpem_fit_spec(plan, 0, 1, 0);

	spec.contribution = DPEM_PRODUCT;
	plan->stages = DPEM_CLASS_BASELINE_STAGES;
	plan->stage[DPEM_CLASS_MARGINS].line = -1;
	plan->stage[DPEM_CLASS_BASELINE] = (DpemFitStage) {
		.statistic = "tree of gradients",.share = 1,.releases = dpem_tree_levels(plan->iterations),.spec = spec,
			.layout = layout_of(plan),.batches = plan->iterations
	};
	dpem_fit_add_stages(plan, &plan->stage[DPEM_CLASS_BASELINE], 1);
}

/* of the next batch, before it is met */
static void
note_coefficients(DpemClassesRun *run, const DpemOnlineLearner *learner, int batch)
{
	size_t		d = (size_t) learner->d;

	memcpy(run->met + batch * d, learner->at, d * sizeof(double));
	memcpy(run->met_noise + batch * d, learner->noise, d * sizeof(double));
	dpem_classes_put_coefficients(run, 0, learner->at);
}

static void
take_last(const DpemOnlineLearner *learner, DpemLogit *out)
{
	size_t		d = (size_t) learner->d;

	memcpy(out->mean, learner->at, d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		out->turn[j * d + j] = learner->noise[j];
}

void
dpem_classes_run_online(DpemFitRun *fit, DpemClassesRun *run)
{
	const DpemFitPlan *plan = fit->plan;
	const double *nodes[DPEM_TREE_MOST_LEVELS];
	DpemNoisyMoments *released[DPEM_TREE_MOST_LEVELS];
	DpemWorkspace work = dpem_fit_workspace(dpem_online_work(plan->d));
	DpemOnlineLearner learner = dpem_online_create(plan->d, plan->clip_norm, &work);
	DpemMomentLayout layout = layout_of(plan);
	DpemTree   *tree = dpem_fit_begin_tree(fit, DPEM_CLASS_BASELINE, &dpem_kernel_class_gradient, &layout);

	run->met = dpem_fit_allocate((size_t) plan->iterations * plan->d);
	run->met_noise = dpem_fit_allocate((size_t) plan->iterations * plan->d);
	dpem_class_write(&run->classes.loss, 1, run->theta);
	for (int batch = 0; batch < plan->iterations; batch++)
	{
		int			ended;

		note_coefficients(run, &learner, batch);
		ended = dpem_fit_release_batch(fit, DPEM_CLASS_BASELINE, batch + 1, tree, run->theta, released);
		for (int level = 0; level < ended; level++)
			nodes[level] = released[level]->value + 1;
		dpem_online_take(&learner, nodes, released[0]->sum_sd);
	}
	take_last(&learner, &run->classes.problem[0].fit);
}

/* A v of every batch's v, or root of the sum of squares of A's entries times it */
static DpemFieldArray *
transformed(const DpemClassesRun *run, int n, const double *a, const double *v, bool deviations)
{
	DpemFieldArray *out = palloc0(sizeof(DpemFieldArray));
	int			d = run->classes.d;
	int			batches = v ? run->fit->plan->iterations : 0;

	out->n = batches * n;
	out->number = dpem_fit_allocate(Max(out->n, 1));
	for (int i = 0; i < out->n; i++)
	{
		const double *row = a + (size_t) (i % n) * d;

		for (int j = 0; j < d; j++)
			out->number[i] = deviations ? hypot(out->number[i], row[j] * v[(size_t) (i / n) * d + j])
				: out->number[i] + row[j] * v[(size_t) (i / n) * d + j];
	}
	return out;
}

void
dpem_classes_put_trajectory(const DpemClassesRun *run, int n, const double *a, DpemModel *model)
{
	const DpemGrouping *batches = run->met ? run->fit->plan->binding->grouping : NULL;
	DpemFieldArray *edge = palloc0(sizeof(DpemFieldArray));

	if (batches)
		*edge = (DpemFieldArray) {batches->n + 1, batches->edge};
	model->value[DPEM_CLASS_ORDER] = batches ? (const void *) &batches->column.name : &no_column;
	model->value[DPEM_CLASS_EDGE] = edge;
	model->value[DPEM_CLASS_MET] = transformed(run, n, a, run->met, false);
	model->value[DPEM_CLASS_MET_NOISE] = transformed(run, n, a, run->met_noise, true);
}

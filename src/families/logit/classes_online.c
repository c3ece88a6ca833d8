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

#include "core/online/online_rules.h"
#include "families/logit/classes_run.h"
#include "server/fit_memory.h"

void
dpem_classes_plan_online(DpemFitPlan *plan)
{
	plan->stages = DPEM_CLASS_BASELINE_STAGES;
	plan->stage[DPEM_CLASS_MARGINS].line = -1;
	plan->stage[DPEM_CLASS_BASELINE] = dpem_fit_tree_stage(plan);
	dpem_fit_add_stages(plan, &plan->stage[DPEM_CLASS_BASELINE], 1);
}

void
dpem_classes_run_online(DpemFitRun *fit, DpemClassesRun *run)
{
	DpemLogit  *out = &run->classes.problem[0].fit;
	size_t		d = (size_t) fit->plan->d;

	dpem_class_write(&run->classes.loss, 1, 0, run->theta);
	run->met = dpem_fit_learn(fit, DPEM_CLASS_BASELINE, &dpem_kernel_class_gradient, dpem_online_reach(fit->plan->clip_norm),
							  run->theta, run->theta + DPEM_CLASS_HEAD, -1);
	memcpy(out->mean, run->met.mean, d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		out->turn[j * d + j] = run->met.mean_noise[j];
}

/* A v of every batch's v, and of that after the last, or root of the sum of squares of A's entries times it */
static DpemFieldArray *
transformed(const DpemFitTrajectory *met, int n, const double *a, const double *v, bool deviations)
{
	DpemFieldArray *out = dpem_fit_field(met->batches > 0 ? (met->batches + 1) * n : 0);

	for (int i = 0; i < out->n; i++)
	{
		const double *row = a + (size_t) (i % n) * met->d;

		for (int j = 0; j < met->d; j++)
		{
			double		term = row[j] * v[(size_t) (i / n) * met->d + j];

			out->number[i] = deviations ? hypot(out->number[i], term) : out->number[i] + term;
		}
	}
	return out;
}

void
dpem_classes_put_trajectory(const DpemClassesRun *run, int n, const double *a, DpemModel *model)
{
	const DpemGrouping *batches = run->met.batches > 0 ? run->fit->plan->binding->grouping : NULL;

	dpem_fit_put_trajectory(batches, transformed(&run->met, n, a, run->met.at, false), transformed(&run->met, n, a, run->met.noise, true), model,
							DPEM_CLASS_ORDER);
}

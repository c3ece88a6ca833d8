/*
 * classes_newton.c - a linear classifier without noise: passes until the minimum.
 */
#include "postgres.h"

#include "storage/shmem.h"

#include <math.h>

#include "utils/memutils.h"

#include "families/logit/classes_run.h"
#include "server/fit_memory.h"

#define MOST_ROUNDS	500

/* of one problem in one group */
typedef struct Search
{
	DpemClassNewton newton;
	double	   *rest;
	bool		bends;			/* a curvature is wanted */
} Search;

static void
start_search(const DpemClassesRun *run, int problem, Search *search)
{
	const DpemClassFit *fit = &run->classes;

	search->rest = dpem_fit_allocate(fit->d);
	search->newton = (DpemClassNewton) {
		.precision = fit->prior_variance > 0 ? 1 / fit->prior_variance : 1,.square = INFINITY,
			.at = dpem_fit_allocate(fit->d),.best = dpem_fit_allocate(fit->d),.step = dpem_fit_allocate(fit->d)
	};
	memcpy(search->newton.at, fit->problem[problem].fit.mean, fit->d * sizeof(double));
}

/* gradients of all problems; false: every minimum is found */
static bool
take_gradients(DpemFitRun *fit, DpemClassesRun *run, Search *search)
{
	int			problems = run->classes.problems;
	double		bound = dpem_class_bound(problems, false);
	DpemNoisyMoments *m;
	bool		any = false;

	for (int g = 0; g < fit->plan->groups; g++)
		for (int k = 0; k < problems; k++)
			dpem_classes_put_coefficients(&run[g], k, search[g * problems + k].newton.at);
	m = dpem_classes_release_gradients(fit, run, &run->classes.loss);
	for (int i = 0; i < fit->plan->groups * problems; i++)
	{
		double	   *gradient = m[i / problems].value + (size_t) (i % problems) * (run->classes.d + 1) + 1;

		search[i].bends = false;
		if (search[i].newton.found)
			continue;
		for (int j = 0; j < run->classes.d; j++)
			gradient[j] *= bound;
		search[i].bends = dpem_class_newton_gradient(run->classes.d, gradient, &search[i].newton, search[i].rest);
		any |= !search[i].newton.found;
	}
	return any;
}

static void
symmetric(const DpemNoisyMoments *m, double factor, double *curvature)
{
	int			d = m->layout.d;
	const double *at = m->value + 1 + d;

	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
			curvature[(size_t) i * d + j] = curvature[(size_t) j * d + i] = factor * *at++;
}

/* a problem's curvature in all groups, wanted in one of them at least */
static void
take_curvature(DpemFitRun *fit, DpemClassesRun *run, int problem, Search *search)
{
	const DpemClassFit *classes = &run->classes;
	double	   *curvature = dpem_fit_allocate((size_t) classes->d * classes->d);
	DpemWorkspace work = dpem_fit_workspace(classes->d);
	DpemNoisyMoments *m;

	for (int g = 0; g < fit->plan->groups; g++)
		dpem_classes_put_coefficients(&run[g], 0, search[g * classes->problems + problem].newton.at);
	m = dpem_classes_release_curvature(fit, run, &classes->loss, classes->problems == 1 ? 0 : problem + 1);
	for (int g = 0; g < fit->plan->groups; g++)
	{
		Search	   *own = &search[g * classes->problems + problem];

		if (!own->bends)
			continue;
		symmetric(&m[g], dpem_loss_most_curvature(&classes->loss), curvature);
		dpem_fit_require_ok(dpem_class_newton_curvature(classes->d, curvature, own->rest, classes->prior_variance, &own->newton, work));
	}
}

static bool
run_round(DpemFitRun *fit, DpemClassesRun *run, Search *search)
{
	int			problems = run->classes.problems;
	MemoryContext old = MemoryContextSwitchTo(fit->per_pass);
	bool		any = take_gradients(fit, run, search);

	for (int k = 0; k < problems && any; k++)
	{
		bool		wanted = false;

		for (int g = 0; g < fit->plan->groups; g++)
			wanted |= search[g * problems + k].bends;
		if (wanted)
			take_curvature(fit, run, k, search);
	}
	MemoryContextSwitchTo(old);
	MemoryContextReset(fit->per_pass);
	return any;
}

int
dpem_classes_run_newton(DpemFitRun *fit, DpemClassesRun *run)
{
	int			problems = run->classes.problems;
	int			most = fit->plan->request->iterations > 0 ? fit->plan->request->iterations : MOST_ROUNDS;
	int			round = 0;
	Search	   *search = palloc0(mul_size(fit->plan->groups * problems, sizeof(Search)));

	for (int i = 0; i < fit->plan->groups * problems; i++)
		start_search(&run[i / problems], i % problems, &search[i]);
	do
		dpem_fit_report(fit, "coefficients", ++round);
	while (run_round(fit, run, search) && round < most);
	for (int i = 0; i < fit->plan->groups * problems; i++)
		memcpy(run[i / problems].classes.problem[i % problems].fit.mean, search[i].newton.best, run->classes.d * sizeof(double));
	return round;
}

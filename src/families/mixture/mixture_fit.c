/*
 * mixture_fit.c - the passes of a mixture of numbers and categories, and back
 * into the columns' own units.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/kernels/kernel.h"
#include "core/mixture/mixture_choice.h"
#include "core/mixture/mixture_rules.h"
#include "families/mixture/mixture_run.h"
#include "server/fit_memory.h"

static DpemMixture
allocate_mixture(int k, int d)
{
	return (DpemMixture) {
		.k = k,.d = d,.weight = dpem_fit_allocate(k),.mean = dpem_fit_allocate((size_t) k * d),
		.variance = dpem_fit_allocate((size_t) k * d),.mean_noise = dpem_fit_allocate((size_t) k * d),
		.weight_noise = dpem_fit_allocate(k),.known = dpem_fit_allocate(d)
	};
}

static DpemMixtureMoments
allocate_moments(int k, int n)
{
	return (DpemMixtureMoments) {
		.k = k,.n = n,.count = dpem_fit_allocate(k),.sum = dpem_fit_allocate((size_t) k * n),
		.square = dpem_fit_allocate((size_t) k * n)
	};
}

static MixtureRun *
create_runs(const DpemMixturePlan *plan)
{
	MixtureRun *run = palloc0(plan->fit.groups * sizeof(MixtureRun));
	int			most = plan->early;
	int			n = plan->fit.d;
	DpemMomentLayout late = {plan->k, n, DPEM_SECOND_DIAGONAL};

	for (int g = 0; g < plan->fit.groups; g++)
	{
		run[g].rows = plan->rows;
		run[g].candidates = plan->fit.request->candidates;
		run[g].total = allocate_mixture(1, plan->rows.d);
		run[g].mixture = allocate_mixture(most, plan->rows.d);
		run[g].all = allocate_moments(1, n);
		run[g].moments = allocate_moments(most, n);
		run[g].frames = dpem_mixture_allocate_frames(most, n);
		run[g].begun = allocate_mixture(most, plan->rows.d);
		run[g].search.start = &run[g].begun;
		run[g].search.pause = dpem_fit_pause;
		run[g].theta = dpem_fit_allocate(Max((size_t) most * (1 + 2 * (size_t) n), dpem_column_frames_theta_length(&late)));
	}
	return run;
}

/* ---- passes ---- */

/* k components, each of all rows */
static void
copy_total(const MixtureRun *run, int k, DpemMixture *mixture)
{
	int			d = run->rows.d;

	for (int c = 0; c < k; c++)
	{
		mixture->weight[c] = 1.0 / k;
		mixture->weight_noise[c] = 0;
		memcpy(mixture->mean + (size_t) c * d, run->total.mean, d * sizeof(double));
		memcpy(mixture->variance + (size_t) c * d, run->total.variance, d * sizeof(double));
		memcpy(mixture->mean_noise + (size_t) c * d, run->total.mean_noise, d * sizeof(double));
	}
}

/* components that passes begin with, and that are kept to see what the same passes find elsewhere */
static void
start(MixtureRun *run, const DpemNoisyMoments *m)
{
	dpem_fit_require_ok(dpem_mixture_start(&run->rows, m, &run->total, &run->mixture,
										   dpem_fit_workspace(dpem_mixture_start_work(&run->rows, run->mixture.k))));
	dpem_mixture_copy(&run->mixture, &run->begun);
}

/* noise in a sum of the passes over rows of the least radius, in rows of the whole table */
static double
sum_noise(const DpemMixturePlan *plan)
{
	return dpem_fit_stage_noise(&plan->fit, DPEM_MIXTURE_COMPONENTS).sum * plan->rows.radius / plan->fit.sample.rate;
}

/* of the smallest group, as all have as many */
static int
early_components(const DpemMixturePlan *plan, const DpemNoisyMoments *m)
{
	double		sd = sum_noise(plan);
	int			least = plan->early;

	for (int g = 0; g < plan->fit.groups; g++)
		least = Min(least, dpem_mixture_early_components(plan->k, fmax(m[g].value[0], 1), sd));
	return least;
}

/* from here on rows may be longer; what was summed up of shorter ones is too little then, but of a sample less is known */
static void
widen(DpemFitRun *fit, const DpemMixturePlan *plan, int group, MixtureRun *run, const DpemNoisyMoments *m)
{
	double		noise = sum_noise(plan) * plan->k / fmax(m->value[0], 1);
	double		radius = dpem_mixture_found_radius(&run->rows, m, noise);

	if (radius <= run->rows.radius)
		return;
	run->rows.radius = fit->part[group].radius = radius;
	if (!dpem_fit_is_sampled(&plan->fit))
		dpem_mixture_forget(&run->all);
}

/* components that are all of all rows: where nothing tells candidates apart, the least */
static int
all_alike(const DpemMixturePlan *plan, MixtureRun *run)
{
	return run->candidates.n > 0 ? dpem_sizes_choose_least(&run->candidates) : plan->k;
}

static void
find_totals(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run)
{
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_FULL};
	DpemNoisyMoments *m;

	dpem_fit_report(fit, "all rows", 0);
	m = dpem_fit_release_stage_groups(fit, DPEM_MIXTURE_TOTAL, &dpem_kernel_sums, &layout);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		CHECK_FOR_INTERRUPTS();
		run[g].mixture.k = run[g].moments.k = plan->passes > 0 ? early_components(plan, m) : all_alike(plan, &run[g]);
		dpem_mixture_average(&run[g].rows, &m[g], 1, &run[g].all);
		dpem_mixture_total(&run[g].rows, &run[g].all, &run[g].total);
		if (plan->passes == 0)
		{
			copy_total(&run[g], run[g].mixture.k, &run[g].mixture);
			continue;
		}
		dpem_mixture_widen_units(fit, plan, g, &run[g], &m[g]);
		start(&run[g], &m[g]);
		widen(fit, plan, g, &run[g], &m[g]);
	}
}

/* those of all rows, as far as a sample tells */
static void
scale_moments(DpemNoisyMoments *m, double factor)
{
	size_t		length = dpem_moments_length(&m->layout);

	for (size_t i = 0; i < length && factor != 1; i++)
		m->value[i] *= factor;
	m->count_sd *= factor;
	m->sum_sd *= factor;
	m->second_sd *= factor;
}

/* what the same pass over other rows is like */
static void
note_pass(double rate, const DpemNoisyMoments *m, DpemMixtureSearch *search)
{
	search->passes++;
	search->rate = rate;
	search->count_sd = m->count_sd;
	search->sum_sd = m->sum_sd;
	search->square_sd = m->second_sd;
}

static void
take_pass(const DpemMixturePlan *plan, MixtureRun *run, DpemNoisyMoments *m, int pass)
{
	int			own = dpem_mixture_frames_pass(plan, run, pass);
	int			early = dpem_mixture_early_passes(plan->passes);

	scale_moments(m, 1 / plan->fit.sample.rate);
	note_pass(plan->fit.sample.rate, m, &run->search);
	if (own > 0)
		dpem_column_frames_average(&run->rows, &run->frames, &run->total, m, dpem_mixture_step(own), &run->moments);
	else
	{
		dpem_mixture_average(&run->rows, m, plan->fit.noisy ? dpem_mixture_step(pass > early ? pass - early : pass) : 1, &run->moments);
		dpem_mixture_pool(&run->rows, m, &run->all);
		dpem_mixture_total(&run->rows, &run->all, &run->total);
	}
	dpem_mixture_maximize(&run->rows, &run->moments, &run->total, dpem_mixture_weak_prior, &run->mixture);
}

static void
run_pass(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run, int pass)
{
	DpemMomentLayout layout = {run[0].mixture.k, plan->fit.d, DPEM_SECOND_DIAGONAL};
	bool		own = dpem_mixture_frames_pass(plan, run, pass) > 0;
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->fit.groups; g++)
	{
		if (own)
			dpem_mixture_enter_frames(fit, plan, g, &run[g]);
		else
			dpem_mixture_prepare(&run[g].rows, &run[g].mixture, run[g].theta);
		fit->part[g].theta = run[g].theta;
	}
	m = dpem_fit_release_stage_groups(fit, DPEM_MIXTURE_COMPONENTS, own ? &dpem_kernel_column_frames : &dpem_kernel_gmm, &layout);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		CHECK_FOR_INTERRUPTS();
		take_pass(plan, &run[g], &m[g], pass);
	}
}

/* by what the first passes have released: nothing more is (docs/proofs.md, "Choices among several numbers") */
static void
choose(MixtureRun *run)
{
	size_t		n = dpem_mixture_choice_work(&run->rows, &run->candidates, run->mixture.k);

	dpem_mixture_choose(&run->rows, &run->moments, &run->candidates, &run->mixture, dpem_fit_pause, dpem_fit_workspace(n));
	run->moments.k = run->candidates.chosen;
}

static void
merge(const DpemMixturePlan *plan, MixtureRun *run)
{
	for (int g = 0; g < plan->fit.groups; g++)
	{
		if (run[g].candidates.n > 0)
		{
			choose(&run[g]);
			continue;
		}
		dpem_mixture_merge(&run[g].rows, plan->k, &run[g].mixture,
						   dpem_fit_workspace(dpem_mixture_merge_work(run[g].mixture.k)));
		run[g].moments.k = plan->k;
	}
}

/* a pass for all rows as one component */
static void
run_total_pass(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run)
{
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_DIAGONAL};
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->fit.groups; g++)
		fit->part[g].theta = NULL;
	m = dpem_fit_release_stage_groups(fit, DPEM_MIXTURE_COMPONENTS, &dpem_kernel_sums, &layout);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		scale_moments(&m[g], 1 / plan->fit.sample.rate);
		dpem_mixture_pool(&run[g].rows, &m[g], &run[g].all);
		dpem_mixture_total(&run[g].rows, &run[g].all, &run[g].total);
	}
}

/* halfway: where no group's components are worth it, what is left of the passes is for all rows; else merges */
static bool
give_up_or_merge(const DpemMixturePlan *plan, MixtureRun *run)
{
	bool		all = true;

	for (int g = 0; g < plan->fit.groups && all; g++)
		all = dpem_mixture_is_no_group(plan, &run[g]);
	for (int g = 0; g < plan->fit.groups && all; g++)
	{
		run[g].equal = true;
		run[g].mixture.k = all_alike(plan, &run[g]);
	}
	if (!all)
	{
		bool		has = dpem_mixture_has_frames(plan, run);

		merge(plan, run);
		for (int g = 0; g < plan->fit.groups; g++)
			run[g].has_frames = has;
	}
	return all;
}

static void
run_passes(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run)
{
	int			early = dpem_mixture_early_passes(plan->passes);
	bool		equal = false;

	fit->sampled = dpem_fit_is_sampled(&plan->fit);
	for (int pass = 1; pass <= plan->passes; pass++)
	{
		MemoryContext old = MemoryContextSwitchTo(fit->per_pass);

		if (pass == early + 1)
			equal = give_up_or_merge(plan, run);
		dpem_fit_report(fit, dpem_mixture_frames_pass(plan, run, pass) > 0 ? "components" DPEM_OWN_FRAMES_PHASE : "components", pass);
		if (equal)
			run_total_pass(fit, plan, run);
		else
			run_pass(fit, plan, run, pass);
		MemoryContextSwitchTo(old);
		MemoryContextReset(fit->per_pass);
	}
}

/* ---- the model, in the columns' own units ---- */

static void
to_columns(const DpemMixtureRows *rows, DpemMixture *mixture)
{
	for (int c = 0; c < mixture->k; c++)
		for (int j = 0; j < rows->numbers; j++)
		{
			size_t		at = (size_t) c * rows->d + j;
			bool		poisson = rows->law[j] == DPEM_LAW_POISSON;

			mixture->mean[at] = rows->middle[j] + rows->unit[j] * mixture->mean[at];
			mixture->mean_noise[at] *= rows->unit[j];
			mixture->variance[at] = poisson ? mixture->mean[at] : rows->unit[j] * rows->unit[j] * mixture->variance[at];
		}
}

/* what the passes found, or, where that is hardly more than noise, components that are each of all rows */
static void
settle(const DpemMixturePlan *plan, MixtureRun *run)
{
	if (!run->equal)
	{
		DpemMixturePrior prior = dpem_mixture_found_prior(&run->rows, &run->moments, &run->total);

		dpem_mixture_maximize(&run->rows, &run->moments, &run->total, prior, &run->mixture);
		run->equal = dpem_mixture_is_noise(plan, run, prior);
	}
	if (run->equal)
		copy_total(run, run->mixture.k, &run->mixture);
}

static void
finish(const DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run, DpemModel *model)
{
	double	   *law = dpem_fit_allocate(plan->rows.d);

	if (plan->passes > 0)
		settle(plan, run);
	to_columns(&run->rows, &run->mixture);
	dpem_mixture_find_atoms(fit, run, model);
	for (int j = 0; j < plan->rows.d; j++)
		law[j] = plan->rows.law[j];
	model->k = run->mixture.k;
	model->candidates = run->candidates.n > 0 ? &run->candidates : NULL;
	model->d = plan->rows.d;
	model->value[DPEM_MIXTURE_WEIGHT] = run->mixture.weight;
	model->value[DPEM_MIXTURE_WEIGHT_NOISE] = run->mixture.weight_noise;
	model->value[DPEM_MIXTURE_MEAN] = run->mixture.mean;
	model->value[DPEM_MIXTURE_VARIANCE] = run->mixture.variance;
	model->value[DPEM_MIXTURE_MEAN_NOISE] = run->mixture.mean_noise;
	model->value[DPEM_MIXTURE_LAW] = law;
}

void
dpem_mixture_run(DpemFitRun *fit, DpemFitted *fitted)
{
	const DpemMixturePlan *plan = (const DpemMixturePlan *) fit->plan;
	MixtureRun *run = create_runs(plan);
	bool		equal = false;

	dpem_mixture_find_frames(fit, plan, run);
	find_totals(fit, plan, run);
	run_passes(fit, plan, run);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		finish(fit, plan, &run[g], &fitted->model[g]);
		equal |= run[g].equal;
	}
	if (equal)
		dpem_fit_notice_equal(plan->fit.request, run[0].mixture.k);
}

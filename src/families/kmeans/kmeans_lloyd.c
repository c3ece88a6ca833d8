/*
 * kmeans_lloyd.c - see kmeans_lloyd.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gmm/total_covariance.h"
#include "families/kmeans/kmeans_lloyd.h"
#include "families/kmeans/kmeans_frame.h"
#include "families/kmeans/kmeans_locate.h"
#include "server/fit_memory.h"

/* of the publications */
#define DPEM_ITERATIONS		10
#define DPLLOYD_ITERATIONS	5

/* ---- plans ---- */

static void
add_joint_line(DpemKmeansPlan *plan, const DpemCostLine *cost)
{
	DpemMomentLayout layout = {dpem_kmeans_components(plan), plan->fit.d, DPEM_SECOND_NONE};

	dpem_release_check(&plan->joint, &layout, cost->noise_multiplier);
	plan->noise_multiplier = cost->noise_multiplier;
	plan->line = dpem_fit_add_line(&plan->fit, "clusters", dpem_noise_mechanism(plan->joint.noise, layout.second), cost);
}

static DpemReleaseSpec
joint_spec(const DpemKmeansPlan *plan, DpemNoiseKind noise)
{
	const DpemDataset *ds = plan->fit.dataset;

	return (DpemReleaseSpec) {
		.noise = noise,.replace_one = ds->replace_one,.rows_per_unit = ds->max_rows_per_unit
	};
}

void
dpem_kmeans_plan_joint(DpemKmeansPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	DpemReleaseSpec *spec = &plan->joint;
	int			k = plan->request->k;
	double		sd[3];

	if (dpem_kmeans_plan_middle(plan))
		return;
	*spec = joint_spec(plan, DPEM_NOISE_GAUSSIAN);
	dpem_kmeans_weights(fit->d, spec->replace_one, &spec->count_weight, &spec->sum_weight);
	plan->rule = &dpem_kmeans_careful_rule;
	dpem_kmeans_plan_locate(plan);
	if (fit->iterations == 0)
	{
		dpem_release_noise(spec, dpem_kmeans_components(plan), fit->d,
						   dpem_fit_exact_multiplier(fit, dpem_kmeans_passes_share(plan)), &sd[0], &sd[1], &sd[2]);
		fit->iterations = dpem_kmeans_iterations(k, fit->d, fit->public_rows, sd[1]);
	}
	fit->stage[DPEM_LLOYD_PASSES] = (DpemFitStage) {
		.statistic = "clusters",.share = dpem_kmeans_passes_share(plan),.releases = fit->iterations,.spec = *spec,
			.layout = {dpem_kmeans_components(plan), fit->d, DPEM_SECOND_NONE},.sampled = true
	};
	dpem_fit_plan_stages(fit, DPEM_LLOYD_STAGES);
	plan->line = fit->stage[DPEM_LLOYD_PASSES].line;
	plan->noise_multiplier = dpem_fit_stage_multiplier(fit, DPEM_LLOYD_PASSES);
}

/* sums weigh clip_norm, which makes their noise that of counts in box coordinates, as published */
void
dpem_kmeans_plan_dplloyd(DpemKmeansPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	DpemCostLine cost;

	plan->joint = joint_spec(plan, DPEM_NOISE_LAPLACE);
	plan->joint.count_weight = 1;
	plan->joint.sum_weight = fit->clip_norm;
	plan->rule = &dpem_kmeans_plain_rule;
	if (fit->iterations == 0)
		fit->iterations = DPLLOYD_ITERATIONS;
	if (!fit->noisy)
		return;
	cost = dpem_cost_line(DPEM_COST_LAPLACE, dpem_fit_pure_multiplier(fit, DPEM_COST_LAPLACE, fit->iterations),
						  fit->iterations);
	add_joint_line(plan, &cost);
}

static DpemMomentLayout
separate_layout(const DpemKmeansPlan *plan)
{
	return (DpemMomentLayout) {plan->request->k, plan->fit.d, DPEM_SECOND_NONE};
}

/* releases of a statistic in all iterations */
static DpemCostLine
separate_cost(const DpemKmeansPlan *plan, DpemPaperStatistic statistic)
{
	return dpem_cost_line(plan->separate.noise[statistic] == DPEM_NOISE_LAPLACE ? DPEM_COST_LAPLACE
						  : DPEM_COST_GAUSSIAN, plan->noise_multiplier,
						  (double) dpem_paper_releases(statistic, plan->request->k) * plan->fit.iterations);
}

static void
add_separate_lines(DpemKmeansPlan *plan)
{
	DpemMomentLayout layout = separate_layout(plan);
	double		z[DPEM_PAPER_STATISTICS] = {plan->noise_multiplier, plan->noise_multiplier};

	dpem_release_separate_check(&plan->separate, &layout, z);
	for (int s = DPEM_PAPER_WEIGHTS; s <= DPEM_PAPER_MEANS; s++)
	{
		DpemCostLine cost = separate_cost(plan, s);

		plan->separate.line[s] = dpem_fit_add_line(&plan->fit, dpem_paper_statistic_names[s],
												   dpem_noise_mechanism(plan->separate.noise[s], layout.second), &cost);
	}
}

void
dpem_kmeans_plan_dpem(DpemKmeansPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	DpemNoiseKind noise = plan->request->noise == DPEM_KMEANS_NOISE_LAPLACE ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
	int			releases;

	plan->separately = true;
	plan->separate = (DpemSeparateSpec) {
		.noise = {noise, noise},.replace_one = fit->dataset->replace_one,
		.rows_per_unit = fit->dataset->max_rows_per_unit
	};
	plan->rule = &dpem_kmeans_plain_rule;
	if (fit->iterations == 0)
		fit->iterations = DPEM_ITERATIONS;
	if (!fit->noisy)
		return;
	releases = fit->iterations * (1 + plan->request->k);
	plan->noise_multiplier = noise == DPEM_NOISE_LAPLACE ? dpem_fit_pure_multiplier(fit, DPEM_COST_LAPLACE, releases)
		: dpem_fit_noise_multiplier(fit, 1, 1, releases);
	add_separate_lines(plan);
}

/* ---- forecasts ---- */

/* in a center, if the public number of rows that a pass reads were spread evenly over the clusters */
static double *
center_deviation(const DpemKmeansPlan *plan, double deviation)
{
	return dpem_forecast_columns(&plan->fit, deviation, dpem_fit_sample_rows(&plan->fit) / plan->request->k, 1);
}

/* the radius of the ball is not known before the rows are found */
static void
forecast_located(const DpemKmeansPlan *plan, DpemForecast *f)
{
	dpem_fit_forecast_stages(&plan->fit, f);
	dpem_kmeans_forecast_center(plan, f, dpem_fit_stage_noise(&plan->fit, DPEM_LLOYD_PASSES).sum, DPEM_BALL_FACTOR);
}

void
dpem_kmeans_forecast_joint(const DpemKmeansPlan *plan, DpemForecast *f)
{
	DpemForecastRow *sum;

	if (plan->middle)
	{
		dpem_kmeans_forecast_middle(plan, f);
		return;
	}
	if (plan->located)
	{
		forecast_located(plan, f);
		return;
	}
	dpem_forecast_joint(f, plan->line, &plan->joint, dpem_kmeans_components(plan), &sum, NULL);
	sum->column_deviation = center_deviation(plan, sum->deviation);
	dpem_kmeans_forecast_center(plan, f, sum->deviation, 0);
}

void
dpem_kmeans_forecast_dpem(const DpemKmeansPlan *plan, DpemForecast *f)
{
	DpemMomentLayout layout = separate_layout(plan);

	for (int s = DPEM_PAPER_WEIGHTS; s <= DPEM_PAPER_MEANS; s++)
	{
		double		sensitivity = dpem_release_separate_sensitivity(&plan->separate, &layout, s);
		double		deviation = dpem_noise_deviation(plan->separate.noise[s], &layout, plan->noise_multiplier, sensitivity);
		DpemForecastRow *row = dpem_forecast_release(f, plan->separate.line[s], sensitivity, deviation);

		if (s == DPEM_PAPER_MEANS)
		{
			row->column_deviation = center_deviation(plan, deviation);
			dpem_kmeans_forecast_center(plan, f, deviation, 0);
		}
	}
}

/* ---- the run ---- */

/* all centers in one place, the middle of the ball, so that every row is the first one's */
static void
look_for_middle(DpemKmeansRun *run, int group)
{
	DpemKmeansRun *r = &run[group];
	size_t		n = (size_t) r->means.k * r->means.d;

	r->radius = dpem_kmeans_total_ball(run, group, dpem_kmeans_pass_noise(run->plan), r->total, r->middle) * run->plan->fit.clip_norm;
	r->origin = run->fit->part[group].center;
	memset(r->means.center, 0, n * sizeof(double));
}

/* moments of each group */
static DpemNoisyMoments *
release_pass(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemMomentLayout layout = separate_layout(plan);
	DpemRawMoments *raw;

	for (int g = 0; g < plan->fit.groups; g++)
	{
		if (run[g].total)
			look_for_middle(run, g);
		run->fit->part[g].radius = run[g].radius;
		run->fit->part[g].center = run[g].origin;
		run->fit->part[g].whitening = run->fit->pass.map.whitening;
		run->fit->part[g].theta = run[g].means.center;
	}
	if (!plan->separately || !plan->fit.noisy)
		return dpem_fit_release_groups(run->fit, plan->line, &plan->joint, &dpem_kernel_kmeans, &layout);
	raw = dpem_fit_scan(run->fit, &dpem_kernel_kmeans, &layout, run->means.center);
	return dpem_fit_release_separate(run->fit, raw, &plan->separate);
}

static void
prepare_history(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;

	run->history = (DpemKmeansHistory) {
		.k = plan->request->k,.d = plan->fit.d,.capacity = plan->fit.iterations,
		.noise = plan->separately ? plan->separate.noise[DPEM_PAPER_WEIGHTS] : plan->joint.noise,
		.public_rows = dpem_fit_sample_rows(&plan->fit),.half_width = run->origin ? 1 : 1 / plan->fit.clip_norm
	};
	dpem_kmeans_history_place(&run->history,
							  dpem_fit_allocate(dpem_kmeans_history_length(run->history.k, run->history.d,
																		   run->history.capacity)));
}

static void
maximize(DpemKmeansRun *run, const DpemNoisyMoments *released)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_kmeans_maximize_work(run->means.k, run->means.d));

	for (int g = 0; g < run->plan->fit.groups; g++)
	{
		if (run[g].total)
		{
			dpem_kmeans_add_look(&run[g], &released[g], run[g].middle, run[g].radius / run->plan->fit.clip_norm, run[g].total);
			continue;
		}
		dpem_kmeans_history_add(&run[g].history, run[g].means.center, &released[g]);
		dpem_kmeans_maximize(&run[g].history, run->plan->rule, &run[g].means, work);
	}
}

static void
end_looks(DpemKmeansRun *run)
{
	dpem_kmeans_total_centers(run, run->total);
	run->origin = NULL;
	run->radius = run->plan->fit.clip_norm;
}

void
dpem_kmeans_run_passes(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;

	for (int g = 0; g < plan->fit.groups; g++)
		prepare_history(&run[g]);
	run->fit->sampled = true;
	for (int iteration = 1; iteration <= plan->fit.iterations; iteration++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);

		dpem_fit_report(run->fit, "clusters", iteration);
		maximize(run, release_pass(run));
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit->per_pass);
	}
	for (int g = 0; g < plan->fit.groups; g++)
		if (run[g].total)
			end_looks(&run[g]);
}

void
dpem_kmeans_run_lloyd(DpemKmeansRun *run)
{
	if (run->plan->middle)
	{
		dpem_kmeans_run_middle(run);
		return;
	}
	if (run->plan->located)
		dpem_kmeans_locate(run);
	else
		for (int g = 0; g < run->plan->fit.groups; g++)
			dpem_kmeans_run_start(&run[g]);
	dpem_kmeans_run_passes(run);
}

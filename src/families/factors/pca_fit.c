/*
 * pca_fit.c - principal components: the frame of all algorithms, and Analyze
 * Gauss, the top eigenvectors of one release of second moments.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/factors/factor_choice.h"
#include "families/factors/factors_run.h"
#include "families/factors/pca_algorithm.h"
#include "server/fit_memory.h"

/* from the ball to the box */
static void
scale_components(DpemPcaRun *run)
{
	double		square = run->ball.radius * run->ball.radius;

	for (int i = 0; i < run->pca.k; i++)
	{
		run->pca.variance[i] *= square;
		run->pca.variance_sd[i] *= square;
	}
	run->total *= square;
	run->total_sd *= square;
}

/* one for each group, which begin alike */
static DpemPcaRun *
begin(DpemFitRun *fit)
{
	const DpemFactorsPlan *plan = (const DpemFactorsPlan *) fit->plan;
	int			d = plan->fit.d;
	int			k = plan->request->k;
	DpemPcaRun *run = palloc0(plan->fit.groups * sizeof(DpemPcaRun));

	for (int g = 0; g < plan->fit.groups; g++)
		run[g] = (DpemPcaRun) {
		.fit = fit,.plan = plan,.ball = {NULL, plan->fit.clip_norm},.mean = dpem_fit_allocate(d),
			.pca = {d, k, dpem_fit_allocate(k), dpem_fit_allocate(k), dpem_fit_allocate((size_t) k * d), dpem_fit_allocate(k)},
			.sizes = plan->fit.request->candidates
	};
	return run;
}

/* `run` is the model's from then on */
static void
finish(DpemPcaRun *run, DpemModel *model)
{
	double	   *share = dpem_fit_allocate(run->pca.k);
	DpemFactorsFrame frame;

	dpem_factors_fill_frame(run->fit, &run->ball, run->mean, run->mean_sd, &frame);
	run->total = fmin(fmax(run->total, 0), 1);
	dpem_pca_shares(&run->pca, run->total, run->total_sd, share);
	scale_components(run);
	model->k = run->pca.k;
	model->candidates = run->sizes.n > 0 ? &run->sizes : NULL;
	model->value[DPEM_PCA_MEAN] = frame.mean;
	model->value[DPEM_PCA_MEAN_NOISE] = frame.mean_noise;
	model->value[DPEM_PCA_UNIT] = frame.unit;
	model->value[DPEM_PCA_TOTAL] = &run->total;
	model->value[DPEM_PCA_TOTAL_NOISE] = &run->total_sd;
	model->value[DPEM_PCA_VARIANCE] = run->pca.variance;
	model->value[DPEM_PCA_VARIANCE_NOISE] = run->pca.variance_sd;
	model->value[DPEM_PCA_SHARE] = share;
	model->value[DPEM_PCA_ALIGNMENT] = run->pca.alignment;
	model->value[DPEM_PCA_DIRECTION] = run->pca.direction;
}

void
dpem_pca_run(DpemFitRun *fit, DpemFitted *fitted)
{
	DpemPcaRun *run = begin(fit);

	run->plan->request->algorithm->run(run);
	for (int g = 0; g < fit->plan->groups; g++)
		finish(&run[g], &fitted->model[g]);
}

void
dpem_pca_run_center(DpemPcaRun *run)
{
	const DpemFactorsPlan *plan = run->plan;
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_NORM};
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemNoisyMoments *m;

	dpem_fit_report(run->fit, "center", 0);
	m = dpem_fit_release(run->fit, plan->line[DPEM_FACTORS_MOMENTS], &plan->spec[DPEM_FACTORS_MOMENTS],
						 &dpem_kernel_sums, &layout, NULL);
	run->rows = dpem_total_rows(m, plan->fit.public_rows);
	if (plan->request->centered)
		dpem_total_mean(m, run->rows, run->mean);
	run->mean_sd = plan->request->centered ? m->sum_sd / run->rows : 0;
	run->total = m->value[1 + plan->fit.d] / run->rows;
	run->total_sd = m->second_sd / run->rows;
	for (int j = 0; j < plan->fit.d; j++)
		run->total -= run->mean[j] * run->mean[j];
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

static void
plan_analyze_gauss(DpemFactorsPlan *plan)
{
	plan->fit.iterations = 1;
	dpem_factors_plan_covariance(plan);
}

static void
analyze(DpemPcaRun *run, DpemFactorsTotal *total)
{
	size_t		d = (size_t) run->plan->fit.d;

	run->ball = total->ball;
	run->mean = total->mean;
	run->rows = total->total.rows;
	run->mean_sd = total->total.mean_sd;
	for (size_t j = 0; j < d; j++)
		run->total += total->covariance[j * d + j];
	run->total_sd = total->total.second_sd * sqrt(d);
	if (run->sizes.n > 0)
	{
		dpem_fit_require_ok(dpem_component_choose(&run->sizes, (int) d, total->covariance, total->total.second_sd, run->rows,
												  dpem_fit_workspace(dpem_component_choice_work((int) d))));
		run->pca.k = run->sizes.chosen;
	}
	dpem_fit_require_ok(dpem_pca_analyze(total->covariance, total->total.second_sd, &run->pca,
										 dpem_fit_workspace(dpem_pca_analyze_work((int) d))));
	pfree(total->covariance);
}

static void
run_analyze_gauss(DpemPcaRun *run)
{
	DpemFactorsTotal *total = dpem_factors_release_covariance(run->fit, run->plan);

	for (int g = 0; g < run->plan->fit.groups; g++)
		analyze(&run[g], &total[g]);
}

const DpemPcaAlgorithm dpem_pca_analyze_gauss = {
	.name = "analyze_gauss",.finds_radius = true,.samples = true,.groups = true,.chooses = true,.plan = plan_analyze_gauss,
	.run = run_analyze_gauss
};

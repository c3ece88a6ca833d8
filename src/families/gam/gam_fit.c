/*
 * gam_fit.c - the passes of an additive model.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/gam/gam_rules.h"
#include "core/kernels/kernel.h"
#include "families/gam/gam.h"
#include "server/fit_memory.h"

/* relative change of the coefficients at which passes without noise end */
#define CONVERGED		1e-11
#define EXACT_UPDATES	20		/* passes without noise that learn the prior's variances */

/* of one group of rows */
typedef struct GamRun
{
	DpemGamRows rows;
	DpemGamScore *score;
	double	   *coefficient;	/* scores * n: of the last pass */
	double	   *theta;
	bool		converged;
} GamRun;

static void
create_run(GamRun *run, const DpemGamPlan *plan)
{
	size_t		n = (size_t) plan->n;
	double		given = ((const DpemGamRequest *) plan->fit.request)->prior_variance;

	run->rows = (DpemGamRows) {
		.shape = plan->shape,.n = plan->n,.offset = plan->offset,.count = dpem_fit_allocate(n),.second = dpem_fit_allocate(n * n)
	};
	run->score = palloc0(plan->scores * sizeof(DpemGamScore));
	for (int s = 0; s < plan->scores; s++)
	{
		DpemGamScore *score = &run->score[s];

		score->linear = dpem_fit_allocate(n);
		score->curvature = dpem_fit_allocate(n * n);
		score->here = dpem_fit_allocate(n * n);
		score->mean = dpem_fit_allocate(n);
		score->step = dpem_fit_allocate(plan->shape.columns);
		for (int c = 0; c < plan->shape.columns; c++)
			score->step[c] = given > 0 ? given : 2 * dpem_gam_rules.expected;
	}
	run->coefficient = dpem_fit_allocate(plan->scores * n);
	run->theta = dpem_fit_allocate(dpem_gam_theta_length(&plan->shape));
}

static int
updates_of(const DpemGamPlan *plan, int pass)
{
	if (((const DpemGamRequest *) plan->fit.request)->prior_variance > 0)
		return 0;
	if (pass == 1)
		return dpem_gam_rules.first_updates;
	return plan->fit.noisy || pass <= EXACT_UPDATES ? dpem_gam_rules.later_updates : 0;
}

static DpemNoisyMoments *
release(DpemFitRun *fit, const DpemGamPlan *plan, GamRun *run, int stage)
{
	bool		counts = stage == DPEM_GAM_COUNTS;
	DpemMomentLayout layout = {
		counts ? dpem_gam_moments_length(&plan->shape) : dpem_gam_gradient_length(&plan->shape), plan->fit.d, DPEM_COUNTS_ALONE
	};

	for (int g = 0; g < plan->fit.groups; g++)
	{
		dpem_gam_write(&run[g].rows.shape, run[g].coefficient, run[g].theta);
		fit->part[g].theta = run[g].theta;
	}
	return dpem_fit_release_stage_groups(fit, stage, counts ? &dpem_kernel_gam_moments : &dpem_kernel_gam_gradient, &layout);
}

/* the mean of every score, and where the next pass is made */
static void
estimate(const DpemGamPlan *plan, GamRun *run, int pass, DpemWorkspace work)
{
	size_t		n = (size_t) plan->n;
	double		change = 0;
	double		size = 0;

	for (int s = 0; s < plan->scores; s++)
	{
		double	   *coefficient = run->coefficient + s * n;

		CHECK_FOR_INTERRUPTS();
		dpem_fit_require_ok(dpem_gam_estimate(&run->rows, updates_of(plan, pass), &run->score[s], work));
		for (size_t i = 0; i < n; i++)
		{
			change = fmax(change, fabs(run->score[s].mean[i] - coefficient[i]));
			size = fmax(size, fabs(run->score[s].mean[i]));
			coefficient[i] = run->score[s].mean[i];
		}
	}
	dpem_gam_update_dispersion(&run->rows, &run->score[0], pass, work.next);
	run->converged = !plan->fit.noisy && updates_of(plan, pass) == 0 && change <= CONVERGED * size;
}

static void
run_first(DpemFitRun *fit, const DpemGamPlan *plan, GamRun *run, DpemWorkspace work)
{
	DpemNoisyMoments *m = release(fit, plan, run, DPEM_GAM_COUNTS);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		CHECK_FOR_INTERRUPTS();
		dpem_fit_require_ok(dpem_gam_take_rows(&m[g], plan->fit.public_rows, &run[g].rows, work));
		for (int s = 0; s < plan->scores; s++)
			dpem_gam_start(&run[g].rows, &m[g], s, &run[g].score[s]);
		estimate(plan, &run[g], 1, work);
	}
}

/* curvature where the gradient is taken: without noise that of two classes is summed up there */
static void
run_later(DpemFitRun *fit, const DpemGamPlan *plan, GamRun *run, int pass, DpemWorkspace work)
{
	bool		exact = !plan->fit.noisy && plan->shape.targets == 2;
	DpemNoisyMoments *curvature = exact ? release(fit, plan, run, DPEM_GAM_COUNTS) : NULL;
	DpemNoisyMoments *m;
	double		scale;

	for (int g = 0; g < plan->fit.groups; g++)
		for (int s = 0; s < plan->scores; s++)
			dpem_gam_curvature(&run[g].rows, exact ? &curvature[g] : NULL, s, run[g].score, work.next);
	fit->sampled = dpem_fit_is_sampled(&plan->fit);
	scale = fit->sampled ? 1 / plan->fit.sample.rate : 1;
	m = release(fit, plan, run, DPEM_GAM_GRADIENTS);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		for (int s = 0; s < plan->scores; s++)
			dpem_gam_take_gradient(&run[g].rows, &m[g], scale, s, pass - 1, &run[g].score[s]);
		estimate(plan, &run[g], pass, work);
	}
}

static int
run_passes(DpemFitRun *fit, const DpemGamPlan *plan, GamRun *run)
{
	bool		converged = false;
	int			pass = 0;

	while (pass < plan->fit.iterations && !converged)
	{
		MemoryContext old = MemoryContextSwitchTo(fit->per_pass);
		DpemWorkspace work = dpem_fit_workspace(dpem_gam_work(plan->n, plan->shape.columns));

		dpem_fit_report(fit, "coefficients", ++pass);
		if (pass == 1)
			run_first(fit, plan, run, work);
		else
			run_later(fit, plan, run, pass, work);
		converged = true;
		for (int g = 0; g < plan->fit.groups; g++)
			converged &= run[g].converged;
		MemoryContextSwitchTo(old);
		MemoryContextReset(fit->per_pass);
	}
	return pass;
}

static void
finish(const DpemGamPlan *plan, const GamRun *run, DpemModel *model)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_gam_work(plan->n, plan->shape.columns));
	DpemGamResult *result = palloc0(plan->scores * sizeof(DpemGamResult));

	for (int s = 0; s < plan->scores; s++)
	{
		result[s].contribution = dpem_fit_allocate(plan->n);
		result[s].sd = dpem_fit_allocate(plan->n);
		result[s].noise = dpem_fit_allocate(plan->n);
		dpem_fit_require_ok(dpem_gam_finish(&run->rows, &run->score[s], &result[s], work));
	}
	pfree(work.next);
	dpem_gam_store(plan, &run->rows, result, model);
}

void
dpem_gam_run(DpemFitRun *fit, DpemFitted *fitted)
{
	const DpemGamPlan *plan = (const DpemGamPlan *) fit->plan;
	GamRun	   *run = palloc0(plan->fit.groups * sizeof(GamRun));
	int			passes;

	for (int g = 0; g < plan->fit.groups; g++)
		create_run(&run[g], plan);
	passes = run_passes(fit, plan, run);
	/* what follows needs no rows */
	dpem_fit_end(fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		fitted->model[g].iterations = passes;
		finish(plan, &run[g], &fitted->model[g]);
	}
}

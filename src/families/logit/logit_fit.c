/*
 * logit_fit.c - the passes of a logistic regression, and back into the
 * columns' own units.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/logit/logit_estimate.h"
#include "families/logit/logit_request.h"
#include "server/fit_memory.h"

/* relative change of the mean at which passes without noise end */
#define CONVERGED	1e-11

/* of one group of rows */
typedef struct LogitRun
{
	DpemFitRun *fit;
	const DpemLogitPlan *plan;
	DpemLogitStatistics statistics;
	DpemLogit	posterior;
	double	   *theta;
	double	   *before;			/* d: the mean before the last pass */
} LogitRun;

static void
create_run(LogitRun *run, DpemFitRun *fit, const DpemLogitPlan *plan)
{
	size_t		d = (size_t) plan->fit.d;

	run->fit = fit;
	run->plan = plan;
	run->statistics = (DpemLogitStatistics) {
		.d = plan->fit.d,.linear = dpem_fit_allocate(d),.curvature = dpem_fit_allocate(d * d),
		.second = dpem_fit_allocate(d * d),.model = dpem_fit_allocate(d * d),.constant = plan->request->fit.constant
	};
	run->posterior = (DpemLogit) {
		.d = plan->fit.d,.mean = dpem_fit_allocate(d),.covariance = dpem_fit_allocate(d * d),
		.turn = dpem_fit_allocate(d * d),.share = 1
	};
	run->theta = dpem_fit_allocate(d * (d + 1) / 2);
	run->before = dpem_fit_allocate(d);
}

/* earlier passes whose curvature counts together with this one's: the second half averages the noise away */
static int
averaged_before(const DpemLogitPlan *plan, int pass)
{
	int			first = plan->fit.iterations - plan->fit.iterations / 2 + 1;

	return plan->fit.noisy && pass > first ? pass - first : 0;
}

/* for one group at a time */
static size_t
take_work(int d)
{
	return Max(dpem_logit_take_work(d), Max(dpem_logit_estimate_work(d), dpem_logit_prepare_work(d)));
}

static void
take(LogitRun *run, const DpemNoisyMoments *m, int pass, double scale, DpemWorkspace work)
{
	const DpemLogitPlan *plan = run->plan;

	if (pass == 1)
		dpem_fit_require_ok(dpem_logit_take_first(m, plan->fit.public_rows, &run->statistics, work));
	dpem_logit_take_curvature(m, scale, &run->posterior, averaged_before(plan, pass), &run->statistics, work);
	memcpy(run->before, run->posterior.mean, plan->fit.d * sizeof(double));
	dpem_fit_require_ok(dpem_logit_estimate(&run->statistics, plan->request->prior_variance, &run->posterior,
											work));
	dpem_fit_require_ok(dpem_logit_prepare(&run->posterior, run->theta, work));
}

/* of all groups */
static void
run_pass(DpemFitRun *fit, LogitRun *run, int pass)
{
	const DpemLogitPlan *plan = run->plan;
	DpemMomentLayout layout = {1, plan->fit.d, DPEM_SECOND_FULL};
	DpemWorkspace work = dpem_fit_workspace(take_work(plan->fit.d));
	DpemNoisyMoments *m;

	fit->sampled = pass > 1 && dpem_fit_is_sampled(&plan->fit);
	for (int g = 0; g < plan->fit.groups; g++)
		fit->part[g].theta = run[g].theta;
	m = dpem_fit_release_groups(fit, pass == 1 ? plan->first_line : plan->later_line,
								pass == 1 ? &plan->first : &plan->later, &dpem_kernel_logit, &layout);
	for (int g = 0; g < plan->fit.groups; g++)
		take(&run[g], &m[g], pass, fit->sampled ? 1 / plan->fit.sample.rate : 1, work);
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
	return !run->plan->fit.noisy && change <= CONVERGED * size;
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
 * A row's coordinate in the ball is (x - middle) / (half-width * radius): that
 * of the constant column 1 / radius.
 */
static void
transform_to_columns(const LogitRun *run, DpemLogitFit *fit)
{
	const DpemFeatureMap *map = &run->fit->pass.map;
	int			d = run->posterior.d;
	double	   *a = dpem_fit_allocate((size_t) fit->n * d);

	for (int j = 0; j < d; j++)
	{
		double		unit = (map->upper[j] / 2 - map->lower[j] / 2) * map->radius;
		double		middle = map->upper[j] / 2 + map->lower[j] / 2;

		if (j < fit->n - 1)
			a[(size_t) j * d + j] = 1 / unit;
		a[(size_t) (fit->n - 1) * d + j] = j < fit->n - 1 ? -middle / unit : 1 / unit;
	}
	dpem_logit_transform(&run->posterior, fit->n, a, fit->mean, fit->covariance, fit->noise,
						 dpem_fit_workspace((size_t) fit->n * d));
	pfree(a);
}

static void
finish(const LogitRun *run, int passes, DpemLogitFit *fit)
{
	fit->n = run->plan->fit.d + (run->plan->request->fit.constant ? 0 : 1);
	fit->mean = dpem_fit_allocate(fit->n);
	fit->noise = dpem_fit_allocate(fit->n);
	fit->covariance = dpem_fit_allocate((size_t) fit->n * fit->n);
	fit->iterations = passes;
	transform_to_columns(run, fit);
	dpem_fit_payment(run->fit, &fit->charge, &fit->maker);
}

DpemLogitFit *
dpem_logit_fit(const DpemLogitPlan *plan)
{
	int			groups = plan->fit.groups;
	DpemFitRun *fit = palloc0(sizeof(DpemFitRun));
	LogitRun   *run = palloc0(groups * sizeof(LogitRun));
	DpemLogitFit *out = palloc0(groups * sizeof(DpemLogitFit));
	int			passes;

	dpem_fit_begin(fit, &plan->fit);
	for (int g = 0; g < groups; g++)
		create_run(&run[g], fit, plan);
	passes = run_passes(fit, run);
	dpem_fit_end(fit);
	for (int g = 0; g < groups; g++)
		finish(&run[g], passes, &out[g]);
	return out;
}

/*
 * gam_shares.c - the shares of several classes alone, where noise would hide a model.
 *
 * Counts have told that, and gradients are of one cell of all rows, each where these are certain to be of another class.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/class_shares.h"
#include "families/gam/gam_run.h"
#include "server/fit_memory.h"

static DpemClassShares
start_shares(const DpemGamPlan *plan, DpemGamRun *run)
{
	const DpemGamRows rows = run->rows;

	dpem_gam_join_all(plan, run);
	return (DpemClassShares) {
		.classes = plan->scores,.rows = rows.rows,.rows_sd = rows.public ? 0 : rows.counted_sd,
			.count = dpem_fit_allocate(plan->scores),.precision = dpem_fit_allocate(plan->scores)
	};
}

static void
add_sums(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, int pass, DpemClassShares *shares)
{
	/* residuals of several classes are released in parts of sqrt(2) */
	double		unit = M_SQRT2 * (fit->sampled ? 1 / plan->fit.sample.rate : 1);
	int			certain = pass % plan->scores;
	DpemNoisyMoments *m;

	for (int g = 0; g < plan->fit.groups; g++)
	{
		memset(run[g].coefficient, 0, (size_t) plan->scores * run[g].rows.n * sizeof(double));
		run[g].coefficient[(size_t) certain * run[g].rows.n] = dpem_class_shares_certain;
	}
	m = dpem_gam_release_as(fit, plan, run, DPEM_GAM_GRADIENTS, DPEM_GAM_GRADIENTS, false);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		for (int t = 0; t < plan->scores; t++)
			m[g].value[t] *= unit;
		dpem_class_shares_take(m[g].value, unit * m[g].count_sd, certain, &shares[g]);
	}
}

/* contributions, which are 0, are alike in all classes */
static void
finish_shares(const DpemGamPlan *plan, const DpemClassShares *shares, DpemModel *model)
{
	DpemGamRun	all = dpem_gam_prior_run(plan, shares->rows, 1);
	DpemGamResult *result = palloc(plan->scores * sizeof(DpemGamResult));
	double	   *share = dpem_fit_allocate(plan->scores);
	double	   *sd = dpem_fit_allocate(plan->scores);

	result[0] = dpem_gam_run_result(&all, 0);
	dpem_class_shares_find(shares, share, sd);
	for (int t = 0; t < plan->scores; t++)
	{
		result[t] = result[0];
		result[t].intercept = log(share[t]);
		result[t].intercept_sd = result[t].intercept_noise = sd[t] / share[t];
	}
	dpem_gam_store(plan, &all.rows, result, model);
}

void
dpem_gam_run_shares(DpemFitRun *fit, const DpemGamPlan *plan, DpemGamRun *run, DpemFitted *fitted)
{
	int			gradients = plan->fit.stage[DPEM_GAM_GRADIENTS].releases;
	DpemClassShares *shares = palloc(plan->fit.groups * sizeof(DpemClassShares));

	for (int g = 0; g < plan->fit.groups; g++)
		shares[g] = start_shares(plan, &run[g]);
	fit->sampled = dpem_fit_is_sampled(&plan->fit);
	for (int i = 0; i < gradients; i++)
	{
		dpem_fit_report(fit, "shares", i + 1);
		add_sums(fit, plan, run, i, shares);
	}
	/* what follows needs no rows */
	dpem_fit_end(fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		fitted->model[g].iterations = 1 + gradients;
		finish_shares(plan, &shares[g], &fitted->model[g]);
	}
	dpem_gam_tell_of_mean(plan);
}

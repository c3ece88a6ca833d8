/*
 * sbn_plan.c - what a sigmoid belief network will do and cost, from public
 * facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "core/numeric/linalg.h"
#include "core/sbn/sbn_estimate.h"
#include "families/sbn/sbn.h"

static int
hidden_of(const DpemFitPlan *plan)
{
	return ((const DpemSbnRequest *) plan->request)->hidden;
}

static DpemReleaseSpec
spec_of(const DpemFitPlan *plan)
{
	DpemReleaseSpec spec = dpem_fit_spec(plan, 0, 1, dpem_sbn_gram_weight());

	spec.contribution = DPEM_GRADIENT;
	return spec;
}

/* from the noise there would be if a single pass had the whole budget */
static int
choose_iterations(const DpemFitPlan *plan)
{
	DpemReleaseSpec spec = spec_of(plan);
	double		z = dpem_fit_exact_multiplier(plan, 1);
	double		sd[3];

	dpem_release_noise(&spec, 1 + hidden_of(plan), plan->d, z, &sd[0], &sd[1], &sd[2]);
	return dpem_sbn_iterations(hidden_of(plan), plan->d, plan->public_rows, sd[1]);
}

static void
check_size(const DpemFitPlan *plan)
{
	if (plan->d > DPEM_SBN_MAX_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a sigmoid belief network is for at most %d coordinates, not %d",
						DPEM_SBN_MAX_COLUMNS, plan->d),
				 errhint("Name fewer columns.")));
}

DpemFitPlan *
dpem_sbn_plan(const DpemFitRequest *request)
{
	DpemFitPlan *plan = palloc0(sizeof(DpemFitPlan));
	double		share = dpem_sbn_first_share();

	dpem_linalg_prepare();
	dpem_fit_plan_init(plan, request);
	check_size(plan);
	if (plan->iterations == 0)
		plan->iterations = choose_iterations(plan);
	plan->stage[DPEM_SBN_MARGINS] = (DpemFitStage) {
		.statistic = "margins",.share = share,.releases = 1,.spec = spec_of(plan),
			.layout = {1, plan->d, DPEM_SECOND_COMPONENTS}
	};
	plan->stage[DPEM_SBN_GRADIENTS] = (DpemFitStage) {
		.statistic = "gradients",.share = 1 - share,.releases = plan->iterations,.spec = spec_of(plan),
			.layout = {1 + hidden_of(plan), plan->d, DPEM_SECOND_COMPONENTS},.sampled = true
	};
	dpem_fit_plan_stages(plan, DPEM_SBN_STAGES);
	return plan;
}

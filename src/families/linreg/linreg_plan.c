/*
 * linreg_plan.c - what a linear regression will do and cost, from public facts
 * alone.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/gmm/total_covariance.h"
#include "core/linreg/linreg_estimate.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/linalg.h"
#include "families/linreg/linreg.h"
#include "server/arguments.h"

/* without noise: means and deviations, then the moments about these, unless the caller says where to clip */
#define EXACT_PASSES	2

int
dpem_linreg_dimension(const DpemFitPlan *plan)
{
	return plan->features > 0 ? plan->features : plan->d - (plan->request->bind.constant ? 1 : 0);
}

double
dpem_linreg_width(const DpemFitPlan *plan)
{
	double		width = ((const DpemLinregRequest *) plan->request)->fourier.width;

	return width > 0 ? width : dpem_linreg_kernel_width(plan->d - 1, dpem_linreg_standardises(plan));
}

static void
check_request(const DpemFitPlan *plan)
{
	const DpemLinregAlgorithm *algorithm = ((const DpemLinregRequest *) plan->request)->algorithm;
	const char *hint = plan->features > 0 ? "Ask for fewer features." : "Name fewer columns.";
	size_t		frame = (size_t) plan->d * plan->d * sizeof(double);
	DpemFitPlan mapped = *plan;

	mapped.d = dpem_linreg_dimension(plan);
	dpem_fit_check_second_moments(&mapped, hint);
	if (plan->features > 0 && plan->d < 2)
		dpem_fit_bad_argument("features", "fourier", "linear without columns to make features of");
	if (plan->features > 0 && algorithm->baseline)
		dpem_fit_bad_argument("algorithm", algorithm->name, "ridge with features fourier");
	/* no accountant knows what a sample amplifies of Laplace noise */
	if (algorithm->noise == DPEM_NOISE_LAPLACE && dpem_fit_is_sampled(plan))
		dpem_fit_bad_argument("sampling_rate", psprintf("%g", plan->request->sampling_rate), psprintf("null with algorithm %s", algorithm->name));
	if (!AllocSizeIsValid(frame))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a frame of %d coordinates does not fit into memory", plan->d),
				 errhint("Name fewer columns.")));
	if (!AllocSizeIsValid(Max(dpem_linreg_estimate_work(mapped.d - 1), dpem_linreg_baseline_work(mapped.d - 1)) * sizeof(double)))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a linear regression in %d coordinates does not fit into memory", mapped.d),
				 errhint("%s", hint)));
}

static const DpemLinregAlgorithm algorithms[] = {
	{.name = "ridge",.noise = DPEM_NOISE_GAUSSIAN},
	{.name = "adassp",.baseline = true,.method = DPEM_LINREG_ADASSP,.noise = DPEM_NOISE_GAUSSIAN},
	{.name = "functional",.baseline = true,.method = DPEM_LINREG_FUNCTIONAL,.noise = DPEM_NOISE_LAPLACE},
	{.name = "blocks",.baseline = true,.blocks = true,.noise = DPEM_NOISE_GAUSSIAN},
	{.name = "propose_test_release",.baseline = true,.blocks = true,.tested = true,.noise = DPEM_NOISE_GAUSSIAN},
	{.name = "online",.baseline = true,.online = true,.noise = DPEM_NOISE_GAUSSIAN}
};

const DpemLinregAlgorithm *
dpem_linreg_algorithm(const char *name)
{
	for (int i = 0; i < lengthof(algorithms); i++)
	{
		if (strcmp(algorithms[i].name, name) == 0)
			return &algorithms[i];
	}
	dpem_refuse_name("algorithm", name, "ridge, adassp, functional, blocks, propose_test_release, online");
}

bool
dpem_linreg_is_baseline(const DpemFitPlan *plan)
{
	return plan->noisy && ((const DpemLinregRequest *) plan->request)->algorithm->baseline;
}

bool
dpem_linreg_is_blocks(const DpemFitPlan *plan)
{
	return dpem_linreg_is_baseline(plan) && ((const DpemLinregRequest *) plan->request)->algorithm->blocks;
}

bool
dpem_linreg_is_tested(const DpemFitPlan *plan)
{
	return dpem_linreg_is_baseline(plan) && ((const DpemLinregRequest *) plan->request)->algorithm->tested;
}

bool
dpem_linreg_is_online(const DpemFitPlan *plan)
{
	return dpem_linreg_is_baseline(plan) && ((const DpemLinregRequest *) plan->request)->algorithm->online;
}

/* the caller's clip norm is that of rows as the domains scale them; baselines clip at the domains */
static void
check_precondition(const DpemLinregRequest *r)
{
	bool		none = r->precondition == NULL || strcmp(r->precondition, "none") == 0;

	if (!none && strcmp(r->precondition, "standardise") != 0)
		dpem_refuse_name("precondition", r->precondition, "standardise, none");
	if (none && r->precondition && r->algorithm->blocks)
		dpem_fit_bad_argument("precondition", r->precondition, psprintf("standardise with algorithm %s", r->algorithm->name));
	if (!none && r->algorithm->baseline && !r->algorithm->blocks)
		dpem_fit_bad_argument("precondition", r->precondition, psprintf("none with algorithm %s", r->algorithm->name));
	if (!none && r->fit.clip_norm > 0)
		dpem_fit_bad_argument("precondition", r->precondition, "none with clip_norm");
}

bool
dpem_linreg_asks_to_standardise(const DpemLinregRequest *r)
{
	return r->precondition == NULL || strcmp(r->precondition, "none") != 0;
}

/* by margins */
static bool
standardises(const DpemFitPlan *plan)
{
	const DpemLinregRequest *r = (const DpemLinregRequest *) plan->request;

	return plan->noisy && r->fit.clip_norm == 0 && !r->algorithm->baseline && dpem_linreg_asks_to_standardise(r);
}

bool
dpem_linreg_standardises(const DpemFitPlan *plan)
{
	return plan->noisy ? standardises(plan) : plan->iterations > 1;
}

/* without noise coefficients are the same wherever rows are seen from, but features are those of rows as they are seen */
static int
count_passes(const DpemFitPlan *plan)
{
	if (plan->noisy || plan->request->clip_norm > 0 || (plan->features > 0 && !dpem_linreg_asks_to_standardise((const DpemLinregRequest *) plan->request)))
		return 1;
	return EXACT_PASSES;
}

bool
dpem_linreg_is_mean(const DpemFitPlan *plan)
{
	return plan->stage[DPEM_LINREG_MOMENTS].layout.second == DPEM_SECOND_NORM;
}

/* what is to be told of a wide label is no more than of so many numbers */
static int
wanted_numbers(const DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);

	return plan->features > 0 || !standardises(plan) ? dpem_linreg_dimension(plan)
		: (int) dpem_label_row_square(&grid, dpem_label_rule(&grid));
}

/* Laplace noise is the same on every number, as published; counts add little */
static DpemReleaseSpec
moments_spec(const DpemFitPlan *plan)
{
	const DpemLinregAlgorithm *algorithm = ((const DpemLinregRequest *) plan->request)->algorithm;
	DpemCovarianceWeights weight = dpem_covariance_weights(wanted_numbers(plan), true, plan->dataset->replace_one);
	DpemReleaseSpec spec = dpem_fit_spec(plan, weight.count, weight.sum, weight.second);

	if (algorithm->noise == DPEM_NOISE_LAPLACE)
		spec = dpem_fit_spec(plan, 1, 1, 1);
	spec.noise = algorithm->noise;
	return spec;
}

/* stages that are charged together have the same kind of noise */
static void
add_moments(DpemFitPlan *plan)
{
	plan->stages = DPEM_LINREG_STAGES;
	plan->stage[DPEM_LINREG_LOCATION].line = plan->stage[DPEM_LINREG_MARGINS].line = -1;
	dpem_fit_add_stages(plan, &plan->stage[DPEM_LINREG_MOMENTS], 1);
}

/* location, margins: their shares of the budget; rows are as the domains scale them if both are 0 */
static void
plan_moments(DpemFitPlan *plan, const DpemMarginGrid *grid, double location, double margins)
{
	plan->stage[DPEM_LINREG_LOCATION] = dpem_fit_number_stage(plan, location);
	plan->stage[DPEM_LINREG_MARGINS] = dpem_fit_margins_stage(plan, grid, margins);
	plan->stage[DPEM_LINREG_MOMENTS] = (DpemFitStage) {
		.statistic = "moments",.share = 1 - location - margins,.releases = 1,.sampled = true,
			.spec = moments_spec(plan),.layout = {plan->groups, dpem_linreg_dimension(plan), DPEM_SECOND_FULL}
	};
}

/* the target's place and mean alone, or, where noise would hide the place, its mean in the domain */
static void
plan_mean(DpemFitPlan *plan, const DpemMarginGrid *grid, double rows)
{
	DpemFitStage *stage = &plan->stage[DPEM_LINREG_MOMENTS];
	DpemMarginGrid target = dpem_fit_number_grid(plan);

	plan->features = 0;
	plan_moments(plan, grid, dpem_linreg_mean_location(dpem_fit_margins_noise(plan, &target, 1, rows)), 0);
	stage->statistic = "mean";
	stage->spec = dpem_linreg_mean_spec(plan);
	stage->layout.second = DPEM_SECOND_NORM;
}

static void
plan_standardised(DpemFitPlan *plan, const DpemMarginGrid *grid)
{
	double		rows = dpem_supposed_rows(plan->public_rows);
	double		noise = dpem_fit_margins_noise(plan, grid, 1, rows);
	bool		few = plan->public_rows <= 0;	/* as far as is public */
	double		margins = dpem_linreg_margins_share(noise, few);

	if (((const DpemLinregRequest *) plan->request)->precondition == NULL &&
		dpem_fit_margins_noise(plan, grid, margins, rows) > dpem_linreg_margins_noise)
		plan_mean(plan, grid, rows);
	else
		plan_moments(plan, grid, dpem_linreg_location_share, margins);
	dpem_fit_plan_stages(plan, DPEM_LINREG_STAGES);
}

static void
plan_stages(DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_fit_margin_grid(plan, plan->d);

	if (dpem_linreg_is_online(plan))
		dpem_linreg_plan_online(plan);
	else if (dpem_linreg_is_tested(plan))
		dpem_linreg_plan_tested(plan);
	else if (dpem_linreg_is_blocks(plan))
		dpem_linreg_plan_blocks(plan);
	else if (standardises(plan))
		plan_standardised(plan, &grid);
	else
	{
		plan_moments(plan, &grid, 0, 0);
		add_moments(plan);
	}
}

DpemFitPlan *
dpem_linreg_plan(const DpemFitRequest *request)
{
	DpemFitPlan *plan = palloc0(sizeof(DpemFitPlan));

	dpem_linalg_prepare();
	dpem_fit_plan_init(plan, request);
	if (dpem_linreg_is_online(plan))
		dpem_linreg_plan_batches(plan);
	if (((const DpemLinregRequest *) request)->fourier.pairs > 0)
		plan->features = 2 * ((const DpemLinregRequest *) request)->fourier.pairs + 1;
	check_request(plan);
	check_precondition((const DpemLinregRequest *) request);
	if (!dpem_linreg_is_online(plan))
		plan->iterations = count_passes(plan);
	plan_stages(plan);
	return plan;
}

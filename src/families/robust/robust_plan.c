/*
 * robust_plan.c - arguments of dp_robust, and what follows from them and public facts.
 */
#include "postgres.h"

#include <math.h>

#include "core/robust/robust_rules.h"
#include "families/robust/robust.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"

#define FEWEST_BINS	16
#define MOST_BINS	65536

static const char *const statistic_names[] = {[DPEM_ROBUST_MEDIAN] = "median",[DPEM_ROBUST_IQR] = "iqr"};

const char *
dpem_robust_statistic_name(DpemRobustStatistic statistic)
{
	return statistic_names[statistic];
}

static const char *const mechanism_names[] = {
	[DPEM_ROBUST_SMOOTH] = "smooth_sensitivity",[DPEM_ROBUST_TESTED] = "propose_test_release",[DPEM_ROBUST_BLOCKS] = "blocks"
};

const char *
dpem_robust_mechanism_name(DpemRobustMechanism mechanism)
{
	return mechanism_names[mechanism];
}

/* ---- arguments ---- */

static DpemRobustStatistic
statistic_argument(const DpemArguments *a)
{
	char	   *name = dpem_named_text(a, "statistic");

	for (int i = 0; i < lengthof(statistic_names); i++)
	{
		if (strcmp(name, statistic_names[i]) == 0)
			return i;
	}
	dpem_refuse_name("statistic", name, "median, iqr");
}

static DpemRobustMechanism
mechanism_argument(const DpemArguments *a)
{
	char	   *name = dpem_named_text(a, "mechanism");

	for (int i = 0; i < lengthof(mechanism_names); i++)
	{
		if (strcmp(name, mechanism_names[i]) == 0)
			return i;
	}
	dpem_refuse_name("mechanism", name, "smooth_sensitivity, propose_test_release, blocks");
}

DpemRobustRequest *
dpem_robust_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DpemRobustRequest *r = palloc0(sizeof(DpemRobustRequest));

	dpem_fit_arguments(&a, function, &r->fit);
	r->fit.answers = true;
	r->fit.iterations = 1;
	r->fit.bind.columns = list_make1(dpem_named_text(&a, "column_name"));
	r->fit.bind.own_units = true;
	r->statistic = statistic_argument(&a);
	r->mechanism = mechanism_argument(&a);
	r->fit.bind.together = r->mechanism == DPEM_ROBUST_BLOCKS;
	r->bins = dpem_named_int_between(&a, "bins", FEWEST_BINS, MOST_BINS);
	r->proposal = dpem_named_magnitude(&a, "proposal", DPEM_LEAST_NUMBER, 0);
	if (r->mechanism == DPEM_ROBUST_TESTED)
		dpem_fit_added_delta(&a, &r->fit);
	if (r->mechanism != DPEM_ROBUST_TESTED && r->proposal > 0)
		dpem_refuse_argument(psprintf("proposal must be null for %s", mechanism_names[r->mechanism]), "It is what propose_test_release tests.");
	return r;
}

/* ---- plan ---- */

static double
bin_width(const DpemRobustPlan *plan)
{
	return plan->column->upper / plan->spec.cells - plan->column->lower / plan->spec.cells;
}

static int
proposal_of(const DpemRobustPlan *plan)
{
	const DpemRobustRequest *r = plan->request;
	double		width = bin_width(plan);
	double		bins = r->proposal > 0 ? r->proposal / width : Max(plan->spec.cells * DPEM_ROBUST_PROPOSAL, 1);

	if (!(bins >= 1 && bins <= plan->spec.cells - 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("proposal must be between %g, the width of a bin, and %g, not %g", width, (plan->spec.cells - 1) * width, r->proposal),
				 errhint("More bins, up to %d, allow for a smaller proposal.", MOST_BINS)));
	return (int) bins;
}

/* the filter's number of rows is in no release, so that nothing would say whether a minimum of persons is reached */
static void
add_choice(DpemRobustPlan *plan)
{
	DpemCostLine cost = dpem_cost_line(DPEM_COST_CHOICE, dpem_fit_pure_multiplier(&plan->fit, DPEM_COST_CHOICE, 1), 1);

	plan->noise_multiplier = cost.noise_multiplier;
	dpem_release_smooth_check(cost.noise_multiplier);
	plan->line = dpem_fit_add_line(&plan->fit, statistic_names[plan->spec.statistic], DPEM_MECHANISM_EXPONENTIAL, &cost);
}

static DpemCostLine
cost_of(const DpemRobustPlan *plan, double share)
{
	double		root_sum = sqrt(DPEM_ROBUST_TEST_SHARE) + sqrt(1 - DPEM_ROBUST_TEST_SHARE);

	if (plan->spec.noise == DPEM_NOISE_LAPLACE)
		return dpem_cost_line(DPEM_COST_LAPLACE, dpem_fit_pure_multiplier(&plan->fit, DPEM_COST_LAPLACE, 2), 1);
	return dpem_cost_line(DPEM_COST_GAUSSIAN, dpem_fit_noise_multiplier(&plan->fit, share, root_sum, 1), 1);
}

static void
add_test(DpemRobustPlan *plan)
{
	DpemMechanism mechanism;
	DpemCostLine distance;
	DpemCostLine value;

	dpem_release_tested_require(plan->fit.dataset, "mechanism must be smooth_sensitivity or blocks");
	plan->spec.noise = dpem_composition_is_classical(plan->fit.composition) ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
	mechanism = dpem_noise_mechanism(plan->spec.noise, DPEM_COUNTS_ALONE);
	plan->fit.failure = DPEM_ROBUST_FAILURE * plan->request->fit.delta;
	distance = cost_of(plan, DPEM_ROBUST_TEST_SHARE);
	value = cost_of(plan, 1 - DPEM_ROBUST_TEST_SHARE);
	plan->noise_multiplier = value.noise_multiplier;
	plan->law = dpem_release_tested_law(&plan->spec, distance.noise_multiplier, value.noise_multiplier, plan->fit.failure);
	plan->distance_line = dpem_fit_add_line(&plan->fit, "distance", mechanism, &distance);
	plan->fit.charge.lines[plan->distance_line].failure = plan->fit.failure;
	plan->line = dpem_fit_add_line(&plan->fit, statistic_names[plan->spec.statistic], mechanism, &value);
}

static void
add_lines(DpemRobustPlan *plan)
{
	if (plan->request->mechanism == DPEM_ROBUST_TESTED)
		add_test(plan);
	else if (plan->request->mechanism == DPEM_ROBUST_BLOCKS)
		dpem_robust_plan_blocks(plan);
	else
		add_choice(plan);
}

DpemRobustPlan *
dpem_robust_plan(const DpemRobustRequest *request)
{
	DpemRobustPlan *plan = palloc0(sizeof(DpemRobustPlan));

	plan->request = request;
	plan->distance_line = plan->line = -1;
	dpem_fit_plan_init(&plan->fit, &request->fit);
	plan->column = linitial(plan->fit.binding->columns);
	if (plan->fit.d != 1 || plan->column->kind != DPEM_COLUMN_NUMBER)
		dpem_refuse_argument(psprintf("medians are of numbers, which column \"%s\" is not", plan->column->name),
							 "The view dpem.columns says what columns are.");
	dpem_fit_require_counted(&plan->fit, "dp_robust");
	plan->fit.one_pass = true;
	plan->spec = (DpemRobustSpec) {
		.statistic = request->statistic,.cells = request->bins,.replace_one = plan->fit.dataset->replace_one,
			.rows_per_unit = plan->fit.dataset->max_rows_per_unit
	};
	if (request->mechanism == DPEM_ROBUST_TESTED)
		plan->spec.proposal = proposal_of(plan);
	if (plan->fit.noisy)
		add_lines(plan);
	return plan;
}

/* ---- forecast ---- */

static void
forecast_tested(const DpemRobustPlan *plan, DpemForecast *f)
{
	double		width = bin_width(plan);

	dpem_forecast_release(f, plan->distance_line, 1, plan->law.distance_sd);
	dpem_forecast_remark(f, "distance: threshold", plan->law.threshold);
	dpem_forecast_remark(f, "distance: failure", plan->fit.failure);
	dpem_forecast_release(f, plan->line, plan->spec.proposal * width, plan->law.value_sd * width);
}

static void
forecast_smooth(const DpemRobustPlan *plan, DpemForecast *f)
{
	dpem_forecast_release(f, plan->line, NAN, NAN);
	dpem_forecast_remark(f, "smoothing: beta", dpem_smooth_beta(plan->noise_multiplier));
	dpem_forecast_remark(f, "median error, in smooth sensitivities",
						 4 * DPEM_SMOOTH_POWER * plan->noise_multiplier * (pow(2, 1.0 / (DPEM_SMOOTH_POWER - 1)) - 1));
}

void
dpem_robust_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemRobustPlan *plan = (const DpemRobustPlan *) fit;

	if (plan->request->mechanism == DPEM_ROBUST_TESTED)
		forecast_tested(plan, f);
	else if (plan->request->mechanism == DPEM_ROBUST_BLOCKS)
		dpem_robust_forecast_blocks(plan, f);
	else
		forecast_smooth(plan, f);
}

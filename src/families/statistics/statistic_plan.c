/*
 * statistic_plan.c - what a statistic will do and cost, from public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "families/statistics/minimum.h"
#include "families/statistics/statistics.h"
#include "families/statistics/within.h"
#include "fit/fit_arguments.h"

static DpemMomentLayout
layout_of(const DpemStatisticPlan *plan)
{
	return (DpemMomentLayout) {plan->fit.groups, plan->fit.d, plan->request->statistic->second};
}

static void
fill_scale(DpemStatisticPlan *plan)
{
	ListCell   *cell;

	foreach(cell, plan->fit.binding->columns)
	{
		const DpemColumn *column = lfirst(cell);
		int			j = foreach_current_index(cell);

		if (j >= DPEM_STATISTIC_COLUMNS || column->length != 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" of dataset \"%s\" is not a number", column->name, plan->fit.dataset->name),
					 errhint("Statistics are of columns that were registered as numbers.")));
		plan->scale.middle[j] = column->upper / 2 + column->lower / 2;
		plan->scale.half[j] = column->upper / 2 - column->lower / 2;
	}
}

/* a single release under an accountant that adds epsilons has less Laplace noise than Gaussian */
static DpemNoiseKind
choose_noise(const DpemStatisticPlan *plan)
{
	const DpemStatisticRequest *r = plan->request;
	bool		second = r->statistic->second != DPEM_SECOND_NONE;

	if (r->mechanism == NULL)
		return !second && !r->clamp && dpem_composition_is_classical(plan->fit.composition)
			? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
	if (strcmp(r->mechanism, "gaussian") == 0)
		return DPEM_NOISE_GAUSSIAN;
	if (strcmp(r->mechanism, "laplace") != 0)
		dpem_fit_bad_argument("mechanism", psprintf("\"%s\"", r->mechanism), "gaussian or laplace");
	if (r->clamp)
		dpem_fit_bad_argument("mechanism", "laplace", "gaussian with clamp");
	if (second)
		dpem_fit_bad_argument("mechanism", "laplace", psprintf("gaussian for %s", r->statistic->name));
	return DPEM_NOISE_LAPLACE;
}

/* of columns in units of their own half-widths: weights are the same, and no power of a width is 0 or infinite */
static DpemStatisticScale
own_units(const DpemStatisticScale *scale)
{
	DpemStatisticScale own = *scale;

	for (int j = 0; j < DPEM_STATISTIC_COLUMNS; j++)
	{
		own.middle[j] = scale->half[j] > 0 ? scale->middle[j] / scale->half[j] : 0;
		own.half[j] = scale->half[j] > 0 ? 1 : 0;
	}
	return own;
}

/* what takes no count on a domain about 0 does of values that are clamped elsewhere, and a minimum is judged by counts alone */
static double
count_part(const DpemStatisticPlan *plan)
{
	return plan->request->clamp ? DPEM_STATISTIC_CLAMP_PART : dpem_fit_minimum(&plan->fit) > 0 ? DPEM_STATISTIC_MINIMUM_PART : 0;
}

static void
choose_release(DpemStatisticPlan *plan)
{
	const DpemDataset *ds = plan->fit.dataset;
	DpemStatisticScale own = own_units(&plan->scale);
	double		importance[DPEM_STATISTIC_PARTS];
	double		weight[DPEM_STATISTIC_PARTS];
	DpemNoiseKind noise = choose_noise(plan);

	plan->request->statistic->importance(&plan->scale, plan->importance);
	plan->request->statistic->importance(&own, importance);
	importance[DPEM_PART_COUNT] = Max(importance[DPEM_PART_COUNT], count_part(plan) * importance[DPEM_PART_SUM]);
	dpem_statistic_weights(importance, noise, plan->fit.groups, plan->fit.d, ds->replace_one, weight);
	plan->spec = dpem_fit_spec(&plan->fit, weight[0], weight[1], weight[2]);
	plan->spec.noise = noise;
}

/* of the budget, for what is released first: keys, or margins; 0: there is one release */
static double
first_share(const DpemStatisticPlan *plan)
{
	if (plan->clamps)
		return DPEM_STATISTIC_CLAMP_SHARE;
	return dpem_binding_has_key(plan->fit.binding) && !dpem_statistic_is_selection(plan) ? DPEM_STATISTIC_KEYS_SHARE : 0;
}

DpemCostLine
dpem_statistic_cost(const DpemStatisticPlan *plan, double share)
{
	double		first = first_share(plan);
	double		root_sum = sqrt(first) + sqrt(1 - first);

	if (plan->spec.noise == DPEM_NOISE_LAPLACE)
		return dpem_cost_line(DPEM_COST_LAPLACE, dpem_fit_pure_multiplier(&plan->fit, DPEM_COST_LAPLACE, first > 0 ? 2 : 1), 1);
	return dpem_cost_line(DPEM_COST_GAUSSIAN, dpem_fit_noise_multiplier(&plan->fit, share, root_sum, 1), 1);
}

static void
add_line(DpemStatisticPlan *plan)
{
	DpemMomentLayout layout = layout_of(plan);
	DpemCostLine cost = dpem_statistic_cost(plan, 1 - first_share(plan));

	dpem_release_check(&plan->spec, &layout, cost.noise_multiplier);
	plan->line = dpem_fit_add_line(&plan->fit, plan->request->statistic->name,
								   dpem_noise_mechanism(plan->spec.noise, layout.second), &cost);
}

DpemStatisticPlan *
dpem_statistic_plan(const DpemStatisticRequest *request)
{
	DpemStatisticPlan *plan = palloc0(sizeof(DpemStatisticPlan));

	plan->request = request;
	plan->line = plan->keys_line = -1;
	dpem_fit_plan_init(&plan->fit, &request->fit);
	plan->fit.hides = dpem_statistic_is_selection(plan) ? "persons" : "rows";
	fill_scale(plan);
	choose_release(plan);
	if (request->clamp && dpem_binding_has_key(plan->fit.binding))
		dpem_refuse_argument("clamp must be null by a key whose values are not public", "Group by a label with categories.");
	if (plan->fit.noisy && request->clamp)
		dpem_statistic_plan_clamp(plan);
	if (plan->fit.noisy && dpem_binding_has_key(plan->fit.binding))
		dpem_statistic_plan_keys(plan);
	if (plan->fit.noisy && !dpem_statistic_is_selection(plan))
		add_line(plan);
	return plan;
}

/* what the noise is divided by; NaN if it is not known, or clamps are not known yet */
static double
divisor_of(const DpemStatisticPlan *plan)
{
	double		rows = plan->request->rows > 0 ? plan->request->rows : plan->fit.public_rows;

	if (plan->clamps)
		return NAN;
	if (!plan->request->statistic->per_row)
		return 1;
	return rows > 0 ? rows : NAN;
}

/*
 * What the noise of counts, and of all the rest, adds to the statistic's standard deviation,
 * to first order, for rows that are typical of what the weights were chosen for.
 */
static void
predict_deviations(const DpemStatisticPlan *plan, double *from_count, double *from_rest)
{
	double		z = plan->fit.charge.lines[plan->line].noise_multiplier;
	double		rows = divisor_of(plan);
	double		sd[DPEM_STATISTIC_PARTS];
	double		own[DPEM_STATISTIC_PARTS];

	dpem_release_noise(&plan->spec, plan->fit.groups, plan->fit.d, z, &sd[0], &sd[1], &sd[2]);
	for (int i = 0; i < DPEM_STATISTIC_PARTS; i++)
		own[i] = plan->importance[i] > 0 ? sqrt(plan->importance[i]) * sd[i] : 0;
	*from_count = own[DPEM_PART_COUNT] / rows;
	*from_rest = hypot(own[DPEM_PART_SUM], own[DPEM_PART_SECOND]) / rows;
}

static double
predict_deviation(const DpemStatisticPlan *plan)
{
	double		from_count;
	double		from_rest;

	predict_deviations(plan, &from_count, &from_rest);
	return hypot(from_count, from_rest);
}

double
dpem_statistic_half_width(const DpemStatisticPlan *plan)
{
	double		from_count;
	double		from_rest;

	if (dpem_statistic_is_selection(plan))
		return dpem_noise_half_width(plan->keys.noise, plan->key_law.sd, 0);
	predict_deviations(plan, &from_count, &from_rest);
	if (isnan(from_count) || isnan(from_rest))
		return NAN;
	return dpem_noise_half_width(plan->spec.noise, from_count, from_rest);
}

static double
width_at(const void *request, const DpemFitPlan **fit)
{
	const DpemStatisticPlan *plan = dpem_statistic_plan(request);

	*fit = &plan->fit;
	return dpem_statistic_half_width(plan);
}

void
dpem_statistic_find_epsilon(DpemStatisticRequest *request)
{
	dpem_within_find(request, &request->fit, request->within, width_at,
					 request->clamp ? "Leave out clamp: how wide clamps will be is not public."
					 : "How many rows count is private here: give an estimate, for instance rows => 1000.");
}

void
dpem_statistic_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemStatisticPlan *plan = (const DpemStatisticPlan *) fit;

	if (dpem_binding_has_key(fit->binding))
		dpem_statistic_forecast_keys(plan, f);
	if (plan->clamps)
		dpem_forecast_joint(f, plan->margins.line, &plan->margins.spec, plan->margins.layout.k, NULL, NULL);
	if (!dpem_statistic_is_selection(plan))
	{
		dpem_forecast_joint(f, plan->line, &plan->spec, fit->groups, NULL, NULL);
		dpem_forecast_row(f, plan->request->statistic->name, NAN, predict_deviation(plan));
	}
	if (plan->request->within > 0)
		dpem_within_forecast(f, fit->request->epsilon, dpem_statistic_half_width(plan));
}

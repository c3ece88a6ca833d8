/*
 * distinct.c - dp_count_distinct, dp_count_distinct_plan: how many different persons, or values of a column, the rows
 * of each group have.
 *
 * One query counts them exactly (scan/query/source_distinct.c), and one release adds noise to the numbers
 * (wall/release_distinct.h).  A sketch would move as far for one unit, and its collisions would be an error of their own.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "answers/kept.h"
#include "core/statistics/statistic.h"
#include "families/statistics/minimum.h"
#include "families/statistics/within.h"
#include "fit/forecast.h"
#include "fit/fit_arguments.h"
#include "fit/fit_model.h"
#include "server/arguments.h"
#include "server/version_shims.h"
#include "wall/release_distinct.h"

PG_FUNCTION_INFO_V1(dp_count_distinct);
PG_FUNCTION_INFO_V1(dp_count_distinct_plan);

#define STATISTIC "count_distinct"

typedef struct DistinctRequest
{
	DpemFitRequest fit;			/* must be first */
	char	   *mechanism;		/* 'gaussian', 'laplace'; NULL: by the composition */
	double		within;			/* half-width that the epsilon is to be found for; 0: it is given */
} DistinctRequest;

typedef struct DistinctPlan
{
	DpemFitPlan fit;			/* must be first */
	DpemDistinctSpec spec;
	double		sd;				/* of the noise; 0 without */
	double		within;			/* the request's */
	int			line;			/* of the charge; -1 without noise */
} DistinctPlan;

/* no column, and the one that tells persons apart, are persons */
static DistinctRequest *
read_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemArguments a = dpem_arguments(fcinfo);
	DistinctRequest *r = palloc0(sizeof(DistinctRequest));
	const char *column = dpem_optional_named_text(&a, "column_name", true);
	const DpemDataset *dataset;

	dpem_fit_arguments(&a, function, &r->fit);
	r->fit.answers = true;
	dataset = dpem_dataset_load(r->fit.dataset);
	r->fit.iterations = 1;
	r->fit.bind.rows = DPEM_BIND_ALONE;
	r->fit.bind.groups = DPEM_BY_CATEGORIES;
	r->fit.bind.persons = column == NULL || (dataset->unit != NULL && strcmp(column, dataset->unit) == 0);
	r->fit.bind.distinct = r->fit.bind.persons ? NULL : pstrdup(column);
	r->mechanism = dpem_optional_named_text(&a, "mechanism", true);
	r->within = dpem_within_argument(&a);
	return r;
}

/* a single release under an accountant that adds epsilons has less Laplace noise than Gaussian */
static DpemNoiseKind
choose_noise(const DpemFitPlan *fit, const char *mechanism)
{
	bool		adds = dpem_composition_is_classical(fit->composition);

	if (mechanism == NULL)
		return adds ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
	if (strcmp(mechanism, "gaussian") != 0 && strcmp(mechanism, "laplace") != 0)
		dpem_fit_bad_argument("mechanism", psprintf("\"%s\"", mechanism), "gaussian or laplace");
	return strcmp(mechanism, "laplace") == 0 ? DPEM_NOISE_LAPLACE : DPEM_NOISE_GAUSSIAN;
}

static void
add_line(DistinctPlan *plan)
{
	bool		laplace = plan->spec.noise == DPEM_NOISE_LAPLACE;
	double		z = laplace ? dpem_fit_pure_multiplier(&plan->fit, DPEM_COST_LAPLACE, 1)
		: dpem_fit_noise_multiplier(&plan->fit, 1, 1, 1);
	DpemCostLine cost = dpem_cost_line(laplace ? DPEM_COST_LAPLACE : DPEM_COST_GAUSSIAN, z, 1);

	plan->sd = dpem_release_distinct_noise(&plan->spec, z);
	plan->line = dpem_fit_add_line(&plan->fit, STATISTIC, dpem_noise_mechanism(plan->spec.noise, DPEM_COUNTS_ALONE), &cost);
}

static DistinctPlan *
make_plan(const DistinctRequest *request)
{
	DistinctPlan *plan = palloc0(sizeof(DistinctPlan));
	const DpemGrouping *grouping;

	plan->line = -1;
	plan->within = request->within;
	dpem_fit_plan_init(&plan->fit, &request->fit);
	grouping = plan->fit.binding->grouping;
	plan->fit.hides = plan->fit.binding->persons ? "persons" : "rows";
	plan->spec = (DpemDistinctSpec) {
		.noise = choose_noise(&plan->fit, request->mechanism),.persons = plan->fit.binding->persons,
			.replace_one = plan->fit.dataset->replace_one,.rows_per_unit = plan->fit.dataset->max_rows_per_unit,
			.groups = plan->fit.groups,.category = grouping ? grouping->category : NULL
	};
	if (plan->fit.noisy)
		add_line(plan);
	return plan;
}

static DpemNoisyMoments *
run(const DistinctPlan *plan)
{
	DpemFitRun	run = {0};
	DpemNoisyMoments *released;

	dpem_fit_begin(&run, &plan->fit);
	dpem_fit_report(&run, STATISTIC, 0);
	if (plan->fit.noisy)
		released = dpem_release_distinct(run.charge, plan->line, run.source, &plan->spec);
	else
		released = dpem_release_distinct_to_reader(run.reader, run.source, &plan->spec);
	dpem_source_close(run.source);
	return released;
}

/* ---- what is kept ---- */

static DpemKeptQuestion *
question_of(const DistinctPlan *plan)
{
	const DpemColumn *column = plan->fit.binding->distinct;
	const char *what = column ? psprintf(STATISTIC "(%s)", quote_identifier(column->name)) : STATISTIC;

	return dpem_fit_question(&plan->fit, what, plan->spec.noise == DPEM_NOISE_LAPLACE ? "laplace noise, " : "gaussian noise, ", dpem_minimum_text(dpem_fit_minimum(&plan->fit)));
}

/* one cell for each group, with the interval for the noise; so many values take at least one row each, of persons of so many rows */
static DpemKeptCell *
cells_of(const DistinctPlan *plan, const DpemNoisyMoments *released)
{
	DpemKeptCell *cell = palloc(plan->fit.groups * sizeof(DpemKeptCell));
	double		half = dpem_noise_half_width(plan->spec.noise, released->count_sd, 0);
	double		least = plan->spec.persons ? dpem_fit_minimum(&plan->fit) : dpem_fit_minimum_rows(&plan->fit);
	bool		adds = plan->spec.noise == DPEM_NOISE_GAUSSIAN && released->count_sd > 0 && least == 0;

	for (int g = 0; g < plan->fit.groups; g++)
	{
		double		value = released->value[g];

		cell[g] = (DpemKeptCell) {
			STATISTIC, dpem_kept_key(plan->fit.binding, g), value, released->count_sd, value - half, value + half, NAN, adds
		};
		if (least > 0 && value < least)
			cell[g].value = cell[g].noise = cell[g].lower = cell[g].upper = NAN;
	}
	return cell;
}

/* what is kept, or a release, which is kept: a cell for each group */
static const DpemKeptCell *
find_or_release(DistinctPlan *plan)
{
	DpemKeptQuestion *q = question_of(plan);
	DpemKeptAnswer *kept = dpem_kept_find(q);
	DpemKeptAnswer a = {.n = plan->fit.groups,.epsilon = q->epsilon,.delta = q->delta};

	if (kept != NULL && kept->n != plan->fit.groups)
		elog(ERROR, "dpem: an answer of other groups");
	if (kept != NULL)
		return kept->cell;
	plan->fit.paid = &a.charge;
	a.cell = cells_of(plan, run(plan));
	a.answered_at = GetCurrentTimestamp();
	dpem_kept_store(q, &a);
	return a.cell;
}

/* rows (value, noise_stddev, ci_lower, ci_upper, key), one for each category or one with a NULL key */
Datum
dp_count_distinct(PG_FUNCTION_ARGS)
{
	DistinctRequest *request = read_arguments(fcinfo, "dp_count_distinct");
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	DistinctPlan *plan;
	const DpemKeptCell *cell;
	int			hidden = 0;

	dpem_fit_require_possible(&request->fit);
	plan = make_plan(request);
	cell = find_or_release(plan);
	InitMaterializedSRF(fcinfo, 0);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		bool		nulls[5] = {false, false, false, false, plan->spec.category == NULL};
		Datum		values[5] = {
			Float8GetDatum(cell[g].value), Float8GetDatum(cell[g].noise), Float8GetDatum(cell[g].lower), Float8GetDatum(cell[g].upper),
			nulls[4] ? (Datum) 0 : CStringGetTextDatum(plan->spec.category[g])
		};

		if (isnan(cell[g].value))
			hidden++;
		else
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	dpem_fit_tell_hidden(&plan->fit, hidden, plan->fit.groups, "cells");
	return (Datum) 0;
}

/* ---- the plan ---- */

static double
half_width(const DistinctPlan *plan)
{
	return dpem_noise_half_width(plan->spec.noise, plan->sd, 0);
}

static double
width_at(const void *request, const DpemFitPlan **fit)
{
	const DistinctPlan *plan = make_plan(request);

	*fit = &plan->fit;
	return half_width(plan);
}

static void
forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DistinctPlan *plan = (const DistinctPlan *) fit;

	dpem_forecast_release(f, plan->line, dpem_release_distinct_sensitivity(&plan->spec), plan->sd);
	if (plan->within > 0)
		dpem_within_forecast(f, fit->request->epsilon, half_width(plan));
}

/* the same arguments: what it costs, how far a unit moves the numbers, and their noise; reads no row, spends nothing */
Datum
dp_count_distinct_plan(PG_FUNCTION_ARGS)
{
	DistinctRequest *request = read_arguments(fcinfo, "dp_count_distinct_plan");

	dpem_require_plannable(&request->fit);
	if (request->within > 0)
		dpem_within_find(request, &request->fit, request->within, width_at, "Leave out within.");
	dpem_emit_plan(fcinfo, &make_plan(request)->fit, forecast);
	return (Datum) 0;
}

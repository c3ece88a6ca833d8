/*
 * family.c - what dp_NAME_fit and dp_NAME_plan do, whatever the family.
 */
#include "postgres.h"

#include "fit/forecast.h"
#include "fit/family.h"
#include "fit/fit_arguments.h"
#include "fit/fit_margins.h"
#include "fit/fit_model.h"
#include "fit/fit_stages.h"

const DpemFamily *
dpem_family_named(const char *name)
{
	for (const DpemFamily *const *family = dpem_families; *family; family++)
	{
		if (strcmp((*family)->name, name) == 0)
			return *family;
	}
	elog(ERROR, "dpem: a model of unknown family \"%s\"", name);
}

static DpemFitRequest *
read_arguments(FunctionCallInfo fcinfo, const DpemFamily *family, const char *function)
{
	DpemArguments arguments = dpem_arguments(fcinfo);
	DpemFitRequest *request = palloc0(family->request_size);

	dpem_fit_arguments(&arguments, function, request);
	family->read(&arguments, request);
	dpem_fit_model_argument(&arguments, request);
	return request;
}

static DpemFitted *
run_fit(const DpemFamily *family, const DpemFitPlan *plan)
{
	DpemFitRun *run = palloc0(sizeof(DpemFitRun));
	DpemFitted *fitted = palloc0(sizeof(DpemFitted));

	fitted->model = palloc0(plan->groups * sizeof(DpemModel));
	for (int g = 0; g < plan->groups; g++)
		fitted->model[g] = (DpemModel) {
		.d = plan->d,.iterations = plan->iterations
	};
	fitted->hidden = palloc0(plan->groups * sizeof(bool));
	dpem_fit_begin(run, plan);
	family->run(run, fitted);
	dpem_fit_end(run);
	for (int g = 0; g < plan->groups; g++)
	{
		fitted->hidden[g] = dpem_fit_is_hidden(run, g);
		dpem_fit_put_points(run, g, &fitted->model[g]);
		fitted->model[g].rows = dpem_signal_counted(&run->signal[g], &fitted->model[g].rows_noise);
	}
	dpem_fit_payment(run, &fitted->charge, &fitted->maker);
	return fitted;
}

static char *
store(const DpemFamily *family, const DpemFitPlan *plan, const DpemFitted *fitted, int group)
{
	DpemModelRecord record = {
		.family = family,.charge = fitted->charge,.maker = fitted->maker,.mechanism = "joint"
	};

	dpem_fit_record(plan, group, &record);
	record.iterations = fitted->model[group].iterations;
	if (family->describe)
		family->describe(plan, &record);
	return dpem_model_save(&record, &fitted->model[group]);
}

static void
warn_of_nominal(const DpemFitRequest *request)
{
	if (request->nominal)
		ereport(NOTICE,
				(errmsg("this model is not private: its epsilon is a number only"),
				 errhint("It is not stored; keep it from whoever may not read the rows.")));
}

/* a minimum of persons is for models of groups: others are of all rows, which nobody could name */
static DpemFitPlan *
make_plan(const DpemFamily *family, const DpemFitRequest *request)
{
	DpemFitPlan *plan = family->plan(request);

	plan->hides = plan->groups > 1 ? "rows" : NULL;
	return plan;
}

/* stores and emits the models of all groups that are shown */
static void
give(const DpemFamily *family, const DpemFitPlan *plan, const DpemFitted *fitted, DpemFitRows *rows)
{
	int			hidden = 0;

	for (int g = 0; g < plan->groups; g++)
	{
		hidden += fitted->hidden[g];
		if (fitted->hidden[g])
			continue;
		rows->model = plan->noisy ? store(family, plan, fitted, g) : NULL;
		rows->key = dpem_fit_category(plan, g);
		rows->counted = fitted->model[g].rows;
		rows->counted_noise = fitted->model[g].rows_noise;
		if (family->emit)
			family->emit(plan, &fitted->model[g], rows);
		else
			dpem_fields_emit(family->table, &fitted->model[g], rows);
	}
	dpem_fit_tell_hidden(plan, hidden, plan->groups, "models");
}

Datum
dpem_family_fit(FunctionCallInfo fcinfo, const DpemFamily *family, const char *function)
{
	DpemFitRequest *request = read_arguments(fcinfo, family, function);
	DpemFitPlan *plan;
	DpemFitted *fitted;
	DpemFitRows rows;

	dpem_fit_require_possible(request);
	plan = make_plan(family, request);
	if (plan->family)
		family = plan->family;
	dpem_fit_claim_name(plan);
	fitted = run_fit(family, plan);
	dpem_fit_name_models(plan, family->name, fitted->charge);
	warn_of_nominal(request);
	rows = dpem_fit_rows_begin(fcinfo);
	give(family, plan, fitted, &rows);
	return (Datum) 0;
}

Datum
dpem_family_plan(FunctionCallInfo fcinfo, const DpemFamily *family, const char *function)
{
	DpemFitRequest *request = read_arguments(fcinfo, family, function);

	dpem_require_plannable(request);
	dpem_emit_plan(fcinfo, make_plan(family, request), family->forecast ? family->forecast : dpem_fit_forecast_stages);
	return (Datum) 0;
}

/*
 * model_ready.c - see model_ready.h.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "api/model_ready.h"
#include "server/argument_list.h"

DpemReadyModel *
dpem_ready_model(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "model");
	DpemReadyModel *ready = fcinfo->flinfo->fn_extra;

	if (ready == NULL || strcmp(ready->name, name) != 0 || ready->role != GetUserId())
	{
		MemoryContext old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
		DpemModel  *model;

		ready = palloc0(sizeof(DpemReadyModel));
		ready->name = pstrdup(name);
		ready->role = GetUserId();
		ready->family = dpem_model_family(name);
		model = dpem_model_load(name, ready->family);
		ready->shape = model;
		ready->noticed = palloc0(sizeof(bool));
		ready->x = palloc(Max(model->d, 1) * sizeof(double));
		ready->model = ready->family->use.load(model);
		fcinfo->flinfo->fn_extra = ready;
		MemoryContextSwitchTo(old);
	}
	return ready;
}

/* "dp_a, dp_b": what takes a row and is there for a family */
static const char *
functions_of(const DpemModelUse *use)
{
	struct
	{
		bool		has;
		const char *name;
	}			function[] = {
		{use->predict != NULL, "dp_predict"}, {use->value != NULL, "dp_predict_value"}, {use->label != NULL, "dp_predict_label"},
		{use->posterior != NULL, "dp_posterior"}, {use->log_density != NULL, "dp_log_density"},
		{use->squared_distance != NULL, "dp_squared_distance"}, {use->transform != NULL, "dp_transform"}, {use->sample != NULL, "dp_sample"}
	};
	const char *all = "";

	for (int i = 0; i < (int) lengthof(function); i++)
		if (function[i].has)
			all = psprintf("%s%s%s", all, all[0] == '\0' ? "" : ", ", function[i].name);
	return all[0] == '\0' ? "views in schema dpem" : all;
}

void
dpem_require_use(const DpemReadyModel *ready, bool has, const char *function)
{
	if (!has)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("model \"%s\" is %s, which has no %s", ready->name, ready->family->title, function),
				 errhint("It has %s.", functions_of(&ready->family->use))));
}

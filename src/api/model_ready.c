/*
 * model_ready.c - see model_ready.h.
 */
#include "postgres.h"

#include "api/model_ready.h"
#include "export/kept_models.h"
#include "server/argument_list.h"

static void *
make_ready(FunctionCallInfo fcinfo, const char *name)
{
	DpemReadyModel *ready = palloc0(sizeof(DpemReadyModel));
	DpemModel  *model;

	(void) fcinfo;
	ready->memory = CurrentMemoryContext;
	ready->name = pstrdup(name);
	ready->family = dpem_model_family(name);
	model = dpem_model_load(name, ready->family);
	ready->shape = model;
	ready->noticed = palloc0(sizeof(bool));
	ready->x = palloc(Max(model->d, 1) * sizeof(double));
	ready->model = ready->family->use.load(model);
	return ready;
}

DpemReadyModel *
dpem_ready_model(FunctionCallInfo fcinfo)
{
	return dpem_kept_model(fcinfo, dpem_text_argument(fcinfo, 0, "model"), make_ready);
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

/*
 * fit_arguments.c - see fit_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/builtins.h"

#include "fit/fit_arguments.h"
#include "fit/model_name.h"
#include "server/argument_list.h"
#include "server/arguments.h"

#define MAX_ITERATIONS 1000

static float8
epsilon_argument(FunctionCallInfo fcinfo, int i)
{
	float8		epsilon = dpem_float8_argument(fcinfo, i, "epsilon");

	/* infinity asks for no noise, which is for readers of the rows */
	return isinf(epsilon) && epsilon > 0 ? epsilon : dpem_check_epsilon("epsilon", epsilon);
}

static int
iterations_argument(FunctionCallInfo fcinfo, int i)
{
	int			iterations;

	if (i <= 0 || PG_ARGISNULL(i))
		return 0;
	iterations = PG_GETARG_INT32(i);
	if (iterations < 1 || iterations > MAX_ITERATIONS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("iterations must be between 1 and %d, not %d", MAX_ITERATIONS, iterations)));
	return iterations;
}

static char *
composition_argument(FunctionCallInfo fcinfo, int i)
{
	if (i <= 0 || PG_ARGISNULL(i))
		return NULL;
	(void) dpem_check_composition("composition", PG_GETARG_TEXT_PP(i));
	return text_to_cstring(PG_GETARG_TEXT_PP(i));
}

void
dpem_fit_arguments(FunctionCallInfo fcinfo, const DpemFitPositions *at, const char *function,
				   DpemFitRequest *r)
{
	r->function = function;
	r->dataset = dpem_text_argument(fcinfo, at->dataset, "dataset");
	r->epsilon = epsilon_argument(fcinfo, at->epsilon);
	r->delta = dpem_check_delta("delta", dpem_float8_argument(fcinfo, at->delta, "delta"));
	if (at->columns > 0)
		r->columns = dpem_text_list_argument(fcinfo, at->columns, "columns");
	if (at->filter > 0 && !PG_ARGISNULL(at->filter))
		r->filter = dpem_text_argument(fcinfo, at->filter, "filter");
	if (at->by > 0 && !PG_ARGISNULL(at->by))
		r->by = dpem_text_argument(fcinfo, at->by, "by");
	r->iterations = iterations_argument(fcinfo, at->iterations);
	r->composition = composition_argument(fcinfo, at->composition);
	if (at->clip_norm > 0 && !PG_ARGISNULL(at->clip_norm))
		r->clip_norm = dpem_check_magnitude("clip_norm",
											dpem_check_positive("clip_norm", PG_GETARG_FLOAT8(at->clip_norm)),
											DPEM_LEAST_NUMBER);
	if (at->sampling_rate > 0 && !PG_ARGISNULL(at->sampling_rate))
		r->sampling_rate = dpem_check_rate("sampling_rate", PG_GETARG_FLOAT8(at->sampling_rate));
}

void
dpem_fit_model_argument(FunctionCallInfo fcinfo, const DpemFitPositions *at, DpemFitRequest *r)
{
	if (PG_ARGISNULL(at->model))
		return;
	if (isinf(r->epsilon))
		dpem_refuse_argument("a model without noise cannot be stored, so model must be null",
							 "Leave out model, or give a finite epsilon.");
	if (r->nominal)
		dpem_refuse_argument("a model with a nominal epsilon cannot be stored, so model must be null",
							 "Leave out model or epsilon_is_nominal.");
	r->model = dpem_text_argument(fcinfo, at->model, "model");
	if (strlen(r->model) > DPEM_MODEL_STEM_MOST)
		dpem_refuse_argument(psprintf("model must have at most %d bytes, not %zu", DPEM_MODEL_STEM_MOST, strlen(r->model)),
							 "Choose a shorter name.");
}

bool
dpem_choice_argument(FunctionCallInfo fcinfo, int i, const char *name, const char *yes, const char *no)
{
	char	   *value = dpem_text_argument(fcinfo, i, name);

	if (strcmp(value, yes) == 0)
		return true;
	if (strcmp(value, no) != 0)
		dpem_refuse_name(name, value, psprintf("%s, %s", yes, no));
	return false;
}

double
dpem_optional_number(FunctionCallInfo fcinfo, int i)
{
	return PG_ARGISNULL(i) ? NAN : PG_GETARG_FLOAT8(i);
}

void
dpem_check_range(const char *name, double value, bool inside, const char *range)
{
	if (!isnan(value) && !inside)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be %s, not %g", name, range, value)));
}

double
dpem_check_magnitude(const char *name, double value, double least)
{
	dpem_check_range(name, value, value >= least && value <= DPEM_MOST_NUMBER,
					 psprintf("between %g and %g", least, DPEM_MOST_NUMBER));
	return value;
}

void
dpem_refuse_argument(const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", what),
			 errhint("%s", hint)));
}

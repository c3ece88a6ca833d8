/*
 * logit_arguments.c - see logit_arguments.h.
 */
#include "postgres.h"

#include "families/logit/logit_arguments.h"
#include "fit/fit_arguments.h"
#include "server/argument_list.h"
#include "server/arguments.h"

/* positions of the arguments */
enum
{
	A_DATASET, A_LABEL, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COMPOSITION, A_CLIP_NORM, A_MODEL,
	A_SAMPLING_RATE, A_PRIOR_VARIANCE, A_INTERCEPT, A_POSITIVE, A_FILTER, A_BY
};

static const DpemFitPositions positions = {
	A_DATASET, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COMPOSITION, A_CLIP_NORM, A_MODEL, A_SAMPLING_RATE,
	A_FILTER, A_BY
};

DpemLogitRequest *
dpem_logit_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemLogitRequest *r = palloc0(sizeof(DpemLogitRequest));

	dpem_fit_arguments(fcinfo, &positions, function, &r->fit);
	r->fit.label = dpem_text_argument(fcinfo, A_LABEL, "label");
	r->fit.positive = dpem_optional_text(fcinfo, A_POSITIVE);
	dpem_require_argument(fcinfo, A_INTERCEPT, "intercept");
	r->fit.constant = PG_GETARG_BOOL(A_INTERCEPT);
	if (!PG_ARGISNULL(A_PRIOR_VARIANCE))
		r->prior_variance = dpem_check_magnitude("prior_variance",
												 dpem_check_positive("prior_variance", PG_GETARG_FLOAT8(A_PRIOR_VARIANCE)),
												 DPEM_LEAST_NUMBER);
	dpem_fit_model_argument(fcinfo, &positions, &r->fit);
	return r;
}

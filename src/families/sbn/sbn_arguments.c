/*
 * sbn_arguments.c - see sbn_arguments.h.
 */
#include "postgres.h"

#include "core/kernels/sbn_kernel.h"
#include "families/sbn/sbn_arguments.h"
#include "fit/fit_arguments.h"
#include "server/argument_list.h"
#include "server/arguments.h"

/* positions of the arguments */
enum
{
	A_DATASET, A_HIDDEN, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COMPOSITION, A_MODEL, A_SAMPLING_RATE,
	A_PRIOR_VARIANCE, A_FILTER
};

static const DpemFitPositions positions = {
	A_DATASET, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COMPOSITION, -1, A_MODEL, A_SAMPLING_RATE,
	A_FILTER, -1
};

static int
hidden_argument(FunctionCallInfo fcinfo)
{
	int			hidden = dpem_int_argument(fcinfo, A_HIDDEN, "hidden");

	if (hidden < 1 || hidden > DPEM_SBN_MAX_HIDDEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("hidden must be between 1 and %d, not %d", DPEM_SBN_MAX_HIDDEN, hidden)));
	return hidden;
}

DpemSbnRequest *
dpem_sbn_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemSbnRequest *r = palloc0(sizeof(DpemSbnRequest));

	dpem_fit_arguments(fcinfo, &positions, function, &r->fit);
	r->hidden = hidden_argument(fcinfo);
	r->prior_variance = dpem_check_magnitude("prior_variance",
											 dpem_check_positive("prior_variance",
																 dpem_float8_argument(fcinfo, A_PRIOR_VARIANCE, "prior_variance")),
											 1e-6);
	dpem_fit_model_argument(fcinfo, &positions, &r->fit);
	return r;
}

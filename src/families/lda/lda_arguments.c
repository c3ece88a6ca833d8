/*
 * lda_arguments.c - see lda_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "core/kernels/lda_kernel.h"
#include "families/lda/lda_arguments.h"
#include "fit/fit_arguments.h"
#include "server/argument_list.h"
#include "server/arguments.h"

/* positions of the arguments */
enum
{
	A_DATASET, A_TOPICS, A_EPSILON, A_DELTA, A_DOCUMENT_COLUMN, A_ITERATIONS, A_COMPOSITION, A_CLIP, A_MODEL,
	A_SAMPLING_RATE, A_DOCUMENT_LENGTH, A_ALPHA, A_ETA, A_TAU0, A_KAPPA, A_ESTIMATOR, A_RESAMPLE, A_INIT_TOPICS,
	A_FILTER
};

static const DpemFitPositions positions = {
	A_DATASET, A_EPSILON, A_DELTA, -1, A_ITERATIONS, A_COMPOSITION, -1, A_MODEL, A_SAMPLING_RATE,
	A_FILTER, -1
};

static double
number_argument(FunctionCallInfo fcinfo, int i, const char *name, double least, double most)
{
	double		value = dpem_optional_number(fcinfo, i);

	/* a NaN that was given is no default */
	if (!PG_ARGISNULL(i) && !(value >= least && value <= most))
		dpem_fit_bad_argument(name, psprintf("%g", value), psprintf("between %g and %g", least, most));
	return value;
}

static int
integer_argument(FunctionCallInfo fcinfo, int i, const char *name, int least, int most)
{
	int32		value = dpem_int_argument(fcinfo, i, name);

	if (value < least || value > most)
		dpem_fit_bad_argument(name, psprintf("%d", value), psprintf("between %d and %d", least, most));
	return value;
}

static void
start_argument(FunctionCallInfo fcinfo, DpemLdaRequest *r)
{
	if (PG_ARGISNULL(A_INIT_TOPICS))
		return;
	r->start = dpem_float8_array_argument(fcinfo, A_INIT_TOPICS, "init_topics", &r->nstart);
	for (int i = 0; i < r->nstart; i++)
		dpem_check_magnitude("init_topics", r->start[i], 1e-3);
}

DpemLdaRequest *
dpem_lda_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemLdaRequest *r = palloc0(sizeof(DpemLdaRequest));

	dpem_fit_arguments(fcinfo, &positions, function, &r->fit);
	r->fit.documents = true;
	r->fit.document_column = dpem_optional_text(fcinfo, A_DOCUMENT_COLUMN);
	r->topics = integer_argument(fcinfo, A_TOPICS, "topics", 1, DPEM_LDA_MAX_TOPICS);
	r->clip = number_argument(fcinfo, A_CLIP, "clip", 1e-6, 1);
	r->length = integer_argument(fcinfo, A_DOCUMENT_LENGTH, "document_length", 0, DPEM_LDA_MAX_LENGTH);
	r->alpha = number_argument(fcinfo, A_ALPHA, "alpha", 1e-3, 1e6);
	r->eta = number_argument(fcinfo, A_ETA, "eta", 1e-3, 1e6);
	r->tau0 = number_argument(fcinfo, A_TAU0, "tau0", 0, 1e9);
	r->kappa = number_argument(fcinfo, A_KAPPA, "kappa", 0, 1);
	r->shrink = dpem_choice_argument(fcinfo, A_ESTIMATOR, "estimator", "shrinkage", "truncation");
	r->resample = PG_ARGISNULL(A_RESAMPLE) ? !r->shrink : PG_GETARG_BOOL(A_RESAMPLE);
	start_argument(fcinfo, r);
	dpem_fit_model_argument(fcinfo, &positions, &r->fit);
	return r;
}

/*
 * kmeans_arguments.c - see kmeans_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"

#include "api/argument_list.h"
#include "api/arguments.h"
#include "api/fit_arguments.h"
#include "api/kmeans_arguments.h"

/* positions of the arguments */
enum
{
	A_DATASET, A_K, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_ALGORITHM, A_COMPOSITION,
	A_INIT_MEANS, A_CLIP_NORM, A_MODEL, A_POSTPROCESS, A_NOISE,
	A_POSTPROCESS_STEPS
};

static const DpemFitPositions positions = {
	A_DATASET, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COMPOSITION, A_CLIP_NORM, A_MODEL, -1
};

/* NULL for auto */
static const DpemKmeansAlgorithm *
algorithm_argument(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, A_ALGORITHM, "algorithm");
	StringInfoData allowed;

	if (strcmp(name, "auto") == 0)
		return NULL;
	initStringInfo(&allowed);
	appendStringInfoString(&allowed, "auto");
	for (const DpemKmeansAlgorithm *a = dpem_kmeans_algorithms; a->name != NULL; a++)
	{
		if (strcmp(name, a->name) == 0)
			return a;
		appendStringInfo(&allowed, ", %s", a->name);
	}
	dpem_refuse_name("algorithm", name, allowed.data);
}

/* NULL for none */
static const DpemKmeansPostprocess *
postprocess_argument(FunctionCallInfo fcinfo)
{
	char	   *name = dpem_text_argument(fcinfo, A_POSTPROCESS, "postprocess");
	StringInfoData allowed;

	if (strcmp(name, "none") == 0)
		return NULL;
	initStringInfo(&allowed);
	appendStringInfoString(&allowed, "none");
	for (const DpemKmeansPostprocess *p = dpem_kmeans_postprocesses; p->name != NULL; p++)
	{
		if (strcmp(name, p->name) == 0)
			return p;
		appendStringInfo(&allowed, ", %s", p->name);
	}
	dpem_refuse_name("postprocess", name, allowed.data);
}

static void
noise_argument(FunctionCallInfo fcinfo, DpemKmeansRequest *r)
{
	if (PG_ARGISNULL(A_NOISE))
		return;
	if (r->algorithm == NULL || !r->algorithm->has_noise_kinds)
		dpem_refuse_argument("noise must be null unless the algorithm is dpem or sample_aggregate",
							 "The other algorithms have noise of one kind.");
	r->laplace = dpem_choice_argument(fcinfo, A_NOISE, "noise", "laplace", "gaussian");
}

DpemKmeansRequest *
dpem_kmeans_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemKmeansRequest *r = palloc0(sizeof(DpemKmeansRequest));

	dpem_fit_arguments(fcinfo, &positions, function, &r->fit);
	r->k = dpem_int_argument(fcinfo, A_K, "k");
	r->algorithm = algorithm_argument(fcinfo);
	r->postprocess = postprocess_argument(fcinfo);
	r->postprocess_steps = dpem_check_count("postprocess_steps",
											dpem_int_argument(fcinfo, A_POSTPROCESS_STEPS, "postprocess_steps"));
	if (!PG_ARGISNULL(A_INIT_MEANS))
		r->init_means = dpem_float8_array_argument(fcinfo, A_INIT_MEANS, "init_means", &r->n_init);
	noise_argument(fcinfo, r);
	dpem_fit_model_argument(fcinfo, &positions, &r->fit);
	return r;
}

/*
 * kmeans_arguments.c - see kmeans_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"

#include "core/kernels/cells.h"
#include "families/kmeans/kmeans_arguments.h"
#include "fit/fit_arguments.h"
#include "server/argument_list.h"
#include "server/arguments.h"

/* positions of the arguments */
enum
{
	A_DATASET, A_K, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_ALGORITHM, A_COMPOSITION,
	A_INIT_MEANS, A_CLIP_NORM, A_MODEL, A_POSTPROCESS, A_NOISE,
	A_POSTPROCESS_STEPS, A_CELLS, A_THRESHOLD, A_ADAPTIVE, A_SAMPLING_RATE, A_FILTER, A_BY
};

static const DpemFitPositions positions = {
	A_DATASET, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COMPOSITION, A_CLIP_NORM, A_MODEL, A_SAMPLING_RATE,
	A_FILTER, A_BY
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
		dpem_refuse_argument("noise must be null unless the algorithm is dpem, sample_aggregate, grid or sparse_grid",
							 "The other algorithms have noise of one kind.");
	r->noise = dpem_choice_argument(fcinfo, A_NOISE, "noise", "laplace", "gaussian")
		? DPEM_KMEANS_NOISE_LAPLACE : DPEM_KMEANS_NOISE_GAUSSIAN;
}

static void
grid_arguments(FunctionCallInfo fcinfo, DpemKmeansRequest *r)
{
	dpem_require_argument(fcinfo, A_ADAPTIVE, "adaptive");
	r->adaptive = PG_GETARG_BOOL(A_ADAPTIVE);
	r->threshold = dpem_optional_number(fcinfo, A_THRESHOLD);
	if (PG_ARGISNULL(A_CELLS) && PG_ARGISNULL(A_THRESHOLD) && !r->adaptive)
		return;
	if (r->algorithm == NULL || !r->algorithm->has_grid)
		dpem_refuse_argument("cells, threshold and adaptive are for algorithms grid and sparse_grid only",
							 "The other algorithms have no grid to shape.");
	if (!PG_ARGISNULL(A_CELLS))
		r->cells = dpem_int_argument(fcinfo, A_CELLS, "cells");
	if (!PG_ARGISNULL(A_CELLS) && (r->cells < 1 || r->cells > DPEM_CELLS_MAX))
		dpem_fit_bad_argument("cells", psprintf("%d", r->cells), psprintf("between 1 and %d", DPEM_CELLS_MAX));
	if (!PG_ARGISNULL(A_THRESHOLD) && !(r->threshold >= 0 && r->threshold <= 100))
		dpem_fit_bad_argument("threshold", psprintf("%g", r->threshold),
							  "between 0 and 100 standard deviations of the noise");
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
	grid_arguments(fcinfo, r);
	dpem_fit_model_argument(fcinfo, &positions, &r->fit);
	return r;
}

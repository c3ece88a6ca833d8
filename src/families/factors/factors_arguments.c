/*
 * factors_arguments.c - see factors_arguments.h.
 */
#include "postgres.h"

#include "families/factors/factors_arguments.h"
#include "families/factors/pca_algorithm.h"
#include "fit/fit_arguments.h"
#include "server/argument_list.h"
#include "server/arguments.h"

/* positions of the arguments; component analysis has its algorithm before the centre */
enum
{
	A_DATASET, A_K, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS,
	FA_CENTRE, FA_COMPOSITION, FA_CLIP_NORM, FA_MODEL, FA_PRECONDITION, FA_SAMPLING_RATE, FA_FILTER,
	FA_BY,
	PCA_ALGORITHM = FA_CENTRE, PCA_CENTRE, PCA_COMPOSITION, PCA_CLIP_NORM, PCA_MODEL, PCA_PRECONDITION,
	PCA_SAMPLING_RATE, PCA_FILTER, PCA_BY
};

static const DpemFitPositions fa_positions = {
	A_DATASET, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, FA_COMPOSITION, FA_CLIP_NORM, FA_MODEL, FA_SAMPLING_RATE,
	FA_FILTER, FA_BY
};

static const DpemFitPositions pca_positions = {
	A_DATASET, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, PCA_COMPOSITION, PCA_CLIP_NORM, PCA_MODEL, PCA_SAMPLING_RATE,
	PCA_FILTER, PCA_BY
};

static DpemFactorsRequest *
read_arguments(FunctionCallInfo fcinfo, const char *function, const DpemFitPositions *at, const char *k,
			   int centre, int precondition)
{
	DpemFactorsRequest *r = palloc0(sizeof(DpemFactorsRequest));

	dpem_fit_arguments(fcinfo, at, function, &r->fit);
	r->k = dpem_int_argument(fcinfo, A_K, k);
	r->centred = dpem_choice_argument(fcinfo, centre, "centre", "private", "public");
	r->narrow_given = !PG_ARGISNULL(precondition);
	r->narrow = r->narrow_given && dpem_choice_argument(fcinfo, precondition, "precondition", "radius", "none");
	dpem_fit_model_argument(fcinfo, at, &r->fit);
	return r;
}

DpemFactorsRequest *
dpem_fa_arguments(FunctionCallInfo fcinfo, const char *function)
{
	return read_arguments(fcinfo, function, &fa_positions, "factors", FA_CENTRE, FA_PRECONDITION);
}

DpemFactorsRequest *
dpem_pca_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemFactorsRequest *r = read_arguments(fcinfo, function, &pca_positions, "components", PCA_CENTRE, PCA_PRECONDITION);
	char	   *algorithm = dpem_text_argument(fcinfo, PCA_ALGORITHM, "algorithm");

	r->algorithm = dpem_pca_algorithm(algorithm);
	if (r->algorithm == NULL)
		dpem_refuse_name("algorithm", algorithm, dpem_pca_algorithm_names);
	return r;
}

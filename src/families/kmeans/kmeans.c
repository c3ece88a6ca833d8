/*
 * kmeans.c - k-means: dp_kmeans_fit, dp_kmeans_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"

#include "core/kernels/cells.h"
#include "families/kmeans/kmeans.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"

/* ---- arguments ---- */

/* NULL for auto */
static const DpemKmeansAlgorithm *
algorithm_argument(const DpemArguments *arguments)
{
	char	   *name = dpem_named_text(arguments, "algorithm");
	char	   *allowed = pstrdup("auto");

	for (const DpemKmeansAlgorithm *a = dpem_kmeans_algorithms; a->name != NULL; a++)
	{
		if (strcmp(name, a->name) == 0)
			return a;
		allowed = psprintf("%s, %s", allowed, a->name);
	}
	if (strcmp(name, "auto") != 0)
		dpem_refuse_name("algorithm", name, allowed);
	return NULL;
}

/* NULL for none */
static const DpemKmeansPostprocess *
postprocess_argument(const DpemArguments *arguments)
{
	const DpemKmeansPostprocess *only = dpem_kmeans_postprocesses;

	return dpem_named_choice(arguments, "postprocess", "none", only->name) ? NULL : only;
}

static void
noise_argument(const DpemArguments *a, DpemKmeansRequest *r)
{
	if (!dpem_is_given(a, "noise"))
		return;
	if (r->algorithm == NULL || !r->algorithm->has_noise_kinds)
		dpem_refuse_argument("noise must be null unless the algorithm is dpem, sample_aggregate, grid, sparse_grid or evolution",
							 "The other algorithms have noise of one kind.");
	r->noise = dpem_named_choice(a, "noise", "laplace", "gaussian")
		? DPEM_KMEANS_NOISE_LAPLACE : DPEM_KMEANS_NOISE_GAUSSIAN;
}

static void
grid_arguments(const DpemArguments *a, DpemKmeansRequest *r)
{
	r->adaptive = dpem_named_bool(a, "adaptive");
	r->threshold = dpem_optional_named_float8(a, "threshold");
	if (!dpem_is_given(a, "cells") && !dpem_is_given(a, "threshold") && !r->adaptive)
		return;
	if (r->algorithm == NULL || !r->algorithm->has_grid)
		dpem_refuse_argument("cells, threshold and adaptive are for algorithms grid and sparse_grid only",
							 "The other algorithms have no grid to shape.");
	if (dpem_is_given(a, "cells"))
		r->cells = dpem_named_int_between(a, "cells", 1, DPEM_CELLS_MAX);
	if (dpem_is_given(a, "threshold") && !(r->threshold >= 0 && r->threshold <= 100))
		dpem_fit_bad_argument("threshold", psprintf("%g", r->threshold),
							  "between 0 and 100 standard deviations of the noise");
}

static void
read_own(const DpemArguments *a, DpemFitRequest *request)
{
	DpemKmeansRequest *r = (DpemKmeansRequest *) request;

	r->k = dpem_named_sizes(a, "k", request);
	r->algorithm = algorithm_argument(a);
	request->bind.together = r->algorithm != NULL && r->algorithm->together;
	r->postprocess = postprocess_argument(a);
	r->postprocess_steps = dpem_check_count("postprocess_steps", dpem_named_int(a, "postprocess_steps"));
	r->init_means = dpem_named_float8_array(a, "init_means", &r->n_init);
	noise_argument(a, r);
	grid_arguments(a, r);
}

/* ---- the family ---- */

static void
describe(const DpemFitPlan *plan, DpemModelRecord *record)
{
	record->mechanism = ((const DpemKmeansPlan *) plan)->algorithm->name;
}

/* from corners where rows of norm 1 belong to one center only: the neighbours that move moments most */
#define START "init_means => '{{0.5,0.5,0.5},{-0.5,-0.5,-0.5},{0.5,-0.5,0.1}}', clip_norm => 1, "
#define CALL(k, more) "dp_kmeans_fit('dpem_selftest', " #k ", 4, 1e-6, algorithm => " more ")"
#define LLOYD(more) CALL(3, more ", " START "iterations => 2")
#define HIDDEN(more) "dp_kmeans_fit('dpem_selftest', 3, 0.01, 1e-6, algorithm => " more ")"
/* a ball so wide that how far rows are from their middle is noise, but not where it is: whatever a unit is */
#define NEAR(more) "dp_kmeans_fit('dpem_selftest', 3, 0.7, 1e-6, clip_norm => 20, algorithm => " more ")"
#define SAMPLED_HIDDEN "dp_kmeans_fit('dpem_selftest', 2, 0.1, 1e-6, algorithm => 'joint', by => 'label', iterations => 2, composition => 'rdp', sampling_rate => 0.5)"
/* all others are alike, in a cell of many rows; with so little noise in it one of a grid within is dim, and with more not looked at */
#define DIM(epsilon) "dp_kmeans_fit('dpem_selftest', 2, " #epsilon ", 1e-6, columns => '{a,b}', algorithm => 'sparse_grid')"
#define BLOCKS(noise) CALL(1, "'sample_aggregate', iterations => 2, clip_norm => 1, noise => " noise)

/*
 * Of center_of_attention: few blocks, as many as a released number of rows says, of which the unit's is one: with so little
 * noise the three rows of a unit make two, and their center of attention is half-way between both.
 */
static const DpemSelftestCase selftest[] = {
	{"kmeans joint", LLOYD("'joint'"), 0},
	{"kmeans dpem gaussian", LLOYD("'dpem', noise => 'gaussian'"), 0},
	{"kmeans dpem laplace", LLOYD("'dpem', noise => 'laplace'"), 0},
	{"kmeans dplloyd", LLOYD("'dplloyd'"), 0},
	{"kmeans joint, mcmc", LLOYD("'joint', postprocess => 'mcmc', postprocess_steps => 500"), 0},
	{"kmeans dplloyd, mcmc", LLOYD("'dplloyd', postprocess => 'mcmc', postprocess_steps => 500"), 0},
	{"kmeans joint by groups", LLOYD("'joint', by => 'label'"), 0},
	{"kmeans joint by groups, rows looked for", CALL(2, "'joint', by => 'label', iterations => 2"), 0},
	{"kmeans joint, one cluster", CALL(1, "'joint'"), 0},
	{"kmeans joint by groups, one cluster", CALL(1, "'joint', by => 'label'"), 0},
	{"kmeans joint by groups, clusters that noise hides", HIDDEN("'joint', by => 'label'"), 0},
	{"kmeans joint by groups, clusters that noise hides from passes", "dp_kmeans_fit('dpem_selftest', 2, 0.1, 1e-6, algorithm => 'joint', by => 'label', iterations => 2)", 0},
	{"kmeans dplloyd by groups", LLOYD("'dplloyd', by => 'label'"), 0},
	{"kmeans genetic", CALL(3, "'genetic', clip_norm => 1, iterations => 2"), 0},
	{"kmeans grid", CALL(3, "'grid'"), 0},
	{"kmeans sparse grid", CALL(3, "'sparse_grid'"), 0},
	{"kmeans sparse grid, dim cells", DIM(0.6), DPEM_SELFTEST_DRAWS | DPEM_SELFTEST_ALIKE | DPEM_SELFTEST_IN_PLACE},
	{"kmeans sparse grid, dim cells of units", DIM(1.8), DPEM_SELFTEST_DRAWS | DPEM_SELFTEST_ALIKE | DPEM_SELFTEST_IN_PLACE_SEVERAL},
	{"kmeans sparse grid, heap", DIM(0.2), DPEM_SELFTEST_DRAWS | DPEM_SELFTEST_ALIKE | DPEM_SELFTEST_ALL_ROWS},
	{"kmeans among several k, cells", "dp_kmeans_fit('dpem_selftest', '{1,2,3}', 4, 1e-6, algorithm => 'sparse_grid')", 0},
	{"kmeans among several k, subspace", "dp_kmeans_fit('dpem_selftest', '{2,3}', 4, 1e-6, algorithm => 'subspace')", 0},
	{"kmeans evolution", CALL(3, "'evolution'"), 0},
	{"kmeans plane", CALL(3, "'plane'"), 0},
	{"kmeans subspace", CALL(3, "'subspace'"), 0},
	{"kmeans subspace of more dimensions", CALL(2, "'subspace'"), DPEM_SELFTEST_WIDE},
	{"kmeans subspace, clusters that noise hides", HIDDEN("'subspace'"), 0},
	{"kmeans subspace, rows near their middle", NEAR("'subspace'"), 0},
	{"kmeans plane, clusters that noise hides", HIDDEN("'plane'"), 0},
	{"kmeans plane, samples, clusters that noise hides", HIDDEN("'plane', iterations => 2, composition => 'rdp', sampling_rate => 0.5"), DPEM_SELFTEST_DRAWS},
	{"kmeans joint, samples, clusters that noise hides from passes", SAMPLED_HIDDEN, DPEM_SELFTEST_DRAWS},
	{"kmeans joint, samples", CALL(3, "'joint', iterations => 4, " START "composition => 'rdp', sampling_rate => 0.5"), DPEM_SELFTEST_DRAWS},
	{
		"kmeans blocks, center of attention",
		"dp_kmeans_fit('dpem_selftest', 1, 450, 1e-6, algorithm => 'center_of_attention', columns => '{a}', iterations => 2, clip_norm => 1)",
		DPEM_SELFTEST_DRAWS
	},
	{"kmeans blocks gaussian", BLOCKS("'gaussian'"), DPEM_SELFTEST_DRAWS},
	{"kmeans blocks laplace", BLOCKS("'laplace'"), DPEM_SELFTEST_DRAWS},
	{NULL}
};

const DpemFamily dpem_family_kmeans = {
	.name = "kmeans",.title = "a k-means model",.request_size = sizeof(DpemKmeansRequest),
	.read = read_own,.plan = dpem_kmeans_plan,.forecast = dpem_kmeans_forecast,.run = dpem_kmeans_run,.describe = describe,
	.table = {
		{
			.name = "kmeans_parameter",.number = "component",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_KMEANS_WEIGHT] = {.column = "weight",.shape = DPEM_FIELD_NUMBER,.result = "weight"},
				[DPEM_KMEANS_WEIGHT_NOISE] = {.column = "weight_noise",.shape = DPEM_FIELD_NUMBER,.result = "noise_stddev"},
				[DPEM_KMEANS_CENTER] = {.column = "center",.shape = DPEM_FIELD_VECTOR,.result = "mean",.loaded = true},
				[DPEM_KMEANS_CENTER_NOISE] = {
					.column = "center_noise",.shape = DPEM_FIELD_VECTOR,.result = "mean_noise_stddev"
				}
			}
		}
	},
	.use = {
		.load = dpem_kmeans_load,.predictor = dpem_kmeans_predictor,.predict = dpem_kmeans_predict,.squared_distance = dpem_kmeans_squared_distance,
		.transform = dpem_kmeans_transform,.plot = dpem_kmeans_plot
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(kmeans)

/*
 * pca.c - principal components: dp_pca_fit, dp_pca_plan.
 */
#include "postgres.h"

#include "fmgr.h"

#include "families/factors/pca_algorithm.h"
#include "server/arguments.h"

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemFactorsRequest *r = (DpemFactorsRequest *) request;
	char	   *algorithm;

	dpem_factors_read(arguments, "components", r);
	algorithm = dpem_named_text(arguments, "algorithm");
	r->algorithm = dpem_pca_algorithm(algorithm);
	if (r->algorithm == NULL)
		dpem_refuse_name("algorithm", algorithm, dpem_pca_algorithm_names);
}

#define PCA(more) "dp_pca_fit('dpem_selftest', 2, 4, 1e-6, " more ")"

static const DpemSelftestCase selftest[] = {
	{"pca analyze_gauss", PCA("clip_norm => 1, algorithm => 'analyze_gauss'"), 0},
	{"pca analyze_gauss, margins", PCA("precondition => 'margins'"), 0},
	{"pca by groups, margins", PCA("precondition => 'margins', by => 'label'"), 0},
	{"pca analyze_gauss, radius", PCA("center => 'public', precondition => 'radius'"), 0},
	{
		"pca, missing", PCA("center => 'public', precondition => 'radius', missing => 'marginal'"), DPEM_SELFTEST_COUNTS_NULLS
	},
	{"pca by groups, radius", PCA("algorithm => 'analyze_gauss', precondition => 'radius', by => 'label'"), 0},
	{"pca among several", "dp_pca_fit('dpem_selftest', '{1,2,3}', 4, 1e-6, clip_norm => 1, by => 'label')", 0},
	{"pca power", PCA("clip_norm => 1, algorithm => 'power', iterations => 2"), 0},
	{
		"pca exponential",
		"dp_pca_fit('dpem_selftest', 1, 4, 1e-6, columns => '{a,b}', clip_norm => 1, algorithm => 'exponential')", 0
	},
	{NULL}
};

const DpemFamily dpem_family_pca = {
	.name = "pca",.title = "a set of principal components",.request_size = sizeof(DpemFactorsRequest),
	.read = read_own,.plan = dpem_factors_plan,.forecast = dpem_factors_forecast,.run = dpem_pca_run,
	.describe = dpem_factors_describe,
	.table = {
		{
			.name = "pca_parameter",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_PCA_MEAN] = {.column = "mean",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_PCA_MEAN_NOISE] = {.column = "mean_noise",.shape = DPEM_FIELD_VECTOR},
				[DPEM_PCA_UNIT] = {.column = "unit",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_PCA_TOTAL] = {.column = "total_variance",.shape = DPEM_FIELD_NUMBER},
				[DPEM_PCA_TOTAL_NOISE] = {.column = "total_variance_noise",.shape = DPEM_FIELD_NUMBER}
			}
		},
		{
			.name = "pca_component",.number = "component",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_PCA_VARIANCE - DPEM_PCA_TABLE2] = {.column = "variance",.shape = DPEM_FIELD_NUMBER,.result = "variance"},
				[DPEM_PCA_VARIANCE_NOISE - DPEM_PCA_TABLE2] = {
					.column = "variance_noise",.shape = DPEM_FIELD_NUMBER,.result = "noise_stddev"
				},
				[DPEM_PCA_SHARE - DPEM_PCA_TABLE2] = {
					.column = "explained_ratio",.shape = DPEM_FIELD_NUMBER,.result = "explained_ratio"
				},
				[DPEM_PCA_ALIGNMENT - DPEM_PCA_TABLE2] = {.column = "alignment",.shape = DPEM_FIELD_NUMBER,.nullable = true},
				[DPEM_PCA_DIRECTION - DPEM_PCA_TABLE2] = {
					.column = "direction",.shape = DPEM_FIELD_VECTOR,.result = "direction",.loaded = true
				}
			}
		}
	},
	.use = {.load = dpem_pca_load,.transform = dpem_pca_transform,.plot = dpem_pca_plot},
	.picture = {
		[DPEM_PICTURE_LOADINGS] = {
			DPEM_LARGEST_LINES(
				"SELECT c.column_name, c.position, p.component AS head, p.direction AS v"
				" FROM dpem.pca_directions p JOIN dpem.model_columns c USING (model, column_name)"
				" WHERE model = $1 AND p.component <= " DPEM_PICTURE_HEADS),
				"Entries of the principal directions, for columns scaled to [-1, 1] by their domains",
				"component"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(pca)

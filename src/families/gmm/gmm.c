/*
 * gmm.c - Gaussian mixtures: dp_gmm_fit, dp_gmm_plan.
 */
#include "postgres.h"

#include "fmgr.h"

#include "families/gmm/gmm.h"

static const char *
covariance_name(const DpemGmmRequest *r)
{
	DpemSecondMoment shape = r->shape;

	if (r->tied)
		return "tied";
	return shape == DPEM_SECOND_FULL ? "full" : shape == DPEM_SECOND_DIAGONAL ? "diagonal" : "spherical";
}

static void
describe(const DpemFitPlan *plan, DpemModelRecord *record)
{
	const DpemGmmRequest *r = ((const DpemGmmPlan *) plan)->request;

	record->covariance = covariance_name(r);
	record->estimator = r->map ? "map" : "mle";
	record->mechanism = r->mechanism;
	record->precondition = r->whiten ? "whiten" : "none";
}

/* from corners where rows of norm 1 belong to one component only: the neighbours that move moments most */
#define START "init_means => '{{0.5,0.5,0.5},{-0.5,-0.5,-0.5},{0.5,-0.5,0.1}}', init_variance => 0.02, clip_norm => 1, "
#define CALL(k, epsilon, more) "dp_gmm_fit('dpem_selftest', " #k ", " #epsilon ", 1e-6, " more ")"
#define GMM(more) CALL(3, 4, START "iterations => 2, " more)

static const DpemSelftestCase selftest[] = {
	{"gmm full", GMM("precondition => 'none'"), 0},
	{"gmm diagonal", GMM("covariance => 'diagonal', precondition => 'none'"), 0},
	{"gmm spherical", GMM("covariance => 'spherical', precondition => 'none'"), 0},
	{"gmm full, whitened", GMM("precondition => 'whiten'"), 0},
	{"gmm diagonal, whitened", GMM("covariance => 'diagonal', precondition => 'whiten'"), 0},
	{"gmm spherical, whitened", GMM("covariance => 'spherical', precondition => 'whiten'"), 0},
	{"gmm own start", CALL(2, 2, "iterations => 4, precondition => 'none'"), 0},
	{"gmm one component", CALL(1, 2, "iterations => 1, clip_norm => 1, precondition => 'none'"), 0},
	{"gmm cells or total", CALL(3, 4, "model => NULL"), 0},
	{"gmm total", CALL(3, 0.2, "model => NULL"), 0},
	{"gmm total, seen late", CALL(3, 1.2, "covariance => 'tied'"), 0},
	{"gmm compared with one", CALL(2, 60, "covariance => 'diagonal'"), 0},
	{"gmm tied", GMM("covariance => 'tied', precondition => 'none'"), 0},
	{"gmm ggg", GMM("mechanism => 'ggg'"), 0},
	{"gmm ggg diagonal", GMM("mechanism => 'ggg', covariance => 'diagonal'"), 0},
	{"gmm llg", GMM("mechanism => 'llg'"), 0},
	{"gmm llg spherical", GMM("mechanism => 'llg', covariance => 'spherical'"), 0},
	{"gmm among several k", "dp_gmm_fit('dpem_selftest', '{1,2,3}', 4, 1e-6, clip_norm => 1, iterations => 4, precondition => 'none')", 0},
	{"gmm among several k, cells or total", "dp_gmm_fit('dpem_selftest', '{2,3}', 4, 1e-6)", 0},
	{"gmm, missing", GMM("precondition => 'none', missing => 'marginal'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"gmm, missing, whitened", CALL(2, 4, "iterations => 2, covariance => 'diagonal', missing => 'marginal'"), DPEM_SELFTEST_COUNTS_NULLS},
	{"gmm by groups", GMM("precondition => 'none', by => 'label'"), 0},
	{"gmm by groups, whitened", CALL(1, 4, "iterations => 2, covariance => 'diagonal', by => 'label'"), 0},
	{"gmm, start in cells, own frames", CALL(2, 60, "model => NULL"), DPEM_SELFTEST_WIDE | DPEM_SELFTEST_OWN_FRAMES},
	{"gmm, start in cells, own frames later", CALL(3, 60, "model => NULL"), DPEM_SELFTEST_WIDE | DPEM_SELFTEST_OWN_FRAMES},
	{"gmm, own frames", CALL(2, 60, "by => 'label'"), DPEM_SELFTEST_OWN_FRAMES},
	{"gmm, own frames, diagonal", CALL(2, 60, "covariance => 'diagonal', by => 'label'"), DPEM_SELFTEST_OWN_FRAMES},
	{
		"gmm, samples",
		CALL(3, 4, START "iterations => 4, precondition => 'none', composition => 'rdp', sampling_rate => 0.5"), DPEM_SELFTEST_DRAWS
	},
	{NULL}
};

const DpemFamily dpem_family_gmm = {
	.name = "gmm",.title = "a mixture",.request_size = sizeof(DpemGmmRequest),
	.read = dpem_gmm_read,.plan = dpem_gmm_plan,.forecast = dpem_gmm_forecast,.run = dpem_gmm_run,.describe = describe,
	.table = {
		{
			.name = "gmm_parameter",.number = "component",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_GMM_WEIGHT] = {.column = "weight",.shape = DPEM_FIELD_NUMBER,.result = "weight",.loaded = true},
				[DPEM_GMM_WEIGHT_NOISE] = {.column = "weight_noise",.shape = DPEM_FIELD_NUMBER,.result = "noise_stddev"},
				[DPEM_GMM_MEAN] = {.column = "mean",.shape = DPEM_FIELD_VECTOR,.result = "mean",.loaded = true},
				[DPEM_GMM_MEAN_NOISE] = {
					.column = "mean_noise",.shape = DPEM_FIELD_VECTOR,.result = "mean_noise_stddev"
				},
				[DPEM_GMM_COVARIANCE] = {
					.column = "covariance",.shape = DPEM_FIELD_MATRIX,.result = "covariance",.loaded = true
				},
				[DPEM_GMM_COVARIANCE_NOISE] = {
					.column = "covariance_noise",.shape = DPEM_FIELD_MATRIX,.result = "covariance_noise_stddev"
				},
				[DPEM_GMM_ATOM] = {.column = "atom_share",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_GMM_ATOM_LOWER] = {.column = "atom_lower",.shape = DPEM_FIELD_VECTOR,.loaded = true,.shared = true},
				[DPEM_GMM_ATOM_UPPER] = {.column = "atom_upper",.shape = DPEM_FIELD_VECTOR,.loaded = true,.shared = true},
				[DPEM_GMM_REST_SCALE] = {.column = "rest_scale",.shape = DPEM_FIELD_VECTOR,.loaded = true,.shared = true}
			}
		}
	},
	.use = {
		.load = dpem_gmm_load,.predictor = dpem_gmm_predictor,.predict = dpem_gmm_predict,.posterior = dpem_gmm_posterior,
		.log_density = dpem_gmm_log_density,.sample = dpem_gmm_sample,.plot = dpem_gmm_plot
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(gmm)

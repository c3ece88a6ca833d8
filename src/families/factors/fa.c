/*
 * fa.c - factor analysis: dp_fa_fit, dp_fa_plan.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "families/factors/factors.h"

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	dpem_factors_read(arguments, "factors", (DpemFactorsRequest *) request);
}

/* what coordinate j has of each factor */
static Datum
column_of(const DpemModel *model, int value, int j, double *work)
{
	const double *numbers = model->value[value];

	for (int f = 0; f < model->k; f++)
		work[f] = numbers[(size_t) f * model->d + j];
	return dpem_float8_array(work, model->k);
}

/* a row per coordinate, in the columns' own units */
static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	char	  **names = dpem_binding_coordinates(plan->binding);
	const double *mean = model->value[DPEM_FA_MEAN];
	const double *variance = model->value[DPEM_FA_VARIANCE];
	const double *log_likelihood = model->value[DPEM_FA_LOG_LIKELIHOOD];
	const double *mean_noise = model->value[DPEM_FA_MEAN_NOISE];
	const double *variance_noise = model->value[DPEM_FA_VARIANCE_NOISE];
	double	   *loadings = palloc(model->k * sizeof(double));

	for (int j = 0; j < model->d; j++)
	{
		dpem_fit_row(rows);
		dpem_fit_put(rows, "column_name", CStringGetTextDatum(names[j]));
		dpem_fit_put(rows, "mean", Float8GetDatum(mean[j]));
		dpem_fit_put_number(rows, "mean_noise_stddev", mean_noise[j]);
		dpem_fit_put(rows, "loadings", column_of(model, DPEM_FA_LOADING, j, loadings));
		dpem_fit_put(rows, "loading_noise_stddev", column_of(model, DPEM_FA_LOADING_NOISE, j, loadings));
		dpem_fit_put_number(rows, "variance_noise_stddev", variance_noise[j]);
		dpem_fit_put(rows, "noise_variance", Float8GetDatum(variance[j]));
		dpem_fit_put(rows, "log_likelihood", Float8GetDatum(*log_likelihood));
		dpem_fit_row_end(rows);
	}
}

static const DpemSelftestCase selftest[] = {
	{"factor analysis", "dp_fa_fit('dpem_selftest', 1, 4, 1e-6, clip_norm => 1)", 0},
	{"factor analysis, standardised", "dp_fa_fit('dpem_selftest', 1, 4, 1e-6, precondition => 'standardise')", 0},
	{
		"factor analysis by groups, standardised",
		"dp_fa_fit('dpem_selftest', 1, 4, 1e-6, precondition => 'standardise', by => 'label')", 0
	},
	{
		"factor analysis, missing",
		"dp_fa_fit('dpem_selftest', 1, 4, 1e-6, clip_norm => 1, missing => 'marginal')", DPEM_SELFTEST_COUNTS_NULLS
	},
	{"factor analysis among several", "dp_fa_fit('dpem_selftest', '{1,2}', 4, 1e-6, clip_norm => 1)", 0},
	{"factor analysis by groups", "dp_fa_fit('dpem_selftest', 1, 4, 1e-6, clip_norm => 1, by => 'label')", 0},
	{NULL}
};

const DpemFamily dpem_family_fa = {
	.name = "fa",.title = "a factor model",.request_size = sizeof(DpemFactorsRequest),
	.read = read_own,.plan = dpem_factors_plan,.forecast = dpem_factors_forecast,.run = dpem_fa_run,
	.describe = dpem_factors_describe,.emit = emit,
	.table = {
		{
			.name = "fa_parameter",.rows = DPEM_ROW_OF_MODEL,
			.field = {
				[DPEM_FA_MEAN] = {.column = "mean",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_FA_MEAN_NOISE] = {.column = "mean_noise",.shape = DPEM_FIELD_VECTOR},
				[DPEM_FA_VARIANCE] = {.column = "noise_variance",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_FA_VARIANCE_NOISE] = {.column = "noise_variance_noise",.shape = DPEM_FIELD_VECTOR},
				[DPEM_FA_LOG_LIKELIHOOD] = {.column = "log_likelihood",.shape = DPEM_FIELD_NUMBER},
				[DPEM_FA_ATOM] = {.column = "atom_share",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_FA_ATOM_LOWER] = {.column = "atom_lower",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_FA_ATOM_UPPER] = {.column = "atom_upper",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_FA_REST_SCALE] = {.column = "rest_scale",.shape = DPEM_FIELD_VECTOR,.loaded = true}
			}
		},
		{
			.name = "fa_factor",.number = "factor",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_FA_LOADING - DPEM_FA_TABLE2] = {.column = "loading",.shape = DPEM_FIELD_VECTOR,.loaded = true},
				[DPEM_FA_LOADING_NOISE - DPEM_FA_TABLE2] = {.column = "loading_noise",.shape = DPEM_FIELD_VECTOR}
			}
		}
	},
	.use = {
		.load = dpem_fa_load,.log_density = dpem_fa_log_density,.transform = dpem_fa_transform,.sample = dpem_fa_sample,
		.plot = dpem_fa_plot
	},
	.picture = {
		[DPEM_PICTURE_LOADINGS] = {
			DPEM_LARGEST_LINES(
				"SELECT c.column_name, c.position, l.factor AS head, l.loading / nullif(sqrt(n.noise_variance +"
				" sum(l.loading * l.loading) OVER (PARTITION BY c.position)), 0) AS v"
				" FROM dpem.fa_loadings l JOIN dpem.fa_noise n USING (model, column_name)"
				" JOIN dpem.model_columns c USING (model, column_name) WHERE model = $1 AND l.factor <= " DPEM_PICTURE_HEADS),
				"Correlation of each column with each factor: its loading over the column's standard deviation",
				"factor"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(fa)

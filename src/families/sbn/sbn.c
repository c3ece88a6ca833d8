/*
 * sbn.c - sigmoid belief networks: dp_sbn_fit, dp_sbn_plan.
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"

#include "core/kernels/sbn_kernel.h"
#include "families/sbn/sbn.h"
#include "fit/fit_arguments.h"

static void
read_own(const DpemArguments *arguments, DpemFitRequest *request)
{
	DpemSbnRequest *r = (DpemSbnRequest *) request;

	r->hidden = dpem_named_int_between(arguments, "hidden", 1, DPEM_SBN_MAX_HIDDEN);
	(void) dpem_named_float8(arguments, "prior_variance");
	r->prior_variance = dpem_named_magnitude(arguments, "prior_variance", 1e-6, 0);
}

/* the constant unit, whose weights are the visible biases, is unit 0 */
static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	const double *bias = model->value[DPEM_SBN_BIAS];
	const double *weight = model->value[DPEM_SBN_WEIGHT];

	for (int k = 0; k <= model->k; k++)
	{
		dpem_fit_row(rows);
		dpem_fit_put(rows, "hidden", Int32GetDatum(k));
		dpem_fit_put_number(rows, "bias", bias[k]);
		dpem_fit_put(rows, "prior", Float8GetDatum(k == 0 ? 1 : 1 / (1 + exp(-bias[k]))));
		dpem_fit_put(rows, "weights", dpem_float8_array(weight + (size_t) k * model->d, model->d));
		dpem_fit_row_end(rows);
	}
}

static const DpemSelftestCase selftest[] = {
	{"sbn", "dp_sbn_fit('dpem_selftest', 2, 4, 1e-6, iterations => 2)", 0},
	{"sbn, hidden units given up", "dp_sbn_fit('dpem_selftest', 2, 0.1, 1e-6, iterations => 4)", 0},
	{NULL}
};

const DpemFamily dpem_family_sbn = {
	.name = "sbn",.title = "a sigmoid belief network",.request_size = sizeof(DpemSbnRequest),
	.read = read_own,.plan = dpem_sbn_plan,.run = dpem_sbn_run,.emit = emit,
	.table = {
		{
			.name = "sbn_parameter",.number = "unit",.rows = DPEM_ROW_OF_UNIT,
			.field = {
				[DPEM_SBN_BIAS] = {.column = "bias",.shape = DPEM_FIELD_NUMBER,.loaded = true,.nullable = true},
				[DPEM_SBN_WEIGHT] = {.column = "weight",.shape = DPEM_FIELD_VECTOR,.loaded = true}
			}
		}
	},
	.use = {
		.load = dpem_sbn_load,.posterior = dpem_sbn_posterior,.log_density = dpem_sbn_log_density,.discrete = true,.binned = true,
		.transform = dpem_sbn_posterior,.sample = dpem_sbn_sample
	},
	.picture = {
		[DPEM_PICTURE_LOADINGS] = {
			DPEM_LARGEST_LINES(
				"SELECT c.column_name, c.position, w.hidden AS head,"
				" 1 / (1 + exp(greatest(least(-v.bias - w.weight, 700), -700))) - 1 / (1 + exp(greatest(least(-v.bias, 700), -700))) AS v"
				" FROM dpem.sbn_weights w JOIN dpem.sbn_visible v USING (model, column_name)"
				" JOIN dpem.model_columns c USING (model, column_name) WHERE model = $1 AND w.hidden <= " DPEM_PICTURE_HEADS),
				"What a hidden unit, where it alone is 1, adds to the probability of each column",
				"hidden"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(sbn)

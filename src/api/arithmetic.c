/*
 * arithmetic.c - the arithmetic of privacy as SQL functions: no data, no state.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "core/accounting/accountant.h"
#include "core/accounting/sensitivity.h"
#include "server/arguments.h"

PG_FUNCTION_INFO_V1(dp_zcdp_epsilon);
PG_FUNCTION_INFO_V1(dp_zcdp_delta);
PG_FUNCTION_INFO_V1(dp_zcdp_rho);
PG_FUNCTION_INFO_V1(dp_gdp_epsilon);
PG_FUNCTION_INFO_V1(dp_gdp_delta);
PG_FUNCTION_INFO_V1(dp_gdp_mu);
PG_FUNCTION_INFO_V1(dp_em_step_epsilon);
PG_FUNCTION_INFO_V1(dp_subsampled_gaussian_rdp);
PG_FUNCTION_INFO_V1(dp_rdp_epsilon);
PG_FUNCTION_INFO_V1(dp_gaussian_noise_multiplier);
PG_FUNCTION_INFO_V1(dp_joint_sensitivity);

/* dp_zcdp_epsilon(rho float8, delta float8, tight boolean) */
Datum
dp_zcdp_epsilon(PG_FUNCTION_ARGS)
{
	float8		rho = dpem_check_positive("rho", PG_GETARG_FLOAT8(0));
	float8		delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	float8		epsilon;

	dpem_check_status(dpem_zcdp_epsilon(rho, delta, PG_GETARG_BOOL(2), &epsilon), "epsilon");
	PG_RETURN_FLOAT8(epsilon);
}

/* dp_zcdp_delta(rho float8, epsilon float8, tight boolean) */
Datum
dp_zcdp_delta(PG_FUNCTION_ARGS)
{
	float8		rho = dpem_check_positive("rho", PG_GETARG_FLOAT8(0));
	float8		epsilon = dpem_check_nonnegative("epsilon", PG_GETARG_FLOAT8(1));
	float8		delta;

	dpem_check_status(dpem_zcdp_delta(rho, epsilon, PG_GETARG_BOOL(2), &delta), "delta");
	PG_RETURN_FLOAT8(delta);
}

/* dp_zcdp_rho(epsilon float8, delta float8, tight boolean) */
Datum
dp_zcdp_rho(PG_FUNCTION_ARGS)
{
	float8		epsilon = dpem_check_epsilon("epsilon", PG_GETARG_FLOAT8(0));
	float8		delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	float8		rho;

	dpem_check_status(dpem_zcdp_rho(epsilon, delta, PG_GETARG_BOOL(2), &rho), "rho");
	PG_RETURN_FLOAT8(rho);
}

/* dp_gdp_epsilon(mu float8, delta float8) */
Datum
dp_gdp_epsilon(PG_FUNCTION_ARGS)
{
	float8		mu = dpem_check_positive("mu", PG_GETARG_FLOAT8(0));
	float8		delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	float8		epsilon;

	dpem_check_status(dpem_gdp_epsilon(mu, delta, &epsilon), "epsilon");
	PG_RETURN_FLOAT8(epsilon);
}

/* dp_gdp_delta(mu float8, epsilon float8) */
Datum
dp_gdp_delta(PG_FUNCTION_ARGS)
{
	float8		mu = dpem_check_positive("mu", PG_GETARG_FLOAT8(0));
	float8		epsilon = dpem_check_nonnegative("epsilon", PG_GETARG_FLOAT8(1));
	float8		delta;

	dpem_check_status(dpem_gdp_delta(mu, epsilon, &delta), "delta");
	PG_RETURN_FLOAT8(delta);
}

/* dp_gdp_mu(epsilon float8, delta float8) */
Datum
dp_gdp_mu(PG_FUNCTION_ARGS)
{
	float8		epsilon = dpem_check_epsilon("epsilon", PG_GETARG_FLOAT8(0));
	float8		delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	float8		mu;

	dpem_check_status(dpem_gdp_mu(epsilon, delta, &mu), "mu");
	PG_RETURN_FLOAT8(mu);
}

static void
refuse_step(DpemComposition composition, float8 delta, const DpemEmSchedule *schedule,
			int32 max_order)
{
	float8		spent;

	if (composition == DPEM_COMPOSE_MA && max_order > 0)
		dpem_refuse_infeasible("a step epsilon",
							   psprintf("no order up to max_order %d reaches delta %s", max_order,
										float8out_internal(delta)),
							   "Raise max_order, or leave it out.");
	if (dpem_composition_is_classical(composition))
	{
		dpem_check_status(dpem_em_linear_delta(schedule, &spent), "a step epsilon");
		dpem_refuse_infeasible("a step epsilon",
							   psprintf("step_delta over all Gaussian releases adds up to %g, and delta is %s",
										spent, float8out_internal(delta)),
							   "Use a smaller step_delta, fewer iterations, or composition zcdp, rdp, ma or exact.");
	}
	dpem_check_status(DPEM_NO_SOLUTION, "a step epsilon");
}

/* NULL stands for no limit */
static int32
max_order_argument(FunctionCallInfo fcinfo, int at, DpemComposition composition)
{
	if (PG_ARGISNULL(at))
		return 0;
	if (composition != DPEM_COMPOSE_MA)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_order must be null with composition %s, not %d",
						dpem_composition_name(composition), PG_GETARG_INT32(at)),
				 errhint("Only composition ma searches a range of integer orders.")));
	return dpem_check_count("max_order", PG_GETARG_INT32(at));
}

/*
 * dp_em_step_epsilon(scenario text, composition text, epsilon float8,
 *     delta float8, step_delta float8, iterations int, k int, max_order int)
 */
Datum
dp_em_step_epsilon(PG_FUNCTION_ARGS)
{
	DpemEmSchedule schedule;
	DpemEmOptions options = {0, false, false};
	DpemComposition composition;
	DpemEmStep	step;
	DpemStatus	status;
	float8		epsilon;
	float8		delta;

	for (int i = 0; i < 7; i++)
		if (PG_ARGISNULL(i))
			PG_RETURN_NULL();
	schedule.scenario = dpem_check_scenario("scenario", PG_GETARG_TEXT_PP(0));
	composition = dpem_check_composition("composition", PG_GETARG_TEXT_PP(1));
	epsilon = dpem_check_epsilon("epsilon", PG_GETARG_FLOAT8(2));
	delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(3));
	schedule.step_delta = dpem_check_delta("step_delta", PG_GETARG_FLOAT8(4));
	schedule.iterations = dpem_check_count("iterations", PG_GETARG_INT32(5));
	schedule.k = dpem_check_count("k", PG_GETARG_INT32(6));
	options.max_order = max_order_argument(fcinfo, 7, composition);

	status = dpem_em_step(&schedule, composition, &options, epsilon, delta, &step);
	if (status == DPEM_NO_SOLUTION)
		refuse_step(composition, delta, &schedule, options.max_order);
	dpem_check_status(status, "a step epsilon");
	PG_RETURN_FLOAT8(step.epsilon);
}

/* dp_subsampled_gaussian_rdp(sampling text, q float8, noise_multiplier float8, alpha float8) */
Datum
dp_subsampled_gaussian_rdp(PG_FUNCTION_ARGS)
{
	char	   *sampling = text_to_cstring(PG_GETARG_TEXT_PP(0));
	float8		q = dpem_check_rate("q", PG_GETARG_FLOAT8(1));
	float8		z = dpem_check_positive("noise_multiplier", PG_GETARG_FLOAT8(2));
	float8		alpha = dpem_check_order("alpha", PG_GETARG_FLOAT8(3), DPEM_RDP_MAX_ORDER);
	float8		rdp = 0;

	if (strcmp(sampling, "poisson") == 0)
		dpem_check_status(dpem_rdp_poisson_gaussian(q, z, alpha, &rdp), "the divergence");
	else if (strcmp(sampling, "without_replacement") == 0)
		dpem_check_status(dpem_rdp_without_replacement_gaussian(q, z, alpha, &rdp), "the divergence");
	else
		dpem_refuse_name("sampling", sampling, "poisson, without_replacement");
	PG_RETURN_FLOAT8(rdp);
}

/* the elements of a one-dimensional array without nulls */
static float8 *
array_elements(const char *name, ArrayType *array, int *n)
{
	if (ARR_NDIM(array) != 1 || array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be a one-dimensional array of at least one number, without nulls", name),
				 errhint("Write it as ARRAY[2, 4, 8].")));
	Assert(ARR_ELEMTYPE(array) == FLOAT8OID);
	*n = ARR_DIMS(array)[0];
	return (float8 *) ARR_DATA_PTR(array);
}

/* dp_rdp_epsilon(alphas float8[], rdp float8[], delta float8) */
Datum
dp_rdp_epsilon(PG_FUNCTION_ARGS)
{
	int			n_alpha;
	int			n_rdp;
	float8	   *alpha = array_elements("alphas", PG_GETARG_ARRAYTYPE_P(0), &n_alpha);
	float8	   *rdp = array_elements("rdp", PG_GETARG_ARRAYTYPE_P(1), &n_rdp);
	float8		delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(2));
	float8		epsilon;

	if (n_alpha != n_rdp)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("rdp must have one element per element of alphas, %d, not %d", n_alpha, n_rdp),
				 errhint("Give the divergence of every order, in the same order.")));
	for (int i = 0; i < n_alpha; i++)
	{
		dpem_check_order("alphas", alpha[i], DBL_MAX);
		if (rdp[i] != get_float8_infinity())	/* a curve may end */
			dpem_check_nonnegative("rdp", rdp[i]);
	}
	dpem_check_status(dpem_rdp_epsilon(alpha, rdp, n_alpha, delta, true, &epsilon, NULL), "epsilon");
	PG_RETURN_FLOAT8(epsilon);
}

/* dp_gaussian_noise_multiplier(epsilon float8, delta float8, releases int, composition text) */
Datum
dp_gaussian_noise_multiplier(PG_FUNCTION_ARGS)
{
	float8		epsilon = dpem_check_epsilon("epsilon", PG_GETARG_FLOAT8(0));
	float8		delta = dpem_check_delta("delta", PG_GETARG_FLOAT8(1));
	int32		releases = dpem_check_count("releases", PG_GETARG_INT32(2));
	DpemComposition composition = dpem_check_composition("composition", PG_GETARG_TEXT_PP(3));
	float8		z;
	DpemStatus	status = dpem_calibrate_noise_multiplier(composition, epsilon, delta, releases, &z);

	if (status == DPEM_NO_SOLUTION && dpem_composition_is_classical(composition))
		dpem_refuse_infeasible("a noise multiplier",
							   psprintf("epsilon %s over %d releases is 1 or more for each, where the classical Gaussian mechanism ends",
										float8out_internal(epsilon), releases),
							   "Use composition exact, zcdp, rdp or ma.");
	dpem_check_status(status, "a noise multiplier");
	PG_RETURN_FLOAT8(z);
}

/*
 * dp_joint_sensitivity(k int, count_weight float8, sum_weight float8,
 *     second_weight float8, adjacency text)
 */
Datum
dp_joint_sensitivity(PG_FUNCTION_ARGS)
{
	int32		k = dpem_check_count("k", PG_GETARG_INT32(0));
	float8		a = dpem_check_nonnegative("count_weight", PG_GETARG_FLOAT8(1));
	float8		b = dpem_check_nonnegative("sum_weight", PG_GETARG_FLOAT8(2));
	float8		c = dpem_check_nonnegative("second_weight", PG_GETARG_FLOAT8(3));
	bool		replace_one = dpem_check_replace_one("adjacency", PG_GETARG_TEXT_PP(4));
	float8		squared = dpem_joint_sensitivity2(k, a, b, c, replace_one);

	if (!(squared <= DBL_MAX))
		dpem_check_status(DPEM_BAD_ARGUMENT, "a sensitivity");
	PG_RETURN_FLOAT8(sqrt(squared));
}

/*
 * gmm_arguments.c - see gmm_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "utils/builtins.h"

#include "api/argument_list.h"
#include "api/arguments.h"
#include "api/gmm_arguments.h"

#define MAX_ITERATIONS 1000

/* positions of the arguments */
enum
{
	A_DATASET, A_K, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COVARIANCE, A_ESTIMATOR,
	A_MECHANISM, A_COMPOSITION, A_PRECONDITION, A_INIT_MEANS, A_INIT_VARIANCE, A_CLIP_NORM,
	A_MODEL, A_DIRICHLET, A_KAPPA0, A_NU0, A_SCALE0, A_STEP_DELTA, A_EIGENVALUE_FLOOR,
	A_EPSILON_IS_NOMINAL
};

static float8
epsilon_argument(FunctionCallInfo fcinfo)
{
	float8		epsilon = dpem_float8_argument(fcinfo, A_EPSILON, "epsilon");

	/* infinity asks for no noise, which is for readers of the rows */
	return isinf(epsilon) && epsilon > 0 ? epsilon : dpem_check_epsilon("epsilon", epsilon);
}

static int
iterations_argument(FunctionCallInfo fcinfo)
{
	int			iterations;

	if (PG_ARGISNULL(A_ITERATIONS))
		return 0;
	iterations = PG_GETARG_INT32(A_ITERATIONS);
	if (iterations < 1 || iterations > MAX_ITERATIONS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("iterations must be between 1 and %d, not %d", MAX_ITERATIONS, iterations)));
	return iterations;
}

static DpemSecondMoment
covariance_argument(FunctionCallInfo fcinfo)
{
	char	   *shape = dpem_text_argument(fcinfo, A_COVARIANCE, "covariance");

	if (strcmp(shape, "full") == 0)
		return DPEM_SECOND_FULL;
	if (strcmp(shape, "diagonal") == 0)
		return DPEM_SECOND_DIAGONAL;
	if (strcmp(shape, "spherical") == 0)
		return DPEM_SECOND_NORM;
	dpem_refuse_name("covariance", shape, "full, diagonal, spherical");
}

const char *
dpem_gmm_shape_name(DpemSecondMoment shape)
{
	return shape == DPEM_SECOND_FULL ? "full" : shape == DPEM_SECOND_DIAGONAL ? "diagonal" : "spherical";
}

/* true for the first, false for the second of two names */
static bool
choice_argument(FunctionCallInfo fcinfo, int i, const char *name, const char *yes, const char *no)
{
	char	   *value = dpem_text_argument(fcinfo, i, name);

	if (strcmp(value, yes) == 0)
		return true;
	if (strcmp(value, no) != 0)
		dpem_refuse_name(name, value, psprintf("%s, %s", yes, no));
	return false;
}

static char *
composition_argument(FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(A_COMPOSITION))
		return NULL;
	(void) dpem_check_composition("composition", PG_GETARG_TEXT_PP(A_COMPOSITION));
	return text_to_cstring(PG_GETARG_TEXT_PP(A_COMPOSITION));
}

static void
refuse_argument(const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", what),
			 errhint("%s", hint)));
}

static void
mechanism_argument(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	r->mechanism = dpem_text_argument(fcinfo, A_MECHANISM, "mechanism");
	r->paper = dpem_paper_mechanism(r->mechanism);
	if (r->paper == NULL && strcmp(r->mechanism, "joint") != 0)
		dpem_refuse_name("mechanism", r->mechanism, "joint, ggg, llg, lll");
}

/* nothing private may come of an epsilon that is a number only */
static void
nominal_argument(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	dpem_require_argument(fcinfo, A_EPSILON_IS_NOMINAL, "epsilon_is_nominal");
	r->nominal = PG_GETARG_BOOL(A_EPSILON_IS_NOMINAL);
	if (r->nominal && r->paper == NULL)
		refuse_argument("epsilon_is_nominal must be false with mechanism joint",
						"It is for reproducing mechanisms ggg, llg and lll as they were published.");
	if (r->nominal && isinf(r->epsilon))
		refuse_argument("epsilon_is_nominal must be false with an infinite epsilon",
						"Give the epsilon that is to be claimed.");
	if (!r->nominal && r->paper != NULL && !r->paper->is_private && isfinite(r->epsilon))
		refuse_argument("mechanism lll is not differentially private: Gamma and Wishart noise only ever add",
						"A role that may read the source can reproduce it with epsilon_is_nominal => true; else use joint, ggg or llg.");
}

static char *
model_argument(FunctionCallInfo fcinfo, const DpemGmmRequest *r)
{
	if (PG_ARGISNULL(A_MODEL))
		return NULL;
	if (isinf(r->epsilon))
		refuse_argument("a model without noise cannot be stored, so model must be null",
						"Leave out model, or give a finite epsilon.");
	if (r->nominal)
		refuse_argument("a model with a nominal epsilon cannot be stored, so model must be null",
						"Leave out model or epsilon_is_nominal.");
	return dpem_text_argument(fcinfo, A_MODEL, "model");
}

/* NaN for NULL */
static double
optional_number(FunctionCallInfo fcinfo, int i)
{
	return PG_ARGISNULL(i) ? NAN : PG_GETARG_FLOAT8(i);
}

static void
check_range(const char *name, double value, bool inside, const char *range)
{
	if (!isnan(value) && !inside)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be %s, not %g", name, range, value)));
}

static void
prior_arguments(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	DpemGmmPrior *p = &r->prior;
	bool		given = false;

	for (int i = A_DIRICHLET; i <= A_SCALE0; i++)
	{
		given |= !PG_ARGISNULL(i);
		if (!PG_ARGISNULL(i) && isnan(PG_GETARG_FLOAT8(i)))
			refuse_argument("dirichlet, kappa0, nu0 and scale0 must be numbers, not NaN",
							"Leave one out for its default.");
	}
	if (given && !r->map)
		refuse_argument("dirichlet, kappa0, nu0 and scale0 must be null with estimator mle",
						"Priors belong to estimator map.");
	p->dirichlet = optional_number(fcinfo, A_DIRICHLET);
	p->kappa0 = optional_number(fcinfo, A_KAPPA0);
	p->nu0 = optional_number(fcinfo, A_NU0);
	p->scale0 = optional_number(fcinfo, A_SCALE0);
	check_range("dirichlet", p->dirichlet, p->dirichlet >= 1 && isfinite(p->dirichlet), "at least 1 and finite");
	check_range("kappa0", p->kappa0, p->kappa0 >= 0 && isfinite(p->kappa0), "at least 0 and finite");
	check_range("nu0", p->nu0, p->nu0 > 0 && isfinite(p->nu0), "greater than 0 and finite");
	check_range("scale0", p->scale0, p->scale0 > 0 && isfinite(p->scale0), "greater than 0 and finite");
}

static void
noise_arguments(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	r->prior.floor = NAN;
	if (!PG_ARGISNULL(A_EIGENVALUE_FLOOR))
	{
		r->prior.floor = dpem_check_positive("eigenvalue_floor", PG_GETARG_FLOAT8(A_EIGENVALUE_FLOOR));
		check_range("eigenvalue_floor", r->prior.floor, r->prior.floor <= 1, "at most 1, the unit ball's radius");
	}
	if (!PG_ARGISNULL(A_STEP_DELTA))
	{
		r->step_delta = dpem_check_delta("step_delta", PG_GETARG_FLOAT8(A_STEP_DELTA));
		if (r->paper == NULL)
			refuse_argument("step_delta must be null with mechanism joint",
							"Only mechanisms ggg and llg give every release a delta of its own.");
	}
}

static void
start_arguments(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	if (!PG_ARGISNULL(A_INIT_MEANS))
		r->init_means = dpem_float8_array_argument(fcinfo, A_INIT_MEANS, "init_means", &r->n_init);
	if (!PG_ARGISNULL(A_INIT_VARIANCE))
		r->init_variance = dpem_check_positive("init_variance", PG_GETARG_FLOAT8(A_INIT_VARIANCE));
	if (!PG_ARGISNULL(A_CLIP_NORM))
		r->clip_norm = dpem_check_positive("clip_norm", PG_GETARG_FLOAT8(A_CLIP_NORM));
}

DpemGmmRequest *
dpem_gmm_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemGmmRequest *r = palloc0(sizeof(DpemGmmRequest));

	r->function = function;
	r->dataset = dpem_text_argument(fcinfo, A_DATASET, "dataset");
	r->k = dpem_int_argument(fcinfo, A_K, "k");
	r->epsilon = epsilon_argument(fcinfo);
	r->delta = dpem_check_delta("delta", dpem_float8_argument(fcinfo, A_DELTA, "delta"));
	r->columns = dpem_text_list_argument(fcinfo, A_COLUMNS, "columns");
	r->iterations = iterations_argument(fcinfo);
	r->shape = covariance_argument(fcinfo);
	r->map = choice_argument(fcinfo, A_ESTIMATOR, "estimator", "map", "mle");
	mechanism_argument(fcinfo, r);
	r->composition = composition_argument(fcinfo);
	/* the papers' mechanisms have no preconditioning */
	r->whiten = choice_argument(fcinfo, A_PRECONDITION, "precondition", "whiten", "none") && r->paper == NULL;
	start_arguments(fcinfo, r);
	prior_arguments(fcinfo, r);
	noise_arguments(fcinfo, r);
	nominal_argument(fcinfo, r);
	r->model = model_argument(fcinfo, r);
	return r;
}

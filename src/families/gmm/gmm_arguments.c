/*
 * gmm_arguments.c - see gmm_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "families/gmm/gmm_arguments.h"
#include "fit/fit_arguments.h"
#include "server/argument_list.h"
#include "server/arguments.h"

#define LEAST_FLOOR 1e-12		/* a covariance's condition stays within double precision */

/* positions of the arguments */
enum
{
	A_DATASET, A_K, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COVARIANCE, A_ESTIMATOR,
	A_MECHANISM, A_COMPOSITION, A_PRECONDITION, A_INIT_MEANS, A_INIT_VARIANCE, A_CLIP_NORM,
	A_MODEL, A_DIRICHLET, A_KAPPA0, A_NU0, A_SCALE0, A_STEP_DELTA, A_EIGENVALUE_FLOOR,
	A_EPSILON_IS_NOMINAL, A_SAMPLING_RATE, A_FILTER, A_BY
};

static const DpemFitPositions positions = {
	A_DATASET, A_EPSILON, A_DELTA, A_COLUMNS, A_ITERATIONS, A_COMPOSITION, A_CLIP_NORM, A_MODEL, A_SAMPLING_RATE,
	A_FILTER, A_BY
};

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
	r->fit.nominal = PG_GETARG_BOOL(A_EPSILON_IS_NOMINAL);
	if (r->fit.nominal && r->paper == NULL)
		dpem_refuse_argument("epsilon_is_nominal must be false with mechanism joint",
						"It is for reproducing mechanisms ggg, llg and lll as they were published.");
	if (r->fit.nominal && isinf(r->fit.epsilon))
		dpem_refuse_argument("epsilon_is_nominal must be false with an infinite epsilon",
						"Give the epsilon that is to be claimed.");
	if (!r->fit.nominal && r->paper != NULL && !r->paper->is_private && isfinite(r->fit.epsilon))
		dpem_refuse_argument("mechanism lll is not differentially private: Gamma and Wishart noise only ever add",
						"A role that may read the source can reproduce it with epsilon_is_nominal => true; else use joint, ggg or llg.");
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
			dpem_refuse_argument("dirichlet, kappa0, nu0 and scale0 must be numbers, not NaN",
							"Leave one out for its default.");
	}
	if (given && !r->map)
		dpem_refuse_argument("dirichlet, kappa0, nu0 and scale0 must be null with estimator mle",
						"Priors belong to estimator map.");
	p->dirichlet = dpem_optional_number(fcinfo, A_DIRICHLET);
	p->kappa0 = dpem_optional_number(fcinfo, A_KAPPA0);
	p->nu0 = dpem_optional_number(fcinfo, A_NU0);
	p->scale0 = dpem_optional_number(fcinfo, A_SCALE0);
	dpem_check_range("dirichlet", p->dirichlet, p->dirichlet >= 1 && isfinite(p->dirichlet), "at least 1 and finite");
	dpem_check_range("kappa0", p->kappa0, p->kappa0 >= 0 && isfinite(p->kappa0), "at least 0 and finite");
	dpem_check_range("nu0", p->nu0, p->nu0 > 0 && isfinite(p->nu0), "greater than 0 and finite");
	dpem_check_range("scale0", p->scale0, p->scale0 > 0 && isfinite(p->scale0), "greater than 0 and finite");
	dpem_check_magnitude("dirichlet", p->dirichlet, 1);
	dpem_check_magnitude("kappa0", p->kappa0, 0);
	dpem_check_magnitude("nu0", p->nu0, 0);
	dpem_check_magnitude("scale0", p->scale0, 0);
}

static void
noise_arguments(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	r->prior.floor = NAN;
	if (!PG_ARGISNULL(A_EIGENVALUE_FLOOR))
	{
		r->prior.floor = dpem_check_positive("eigenvalue_floor", PG_GETARG_FLOAT8(A_EIGENVALUE_FLOOR));
		dpem_check_range("eigenvalue_floor", r->prior.floor, r->prior.floor <= 1, "at most 1, the unit ball's radius");
		dpem_check_magnitude("eigenvalue_floor", r->prior.floor, LEAST_FLOOR);
	}
	if (!PG_ARGISNULL(A_STEP_DELTA))
	{
		r->step_delta = dpem_check_delta("step_delta", PG_GETARG_FLOAT8(A_STEP_DELTA));
		if (r->paper == NULL)
			dpem_refuse_argument("step_delta must be null with mechanism joint",
							"Only mechanisms ggg and llg give every release a delta of its own.");
	}
}

static void
start_arguments(FunctionCallInfo fcinfo, DpemGmmRequest *r)
{
	if (!PG_ARGISNULL(A_INIT_MEANS))
		r->init_means = dpem_float8_array_argument(fcinfo, A_INIT_MEANS, "init_means", &r->n_init);
	if (!PG_ARGISNULL(A_INIT_VARIANCE))
		r->init_variance = dpem_check_magnitude("init_variance",
												dpem_check_positive("init_variance", PG_GETARG_FLOAT8(A_INIT_VARIANCE)),
												DPEM_LEAST_NUMBER);
}

DpemGmmRequest *
dpem_gmm_arguments(FunctionCallInfo fcinfo, const char *function)
{
	DpemGmmRequest *r = palloc0(sizeof(DpemGmmRequest));

	dpem_fit_arguments(fcinfo, &positions, function, &r->fit);
	r->k = dpem_int_argument(fcinfo, A_K, "k");
	r->shape = covariance_argument(fcinfo);
	r->map = dpem_choice_argument(fcinfo, A_ESTIMATOR, "estimator", "map", "mle");
	mechanism_argument(fcinfo, r);
	/* the papers' mechanisms have no preconditioning */
	r->whiten = dpem_choice_argument(fcinfo, A_PRECONDITION, "precondition", "whiten", "none") && r->paper == NULL;
	if (r->paper != NULL && r->fit.sampling_rate > 0)
		dpem_refuse_argument("sampling_rate must be null with mechanisms ggg, llg and lll",
							 "Only mechanism joint reads samples.");
	if (r->paper != NULL && r->fit.by != NULL)
		dpem_refuse_argument("by must be null with mechanisms ggg, llg and lll",
							 "Only mechanism joint releases the moments of all groups at once.");
	start_arguments(fcinfo, r);
	prior_arguments(fcinfo, r);
	noise_arguments(fcinfo, r);
	nominal_argument(fcinfo, r);
	dpem_fit_model_argument(fcinfo, &positions, &r->fit);
	return r;
}

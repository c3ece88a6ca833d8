/*
 * gmm_arguments.c - what a mixture is asked for; see gmm.h.
 */
#include "postgres.h"

#include <math.h>

#include "families/gmm/gmm.h"
#include "fit/fit_arguments.h"
#include "server/arguments.h"

#define LEAST_FLOOR 1e-12		/* a covariance's condition stays within double precision */

static DpemSecondMoment
covariance_argument(const DpemArguments *a, DpemGmmRequest *r)
{
	char	   *shape = dpem_named_text(a, "covariance");

	r->tied = strcmp(shape, "tied") == 0;
	if (strcmp(shape, "full") == 0 || r->tied)
		return DPEM_SECOND_FULL;
	if (strcmp(shape, "diagonal") == 0)
		return DPEM_SECOND_DIAGONAL;
	if (strcmp(shape, "spherical") == 0)
		return DPEM_SECOND_NORM;
	dpem_refuse_name("covariance", shape, "full, tied, diagonal, spherical");
}

static void
mechanism_argument(const DpemArguments *a, DpemGmmRequest *r)
{
	r->mechanism = dpem_named_text(a, "mechanism");
	r->paper = dpem_paper_mechanism(r->mechanism);
	if (r->paper == NULL && strcmp(r->mechanism, "joint") != 0)
		dpem_refuse_name("mechanism", r->mechanism, "joint, ggg, llg, lll");
}

/* nothing private may come of an epsilon that is a number only */
static void
nominal_argument(const DpemArguments *a, DpemGmmRequest *r)
{
	r->fit.nominal = dpem_named_bool(a, "epsilon_is_nominal");
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
prior_arguments(const DpemArguments *a, DpemGmmRequest *r)
{
	DpemGmmPrior *p = &r->prior;
	static const char *const names[] = {"dirichlet", "kappa0", "nu0", "scale0"};
	bool		given = false;

	for (int i = 0; i < lengthof(names); i++)
	{
		given |= dpem_is_given(a, names[i]);
		if (dpem_is_given(a, names[i]) && isnan(dpem_named_float8(a, names[i])))
			dpem_refuse_argument("dirichlet, kappa0, nu0 and scale0 must be numbers, not NaN",
								 "Leave one out for its default.");
	}
	if (given && !r->map)
		dpem_refuse_argument("dirichlet, kappa0, nu0 and scale0 must be null with estimator mle",
						"Priors belong to estimator map.");
	p->dirichlet = dpem_optional_named_float8(a, "dirichlet");
	p->kappa0 = dpem_optional_named_float8(a, "kappa0");
	p->nu0 = dpem_optional_named_float8(a, "nu0");
	p->scale0 = dpem_optional_named_float8(a, "scale0");
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
noise_arguments(const DpemArguments *a, DpemGmmRequest *r)
{
	r->prior.floor = NAN;
	if (dpem_is_given(a, "eigenvalue_floor"))
	{
		r->prior.floor = dpem_check_positive("eigenvalue_floor", dpem_named_float8(a, "eigenvalue_floor"));
		dpem_check_range("eigenvalue_floor", r->prior.floor, r->prior.floor <= 1, "at most 1, the unit ball's radius");
		dpem_check_magnitude("eigenvalue_floor", r->prior.floor, LEAST_FLOOR);
	}
	if (dpem_is_given(a, "step_delta"))
	{
		r->step_delta = dpem_check_delta("step_delta", dpem_named_float8(a, "step_delta"));
		if (r->paper == NULL)
			dpem_refuse_argument("step_delta must be null with mechanism joint",
							"Only mechanisms ggg and llg give every release a delta of its own.");
	}
}

/* what a choice is made of is one group's joint releases, and a start of k means has one k */
static void
choice_arguments(const DpemArguments *a, const DpemGmmRequest *r)
{
	const DpemFitRequest *fit = &r->fit;

	dpem_refuse_choice(fit, fit->bind.by != NULL, "by", "Choose k without by, then fit by groups with that k.");
	dpem_refuse_choice(fit, r->paper != NULL, "a paper's mechanism", "Only mechanism joint releases what a choice can be made of.");
	dpem_refuse_choice(fit, r->init_means != NULL, "init_means", "Leave it out, or give one k.");
	dpem_refuse_choice(fit, fit->iterations == 1, "iterations => 1", "Give at least 2: one for the choice, and one for the k chosen.");
}

void
dpem_gmm_read(const DpemArguments *a, DpemFitRequest *request)
{
	DpemGmmRequest *r = (DpemGmmRequest *) request;

	r->k = dpem_named_sizes(a, "k", request);
	r->shape = covariance_argument(a, r);
	r->map = dpem_named_choice(a, "estimator", "map", "mle");
	mechanism_argument(a, r);
	/* the papers' mechanisms have no preconditioning */
	r->whiten = dpem_named_choice(a, "precondition", "whiten", "none") && r->paper == NULL;
	if (r->paper != NULL && r->fit.sampling_rate > 0)
		dpem_refuse_argument("sampling_rate must be null with mechanisms ggg, llg and lll",
							 "Only mechanism joint reads samples.");
	if (r->paper != NULL && r->fit.bind.by != NULL)
		dpem_refuse_argument("by must be null with mechanisms ggg, llg and lll",
							 "Only mechanism joint releases the moments of all groups at once.");
	r->fit.bind.marginal = dpem_named_marginal(a);
	if (r->paper != NULL && r->fit.bind.marginal)
		dpem_refuse_argument("missing must be complete with mechanisms ggg, llg and lll",
							 "Only mechanism joint reads rows of which some columns are NULL.");
	if (r->tied && r->paper != NULL)
		dpem_refuse_argument("covariance must not be tied with mechanisms ggg, llg and lll",
							 "Only mechanism joint fits one covariance for all components.");
	r->init_means = dpem_named_float8_array(a, "init_means", &r->n_init);
	r->init_variance = dpem_named_magnitude(a, "init_variance", DPEM_LEAST_NUMBER, 0);
	prior_arguments(a, r);
	noise_arguments(a, r);
	nominal_argument(a, r);
	choice_arguments(a, r);
}

/*
 * gmm_plan.c - what a mixture fit will do and cost, from public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "core/budget_rule.h"
#include "core/gmm_kernel.h"
#include "core/gmm_rules.h"
#include "engine/gmm_request.h"

static void
bad_argument(const char *name, const char *value, const char *allowed)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be %s, not %s", name, allowed, value)));
}

/* numbers a fit keeps in memory: moments, responsibilities, M-step matrices */
static double
fit_bytes(double k, double d, DpemSecondMoment shape)
{
	double		second = shape == DPEM_SECOND_FULL ? d * (d + 1) / 2 : d;

	return 8 * (k * (1 + d + second) * 8 + k * DPEM_BLOCK_STRIDE + k * d * d + 20 * d * d);
}

static void
check_size(const DpemGmmRequest *request, int d)
{
	double		length = dpem_moments_length(&(DpemMomentLayout) {request->k, d, request->shape});
	int			most = DPEM_GMM_MAX_COMPONENTS;

	while (most > 1 && fit_bytes(most, d, request->shape) > (double) MaxAllocSize)
		most--;
	if (request->k < 1 || request->k > most)
		bad_argument("k", psprintf("%d", request->k),
					 psprintf("between 1 and %d for %d coordinates", most, d));
	if (length * sizeof(DpemInt128) > (double) MaxAllocSize / 2 ||
		fit_bytes(1, d, request->shape) > (double) MaxAllocSize)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a mixture in %d coordinates does not fit into memory", d),
				 errhint("Name fewer columns, or a diagonal or spherical covariance.")));
}

static void
check_start(const DpemGmmRequest *request, int d)
{
	if (request->init_means == NULL)
		return;
	if (request->n_init != request->k * d)
		bad_argument("init_means", psprintf("an array of %d elements", request->n_init),
					 psprintf("k x d = %d x %d numbers", request->k, d));
}

static DpemComposition
choose_composition(const DpemGmmRequest *request, const DpemDataset *ds)
{
	DpemComposition composition;
	const char *name = request->composition;

	if (name == NULL)
		name = dpem_accountant_composition(dpem_accountant_from_name(ds->accountant));
	if (!dpem_composition_from_name(name, &composition))
		bad_argument("composition", psprintf("\"%s\"", name),
					 "exact, zcdp, rdp, ma, advanced or linear");
	return composition;
}

static void
check_status(DpemStatus status, const DpemGmmPlan *plan)
{
	if (status == DPEM_OK)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("composition \"%s\" has no noise level for epsilon %g and delta %g",
					dpem_composition_name(plan->composition), plan->request->epsilon,
					plan->request->delta),
			 errhint("The classical Gaussian theorem needs a step's epsilon below 1: ask for a smaller epsilon, more iterations, or composition exact.")));
}

/*
 * Noise multiplier of a stage that gets the given share of the budget's
 * squared mu.  For linear and advanced composition, whose costs are not
 * quadratic in the noise, stages split epsilon and delta by the root.
 */
static double
stage_multiplier(const DpemGmmPlan *plan, double share, double root_sum, int releases)
{
	const DpemGmmRequest *r = plan->request;
	double		z;

	if (plan->composition == DPEM_COMPOSE_LINEAR || plan->composition == DPEM_COMPOSE_ADVANCED)
	{
		double		part = sqrt(share) / root_sum;

		check_status(dpem_calibrate_noise_multiplier(plan->composition, r->epsilon * part,
													 r->delta * part, releases, &z), plan);
	}
	else
	{
		check_status(dpem_calibrate_noise_multiplier(plan->composition, r->epsilon, r->delta, 1, &z),
					 plan);
		z *= sqrt(releases / share);
	}
	return z * DPEM_NOISE_MARGIN;
}

static const char *const stage_names[DPEM_STAGES] = {"centre", "second moment", "mixture"};

static void
add_stage(DpemGmmPlan *plan, DpemGmmStage stage, double share, double root_sum, int releases)
{
	int			line = plan->charge.nlines++;
	DpemChargeLine *l = &plan->charge.lines[line];
	double		z = stage_multiplier(plan, share, root_sum, releases);

	plan->line[stage] = line;
	plan->noise_multiplier[stage] = z;
	strlcpy(l->statistic, stage_names[stage], DPEM_CHARGE_NAME);
	strlcpy(l->mechanism, "gaussian", DPEM_CHARGE_NAME);
	l->noise_multiplier = z;
	l->releases = releases;
	l->mu2_units = dpem_cost_units(releases / (z * z));
	l->rho_units = dpem_cost_units(releases / (2 * z * z));
}

static DpemReleaseSpec
stage_spec(const DpemDataset *ds, const DpemGmmWeights *weights)
{
	return (DpemReleaseSpec) {
		.count_weight = weights->count,.sum_weight = weights->sum,.second_weight = weights->second,
			.replace_one = ds->replace_one,.rows_per_unit = ds->max_rows_per_unit
	};
}

static void
plan_stages(DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	const double *share = dpem_gmm_budget_shares;
	double		root_sum = 0;

	for (int s = 0; s < DPEM_STAGES; s++)
	{
		plan->line[s] = -1;
		plan->spec[s] = stage_spec(plan->dataset, &dpem_gmm_weights[s]);
		root_sum += sqrt(share[s]);
	}
	if (!plan->noisy)
		return;
	if (r->whiten)
	{
		add_stage(plan, DPEM_STAGE_CENTRE, share[DPEM_STAGE_CENTRE], root_sum, 1);
		add_stage(plan, DPEM_STAGE_WHITEN, share[DPEM_STAGE_WHITEN], root_sum, 1);
		add_stage(plan, DPEM_STAGE_MIXTURE, share[DPEM_STAGE_MIXTURE], root_sum, plan->iterations);
	}
	else
		add_stage(plan, DPEM_STAGE_MIXTURE, 1, 1, plan->iterations);
}

static void
plan_charge(DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	DpemChargeRequest *charge = &plan->charge;

	charge->dataset = plan->dataset->id;
	charge->role = GetUserId();
	charge->epsilon = r->epsilon;
	charge->delta = r->delta;
	strlcpy(charge->function, r->function, DPEM_CHARGE_NAME);
	strlcpy(charge->composition, dpem_composition_name(plan->composition), DPEM_CHARGE_NAME);
}

DpemGmmPrediction
dpem_gmm_predict(const DpemGmmPlan *plan, double noise_multiplier)
{
	const DpemGmmRequest *r = plan->request;
	DpemGmmPrediction p = {.k = r->k,.d = plan->d,.rows = plan->public_rows,.shape = r->shape};
	double		count_sd;

	dpem_release_noise(&plan->spec[DPEM_STAGE_MIXTURE], r->k, noise_multiplier, &count_sd, &p.sum_sd,
					   &p.second_sd);
	return p;
}

/* from the noise there would be if a single pass got all of the mixture's share */
static int
choose_iterations(const DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	double		share = r->whiten ? dpem_gmm_budget_shares[DPEM_STAGE_MIXTURE] : 1;
	double		z = 0;
	DpemGmmPrediction p;

	if (r->iterations > 0)
		return r->iterations;
	/* a public quantity to choose by, whatever the composition */
	if (plan->noisy)
		check_status(dpem_calibrate_noise_multiplier(DPEM_COMPOSE_EXACT, r->epsilon, r->delta, 1, &z), plan);
	p = dpem_gmm_predict(plan, z / sqrt(share));
	return dpem_gmm_iterations(&p);
}

static void
plan_joint(DpemGmmPlan *plan)
{
	for (int s = 0; s < DPEM_STAGES; s++)
		plan->spec[s] = stage_spec(plan->dataset, &dpem_gmm_weights[s]);
	plan->iterations = choose_iterations(plan);
	plan_stages(plan);
}

/* the normal-inverse-Wishart law exists for nu0 > d - 1 only */
static void
check_prior(const DpemGmmRequest *request, int d)
{
	if (request->prior.nu0 <= d - 1)
		bad_argument("nu0", psprintf("%g", request->prior.nu0),
					 psprintf("greater than %d, one less than the number of coordinates", d - 1));
}

DpemGmmRule
dpem_gmm_rule(const DpemGmmPlan *plan)
{
	DpemGmmRule rule = dpem_gmm_default_rule(plan->d, plan->request->map);
	const DpemGmmPrior *prior = &plan->request->prior;

	rule.dirichlet = isnan(prior->dirichlet) ? rule.dirichlet : prior->dirichlet;
	rule.kappa0 = isnan(prior->kappa0) ? rule.kappa0 : prior->kappa0;
	rule.nu0 = isnan(prior->nu0) ? rule.nu0 : prior->nu0;
	rule.scale0 = isnan(prior->scale0) ? rule.scale0 : prior->scale0;
	rule.floor = isnan(prior->floor) ? rule.floor : prior->floor;
	return rule;
}

DpemGmmPlan *
dpem_gmm_plan(const DpemGmmRequest *request)
{
	DpemGmmPlan *plan = palloc0(sizeof(DpemGmmPlan));
	DpemDataset *ds = dpem_dataset_load(request->dataset);

	plan->request = request;
	plan->dataset = ds;
	plan->noisy = isfinite(request->epsilon) && !request->nominal;
	dpem_dataset_bind(ds, request->columns);
	plan->d = dpem_dataset_dimension(ds);
	check_size(request, plan->d);
	check_start(request, plan->d);
	plan->composition = choose_composition(request, ds);
	plan->clip_norm = request->clip_norm > 0 ? request->clip_norm : sqrt(plan->d);
	if (ds->replace_one && ds->unit == NULL)
		plan->public_rows = Max(dpem_dataset_public_rows(ds), 0);
	check_prior(request, plan->d);
	if (request->paper != NULL)
		dpem_gmm_plan_paper(plan);
	else
		plan_joint(plan);
	plan_charge(plan);
	return plan;
}

/*
 * classes_baseline.c - published private classifiers of two classes, for readers who compare.
 *
 * `output`: output perturbation (Chaudhuri, Monteleoni, Sarwate 2011, JMLR 12, algorithm 1; of the end of
 * gradient steps instead of an exact minimum, as in Wu, Li, Kumar, Chaudhuri, Jha, Naughton 2017, SIGMOD).
 * `objective`: objective perturbation of an approximate minimum (core/logit/class_objective.h).
 * `functional`: the functional mechanism (class_estimate.h).  `online` is in classes_online.c.
 */
#include "postgres.h"

#include <math.h>

#include "core/logit/class_estimate.h"
#include "core/logit/class_objective.h"
#include "families/logit/classes_run.h"
#include "server/fit_memory.h"

#define LEAST_PART		0.1		/* of mu that is left for the noise beside a caller's ridge */
#define LEAST_PASSES	20		/* fewer would confine coefficients to a ball of hardly any size */
#define ROUNDS			20		/* of the ridge for the tilt, and the tilt for the ridge */
#define MOST_SMOOTHING	1000.0	/* a hinge that bends less than this would make steps of any length */

static const DpemLogitRequest *
request_of(const DpemFitPlan *plan)
{
	return (const DpemLogitRequest *) plan->request;
}

bool
dpem_classes_is_baseline(const DpemFitPlan *plan)
{
	return plan->noisy && request_of(plan)->algorithm != DPEM_LOGIT_NEWTON;
}

static void
refuse(const DpemFitPlan *plan, const char *argument, const char *value)
{
	dpem_fit_bad_argument(argument, value, psprintf("left out with algorithm %s", dpem_classes_algorithm(plan)));
}

/* what either does not know */
static void
check_request(const DpemFitPlan *plan)
{
	const DpemLogitRequest *r = request_of(plan);

	if (plan->binding->label->classes > 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("algorithm %s is for labels of two classes, not %d", dpem_classes_algorithm(plan),
						plan->binding->label->classes),
				 errhint("Leave out the algorithm, or register a column of two classes.")));
	if (r->fit.bind.by && r->algorithm != DPEM_LOGIT_ONLINE)
		refuse(plan, "by", r->fit.bind.by);
	if (dpem_fit_is_sampled(plan))
		refuse(plan, "sampling_rate", psprintf("%g", r->fit.sampling_rate));
	if (plan->features > 0)
		refuse(plan, "features", "fourier");
}

/* neither the published mechanism nor batches have passes and a prior; rows are as the domains scale them */
static void
check_box(const DpemFitPlan *plan)
{
	const DpemLogitRequest *r = request_of(plan);

	if (r->fit.iterations > 0)
		refuse(plan, "iterations", psprintf("%d", r->fit.iterations));
	if (r->prior_variance > 0)
		refuse(plan, "prior_variance", psprintf("%g", r->prior_variance));
	if (r->standardise_given && r->standardise)
		refuse(plan, "precondition", "standardise");
}

/* Laplace noise is the same on every number, as published */
static void
plan_functional(DpemFitPlan *plan)
{
	DpemReleaseSpec spec = dpem_fit_spec(plan, 0, 1, 1);

	spec.noise = DPEM_NOISE_LAPLACE;
	plan->iterations = 1;
	plan->stage[DPEM_CLASS_BASELINE] = (DpemFitStage) {
		.statistic = "polynomial",.share = 1,.releases = 1,.spec = spec,.layout = {1, plan->d, DPEM_SECOND_FULL}
	};
	plan->stages = DPEM_CLASS_BASELINE_STAGES;
	plan->stage[DPEM_CLASS_MARGINS].line = -1;
	dpem_fit_add_stages(plan, &plan->stage[DPEM_CLASS_BASELINE], 1);
}

static DpemReleaseSpec
output_spec(const DpemFitPlan *plan, double share)
{
	const DpemLogitRequest *r = request_of(plan);
	DpemReleaseSpec spec = dpem_fit_spec(plan, 0, 1, 0);
	double		rows = dpem_supposed_rows(plan->public_rows);
	double		ridge = r->prior_variance > 0 ? 1 / r->prior_variance
		: dpem_class_ridge(&r->loss, plan->d, rows, dpem_fit_exact_multiplier(plan, share));

	spec.contribution = DPEM_STEPS;
	spec.steps = dpem_release_steps_of(&r->loss, ridge, plan->iterations);
	return spec;
}

static void
check_smoothing(const DpemFitPlan *plan)
{
	double		smoothing = request_of(plan)->loss.smoothing;

	if (smoothing > MOST_SMOOTHING)
		dpem_fit_bad_argument("smoothing", psprintf("%g", smoothing), psprintf("at most %g with algorithm %s", MOST_SMOOTHING, dpem_classes_algorithm(plan)));
}

static void
plan_output(DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_logit_grid(plan);
	double		margins = dpem_logit_plan_shares(plan, dpem_class_shares(&request_of(plan)->loss)).margins;

	check_smoothing(plan);
	if (request_of(plan)->fit.iterations == 0)
		plan->iterations = dpem_class_steps();
	plan->stage[DPEM_CLASS_MARGINS] = dpem_fit_margins_stage(plan, &grid, margins);
	plan->stage[DPEM_CLASS_BASELINE] = (DpemFitStage) {
		.statistic = "coefficients",.share = 1 - margins,.releases = 1,.spec = output_spec(plan, 1 - margins),
			.layout = {1, plan->d, DPEM_SECOND_NONE}
	};
	dpem_fit_plan_stages(plan, DPEM_CLASS_BASELINE_STAGES);
}

/* one unit's mu: the noise multiplier of the objective is its inverse over rows and tables that differ */
static double
objective_mu(const DpemFitPlan *plan, double share, double root_sum)
{
	double		units = plan->dataset->max_rows_per_unit * (plan->dataset->replace_one ? 2.0 : 1.0);

	return 1 / (units * dpem_fit_noise_multiplier(plan, share, root_sum, 1));
}

/*
 * The ridge is the caller's, or what the rules' part of mu pays for: of the curvature with the hinge's tilt, which
 * hardly depends on the ridge.
 */
static DpemObjective
objective_of(const DpemFitPlan *plan, double mu)
{
	const DpemLogitRequest *r = request_of(plan);
	double		given = r->prior_variance > 0 ? 1 / r->prior_variance : 0;
	double		most = dpem_loss_most_curvature(&r->loss);
	DpemObjective o;

	for (int i = 0; i < ROUNDS; i++)
	{
		double		ridge = given > 0 ? given : dpem_objective_ridge(most, mu * dpem_class_ridge_part);

		o = dpem_class_objective(&r->loss, plan->d, ridge, 1, plan->iterations);
		most = o.most;
	}
	o.part = (1 - 1e-9) * (1 - dpem_objective_curvature_mu(o.most, o.ridge) / mu);
	if (!(o.part >= LEAST_PART))
		dpem_fit_bad_argument("prior_variance", psprintf("%g", r->prior_variance),
							  psprintf("at most %.3g with algorithm objective and this epsilon", 1 / dpem_objective_ridge(o.most, mu * (1 - 2 * LEAST_PART))));
	return o;
}

static DpemFitStage
objective_stage(const DpemFitPlan *plan, const char *statistic, double share, DpemContribution contribution, DpemObjective o)
{
	DpemReleaseSpec spec = dpem_fit_spec(plan, 0, 1, 0);

	spec.contribution = contribution;
	spec.objective = o;
	return (DpemFitStage) {.statistic = statistic,.share = share,.releases = 1,.spec = spec,.layout = {1, plan->d, DPEM_SECOND_NONE}};
}

static void
plan_objective(DpemFitPlan *plan)
{
	DpemMarginGrid grid = dpem_logit_grid(plan);
	double		margins = dpem_logit_plan_shares(plan, dpem_class_shares(&request_of(plan)->loss)).margins;
	double		end = (1 - margins) * dpem_class_minimum_share;
	double		objective = 1 - margins - end;
	DpemObjective o;

	check_smoothing(plan);
	if (request_of(plan)->fit.iterations == 0)
		plan->iterations = dpem_class_steps();
	if (plan->iterations < LEAST_PASSES)
		dpem_fit_bad_argument("iterations", psprintf("%d", plan->iterations), psprintf("at least %d with algorithm objective", LEAST_PASSES));
	o = objective_of(plan, objective_mu(plan, objective, sqrt(margins) + sqrt(objective) + sqrt(end)));
	plan->stage[DPEM_CLASS_MARGINS] = dpem_fit_margins_stage(plan, &grid, margins);
	plan->stage[DPEM_CLASS_OBJECTIVE] = objective_stage(plan, "objective", objective, DPEM_OBJECTIVE, o);
	plan->stage[DPEM_CLASS_MINIMUM] = objective_stage(plan, "coefficients", end, DPEM_MINIMUM, o);
	dpem_fit_plan_stages(plan, DPEM_CLASS_OBJECTIVE_STAGES);
}

void
dpem_classes_plan_baseline(DpemFitPlan *plan)
{
	DpemLogitAlgorithm algorithm = request_of(plan)->algorithm;

	check_request(plan);
	if (algorithm == DPEM_LOGIT_ONLINE || algorithm == DPEM_LOGIT_FUNCTIONAL)
		check_box(plan);
	if (algorithm == DPEM_LOGIT_OUTPUT)
		plan_output(plan);
	else if (algorithm == DPEM_LOGIT_OBJECTIVE)
		plan_objective(plan);
	else if (algorithm == DPEM_LOGIT_ONLINE)
		dpem_classes_plan_online(plan);
	else
		plan_functional(plan);
}

/* ---- passes ------------------------------------------------------------------- */

static void
run_functional(DpemFitRun *fit, DpemLogit *out)
{
	int			d = fit->plan->d;
	DpemMomentLayout layout = {1, d, DPEM_SECOND_FULL};
	double	   *zero = dpem_fit_allocate((size_t) d * (d + 1) / 2);
	DpemNoisyMoments *m;

	m = dpem_fit_release_stage(fit, DPEM_CLASS_BASELINE, &dpem_kernel_logit, &layout, zero);
	pfree(zero);
	dpem_fit_require_ok(dpem_class_functional(m, out, dpem_fit_workspace(dpem_class_functional_work(d))));
}

static void
run_output(DpemFitRun *fit, DpemLogit *out)
{
	const DpemFitStage *stage = &fit->plan->stage[DPEM_CLASS_BASELINE];
	size_t		d = (size_t) fit->plan->d;
	DpemNoisyMoments *m = dpem_fit_release_steps(fit, &request_of(fit->plan)->loss, stage);

	memcpy(out->mean, m->value + 1, d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		out->turn[j * d + j] = m->sum_sd;
}

/*
 * As the minimum of a problem of that ridge follows the objective's noise by no more than 1 / ridge, a coefficient
 * has at most that variance (Poincare's inequality), whatever the rows are.
 */
static void
run_objective(DpemFitRun *fit, DpemLogit *out)
{
	const DpemFitPlan *plan = fit->plan;
	const DpemFitStage *noise = &plan->stage[DPEM_CLASS_OBJECTIVE];
	const DpemFitStage *end = &plan->stage[DPEM_CLASS_MINIMUM];
	size_t		d = (size_t) plan->d;
	DpemNoisyMoments *m = dpem_fit_release_minimum(fit, &request_of(plan)->loss, noise, end);
	double		sd = dpem_fit_stage_multiplier(plan, DPEM_CLASS_OBJECTIVE) * dpem_release_sensitivity(&noise->spec, 1, plan->d) / noise->spec.objective.ridge;

	memcpy(out->mean, m->value + 1, d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		out->turn[j * d + j] = hypot(m->sum_sd, sd);
}

int
dpem_classes_run_baseline(DpemFitRun *fit, DpemClassesRun *run)
{
	DpemLogit  *out = &run->classes.problem[0].fit;

	if (request_of(fit->plan)->algorithm == DPEM_LOGIT_ONLINE)
	{
		dpem_classes_run_online(fit, run);
		return fit->plan->iterations;
	}
	dpem_fit_report(fit, "coefficients", 1);
	if (request_of(fit->plan)->algorithm == DPEM_LOGIT_FUNCTIONAL)
		run_functional(fit, out);
	else if (request_of(fit->plan)->algorithm == DPEM_LOGIT_OBJECTIVE)
		run_objective(fit, out);
	else
		run_output(fit, out);
	return fit->plan->iterations;
}

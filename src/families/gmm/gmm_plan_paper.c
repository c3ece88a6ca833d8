/*
 * gmm_plan_paper.c - what a fit by a paper's mechanism will do and cost.
 *
 * Every release has the same epsilon_i, solved for as in [DPEM] section 3
 * (core/accounting/em_steps.c).  Under linear and advanced composition the noise of a
 * Gaussian release is a theorem for epsilon_i < 1 only; the others read the
 * noise itself.
 */
#include "postgres.h"

#include <math.h>

#include "core/accounting/budget_rule.h"
#include "families/gmm/gmm.h"

/* [DPEM] section 5; and, at its delta of 1e-4, its delta_i of 1e-8 */
#define DEFAULT_ITERATIONS	10
#define DEFAULT_STEP_DELTA	1e-4	/* of delta */

/* noise in rows below which nominal noise is drawn (core/gmm/nominal_noise.h) */
#define NOMINAL_NOISE_MAX	1048576.0

static int
gaussian_releases(const DpemGmmPlan *plan)
{
	int			per_iteration = 0;

	for (int s = 0; s < DPEM_PAPER_STATISTICS; s++)
		if (plan->request->paper->noise[s] == DPEM_NOISE_GAUSSIAN)
			per_iteration += dpem_paper_releases(s, plan->request->k);
	return per_iteration * plan->fit.iterations;
}

static double
choose_step_delta(const DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;

	if (r->step_delta > 0)
		return r->step_delta;
	return r->fit.delta * Min(DEFAULT_STEP_DELTA, 0.5 / Max(gaussian_releases(plan), 1));
}

static void
refuse_step(const DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	double		spent = gaussian_releases(plan) * plan->paper.step_delta;

	if (spent >= r->fit.delta)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("step_delta %g over %d Gaussian releases adds up to %g, and delta is %g",
						plan->paper.step_delta, gaussian_releases(plan), spent, r->fit.delta),
				 errhint("Give a smaller step_delta, fewer iterations, or composition exact, zcdp, rdp or ma.")));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("composition \"%s\" has no noise level for epsilon %g and delta %g",
					dpem_composition_name(plan->fit.composition), r->fit.epsilon, r->fit.delta),
			 errhint("Ask for a less extreme epsilon and delta.")));
}

static void
require_classical(const DpemGmmPlan *plan, const DpemEmStep *step)
{
	if (step->classical || plan->request->fit.nominal || gaussian_releases(plan) == 0 ||
		!dpem_composition_is_classical(plan->fit.composition))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("composition \"%s\" gives each release an epsilon of %.4g, and the classical Gaussian theorem ends at 1",
					dpem_composition_name(plan->fit.composition), step->epsilon),
			 errhint("Ask for a smaller epsilon, more iterations, or composition exact, zcdp, rdp or ma.")));
}

static void
solve_step(DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	DpemEmSchedule schedule = {r->paper->scenario, plan->fit.iterations, r->k, plan->paper.step_delta};
	DpemEmStep	step;

	if (dpem_em_step(&schedule, plan->fit.composition, NULL, r->fit.epsilon, r->fit.delta, &step) != DPEM_OK)
		refuse_step(plan);
	require_classical(plan, &step);
	plan->paper.step_epsilon = step.epsilon;
	for (int s = 0; s < DPEM_PAPER_STATISTICS; s++)
		plan->paper.noise_multiplier[s] = DPEM_NOISE_MARGIN *
			(r->paper->noise[s] == DPEM_NOISE_GAUSSIAN ? step.sigma : step.laplace_scale);
}

static void
add_line(DpemGmmPlan *plan, DpemPaperStatistic statistic)
{
	const DpemGmmRequest *r = plan->request;
	DpemCostLine cost = dpem_cost_line(r->paper->noise[statistic] == DPEM_NOISE_LAPLACE ? DPEM_COST_LAPLACE
									   : DPEM_COST_GAUSSIAN, plan->paper.noise_multiplier[statistic],
									   (double) dpem_paper_releases(statistic, r->k) * plan->fit.iterations);

	plan->paper.spec.line[statistic] =
		dpem_fit_add_line(&plan->fit, dpem_paper_statistic_names[statistic],
						  dpem_noise_mechanism(r->paper->noise[statistic], r->shape), &cost);
}

/* noise that nobody can draw is refused before it is paid for */
static void
check_noise(const DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;
	DpemMomentLayout layout = {r->k, plan->fit.d, r->shape};
	const double *z = plan->paper.noise_multiplier;

	if (!r->fit.nominal)
		dpem_release_separate_check(&plan->paper.spec, &layout, z);
	for (int s = 0; r->fit.nominal && s < DPEM_PAPER_STATISTICS; s++)
		if (!(z[s] * dpem_release_separate_sensitivity(&plan->paper.spec, &layout, s) < NOMINAL_NOISE_MAX))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("epsilon is too small: noise so large cannot be drawn"),
					 errhint("Ask for a larger epsilon.")));
}

void
dpem_gmm_plan_paper(DpemGmmPlan *plan)
{
	const DpemGmmRequest *r = plan->request;

	plan->fit.iterations = r->fit.iterations > 0 ? r->fit.iterations : DEFAULT_ITERATIONS;
	plan->paper.spec.replace_one = plan->fit.dataset->replace_one;
	plan->paper.spec.rows_per_unit = plan->fit.dataset->max_rows_per_unit;
	plan->paper.step_delta = choose_step_delta(plan);
	memcpy(plan->paper.spec.noise, r->paper->noise, sizeof(r->paper->noise));
	if (!isfinite(r->fit.epsilon))
		return;
	solve_step(plan);
	check_noise(plan);
	for (int s = 0; plan->fit.noisy && s < DPEM_PAPER_STATISTICS; s++)
		add_line(plan, s);
}

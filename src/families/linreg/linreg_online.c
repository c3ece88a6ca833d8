/*
 * linreg_online.c - linear regression that learns online: rows are met in batches, in the order of a
 * column, each with the coefficients that the batches before have led to (core/online/online_learner.h), by gradients of
 * Huber's loss (core/online/residual_kernel.h).
 *
 * The coordinates are the predictors, the target and the constant.
 */
#include "postgres.h"

#include <math.h>

#include "core/online/online_rules.h"
#include "core/online/residual_kernel.h"
#include "families/linreg/linreg.h"
#include "server/fit_memory.h"

/* the caller's norm is that of a row without the constant */
void
dpem_linreg_plan_batches(DpemFitPlan *plan)
{
	dpem_fit_plan_batches(plan);
	if (plan->request->clip_norm > 0)
		plan->clip_norm = hypot(plan->request->clip_norm, 1);
}

void
dpem_linreg_plan_online(DpemFitPlan *plan)
{
	if (dpem_fit_is_sampled(plan))
		dpem_fit_bad_argument("sampling_rate", psprintf("%g", plan->request->sampling_rate), "null with algorithm online");
	plan->stages = DPEM_LINREG_STAGES;
	plan->stage[DPEM_LINREG_LOCATION].line = plan->stage[DPEM_LINREG_MARGINS].line = -1;
	plan->stage[DPEM_LINREG_MOMENTS] = dpem_fit_tree_stage(plan);
	dpem_fit_add_stages(plan, &plan->stage[DPEM_LINREG_MOMENTS], 1);
}

/* what turns numbers of the ball into those of the columns */
typedef struct Units
{
	int			p;
	double		radius;			/* the constant is 1 / radius */
	double	   *middle;			/* p + 1: of the predictors, then the target */
	double	   *unit;
} Units;

static Units
units_of(const DpemFitRun *run)
{
	const DpemFitPlan *plan = run->plan;
	Units		u = {plan->d - 2, run->part[0].radius, dpem_fit_allocate(plan->d), dpem_fit_allocate(plan->d)};

	dpem_linreg_units(run, 0, u.middle, u.unit);
	return u;
}

/* p + 1 numbers of the columns' own units, the intercept last, of p + 2 of the ball; deviations: of independent numbers */
static void
turn(const Units *u, const double *at, bool deviations, double *out)
{
	double		target = u->unit[u->p];
	double	   *last = out + u->p;

	*last = target * at[u->p + 1] / u->radius + (deviations ? 0 : u->middle[u->p]);
	for (int j = 0; j < u->p; j++)
	{
		out[j] = at[j] * target / u->unit[j];
		*last = deviations ? hypot(*last, u->middle[j] * out[j]) : *last - u->middle[j] * out[j];
	}
}

void
dpem_linreg_no_trajectory(DpemModel *model)
{
	dpem_fit_put_trajectory(NULL, dpem_fit_field(0), dpem_fit_field(0), model, DPEM_LINREG_ORDER);
}

static void
put_trajectory(const DpemGrouping *grouping, const Units *u, const DpemFitTrajectory *met, DpemModel *model)
{
	int			n = u->p + 1;
	DpemFieldArray *at = dpem_fit_field((met->batches + 1) * n);
	DpemFieldArray *noise = dpem_fit_field((met->batches + 1) * n);

	for (int batch = 0; batch <= met->batches; batch++)
	{
		turn(u, met->at + (size_t) batch * met->d, false, at->number + batch * n);
		turn(u, met->noise + (size_t) batch * met->d, true, noise->number + batch * n);
	}
	dpem_fit_put_trajectory(grouping, at, noise, model, DPEM_LINREG_ORDER);
}

/* the average; nothing is released of the residual, or of how least squares of other rows would differ */
static DpemLinreg
fit_of(const DpemFitPlan *plan, const Units *u, const DpemFitTrajectory *met)
{
	DpemLinreg	fit = dpem_linreg_create(plan);
	size_t		n = (size_t) u->p + 1;
	double	   *noise = dpem_fit_allocate(n);

	turn(u, met->mean, false, fit.coefficient);
	turn(u, met->mean, false, fit.middle);
	turn(u, met->mean_noise, true, noise);
	for (size_t j = 0; j < n; j++)
	{
		size_t		diagonal = j * (n + 1);

		fit.noise[diagonal] = fit.error[diagonal] = fit.spread[diagonal] = noise[j] * noise[j];
		fit.sampling[diagonal] = INFINITY;
	}
	fit.residual_variance = fit.residual_sd = INFINITY;
	fit.r2 = fit.r2_sd = NAN;
	return fit;
}

void
dpem_linreg_run_online(DpemFitRun *run, DpemFitted *fitted)
{
	const DpemFitPlan *plan = run->plan;
	double	   *theta = dpem_fit_allocate(DPEM_RESIDUAL_HEAD + (size_t) plan->d);
	int			target = plan->d - 2;
	Units		u = units_of(run);
	DpemFitTrajectory met;
	DpemLinreg	fit;

	theta[0] = dpem_online_residual / u.radius;
	theta[DPEM_RESIDUAL_HEAD + target] = -1;
	met = dpem_fit_learn(run, DPEM_LINREG_MOMENTS, &dpem_kernel_residual, dpem_online_slope_reach(u.radius), theta,
						 theta + DPEM_RESIDUAL_HEAD, target);
	dpem_fit_end(run);
	fit = fit_of(plan, &u, &met);
	dpem_linreg_store(run, 0, &fit, &fitted->model[0]);
	put_trajectory(plan->binding->grouping, &u, &met, &fitted->model[0]);
}

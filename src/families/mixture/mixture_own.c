/*
 * mixture_own.c - the last passes of a mixture, which measure components in frames of their own (core/refine/column_frames.h).
 */
#include "postgres.h"

#include <math.h>

#include "core/mixture/mixture_rules.h"
#include "families/mixture/mixture_run.h"
#include "server/fit_memory.h"

/*
 * Not where many rows have one value that none is near, as zeros beside a tail have: passes know of no atoms, and go to components that are
 * as narrow as these, which models with atoms have no use for.
 */
static bool
has_own_units(const MixtureRun *run, int j)
{
	const DpemColumnAtom *atom = &run->atom[j];

	return run->rows.law[j] != DPEM_LAW_NORMAL || atom->share == 0 || !atom->alone;
}

static bool
any_has_own_units(const DpemMixturePlan *plan, const MixtureRun *run)
{
	bool		any = false;

	for (int g = 0; g < plan->fit.groups; g++)
		for (int j = 0; j < run[g].rows.numbers; j++)
			any = any || has_own_units(&run[g], j);
	return any;
}

/* not where the call says how many passes there are, nor where noise would hide components even in their own units */
bool
dpem_mixture_has_frames(const DpemMixturePlan *plan, const MixtureRun *run)
{
	bool		has = plan->fit.noisy && plan->fit.request->iterations == 0 && any_has_own_units(plan, run);

	for (int g = 0; g < plan->fit.groups && has; g++)
		has = dpem_mixture_frames_pay(plan->k, run[g].all.count[0], pow(plan->rows.radius, 2) * run[g].search.square_sd);
	return has;
}

int
dpem_mixture_frames_pass(const DpemMixturePlan *plan, const MixtureRun *run, int pass)
{
	return run->has_frames ? Max(pass - dpem_mixture_early_passes(plan->passes) - DPEM_MIXTURE_BEFORE_FRAMES, 0) : 0;
}

DpemColumnFrames
dpem_mixture_allocate_frames(int k, int n)
{
	return (DpemColumnFrames) {
		.own = palloc0(n * sizeof(bool)),.center = dpem_fit_allocate((size_t) k * n),.spread = dpem_fit_allocate((size_t) k * n),
		.moved = dpem_fit_allocate((size_t) k * n),.scale = dpem_fit_allocate((size_t) k * n)
	};
}

/* rows may be far out in the ball that the other passes had: noise is that of the components' frames, so it is opened */
static void
begin(DpemFitRun *fit, const DpemMixturePlan *plan, int group, MixtureRun *run)
{
	size_t		n = (size_t) run->moments.k * run->moments.n;

	run->moments.center = run->frames.moved;
	run->moments.scale = run->frames.scale;
	for (size_t i = 0; i < n; i++)
		run->moments.scale[i] = 1;
	for (int j = 0; j < run->rows.numbers; j++)
		run->frames.own[j] = has_own_units(run, j);
	dpem_column_frames_set_radius(&run->rows, plan->rows.radius, &run->frames);
	run->rows.radius = fit->part[group].radius = fmax(run->rows.radius, dpem_column_frames_ball(&run->rows));
}

void
dpem_mixture_enter_frames(DpemFitRun *fit, const DpemMixturePlan *plan, int group, MixtureRun *run)
{
	if (run->moments.scale == NULL)
		begin(fit, plan, group, run);
	dpem_column_frames_find(&run->rows, &run->moments, &run->total, &run->mixture, &run->frames);
	dpem_column_frames_theta(&run->rows, &run->mixture, &run->frames, run->theta);
}

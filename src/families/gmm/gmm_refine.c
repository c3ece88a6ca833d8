/*
 * gmm_refine.c - the last EM passes, which measure components in frames of their own (core/refine/refine.h).
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

DpemGmmPrediction
dpem_gmm_noise_by_now(const GmmRun *run, int passes)
{
	DpemGmmPrediction p = dpem_gmm_expected_noise(run->plan, run->plan->noise_multiplier[DPEM_STAGE_MIXTURE] / sqrt(passes));
	double		rate = run->plan->request->fit.sampling_rate;
	double		rows = 0;

	/* of groups, what they have on average */
	for (int g = 0; g < run->groups; g++)
		rows += fmax(run->group[g].rows, 0) / run->groups;
	if (rows > 0)
		p.rows = rows * (rate > 0 ? rate : 1);
	return p;
}

int
dpem_gmm_refine_passes(const GmmRun *run, int passes)
{
	int			refined = passes - (run->placed ? 0 : run->plan->first_passes);
	DpemGmmPrediction p;

	if (!dpem_gmm_can_refine(run->plan) || refined < 1)
		return 0;
	/* components that cells show, where the frame of all rows would have too much noise for any */
	if (run->plan->probes)
		return refined;
	p = dpem_gmm_noise_by_now(run, refined);
	return dpem_gmm_refines(&p) ? refined : 0;
}

/* the same components in a ball of another radius */
static void
set_radius(GmmGroup *group, double radius)
{
	double		scale = group->part->radius / radius;
	size_t		d = (size_t) group->gmm.d;

	for (size_t i = 0; i < group->gmm.k * d; i++)
		group->gmm.mean[i] *= scale;
	for (size_t i = 0; i < group->gmm.k * d * d; i++)
		group->gmm.covariance[i] *= scale * scale;
	group->part->radius = radius;
}

static void
begin(GmmRun *run)
{
	size_t		k = (size_t) run->group[0].gmm.k;

	for (int g = 0; g < run->groups; g++)
	{
		DpemRefined *refined = palloc0(sizeof(DpemRefined));

		refined->radius = dpem_gmm_refine_radius(run->plan->fit.d);
		refined->size = dpem_fit_allocate(k);
		refined->mean_variance = dpem_fit_allocate(k);
		refined->second_variance = dpem_fit_allocate(k);
		run->group[g].refined = refined;
	}
}

static void
expect(GmmRun *run)
{
	for (int g = 0; g < run->groups; g++)
	{
		GmmGroup   *group = &run->group[g];
		DpemMomentLayout layout = {group->gmm.k, group->gmm.d, group->gmm.shape};
		double	   *theta = dpem_fit_allocate(dpem_refine_theta_length(&layout));

		dpem_fit_require_ok(dpem_refine_theta(&group->gmm, group->refined->radius, theta,
											  dpem_fit_workspace(dpem_gmm_theta_work(group->gmm.d))));
		group->part->theta = theta;
	}
}

static void
maximize(GmmRun *run, const DpemNoisyMoments *released, const DpemGmmRule *rule, const double *before)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_refine_work(run->plan->fit.d));

	for (int g = 0; g < run->groups; g++)
	{
		GmmGroup   *group = &run->group[g];
		double		scale = before[g] / group->part->radius;

		group->noise = released[g];
		group->noise.value = NULL;
		dpem_fit_require_ok(dpem_refine_step(group->refined, &released[g], rule->map ? rule->dirichlet - 1 : 0,
											 rule->floor * scale * scale, &group->gmm, work));
	}
}

/* rows may be far out in the ball that the other passes had: noise is that of the components' frames, so it is opened */
void
dpem_gmm_refine(GmmRun *run, int first, int passes)
{
	DpemGmmRule rule = dpem_gmm_rule(run->plan);
	double		ball = dpem_gmm_refine_ball(run->plan->fit.d);
	double	   *before = dpem_fit_allocate(run->groups);

	begin(run);
	for (int g = 0; g < run->groups; g++)
	{
		before[g] = run->group[g].part->radius;
		set_radius(&run->group[g], fmax(before[g], ball));
	}
	for (int pass = 1; pass <= passes; pass++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);

		dpem_fit_report(run->fit, "mixture" DPEM_OWN_FRAMES_PHASE, first + pass);
		expect(run);
		maximize(run, dpem_gmm_release_pass(run, DPEM_STAGE_MIXTURE, &dpem_kernel_gmm_refine, run->group[0].gmm.k, run->plan->request->shape),
				 &rule, before);
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit->per_pass);
	}
	for (int g = 0; g < run->groups; g++)
		set_radius(&run->group[g], before[g]);
}

/*
 * gmm_precondition.c - the stages before components: looks at the rows, each
 * nearer than the one before, then whitening.
 */
#include "postgres.h"

#include <math.h>

#include "core/mixture/gmm_grid.h"
#include "core/gmm/gmm_rules.h"
#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

DpemNoisyMoments *
dpem_gmm_release_pass(GmmRun *run, DpemGmmStage stage, const DpemKernel *kernel, int k, DpemSecondMoment second)
{
	DpemMomentLayout layout = {k, run->plan->fit.d, second};

	return dpem_fit_release_groups(run->fit, run->plan->line[stage], &run->plan->spec[stage], kernel, &layout);
}

DpemNoisyMoments *
dpem_gmm_release_total(GmmRun *run)
{
	const DpemGmmPlan *plan = run->plan;
	double	  **inverse = palloc(run->groups * sizeof(double *));

	for (int g = 0; g < run->groups; g++)
		inverse[g] = run->group[g].inverse;
	return dpem_fit_release_total(run->fit, plan->line[DPEM_STAGE_MIXTURE], &plan->spec[DPEM_STAGE_MIXTURE],
								  plan->request->shape, plan->request->whiten ? 1 : DPEM_FIT_ANYWHERE,
								  plan->request->whiten ? inverse : NULL);
}

/* the first look takes one number for all axes, which has less noise; so do all where axes must stay alike */
static void
look(GmmRun *run, int number, DpemGmmFrame *frame)
{
	bool		alike = number == 1 || run->plan->request->shape == DPEM_SECOND_NORM;

	dpem_fit_zoom_frames(run->fit, run->plan->line[DPEM_STAGE_CENTER], &run->plan->spec[DPEM_STAGE_CENTER],
						 alike ? DPEM_SECOND_NORM : DPEM_SECOND_DIAGONAL, frame);
}

/* from the noise of the whitening stage, which sees rows in that frame */
static double
located_radius(const DpemGmmPlan *plan)
{
	DpemGmmPrediction p = {.k = 1,.d = plan->fit.d,.rows = plan->fit.public_rows,.shape = plan->request->shape};
	double		count_sd;

	dpem_release_noise(&plan->spec[DPEM_STAGE_WHITEN], plan->fit.groups, plan->fit.d,
					   plan->noise_multiplier[DPEM_STAGE_WHITEN], &count_sd, &p.sum_sd, &p.second_sd);
	return dpem_gmm_located_radius(&p);
}

/* margins say where the rows of every column lie, however wide its domain */
static void
locate(GmmRun *run, DpemGmmFrame *frame)
{
	DpemFitStage stage = run->plan->margins_stage;
	DpemMargins *margins;

	stage.line = run->plan->line[DPEM_STAGE_CENTER];
	margins = dpem_fit_locate_frames(run->fit, &stage, &run->plan->grid, located_radius(run->plan), frame);
	for (int g = 0; g < run->groups; g++)
	{
		run->group[g].margins = &margins[g];
		run->group[g].atom = dpem_fit_column_atoms(run->fit, &margins[g]);
	}
}

static void
find_frames(GmmRun *run, DpemGmmFrame *frame)
{
	if (run->plan->margins)
		locate(run, frame);
	else
		for (int number = 1; number <= dpem_gmm_schedule(run->plan)->looks; number++)
			look(run, number, frame);
}

/*
 * A number of rows that is private is seen in a release only: where cells turn out to be nothing but noise, the last stage is the
 * total's mean and covariance, with the noise multiplier that was paid for (docs/proofs.md, 15).
 */
static void
give_up_cells(GmmRun *run, double rows)
{
	DpemGmmPlan *plan = palloc(sizeof(DpemGmmPlan));

	if (!dpem_gmm_drowns(run->plan, fmax(rows, 1)))
		return;
	*plan = *run->plan;
	plan->method = DPEM_GMM_TOTAL;
	plan->spec[DPEM_STAGE_MIXTURE] = plan->spec[DPEM_STAGE_WHITEN];
	run->plan = plan;
}

/* passes over rows in that ball whose noise averages out: those of the total, where cells show no components */
static double
total_passes(const DpemGmmPlan *plan)
{
	return plan->probes ? DPEM_GMM_PROBE_PASSES - 1 : 1;
}

void
dpem_gmm_precondition(GmmRun *run)
{
	const DpemGmmPlan *plan = run->plan;
	DpemGmmFrame *frame = dpem_fit_begin_frames(run->fit);
	DpemGmmPrediction p;
	DpemFitAxes axes;

	find_frames(run, frame);
	axes = dpem_fit_whiten_frames(run->fit, plan->line[DPEM_STAGE_WHITEN], &plan->spec[DPEM_STAGE_WHITEN], plan->request->shape,
								  frame);
	give_up_cells(run, axes.rows[0]);
	plan = run->plan;
	p = dpem_gmm_expected_noise(plan, plan->noise_multiplier[DPEM_STAGE_MIXTURE] / sqrt(total_passes(plan)));
	for (int g = 0; g < run->groups; g++)
	{
		GmmGroup   *group = &run->group[g];

		group->inverse = axes.inverse[g];
		group->rows = axes.rows[g];
		group->clip = frame[g].radius;
		group->part->radius = plan->method == DPEM_GMM_CELLS || plan->cells_first ? dpem_gmm_grid_radius(plan->fit.d)
			: dpem_gmm_whitened_radius(&p, frame[g].lost);
		/* in units of the ball that the passes' rows are in */
		dpem_gmm_seen_rescale(plan->fit.d, group->part->radius, &axes.seen[g]);
		/* what several looks may be combined with, passes may, too */
		group->seen = dpem_fit_whiten_looks(&plan->fit, plan->request->shape) > 1 ? &axes.seen[g] : NULL;
	}
}

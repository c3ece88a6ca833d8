/*
 * gmm_precondition.c - the stages before components: looks at the rows, each
 * nearer than the one before, then whitening.
 */
#include "postgres.h"

#include "core/mixture/gmm_grid.h"
#include "core/gmm/gmm_rules.h"
#include "core/gmm/gmm_whiten.h"
#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

DpemNoisyMoments *
dpem_gmm_release_pass(GmmRun *run, DpemGmmStage stage, const DpemKernel *kernel, int k, DpemSecondMoment second)
{
	DpemMomentLayout layout = {k, run->plan->fit.d, second};

	return dpem_fit_release_groups(run->fit, run->plan->line[stage], &run->plan->spec[stage], kernel, &layout);
}

static DpemGmmFrame
create_frame(int d)
{
	return (DpemGmmFrame) {
		.d = d,.center = dpem_fit_allocate(d),.scale = dpem_fit_allocate(d),
			.spread2 = dpem_fit_allocate(d),.spread2_sd = dpem_fit_allocate(d)
	};
}

/* the feature map of a frame */
static void
set_frame(DpemPassPart *part, const DpemGmmFrame *frame)
{
	size_t		d = (size_t) frame->d;
	double	   *center = dpem_fit_allocate(d);
	double	   *whitening = dpem_fit_allocate(d * d);

	memcpy(center, frame->center, d * sizeof(double));
	for (size_t j = 0; j < d; j++)
		whitening[j * d + j] = 1 / frame->scale[j];
	part->center = center;
	part->whitening = whitening;
	part->radius = frame->radius;
}

/* the first look takes one number for all axes, which has less noise; so do all where axes must stay alike */
static void
look(GmmRun *run, int number, DpemGmmFrame *frame)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	bool		alike = number == 1 || run->plan->request->shape == DPEM_SECOND_NORM;
	DpemNoisyMoments *m;

	dpem_fit_report(run->fit, "center", 0);
	m = dpem_gmm_release_pass(run, DPEM_STAGE_CENTER, &dpem_kernel_sums, 1,
							  alike ? DPEM_SECOND_NORM : DPEM_SECOND_DIAGONAL);
	for (int g = 0; g < run->groups; g++)
		dpem_gmm_frame_zoom(&m[g], run->plan->fit.public_rows, &frame[g], dpem_fit_allocate(frame[g].d));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
	for (int g = 0; g < run->groups; g++)
		set_frame(run->group[g].part, &frame[g]);
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
	const DpemGmmPlan *plan = run->plan;
	DpemFitStage stage = plan->margins_stage;
	double		radius = located_radius(plan);
	DpemWorkspace work = dpem_fit_workspace(dpem_column_spread_work(&plan->grid));
	DpemMargins *margins;

	stage.line = plan->line[DPEM_STAGE_CENTER];
	margins = dpem_fit_release_margins(run->fit, &stage, &plan->grid);
	for (int g = 0; g < run->groups; g++)
	{
		dpem_column_spread(&margins[g], true, frame[g].center, frame[g].scale, work);
		dpem_gmm_frame_located(&frame[g], radius);
		set_frame(run->group[g].part, &frame[g]);
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

/* whitening matrices and their inverses */
static void
run_whitening(GmmRun *run, DpemGmmFrame *frame, double **whitening)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemWorkspace work = dpem_fit_workspace(dpem_gmm_whitening_work(run->plan->fit.d));
	DpemNoisyMoments *m;

	dpem_fit_report(run->fit, "second moment", 0);
	m = dpem_gmm_release_pass(run, DPEM_STAGE_WHITEN, &dpem_kernel_sums, 1, run->plan->request->shape);
	for (int g = 0; g < run->groups; g++)
	{
		run->group[g].rows = dpem_gmm_rows(m[g].value[0], m[g].count_sd, run->plan->fit.public_rows);
		dpem_fit_require_ok(dpem_gmm_whitening(&m[g], run->plan->fit.public_rows, &frame[g], whitening[g],
											   run->group[g].inverse, work));
	}
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

void
dpem_gmm_precondition(GmmRun *run)
{
	int			d = run->plan->fit.d;
	size_t		n = (size_t) d * d;
	DpemGmmFrame *frame = palloc0(run->groups * sizeof(DpemGmmFrame));
	double	  **whitening = palloc(run->groups * sizeof(double *));
	DpemGmmPrediction p = dpem_gmm_expected_noise(run->plan, run->plan->noise_multiplier[DPEM_STAGE_MIXTURE]);

	for (int g = 0; g < run->groups; g++)
	{
		frame[g] = create_frame(d);
		dpem_gmm_frame_begin(&frame[g], run->group[g].part->radius);
		whitening[g] = dpem_fit_allocate(n);
		run->group[g].inverse = dpem_fit_allocate(n);
	}
	find_frames(run, frame);
	run_whitening(run, frame, whitening);
	for (int g = 0; g < run->groups; g++)
	{
		set_frame(run->group[g].part, &frame[g]);
		run->group[g].part->whitening = whitening[g];
		run->group[g].part->radius = run->plan->method == DPEM_GMM_CELLS ? dpem_gmm_grid_radius(d)
			: dpem_gmm_whitened_radius(&p, frame[g].lost);
	}
}

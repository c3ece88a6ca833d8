/*
 * sbn_fit.c - the passes of a sigmoid belief network.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/sbn/sbn_trial.h"
#include "families/sbn/sbn.h"
#include "server/fit_memory.h"

/* largest change of a weight at which passes without noise end */
#define CONVERGED	1e-9

typedef struct SbnRun
{
	DpemFitRun *fit;
	const DpemSbnRequest *request;
	DpemSbnEstimate estimate;
	double	   *bias;			/* estimate.bias, and the constant unit before it */
	double	   *theta;
} SbnRun;

static SbnRun
create_run(DpemFitRun *fit)
{
	const DpemSbnRequest *request = (const DpemSbnRequest *) fit->plan->request;
	int			d = fit->plan->d;
	size_t		units = 1 + (size_t) request->hidden;
	double	   *bias = dpem_fit_allocate(units + 1);

	bias[0] = NAN;
	return (SbnRun) {
		.fit = fit,.request = request,.bias = bias,
			.estimate = {
			.d = d,.hidden = request->hidden,.bias = bias + 1,.weight = dpem_fit_allocate(units * d),
			.gram = dpem_fit_allocate(units * units),.moved = dpem_fit_allocate(units * d),
			.ones = {
				.whole = dpem_fit_allocate(d),.clipped = dpem_fit_allocate(d),.count = dpem_fit_allocate(d),.log_odds = dpem_fit_allocate(d)
			},
			.trial = {.weight = dpem_fit_allocate(units * d),.bias = dpem_fit_allocate(request->hidden)}
		},
			.theta = dpem_fit_allocate(dpem_sbn_theta_length((int) units, d))
	};
}

/* a network of that many hidden units, one pass */
static DpemNoisyMoments *
release(SbnRun *run, int stage, int hidden)
{
	DpemMomentLayout layout = {1 + hidden, run->estimate.d, DPEM_SECOND_COMPONENTS};

	return dpem_fit_release_stage(run->fit, stage, &dpem_kernel_sbn, &layout, run->theta);
}

/* theta is that of a network without weights */
static void
run_margins(SbnRun *run)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemNoisyMoments *m;

	dpem_fit_report(run->fit, "margins", 0);
	run->theta[0] = dpem_sbn_margin_clip(run->estimate.d);
	m = release(run, DPEM_SBN_MARGINS, 0);
	dpem_sbn_start(m, run->fit->plan->public_rows, &run->estimate);
	/* the square of the constant unit */
	dpem_fit_note_rows(run->fit, 0, m->value[1 + run->estimate.d], m->second_sd);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

static void
run_step(SbnRun *run)
{
	const DpemFitPlan *plan = run->fit->plan;
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	double		clip = dpem_sbn_clip(&run->estimate, plan->noisy);
	double		rate = plan->sample.rate;

	dpem_sbn_prepare(&run->estimate, clip, run->theta);
	dpem_fit_require_ok(dpem_sbn_step(release(run, DPEM_SBN_GRADIENTS, run->request->hidden), clip, rate,
									  run->request->prior_variance, &run->estimate,
									  dpem_fit_workspace(dpem_sbn_step_work(run->request->hidden, plan->d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

static int
run_steps(SbnRun *run)
{
	int			step = 0;

	run->fit->sampled = true;
	while (step < run->fit->plan->iterations)
	{
		dpem_fit_report(run->fit, "weights", ++step);
		run_step(run);
		if (run->fit->plan->noisy)
			dpem_sbn_after_step(step, run->fit->plan->iterations, &run->estimate);
		else if (run->estimate.change <= CONVERGED)
			break;
	}
	return step;
}

void
dpem_sbn_run(DpemFitRun *fit, DpemFitted *fitted)
{
	SbnRun		run = create_run(fit);

	run_margins(&run);
	fitted->model->iterations = run_steps(&run);
	fitted->model->k = run.request->hidden;
	fitted->model->value[DPEM_SBN_BIAS] = run.bias;
	fitted->model->value[DPEM_SBN_WEIGHT] = run.estimate.weight;
}

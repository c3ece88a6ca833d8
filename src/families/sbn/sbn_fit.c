/*
 * sbn_fit.c - the passes of a sigmoid belief network.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "core/sbn/sbn_estimate.h"
#include "families/sbn/sbn_request.h"
#include "server/fit_memory.h"

/* largest change of a weight at which passes without noise end */
#define CONVERGED	1e-9

typedef struct SbnRun
{
	DpemFitRun	fit;
	const DpemSbnPlan *plan;
	DpemSbnEstimate estimate;
	double	   *theta;
} SbnRun;

static void
create_run(SbnRun *run, const DpemSbnPlan *plan)
{
	size_t		units = 1 + (size_t) plan->request->hidden;

	run->plan = plan;
	run->estimate = (DpemSbnEstimate) {
		.d = plan->fit.d,.hidden = plan->request->hidden,.bias = dpem_fit_allocate(units),
		.weight = dpem_fit_allocate(units * plan->fit.d),.gram = dpem_fit_allocate(units * units)
	};
	run->theta = dpem_fit_allocate(dpem_sbn_theta_length((int) units, plan->fit.d));
}

/* a network of that many hidden units, one pass */
static DpemNoisyMoments *
release(SbnRun *run, int line, int hidden)
{
	DpemMomentLayout layout = {1 + hidden, run->plan->fit.d, DPEM_SECOND_COMPONENTS};

	return dpem_fit_release(&run->fit, line, &run->plan->spec, &dpem_kernel_sbn, &layout, run->theta);
}

/* theta is that of a network without weights */
static void
run_margins(SbnRun *run)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit.per_pass);

	dpem_fit_report(&run->fit, "margins", 0);
	run->theta[0] = dpem_sbn_margin_clip(run->plan->fit.d);
	dpem_sbn_start(release(run, run->plan->first_line, 0), run->plan->fit.public_rows, &run->estimate);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit.per_pass);
}

static void
run_step(SbnRun *run)
{
	const DpemSbnPlan *plan = run->plan;
	MemoryContext fit = MemoryContextSwitchTo(run->fit.per_pass);
	double		clip = dpem_sbn_clip(&run->estimate, plan->fit.noisy);
	double		rate = dpem_fit_is_sampled(&plan->fit) ? plan->fit.sample.rate : 1;

	dpem_sbn_prepare(&run->estimate, clip, run->theta);
	dpem_fit_require_ok(dpem_sbn_step(release(run, plan->later_line, plan->request->hidden), clip, rate,
									  plan->request->prior_variance, &run->estimate,
									  dpem_fit_workspace(dpem_sbn_step_work(plan->request->hidden, plan->fit.d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit.per_pass);
}

static int
run_steps(SbnRun *run)
{
	int			step = 0;

	run->fit.sampled = true;
	while (step < run->plan->fit.iterations)
	{
		dpem_fit_report(&run->fit, "weights", ++step);
		run_step(run);
		if (!run->plan->fit.noisy && run->estimate.change <= CONVERGED)
			break;
	}
	return step;
}

DpemSbnFit *
dpem_sbn_fit(const DpemSbnPlan *plan)
{
	SbnRun	   *run = palloc0(sizeof(SbnRun));
	DpemSbnFit *fit = palloc0(sizeof(DpemSbnFit));

	dpem_fit_begin(&run->fit, &plan->fit);
	create_run(run, plan);
	run_margins(run);
	*fit = (DpemSbnFit) {
		.d = plan->fit.d,.hidden = plan->request->hidden,.bias = run->estimate.bias,.weight = run->estimate.weight,
			.iterations = run_steps(run)
	};
	dpem_fit_end(&run->fit);
	dpem_fit_payment(&run->fit, &fit->charge, &fit->maker);
	return fit;
}

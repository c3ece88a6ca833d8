/*
 * lda_fit.c - the passes of a fit of topics.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/lda_kernel.h"
#include "core/lda/lda_estimate.h"
#include "families/lda/lda.h"
#include "server/fit_memory.h"

typedef struct LdaRun
{
	DpemFitRun *fit;
	const DpemLdaPlan *plan;
	DpemLdaTopics topics;
	DpemLdaCounts terms;		/* of one topic: released first, if at all */
	DpemLdaCounts counts;		/* of all topics, blended over passes */
	double	   *theta;
} LdaRun;

static void
create_run(LdaRun *run, DpemFitRun *fit)
{
	const DpemLdaPlan *plan = (const DpemLdaPlan *) fit->plan;
	size_t		terms = (size_t) plan->fit.d;
	size_t		entries = terms * plan->request->topics;

	run->fit = fit;
	run->plan = plan;
	run->topics = (DpemLdaTopics) {plan->request->topics, plan->fit.d, dpem_fit_allocate(entries)};
	run->terms.words = dpem_fit_allocate(terms);
	run->counts.words = dpem_fit_allocate(entries);
	run->theta = dpem_fit_allocate(DPEM_LDA_TASK_HEAD + entries);
	if (plan->request->start != NULL)
		memcpy(run->topics.lambda, plan->request->start, entries * sizeof(double));
	else
		dpem_lda_start(&run->topics);
	/* where steps are small, what they start from stays part of the estimate */
	memcpy(run->counts.words, run->topics.lambda, entries * sizeof(double));
}

/* one pass; moments in units of the radius (with noise) or of a word */
static DpemNoisyMoments *
scan(LdaRun *run, int stage, int k)
{
	const DpemLdaRequest *r = run->plan->request;
	DpemMomentLayout layout = {k, run->plan->fit.d, DPEM_SECOND_NONE};
	DpemLdaTask task = {
		.alpha = run->plan->alpha,.length = r->length,.resampled = r->resample && r->length > 0,
		.steps = run->plan->fit.noisy ? DPEM_LDA_STEPS : 0
	};

	dpem_lda_task_write(&task, run->theta);
	run->fit->pass.map.radius = run->plan->radius;
	return dpem_fit_release_stage(run->fit, stage, &dpem_kernel_lda, &layout, run->theta);
}

/* how often terms occur: one topic, whatever its weights are */
static void
run_terms(LdaRun *run)
{
	DpemNoisyMoments *m;

	dpem_fit_report(run->fit, "terms", 0);
	for (int v = 0; v < run->plan->fit.d; v++)
		run->theta[DPEM_LDA_TASK_HEAD + v] = 1;
	m = scan(run, DPEM_LDA_TERMS, 1);
	dpem_lda_blend(m, run->plan->radius, 1, false, &run->terms);
}

static double
rate_of(const DpemLdaPlan *plan, int pass)
{
	if (dpem_fit_is_sampled(&plan->fit))
		return plan->shrink && pass == 1 ? 1 : pow(plan->tau0 + pass, -plan->kappa);
	return plan->shrink ? dpem_lda_full_rate(pass, plan->fit.iterations) : 1;
}

static void
run_pass(LdaRun *run, int pass, double *bound)
{
	const DpemLdaPlan *plan = run->plan;
	double		unit = (plan->fit.noisy ? plan->radius : 1) / plan->fit.sample.rate;
	DpemNoisyMoments *m;

	dpem_lda_weights(&run->topics, run->theta + DPEM_LDA_TASK_HEAD);
	run->fit->sampled = true;
	m = scan(run, DPEM_LDA_TOPICS, run->topics.k);
	if (bound != NULL)
		bound[pass - 1] = m->value[0] / plan->fit.sample.rate + dpem_lda_topics_bound(&run->topics, plan->eta);
	dpem_lda_blend(m, unit, rate_of(plan, pass), !plan->shrink, &run->counts);
	if (plan->shrink)
		dpem_fit_require_ok(dpem_lda_shrink(&run->counts, &run->terms, plan->eta, &run->topics,
											dpem_fit_workspace(dpem_lda_shrink_work(plan->fit.d))));
	else
		dpem_lda_add_prior(&run->counts, plan->eta, &run->topics);
}

static void
run_passes(LdaRun *run, double *bound)
{
	for (int pass = 1; pass <= run->plan->fit.iterations; pass++)
	{
		MemoryContext outer = MemoryContextSwitchTo(run->fit->per_pass);

		dpem_fit_report(run->fit, "topics", pass);
		run_pass(run, pass, bound);
		MemoryContextSwitchTo(outer);
		MemoryContextReset(run->fit->per_pass);
	}
}

void
dpem_lda_run(DpemFitRun *fit, DpemFitted *fitted)
{
	LdaRun	   *run = palloc0(sizeof(LdaRun));
	DpemModel  *model = fitted->model;
	double	   *bound = fit->plan->noisy ? NULL : dpem_fit_allocate(fit->plan->iterations);
	double	   *weight;

	create_run(run, fit);
	if (fit->plan->stage[DPEM_LDA_TERMS].line >= 0)
		run_terms(run);
	run_passes(run, bound);
	weight = dpem_fit_allocate(run->topics.k);
	dpem_lda_parts(&run->topics, weight);
	model->k = run->topics.k;
	model->more = bound;
	model->value[DPEM_LDA_WEIGHT] = weight;
	model->value[DPEM_LDA_ALPHA] = &run->plan->alpha;
	model->value[DPEM_LDA_LAMBDA] = run->topics.lambda;
}

/*
 * lda_fit.c - the passes of a fit of topics.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/lda_kernel.h"
#include "core/lda/lda_choice.h"
#include "core/lda/lda_estimate.h"
#include "core/lda/lda_rules.h"
#include "core/lda/lda_totals.h"
#include "families/lda/lda.h"
#include "server/fit_memory.h"

typedef struct LdaRun
{
	DpemFitRun *fit;
	const DpemLdaPlan *plan;
	DpemLdaTopics topics;
	DpemLdaTotals totals;		/* of all topics: released first, if at all */
	DpemLdaCounts counts;		/* of each topic, blended over passes */
	double	   *alpha;			/* of the model */
	double	   *emphasis;		/* of terms, where all documents are read; else ones */
	double	   *theta;
	double	   *weight;			/* the part of theta that depends on topics */
	DpemSizes	sizes;			/* n 0: there is nothing to choose */
	int			looks;			/* releases of the stage that chooses, so far */
	int			pass;			/* releases after the first, so far */
} LdaRun;

static void
create_totals(DpemLdaTotals *totals, int terms)
{
	*totals = (DpemLdaTotals) {
		.terms = terms,.raw = dpem_fit_allocate(terms),.precision = dpem_fit_allocate(terms),.total = dpem_fit_allocate(terms)
	};
}

static void
create_run(LdaRun *run, DpemFitRun *fit)
{
	const DpemLdaPlan *plan = (const DpemLdaPlan *) fit->plan;
	int			k = plan->request->topics;
	size_t		entries = (size_t) plan->fit.d * k;
	int			judged = dpem_lda_judged_topics(plan->request);

	run->fit = fit;
	run->plan = plan;
	run->topics = (DpemLdaTopics) {k, plan->fit.d, dpem_fit_allocate(entries)};
	create_totals(&run->totals, plan->fit.d);
	run->counts.words = dpem_fit_allocate(entries);
	run->alpha = dpem_fit_allocate(k);
	run->emphasis = dpem_fit_allocate(plan->fit.d);
	run->theta = dpem_fit_allocate(DPEM_LDA_TASK_WEIGHTS(judged, plan->fit.d) + (size_t) plan->fit.d * judged);
	run->sizes = plan->request->fit.candidates;
	for (int i = 0; i < k; i++)
		run->alpha[i] = plan->alpha;
	for (int v = 0; v < plan->fit.d; v++)
		run->emphasis[v] = 1;
	if (plan->request->start != NULL)
		memcpy(run->topics.lambda, plan->request->start, entries * sizeof(double));
	else
		dpem_lda_start(&run->topics);
	/* where steps are small, what they start from stays part of the estimate */
	memcpy(run->counts.words, run->topics.lambda, entries * sizeof(double));
}

/* the weights of a pass with these topics, in its parameters; writes what comes before them */
static double *
write_task(LdaRun *run, int k, DpemLdaTask task)
{
	const DpemLdaRequest *r = run->plan->request;

	task.k = k;
	task.terms = run->plan->fit.d;
	task.length = r->length;
	task.resampled = r->resample && r->length > 0;
	task.steps = run->plan->fit.noisy ? DPEM_LDA_STEPS : 0;
	dpem_lda_task_write(&task, run->theta);
	return run->theta + DPEM_LDA_TASK_WEIGHTS(k, task.terms);
}

/* one pass; moments in units of the radius (with noise) or of a word */
static DpemNoisyMoments *
scan(LdaRun *run, int stage, int k, double radius)
{
	DpemMomentLayout layout = {k, run->plan->fit.d, DPEM_SECOND_NONE};

	run->fit->pass.map.radius = radius;
	return dpem_fit_release_stage(run->fit, stage, &dpem_kernel_lda, &layout, run->theta);
}

/* how often terms occur: one topic, whatever its weights are */
static void
run_totals(LdaRun *run, int stage, const double *emphasis)
{
	double	   *weight = write_task(run, 1, (DpemLdaTask) {.alpha = &run->plan->alpha,.emphasis = emphasis});
	DpemWorkspace work = dpem_fit_workspace(dpem_lda_totals_work(run->plan->fit.d));
	DpemNoisyMoments *m;

	for (int v = 0; v < run->plan->fit.d; v++)
		weight[v] = 1;
	m = scan(run, stage, 1, run->plan->radius);
	dpem_fit_require_ok(dpem_lda_totals_add(m, run->plan->radius, emphasis, &run->totals, work));
}

/* the deviation, in words, of the noise in a number of a pass */
static double
noise_of(const LdaRun *run)
{
	return dpem_fit_stage_noise(&run->plan->fit, DPEM_LDA_TOPICS).sum * run->plan->radius;
}

static double
rate_of(const DpemLdaPlan *plan, int pass)
{
	if (dpem_fit_is_sampled(&plan->fit))
		return plan->shrink && pass == 1 ? 1 : pow(plan->tau0 + pass, -plan->kappa);
	return plan->shrink ? dpem_lda_full_rate(pass) : 1;
}

/* topics, and where all documents are read the totals, from a release of topics */
static void
shrink(LdaRun *run, const DpemNoisyMoments *m)
{
	const DpemLdaPlan *plan = run->plan;
	int			terms = plan->fit.d;

	if (!dpem_fit_is_sampled(&plan->fit))
		dpem_fit_require_ok(dpem_lda_totals_add(m, plan->radius, run->emphasis, &run->totals, dpem_fit_workspace(dpem_lda_totals_work(terms))));
	dpem_fit_require_ok(dpem_lda_shrink(&run->counts, run->totals.total, run->emphasis, plan->eta, &run->topics,
										dpem_fit_workspace(dpem_lda_shrink_work(terms))));
}

/* pass: of so many that are of topics */
static void
run_pass(LdaRun *run, int pass, int passes, double *bound)
{
	const DpemLdaPlan *plan = run->plan;
	double		unit = (plan->fit.noisy ? plan->radius : 1) / plan->fit.sample.rate;
	bool		whole = plan->shrink && !dpem_fit_is_sampled(&plan->fit);
	double	   *weight = write_task(run, run->topics.k, (DpemLdaTask) {.alpha = run->alpha,.emphasis = whole ? run->emphasis : NULL});
	DpemNoisyMoments *m;

	dpem_lda_weights(&run->topics, weight);
	if (whole)
		dpem_lda_soften(run->topics.k, run->topics.terms, dpem_lda_sharpness(pass, passes), weight);
	run->fit->sampled = true;
	m = scan(run, DPEM_LDA_TOPICS, run->topics.k, plan->radius);
	if (bound != NULL)
		bound[pass - 1] = m->value[0] / plan->fit.sample.rate + dpem_lda_topics_bound(&run->topics, plan->eta);
	dpem_lda_blend(m, unit, rate_of(plan, pass), !plan->shrink, &run->counts);
	if (plan->shrink)
		shrink(run, m);
	else
		dpem_lda_add_prior(&run->counts, plan->eta, &run->topics);
}

/* so many passes over terms alone; weighted: of so many under about the same emphasis */
static void
run_terms(LdaRun *run, int passes, int weighted)
{
	for (int i = 0; i < passes; i++)
	{
		dpem_fit_report(run->fit, "terms", ++run->pass);
		dpem_lda_emphasise(&run->totals, noise_of(run) / sqrt(weighted), run->emphasis);
		run_totals(run, DPEM_LDA_TOPICS, run->emphasis);
	}
}

/* of the passes after the first release, made here: how many are of the totals */
static int
run_first_release(LdaRun *run)
{
	const DpemLdaPlan *plan = run->plan;

	if (!plan->shrink)
		return 0;
	dpem_fit_report(run->fit, "terms", 0);
	run_totals(run, DPEM_LDA_TERMS, NULL);
	if (dpem_fit_is_sampled(&plan->fit))
		return 0;
	dpem_lda_totals_measure(&run->totals, plan->fit.public_rows, plan->radius, plan->request->length,
							 dpem_fit_workspace(dpem_lda_totals_work(plan->fit.d)));
	return dpem_lda_terms_passes(plan->fit.iterations, run->topics.k, run->topics.terms, run->totals.total, noise_of(run));
}

/* documents, as far as released numbers tell: for scores, which are compared with each other only */
static double
documents_of(const LdaRun *run)
{
	const DpemLdaPlan *plan = run->plan;
	double		words = 0;

	for (int v = 0; v < plan->fit.d; v++)
		words += run->totals.total[v];
	return fmax(plan->fit.public_rows > 0 ? plan->fit.public_rows : words / Max(plan->request->length, 1), 1);
}

/* the topics that were chosen of all that were judged; returns which */
static int
choose(LdaRun *run, const DpemLdaCandidates *c, const DpemNoisyMoments *m, const double *gain)
{
	DpemSizes  *sizes = &run->sizes;
	double		unit = (run->plan->fit.noisy ? DPEM_LDA_GAIN_RADIUS : 1) / documents_of(run);
	int			chosen = 0;

	if (sizes->n == 0)
		return 0;
	dpem_lda_scores(m, c->n, gain, sizes->score);
	for (int i = 0; i < sizes->n; i++)
	{
		sizes->log_likelihood[i] = unit * gain[i];
		sizes->score[i] *= unit;
	}
	while (sizes->k[chosen] != dpem_sizes_choose(sizes))
		chosen++;
	return chosen;
}

/* releases of the stage that chooses */
static int
choices(const LdaRun *run)
{
	const DpemFitStage *stage = &run->plan->fit.stage[DPEM_LDA_CHOICE];

	return stage->line >= 0 ? stage->releases : 0;
}

/* is the choice released, or made without noise? */
static bool
is_choosing(const LdaRun *run)
{
	return choices(run) > 0 || (!run->plan->fit.noisy && run->sizes.n > 0);
}

/* what topics gain */
static DpemNoisyMoments *
judge(LdaRun *run, const DpemLdaCandidates *c)
{
	double	   *weight = write_task(run, c->all, (DpemLdaTask) {.alpha = c->part,.set = c->set,.sums = DPEM_LDA_SUM_GAINS});

	dpem_fit_report(run->fit, "choice", run->looks);
	dpem_lda_candidate_weights(c, weight);
	run->fit->sampled = false;
	run->looks++;
	return scan(run, DPEM_LDA_CHOICE, c->all, DPEM_LDA_GAIN_RADIUS);
}

/* nats per word that topics gain after the first passes over them */
static double
look(LdaRun *run)
{
	DpemSizes	none = {0};
	DpemLdaCandidates c;

	dpem_lda_balance(run->totals.total, run->plan->eta, &run->topics);
	c = dpem_lda_candidates(&none, &run->topics);
	return DPEM_LDA_GAIN_RADIUS * dpem_lda_best_gain(judge(run, &c)) / documents_of(run);
}

/* one of `passes` over topics; returns what they gain if they are looked at after it */
static double
run_topics_pass(LdaRun *run, int pass, int passes, bool looking, double *bound)
{
	MemoryContext outer = MemoryContextSwitchTo(run->fit->per_pass);
	double		gain = 0;

	dpem_fit_report(run->fit, "topics", ++run->pass);
	run_pass(run, pass, passes, bound);
	if (looking)
		gain = look(run);
	MemoryContextSwitchTo(outer);
	MemoryContextReset(run->fit->per_pass);
	return gain;
}

/* passes over terms between ones over topics, which keep their emphasis; weighted: as in run_terms */
static void
run_terms_between(LdaRun *run, int passes, int weighted)
{
	size_t		size = run->plan->fit.d * sizeof(double);
	double	   *kept = dpem_fit_allocate(run->plan->fit.d);

	memcpy(kept, run->emphasis, size);
	run_terms(run, passes, weighted);
	memcpy(run->emphasis, kept, size);
}

/*
 * The passes after the first release, of which n are over terms, or fewer where topics gain much; returns whether topics are
 * fitted: else all that are left are over terms
 */
static bool
run_passes(LdaRun *run, int n, double *bound)
{
	const DpemLdaPlan *plan = run->plan;
	int			passes = plan->fit.iterations;
	int			at = choices(run) > 1 ? dpem_lda_first_look(passes - n) : 0;
	int			some = at > 0 ? dpem_lda_terms_at_first(passes, n, run->topics.terms, run->totals.total, noise_of(run)) : n;

	run_terms(run, some, n);
	if (plan->shrink && n < passes && !dpem_fit_is_sampled(&plan->fit))
		dpem_lda_emphasise(&run->totals, dpem_lda_topics_noise(noise_of(run), passes - n), run->emphasis);
	for (int pass = 1; pass <= passes - n; pass++)
	{
		double		gain = run_topics_pass(run, pass, passes - n, pass == at, bound);
		int			left;

		if (pass != at)
			continue;
		if (gain <= dpem_lda_gain_hoped(some < n))
		{
			run_terms(run, passes - run->pass, passes - pass);
			return false;
		}
		left = dpem_lda_terms_left(passes, some, n, run->topics.terms, run->totals.total, noise_of(run), gain);
		run_terms_between(run, left, n);
		n = some + left;
	}
	return passes > n;
}

/*
 * How far a document's own words decide on its mixture, which is that of all words where they decide nothing; and how many
 * topics, where several numbers were given.
 */
static double
run_choice(LdaRun *run, double *part)
{
	DpemLdaCandidates c = dpem_lda_candidates(&run->sizes, &run->topics);
	double		gain[DPEM_LDA_MOST_SETS];
	double		concentration[DPEM_LDA_MOST_SETS];
	DpemNoisyMoments *m = judge(run, &c);
	int			chosen;

	dpem_lda_choose(m, c.n, gain, concentration);
	chosen = choose(run, &c, m, gain);
	run->topics = c.topics[chosen];
	dpem_lda_parts(&run->topics, part);
	return concentration[chosen];
}

/* the concentration of documents' mixtures around the topics' parts, and topics that were told apart or are all the same */
static double
settle(LdaRun *run, bool fitted, double *part)
{
	const DpemLdaPlan *plan = run->plan;

	/* what is not needed to look at topics tells more of terms */
	for (int left = choices(run) - run->looks - (fitted ? 1 : 0); left > 0; left--)
		run_totals(run, DPEM_LDA_CHOICE, run->emphasis);
	if (!fitted && run->sizes.n > 0)
		run->topics.k = dpem_sizes_choose_least(&run->sizes);
	if (!fitted)
		dpem_lda_make_equal(run->totals.total, plan->eta, &run->topics);
	else if (plan->shrink && run->topics.k > 1)
		dpem_lda_balance(run->totals.total, plan->eta, &run->topics);
	dpem_lda_parts(&run->topics, part);
	return fitted && is_choosing(run) ? run_choice(run, part) : DPEM_LDA_CONCENTRATED;
}

/* the prior of documents' mixtures, unless it was given; says so if documents have no mixtures of their own */
static void
set_alpha(LdaRun *run, bool fitted, const double *part, double concentration)
{
	bool		choosing = is_choosing(run);

	for (int k = 0; choosing && k < run->topics.k; k++)
		run->alpha[k] = concentration * part[k];
	if (run->topics.k > 1 && concentration == DPEM_LDA_CONCENTRATED && (choosing || !fitted))
		ereport(NOTICE,
				(errmsg("topics tell no more about a document than the distribution of all words"),
				 errhint("Fit fewer topics, or to more or longer documents, or with a larger epsilon.")));
}

void
dpem_lda_run(DpemFitRun *fit, DpemFitted *fitted)
{
	LdaRun	   *run = palloc0(sizeof(LdaRun));
	DpemModel  *model = fitted->model;
	double	   *bound = fit->plan->noisy ? NULL : dpem_fit_allocate(fit->plan->iterations);
	double	   *weight;
	bool		fitted_topics;

	create_run(run, fit);
	fitted_topics = run_passes(run, run_first_release(run), bound);
	weight = dpem_fit_allocate(run->topics.k);
	set_alpha(run, fitted_topics, weight, settle(run, fitted_topics, weight));
	model->k = run->topics.k;
	model->more = bound;
	model->candidates = run->sizes.n > 0 ? &run->sizes : NULL;
	model->value[DPEM_LDA_WEIGHT] = weight;
	model->value[DPEM_LDA_ALPHA] = run->alpha;
	model->value[DPEM_LDA_LAMBDA] = run->topics.lambda;
}

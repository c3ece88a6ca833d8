/*
 * lda_plan.c - what a fit of topics will do and cost, from public facts alone.
 *
 * By default every pass reads every document: at the same epsilon the sum over
 * all documents has less noise, relative to its size, than sums over samples,
 * whose only gain is time.
 */
#include "postgres.h"

#include <math.h>

#include "core/kernels/lda_kernel.h"
#include "core/lda/lda_rules.h"
#include "families/lda/lda.h"
#include "fit/fit_arguments.h"

/* defaults of [VIPS], section 6 */
#define PAPER_CLIP	0.1
#define PAPER_TAU0	1024
#define PAPER_KAPPA 0.7

/* with shrinkage; measured in docs/vips.md */
#define OWN_CLIP	0.05
#define OWN_TAU0	1

#define MOST_ENTRIES 50000000	/* topics times terms */

static double
otherwise(double asked, double choice)
{
	return isnan(asked) ? choice : asked;
}

int
dpem_lda_judged_topics(const DpemLdaRequest *r)
{
	int			all = 0;

	for (int i = 0; i < r->fit.candidates.n; i++)
		all += r->fit.candidates.k[i];
	return Max(all, r->topics);
}

static void
check_request(const DpemLdaPlan *plan)
{
	const DpemLdaRequest *r = plan->request;

	if ((double) dpem_lda_judged_topics(r) * plan->fit.d > MOST_ENTRIES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%d topics of %d terms are more than %d numbers", r->topics, plan->fit.d, MOST_ENTRIES),
				 errhint("Ask for fewer topics.")));
	if (r->fit.candidates.n * DPEM_LDA_GAINS > plan->fit.d)
		dpem_refuse_argument(psprintf("a vocabulary of %d terms is too small to choose among %d numbers of topics", plan->fit.d, r->fit.candidates.n),
							 "Choose among fewer numbers.");
	if (r->length == 0 && plan->fit.noisy)
		dpem_fit_bad_argument("document_length", "0", "at least 1 in a private fit");
	if (r->start != NULL && r->nstart != r->topics * plan->fit.d)
		dpem_fit_bad_argument("init_topics", psprintf("%d numbers", r->nstart),
							  psprintf("%d topics of %d numbers", r->topics, plan->fit.d));
}

static void
choose(DpemLdaPlan *plan)
{
	const DpemLdaRequest *r = plan->request;
	bool		unclipped = !plan->fit.noisy && isnan(r->clip);
	double		clip = otherwise(r->clip, r->shrink ? OWN_CLIP : PAPER_CLIP);

	plan->shrink = r->shrink && plan->fit.noisy;
	plan->alpha = otherwise(r->alpha, 1.0 / r->topics);
	plan->eta = otherwise(r->eta, 1.0 / r->topics);
	plan->tau0 = otherwise(r->tau0, r->shrink ? OWN_TAU0 : PAPER_TAU0);
	plan->kappa = otherwise(r->kappa, PAPER_KAPPA);
	/* no document is longer than this */
	plan->radius = unclipped || r->length == 0 ? 0x1p40 : clip * r->length;
	plan->fit.clip_norm = plan->radius;
	if (plan->fit.iterations == 0)
		plan->fit.iterations = dpem_lda_iterations(plan->fit.sample.rate);
}

/* words of a topic and term, were all as frequent, in rows that are public; else 0 */
static double
mean_words(const DpemLdaPlan *plan, double rows)
{
	return rows * plan->request->length / ((double) plan->request->topics * plan->fit.d);
}

static DpemReleaseSpec
spec_of(const DpemLdaPlan *plan)
{
	DpemReleaseSpec spec = dpem_fit_spec(&plan->fit, 0, 1, 0);

	spec.contribution = DPEM_DOCUMENT;
	return spec;
}

/* of the budget, for the first release */
static double
terms_share(const DpemLdaPlan *plan)
{
	DpemReleaseSpec spec = spec_of(plan);
	double		sd[3];

	if (!plan->shrink)
		return 0;
	if (!dpem_fit_is_sampled(&plan->fit))
		return dpem_lda_terms_share();
	dpem_release_noise(&spec, plan->request->topics, plan->fit.d, dpem_fit_exact_multiplier(&plan->fit, 1),
					   &sd[0], &sd[1], &sd[2]);
	return dpem_lda_only_terms_share(sd[1] * plan->radius, mean_words(plan, plan->fit.public_rows));
}

/* of the budget, for how far documents' words decide on their mixtures: nothing where that is given or no question */
static double
choice_share(const DpemLdaPlan *plan)
{
	const DpemLdaRequest *r = plan->request;
	bool		chosen = plan->shrink && isnan(r->alpha) && r->topics > 1 && plan->fit.d >= DPEM_LDA_GAINS;

	return chosen ? dpem_lda_choice_share() : 0;
}

static void
plan_stages(DpemLdaPlan *plan)
{
	double		share = terms_share(plan);
	double		choice = fmin(choice_share(plan), (1 - share) / 2);

	plan->fit.stage[DPEM_LDA_TERMS] = (DpemFitStage) {
		.statistic = "terms",.share = share,.releases = 1,.spec = spec_of(plan),
			.layout = {1, plan->fit.d, DPEM_SECOND_NONE}
	};
	plan->fit.stage[DPEM_LDA_CHOICE] = (DpemFitStage) {
		.statistic = "choice",.share = choice,.releases = dpem_fit_is_sampled(&plan->fit) ? 1 : 2,.spec = spec_of(plan),
			.layout = {dpem_lda_judged_topics(plan->request), plan->fit.d, DPEM_SECOND_NONE}
	};
	plan->fit.stage[DPEM_LDA_TOPICS] = (DpemFitStage) {
		.statistic = "topics",.share = 1 - share - choice,.releases = plan->fit.iterations,.spec = spec_of(plan),
			.layout = {plan->request->topics, plan->fit.d, DPEM_SECOND_NONE},.sampled = true
	};
	dpem_fit_plan_stages(&plan->fit, DPEM_LDA_STAGES);
}

DpemFitPlan *
dpem_lda_plan(const DpemFitRequest *request)
{
	DpemLdaPlan *plan = palloc0(sizeof(DpemLdaPlan));

	plan->request = (const DpemLdaRequest *) request;
	dpem_fit_plan_init(&plan->fit, request);
	check_request(plan);
	choose(plan);
	plan_stages(plan);
	return &plan->fit;
}

/* one release's rows, from units of the ball to those of the radius; returns the noise in an entry */
static double
forecast_stage(const DpemFitPlan *plan, DpemForecast *f, int stage, double radius)
{
	const DpemFitStage *s = &plan->stage[stage];
	DpemForecastRow *row;

	if (s->line < 0)
		return 0;
	dpem_forecast_joint(f, s->line, &s->spec, s->layout.k, &row, NULL);
	row->sensitivity *= radius;
	row->deviation *= radius;
	return row->deviation;
}

void
dpem_lda_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemLdaPlan *plan = (const DpemLdaPlan *) fit;
	double		mean = mean_words(plan, dpem_fit_sample_rows(fit));
	double		noise;

	(void) forecast_stage(fit, f, DPEM_LDA_TERMS, plan->radius);
	(void) forecast_stage(fit, f, DPEM_LDA_CHOICE, DPEM_LDA_GAIN_RADIUS);
	noise = forecast_stage(fit, f, DPEM_LDA_TOPICS, plan->radius);
	if (mean > 0)
		dpem_forecast_remark(f, noise > mean ? "warning: noise exceeds the mean words of a topic and term, which are"
							 : "mean words of a topic and term", mean);
}

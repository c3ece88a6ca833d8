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
#include "core/lda/lda_estimate.h"
#include "families/lda/lda_request.h"

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

static void
check_request(const DpemLdaPlan *plan)
{
	const DpemLdaRequest *r = plan->request;

	if ((double) r->topics * plan->fit.d > MOST_ENTRIES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%d topics of %d terms are more than %d numbers", r->topics, plan->fit.d, MOST_ENTRIES),
				 errhint("Ask for fewer topics.")));
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
	plan->spec = (DpemReleaseSpec) {
		.sum_weight = 1,.replace_one = plan->fit.dataset->replace_one,
			.rows_per_unit = plan->fit.dataset->max_rows_per_unit,.contribution = DPEM_DOCUMENT
	};
	if (plan->fit.iterations == 0)
		plan->fit.iterations = dpem_lda_iterations(plan->fit.sample.rate);
}

/* words of a topic and term, were all as frequent, in rows that are public; else 0 */
static double
mean_words(const DpemLdaPlan *plan, double rows)
{
	return rows * plan->request->length / ((double) plan->request->topics * plan->fit.d);
}

/* of the budget, for the words of all topics */
static double
terms_share(const DpemLdaPlan *plan)
{
	double		sd[3];

	if (!plan->shrink)
		return 0;
	dpem_release_noise(&plan->spec, plan->request->topics, plan->fit.d, dpem_fit_exact_multiplier(&plan->fit, 1),
					   &sd[0], &sd[1], &sd[2]);
	return dpem_lda_terms_share(sd[1] * plan->radius, mean_words(plan, plan->fit.public_rows));
}

static int
add_line(DpemLdaPlan *plan, const char *name, int k, const DpemCostLine *cost)
{
	DpemMomentLayout layout = {k, plan->fit.d, DPEM_SECOND_NONE};

	dpem_release_check(&plan->spec, &layout, cost->noise_multiplier);
	return dpem_fit_add_line(&plan->fit, name, "gaussian", cost);
}

static void
add_lines(DpemLdaPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;
	double		share = terms_share(plan);
	double		root_sum = sqrt(share) + sqrt(1 - share);
	DpemCostLine cost;

	if (share > 0)
	{
		cost = dpem_fit_gaussian_cost(fit, false, share, root_sum, 1);
		plan->terms_line = add_line(plan, "terms", 1, &cost);
	}
	cost = dpem_fit_gaussian_cost(fit, true, 1 - share, root_sum, fit->iterations);
	plan->topics_line = add_line(plan, "topics", plan->request->topics, &cost);
}

DpemLdaPlan *
dpem_lda_plan(const DpemLdaRequest *request)
{
	DpemLdaPlan *plan = palloc0(sizeof(DpemLdaPlan));

	plan->request = request;
	plan->terms_line = plan->topics_line = -1;
	dpem_fit_plan_init(&plan->fit, &request->fit);
	check_request(plan);
	choose(plan);
	if (plan->fit.noisy)
		add_lines(plan);
	return plan;
}

/* one release's rows, from units of the ball to words; returns the noise in an entry */
static double
forecast_line(const DpemLdaPlan *plan, DpemForecast *f, int line, int k)
{
	DpemForecastRow *row;

	dpem_forecast_joint(f, line, &plan->spec, k, &row, NULL);
	row->sensitivity *= plan->radius;
	row->deviation *= plan->radius;
	return row->deviation;
}

void
dpem_lda_forecast(const DpemLdaPlan *plan, DpemForecast *f)
{
	int			k = plan->request->topics;
	double		mean = mean_words(plan, dpem_fit_sample_rows(&plan->fit));
	double		noise;

	dpem_forecast_begin(f, &plan->fit);
	if (plan->terms_line >= 0)
		(void) forecast_line(plan, f, plan->terms_line, 1);
	noise = forecast_line(plan, f, plan->topics_line, k);
	if (mean > 0)
		dpem_forecast_remark(f, noise > mean ? "warning: noise exceeds the mean words of a topic and term, which are"
							 : "mean words of a topic and term", mean);
	dpem_forecast_total(f);
}

/*
 * evaluation_topics.c - how well documents are predicted by released topics.
 *
 * A document's topics are estimated from one half of its words, which then predict the others (document completion; Wallach,
 * Murray, Salakhutdinov, Mimno 2009, section 5.1), as dp_lda_perplexity does.  What it adds is two numbers
 * whose sum is its part of all words and whose ratio is how badly they were predicted
 * (dpem_lda_losses; docs/proofs.md, 16): perplexity is a ratio of two sums of one release.
 */
#include "postgres.h"

#include <math.h>

#include "core/evaluation/evaluate_rules.h"
#include "core/kernels/kernel.h"
#include "core/lda/lda_evaluate.h"
#include "families/evaluation/evaluation.h"
#include "fit/fit_arguments.h"
#include "fit/fit_stages.h"
#include "server/fit_memory.h"

void
dpem_evaluation_topics_arguments(const DpemArguments *a, DpemEvaluationRequest *r)
{
	bool		topics = r->kind == DPEM_EVALUATE_TOPICS;

	if (!topics && dpem_is_given(a, "document_column"))
		dpem_refuse_argument("document_column must be null for a model that is not of topics", "Leave it out.");
	if (!topics && dpem_is_given(a, "document_length"))
		dpem_refuse_argument("document_length must be null for a model that is not of topics", "Leave it out.");
	if (!topics)
		return;
	r->fit.bind.rows = DPEM_BIND_DOCUMENTS;
	r->fit.bind.document_column = dpem_optional_named_text(a, "document_column", false);
	r->length = dpem_is_given(a, "document_length") ? dpem_named_int_between(a, "document_length", 1, DPEM_LDA_MAX_LENGTH)
		: DPEM_EVALUATE_WORDS;
}

/* the passes know terms by their numbers */
static void
require_vocabulary(const DpemEvaluationPlan *plan)
{
	const DpemModel *model = plan->request->model;
	char	  **term = dpem_binding_coordinates(plan->fit.binding);
	bool		same = model->d == plan->fit.d && model->d >= DPEM_LDA_LOSSES;

	for (int v = 0; same && v < model->d; v++)
		same = strcmp(term[v], model->column[v]) == 0;
	if (!same)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("the vocabulary of column \"%s\" of dataset \"%s\" is not that of model \"%s\"",
						dpem_binding_documents(plan->fit.binding)->name, plan->fit.dataset->name, plan->request->name),
				 errhint("Register the documents with the same terms, at least %d, in the same order.", DPEM_LDA_LOSSES)));
}

/* parameters of the pass, which would refuse topics that no fit has made after the charge */
static double *
write_task(const DpemEvaluationPlan *plan, const DpemMomentLayout *layout)
{
	const DpemEvaluationRequest *r = plan->request;
	DpemLdaTask task = *r->family->use.topics(r->ready);
	double	   *theta = dpem_fit_allocate(dpem_kernel_lda.theta_length(layout));

	task.length = r->length;
	task.sums = DPEM_LDA_SUM_LOSSES;
	task.low = r->low;
	task.high = r->high;
	dpem_lda_task_write(&task, theta);
	memcpy(theta + DPEM_LDA_TASK_WEIGHTS(task.k, task.terms), task.weight, (size_t) task.k * task.terms * sizeof(double));
	if (!dpem_lda_task_valid(layout, theta))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("topics of model \"%s\" are no distributions of words", r->name)));
	return theta;
}

void
dpem_evaluation_plan_topics(DpemEvaluationPlan *plan)
{
	DpemMomentLayout layout = {plan->request->model->k, plan->fit.d, DPEM_SECOND_NONE};
	DpemReleaseSpec spec = dpem_fit_spec(&plan->fit, 0, 1, 0);

	require_vocabulary(plan);
	plan->task = write_task(plan, &layout);
	plan->fit.clip_norm = 1;
	spec.contribution = DPEM_DOCUMENT;
	plan->fit.stage[DPEM_EVALUATE_SUMS] = (DpemFitStage) {
		.statistic = "words",.share = 1,.releases = 1,.spec = spec,.layout = layout
	};
}

/* noise in words */
void
dpem_evaluation_forecast_topics(const DpemEvaluationPlan *plan, DpemForecast *f)
{
	const DpemFitStage *stage = &plan->fit.stage[DPEM_EVALUATE_SUMS];
	DpemForecastRow *row;

	if (stage->line < 0)
		return;
	dpem_forecast_joint(f, stage->line, &stage->spec, stage->layout.k, &row, NULL);
	row->sensitivity *= plan->request->length;
	row->deviation *= plan->request->length;
}

/* decreasing: ends change places */
static DpemStatisticValue
perplexity_of(DpemStatisticValue mean)
{
	double		perplexity = exp(-mean.value);

	return (DpemStatisticValue) {perplexity, perplexity * mean.sd, exp(-mean.upper), exp(-mean.lower), 0};
}

void
dpem_evaluation_judge_topics(const DpemEvaluationPlan *plan, DpemFitRun *run, DpemEvaluation *e)
{
	const DpemEvaluationRequest *r = plan->request;
	const DpemFitStage *s = &plan->fit.stage[DPEM_EVALUATE_SUMS];
	DpemNoisyMoments *m;
	DpemStatisticValue part;
	DpemStatisticValue mean;
	double		words;
	double		reach;

	dpem_fit_report(run, s->statistic, 0);
	run->pass.map.radius = 1;
	m = dpem_fit_release_stage(run, DPEM_EVALUATE_SUMS, &dpem_kernel_lda, &s->layout, plan->task);
	words = r->length * (m->value[1] + m->value[2]);
	reach = dpem_noise_half_width(DPEM_NOISE_GAUSSIAN, r->length * M_SQRT2 * m->sum_sd, 0);
	dpem_evaluation_add_metric(e, "words", (DpemStatisticValue) {words, r->length * M_SQRT2 * m->sum_sd, words - reach, words + reach, 0});
	dpem_evaluate_ratio(DPEM_LDA_LOSSES, m->value + 1, m->sum_sd, (double[]) {0, 1}, (double[]) {1, 1}, 0, 1, &part);
	mean.value = r->high - (r->high - r->low) * part.value;
	mean.sd = (r->high - r->low) * part.sd;
	mean.lower = r->high - (r->high - r->low) * part.upper;
	mean.upper = r->high - (r->high - r->low) * part.lower;
	dpem_evaluation_add_metric(e, "mean_log_likelihood", mean);
	dpem_evaluation_add_metric(e, "perplexity", perplexity_of(mean));
}

/*
 * lda.c - topics of documents: dp_lda_fit, dp_lda_plan.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "core/kernels/lda_kernel.h"
#include "families/lda/lda.h"
#include "fit/fit_arguments.h"

#define SHOWN_TERMS	10			/* of each topic in the result */

/* ---- arguments ---- */

/* one number, or several, whose topics are judged side by side */
static void
read_topics(const DpemArguments *a, DpemLdaRequest *r)
{
	const DpemSizes *c = &r->fit.candidates;
	int			all = 0;

	r->topics = dpem_named_sizes(a, "topics", &r->fit);
	if (r->topics < 1 || r->topics > DPEM_LDA_MAX_TOPICS)
		dpem_fit_bad_argument("topics", psprintf("%d", r->topics), psprintf("between 1 and %d", DPEM_LDA_MAX_TOPICS));
	for (int i = 0; i < c->n; i++)
		all += c->k[i];
	if (c->n > DPEM_LDA_MOST_SETS || all > DPEM_LDA_MAX_TOPICS)
		dpem_refuse_argument(psprintf("topics must be at most %d numbers that add up to at most %d", DPEM_LDA_MOST_SETS, DPEM_LDA_MAX_TOPICS),
							 "Choose among fewer numbers.");
}

static void
refuse_choices(const DpemLdaRequest *r)
{
	dpem_refuse_choice(&r->fit, !r->shrink, "estimator => 'truncation'", "Only estimator shrinkage releases what a choice can be made of.");
	dpem_refuse_choice(&r->fit, !isnan(r->alpha), "alpha", "It is chosen with the number of topics; leave it out, or give one number.");
	dpem_refuse_choice(&r->fit, r->start != NULL, "init_topics", "Leave it out, or give one number.");
}

static void
read_own(const DpemArguments *a, DpemFitRequest *request)
{
	DpemLdaRequest *r = (DpemLdaRequest *) request;

	request->bind.rows = DPEM_BIND_DOCUMENTS;
	request->bind.document_column = dpem_optional_named_text(a, "document_column", false);
	read_topics(a, r);
	r->clip = dpem_named_between(a, "clip_fraction", 1e-6, 1);
	r->length = dpem_named_int_between(a, "document_length", 0, DPEM_LDA_MAX_LENGTH);
	r->alpha = dpem_named_between(a, "alpha", 1e-3, 1e6);
	r->eta = dpem_named_between(a, "eta", 1e-3, 1e6);
	r->tau0 = dpem_named_between(a, "tau0", 0, 1e9);
	r->kappa = dpem_named_between(a, "kappa", 0, 1);
	r->shrink = dpem_named_choice(a, "estimator", "shrinkage", "truncation");
	r->resample = dpem_is_given(a, "resample") ? dpem_named_bool(a, "resample") : !r->shrink;
	r->start = dpem_named_float8_array(a, "init_topics", &r->nstart);
	for (int i = 0; i < r->nstart; i++)
		dpem_check_magnitude("init_topics", r->start[i], 1e-3);
	refuse_choices(r);
}

/* ---- rows ---- */

/* the most probable terms, most probable first */
static Datum
top_terms(const double *lambda, char **vocabulary, int terms)
{
	int			shown = Min(terms, SHOWN_TERMS);
	int			top[SHOWN_TERMS];
	Datum		words[SHOWN_TERMS];
	int			n = 0;

	for (int v = 0; v < terms; v++)
	{
		int			at = n < shown ? n++ : shown - 1;

		if (at == shown - 1 && n == shown && v >= shown && !(lambda[v] > lambda[top[at]]))
			continue;
		for (; at > 0 && lambda[v] > lambda[top[at - 1]]; at--)
			top[at] = top[at - 1];
		top[at] = v;
	}
	for (int i = 0; i < n; i++)
		words[i] = CStringGetTextDatum(vocabulary[top[i]]);
	return PointerGetDatum(construct_array(words, n, TEXTOID, -1, false, TYPALIGN_INT));
}

static void
emit_topic(const DpemFitPlan *plan, const DpemModel *model, int topic, DpemFitRows *rows)
{
	const double *weight = model->value[DPEM_LDA_WEIGHT];
	const double *lambda = (const double *) model->value[DPEM_LDA_LAMBDA] + (size_t) topic * model->d;

	dpem_fit_row(rows);
	dpem_fit_put(rows, "topic", Int32GetDatum(topic + 1));
	dpem_fit_put(rows, "weight", Float8GetDatum(weight[topic]));
	dpem_fit_put(rows, "terms", top_terms(lambda, dpem_binding_coordinates(plan->binding), model->d));
	if (rows->model == NULL)
		dpem_fit_put(rows, "lambda", dpem_float8_array(lambda, model->d));
	if (model->more)
		dpem_fit_put(rows, "bounds", dpem_float8_array(model->more, plan->iterations));
	dpem_fit_row_end(rows);
}

/*
 * A row per topic: its part of all words and its most probable terms; where no
 * model is stored, its parameters and the bound before each pass too.
 */
static void
emit(const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows)
{
	for (int topic = 0; topic < model->k; topic++)
		emit_topic(plan, model, topic, rows);
}

static void
describe(const DpemFitPlan *plan, DpemModelRecord *record)
{
	record->estimator = ((const DpemLdaPlan *) plan)->shrink ? "shrinkage" : "truncation";
}

/* ---- the family ---- */

#define LDA(more) "dp_lda_fit('dpem_selftest', 2, 4, 1e-6, " more ")"

static const DpemSelftestCase selftest[] = {
	{"lda", LDA("iterations => 3"), 0},
	{"lda, topics given up or not", LDA("iterations => 5"), 0},
	{"lda, topics among several", "dp_lda_fit('dpem_selftest', '{1,2}'::text, 4, 1e-6, iterations => 3)", 0},
	{"lda, truncation", LDA("iterations => 2, estimator => 'truncation', resample => false, clip_fraction => 1"), 0},
	{"lda, samples", LDA("iterations => 4, composition => 'rdp', sampling_rate => 0.5"), DPEM_SELFTEST_DRAWS},
	{NULL}
};

const DpemFamily dpem_family_lda = {
	.name = "lda",.title = "a topic model",.request_size = sizeof(DpemLdaRequest),
	.read = read_own,.plan = dpem_lda_plan,.forecast = dpem_lda_forecast,.run = dpem_lda_run,.describe = describe,.emit = emit,
	.table = {
		{
			.name = "lda_parameter",.number = "topic",.rows = DPEM_ROW_OF_COMPONENT,
			.field = {
				[DPEM_LDA_WEIGHT] = {.column = "weight",.shape = DPEM_FIELD_NUMBER},
				[DPEM_LDA_ALPHA] = {.column = "alpha",.shape = DPEM_FIELD_NUMBER,.loaded = true},
				[DPEM_LDA_LAMBDA] = {.column = "lambda",.shape = DPEM_FIELD_VECTOR,.loaded = true}
			}
		}
	},
	.use = {.load = dpem_lda_load,.transform = dpem_lda_use_transform,.topics = dpem_lda_use_topics},
	.picture = {
		[DPEM_PICTURE_TOPICS] = {
			"SELECT t.term, t.topic::float8, w.weight, t.weight FROM dpem.lda_topics t JOIN"
				" (SELECT topic, weight, row_number() OVER (ORDER BY weight DESC, topic) AS place"
				"  FROM dpem.lda_topic_weights WHERE model = $1) w USING (topic)"
				" WHERE t.model = $1 AND t.rank <= " DPEM_PICTURE_TERMS " AND w.place <= " DPEM_PICTURE_LISTS " ORDER BY t.topic, t.rank",
				"Part of all words beside each topic; probability of each term in it, in per cent", "Topic"
		}
	},
	.selftest = selftest
};

DPEM_FAMILY_FUNCTIONS(lda)

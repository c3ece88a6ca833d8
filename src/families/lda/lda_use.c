/*
 * lda_use.c - using topics: mixtures of documents, and how well documents are predicted.
 *
 * All of it reads released topics and what the caller passes in.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "storage/shmem.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "core/lda/lda_estimate.h"
#include "core/lda/lda_evaluate.h"
#include "export/kept_models.h"
#include "families/lda/lda.h"
#include "scan/document_reader.h"
#include "server/aggregate_support.h"
#include "server/argument_list.h"

PG_FUNCTION_INFO_V1(dp_lda_transform);
PG_FUNCTION_INFO_V1(dpem_lda_perplexity_transition);
PG_FUNCTION_INFO_V1(dpem_lda_perplexity_final);

/* topics made ready for documents, for the length of a query */
typedef struct ReadyTopics
{
	DpemModel  *model;
	DpemLdaTask task;
	DpemDocumentReader *reader; /* NULL for dp_transform */
	DpemLdaDocument document;	/* room for all terms */
	DpemLdaDocument half;
	double	   *mixture;		/* k */
	double	   *work;
} ReadyTopics;

static void
make_room(DpemLdaDocument *document, int terms)
{
	document->term = palloc(Max(terms, 1) * sizeof(int32));
	document->count = palloc(Max(terms, 1) * sizeof(double));
}

/* E[beta], by term and topic */
static double *
probabilities(const DpemModel *model)
{
	DpemLdaTopics topics = {model->k, model->d, dpem_model_numbers(model, DPEM_LDA_LAMBDA)};
	Size		entries = mul_size(model->k, model->d);
	double	   *probability = MemoryContextAllocHuge(CurrentMemoryContext, mul_size(entries, sizeof(double)));

	dpem_lda_probabilities(&topics, probability);
	return probability;
}

void *
dpem_lda_load(DpemModel *model)
{
	ReadyTopics *ready = palloc0(sizeof(ReadyTopics));

	ready->model = model;
	ready->task = dpem_lda_evaluation(model->k, model->d, model->value[DPEM_LDA_ALPHA], probabilities(model));
	pfree(dpem_model_numbers(model, DPEM_LDA_LAMBDA));
	make_room(&ready->document, ready->task.terms);
	make_room(&ready->half, ready->task.terms);
	ready->mixture = palloc(ready->task.k * sizeof(double));
	ready->work = dpem_aggregate_doubles(dpem_lda_work(ready->task.k, ready->task.terms));
	return ready;
}

/* x: how often each term of the vocabulary occurs */
const double *
dpem_lda_use_transform(void *model, const double *x, int *n)
{
	ReadyTopics *ready = model;

	ready->document.terms = 0;
	for (int v = 0; v < ready->task.terms; v++)
	{
		if (!(x[v] > 0))
			continue;
		ready->document.term[ready->document.terms] = v;
		ready->document.count[ready->document.terms++] = x[v];
	}
	dpem_lda_mixture(&ready->task, &ready->document, ready->mixture, ready->work);
	*n = ready->task.k;
	return ready->mixture;
}

const DpemLdaTask *
dpem_lda_use_topics(void *model)
{
	return &((const ReadyTopics *) model)->task;
}

static ReadyTopics *
make_ready(FunctionCallInfo fcinfo, const char *name, int at)
{
	ReadyTopics *ready = dpem_lda_load(dpem_model_load(name, &dpem_family_lda));

	ready->reader = dpem_document_reader_create(getBaseType(get_fn_expr_argtype(fcinfo->flinfo, at)), ready->model->column, ready->task.terms);
	return ready;
}

/* of dp_lda_transform, with a reader of its documents */
static void *
make_for_transform(FunctionCallInfo fcinfo, const char *name)
{
	return make_ready(fcinfo, name, 1);
}

static void *
make_for_perplexity(FunctionCallInfo fcinfo, const char *name)
{
	return make_ready(fcinfo, name, 2);
}

static void
read_document(ReadyTopics *ready, Datum value, DpemLdaDocument *document)
{
	if (!dpem_document_reader_read(ready->reader, value, document))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("document must be one row of terms, or two rows, of terms and of counts of at least 1, without nulls")));
}

/* dp_lda_transform(model text, document): the posterior mean of its topic mixture */
Datum
dp_lda_transform(PG_FUNCTION_ARGS)
{
	ReadyTopics *ready = dpem_kept_model(fcinfo, dpem_text_argument(fcinfo, 0, "model"), make_for_transform);
	DpemLdaDocument document;

	read_document(ready, PG_GETARG_DATUM(1), &document);
	dpem_lda_mixture(&ready->task, &document, ready->mixture, ready->work);
	PG_RETURN_DATUM(dpem_float8_array(ready->mixture, ready->task.k));
}

static double *
sums_of(ArrayType *state)
{
	if (state == NULL || ARR_NDIM(state) != 1 || ARR_DIMS(state)[0] != 2 || ARR_HASNULL(state))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("malformed state of dp_lda_perplexity")));
	return (double *) ARR_DATA_PTR(state);
}

/*
 * State of dp_lda_perplexity: {log-probability of the second halves of the
 * documents so far, their words}.
 */
Datum
dpem_lda_perplexity_transition(PG_FUNCTION_ARGS)
{
	ArrayType  *state;
	double	   *sum;
	ReadyTopics *ready;
	DpemLdaDocument document;

	(void) dpem_aggregate_context(fcinfo, "dp_lda_perplexity");
	state = PG_ARGISNULL(0) ? NULL : PG_GETARG_ARRAYTYPE_P_COPY(0);
	sum = sums_of(state);
	if (PG_ARGISNULL(2))
		PG_RETURN_POINTER(state);
	ready = dpem_kept_model(fcinfo, dpem_text_argument(fcinfo, 1, "model"), make_for_perplexity);
	read_document(ready, PG_GETARG_DATUM(2), &document);
	dpem_lda_complete(&ready->task, &document, &ready->half, ready->mixture, &sum[0], &sum[1], ready->work);
	PG_RETURN_POINTER(state);
}

/* exp of minus the mean log-probability; NULL without words */
Datum
dpem_lda_perplexity_final(PG_FUNCTION_ARGS)
{
	const double *sum = sums_of(PG_GETARG_ARRAYTYPE_P(0));

	if (!(sum[1] > 0))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(exp(-sum[0] / sum[1]));
}

/*
 * topic_aggregate.c - the aggregate dpem_internal.topic_counts(pass bytea, vocabulary
 * text[], VARIADIC "any"): words of documents by topic and term, or what is gained or lost by
 * predicting them from topics.
 *
 * After the vocabulary come boolean flags, which say whether the row counts at
 * all, and the document (document_reader.h).  A document costs what its own
 * distinct terms and the topics cost; of the size of the vocabulary there is
 * one set of sums per process, and nothing per document.
 *
 * Resampling draws from cryptographic randomness, for each document by itself,
 * so that what is drawn for one does not depend on any other (docs/proofs.md, 16).
 * Otherwise the state is the same whatever the order of rows or the number of
 * workers.  Nothing here raises because of what a row holds.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "core/lda/lda_choice.h"
#include "core/lda/lda_evaluate.h"
#include "scan/document_reader.h"
#include "scan/moment_state.h"
#include "scan/pass.h"
#include "scan/row_value.h"
#include "server/aggregate_support.h"
#include "server/entropy.h"

#define AGGREGATE	"dpem_internal.topic_counts"
#define FIRST_FLAG	3			/* argument */
#define FIRST_ROOM	256			/* distinct terms */

typedef struct TopicState
{
	DpemMomentState shared;
	MemoryContext context;
	DpemPass	pass;
	DpemLdaTask task;
	DpemDocumentReader *documents;
	int			nargs;
	DpemSampler *sampler;		/* NULL without resampling */
	int			room;			/* distinct terms there is workspace for */
	double	   *work;
	DpemLdaDocument half;		/* of a document, where its words are predicted */
} TopicState;

PG_FUNCTION_INFO_V1(dpem_topic_counts_transition);

/* documents are added as they come; what is left of the random bits goes */
static void
finish(DpemMomentState *shared)
{
	TopicState *state = (TopicState *) shared;

	if (state->sampler != NULL)
	{
		dpem_sampler_wipe(state->sampler);
		dpem_sampler_init(state->sampler, &dpem_strong_entropy);
	}
}

static void
read_pass(FunctionCallInfo fcinfo, TopicState *state)
{
	DpemPass   *pass = &state->pass;

	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg(AGGREGATE " needs a pass and a vocabulary")));
	dpem_pass_read(PG_GETARG_BYTEA_PP(1), pass);
	if (pass->kernel != &dpem_kernel_lda)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg(AGGREGATE " does not compute a pass of kernel %s", pass->kernel->name)));
	dpem_lda_task_read(&pass->layout, pass->theta, &state->task);
}

/* flags, then the document */
static void
check_arguments(FunctionCallInfo fcinfo, const TopicState *state)
{
	bool		good = state->nargs > FIRST_FLAG;

	for (int i = FIRST_FLAG; i < state->nargs - 1; i++)
		good &= get_fn_expr_argtype(fcinfo->flinfo, i) == BOOLOID;
	if (!good)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("columns given to " AGGREGATE " do not match its pass")));
}

static TopicState *
create_state(FunctionCallInfo fcinfo, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	TopicState *state = palloc0(sizeof(TopicState));
	char	  **vocabulary;
	int			terms;

	state->context = context;
	state->nargs = PG_NARGS();
	read_pass(fcinfo, state);
	check_arguments(fcinfo, state);
	vocabulary = dpem_document_vocabulary(PG_GETARG_DATUM(2), &terms);
	if (terms != state->task.terms)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the vocabulary given to " AGGREGATE " does not match its pass")));
	state->documents = dpem_document_reader_create(getBaseType(get_fn_expr_argtype(fcinfo->flinfo, state->nargs - 1)),
												   vocabulary, terms);
	if (state->task.resampled)
	{
		state->sampler = palloc(sizeof(DpemSampler));
		dpem_sampler_init(state->sampler, &dpem_strong_entropy);
	}
	dpem_moment_state_init(&state->shared, dpem_raw_moments_create(state->pass.kernel, &state->pass.layout, state->pass.map.bits > 0), finish);
	MemoryContextSwitchTo(old);
	return state;
}

static void
make_room(TopicState *state, int terms)
{
	MemoryContext old;

	if (terms <= state->room)
		return;
	old = MemoryContextSwitchTo(state->context);
	state->room = Min(Max(2 * terms, FIRST_ROOM), state->task.terms);
	/* the older workspace stays until the end of the pass: all of them together are less than twice the last */
	state->work = dpem_aggregate_doubles(dpem_lda_gain_work(state->task.k, state->room));
	if (state->task.sums != DPEM_LDA_SUM_WORDS)
	{
		state->half.term = palloc(state->room * sizeof(int32));
		state->half.count = palloc(state->room * sizeof(double));
	}
	MemoryContextSwitchTo(old);
}

/* is the row in, and what is its document?  That of a row that is out is fetched all the same */
static bool
read_document(FunctionCallInfo fcinfo, TopicState *state, DpemLdaDocument *document)
{
	int			last = state->nargs - 1;
	bool		kept = true;

	for (int i = FIRST_FLAG; i < last; i++)
		kept &= !PG_ARGISNULL(i) && PG_GETARG_BOOL(i);
	if (PG_ARGISNULL(last))
		return false;
	if (kept)
		return dpem_document_reader_read(state->documents, PG_GETARG_DATUM(last), document);
	dpem_row_value_pass_over(PG_GETARG_DATUM(last));
	return false;
}

/* the gains or losses of a document, in the place of the first terms of the first topic */
static void
add_predicted(TopicState *state, const DpemLdaDocument *document, int bits)
{
	bool		losses = state->task.sums == DPEM_LDA_SUM_LOSSES;
	int32		place[DPEM_LDA_GAINS * DPEM_LDA_MOST_SETS];
	double		number[DPEM_LDA_GAINS * DPEM_LDA_MOST_SETS];
	DpemLdaDocument places = {losses ? DPEM_LDA_LOSSES : DPEM_LDA_GAINS * dpem_lda_sets(&state->task), place, NULL};
	DpemLdaShare share = {1, number, NULL};
	DpemMomentLayout one = {1, state->task.terms, DPEM_SECOND_NONE};

	for (int i = 0; i < places.terms; i++)
		place[i] = i;
	(losses ? dpem_lda_losses : dpem_lda_gains) (&state->task, document, &state->half, number, state->work);
	if (!dpem_lda_clip(number, places.terms, state->pass.map.radius, bits))
		return;
	if (state->shared.moments->exact)
		dpem_lda_add_exact(&one, &places, &share, state->shared.moments->total);
	else
		dpem_lda_add_real(&one, &places, &share, state->shared.moments->real);
}

static void
add_document(TopicState *state, DpemLdaDocument *document)
{
	const DpemMomentLayout *layout = &state->pass.layout;
	DpemRawMoments *moments = state->shared.moments;
	int			bits = moments->exact ? state->pass.map.bits + state->pass.responsibility_bits : 0;
	double		bound = 0;
	DpemLdaShare share;

	make_room(state, document->terms);
	if (state->sampler != NULL)
		dpem_entropy_check(dpem_lda_resample(state->sampler, (int) state->task.length, document, state->work));
	if (state->task.sums != DPEM_LDA_SUM_WORDS)
	{
		add_predicted(state, document, bits);
		return;
	}
	share = dpem_lda_respond(&state->task, document, moments->exact ? NULL : &bound, state->work);
	if (!dpem_lda_clip(share.share, (size_t) document->terms * share.padded, state->pass.map.radius, bits))
		return;
	if (moments->exact)
		dpem_lda_add_exact(layout, document, &share, moments->total);
	else
	{
		dpem_lda_add_real(layout, document, &share, moments->real);
		/* a reader's own: where the first topic's count would stand, which lda does not release */
		moments->real[0] += bound;
	}
}

Datum
dpem_topic_counts_transition(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, AGGREGATE);
	TopicState *state;
	DpemLdaDocument document;

	if (PG_ARGISNULL(0))
		state = create_state(fcinfo, context);
	else
		state = (TopicState *) dpem_moment_state_taking_rows(PG_GETARG_POINTER(0));
	CHECK_FOR_INTERRUPTS();
	if (read_document(fcinfo, state, &document) && document.terms > 0)
		add_document(state, &document);
	PG_RETURN_POINTER(state);
}

/*
 * moment_state.c - combining, sending and finishing states of raw moments.
 *
 * dpem_internal.moments_total(state bytea) adds up what dpem_internal.moments returned for parts
 * of the rows, on this server or others.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/memutils.h"

#include "scan/moment_state.h"
#include "server/aggregate_support.h"

#define STATE_MAGIC 0x64706d73

PG_FUNCTION_INFO_V1(dpem_moments_combine);
PG_FUNCTION_INFO_V1(dpem_moments_serialize);
PG_FUNCTION_INFO_V1(dpem_moments_deserialize);
PG_FUNCTION_INFO_V1(dpem_moments_final);
PG_FUNCTION_INFO_V1(dpem_moments_total_transition);

void
dpem_moment_state_init(DpemMomentState *state, DpemRawMoments *moments, void (*flush) (DpemMomentState *state))
{
	state->magic = STATE_MAGIC;
	state->moments = moments;
	state->flush = flush;
}

static DpemMomentState *
check_state(void *pointer)
{
	DpemMomentState *state = pointer;

	if (state == NULL || state->magic != STATE_MAGIC)
		elog(ERROR, "dpem: corrupt state of dpem_internal.moments");
	return state;
}

DpemMomentState *
dpem_moment_state_taking_rows(void *pointer)
{
	DpemMomentState *state = check_state(pointer);

	if (state->flush == NULL)
		elog(ERROR, "dpem: a combined state cannot take rows");
	return state;
}

static void
flush(DpemMomentState *state)
{
	if (state->flush != NULL)
		state->flush(state);
}

static DpemMomentState *
wrap_moments(DpemRawMoments *moments)
{
	DpemMomentState *state = palloc0(sizeof(DpemMomentState));

	dpem_moment_state_init(state, moments, NULL);
	return state;
}

Datum
dpem_moments_combine(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, "dpem_internal.moments");
	DpemMomentState *left = PG_ARGISNULL(0) ? NULL : check_state(PG_GETARG_POINTER(0));
	DpemMomentState *right = PG_ARGISNULL(1) ? NULL : check_state(PG_GETARG_POINTER(1));

	if (right == NULL)
	{
		if (left == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(left);
	}
	flush(right);
	if (left == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		left = wrap_moments(dpem_raw_moments_create(right->moments->kernel, &right->moments->layout, right->moments->exact));
		MemoryContextSwitchTo(old);
	}
	flush(left);
	dpem_raw_moments_add(left->moments, right->moments);
	PG_RETURN_POINTER(left);
}

Datum
dpem_moments_serialize(PG_FUNCTION_ARGS)
{
	DpemMomentState *state;

	(void) dpem_aggregate_context(fcinfo, "dpem_internal.moments");
	state = check_state(PG_GETARG_POINTER(0));
	flush(state);
	PG_RETURN_BYTEA_P(dpem_raw_moments_write(state->moments));
}

Datum
dpem_moments_deserialize(PG_FUNCTION_ARGS)
{
	(void) dpem_aggregate_context(fcinfo, "dpem_internal.moments");
	PG_RETURN_POINTER(wrap_moments(dpem_raw_moments_parse(PG_GETARG_BYTEA_PP(0))));
}

Datum
dpem_moments_final(PG_FUNCTION_ARGS)
{
	DpemMomentState *state;

	(void) dpem_aggregate_context(fcinfo, "dpem_internal.moments");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = check_state(PG_GETARG_POINTER(0));
	flush(state);
	PG_RETURN_BYTEA_P(dpem_raw_moments_write(state->moments));
}

/* a NULL state is that of no row */
Datum
dpem_moments_total_transition(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, "dpem_internal.moments_total");
	DpemMomentState *total = PG_ARGISNULL(0) ? NULL : check_state(PG_GETARG_POINTER(0));

	if (PG_ARGISNULL(1))
	{
		if (total == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(total);
	}
	if (total == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		total = wrap_moments(dpem_raw_moments_parse(PG_GETARG_BYTEA_PP(1)));
		MemoryContextSwitchTo(old);
	}
	else
		dpem_raw_moments_add(total->moments, dpem_raw_moments_parse(PG_GETARG_BYTEA_PP(1)));
	PG_RETURN_POINTER(total);
}

/*
 * moments.c - the aggregate dpem.moments(pass bytea, VARIADIC "any").
 *
 * Its arguments are the pass and, in the order of the feature map's
 * coordinates, numeric columns or fixed-length float arrays; a boolean
 * argument says whether the row counts at all (a unit's quota), and before the
 * columns of a family with labels comes 1 or -1, the sign of the features.  A row with
 * a NULL, a NaN, an infinity or an array of another length is the null row.
 * Nothing here raises because of what a row holds.
 *
 * Rows are buffered into blocks; a full block goes through the feature map,
 * the family's link and the moments kernel (or, for counts alone, the family's
 * search for each row's component, or the family's own sums), and its exact sums are added in 128 bits.
 * The state is the same whatever the order of rows, the size of blocks or the
 * number of workers.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "core/logit_kernel.h"
#include "engine/aggregate_support.h"
#include "engine/column_reader.h"
#include "engine/moment_state.h"
#include "engine/pass.h"
#include "engine/raw_moments.h"

typedef struct MomentState
{
	DpemMomentState shared;
	DpemPass	pass;
	DpemColumnReader *columns;
	DpemBlock	block;
	double	   *sign;			/* of a family with labels */
	double	   *r;				/* of a family that responds */
	double	   *sums;
	int32	   *component;		/* of a family that locates */
	double	   *scratch;
} MomentState;

PG_FUNCTION_INFO_V1(dpem_moments_transition);

static void flush_block(DpemMomentState *shared);

static MomentState *
create_state(FunctionCallInfo fcinfo, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	MomentState *state = palloc0(sizeof(MomentState));
	DpemPass   *pass = &state->pass;
	size_t		scratch;

	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("dpem.moments needs a pass")));
	dpem_pass_read(PG_GETARG_BYTEA_PP(1), pass);
	if (pass->family->aggregate != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dpem.moments does not compute a pass of family %s", pass->family->name)));
	state->columns = dpem_column_reader_create(fcinfo, 2, pass->nargs, pass->arg_lengths,
											   pass->family->labelled);
	dpem_moment_state_init(&state->shared, dpem_raw_moments_create(&pass->layout, pass->map.bits > 0), flush_block);
	state->block.d = pass->layout.d;
	state->block.x = dpem_aggregate_doubles(mul_size(pass->layout.d, DPEM_BLOCK_STRIDE));
	state->block.keep = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
	if (pass->family->labelled)
		state->sign = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
	if (pass->family->locate != NULL)
		state->component = palloc(DPEM_BLOCK_ROWS * sizeof(int32));
	else
	{
		if (pass->family->respond != NULL)
			state->r = dpem_aggregate_doubles(mul_size(pass->layout.k, DPEM_BLOCK_STRIDE));
		state->sums = dpem_aggregate_doubles(dpem_moments_length(&pass->layout));
	}
	scratch = Max(pass->family->scratch_length(&pass->layout), dpem_moments_scratch(&pass->layout));
	if (pass->map.whitening != NULL)
		scratch = Max(scratch, (size_t) pass->layout.d * DPEM_BLOCK_STRIDE);
	state->scratch = dpem_aggregate_doubles(scratch);
	MemoryContextSwitchTo(old);
	return state;
}

/* products of responsibilities and features, or what a family has in their place */
static void
add_sums(MomentState *state)
{
	DpemPass   *pass = &state->pass;

	if (pass->family->accumulate != NULL)
		pass->family->accumulate(&pass->layout, pass->theta, &state->block, pass->map.bits,
								 pass->responsibility_bits, state->sums, state->scratch);
	else
	{
		pass->family->respond(&pass->layout, pass->theta, &state->block, pass->map.bits,
							  pass->responsibility_bits, state->r, state->scratch);
		dpem_moments_block(&pass->layout, &state->block, state->r, state->sums, state->scratch);
	}
	if (state->shared.moments->exact)
		dpem_moments_add_exact(state->shared.moments->total, state->sums, state->shared.moments->length);
	else
	{
		for (size_t i = 0; i < state->shared.moments->length; i++)
			state->shared.moments->real[i] += state->sums[i];
	}
}

/* one whole responsibility to the component of each row; no work for the others */
static void
add_located(MomentState *state)
{
	DpemPass   *pass = &state->pass;

	pass->family->locate(&pass->layout, pass->theta, &state->block, pass->map.bits,
						 state->component, state->scratch);
	if (state->shared.moments->exact)
		dpem_moments_add_located(&pass->layout, &state->block, state->component,
								 INT64CONST(1) << pass->responsibility_bits, state->shared.moments->total);
	else
		dpem_moments_add_located_real(&pass->layout, &state->block, state->component, state->shared.moments->real);
}

static void
flush_block(DpemMomentState *shared)
{
	MomentState *state = (MomentState *) shared;

	if (state->block.rows == 0)
		return;
	CHECK_FOR_INTERRUPTS();
	dpem_features_apply(&state->pass.map, &state->block, state->scratch);
	if (state->sign != NULL)
		dpem_logit_apply_signs(state->sign, &state->block);
	if (state->pass.family->locate != NULL)
		add_located(state);
	else
		add_sums(state);
	state->block.rows = 0;
}

Datum
dpem_moments_transition(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, "dpem.moments");
	MomentState *state;
	int			row;

	if (PG_ARGISNULL(0))
		state = create_state(fcinfo, context);
	else
		state = (MomentState *) dpem_moment_state_taking_rows(PG_GETARG_POINTER(0));
	row = state->block.rows;
	state->block.keep[row] =
		dpem_column_reader_read(state->columns, fcinfo, state->block.x + row,
								state->sign ? state->sign + row : NULL) ? 1.0 : 0.0;
	if (++state->block.rows == DPEM_BLOCK_ROWS)
		flush_block(&state->shared);
	PG_RETURN_POINTER(state);
}

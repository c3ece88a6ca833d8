/*
 * moments.c - the aggregate dpem.moments(pass bytea, VARIADIC "any").
 *
 * Its arguments are the pass and, in the order of the feature map's
 * coordinates, numeric columns or fixed-length float arrays; a boolean
 * argument says whether the row counts at all (a unit's quota, a filter); before the
 * columns comes, in a pass with groups, the row's group, and for a family with
 * labels 1 or -1, the sign of the features.  A row with no group, a NULL, a NaN, an infinity or an array of another length is the null row.
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

/* rows of a group that are not in the moments yet */
typedef struct GroupRows
{
	DpemBlock	block;
	double	   *sign;			/* of a family with labels */
	DpemFeatureMap map;
	const double *theta;
} GroupRows;

typedef struct MomentState
{
	DpemMomentState shared;		/* the moments of all groups */
	DpemPass	pass;
	DpemColumnReader *columns;
	GroupRows  *group;			/* one, or those of the pass */
	size_t		length;			/* numbers in a group's moments */
	double	   *r;				/* of a family that responds */
	double	   *sums;
	int32	   *component;		/* of a family that locates */
	double	   *scratch;
} MomentState;

PG_FUNCTION_INFO_V1(dpem_moments_transition);

static void flush_all(DpemMomentState *shared);

static void
create_groups(MomentState *state)
{
	const DpemPass *pass = &state->pass;
	int			n = Max(pass->groups, 1);

	state->group = palloc0(mul_size(n, sizeof(GroupRows)));
	for (int g = 0; g < n; g++)
	{
		GroupRows  *rows = &state->group[g];

		rows->block.d = pass->layout.d;
		rows->block.x = dpem_aggregate_doubles(mul_size(pass->layout.d, DPEM_BLOCK_STRIDE));
		rows->block.keep = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
		if (pass->family->labelled)
			rows->sign = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
		rows->map = dpem_pass_map(pass, g);
		rows->theta = dpem_pass_part(pass, g).theta;
	}
}

static MomentState *
create_state(FunctionCallInfo fcinfo, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	MomentState *state = palloc0(sizeof(MomentState));
	DpemPass   *pass = &state->pass;
	DpemMomentLayout all;
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
											   (DpemColumnHeads) {pass->groups, pass->family->labelled});
	all = dpem_pass_moments(pass);
	dpem_moment_state_init(&state->shared, dpem_raw_moments_create(&all, pass->map.bits > 0), flush_all);
	state->length = dpem_moments_length(&pass->layout);
	create_groups(state);
	if (pass->family->locate != NULL)
		state->component = palloc(DPEM_BLOCK_ROWS * sizeof(int32));
	else
	{
		if (pass->family->respond != NULL)
			state->r = dpem_aggregate_doubles(mul_size(pass->layout.k, DPEM_BLOCK_STRIDE));
		state->sums = dpem_aggregate_doubles(state->length);
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
add_sums(MomentState *state, const GroupRows *rows, size_t first)
{
	DpemPass   *pass = &state->pass;

	if (pass->family->accumulate != NULL)
		pass->family->accumulate(&pass->layout, rows->theta, &rows->block, pass->map.bits,
								 pass->responsibility_bits, state->sums, state->scratch);
	else
	{
		pass->family->respond(&pass->layout, rows->theta, &rows->block, pass->map.bits,
							  pass->responsibility_bits, state->r, state->scratch);
		dpem_moments_block(&pass->layout, &rows->block, state->r, state->sums, state->scratch);
	}
	if (state->shared.moments->exact)
		dpem_moments_add_exact(state->shared.moments->total + first, state->sums, state->length);
	else
	{
		for (size_t i = 0; i < state->length; i++)
			state->shared.moments->real[first + i] += state->sums[i];
	}
}

/* one whole responsibility to the component of each row; no work for the others */
static void
add_located(MomentState *state, GroupRows *rows, size_t first)
{
	DpemPass   *pass = &state->pass;

	pass->family->locate(&pass->layout, rows->theta, &rows->block, pass->map.bits,
						 state->component, state->scratch);
	if (state->shared.moments->exact)
		dpem_moments_add_located(&pass->layout, &rows->block, state->component,
								 INT64CONST(1) << pass->responsibility_bits, state->shared.moments->total + first);
	else
		dpem_moments_add_located_real(&pass->layout, &rows->block, state->component, state->shared.moments->real + first);
}

static void
flush_group(MomentState *state, int g)
{
	GroupRows  *rows = &state->group[g];
	size_t		first = g * state->length;

	if (rows->block.rows == 0)
		return;
	CHECK_FOR_INTERRUPTS();
	dpem_features_apply(&rows->map, &rows->block, state->scratch);
	if (rows->sign != NULL)
		dpem_logit_apply_signs(rows->sign, &rows->block);
	if (state->pass.family->locate != NULL)
		add_located(state, rows, first);
	else
		add_sums(state, rows, first);
	rows->block.rows = 0;
}

static void
flush_all(DpemMomentState *shared)
{
	MomentState *state = (MomentState *) shared;

	for (int g = 0; g < Max(state->pass.groups, 1); g++)
		flush_group(state, g);
}

/* a row without a group is a null row of the first one */
static void
add_row(MomentState *state, FunctionCallInfo fcinfo)
{
	int			g = dpem_column_reader_group(state->columns, fcinfo);
	GroupRows  *rows = &state->group[Max(g, 0)];
	int			row = rows->block.rows;
	bool		kept = dpem_column_reader_read(state->columns, fcinfo, rows->block.x + row,
											   rows->sign ? rows->sign + row : NULL);

	rows->block.keep[row] = kept && g >= 0 ? 1.0 : 0.0;
	if (++rows->block.rows == DPEM_BLOCK_ROWS)
		flush_group(state, Max(g, 0));
}

Datum
dpem_moments_transition(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, "dpem.moments");
	MomentState *state;

	if (PG_ARGISNULL(0))
		state = create_state(fcinfo, context);
	else
		state = (MomentState *) dpem_moment_state_taking_rows(PG_GETARG_POINTER(0));
	add_row(state, fcinfo);
	PG_RETURN_POINTER(state);
}

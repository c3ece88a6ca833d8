/*
 * moments.c - the aggregate dpem_internal.moments(pass bytea, VARIADIC "any").
 *
 * Its arguments are the pass and, in the order of the feature map's
 * coordinates, numeric columns or fixed-length float arrays; a boolean
 * argument says whether the row counts at all (a unit's quota, a filter); before the
 * columns comes, in a pass with groups, the row's group, and for a kernel with
 * labels 1 or -1, the sign of the features, or the number of one of more classes.  A row with no group, a NULL, a NaN, an infinity or an array of another length is the null row.
 * Nothing here raises because of what a row holds.
 *
 * Rows are buffered into blocks, each of rows of one group, which block_pass.c
 * adds up; a pass may say that they be kept for later ones, too
 * (resident_rows.h).  The state is the same whatever the order of rows, the
 * size of blocks or the number of workers.
 */
#include "postgres.h"

#include "fmgr.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "scan/block_pass.h"
#include "scan/column_reader.h"
#include "scan/moment_state.h"
#include "server/aggregate_support.h"

typedef struct MomentState
{
	DpemMomentState shared;		/* its moments are those of run */
	DpemColumnReader *columns;
	DpemBlockPass *run;
	int			groups;			/* at least 1 */
	DpemGroupRows *group;		/* rows of each that are not in the moments yet */
	DpemResidentRows *rows;		/* where later passes find them; NULL: nowhere */
} MomentState;

PG_FUNCTION_INFO_V1(dpem_moments_transition);

static void finish_rows(DpemMomentState *shared);

/* `own`: the pass is one that a scan of dpem's runs */
static void
create_groups(MomentState *state, bool own)
{
	const DpemPass *pass = &state->run->pass;

	state->groups = Max(pass->groups, 1);
	state->group = palloc(mul_size(state->groups, sizeof(DpemGroupRows)));
	for (int g = 0; g < state->groups; g++)
		state->group[g] = dpem_block_pass_rows(state->run, g);
	if (pass->rows == 0)
		return;
	if (own)
		state->rows = dpem_resident_rows_attach(pass->rows, pass->map.d, state->groups);
	if (state->rows == NULL || (dpem_resident_rows_codes(state->rows) > 0 && dpem_resident_rows_codes(state->rows) != dpem_block_pass_codes(pass)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("malformed pass given to dpem_internal.moments")));
}

static MomentState *
create_state(FunctionCallInfo fcinfo, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	MomentState *state = palloc0(sizeof(MomentState));
	DpemPass	pass;

	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("dpem_internal.moments needs a pass")));
	dpem_pass_read(PG_GETARG_BYTEA_PP(1), &pass);
	if (pass.kernel->aggregate != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dpem_internal.moments does not compute a pass of kernel %s", pass.kernel->name)));
	if (pass.kernel->own)
		dpem_own_pass_require(PG_GETARG_BYTEA_PP(1));
	state->columns = dpem_column_reader_create(fcinfo, 2, pass.nargs, pass.arg_lengths,
											   (DpemColumnHeads) {pass.groups, pass.classes, pass.unknown, pass.known, pass.told});
	state->run = dpem_block_pass_create(&pass);
	dpem_moment_state_init(&state->shared, state->run->moments, finish_rows);
	create_groups(state, dpem_own_pass_is(PG_GETARG_BYTEA_PP(1)));
	MemoryContextSwitchTo(old);
	return state;
}

static void
find_coordinates(const DpemPass *pass, DpemBlock *block)
{
	dpem_block_tell_known(pass->known, pass->told, block);
	dpem_block_apply_scales(pass->scale, block);
	dpem_block_fill_unknown(pass->known, pass->told, pass->map.lower, pass->map.upper, block);
}

static void
flush_group(MomentState *state, DpemGroupRows *rows)
{
	DpemResidentSlot *slot = NULL;
	bool		codes = state->rows != NULL && dpem_resident_rows_codes(state->rows) > 0;

	if (rows->block.rows == 0)
		return;
	find_coordinates(&state->run->pass, &rows->block);
	if (state->rows != NULL && !codes)
		slot = dpem_resident_rows_put(state->rows, rows);
	dpem_block_pass_prepare(state->run, rows, slot, DPEM_RESIDENT_FIRST_MAP);
	if (codes)
		dpem_resident_rows_put(state->rows, rows);
	dpem_block_pass_add(state->run, rows);
}

/* no more rows are kept */
static void
finish_rows(DpemMomentState *shared)
{
	MomentState *state = (MomentState *) shared;

	for (int g = 0; g < state->groups; g++)
		flush_group(state, &state->group[g]);
	dpem_block_pass_end(state->run);
	if (state->rows != NULL)
		dpem_resident_rows_detach(state->rows);
	state->rows = NULL;
}

/* a row without a group is a null row of the first one */
static void
add_row(MomentState *state, FunctionCallInfo fcinfo)
{
	int			g = dpem_column_reader_group(state->columns, fcinfo);
	DpemGroupRows *rows = &state->group[Max(g, 0)];
	int			row = rows->block.rows;
	bool		kept = dpem_column_reader_read(state->columns, fcinfo, rows->block.x + row,
											   rows->sign ? rows->sign + row : NULL);

	rows->block.keep[row] = kept && g >= 0 ? 1.0 : 0.0;
	if (++rows->block.rows == DPEM_BLOCK_ROWS)
		flush_group(state, rows);
}

Datum
dpem_moments_transition(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, "dpem_internal.moments");
	MomentState *state;

	if (PG_ARGISNULL(0))
		state = create_state(fcinfo, context);
	else
		state = (MomentState *) dpem_moment_state_taking_rows(PG_GETARG_POINTER(0));
	add_row(state, fcinfo);
	PG_RETURN_POINTER(state);
}

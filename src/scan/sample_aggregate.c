/*
 * sample_aggregate.c - the aggregate dpem_internal.block_means(pass bytea, VARIADIC "any"):
 * the sum of the outputs of an analysis within random blocks of rows, or how many of them are in each of many cells.
 *
 * Rows go through the feature map as in dpem_internal.moments and are kept, each in a
 * block drawn from cryptographic randomness, which is that of its unit where the query draws one for each unit: to which
 * block a row goes does not depend on its values, nor on other units' rows.  Of more rows than a block has room
 * for, a uniformly random choice is kept (reservoir sampling), so that what a block keeps depends on its own rows alone.  The final
 * function analyses every block and adds the outputs up.
 *
 * No worker computes a part: blocks need all their rows.  Nothing here raises
 * because of what a row holds or how many there are.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "core/robust/block_cells.h"
#include "scan/column_reader.h"
#include "scan/pass.h"
#include "scan/raw_moments.h"
#include "server/aggregate_support.h"
#include "server/entropy.h"

#define STATE_MAGIC		0x6470626d
#define AGGREGATE		"dpem_internal.block_means"

typedef struct BlockState
{
	uint32		magic;
	MemoryContext context;
	DpemPass	pass;
	DpemBlockCells task;
	DpemColumnReader *columns;
	DpemBlock	block;			/* rows on their way through the feature map */
	uint64	   *drawn;			/* of each of them, where the query draws */
	double	   *scratch;
	DpemSampler *sampler;
	uint64		room;			/* rows kept of a block */
	uint64	   *seen;			/* rows of each block that count */
	float	   *x;				/* blocks * room * d; integers up to 2^13 are exact */
} BlockState;

PG_FUNCTION_INFO_V1(dpem_block_means_transition);
PG_FUNCTION_INFO_V1(dpem_block_means_final);

/* what a pass asks for, and room for the rows, of which memory is used as they come */
static void
begin_blocks(BlockState *state)
{
	const DpemPass *pass = &state->pass;

	dpem_block_cells_of_pass(pass->kernel, &pass->layout, pass->theta, &state->task);
	state->room = dpem_block_room(&state->task.task);
	state->seen = palloc0(state->task.task.blocks * sizeof(uint64));
	state->x = MemoryContextAllocHuge(CurrentMemoryContext,
									  mul_size(mul_size(mul_size(state->task.task.blocks, state->room), pass->layout.d), sizeof(float)));
}

static BlockState *
create_state(FunctionCallInfo fcinfo, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	BlockState *state = palloc0(sizeof(BlockState));
	DpemPass   *pass = &state->pass;

	state->magic = STATE_MAGIC;
	state->context = context;
	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg(AGGREGATE " needs a pass")));
	dpem_pass_read(PG_GETARG_BYTEA_PP(1), pass);
	if (pass->kernel != &dpem_kernel_blocks && pass->kernel != &dpem_kernel_block_cells)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg(AGGREGATE " does not compute a pass of kernel %s", pass->kernel->name)));
	state->columns = dpem_column_reader_create(fcinfo, 2, pass->nargs, pass->arg_lengths,
											   (DpemColumnHeads) {.unknown = pass->unknown});
	begin_blocks(state);
	state->block.d = pass->layout.d;
	state->block.x = dpem_aggregate_doubles(mul_size(pass->layout.d, DPEM_BLOCK_STRIDE));
	state->block.keep = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
	state->drawn = palloc0(DPEM_BLOCK_STRIDE * sizeof(uint64));
	state->scratch = dpem_aggregate_doubles(mul_size(pass->layout.d, DPEM_BLOCK_STRIDE));
	state->sampler = palloc(sizeof(DpemSampler));
	dpem_sampler_init(state->sampler, &dpem_strong_entropy);
	MemoryContextSwitchTo(old);
	return state;
}

static uint64
draw(BlockState *state, uint64 n)
{
	uint64_t	value;

	dpem_entropy_check(dpem_sample_uniform(state->sampler, n, &value));
	return value;
}

/* the block of one more row, and its place there; false: it has none */
static bool
find_place(BlockState *state, int row, uint64 *place)
{
	uint64		blocks = state->task.task.blocks;
	uint64		block = dpem_column_reader_draws(state->columns) ? state->drawn[row] % blocks : draw(state, blocks);
	uint64		before = state->seen[block]++;
	uint64		at = before < state->room ? before : draw(state, before + 1);

	*place = block * state->room + at;
	return at < state->room;
}

static void
flush_block(BlockState *state)
{
	Size		d = state->pass.layout.d;

	if (state->block.rows == 0)
		return;
	CHECK_FOR_INTERRUPTS();
	dpem_block_apply_scales(state->pass.scale, &state->block);
	dpem_features_apply(&state->pass.map, &state->block, state->scratch);
	for (int row = 0; row < state->block.rows; row++)
	{
		uint64		place;

		if (state->block.keep[row] != 1.0 || !find_place(state, row, &place))
			continue;
		for (Size j = 0; j < d; j++)
			state->x[place * d + j] = (float) state->block.x[j * DPEM_BLOCK_STRIDE + row];
	}
	state->block.rows = 0;
}

static BlockState *
check_state(BlockState *state)
{
	if (state == NULL || state->magic != STATE_MAGIC)
		elog(ERROR, "dpem: corrupt state of " AGGREGATE);
	return state;
}

Datum
dpem_block_means_transition(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, AGGREGATE);
	BlockState *state;
	int			row;

	if (PG_ARGISNULL(0))
		state = create_state(fcinfo, context);
	else
		state = check_state((BlockState *) PG_GETARG_POINTER(0));
	row = state->block.rows;
	state->block.keep[row] =
		dpem_column_reader_read(state->columns, fcinfo, state->block.x + row, NULL) ? 1.0 : 0.0;
	state->drawn[row] = dpem_column_reader_draw(state->columns, fcinfo);
	if (++state->block.rows == DPEM_BLOCK_ROWS)
		flush_block(state);
	PG_RETURN_POINTER(state);
}

/* the n rows of a block: its outputs, from the start */
static void
analyse(const BlockState *state, uint64 n, const double *x, double *center)
{
	const DpemBlockCells *task = &state->task;
	int			d = state->pass.layout.d;
	Size		length = dpem_block_analysis_work(task, n, d);
	double	   *work = dpem_aggregate_doubles(length);
	DpemWorkspace room = {work, work + length};

	if (task->analysis != DPEM_BLOCK_CENTERS)
		dpem_block_analyse(task, n, x, d, ldexp(1.0, state->pass.map.bits), center, room);
	for (int step = 0; step < task->task.steps && task->analysis == DPEM_BLOCK_CENTERS; step++)
	{
		CHECK_FOR_INTERRUPTS();
		dpem_block_means(n, x, task->points, d, 1, center, room);
	}
}

static void
add_output(const BlockState *state, const double *center, DpemRawMoments *out)
{
	const DpemBlockCells *task = &state->task;
	const DpemPass *pass = &state->pass;
	int			d = pass->layout.d;

	if (task->cells > 0)
		dpem_block_cells_add(task, d, center, ldexp(1.0, pass->map.bits), INT64CONST(1) << pass->responsibility_bits,
							 out->exact ? out->total : NULL, out->exact ? NULL : out->real);
	else if (out->exact)
		dpem_block_output_exact(task->points, d, center, pass->map.bits, pass->responsibility_bits, out->total);
	else
		dpem_block_output_real(task->points, d, center, out->real);
}

/* one block; memory of its own, given back */
static void
add_block(const BlockState *state, int block, double *center, DpemRawMoments *out)
{
	Size		d = state->pass.layout.d;
	Size		n = Min(state->seen[block], state->room);
	const float *kept = state->x + (Size) block * state->room * d;
	double		unit = ldexp(1.0, state->pass.map.bits);
	double	   *x = MemoryContextAllocHuge(CurrentMemoryContext, mul_size(Max(n, 1) * d, sizeof(double)));

	for (Size i = 0; i < n * d; i++)
		x[i] = kept[i];
	for (Size i = 0; i < state->task.points * d; i++)
		center[i] = unit * state->task.task.start[i];
	CHECK_FOR_INTERRUPTS();
	analyse(state, n, x, center);
	add_output(state, center, out);
	explicit_bzero(x, n * d * sizeof(double));
}

static bytea *
aggregate_blocks(const BlockState *state)
{
	DpemRawMoments *out = dpem_raw_moments_create(state->pass.kernel, &state->pass.layout, state->pass.map.bits > 0);
	double	   *center = dpem_aggregate_doubles(mul_size(state->task.points, state->pass.layout.d));
	MemoryContext per_block = AllocSetContextCreate(CurrentMemoryContext, "dpem block", ALLOCSET_DEFAULT_SIZES);

	for (int b = 0; b < state->task.task.blocks; b++)
	{
		MemoryContext old = MemoryContextSwitchTo(per_block);

		add_block(state, b, center, out);
		MemoryContextSwitchTo(old);
		MemoryContextReset(per_block);
	}
	return dpem_raw_moments_write(out);
}

/* as a row more makes one block's output another, no rows are blocks without rows */
bytea *
dpem_blocks_without_rows(const DpemPass *pass)
{
	BlockState	state = {.pass = *pass};

	begin_blocks(&state);
	return aggregate_blocks(&state);
}

static void
forget_rows(BlockState *state)
{
	Size		d = state->pass.layout.d;

	for (int b = 0; b < state->task.task.blocks; b++)
		explicit_bzero(state->x + (Size) b * state->room * d, Min(state->seen[b], state->room) * d * sizeof(float));
}

Datum
dpem_block_means_final(PG_FUNCTION_ARGS)
{
	BlockState *state;
	bytea	   *wire;

	(void) dpem_aggregate_context(fcinfo, AGGREGATE);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = check_state((BlockState *) PG_GETARG_POINTER(0));
	flush_block(state);
	wire = aggregate_blocks(state);
	forget_rows(state);
	dpem_sampler_wipe(state->sampler);
	PG_RETURN_BYTEA_P(wire);
}

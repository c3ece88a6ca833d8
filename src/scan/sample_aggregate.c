/*
 * sample_aggregate.c - the aggregate dpem_internal.block_means(pass bytea, VARIADIC "any"):
 * the sum of the outputs of k-means, or of least squares, within random blocks of rows.
 *
 * Rows go through the feature map as in dpem_internal.moments and are kept, each in a
 * block drawn from cryptographic randomness: to which block a row goes does not
 * depend on its values, nor on other rows.  Of more rows than there is room
 * for, a uniformly random choice is kept (reservoir sampling), a row that
 * comes later taking the place and the block of one that leaves.  The final
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

#include "core/kernels/block_means.h"
#include "scan/column_reader.h"
#include "scan/pass.h"
#include "scan/raw_moments.h"
#include "server/aggregate_support.h"
#include "server/entropy.h"

#define STATE_MAGIC		0x6470626d
#define FIRST_ROOM		1024	/* rows */
#define AGGREGATE		"dpem_internal.block_means"

typedef struct BlockState
{
	uint32		magic;
	MemoryContext context;
	DpemPass	pass;
	DpemBlockTask task;
	DpemColumnReader *columns;
	DpemBlock	block;			/* rows on their way through the feature map */
	double	   *scratch;
	DpemSampler *sampler;
	uint64		seen;			/* rows that count */
	uint64		kept;
	uint64		room;
	float	   *x;				/* kept * d; integers up to 2^13 are exact */
	int32	   *block_of;		/* kept */
} BlockState;

PG_FUNCTION_INFO_V1(dpem_block_means_transition);
PG_FUNCTION_INFO_V1(dpem_block_means_final);

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
	if (pass->kernel != &dpem_kernel_blocks)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg(AGGREGATE " does not compute a pass of kernel %s", pass->kernel->name)));
	dpem_block_task_read(pass->theta, &state->task);
	state->columns = dpem_column_reader_create(fcinfo, 2, pass->nargs, pass->arg_lengths,
											   (DpemColumnHeads) {0, false});
	state->block.d = pass->layout.d;
	state->block.x = dpem_aggregate_doubles(mul_size(pass->layout.d, DPEM_BLOCK_STRIDE));
	state->block.keep = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
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

static void
make_room(BlockState *state)
{
	uint64		room = Max(2 * state->room, FIRST_ROOM);
	Size		d = state->pass.layout.d;
	Size		bytes;

	if (state->kept < state->room)
		return;
	room = Min(room, (uint64) state->task.capacity);
	bytes = mul_size(mul_size(room, d), sizeof(float));
	if (state->room == 0)
	{
		state->x = MemoryContextAllocHuge(state->context, bytes);
		state->block_of = MemoryContextAllocHuge(state->context, room * sizeof(int32));
	}
	else
	{
		state->x = repalloc_huge(state->x, bytes);
		state->block_of = repalloc_huge(state->block_of, room * sizeof(int32));
	}
	state->room = room;
}

/* a place for one more row, or for none (false) */
static bool
find_place(BlockState *state, uint64 *place)
{
	state->seen++;
	if (state->kept < (uint64) state->task.capacity)
	{
		make_room(state);
		*place = state->kept++;
		state->block_of[*place] = (int32) draw(state, state->task.blocks);
		return true;
	}
	*place = draw(state, state->seen);
	return *place < state->kept;
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

		if (state->block.keep[row] != 1.0 || !find_place(state, &place))
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
	if (++state->block.rows == DPEM_BLOCK_ROWS)
		flush_block(state);
	PG_RETURN_POINTER(state);
}

/* the kept rows in the order of their blocks: order[first[b]] ... order[first[b + 1] - 1] */
static void
sort_rows(const BlockState *state, uint64 *first, uint64 *order)
{
	int			blocks = state->task.blocks;

	for (uint64 i = 0; i < state->kept; i++)
		first[state->block_of[i] + 1]++;
	for (int b = 0; b < blocks; b++)
		first[b + 1] += first[b];
	for (uint64 i = 0; i < state->kept; i++)
		order[first[state->block_of[i]]++] = i;
	for (int b = blocks; b > 0; b--)
		first[b] = first[b - 1];
	first[0] = 0;
}

/* the n rows of a block: k points from the start */
static void
analyse(const BlockState *state, uint64 n, const double *x, double *center)
{
	const DpemMomentLayout *layout = &state->pass.layout;
	bool		regression = state->task.reach > 0;
	Size		length = regression ? dpem_block_regression_work(layout->d) : dpem_block_means_work(layout->k, layout->d);
	double	   *work = dpem_aggregate_doubles(length);
	DpemWorkspace room = {work, work + length};

	for (int step = 0; step < state->task.steps && !regression; step++)
	{
		CHECK_FOR_INTERRUPTS();
		dpem_block_means(n, x, layout->k, layout->d, 1, center, room);
	}
	if (regression)
		dpem_block_regression(n, x, layout->k, layout->d, ldexp(1.0, state->pass.map.bits), state->task.reach, center, room);
}

/* one block; memory of its own, given back */
static void
add_block(const BlockState *state, const uint64 *order, uint64 n, double *center, DpemRawMoments *out)
{
	const DpemMomentLayout *layout = &state->pass.layout;
	Size		d = layout->d;
	Size		k = layout->k;
	double		unit = ldexp(1.0, state->pass.map.bits);
	double	   *x = MemoryContextAllocHuge(CurrentMemoryContext, mul_size(Max(n, 1) * d, sizeof(double)));

	for (uint64 i = 0; i < n; i++)
		for (Size j = 0; j < d; j++)
			x[i * d + j] = state->x[order[i] * d + j];
	for (Size i = 0; i < k * d; i++)
		center[i] = unit * state->task.start[i];
	CHECK_FOR_INTERRUPTS();
	analyse(state, n, x, center);
	if (out->exact)
		dpem_block_output_exact(layout->k, layout->d, center, state->pass.map.bits,
								state->pass.responsibility_bits, out->total);
	else
		dpem_block_output_real(layout->k, layout->d, center, out->real);
	explicit_bzero(x, n * d * sizeof(double));
}

static bytea *
aggregate_blocks(const BlockState *state)
{
	DpemRawMoments *out = dpem_raw_moments_create(state->pass.kernel, &state->pass.layout, state->pass.map.bits > 0);
	Size		n = (Size) state->task.blocks + 1;
	uint64	   *first = palloc0(n * sizeof(uint64));
	uint64	   *order = MemoryContextAllocHuge(CurrentMemoryContext,
											   mul_size(Max(state->kept, 1), sizeof(uint64)));
	double	   *center = dpem_aggregate_doubles(mul_size(state->pass.layout.k, state->pass.layout.d));
	MemoryContext per_block = AllocSetContextCreate(CurrentMemoryContext, "dpem block", ALLOCSET_DEFAULT_SIZES);

	sort_rows(state, first, order);
	for (int b = 0; b < state->task.blocks; b++)
	{
		MemoryContext old = MemoryContextSwitchTo(per_block);

		add_block(state, order + first[b], first[b + 1] - first[b], center, out);
		MemoryContextSwitchTo(old);
		MemoryContextReset(per_block);
	}
	return dpem_raw_moments_write(out);
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
	if (state->kept > 0)
		explicit_bzero(state->x, state->kept * state->pass.layout.d * sizeof(float));
	dpem_sampler_wipe(state->sampler);
	PG_RETURN_BYTEA_P(wire);
}

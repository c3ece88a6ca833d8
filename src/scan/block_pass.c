/*
 * block_pass.c - see block_pass.h.
 *
 * A block goes through its group's feature map, the kernel's link and the
 * moments kernel (or, for counts alone, the kernel's search for each row's
 * component, or the kernel's own sums), and its exact sums are added in 128
 * bits to those of its group.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "core/pass/feature_store.h"
#include "scan/block_pass.h"
#include "server/aggregate_support.h"

/* rows after which sums of a kernel that adds go into the moments: then they are still exact as doubles */
#define MOST_HELD	(INT64CONST(1) << 20)

StaticAssertDecl(DPEM_FEATURE_BITS + DPEM_RESPONSIBILITY_BITS + 20 < 53, "sums of so many rows are no exact doubles");

static size_t
scratch_length(const DpemPass *pass)
{
	size_t		own = pass->kernel->adds ? 0 : pass->kernel->scratch_length(&pass->layout);
	size_t		length = Max(own, dpem_moments_scratch(&pass->layout));
	DpemFeatureMap map = dpem_pass_map(pass, 0);

	return Max(length, dpem_features_scratch(&map));
}

int
dpem_block_pass_codes(const DpemPass *pass)
{
	int			most = 0;

	for (int g = 0; pass->kernel->encode != NULL && g < Max(pass->groups, 1); g++)
		most = Max(most, pass->kernel->codes(dpem_pass_part(pass, g).theta));
	return most;
}

DpemBlockPass *
dpem_block_pass_create(const DpemPass *pass)
{
	DpemBlockPass *bp = palloc0(sizeof(DpemBlockPass));
	DpemMomentLayout all = dpem_pass_moments(pass);

	bp->pass = *pass;
	bp->moments = dpem_raw_moments_create(pass->kernel, &all, pass->map.bits > 0);
	bp->length = dpem_moments_length(&pass->layout);
	if (pass->kernel->locate != NULL)
	{
		bp->component = palloc(DPEM_BLOCK_ROWS * sizeof(int32));
		if (pass->kernel->prepare != NULL)
			bp->prepared = pass->kernel->prepare(&pass->layout, dpem_pass_part(pass, 0).theta);
	}
	else if (pass->kernel->tally == NULL)
	{
		if (pass->kernel->respond != NULL)
			bp->r = dpem_aggregate_doubles(mul_size(pass->layout.k, DPEM_BLOCK_STRIDE));
		bp->sums = dpem_aggregate_doubles(bp->length);
		if (pass->kernel->encode != NULL)
			bp->code = (int16 *) dpem_aggregate_doubles(mul_size(dpem_block_pass_codes(pass), DPEM_BLOCK_ROWS * sizeof(int16) / sizeof(double)));
		if (pass->kernel->add_incomplete != NULL)
			bp->incomplete.x = dpem_aggregate_doubles(mul_size(pass->map.d, DPEM_BLOCK_STRIDE));
	}
	bp->scratch = dpem_aggregate_doubles(scratch_length(pass));
	bp->own = pass->kernel->adds ? dpem_aggregate_doubles(pass->kernel->scratch_length(&pass->layout)) : bp->scratch;
	return bp;
}

DpemGroupRows
dpem_block_pass_rows(const DpemBlockPass *bp, int group)
{
	const DpemPass *pass = &bp->pass;
	DpemGroupRows rows = {.group = group};

	rows.block.d = pass->map.d;
	rows.block.x = dpem_aggregate_doubles(mul_size(Max(pass->map.d, pass->layout.d), DPEM_BLOCK_STRIDE));
	rows.block.keep = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
	if (pass->kernel->labelled)
		rows.sign = dpem_aggregate_doubles(DPEM_BLOCK_STRIDE);
	return rows;
}

uint32
dpem_block_pass_map(const DpemBlockPass *bp, uint32 map)
{
	return bp->pass.kernel->add_incomplete != NULL ? PG_UINT32_MAX : map;
}

/* 0 for rows of which every number is finite, else NaN: x - x is */
static void
sum_unknown(const DpemBlock *block, double *restrict sum)
{
	memset(sum, 0, block->rows * sizeof(double));
	for (int j = 0; j < block->d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;

		for (int row = 0; row < block->rows; row++)
			sum[row] += x[row] - x[row];
	}
}

/* the feature map makes null rows of them */
static void
set_incomplete_apart(DpemBlockPass *bp, const DpemBlock *block)
{
	DpemBlock  *to = &bp->incomplete;
	double		unknown[DPEM_BLOCK_ROWS];

	to->rows = 0;
	to->d = block->d;
	sum_unknown(block, unknown);
	for (int row = 0; row < block->rows; row++)
	{
		if (block->keep[row] != 1.0 || unknown[row] == 0)
			continue;
		for (int j = 0; j < block->d; j++)
			to->x[(size_t) j * DPEM_BLOCK_STRIDE + to->rows] = block->x[(size_t) j * DPEM_BLOCK_STRIDE + row];
		to->rows++;
	}
}

void
dpem_block_pass_end(DpemBlockPass *bp)
{
	size_t		first = (size_t) bp->holder * bp->length;

	if (bp->held == 0)
		return;
	if (bp->pass.kernel->complete != NULL)
		bp->pass.kernel->complete(&bp->pass.layout, dpem_pass_part(&bp->pass, bp->holder).theta, bp->pass.map.bits, bp->pass.responsibility_bits,
									  bp->sums, bp->own);
	if (bp->moments->exact)
		dpem_moments_add_exact(bp->moments->total + first, bp->sums, bp->length);
	else
	{
		for (size_t i = 0; i < bp->length; i++)
			bp->moments->real[first + i] += bp->sums[i];
	}
	memset(bp->sums, 0, bp->length * sizeof(double));
	bp->held = 0;
}

/* products of responsibilities and features, or what a kernel has in their place */
static void
add_sums(DpemBlockPass *bp, const DpemBlock *block, const double *theta, int group)
{
	const DpemPass *pass = &bp->pass;

	if (group != bp->holder || bp->held > MOST_HELD)
		dpem_block_pass_end(bp);
	if (pass->kernel->accumulate != NULL)
		pass->kernel->accumulate(&pass->layout, theta, block, pass->map.bits, pass->responsibility_bits,
								 bp->sums, bp->own);
	else
	{
		pass->kernel->respond(&pass->layout, theta, block, pass->map.bits, pass->responsibility_bits,
							  bp->r, bp->scratch);
		dpem_moments_block(&pass->layout, block, bp->r, bp->sums, bp->scratch);
	}
	if (pass->kernel->add_incomplete != NULL && bp->incomplete.rows > 0)
	{
		DpemFeatureMap map = dpem_pass_map(pass, group);

		pass->kernel->add_incomplete(&pass->layout, theta, &map, &bp->incomplete, pass->responsibility_bits, bp->sums, bp->scratch);
	}
	bp->holder = group;
	bp->held += block->rows;
	if (!pass->kernel->adds)
		dpem_block_pass_end(bp);
}

/* one whole responsibility to the component of each row; no work for the others */
static void
add_located(DpemBlockPass *bp, DpemBlock *block, const double *theta, size_t first)
{
	const DpemPass *pass = &bp->pass;

	pass->kernel->locate(&pass->layout, bp->prepared ? bp->prepared : theta, block, pass->map.bits, bp->component,
						 bp->scratch);
	if (bp->moments->exact)
		dpem_moments_add_located(&pass->layout, block, bp->component,
								 INT64CONST(1) << pass->responsibility_bits, bp->moments->total + first);
	else
		dpem_moments_add_located_real(&pass->layout, block, bp->component, bp->moments->real + first);
}

/* one whole count to each of several components of each row */
static void
add_tallies(DpemBlockPass *bp, const DpemBlock *block, const double *theta, size_t first)
{
	const DpemPass *pass = &bp->pass;
	bool		exact = bp->moments->exact;

	pass->kernel->tally(&pass->layout, theta, block, pass->map.bits, INT64CONST(1) << pass->responsibility_bits,
						exact ? bp->moments->total + first : NULL, exact ? NULL : bp->moments->real + first, bp->scratch);
}

static void
apply_features(DpemBlockPass *bp, DpemGroupRows *rows, DpemResidentSlot *slot, uint32 number)
{
	DpemFeatureMap map = dpem_pass_map(&bp->pass, rows->group);

	rows->block.d = bp->pass.layout.d;
	if (slot != NULL && dpem_resident_restore_features(slot, number, &rows->block))
		return;
	rows->block.d = map.d;
	dpem_features_apply(&map, &rows->block, bp->scratch);
	if (slot != NULL && map.bits > 0 && map.bits <= DPEM_FEATURE_STORE_BITS)
		dpem_resident_store_features(slot, number, &rows->block);
}

void
dpem_block_pass_prepare(DpemBlockPass *bp, DpemGroupRows *rows, DpemResidentSlot *slot, uint32 map)
{
	const DpemKernel *kernel = bp->pass.kernel;

	if (kernel->add_incomplete != NULL)
		set_incomplete_apart(bp, &rows->block);
	apply_features(bp, rows, slot, map);
	rows->block.label = rows->sign;
	if (rows->sign != NULL && !kernel->keeps_signs)
		dpem_block_apply_signs(rows->sign, &rows->block);
	if (kernel->encode == NULL)
		return;
	kernel->encode(dpem_pass_part(&bp->pass, rows->group).theta, &rows->block, bp->pass.map.bits, bp->code);
	rows->block.code = bp->code;
}

void
dpem_block_pass_add(DpemBlockPass *bp, DpemGroupRows *rows)
{
	const double *theta = dpem_pass_part(&bp->pass, rows->group).theta;
	size_t		first = (size_t) rows->group * bp->length;

	CHECK_FOR_INTERRUPTS();
	if (bp->pass.kernel->locate != NULL)
		add_located(bp, &rows->block, theta, first);
	else if (bp->pass.kernel->tally != NULL)
		add_tallies(bp, &rows->block, theta, first);
	else
		add_sums(bp, &rows->block, theta, rows->group);
	rows->block.rows = 0;
	rows->block.d = bp->pass.map.d;
	rows->block.code = NULL;
}

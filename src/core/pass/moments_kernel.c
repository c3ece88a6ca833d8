/*
 * moments_kernel.c - the expected sufficient statistics of a block of rows.
 *
 * On integer inputs each product and each partial sum is an integer below
 * 2^53 (moments.h), so any order of summation and any fusing of operations
 * gives the same numbers.
 */
#include <stddef.h>
#include <stdint.h>

#include "core/numeric/fpenv.h"
#include "core/pass/moments.h"
#include "core/pass/moments_dense.h"

typedef struct MomentSource
{
	const DpemMomentLayout *layout;
	const DpemBlock *block;
	double	   *norm;			/* ||x||^2 of every row, spherical only */
} MomentSource;

/* one number of h(x): the product of two vectors, and its place in the record */
typedef struct MomentTerm
{
	const double *a;
	const double *b;
	size_t		index;
} MomentTerm;

/* where the walk through the record stands */
typedef struct TermCursor
{
	int			part;			/* 0 count, 1 sums, 2 second moments */
	int			i;
	int			j;
	size_t		base;			/* of the part in the record */
} TermCursor;

/*
 * The triangle of x_i x_j is walked in bands of two rows, column by column:
 * (i,0) (i+1,0) (i,1) (i+1,1) ... (i,i) (i+1,i) (i+1,i+1), i even.  A tile of
 * four neighbours reads two rows that are already in the L1 cache and two new
 * ones, in place of one and four.
 */
static void
advance_full(int d, TermCursor *cursor)
{
	int			i = cursor->i;
	int			j = cursor->j;

	if (i % 2 == 0 && i + 1 < d)
		cursor->i = i + 1;
	else if (j == i)
	{
		cursor->i = i + 1;
		cursor->j = 0;
	}
	else
	{
		cursor->j = j + 1;
		if (i % 2 == 1 && j + 1 < i)
			cursor->i = i - 1;
	}
}

static MomentTerm
next_second(const MomentSource *source, TermCursor *cursor)
{
	const DpemBlock *block = source->block;
	MomentTerm	term = {source->norm, block->keep, cursor->base};
	size_t		i = cursor->i;

	if (source->layout->second == DPEM_SECOND_NORM)
		return term;
	term.a = block->x + i * DPEM_BLOCK_STRIDE;
	term.b = block->x + (size_t) cursor->j * DPEM_BLOCK_STRIDE;
	if (source->layout->second == DPEM_SECOND_DIAGONAL)
	{
		term.index += i;
		cursor->j = ++cursor->i;
	}
	else
	{
		term.index += i * (i + 1) / 2 + cursor->j;
		advance_full(block->d, cursor);
	}
	return term;
}

/* The count is keep * keep, a sum x_j * keep: the flag keep stands for the factor 1. */
static MomentTerm
next_term(const MomentSource *source, TermCursor *cursor)
{
	const DpemBlock *block = source->block;
	MomentTerm	term = {block->keep, block->keep, 0};

	if (cursor->part == 2)
		return next_second(source, cursor);
	if (cursor->part == 1)
	{
		term.a = block->x + (size_t) cursor->i * DPEM_BLOCK_STRIDE;
		term.index = 1 + cursor->i++;
	}
	if (cursor->part == 0 || cursor->i == block->d)
	{
		cursor->base = ++cursor->part == 1 ? 1 : 1 + (size_t) block->d;
		cursor->i = 0;
	}
	return term;
}

#define KERNEL_BODY "core/pass/moments_body.h"
#include "core/pass/kernel_each_clone.h"

void
dpem_moments_block_clone(DpemClone clone, const DpemMomentLayout *layout,
						 const DpemBlock *block, const double *r, double *sums,
						 double *scratch)
{
	MomentSource source = {layout, block, scratch};
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	CALL_CLONE(clone, moments_block, (layout, &source, r, sums));
	dpem_fpenv_leave(&fpenv);
}

void
dpem_moments_block(const DpemMomentLayout *layout, const DpemBlock *block,
				   const double *r, double *sums, double *scratch)
{
	if (dpem_moments_is_dense(layout))
		dpem_moments_dense_block(layout, block, r, sums, scratch);
	else
		dpem_moments_block_clone(dpem_clone_best(), layout, block, r, sums, scratch);
}

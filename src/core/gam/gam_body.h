/*
 * gam_body.h - residuals for one clone (kernel_each_clone.h): see gam_kernel.c.
 *
 * class: of each row, negative of null rows; value: of a number, its box coordinate.  x: scores, and in their place what rows
 * add to the sums of their cells: 0 for null rows, and where a residual is no number from -1 to 1.
 */

#define GROUP	(GROUP_VECS * LANES)

/* ---- scores ---- */

/*
 * Adds of one term, whose cells begin at `first`, the coefficient of each row's cell.  Of 64 cells at most they stand in registers, of 16 rows
 * together; places of padding are anything then.
 */
static CLONE_TARGET NOINLINE void
CLONE(gam_look_up)(int rows, int first, int cells, const int16_t *place, const int32_t *coefficient, int32_t *score)
{
	int			row = 0;

#if defined(DPEM_HAVE_X86_CLONES) && LANES == 8
	const int32_t *own = coefficient + first;
	__m512i		part[4] = {_mm512_loadu_si512(own), _mm512_loadu_si512(own + 16), _mm512_loadu_si512(own + 32), _mm512_loadu_si512(own + 48)};

	for (; cells <= 64 && row < rows; row += 16)
	{
		__m512i		cell = _mm512_sub_epi32(_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *) (place + row))), _mm512_set1_epi32(first));
		__m512i		low = _mm512_permutex2var_epi32(part[0], cell, part[1]);
		__m512i		high = _mm512_permutex2var_epi32(part[2], cell, part[3]);
		__m512i		found = _mm512_mask_mov_epi32(low, _mm512_test_epi32_mask(cell, _mm512_set1_epi32(32)), high);

		_mm512_storeu_si512(score + row, _mm512_add_epi32(_mm512_loadu_si512(score + row), found));
	}
#endif
	for (; row < rows; row++)
		score[row] += coefficient[place[row]];
}

/* ---- residuals ---- */

#include "core/pass/exp_lanes.h"

/* x = 1 / (1 + exp(-x)), at least +0.0 and at most 1; what is no number stays none */
INLINE void
CLONE(logistic)(Vec x[GROUP_VECS])
{
	Vec			odds[GROUP_VECS];

	UNROLL
	for (int v = 0; v < GROUP_VECS; v++)
		odds[v] = VEC_MIN(x[v], -x[v]);
	CLONE(exp_nonpositive) (odds);
	UNROLL
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Mask		number = (Mask) (x[v] == x[v]);
		Vec			p = CLONE(select) ((Mask) (x[v] < CLONE(splat) (0.0)), odds[v], CLONE(splat) (1.0)) / (odds[v] + 1.0);

		x[v] = CLONE(select) (number, p, x[v]);
	}
}

/* toward zero, |x| < 2^51 */
INLINE Vec
CLONE(truncate)(Vec x)
{
	Vec			size = VEC_MAX(x, -x);
	Vec			whole = CLONE(rint) (size);

	whole -= CLONE(keep_where) ((Mask) (whole > size), CLONE(splat) (1.0));
	return CLONE(select) ((Mask) (x < CLONE(splat) (0.0)), -whole, whole);
}

/* what a row whose residual is that adds: toward zero, so that no norm grows */
INLINE void
CLONE(put_residual)(Vec residual, Vec class, const GamMark *mark, double *to)
{
	Mask		counts = (Mask) (class >= CLONE(splat) (0.0)) & (Mask) (VEC_MAX(residual, -residual) <= CLONE(splat) (1.0));

	residual = residual * mark->unit;
	if (mark->whole)
		residual = CLONE(truncate) (residual);
	STORE(to, CLONE(keep_where) (counts, residual));
}

static CLONE_TARGET NOINLINE void
CLONE(gam_two_residuals)(int rows, const double *class, const GamMark *mark, double *x)
{
	for (int row = 0; row < rows; row += GROUP)
	{
		Vec			p[GROUP_VECS];

		UNROLL
		for (int v = 0; v < GROUP_VECS; v++)
			p[v] = LOAD(x + row + v * LANES);
		CLONE(logistic) (p);
		UNROLL
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			own = LOAD(class + row + v * LANES);

			CLONE(put_residual) (own - p[v], own, mark, x + row + v * LANES);
		}
	}
}

/* a group's largest score of all classes; a row with one that is no finite number is made one of no class */
INLINE void
CLONE(find_top)(int classes, const double *x, Vec top[GROUP_VECS], Vec class[GROUP_VECS])
{
	for (int v = 0; v < GROUP_VECS; v++)
		top[v] = CLONE(splat) (-INFINITY);
	for (int c = 0; c < classes; c++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			score = LOAD(x + (size_t) c * DPEM_BLOCK_STRIDE + v * LANES);

			top[v] = VEC_MAX(score, top[v]);
			class[v] = CLONE(select) ((Mask) (score - score == CLONE(splat) (0.0)), class[v], CLONE(splat) (-1.0));
		}
}

static CLONE_TARGET NOINLINE void
CLONE(gam_several_residuals)(int classes, int rows, const double *class, const GamMark *mark, double *x)
{
	for (int row = 0; row < rows; row += GROUP)
	{
		Vec			own[GROUP_VECS];
		Vec			top[GROUP_VECS];
		Vec			total[GROUP_VECS];

		for (int v = 0; v < GROUP_VECS; v++)
			own[v] = LOAD(class + row + v * LANES);
		CLONE(find_top) (classes, x + row, top, own);
		CLONE(exponentiate) (classes, x + row, top, total);
		for (int c = 0; c < classes; c++)
			for (int v = 0; v < GROUP_VECS; v++)
			{
				double	   *at = x + (size_t) c * DPEM_BLOCK_STRIDE + row + v * LANES;
				Vec			is = CLONE(keep_where) ((Mask) (own[v] == CLONE(splat) (c)), CLONE(splat) (1.0));

				CLONE(put_residual) ((is - LOAD(at) / total[v]) * M_SQRT1_2, own[v], mark, at);
			}
	}
}

INLINE Vec
CLONE(within_box)(Vec x)
{
	return VEC_MIN(VEC_MAX(x, CLONE(splat) (-1.0)), CLONE(splat) (1.0));
}

static CLONE_TARGET NOINLINE void
CLONE(gam_number_residuals)(int rows, const double *class, const double *value, double middle, double reach, const GamMark *mark, double *x)
{
	for (int row = 0; row < rows; row += LANES)
	{
		Vec			residual = (CLONE(within_box) (LOAD(value + row)) - middle - LOAD(x + row)) / reach;

		CLONE(put_residual) (CLONE(within_box) (residual), LOAD(class + row), mark, x + row);
	}
}

#undef GROUP

/*
 * gmm_body.h - dpem_gmm_responsibilities for one clone (kernel_each_clone.h).
 *
 * A group of GROUP_VECS * LANES rows at a time.  The group's features, and
 * its distances to one mean, are packed: coordinate j at [j * GROUP].
 * Logits live where the responsibilities will be.
 */

#define GROUP	(GROUP_VECS * LANES)

#include "core/pass/exp_lanes.h"

/* features in unit-ball coordinates: integers times a power of two, exact */
INLINE void
CLONE(unpack_group)(const DpemBlock *block, int row, double unit, double *x)
{
	for (int j = 0; j < block->d; j++)
		for (int v = 0; v < GROUP_VECS; v++)
			STORE(x + j * GROUP + v * LANES,
				  LOAD(block->x + (size_t) j * DPEM_BLOCK_STRIDE + row + v * LANES) * unit);
}

/*
 * square += v_i^2, v_i = sum_{j<=i} U_ij t_j with j ascending, for `height`
 * rows of U from the i-th; u is that row of the packed triangle.
 */
INLINE void
CLONE(triangle_rows)(const int height, const double *u, int i, const double *t,
					 Vec square[GROUP_VECS])
{
	Vec			acc[4][GROUP_VECS];
	const double *row[4];

	for (int h = 0; h < height; h++)
	{
		row[h] = u;
		u += i + h + 1;
		for (int v = 0; v < GROUP_VECS; v++)
			acc[h][v] = row[h][0] * LOAD(t + v * LANES);
	}
	for (int j = 1; j < i; j++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			value = LOAD(t + j * GROUP + v * LANES);

			for (int h = 0; h < height; h++)
				acc[h][v] += row[h][j] * value;
		}
	UNROLL
	for (int j = i == 0; j < height; j++)
	{
		UNROLL
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			value = LOAD(t + (i + j) * GROUP + v * LANES);

			UNROLL
			for (int h = 0; h < height; h++)
				if (h >= j)
					acc[h][v] += row[h][i + j] * value;
		}
	}
	for (int h = 0; h < height; h++)
		for (int v = 0; v < GROUP_VECS; v++)
			square[v] += acc[h][v] * acc[h][v];
}

/* |U (x - m)|^2, U lower triangular; t: d * GROUP of workspace */
static CLONE_TARGET NOINLINE void
CLONE(distance_full)(int d, const double *mean, const double *u, const double *x, double *t,
					 Vec square[GROUP_VECS])
{
	int			i = 0;

	for (int j = 0; j < d; j++)
		for (int v = 0; v < GROUP_VECS; v++)
			STORE(t + j * GROUP + v * LANES, LOAD(x + j * GROUP + v * LANES) - mean[j]);
	for (; i + 4 <= d; u += 4 * i + 10, i += 4)
		CLONE(triangle_rows) (4, u, i, t, square);
	if (d - i == 3)
		CLONE(triangle_rows) (3, u, i, t, square);
	else if (d - i == 2)
		CLONE(triangle_rows) (2, u, i, t, square);
	else if (d - i == 1)
		CLONE(triangle_rows) (1, u, i, t, square);
}

/* sum_j (u_j (x_j - m_j))^2; step 0 repeats one factor for every coordinate */
static CLONE_TARGET NOINLINE void
CLONE(distance_diagonal)(int d, const double *mean, const double *u, int step, const double *x,
						 Vec square[GROUP_VECS])
{
	for (int j = 0; j < d; j++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			value = (LOAD(x + j * GROUP + v * LANES) - mean[j]) * u[j * step];

			square[v] += value * value;
		}
}

/*
 * r_k = logit_k and top = max_k.  An infinite or undefined logit (weight
 * zero, a mixture beyond the range of double) counts as +-1e300, so that
 * differences stay finite and every row has a point of the simplex.
 */
static CLONE_TARGET void
CLONE(logits_group)(const DpemGmmPrepared *mix, const double *x, double *t, double *r,
					Vec top[GROUP_VECS])
{
	size_t		length = dpem_gmm_factor_length(mix->shape, mix->d);

	for (int v = 0; v < GROUP_VECS; v++)
		top[v] = CLONE(splat) (-1e300);
	for (int k = 0; k < mix->k; k++)
	{
		const double *mean = mix->mean + (size_t) k * mix->d;
		const double *factor = mix->factor + k * length;
		Vec			square[GROUP_VECS];

		for (int v = 0; v < GROUP_VECS; v++)
			square[v] = CLONE(splat) (0.0);
		if (mix->shape == DPEM_SECOND_FULL)
			CLONE(distance_full) (mix->d, mean, factor, x, t, square);
		else
			CLONE(distance_diagonal) (mix->d, mean, factor,
									  mix->shape == DPEM_SECOND_DIAGONAL, x, square);
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			logit = mix->offset[k] - 0.5 * square[v];

			logit = VEC_MAX(logit, CLONE(splat) (-1e300));
			logit = VEC_MIN(logit, CLONE(splat) (1e300));
			STORE(r + (size_t) k * DPEM_BLOCK_STRIDE + v * LANES, logit);
			top[v] = VEC_MAX(logit, top[v]);
		}
	}
}

/* r_k = r_k / sum in the rows that count, 0 in the others */
INLINE void
CLONE(normalise)(int k, double *r, const double *keep, const Vec sum[GROUP_VECS])
{
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Mask		ok = (Mask) (LOAD(keep + v * LANES) != CLONE(splat) (0.0));

		for (int i = 0; i < k; i++)
		{
			double	   *at = r + (size_t) i * DPEM_BLOCK_STRIDE + v * LANES;

			STORE(at, CLONE(keep_where) (ok, LOAD(at) / sum[v]));
		}
	}
}

/*
 * r_k = rint(unit r_k / sum - bias); then the first of the largest takes what
 * is missing from `unit`, so that the sum is exact.  The largest r_k came
 * from exp(0) = 1.
 */
static CLONE_TARGET NOINLINE void
CLONE(quantise)(int k, double *r, const double *keep, const Vec sum[GROUP_VECS],
				const Quantiser *q)
{
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Vec			scale = q->unit / sum[v];
		Vec			largest = CLONE(rint) (scale - q->bias);
		Vec			missing = CLONE(splat) (q->unit);
		Mask		ok = (Mask) (LOAD(keep + v * LANES) != CLONE(splat) (0.0));
		Mask		open = ok;

		for (int i = 0; i < k; i++)
		{
			double	   *at = r + (size_t) i * DPEM_BLOCK_STRIDE + v * LANES;
			Vec			integer = CLONE(rint) (LOAD(at) * scale - q->bias);

			STORE(at, integer);
			missing -= integer;
		}
		for (int i = 0; i < k; i++)
		{
			double	   *at = r + (size_t) i * DPEM_BLOCK_STRIDE + v * LANES;
			Vec			integer = LOAD(at);
			Mask		here = open & (Mask) (integer == largest);

			open &= ~here;
			integer += CLONE(keep_where) (here, missing);
			STORE(at, CLONE(keep_where) (ok, integer));
		}
	}
}

static CLONE_TARGET void
CLONE(gmm_responsibilities)(const DpemGmmPrepared *mix, const DpemBlock *block,
							const Quantiser *q, double *r, double *scratch)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);
	double	   *x = scratch;
	double	   *t = scratch + (size_t) mix->d * GROUP;

	for (int row = 0; row < padded; row += GROUP)
	{
		Vec			top[GROUP_VECS];
		Vec			sum[GROUP_VECS];

		CLONE(unpack_group) (block, row, q->feature_unit, x);
		CLONE(logits_group) (mix, x, t, r + row, top);
		CLONE(exponentiate) (mix->k, r + row, top, sum);
		if (q->unit > 1.0)
			CLONE(quantise) (mix->k, r + row, block->keep + row, sum, q);
		else
			CLONE(normalise) (mix->k, r + row, block->keep + row, sum);
	}
}

#undef GROUP

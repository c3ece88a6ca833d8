/*
 * kmeans_body.h - dpem_kmeans_respond for one clone (kernel_each_clone.h).
 *
 * A group of GROUP_VECS * LANES rows at a time.  Each lane keeps the best
 * score so far and the number of its center.
 */

#define GROUP	(GROUP_VECS * LANES)

/* scores of `height` centers from the first-th, and who is best; j ascending */
INLINE void
CLONE(score_centers)(const int height, const Centers *c, int first, const double *x,
					 Vec top[GROUP_VECS], Vec best[GROUP_VECS])
{
	const double *center = c->center + (size_t) first * c->d;
	Vec			acc[4][GROUP_VECS];

	for (int h = 0; h < height; h++)
		for (int v = 0; v < GROUP_VECS; v++)
			acc[h][v] = CLONE(splat) (-c->offset[first + h]);
	for (int j = 0; j < c->d; j++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			value = LOAD(x + (size_t) j * DPEM_BLOCK_STRIDE + v * LANES);

			for (int h = 0; h < height; h++)
				acc[h][v] += center[(size_t) h * c->d + j] * value;
		}
	for (int h = 0; h < height; h++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Mask		nearer = (Mask) (acc[h][v] > top[v]);

			top[v] = CLONE(select) (nearer, acc[h][v], top[v]);
			best[v] = CLONE(select) (nearer, CLONE(splat) (first + h), best[v]);
		}
}

/* the number of each row's nearest center; strictly greater scores only, so the first of equals */
INLINE void
CLONE(nearest)(const Centers *c, const double *x, Vec best[GROUP_VECS])
{
	Vec			top[GROUP_VECS];
	int			first = 0;

	for (int v = 0; v < GROUP_VECS; v++)
	{
		top[v] = CLONE(splat) (-__builtin_inf());
		best[v] = CLONE(splat) (0.0);
	}
	for (; first + 4 <= c->k; first += 4)
		CLONE(score_centers) (4, c, first, x, top, best);
	for (; first < c->k; first++)
		CLONE(score_centers) (1, c, first, x, top, best);
}

static CLONE_TARGET void
CLONE(kmeans_respond)(const Centers *c, const DpemBlock *block, double *r)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);

	for (int row = 0; row < padded; row += GROUP)
	{
		Vec			best[GROUP_VECS];
		Vec			weight[GROUP_VECS];

		CLONE(nearest) (c, block->x + row, best);
		for (int v = 0; v < GROUP_VECS; v++)
			weight[v] = CLONE(keep_where) ((Mask) (LOAD(block->keep + row + v * LANES) !=
												   CLONE(splat) (0.0)), CLONE(splat) (c->unit));
		for (int k = 0; k < c->k; k++)
			for (int v = 0; v < GROUP_VECS; v++)
				STORE(r + (size_t) k * DPEM_BLOCK_STRIDE + row + v * LANES,
					  CLONE(keep_where) ((Mask) (best[v] == CLONE(splat) (k)), weight[v]));
	}
}

#undef GROUP

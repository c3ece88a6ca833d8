/*
 * features_body.h - dpem_features_apply for one clone (kernel_each_clone.h).
 *
 * Each stage takes one group of GROUP_VECS * LANES rows starting at `row`.
 */

#define GROUP	(GROUP_VECS * LANES)

/*
 * Clamp to [lower, upper], map onto [-1, 1], clamp again and move the center to 0, and
 * find the rows with a coordinate that is not finite (x - x is NaN for NaN
 * and the infinities, 0 for the rest).  Clamping takes a NaN to the lower
 * bound, so that nothing after this stage meets one.  An imputed coordinate
 * is at the center instead.  The weight is what a diagonal matrix has for the
 * coordinate, whose other products would be zeros.
 */
INLINE void
CLONE(scale_coordinate)(double *x, const DomainScale *s, bool imputed, bool weighted, Mask ok[GROUP_VECS])
{
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Vec			value = LOAD(x + v * LANES);
		Mask		finite = (Mask) (value - value == CLONE(splat) (0.0));

		value = VEC_MAX(value, CLONE(splat) (s->lower));
		value = VEC_MIN(value, CLONE(splat) (s->upper));
		value = (value * s->scale - s->origin) * s->slope - 1.0;
		value = VEC_MAX(value, CLONE(splat) (s->least));
		value = VEC_MIN(value, CLONE(splat) (s->most)) - s->center;
		if (imputed)
			value = CLONE(keep_where) (finite, value);
		else
			ok[v] &= finite;
		if (weighted)
			value = value * s->weight + 0.0;
		STORE(x + v * LANES, value);
	}
}

/* also starts the mask of rows that count: those whose flag is 1 */
INLINE void
CLONE(scale_group)(const DpemFeatureMap *map, bool diagonal, DpemBlock *block, int row, Mask ok[GROUP_VECS])
{
	for (int v = 0; v < GROUP_VECS; v++)
		ok[v] = (Mask) (LOAD(block->keep + row + v * LANES) == CLONE(splat) (1.0));
	for (int j = 0; j < map->d; j++)
	{
		DomainScale s = domain_scale(map, j);

		CLONE(scale_coordinate) (block->x + (size_t) j * DPEM_BLOCK_STRIDE + row, &s, j < map->imputed, diagonal, ok);
	}
}

/* out_i = sum_j W_ij y_j, j ascending, for `height` outputs from the i-th */
INLINE void
CLONE(whiten_rows)(const int height, const double *w, int d, const double *y, double *out)
{
	Vec			acc[4][GROUP_VECS];

	for (int i = 0; i < height; i++)
		for (int v = 0; v < GROUP_VECS; v++)
			acc[i][v] = CLONE(splat) (0.0);
	for (int j = 0; j < d; j++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			Vec			value = LOAD(y + (size_t) j * DPEM_BLOCK_STRIDE + v * LANES);

			for (int i = 0; i < height; i++)
				acc[i][v] += w[(size_t) i * d + j] * value;
		}
	for (int i = 0; i < height; i++)
		for (int v = 0; v < GROUP_VECS; v++)
			STORE(out + (size_t) i * DPEM_BLOCK_STRIDE + v * LANES, acc[i][v]);
}

/* n outputs of d inputs */
INLINE void
CLONE(whiten_group)(const double *w, int n, int d, const double *y, double *out)
{
	int			i = 0;

	for (; i + 4 <= n; i += 4)
		CLONE(whiten_rows) (4, w + (size_t) i * d, d, y, out + (size_t) i * DPEM_BLOCK_STRIDE);
	for (; i < n; i++)
		CLONE(whiten_rows) (1, w + (size_t) i * d, d, y, out + (size_t) i * DPEM_BLOCK_STRIDE);
}

/* sin(2 pi x) for |x| <= 1/4, by Horner's rule */
INLINE Vec
CLONE(sine_of)(Vec x)
{
	Vec			square = x * x;
	Vec			sum = CLONE(splat) (sine[SINE_TERMS - 1]);

	for (int i = SINE_TERMS - 2; i >= 0; i--)
		sum = sum * square + sine[i];
	return sum * x;
}

/*
 * out = (cos, sin) of the angles, over sqrt(pairs): unit vectors; then the coordinates
 * that have none.  No libm, so that every machine has the same bits.
 */
INLINE void
CLONE(fourier_group)(const DpemFeatureMap *map, const double *y, double *out)
{
	Vec			size = CLONE(splat) (1 / __builtin_sqrt((double) map->pairs));

	CLONE(whiten_group) (map->frequency, map->pairs, map->waves, y, out);
	for (int i = 0; i < map->pairs; i++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			double	   *at = out + (size_t) i * DPEM_BLOCK_STRIDE + v * LANES;
			Vec			turn = LOAD(at);
			Vec			back;

			turn -= CLONE(rint) (turn);
			back = VEC_MAX(turn, CLONE(splat) (0.0) - turn);
			STORE(at, CLONE(sine_of) (0.25 - back) * size);
			turn = VEC_MIN(turn, 0.5 - turn);
			turn = VEC_MAX(turn, -0.5 - turn);
			STORE(at + (size_t) map->pairs * DPEM_BLOCK_STRIDE, CLONE(sine_of) (turn) * size);
		}
	for (int j = map->waves; j < map->d; j++)
		for (int v = 0; v < GROUP_VECS; v++)
			STORE(out + (size_t) (2 * map->pairs + j - map->waves) * DPEM_BLOCK_STRIDE + v * LANES,
				  LOAD(y + (size_t) j * DPEM_BLOCK_STRIDE + v * LANES));
}

/* x = from / radius, and its norm, of the coordinates from `first` to before `end` */
INLINE void
CLONE(norm_group)(const FeatureClip *clip, int first, int end, const double *from, double *x, double norm[GROUP])
{
	Vec			square[GROUP_VECS];

	for (int v = 0; v < GROUP_VECS; v++)
		square[v] = CLONE(splat) (0.0);
	for (int j = first; j < end; j++)
		for (int v = 0; v < GROUP_VECS; v++)
		{
			size_t		at = (size_t) j * DPEM_BLOCK_STRIDE + v * LANES;
			Vec			value = LOAD(from + at) * clip->inverse_radius;

			STORE(x + at, value);
			square[v] += value * value;
		}
	for (int v = 0; v < GROUP_VECS; v++)
		STORE(norm + v * LANES, square[v]);
	for (int lane = 0; lane < GROUP; lane++)
		norm[lane] = __builtin_sqrt(norm[lane]);
}

/*
 * The norms become the factors that take a row's coordinates to its units and into a ball: min(unit, limit / norm), and
 * the limits what of it is left.  A norm that underflows to 0 gives the unit, one that overflows gives 0.
 */
INLINE void
CLONE(factor_group)(const FeatureClip *clip, double limit[GROUP], double norm[GROUP])
{
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Vec			most = LOAD(limit + v * LANES);
		Vec			length = LOAD(norm + v * LANES);
		Vec			factor = VEC_MIN(most / length, CLONE(splat) (clip->unit));

		length *= factor;
		STORE(norm + v * LANES, factor);
		STORE(limit + v * LANES, VEC_MAX(most * most - length * length, CLONE(splat) (0.0)));
	}
	for (int lane = 0; lane < GROUP; lane++)
		limit[lane] = __builtin_sqrt(limit[lane]);
}

/* x = from / radius; the factors of leading coordinates, then of kept ones, which have the ball first */
INLINE void
CLONE(clip_group)(const FeatureClip *clip, int d, const double *from, double *x, double factor[2 * GROUP])
{
	double		limit[GROUP] __attribute__((aligned(64)));

	for (int v = 0; v < GROUP_VECS; v++)
		STORE(limit + v * LANES, CLONE(splat) (clip->limit));
	CLONE(norm_group) (clip, 0, d - clip->kept, from, x, factor);
	if (clip->kept > 0)
	{
		CLONE(norm_group) (clip, d - clip->kept, d, from, x, factor + GROUP);
		CLONE(factor_group) (clip, limit, factor + GROUP);
	}
	CLONE(factor_group) (clip, limit, factor);
}

/*
 * Apply the factors and round; null rows become zeros.  Squares of integers
 * of up to 26 bits and their sum are exact while it stays within the bound,
 * and above it once it is not: the comparison decides exactly.  A row that
 * fails it (released numbers beyond the range of double, nothing else) is
 * null as well.
 */
INLINE void
CLONE(quantise_group)(const FeatureClip *clip, int d, double *x, const double factor[2 * GROUP],
					  Mask ok[GROUP_VECS])
{
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Vec			square = CLONE(splat) (0.0);

		for (int j = 0; j < d; j++)
		{
			double	   *at = x + (size_t) j * DPEM_BLOCK_STRIDE + v * LANES;
			Vec			value = LOAD(at) * LOAD(factor + (j < d - clip->kept ? 0 : GROUP) + v * LANES);

			if (clip->quantise)
				value = CLONE(rint) (value);
			value = CLONE(keep_where) (ok[v], value);
			STORE(at, value);
			square += value * value;
		}
		ok[v] &= (Mask) (square <= CLONE(splat) (clip->bound));
	}
}

INLINE void
CLONE(zero_nulls)(DpemBlock *block, int row, const Mask ok[GROUP_VECS])
{
	for (int v = 0; v < GROUP_VECS; v++)
	{
		STORE(block->keep + row + v * LANES, CLONE(keep_where) (ok[v], CLONE(splat) (1.0)));
		for (int j = 0; j < block->d; j++)
		{
			double	   *at = block->x + (size_t) j * DPEM_BLOCK_STRIDE + row + v * LANES;

			STORE(at, CLONE(keep_where) (ok[v], LOAD(at)));
		}
	}
}

static CLONE_TARGET void
CLONE(features_apply)(const DpemFeatureMap *map, const FeatureClip *clip, DpemBlock *block,
					  double *scratch)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);
	bool		diagonal = is_diagonal(map);

	for (int row = 0; row < padded; row += GROUP)
	{
		double		factor[2 * GROUP] __attribute__((aligned(64)));
		Mask		ok[GROUP_VECS];
		double	   *x = block->x + row;
		double	   *from = x;

		CLONE(scale_group) (map, diagonal, block, row, ok);
		if (map->whitening && !diagonal)
		{
			from = scratch + row;
			CLONE(whiten_group) (map->whitening, map->outputs > 0 ? map->outputs : map->d, map->d, x, from);
		}
		if (map->pairs > 0)
		{
			double	   *waves = scratch + (map->whitening ? (size_t) map->d * DPEM_BLOCK_STRIDE : 0) + row;

			CLONE(fourier_group) (map, from, waves);
			from = waves;
		}
		CLONE(clip_group) (clip, block->d, from, x, factor);
		CLONE(quantise_group) (clip, block->d, x, factor, ok);
		CLONE(zero_nulls) (block, row, ok);
	}
}

#undef GROUP

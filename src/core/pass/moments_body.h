/*
 * moments_body.h - dpem_moments_block for one clone (kernel_each_clone.h).
 *
 * Every number of a record is sum_row r_k a b for two vectors a and b
 * (next_term in moments_kernel.c).  A tile of TILE_FEATURES such products
 * meets up to TILE_COMPONENTS components in registers; each accumulator lane
 * adds up its own rows.
 */

/*
 * a b + c.  Fused where the clone has the instruction: on integers fusing
 * changes nothing (moments_kernel.c).
 */
#if defined(DPEM_HAVE_X86_CLONES) && LANES == 8
#define VEC_FMA(a, b, c) ((Vec) _mm512_fmadd_pd((__m512d) (a), (__m512d) (b), (__m512d) (c)))
#elif defined(DPEM_HAVE_X86_CLONES) && LANES == 4
#define VEC_FMA(a, b, c) ((Vec) _mm256_fmadd_pd((__m256d) (a), (__m256d) (b), (__m256d) (c)))
#else
#define VEC_FMA(a, b, c) ((a) * (b) + (c))
#endif

/* out[f] = the sum of the lanes of acc[f], by transposing pairs of vectors */
INLINE void
CLONE(lane_sums)(Vec acc[TILE_FEATURES], double out[TILE_FEATURES])
{
#if defined(DPEM_HAVE_X86_CLONES) && LANES == 8 && TILE_FEATURES == 4
	__m512d		a = _mm512_add_pd(_mm512_unpacklo_pd((__m512d) acc[0], (__m512d) acc[1]),
								  _mm512_unpackhi_pd((__m512d) acc[0], (__m512d) acc[1]));
	__m512d		b = _mm512_add_pd(_mm512_unpacklo_pd((__m512d) acc[2], (__m512d) acc[3]),
								  _mm512_unpackhi_pd((__m512d) acc[2], (__m512d) acc[3]));
	__m256d		a4 = _mm256_add_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1));
	__m256d		b4 = _mm256_add_pd(_mm512_castpd512_pd256(b), _mm512_extractf64x4_pd(b, 1));

	_mm256_storeu_pd(out, _mm256_add_pd(_mm256_permute2f128_pd(a4, b4, 0x20),
										_mm256_permute2f128_pd(a4, b4, 0x31)));
#elif defined(DPEM_HAVE_X86_CLONES) && LANES == 4 && TILE_FEATURES == 2
	__m256d		a = _mm256_add_pd(_mm256_unpacklo_pd((__m256d) acc[0], (__m256d) acc[1]),
								  _mm256_unpackhi_pd((__m256d) acc[0], (__m256d) acc[1]));

	_mm_storeu_pd(out, _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1)));
#else
	for (int f = 0; f < TILE_FEATURES; f++)
	{
		out[f] = acc[f][0];
		for (int lane = 1; lane < LANES; lane++)
			out[f] += acc[f][lane];
	}
#endif
}

/* out[k][f] = sum_row r_k a_f b_f for `width` components */
INLINE void
CLONE(moment_tile)(const int width, const MomentTerm *term, const double *r, int rows,
				   double out[TILE_COMPONENTS][TILE_FEATURES])
{
	Vec			acc[TILE_COMPONENTS][TILE_FEATURES];

	UNROLL
	for (int k = 0; k < width; k++)
		UNROLL
		for (int f = 0; f < TILE_FEATURES; f++)
			acc[k][f] = CLONE(splat) (0.0);
	for (int row = 0; row < rows; row += LANES)
	{
		Vec			product[TILE_FEATURES];

		UNROLL
		for (int f = 0; f < TILE_FEATURES; f++)
			product[f] = LOAD(term[f].a + row) * LOAD(term[f].b + row);
		UNROLL
		for (int k = 0; k < width; k++)
		{
			Vec			weight = LOAD(r + (size_t) k * DPEM_BLOCK_STRIDE + row);

			UNROLL
			for (int f = 0; f < TILE_FEATURES; f++)
				acc[k][f] = VEC_FMA(weight, product[f], acc[k][f]);
		}
	}
	UNROLL
	for (int k = 0; k < width; k++)
		CLONE(lane_sums) (acc[k], out[k]);
}

/* the width as a constant, so that the tile stays in registers */
static CLONE_TARGET void
CLONE(moment_tile_of)(int width, const MomentTerm *term, const double *r, int rows,
					  double out[TILE_COMPONENTS][TILE_FEATURES])
{
	switch (width)
	{
		case 1:
			CLONE(moment_tile) (1, term, r, rows, out);
			break;
		case 2:
			CLONE(moment_tile) (2, term, r, rows, out);
			break;
		case 3:
			CLONE(moment_tile) (3, term, r, rows, out);
			break;
		case 4:
			CLONE(moment_tile) (4, term, r, rows, out);
			break;
		default:
			CLONE(moment_tile) (TILE_COMPONENTS, term, r, rows, out);
			break;
	}
}

/*
 * The records of `width` components from r's on.  The last tile repeats its
 * last term to be full.
 */
static CLONE_TARGET void
CLONE(moment_columns)(const MomentSource *source, int width, const double *r,
					  size_t record, double *sums)
{
	int			rows = DPEM_BLOCK_PADDED(source->block->rows);
	TermCursor	cursor = {0, 0, 0, 0};

	for (size_t first = 0; first < record; first += TILE_FEATURES)
	{
		size_t		left = record - first;
		int			count = left < TILE_FEATURES ? (int) left : TILE_FEATURES;
		MomentTerm	term[TILE_FEATURES];
		double		out[TILE_COMPONENTS][TILE_FEATURES];

		for (int f = 0; f < TILE_FEATURES; f++)
			term[f] = f < count ? next_term(source, &cursor) : term[count - 1];
		CLONE(moment_tile_of) (width, term, r, rows, out);
		for (int k = 0; k < width; k++)
			for (int f = 0; f < count; f++)
				sums[k * record + term[f].index] = out[k][f];
	}
}

/* ||x||^2 of every row, coordinates in ascending order */
static CLONE_TARGET void
CLONE(squared_norms)(const DpemBlock *block, double *norm)
{
	int			rows = DPEM_BLOCK_PADDED(block->rows);

	for (int row = 0; row < rows; row += LANES)
	{
		Vec			square = CLONE(splat) (0.0);

		for (int j = 0; j < block->d; j++)
		{
			Vec			x = LOAD(block->x + (size_t) j * DPEM_BLOCK_STRIDE + row);

			square += x * x;
		}
		STORE(norm + row, square);
	}
}

/* components in tiles of equal width, or one apart */
static CLONE_TARGET void
CLONE(moments_block)(const DpemMomentLayout *layout, const MomentSource *source,
					 const double *r, double *sums)
{
	size_t		record = dpem_moments_record(layout);
	int			tiles = (layout->k + TILE_COMPONENTS - 1) / TILE_COMPONENTS;
	int			k = 0;

	if (layout->second == DPEM_SECOND_NORM)
		CLONE(squared_norms) (source->block, source->norm);
	for (int tile = 0; tile < tiles; tile++)
	{
		int			width = (layout->k - k) / (tiles - tile);

		CLONE(moment_columns) (source, width, r + (size_t) k * DPEM_BLOCK_STRIDE,
							   record, sums + k * record);
		k += width;
	}
}

#undef VEC_FMA

/*
 * feature_store_body.h - dpem_features_store and dpem_features_restore for one
 * clone (kernel_each_clone.h).  Whole groups of rows: padding is null rows.
 */

typedef int16_t CLONE(Narrow) __attribute__((vector_size(2 * LANES), aligned(2), may_alias));
typedef int32_t CLONE(Wide) __attribute__((vector_size(4 * LANES)));

static CLONE_TARGET void
CLONE(features_store)(const DpemBlock *block, int16_t *feature, int8_t *keep)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);
	const double *flag = block->keep;

	for (int j = 0; j < block->d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		int16_t	   *to = feature + (size_t) j * DPEM_BLOCK_ROWS;

		for (int row = 0; row < padded; row += LANES)
			*(CLONE(Narrow) *) (to + row) =
				__builtin_convertvector(__builtin_convertvector(LOAD(x + row), CLONE(Wide)),
										CLONE(Narrow));
	}
	for (int row = 0; row < padded; row++)
		keep[row] = flag[row] != 0;
}

static CLONE_TARGET void
CLONE(features_restore)(const int16_t *feature, const int8_t *keep, DpemBlock *block)
{
	int			padded = DPEM_BLOCK_PADDED(block->rows);
	double	   *flag = block->keep;

	for (int j = 0; j < block->d; j++)
	{
		double	   *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE;
		const int16_t *from = feature + (size_t) j * DPEM_BLOCK_ROWS;

		for (int row = 0; row < padded; row += LANES)
			STORE(x + row,
				  __builtin_convertvector(__builtin_convertvector(*(const CLONE(Narrow) *) (from +
																							row),
																  CLONE(Wide)),
										  Vec));
	}
	for (int row = 0; row < padded; row++)
		flag[row] = keep[row];
}

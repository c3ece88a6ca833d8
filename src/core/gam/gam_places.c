/*
 * gam_places.c - see gam_places.h.
 */
#include <string.h>

#include "core/gam/gam_places.h"
#include "core/gam/gam_shape.h"

/* cells of pairs, of which each has a component of its own */
size_t
dpem_gam_places_scratch(const DpemMomentLayout *layout)
{
	size_t		pairs = (size_t) (layout->k < DPEM_GAM_MAX_COLUMNS ? layout->k : DPEM_GAM_MAX_COLUMNS);

	return pairs * (DPEM_BLOCK_ROWS * sizeof(int16_t) / sizeof(double));
}

/* each of these cells among all */
static void
find_pair(const DpemGamShape *shape, const DpemGamPlaces *block, int q, int offset, int16_t *place)
{
	const int16_t *first = block->code + (size_t) shape->pair[q].first * DPEM_BLOCK_ROWS;
	const int16_t *second = block->code + (size_t) shape->pair[q].second * DPEM_BLOCK_ROWS;
	int			across = shape->column[shape->pair[q].second].parts;

	for (int row = 0; row < block->rows; row++)
		place[row] = (int16_t) (offset + (int) shape->part[first[row]] * across + (int) shape->part[second[row]]);
}

DpemGamPlaces
dpem_gam_places(const DpemGamShape *shape, const DpemBlock *block, double *scratch)
{
	int16_t    *pair = (int16_t *) scratch;
	const int16_t *target = block->code + (size_t) shape->columns * DPEM_BLOCK_ROWS;
	int			offset = shape->pairs > 0 ? dpem_gam_main_cells(shape) : 0;
	DpemGamPlaces own = {
		.rows = block->rows,.columns = shape->columns,.code = block->code,.pair = pair,.target = target,
		.value = (const double *) (target + DPEM_BLOCK_ROWS)
	};

	for (int q = 0; q < shape->pairs; q++)
	{
		find_pair(shape, &own, q, offset, pair + (size_t) q * DPEM_BLOCK_ROWS);
		offset += dpem_gam_term_cells(shape, shape->columns + q);
	}
	return own;
}

const int16_t *
dpem_gam_place_of(const DpemGamPlaces *block, int term)
{
	return term < block->columns ? block->code + (size_t) term * DPEM_BLOCK_ROWS
		: block->pair + (size_t) (term - block->columns) * DPEM_BLOCK_ROWS;
}

/* four terms at a time, so that scores are loaded and stored a quarter as often */
static void
add_four(const DpemGamPlaces *block, int term, const double *coefficient, double *score)
{
	const int16_t *a = dpem_gam_place_of(block, term);
	const int16_t *b = dpem_gam_place_of(block, term + 1);
	const int16_t *c = dpem_gam_place_of(block, term + 2);
	const int16_t *d = dpem_gam_place_of(block, term + 3);

	for (int row = 0; row < block->rows; row++)
		score[row] += (coefficient[a[row]] + coefficient[b[row]]) + (coefficient[c[row]] + coefficient[d[row]]);
}

void
dpem_gam_score_rows(const DpemGamShape *shape, const DpemGamPlaces *block, const double *coefficient, double *score)
{
	int			terms = dpem_gam_terms(shape);
	int			term = 0;

	memset(score, 0, DPEM_BLOCK_PADDED(block->rows) * sizeof(double));
	for (; term + 4 <= terms; term += 4)
		add_four(block, term, coefficient, score);
	for (; term < terms; term++)
	{
		const int16_t *cell = dpem_gam_place_of(block, term);

		for (int row = 0; row < block->rows; row++)
			score[row] += coefficient[cell[row]];
	}
}

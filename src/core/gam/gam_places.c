/*
 * gam_places.c - see gam_places.h.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_places.h"
#include "core/gam/gam_shape.h"

/* places in columns, which are fewer than coordinates, and in pairs, of which each has a component of its own */
size_t
dpem_gam_places_scratch(const DpemMomentLayout *layout)
{
	size_t		columns = (size_t) (layout->d < DPEM_GAM_MAX_COLUMNS ? layout->d : DPEM_GAM_MAX_COLUMNS);
	size_t		pairs = (size_t) (layout->k < DPEM_GAM_MAX_COLUMNS ? layout->k : DPEM_GAM_MAX_COLUMNS);

	return (columns + pairs) * (DPEM_BLOCK_ROWS * sizeof(int16_t) / sizeof(double));
}

/* each of these cells among all */
static void
find_pair(const DpemGamShape *shape, const DpemGamPlaces *block, int q, int offset, int16_t *place)
{
	const int16_t *first = dpem_gam_place_of(block, shape->pair[q].first);
	const int16_t *second = dpem_gam_place_of(block, shape->pair[q].second);
	int			across = shape->column[shape->pair[q].second].parts;

	for (int row = 0; row < block->rows; row++)
		place[row] = (int16_t) (offset + (int) shape->part[first[row]] * across + (int) shape->part[second[row]]);
}

DpemGamPlaces
dpem_gam_places(const DpemGamShape *shape, const DpemBlock *block, double *scratch)
{
	const int16_t *target = block->code + (size_t) dpem_gam_column_codes(shape) * DPEM_BLOCK_ROWS;
	int16_t    *place = (int16_t *) scratch;
	bool		bytes = dpem_gam_fits_bytes(shape);
	int			offset = 0;
	DpemGamPlaces own = {.rows = block->rows,.place = place,.target = target,.value = (const double *) (target + DPEM_BLOCK_ROWS)};

	for (int term = 0; place != NULL && term < dpem_gam_terms(shape); term++, place += DPEM_BLOCK_ROWS)
	{
		if (term < shape->columns)
			dpem_gam_get_column(bytes, term, block->rows, offset, block->code, place);
		else
			find_pair(shape, &own, term - shape->columns, offset, place);
		offset += dpem_gam_term_cells(shape, term);
	}
	return own;
}

const int16_t *
dpem_gam_place_of(const DpemGamPlaces *block, int term)
{
	return block->place + (size_t) term * DPEM_BLOCK_ROWS;
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

/* ---- coefficients as whole numbers ---- */

/* registers of several cells are loaded from any of them on */
#define WHOLE_PADDING	64
#define WHOLE_BITS		30
#define ROOM_BITS		12		/* more than there are terms: no sum of as much less is infinite */

size_t
dpem_gam_whole_length(const DpemGamShape *shape)
{
	return (size_t) dpem_gam_cells(shape) + WHOLE_PADDING;
}

/* no score is larger than this times 2^ROOM_BITS */
static double
most_of(const DpemGamShape *shape, const double *coefficient)
{
	double		sum = 0;

	for (int term = 0; term < dpem_gam_terms(shape); term++)
	{
		int			cells = dpem_gam_term_cells(shape, term);
		double		most = 0;

		for (int i = 0; i < cells; i++)
			most = fmax(most, fabs(coefficient[i]));
		sum += ldexp(most, -ROOM_BITS);
		coefficient += cells;
	}
	return sum;
}

double
dpem_gam_round_coefficients(const DpemGamShape *shape, const double *coefficient, int32_t *to)
{
	size_t		n = (size_t) dpem_gam_cells(shape);
	double		most = 0;
	double		unit;
	int			exponent;

	for (int s = 0; s < dpem_gam_scores(shape); s++)
		most = fmax(most, most_of(shape, coefficient + s * n));
	/* less is as good as 0 */
	(void) frexp(fmax(most, 0x1p-900), &exponent);
	unit = ldexp(1, exponent + ROOM_BITS - WHOLE_BITS);
	for (int s = 0; s < dpem_gam_scores(shape); s++, to += dpem_gam_whole_length(shape))
		for (size_t i = 0; i < n; i++)
			to[i] = (int32_t) rint(coefficient[s * n + i] / unit);
	return unit;
}

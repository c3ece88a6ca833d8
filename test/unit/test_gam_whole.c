/*
 * test_gam_whole.c - how rows' cells are kept as codes, and scores from coefficients as whole numbers (gam_places.h).
 */
#include "core/gam/gam_places.h"
#include "core/gam/gam_shape.h"
#include "gam_fixture.h"

/* cells as codes, of bytes or of 16 bits, and back as places */
static void
check_codes(Rng *rng)
{
	for (int bytes = 0; bytes <= 1; bytes++)
	{
		int16_t		code[3 * DPEM_BLOCK_ROWS];
		int16_t		cell[3][DPEM_BLOCK_ROWS];
		int16_t		place[DPEM_BLOCK_ROWS];
		int			wrong = 0;

		for (int c = 0; c < 3; c++)
		{
			for (int row = 0; row < DPEM_BLOCK_ROWS; row++)
				cell[c][row] = (int16_t) rng_below(rng, bytes ? 256 : 1200);
			dpem_gam_put_column(bytes, c, DPEM_BLOCK_ROWS, cell[c], code);
		}
		for (int c = 0; c < 3; c++)
		{
			dpem_gam_get_column(bytes, c, DPEM_BLOCK_ROWS, 7000, code, place);
			for (int row = 0; row < DPEM_BLOCK_ROWS; row++)
				wrong += place[row] != 7000 + cell[c][row];
		}
		CHECK(wrong == 0, "%d places of %s are wrong", wrong, bytes ? "bytes" : "16 bits");
	}
}

/* whole coefficients give the same residuals, but for a unit, and every clone the same ones; columns fit into registers or do not */
static void
check_whole(Rng *rng, DpemClone clone, int targets, double size)
{
	_Alignas(64) int16_t code[4 * DPEM_BLOCK_ROWS];
	DpemGamColumn column[3] = {{0, 0, 33, -1, 0, 0}, {1, 0, 64, -1, 0, 0}, {2, 0, 200, -1, 0, 0}};
	DpemGamShape shape = {.radius = 1,.columns = 3,.column = column,.targets = targets,.classes = targets,.reach = 1};
	DpemGamPlaces places = {.rows = 301,.place = code,.target = code + 3 * DPEM_BLOCK_ROWS};
	double	   *coefficient = uniforms(rng, 297 * (size_t) targets, -size, size);
	int32_t    *whole = (int32_t *) numbers(dpem_gam_whole_length(&shape) * (size_t) targets);
	double	   *x[3];
	double		off = 0;
	int			unlike = 0;
	DpemGamWhole all;

	for (int row = 0; row < places.rows; row++)
	{
		code[row] = (int16_t) rng_below(rng, 33);
		code[DPEM_BLOCK_ROWS + row] = (int16_t) (33 + rng_below(rng, 64));
		code[2 * DPEM_BLOCK_ROWS + row] = (int16_t) (97 + rng_below(rng, 200));
		code[3 * DPEM_BLOCK_ROWS + row] = (int16_t) (rng_below(rng, targets + 1) - 1);
	}
	all = (DpemGamWhole) {dpem_gam_round_coefficients(&shape, coefficient, whole), whole};
	for (int i = 0; i < 3; i++)
	{
		x[i] = numbers((1 + (size_t) targets) * DPEM_BLOCK_STRIDE);
		dpem_gam_residuals_clone(i < 2 ? clone : (DpemClone) 0, &shape, &places, coefficient, i == 0 ? NULL : &all, P, x[i] + (size_t) targets * DPEM_BLOCK_STRIDE, x[i]);
	}
	for (int s = 0; s < dpem_gam_scores(&shape); s++)
		for (int row = 0; row < DPEM_BLOCK_PADDED(301); row++)
		{
			size_t		at = (size_t) s * DPEM_BLOCK_STRIDE + (size_t) row;

			off = fmax(off, fabs(x[1][at] - x[0][at]));
			unlike += x[1][at] != x[2][at];
		}
	CHECK(off <= 1 && unlike == 0, "%s, %d targets: residuals of whole coefficients are off by %g units, %d unlike", dpem_clone_name(clone), targets, off, unlike);
	for (int i = 0; i < 3; i++)
		free(x[i]);
	free(coefficient);
	free(whole);
}

/* of the largest coefficients, of the smallest and of none no score is beyond 32 bits */
static void
check_units(void)
{
	DpemGamColumn column[2] = {{0, 0, 2, -1, 0, 0}, {1, 0, 2, -1, 0, 0}};
	DpemGamShape shape = {.radius = 1,.columns = 2,.column = column,.targets = 2,.classes = 2,.reach = 1};
	const double size[] = {1.7e308, 1, 0x1p-1074, 0};

	for (int i = 0; i < 4; i++)
	{
		double		coefficient[4] = {size[i], -size[i] / 3, size[i], -size[i]};
		int32_t		whole[4 + 64];
		double		unit = dpem_gam_round_coefficients(&shape, coefficient, whole);

		CHECK(isfinite(unit) && unit > 0 && (int64_t) whole[0] + whole[2] <= INT32_MAX, "a coefficient of %g", size[i]);
		CHECK(i != 1 || fabs(unit * whole[1] + 1.0 / 3) <= unit / 2, "is rounded to a unit");
	}
}

int
main(void)
{
	Rng			rng = {20};

	for (int clone = 0; clone < DPEM_CLONES; clone++)
		for (int targets = 2; targets <= 4 && dpem_clone_runs((DpemClone) clone); targets++)
			for (int size = 0; size < 3; size++)
				check_whole(&rng, (DpemClone) clone, targets, pow(10, size - 1));
	check_units();
	check_codes(&rng);
	return unit_report();
}

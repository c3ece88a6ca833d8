/*
 * tape_tables.c - record and replay of cells of tables, and of distances that are tested.
 */
#include "postgres.h"

#include <math.h>

#include "wall/tape_inside.h"

/* sum over all cells of the change over the scale, squared for Gaussian noise */
static double
scaled_change(const DpemInt128 *count, const DpemInt128 *taped, const DpemUint128 *scale, size_t n, DpemNoiseKind kind)
{
	double		sum = 0;

	for (size_t i = 0; i < n; i++)
	{
		double		x = (double) (count[i] - taped[i]) / (double) scale[i];

		sum += kind == DPEM_NOISE_LAPLACE ? fabs(x) : x * x;
	}
	return sum;
}

void
dpem_tape_compare_cells(const DpemInt128 *count, const DpemUint128 *scale, size_t n,
						DpemNoiseKind kind, const DpemDeclared *declared)
{
	DpemTape   *tape = dpem_tape_running();
	TapedRelease *taped = dpem_tape_next(tape, count, n);

	if (taped == NULL)
		return;
	if (tape->recording)
	{
		dpem_tape_expect(tape, taped, n);
		for (size_t i = 0; i < n; i++)
			dpem_tape_expect_noise(taped, i, kind, scale[i]);
	}
	else
		dpem_tape_note(tape, declared, kind, scaled_change(count, taped->raw, scale, n, kind));
}

void
dpem_tape_note_test(int64 distance, double failure)
{
	DpemTape   *tape = dpem_tape_running();
	const TapedRelease *taped;

	if (tape->recording || !tape->replay.same_shape)
		return;
	taped = list_nth(tape->releases, tape->replay.releases - 1);
	if (distance == 0 && taped->raw[0] == 0)
		tape->replay.failure += failure;
}

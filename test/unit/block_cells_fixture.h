/*
 * block_cells_fixture.h - blocks of random rows, and what they are analysed by.
 */
#ifndef DPEM_TEST_BLOCK_CELLS_FIXTURE_H
#define DPEM_TEST_BLOCK_CELLS_FIXTURE_H

#include <math.h>

#include "core/numeric/public_random.h"
#include "core/pass/features.h"
#include "core/robust/block_cells.h"
#include "core/robust/robust.h"
#include "unit.h"

#define UNIT (1 << DPEM_FEATURE_BITS)
#define ONE (INT64_C(1) << DPEM_RESPONSIBILITY_BITS)
#define CELLS 7
#define BLOCKS 5
#define WORK 4096

static DpemPublicRandom rng = {29};
static const double zeros[16];

static inline double
uniform(double lower, double upper)
{
	return lower + (upper - lower) * dpem_public_uniform(&rng);
}

static inline int
below(int n)
{
	return (int) fmin(uniform(0, n), n - 1);
}

static inline DpemBlockCells
task_of(DpemBlockAnalysis analysis, int points)
{
	return (DpemBlockCells) {
		analysis, CELLS, points, {.blocks = BLOCKS,.steps = 3,.capacity = 1000,.reach = analysis == DPEM_BLOCK_COEFFICIENTS ? 0.5 : 0,.start = zeros}
	};
}

#endif							/* DPEM_TEST_BLOCK_CELLS_FIXTURE_H */

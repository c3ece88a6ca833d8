/*
 * fuzz_kernel.c - rows of anything through the feature map, the link and the
 * moments: the statements of docs/proofs.md, sections 2 and 3, for every row.
 */
#include "fuzz.h"

#include "core/kernels/gmm_kernel.h"
#include "core/kernels/kmeans_kernel.h"
#include "core/kernels/kernel.h"
#include "core/pass/kernel_clone.h"

typedef struct Pass
{
	const DpemKernel *kernel;
	DpemMomentLayout layout;
	DpemFeatureMap map;
	int			bits;			/* of responsibilities */
	double	   *theta;
} Pass;

static double *
numbers(FuzzInput *in, size_t n, double most)
{
	double	   *x = fuzz_allocate(n);

	for (size_t i = 0; i < n; i++)
		x[i] = fuzz_number(in, most);
	return x;
}

static void
choose_bounds(FuzzInput *in, DpemFeatureMap *map)
{
	double	   *lower = fuzz_allocate(map->d);
	double	   *upper = fuzz_allocate(map->d);

	for (int j = 0; j < map->d; j++)
	{
		double		a = fuzz_number(in, INFINITY);
		double		b = fuzz_number(in, INFINITY);

		lower[j] = fmin(a, b);
		upper[j] = fmax(a, b);
		if (!(lower[j] < upper[j]))
			upper[j] = nextafter(lower[j], INFINITY);
		if (isinf(upper[j]))
			lower[j] = 0, upper[j] = 1;
	}
	map->lower = lower;
	map->upper = upper;
}

static Pass
choose_pass(FuzzInput *in)
{
	Pass		pass = {.kernel = &dpem_kernel_gmm};
	int			d = 1 + fuzz_below(in, fuzz_one_in(in, 20) ? 40 : 8);
	double		most = fuzz_one_in(in, 2) ? 10 : INFINITY;

	pass.layout = (DpemMomentLayout) {1 + fuzz_below(in, fuzz_one_in(in, 50) ? 500 : 6), d, fuzz_below(in, 4)};
	if (fuzz_one_in(in, 4))
	{
		pass.kernel = &dpem_kernel_sums;
		pass.layout.k = 1;
	}
	else if (fuzz_one_in(in, 3))
		pass.kernel = &dpem_kernel_kmeans;
	else if (pass.layout.second == DPEM_SECOND_NONE)
		pass.layout.second = DPEM_SECOND_FULL;
	pass.map.d = d;
	pass.map.bits = fuzz_one_in(in, 4) ? 0 : DPEM_FEATURE_BITS;
	pass.bits = pass.map.bits ? DPEM_RESPONSIBILITY_BITS : 0;
	pass.map.radius = fuzz_positive(in, fuzz_one_in(in, 2) ? 1e-3 : 5e-324, INFINITY);
	choose_bounds(in, &pass.map);
	pass.map.center = fuzz_one_in(in, 2) ? numbers(in, d, most) : NULL;
	pass.map.whitening = fuzz_one_in(in, 2) ? numbers(in, (size_t) d * d, most) : NULL;
	pass.theta = numbers(in, pass.kernel->theta_length(&pass.layout), most);
	return pass;
}

static void
free_pass(Pass *pass)
{
	free((void *) pass->map.lower);
	free((void *) pass->map.upper);
	free((void *) pass->map.center);
	free((void *) pass->map.whitening);
	free(pass->theta);
}

static bool
fill_block(FuzzInput *in, DpemBlock *block, bool *good)
{
	block->rows = fuzz_one_in(in, 30) ? DPEM_BLOCK_ROWS : 1 + fuzz_below(in, 40);
	for (int row = 0; row < block->rows; row++)
	{
		block->keep[row] = fuzz_one_in(in, 10) ? 0.0 : 1.0;
		good[row] = block->keep[row] > 0;
		for (int j = 0; j < block->d; j++)
		{
			double		x = fuzz_double(in);

			block->x[j * DPEM_BLOCK_STRIDE + row] = x;
			good[row] = good[row] && isfinite(x);
		}
	}
	return true;
}

/* integers with a norm of at most 2^q, or zeros for the null row */
static void
check_features(const Pass *pass, const DpemBlock *block, const bool *good)
{
	for (int row = 0; row < DPEM_BLOCK_PADDED(block->rows); row++)
	{
		int64_t		norm2 = 0;
		double		real2 = 0;

		REQUIRE(block->keep[row] == 0.0 || (block->keep[row] == 1.0 && row < block->rows && good[row]));
		for (int j = 0; j < block->d; j++)
		{
			double		x = block->x[j * DPEM_BLOCK_STRIDE + row];

			REQUIRE(isfinite(x) && fabs(x) <= (pass->map.bits ? 8192 : 1.0000001));
			REQUIRE(block->keep[row] > 0 || x == 0);
			if (pass->map.bits)
			{
				REQUIRE(x == rint(x));
				norm2 += (int64_t) x * (int64_t) x;
			}
			real2 += x * x;
		}
		REQUIRE(norm2 <= INT64_C(1) << (2 * DPEM_FEATURE_BITS));
		REQUIRE(pass->map.bits || real2 <= 1 + 1e-9);
	}
}

static void
check_responsibilities(const Pass *pass, const DpemBlock *block, const double *r)
{
	for (int row = 0; row < DPEM_BLOCK_PADDED(block->rows); row++)
	{
		double		whole = pass->bits ? ldexp(1, pass->bits) : 1;
		double		sum = 0;

		for (int k = 0; k < pass->layout.k; k++)
		{
			double		x = r[k * DPEM_BLOCK_STRIDE + row];

			REQUIRE(x >= 0 && x <= whole * (1 + 1e-12));
			REQUIRE(!pass->bits || x == rint(x));
			sum += x;
		}
		if (block->keep[row] == 0)
			REQUIRE(sum == 0);
		else if (pass->bits)
			REQUIRE(sum == whole);
		else
			REQUIRE(fabs(sum - 1) < 1e-9);
	}
}

/* counts and sums of the exact kernel once more, in 128 bits */
static void
check_moments(const Pass *pass, const DpemBlock *block, const double *r, const double *sums)
{
	size_t		record = dpem_moments_record(&pass->layout);

	for (int k = 0; k < pass->layout.k; k++)
	{
		for (int j = -1; j < pass->layout.d; j++)
		{
			__int128	sum = 0;

			for (int row = 0; row < block->rows; row++)
				sum += (__int128) r[k * DPEM_BLOCK_STRIDE + row] *
					(__int128) (j < 0 ? 1 : block->x[j * DPEM_BLOCK_STRIDE + row]);
			REQUIRE(sum == (__int128) sums[k * record + 1 + j]);
		}
	}
}

/* the same bits in every clone */
static void
run_clone(DpemClone clone, const Pass *pass, const DpemBlock *rows, const bool *good, double *features)
{
	size_t		n = (size_t) rows->d * DPEM_BLOCK_STRIDE;
	size_t		length = dpem_moments_length(&pass->layout);
	DpemBlock	block = {.rows = rows->rows,.d = rows->d,.x = fuzz_allocate(n),.keep = fuzz_allocate(DPEM_BLOCK_STRIDE)};
	double	   *r = fuzz_allocate((size_t) pass->layout.k * DPEM_BLOCK_STRIDE);
	double	   *sums = fuzz_allocate(length);
	double	   *scratch = fuzz_allocate(n + dpem_gmm_scratch(pass->layout.k, block.d) + DPEM_BLOCK_STRIDE);

	memcpy(block.x, rows->x, n * sizeof(double));
	memcpy(block.keep, rows->keep, DPEM_BLOCK_STRIDE * sizeof(double));
	dpem_features_apply_clone(clone, &pass->map, &block, scratch);
	check_features(pass, &block, good);
	if (clone == DPEM_CLONE_DEFAULT)
		memcpy(features, block.x, n * sizeof(double));
	for (int row = 0; row < block.rows; row++)
		for (int j = 0; j < block.d; j++)
			REQUIRE(block.x[j * DPEM_BLOCK_STRIDE + row] == features[j * DPEM_BLOCK_STRIDE + row]);
	pass->kernel->respond(&pass->layout, pass->theta, &block, pass->map.bits, pass->bits, r, scratch);
	check_responsibilities(pass, &block, r);
	dpem_moments_block_clone(clone, &pass->layout, &block, r, sums, scratch);
	REQUIRE(fuzz_all_finite(sums, length));
	if (pass->bits)
		check_moments(pass, &block, r, sums);
	free(block.x);
	free(block.keep);
	free(r);
	free(sums);
	free(scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	in = fuzz_input(data, size);
	Pass		pass = choose_pass(&in);
	size_t		n = (size_t) pass.layout.d * DPEM_BLOCK_STRIDE;
	DpemBlock	rows = {.d = pass.layout.d,.x = fuzz_allocate(n),.keep = fuzz_allocate(DPEM_BLOCK_STRIDE)};
	double	   *features = fuzz_allocate(n);
	bool		good[DPEM_BLOCK_ROWS];

	fill_block(&in, &rows, good);
	for (DpemClone clone = 0; clone < DPEM_CLONES; clone++)
	{
		if (dpem_clone_runs(clone))
			run_clone(clone, &pass, &rows, good, features);
	}
	free(features);
	free(rows.x);
	free(rows.keep);
	free_pass(&pass);
	return 0;
}

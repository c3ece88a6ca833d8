/*
 * test_kmeans_kernel.c - k-means' assignment: values, ties, row purity, extremes.
 */
#include "core/kernels/kernel.h"
#include "kernel_fixture.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define UNIT	0x1p18			/* 2^P */

static long double
squared_distance(const Work *w, int row, int feature_bits, const double *center)
{
	long double sum = 0;

	for (int j = 0; j < w->d; j++)
	{
		long double t = ldexpl(w->block.x[j * DPEM_BLOCK_STRIDE + row], -feature_bits) - center[j];

		sum += t * t;
	}
	return sum;
}

/* rows whose unit is further away than the nearest center by more than rounding explains */
static int
rows_misplaced(const Work *w, const double *center, int feature_bits, double unit)
{
	int			bad = 0;

	for (int i = 0; i < w->block.rows; i++)
	{
		long double least = INFINITY;
		long double mine = INFINITY;

		for (int c = 0; c < w->k; c++)
		{
			long double square = squared_distance(w, i, feature_bits, center + (size_t) c * w->d);

			least = fminl(least, square);
			if (w->r[c * DPEM_BLOCK_STRIDE + i] == unit)
				mine = square;
		}
		bad += !(mine <= least + 1e-14L);
	}
	return bad;
}

/* rows without a whole unit at exactly one center, or null rows with anything */
static int
rows_divided(const Work *w, double unit)
{
	int			bad = 0;

	for (int i = 0; i < DPEM_BLOCK_PADDED(w->block.rows); i++)
	{
		int			whole = 0;
		int			empty = 0;

		for (int c = 0; c < w->k; c++)
		{
			double		r = w->r[c * DPEM_BLOCK_STRIDE + i];

			whole += r == unit;
			empty += r == 0 && !signbit(r);
		}
		bad += whole != (w->block.keep[i] == 1) || whole + empty != w->k;
	}
	return bad;
}

static void
test_values(void)
{
	static const int dims[] = {1, 2, 3, 4, 5, 10, 37, 100};
	static const int centers[] = {1, 2, 3, 4, 5, 7, 8, 33};
	Rng			rng = {51};

	for (int test = 0; test < 8 * 8; test++)
	{
		int			d = dims[test % 8];
		int			k = centers[test / 8];
		double	   *center = uniforms(&rng, (size_t) k * d, -1 / sqrt(d), 1 / sqrt(d));
		Work		w = work_make(d, k);

		FOR_CLONES(clone)
		{
			fill_features(&rng, &w, 67 + test, 0);
			dpem_kmeans_respond_clone(clone, k, center, &w.block, 0, 0, w.r, w.scratch);
			CHECK(rows_divided(&w, 1) == 0 && rows_misplaced(&w, center, 0, 1) == 0,
				  "%s d=%d K=%d: real", dpem_clone_name(clone), d, k);
			fill_features(&rng, &w, 67 + test, Q);
			w.block.keep[5] = 0;
			for (int j = 0; j < d; j++)
				w.block.x[j * DPEM_BLOCK_STRIDE + 5] = 0;
			dpem_kmeans_respond_clone(clone, k, center, &w.block, Q, P, w.r, w.scratch);
			CHECK(rows_divided(&w, UNIT) == 0, "%s d=%d K=%d: %d rows", dpem_clone_name(clone), d, k,
				  rows_divided(&w, UNIT));
			w.block.keep[5] = 1;
			w.r[5] = UNIT;		/* the null row is nobody's */
			CHECK(rows_misplaced(&w, center, Q, UNIT) <= 1, "%s d=%d K=%d: quantised",
				  dpem_clone_name(clone), d, k);
		}
		free(center);
		work_free(&w);
	}
}

/* Equal centers: the first takes all; halfway between two: the first. */
static void
test_ties(void)
{
	double		center[7] = {0.5, -0.25, 0.25, -0.25, 0.25, 0.5, -0.25};
	Rng			rng = {52};
	Work		w = work_make(1, 7);

	FOR_CLONES(clone)
	{
		int			bad = 0;

		fill_features(&rng, &w, 300, Q);
		for (int i = 0; i < 10; i++)
			w.block.x[i] = 0;	/* as far from -0.25 as from 0.25 */
		dpem_kmeans_respond_clone(clone, 7, center, &w.block, Q, P, w.r, w.scratch);
		for (int i = 0; i < 300; i++)
			for (int c = 3; c < 7; c++)
				bad += w.r[c * DPEM_BLOCK_STRIDE + i] != 0;
		for (int i = 0; i < 10; i++)
			bad += w.r[DPEM_BLOCK_STRIDE + i] != UNIT;
		CHECK(bad == 0 && rows_divided(&w, UNIT) == 0, "%s: %d", dpem_clone_name(clone), bad);
	}
	work_free(&w);
}

/* Centers beyond the range of double still give every row one whole unit, the same on every clone. */
static void
test_hostile_centers(void)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e200, 4.9e-324, 0.0, 1e9};
	Rng			rng = {53};

	for (int test = 0; test < 300; test++)
	{
		int			d = 1 + rng_below(&rng, 9);
		int			k = 1 + rng_below(&rng, 9);
		double	   *center = uniforms(&rng, (size_t) k * d, -1, 1);
		Work		w = work_make(d, k);
		double	   *first = numbers((size_t) k * DPEM_BLOCK_STRIDE);

		for (int i = 0; i < (test % 5) * (test % 5); i++)
			center[rng_below(&rng, k * d)] = odd[rng_below(&rng, 9)];
		fill_features(&rng, &w, 90, Q);
		FOR_CLONES(clone)
		{
			bool		same = true;

			dpem_kmeans_respond_clone(clone, k, center, &w.block, Q, P, w.r, w.scratch);
			CHECK(rows_divided(&w, UNIT) == 0, "%d rows", rows_divided(&w, UNIT));
			for (int c = 0; c < k; c++)
			{
				double	   *at = first + (size_t) c * DPEM_BLOCK_STRIDE;

				if (clone == DPEM_CLONE_DEFAULT)
					memcpy(at, w.r + (size_t) c * DPEM_BLOCK_STRIDE, 90 * sizeof(double));
				same = same && memcmp(at, w.r + (size_t) c * DPEM_BLOCK_STRIDE, 90 * sizeof(double)) == 0;
			}
			CHECK(same, "%s differs", dpem_clone_name(clone));
		}
		free(first);
		free(center);
		work_free(&w);
	}
}

/* A row has the same bits alone, anywhere in any block, on any clone, in any caller's fpenv. */
static void
test_purity(int d, int k, int feature_bits, int bits)
{
	Rng			rng = {54 + d * 100 + k};
	double	   *center = uniforms(&rng, (size_t) k * d, -1 / sqrt(d), 1 / sqrt(d));
	Work		pool = work_make(d, k);
	Work		w = work_make(d, k);

	fill_features(&rng, &pool, 512, feature_bits);
	for (int c = 0; c + 1 < k; c += 2)	/* half of the rows stand where rounding decides */
		for (int i = c; i < 512; i += 2 * k)
			for (int j = 0; j < d; j++)
				pool.block.x[j * DPEM_BLOCK_STRIDE + i] =
					ldexp(center[c * d + j] / 2 + center[(c + 1) * d + j] / 2, feature_bits);
	dpem_kmeans_respond_clone(DPEM_CLONE_DEFAULT, k, center, &pool.block, feature_bits, bits,
							  pool.r, pool.scratch);
	for (int test = 0; test < 40; test++)
		FOR_CLONES(clone)
	{
		int			rows = test < 8 ? test + 1 : test < 16 ? 520 - test : 1 + rng_below(&rng, 512);
		int			which[DPEM_BLOCK_ROWS];
		int			different = 0;

		for (int i = 0; i < DPEM_BLOCK_PADDED(rows); i++)
		{
			which[i] = rng_below(&rng, 512);
			copy_row(&pool, which[i], &w, i);
			w.block.keep[i] = i < rows;
		}
		w.block.rows = rows;
#if defined(__x86_64__)
		_mm_setcsr(test % 3 == 0 ? 0xffc0 : 0x1f80);
#endif
		dpem_kmeans_respond_clone(clone, k, center, &w.block, feature_bits, bits, w.r, w.scratch);
#if defined(__x86_64__)
		_mm_setcsr(0x1f80);
#endif
		for (int c = 0; c < k; c++)
			for (int i = 0; i < rows; i++)
				different += memcmp(&w.r[c * DPEM_BLOCK_STRIDE + i],
									&pool.r[c * DPEM_BLOCK_STRIDE + which[i]], sizeof(double)) != 0;
		CHECK(different == 0, "%s d=%d K=%d rows=%d: %d numbers differ", dpem_clone_name(clone),
			  d, k, rows, different);
	}
	free(center);
	work_free(&pool);
	work_free(&w);
}

static void
test_purities(void)
{
	static const int dims[] = {1, 2, 3, 10, 37};
	static const int centers[] = {1, 2, 5, 10, 60};

	for (int test = 0; test < 25; test++)
	{
		test_purity(dims[test % 5], centers[test / 5], Q, P);
		test_purity(dims[test % 5], centers[test / 5], 0, 0);
	}
}

static void
test_kernel(void)
{
	DpemMomentLayout layout = {5, 3, DPEM_SECOND_NONE};

	CHECK(dpem_kernel_from_code(dpem_kernel_kmeans.code) == &dpem_kernel_kmeans, "code on the wire");
	CHECK(dpem_kernel_kmeans.theta_length(&layout) == 15, "centers");
	CHECK(dpem_kernel_kmeans.scratch_length(&layout) >= dpem_kmeans_scratch(5), "scratch");
}

int
main(void)
{
	test_kernel();
	test_values();
	test_ties();
	test_hostile_centers();
	test_purities();
	return unit_report();
}

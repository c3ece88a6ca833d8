/*
 * test_kernel_purity.c - a row's features depend on that row alone, and on no mode of the processor.
 */
#include "features_fixture.h"

#include "core/numeric/fpenv.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* A row alone in a block, and the same row anywhere among others, on any clone. */
static void
test_purity(int d, int bits, bool whitening)
{
	Rng			rng = {5 + d};
	int			n = 1100;
	DpemFeatureMap map = map_make(&rng, d, bits, whitening, whitening);
	Work		w = work_make(d, 1);
	double	   *rows = numbers((size_t) n * d);
	double	   *alone = numbers((size_t) n * (d + 1));
	int			which[DPEM_BLOCK_ROWS];

	for (int i = 0; i < n * d; i++)
		rows[i] = rng_below(&rng, 40 * d) ? rng_uniform(&rng, -30, 30) :
			adversarial_value(&rng, -20, 20);
	for (int i = 0; i < n; i++)
	{
		work_fill(&w, rows, &i, 1);
		dpem_features_apply_clone(DPEM_CLONE_DEFAULT, &map, &w.block, w.whitened);
		alone[(size_t) i * (d + 1) + d] = w.block.keep[0];
		for (int j = 0; j < d; j++)
			alone[(size_t) i * (d + 1) + j] = w.block.x[j * DPEM_BLOCK_STRIDE];
	}
	for (int test = 0; test < 60; test++)
		FOR_CLONES(clone)
	{
		int			fill = test < 10 ? 503 + test : 1 + rng_below(&rng, 512);
		int			different = 0;

		for (int i = 0; i < fill; i++)
			which[i] = rng_below(&rng, n);
		work_fill(&w, rows, which, fill);
		dpem_features_apply_clone(clone, &map, &w.block, w.whitened);
		for (int i = 0; i < fill; i++)
		{
			const double *expected = alone + (size_t) which[i] * (d + 1);

			different += memcmp(&w.block.keep[i], &expected[d], sizeof(double)) != 0;
			for (int j = 0; j < d; j++)
				different += memcmp(&w.block.x[j * DPEM_BLOCK_STRIDE + i], &expected[j],
									sizeof(double)) != 0;
		}
		CHECK(different == 0, "%s d=%d bits=%d fill=%d: %d numbers differ",
			  dpem_clone_name(clone), d, bits, fill, different);
	}
	free(rows);
	free(alone);
	work_free(&w);
	map_free(&map);
}

/* The caller's rounding mode, flush-to-zero and flags neither act nor change. */
static void
test_fpenv(void)
{
#if defined(__x86_64__)
	static const unsigned int modes[] = {0x1f80, 0x1f80 | 0x8040, 0x1f80 | 0x6000, 0x1f80 | 0xe040,
		0x1f80 | 0x2000 | 0x8000};
	const double lower[] = {0, -1}, upper[] = {1e-307, 1};
	Rng			rng = {6};
	DpemFeatureMap map = {2, 0, 0.7, lower, upper, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};
	Work		first = work_make(2, 1);
	Work		w = work_make(2, 1);
	double	   *rows = uniforms(&rng, 2 * 200, 0, 1.0);
	unsigned int host = _mm_getcsr();
	DpemFpenv	fpenv;

	for (int i = 0; i < 200; i++)
		rows[2 * i] *= 1e-307;	/* half of them subnormal */
	work_fill(&first, rows, NULL, 200);
	dpem_features_apply(&map, &first.block, NULL);
	for (int i = 0; i < 5; i++)
		FOR_CLONES(clone)
	{
		unsigned int after;

		_mm_setcsr(modes[i]);
		after = _mm_getcsr();
		_mm_setcsr(host);
		if (after != modes[i])
		{
			SKIP("this machine does not hold MXCSR %x", modes[i]);
			continue;
		}
		work_fill(&w, rows, NULL, 200);
		_mm_setcsr(modes[i]);
		dpem_features_apply_clone(clone, &map, &w.block, NULL);
		after = _mm_getcsr();
		_mm_setcsr(host);
		CHECK(after == modes[i], "control register %x, was %x", after, modes[i]);
		for (int j = 0; j < 2; j++)
			CHECK(memcmp(w.block.x + j * DPEM_BLOCK_STRIDE, first.block.x + j * DPEM_BLOCK_STRIDE,
						 200 * sizeof(double)) == 0, "mode %x changes bits", modes[i]);
		_mm_setcsr(modes[i]);
		dpem_fpenv_enter(&fpenv);
		after = _mm_getcsr();
		dpem_fpenv_leave(&fpenv);
		CHECK((after & 0xffc0) == 0x1f80 && _mm_getcsr() == modes[i], "inside: %x", after);
		_mm_setcsr(host);
	}
	free(rows);
	work_free(&w);
	work_free(&first);
#else
	SKIP("no MXCSR on this processor");
#endif
}

int
main(void)
{
	for (int d = 1; d <= 37; d += 9)
	{
		test_purity(d, Q, false);
		test_purity(d, Q, true);
		test_purity(d, 0, true);
	}
	test_fpenv();
	return unit_report();
}

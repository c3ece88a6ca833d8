/*
 * test_kernel.c - the E-step: values, exact simplex, row purity, extremes.
 */
#include "kernel_fixture.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define UNIT	0x1p18			/* 2^P */

static const DpemSecondMoment shapes[] = {DPEM_SECOND_FULL, DPEM_SECOND_DIAGONAL, DPEM_SECOND_NORM};

/* |U (x - m)|^2 / 2, and the factor's entries by shape */
static long double
reference_half_square(const DpemGmmPrepared *mix, int c, const long double *x)
{
	const double *u = mix->factor + c * dpem_gmm_factor_length(mix->shape, mix->d);
	long double square = 0;

	for (int i = 0; i < mix->d; i++)
	{
		long double v = 0;

		for (int j = 0; j <= i; j++)
		{
			long double t = x[j] - mix->mean[c * mix->d + j];

			if (mix->shape == DPEM_SECOND_FULL)
				v += u[i * (i + 1) / 2 + j] * t;
			else if (i == j)
				v = (mix->shape == DPEM_SECOND_DIAGONAL ? u[i] : u[0]) * t;
		}
		square += v * v;
	}
	return square / 2;
}

/* g[] = responsibilities of one row in long double */
static void
reference_row(const DpemGmmPrepared *mix, const long double *x, long double *g)
{
	long double top = -INFINITY;
	long double sum = 0;

	for (int c = 0; c < mix->k; c++)
	{
		g[c] = mix->offset[c] - reference_half_square(mix, c, x);
		top = fmaxl(top, g[c]);
	}
	for (int c = 0; c < mix->k; c++)
		sum += g[c] = expl(g[c] - top);
	for (int c = 0; c < mix->k; c++)
		g[c] /= sum;
}

/* the greatest |r - reference|, in units of 2^-bits less what rounding explains */
static double
worst_difference(const DpemGmmPrepared *mix, const Work *w, int feature_bits, int bits)
{
	long double x[256];
	long double g[512];
	double		worst = 0;

	for (int i = 0; i < w->block.rows; i++)
	{
		int			first = 0;

		for (int j = 0; j < mix->d; j++)
			x[j] = ldexpl(w->block.x[j * DPEM_BLOCK_STRIDE + i], -feature_bits);
		reference_row(mix, x, g);
		for (int c = 1; c < mix->k; c++)
			first = g[c] > g[first] ? c : first;
		for (int c = 0; c < mix->k; c++)
		{
			double		allowed = bits == 0 ? 0 : c == first ? 0.5 * mix->k : 0.5;
			double		off = fabsl(w->r[c * DPEM_BLOCK_STRIDE + i] - ldexpl(g[c], bits));

			worst = fmax(worst, ldexp(off - allowed, -bits));
		}
	}
	return worst;
}

static void
test_values(void)
{
	static const int dims[] = {1, 2, 3, 4, 5, 10, 37, 50};
	static const int components[] = {1, 2, 5, 10, 33};
	Rng			rng = {11};

	for (int test = 0; test < 8 * 5 * 3; test++)
	{
		int			d = dims[test % 8];
		int			k = components[test / 8 % 5];
		DpemGmmPrepared mix = mixture_make(&rng, k, d, shapes[test / 40], 2.0);
		Work		w = work_make(d, k);

		FOR_CLONES(clone)
		{
			double		off;

			fill_features(&rng, &w, 67, 0);
			dpem_gmm_responsibilities_clone(clone, &mix, &w.block, 0, 0, w.r, w.scratch);
			off = worst_difference(&mix, &w, 0, 0);
			CHECK(off < 1e-13, "%s d=%d K=%d shape=%d: off by %g", dpem_clone_name(clone), d, k,
				  mix.shape, off);
			fill_features(&rng, &w, 67, Q);
			dpem_gmm_responsibilities_clone(clone, &mix, &w.block, Q, P, w.r, w.scratch);
			off = worst_difference(&mix, &w, Q, P);
			CHECK(off < 1e-13, "%s d=%d K=%d shape=%d: quantised off by %g",
				  dpem_clone_name(clone), d, k, mix.shape, off);
			CHECK(rows_off_simplex(&w, UNIT) == 0, "%d rows", rows_off_simplex(&w, UNIT));
		}
		mixture_free(&mix);
		work_free(&w);
	}
}

/*
 * Two components with the same mean as the row: r_2 / r_1 = exp(offset_2 -
 * offset_1) to two roundings more.
 */
static void
test_exp(void)
{
	Rng			rng = {12};
	double		offset[2] = {0, 0}, mean[2] = {0.25, 0.25}, factor[2] = {1, 1};
	DpemGmmPrepared mix = {2, 1, DPEM_SECOND_FULL, offset, mean, factor};
	Work		w = work_make(1, 2);
	double		worst = 0;

	w.block.rows = 1;
	w.block.keep[0] = 1;
	w.block.x[0] = 0.25;
	for (int i = 1; i < 32; i++)
		w.block.keep[i] = w.block.x[i] = 0;
	for (int test = 0; test < 200000; test++)
	{
		double		ratio;
		long double expected;

		offset[1] = test < 1000 ? -0.708 * test : test < 2000 ? ldexp(-1, test - 2040) :
			-rng_uniform(&rng, 0, test % 2 ? 2 : 707);
		dpem_gmm_responsibilities(&mix, &w.block, 0, 0, w.r, w.scratch);
		ratio = w.r[DPEM_BLOCK_STRIDE] / w.r[0];
		expected = expl(offset[1]);
		worst = fmax(worst, fabsl(ratio - expected) / expected);
	}
	CHECK(worst < 8e-16, "exp is off by %g", worst);
	offset[1] = -709;
	dpem_gmm_responsibilities(&mix, &w.block, 0, 0, w.r, w.scratch);
	CHECK(w.r[0] == 1.0 && w.r[DPEM_BLOCK_STRIDE] == 0.0, "exp(-709) is %g", w.r[DPEM_BLOCK_STRIDE]);
	offset[1] = 0;
	dpem_gmm_responsibilities(&mix, &w.block, 0, 0, w.r, w.scratch);
	CHECK(w.r[0] == 0.5 && w.r[DPEM_BLOCK_STRIDE] == 0.5, "a tie");
	work_free(&w);
}

/*
 * Equal components: the first takes the remainder; K = 500 leaves it
 * positive.  With few bits everybody is rounded down, or it would not be.
 */
static void
test_ties(void)
{
	static const int components[] = {1, 2, 3, 7, 499, 500, 30, 500, 100};
	static const int bits[] = {P, P, P, P, P, P, 4, 9, 12};
	Rng			rng = {13};

	for (int test = 0; test < 9; test++)
		FOR_CLONES(clone)
	{
		int			k = components[test];
		double		unit = ldexp(1, bits[test]);
		double		each = test < 6 ? nearbyint(unit / k) : floor(unit / k);
		DpemGmmPrepared mix = mixture_make(&rng, k, 3, DPEM_SECOND_FULL, 1.0);
		Work		w = work_make(3, k);
		bool		good = true;

		memset((double *) mix.factor, 0, k * 6 * sizeof(double));
		memset((double *) mix.offset, 0, k * sizeof(double));
		fill_features(&rng, &w, 100, Q);
		dpem_gmm_responsibilities_clone(clone, &mix, &w.block, Q, bits[test], w.r, w.scratch);
		for (int i = 0; i < 100; i++)
			for (int c = 0; c < k; c++)
				good = good && w.r[c * DPEM_BLOCK_STRIDE + i] ==
					(c > 0 ? each : unit - (k - 1) * each);
		CHECK(good && rows_off_simplex(&w, unit) == 0, "K=%d: first %g, others %g", k, w.r[0], each);
		mixture_free(&mix);
		work_free(&w);
	}
}

/* 10^5 rows and K = 500, and few bits: never negative, always the exact sum */
static void
test_simplex(void)
{
	static const int components[] = {2, 10, 500, 128, 500, 30};
	static const int bits[] = {18, 18, 18, 12, 10, 4};
	Rng			rng = {14};

	for (int test = 0; test < 200; test++)
	{
		int			k = components[test % 6];
		int			d = 1 + rng_below(&rng, 6);
		DpemGmmPrepared mix = mixture_make(&rng, k, d, DPEM_SECOND_FULL, test % 5);
		Work		w = work_make(d, k);
		DpemClone	clone = test % DPEM_CLONES;

		clone = dpem_clone_runs(clone) ? clone : DPEM_CLONE_DEFAULT;
		fill_features(&rng, &w, 512 - test % 33, Q);
		dpem_gmm_responsibilities_clone(clone, &mix, &w.block, Q, bits[test % 6], w.r, w.scratch);
		CHECK(rows_off_simplex(&w, ldexp(1, bits[test % 6])) == 0, "K=%d p=%d: %d rows", k,
			  bits[test % 6], rows_off_simplex(&w, ldexp(1, bits[test % 6])));
		mixture_free(&mix);
		work_free(&w);
	}
}

/* Eigenvalues of 1e-8: direct logits stay within 2e-9 of long double. */
static void
test_near_singular(void)
{
	Rng			rng = {15};

	for (int test = 0; test < 30; test++)
	{
		int			d = 2 + test % 9;
		DpemGmmPrepared mix = mixture_make(&rng, 4, d, DPEM_SECOND_FULL, 1.0);
		Work		w = work_make(d, 4);
		double	   *factor = (double *) mix.factor;
		size_t		length = dpem_gmm_factor_length(DPEM_SECOND_FULL, d);
		double		off;

		fill_features(&rng, &w, 200, Q);
		for (int c = 0; c < 4; c++)
		{
			/* the last axis is 1e-4 wide; means next to the rows, or all exps but one vanish */
			for (int j = 0; j < d; j++)
				factor[c * length + d * (d - 1) / 2 + j] *= 1e4;
			for (int j = 0; j < d; j++)
				((double *) mix.mean)[c * d + j] =
					w.block.x[j * DPEM_BLOCK_STRIDE + test] * 0x1p-13 + rng_uniform(&rng, -1e-4, 1e-4);
		}
		dpem_gmm_responsibilities(&mix, &w.block, Q, 0, w.r, w.scratch);
		off = worst_difference(&mix, &w, Q, 0);
		CHECK(off < 2e-9, "d=%d: off by %g", d, off);
		dpem_gmm_responsibilities(&mix, &w.block, Q, P, w.r, w.scratch);
		CHECK(rows_off_simplex(&w, UNIT) == 0, "%d rows", rows_off_simplex(&w, UNIT));
		mixture_free(&mix);
		work_free(&w);
	}
}

/* Mixtures beyond the range of double still give a point of the simplex, the same on every clone. */
static void
test_hostile_mixtures(void)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e200, 4.9e-324, 0.0, 1e9};
	Rng			rng = {16};

	for (int test = 0; test < 300; test++)
	{
		int			d = 1 + rng_below(&rng, 9);
		int			k = 1 + rng_below(&rng, 9);
		DpemGmmPrepared mix = mixture_make(&rng, k, d, shapes[test % 3], 1.0);
		Work		w = work_make(d, k);
		size_t		length = dpem_gmm_factor_length(mix.shape, d);
		double	   *first = numbers((size_t) k * DPEM_BLOCK_STRIDE);

		for (int i = 0; i < 1 + test % 4; i++)
		{
			((double *) mix.offset)[rng_below(&rng, k)] = odd[rng_below(&rng, 9)];
			((double *) mix.mean)[rng_below(&rng, k * d)] = odd[rng_below(&rng, 9)];
			((double *) mix.factor)[rng_below(&rng, (int) (k * length))] = odd[rng_below(&rng, 9)];
		}
		fill_features(&rng, &w, 90, Q);
		FOR_CLONES(clone)
		{
			bool		same = true;

			dpem_gmm_responsibilities_clone(clone, &mix, &w.block, Q, P, w.r, w.scratch);
			CHECK(rows_off_simplex(&w, UNIT) == 0, "%d rows", rows_off_simplex(&w, UNIT));
			for (int c = 0; c < k; c++)
			{
				double	   *at = first + (size_t) c * DPEM_BLOCK_STRIDE;

				if (clone == DPEM_CLONE_DEFAULT)
					memcpy(at, w.r + (size_t) c * DPEM_BLOCK_STRIDE, 90 * sizeof(double));
				same = same && memcmp(at, w.r + (size_t) c * DPEM_BLOCK_STRIDE,
									  90 * sizeof(double)) == 0;
			}
			CHECK(same, "%s differs", dpem_clone_name(clone));
		}
		free(first);
		mixture_free(&mix);
		work_free(&w);
	}
}

/* A weight of zero (offset -inf) never gets a share while another component has any. */
static void
test_zero_weight(void)
{
	Rng			rng = {17};
	DpemGmmPrepared mix = mixture_make(&rng, 3, 2, DPEM_SECOND_FULL, 1.0);
	Work		w = work_make(2, 3);
	double		most = 0;

	((double *) mix.offset)[1] = -INFINITY;
	fill_features(&rng, &w, 512, Q);
	dpem_gmm_responsibilities(&mix, &w.block, Q, P, w.r, w.scratch);
	for (int i = 0; i < 512; i++)
		most = fmax(most, w.r[DPEM_BLOCK_STRIDE + i]);
	CHECK(most == 0.0 && rows_off_simplex(&w, UNIT) == 0, "got %g", most);
	mixture_free(&mix);
	work_free(&w);
}

/* A row has the same bits alone, anywhere in any block, on any clone, in any caller's fpenv. */
static void
test_purity(int d, int k, DpemSecondMoment shape, int feature_bits, int bits)
{
	Rng			rng = {18 + d * 100 + k};
	DpemGmmPrepared mix = mixture_make(&rng, k, d, shape, 3.0);
	Work		pool = work_make(d, k);
	Work		w = work_make(d, k);

	fill_features(&rng, &pool, 512, feature_bits);
	dpem_gmm_responsibilities_clone(DPEM_CLONE_DEFAULT, &mix, &pool.block, feature_bits, bits,
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
		dpem_gmm_responsibilities_clone(clone, &mix, &w.block, feature_bits, bits, w.r, w.scratch);
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
	mixture_free(&mix);
	work_free(&pool);
	work_free(&w);
}

static void
test_purities(void)
{
	static const int dims[] = {1, 2, 3, 10, 37};
	static const int components[] = {1, 2, 5, 10, 60};

	for (int test = 0; test < 25; test++)
	{
		test_purity(dims[test % 5], components[test / 5], shapes[test % 3], Q, P);
		test_purity(dims[test % 5], components[test / 5], shapes[test % 3], 0, 0);
	}
}

static void
test_clone_name(void)
{
	CHECK(dpem_clone_runs(dpem_clone_best()) && dpem_clone_runs(DPEM_CLONE_DEFAULT), "no clone");
	for (int clone = dpem_clone_best() + 1; clone < DPEM_CLONES; clone++)
		SKIP("this processor does not run the clone for %s", dpem_clone_name(clone));
}

int
main(void)
{
	test_clone_name();
	test_values();
	test_exp();
	test_ties();
	test_simplex();
	test_near_singular();
	test_hostile_mixtures();
	test_zero_weight();
	test_purities();
	return unit_report();
}

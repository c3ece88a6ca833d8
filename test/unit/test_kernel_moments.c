/*
 * test_kernel_moments.c - moments: exact integers under any order, partition
 * and clone, and what quantising costs.
 */
#include "core/pass/moments_dense.h"
#include "kernel_fixture.h"

static size_t
index_of(int d, DpemSecondMoment second, int i, int j)
{
	return 1 + d + (second == DPEM_SECOND_FULL ? (size_t) i * (i + 1) / 2 + j :
					second == DPEM_SECOND_DIAGONAL ? (size_t) i : 0);
}

/* total += the block's moments, in integers, straight from the definition */
static void
reference_add(const DpemMomentLayout *layout, const Work *w, __int128 *total)
{
	size_t		record = dpem_moments_record(layout);

	for (int c = 0; c < layout->k; c++)
		for (int row = 0; row < w->block.rows; row++)
		{
			int64_t		r = (int64_t) w->r[c * DPEM_BLOCK_STRIDE + row];
			__int128   *out = total + c * record;

			out[0] += r;
			for (int i = 0; i < layout->d; i++)
			{
				int64_t		x = (int64_t) w->block.x[i * DPEM_BLOCK_STRIDE + row];

				out[1 + i] += r * x;
				for (int j = 0; layout->second == DPEM_SECOND_FULL && j <= i; j++)
					out[index_of(layout->d, layout->second, i, j)] +=
						r * x * (int64_t) w->block.x[j * DPEM_BLOCK_STRIDE + row];
				if (layout->second == DPEM_SECOND_NORM || layout->second == DPEM_SECOND_DIAGONAL)
					out[index_of(layout->d, layout->second, i, i)] += r * x * x;
			}
		}
}

/* random features and responsibilities: integers, or reals of the same shape */
static void
fill_random(Rng *rng, Work *w, int rows, bool integers)
{
	w->block.rows = rows;
	for (int i = 0; i < DPEM_BLOCK_PADDED(rows); i++)
	{
		double		left = integers ? 0x1p18 : 1;
		bool		null = i >= rows || rng_below(rng, 20) == 0;

		w->block.keep[i] = null ? 0 : 1;
		for (int j = 0; j < w->d; j++)
		{
			double		x = rng_uniform(rng, -1, 1) / sqrt(w->d);

			w->block.x[j * DPEM_BLOCK_STRIDE + i] = null ? 0 : integers ? trunc(8192 * x) : x;
		}
		for (int c = 0; c < w->k; c++)
		{
			double		share = c == w->k - 1 ? left : left * rng_uniform(rng, 0, 1);

			share = integers ? trunc(share) : share;
			left -= share;
			w->r[c * DPEM_BLOCK_STRIDE + i] = null ? 0 : share;
		}
	}
}

static void
check_case(Rng *rng, int d, int k, DpemSecondMoment second)
{
	DpemMomentLayout layout = {k, d, second};
	size_t		length = dpem_moments_length(&layout);
	Work		w = work_make(d, k);
	double	   *sums = numbers(length + 1);
	double	   *scratch = numbers(dpem_moments_scratch(&layout));
	__int128   *expected = calloc(length, sizeof(__int128));

	fill_random(rng, &w, 512 - rng_below(rng, 70), true);
	reference_add(&layout, &w, expected);
	FOR_CLONES(clone)
	{
		size_t		wrong = 0;

		for (size_t i = 0; i <= length; i++)
			sums[i] = 12345.5;
		dpem_moments_block_clone(clone, &layout, &w.block, w.r, sums, scratch);
		for (size_t i = 0; i < length; i++)
			wrong += sums[i] != (double) expected[i];
		CHECK(wrong == 0 && sums[length] == 12345.5, "%s d=%d K=%d second=%d: %zu of %zu wrong",
			  dpem_clone_name(clone), d, k, second, wrong, length);
	}
	free(sums);
	free(scratch);
	free(expected);
	work_free(&w);
}

static void
test_values(void)
{
	static const int dims[] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 37};
	Rng			rng = {21};

	for (int test = 0; test < 10 * 13 * 4; test++)
		check_case(&rng, dims[test % 10], test / 10 % 13 + 1, test / 130);
	for (int second = 0; second < 4; second++)
	{
		check_case(&rng, 3, 500, second);
		check_case(&rng, 60, 2, second);
	}
}

/* many coordinates go another way, to the same integers */
static void
test_dense(void)
{
	static const int dims[] = {DPEM_MOMENTS_DENSE_FROM, 191, 192, 257};
	Rng			rng = {23};

	for (int test = 0; test < 4; test++)
	{
		DpemMomentLayout layout = {1, dims[test], DPEM_SECOND_FULL};
		size_t		length = dpem_moments_length(&layout);
		Work		w = work_make(layout.d, 1);
		double	   *sums = numbers(length + 1);
		double	   *scratch = numbers(dpem_moments_scratch(&layout));
		__int128   *expected = calloc(length, sizeof(__int128));
		size_t		wrong = 0;

		CHECK(dpem_moments_is_dense(&layout), "d=%d", layout.d);
		fill_random(&rng, &w, 512 - 37 * test, true);
		reference_add(&layout, &w, expected);
		sums[length] = 12345.5;
		dpem_moments_block(&layout, &w.block, w.r, sums, scratch);
		for (size_t i = 0; i < length; i++)
			wrong += sums[i] != (double) expected[i];
		CHECK(wrong == 0 && sums[length] == 12345.5, "d=%d: %zu of %zu wrong", layout.d, wrong, length);
		free(sums);
		free(scratch);
		free(expected);
		work_free(&w);
	}
}

static void
test_layout(void)
{
	DpemMomentLayout layout = {4, 5, DPEM_SECOND_FULL};

	CHECK(dpem_moments_record(&layout) == 21 && dpem_moments_length(&layout) == 84, "full");
	layout.second = DPEM_SECOND_DIAGONAL;
	CHECK(dpem_moments_record(&layout) == 11, "diagonal");
	layout.second = DPEM_SECOND_NORM;
	CHECK(dpem_moments_record(&layout) == 7, "norm");
	layout.second = DPEM_SECOND_NONE;
	CHECK(dpem_moments_record(&layout) == 6 && dpem_moments_second_length(&layout) == 0, "none");
	layout = (DpemMomentLayout) {500, 4096, DPEM_SECOND_FULL};
	CHECK(dpem_moments_length(&layout) == UINT64_C(500) * (1 + 4096 + UINT64_C(4096) * 4097 / 2),
		  "no overflow");
}

/* Every row at the greatest weight and norm: sums of exactly 2^53 and 2^40. */
static void
test_greatest(void)
{
	DpemMomentLayout layout = {1, 2, DPEM_SECOND_FULL};
	Work		w = work_make(2, 1);
	double		sums[6], scratch[DPEM_BLOCK_STRIDE];
	DpemInt128	total[6] = {0};

	w.block.rows = 512;
	for (int i = 0; i < 512; i++)
	{
		w.block.keep[i] = 1;
		w.block.x[i] = -0x1p13;
		w.block.x[DPEM_BLOCK_STRIDE + i] = 0;
		w.r[i] = 0x1p18;
	}
	FOR_CLONES(clone)
	{
		dpem_moments_block_clone(clone, &layout, &w.block, w.r, sums, scratch);
		CHECK(sums[0] == 0x1p27 && sums[1] == -0x1p40 && sums[2] == 0 && sums[3] == 0x1p53 &&
			  sums[4] == 0 && sums[5] == 0, "%s: %g %g %g", dpem_clone_name(clone), sums[0],
			  sums[1], sums[3]);
	}
	for (int i = 0; i < 1 << 12; i++)
		dpem_moments_add_exact(total, sums, 6);
	CHECK(total[3] == (__int128) 1 << 65 && total[1] == -((__int128) 1 << 52), "128-bit totals");
	work_free(&w);
}

static void
test_real_values(void)
{
	Rng			rng = {22};

	for (int test = 0; test < 24; test++)
	{
		int			d = 1 + test % 8;
		DpemMomentLayout layout = {1 + test % 7, d, test % 4};
		size_t		length = dpem_moments_length(&layout);
		size_t		record = dpem_moments_record(&layout);
		Work		w = work_make(d, layout.k);
		double	   *sums = numbers(length);
		double	   *again = numbers(length);
		double	   *scratch = numbers(dpem_moments_scratch(&layout));

		fill_random(&rng, &w, 333, false);
		FOR_CLONES(clone)
		{
			double		worst = 0;

			dpem_moments_block_clone(clone, &layout, &w.block, w.r, sums, scratch);
			dpem_moments_block_clone(clone, &layout, &w.block, w.r, again, scratch);
			CHECK(memcmp(sums, again, length * sizeof(double)) == 0, "not deterministic");
			for (int c = 0; c < layout.k; c++)
				for (int i = 0; i < d; i++)
				{
					long double first = 0, second = 0, count = 0;

					for (int row = 0; row < 333; row++)
					{
						long double x = w.block.x[i * DPEM_BLOCK_STRIDE + row];

						count += w.r[c * DPEM_BLOCK_STRIDE + row];
						first += w.r[c * DPEM_BLOCK_STRIDE + row] * x;
						second += w.r[c * DPEM_BLOCK_STRIDE + row] * x * x;
					}
					worst = fmax(worst, fabsl(sums[c * record] - count));
					worst = fmax(worst, fabsl(sums[c * record + 1 + i] - first));
					if (layout.second > DPEM_SECOND_NORM)
						worst = fmax(worst, fabsl(sums[c * record +
													   index_of(d, layout.second, i, i)] - second));
				}
			CHECK(worst < 333 * 1e-14, "%s off by %g", dpem_clone_name(clone), worst);
		}
		free(sums);
		free(again);
		free(scratch);
		work_free(&w);
	}
}

/* One pass over rows[which[0..n)] in random or full blocks: exact totals. */
static void
pass(DpemClone clone, const DpemFeatureMap *map, const DpemGmmPrepared *mix, Rng *partition,
	 const double *rows, const int *which, int n, DpemInt128 *total)
{
	DpemMomentLayout layout = {mix->k, mix->d, mix->shape};
	size_t		length = dpem_moments_length(&layout);
	Work		w = work_make(mix->d, mix->k);
	double	   *sums = numbers(length);

	memset(total, 0, length * sizeof(DpemInt128));
	for (int first = 0; first < n; first += w.block.rows)
	{
		int			fill = partition ? 1 + rng_below(partition, DPEM_BLOCK_ROWS) : DPEM_BLOCK_ROWS;

		work_fill(&w, rows, which + first, fill < n - first ? fill : n - first);
		dpem_features_apply_clone(clone, map, &w.block, w.whitened);
		dpem_gmm_responsibilities_clone(clone, mix, &w.block, Q, P, w.r, w.scratch);
		dpem_moments_block_clone(clone, &layout, &w.block, w.r, sums, w.scratch);
		dpem_moments_add_exact(total, sums, length);
	}
	free(sums);
	work_free(&w);
}

static void
shuffle(Rng *rng, int *which, int n)
{
	for (int i = n - 1; i > 0; i--)
	{
		int			j = rng_below(rng, i + 1);
		int			swap = which[i];

		which[i] = which[j];
		which[j] = swap;
	}
}

/* The same integers under any order of rows, partition into blocks, and clone. */
static void
test_invariance(int d, int k, DpemSecondMoment shape)
{
	enum {N = 1777};
	Rng			rng = {23 + d};
	double	   *lower = uniforms(&rng, d, -3, -1);
	double	   *upper = uniforms(&rng, d, 1, 3);
	DpemFeatureMap map = {d, Q, 0.8 * sqrt(d), lower, upper, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};
	DpemGmmPrepared mix = mixture_make(&rng, k, d, shape, 3.0);
	DpemMomentLayout layout = {k, d, shape};
	size_t		bytes = dpem_moments_length(&layout) * sizeof(DpemInt128);
	DpemInt128 *first = malloc(bytes);
	DpemInt128 *again = malloc(bytes);
	double	   *rows = uniforms(&rng, (size_t) N * d, -4, 4);
	int			which[N];

	for (int i = 0; i < N; i++)
		which[i] = i;
	rows[5 * d] = NAN;
	rows[700 * d] = 1e308;
	pass(DPEM_CLONE_DEFAULT, &map, &mix, NULL, rows, which, N, first);
	for (int test = 0; test < 12; test++)
		FOR_CLONES(clone)
	{
		shuffle(&rng, which, N);
		pass(clone, &map, &mix, test % 3 ? &rng : NULL, rows, which, N, again);
		CHECK(memcmp(first, again, bytes) == 0, "%s d=%d K=%d", dpem_clone_name(clone), d, k);
	}
	free(first);
	free(again);
	free(rows);
	free(lower);
	free(upper);
	mixture_free(&mix);
}

/*
 * Quantising at (18, 13) moves the averages of one pass, in unit-ball
 * coordinates, by less than 1e-5 at N = 20000.
 */
static void
test_quantisation_cost(int d, int k)
{
	enum {N = 20000};
	Rng			rng = {24 + d};
	double	   *lower = uniforms(&rng, d, -1, -1);
	double	   *upper = uniforms(&rng, d, 1, 1);
	DpemFeatureMap map = {d, Q, 0.9 * sqrt(d), lower, upper, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0};
	DpemGmmPrepared mix = mixture_make(&rng, k, d, DPEM_SECOND_FULL, 3.0);
	DpemMomentLayout layout = {k, d, DPEM_SECOND_FULL};
	size_t		length = dpem_moments_length(&layout);
	size_t		record = dpem_moments_record(&layout);
	Work		w = work_make(d, k);
	double	   *rows = uniforms(&rng, (size_t) N * d, -1, 1);
	double	   *sums = numbers(length);
	double	   *exact = calloc(length, sizeof(double));
	DpemInt128 *total = calloc(length, sizeof(DpemInt128));
	double		worst = 0;

	for (int bits = 0; bits <= Q; bits += Q)
		for (int first = 0; first < N; first += 500)
		{
			map.bits = bits;
			work_fill(&w, rows + (size_t) first * d, NULL, 500);
			dpem_features_apply(&map, &w.block, NULL);
			dpem_gmm_responsibilities(&mix, &w.block, bits, bits ? P : 0, w.r, w.scratch);
			dpem_moments_block(&layout, &w.block, w.r, sums, w.scratch);
			if (bits)
				dpem_moments_add_exact(total, sums, length);
			for (size_t i = 0; !bits && i < length; i++)
				exact[i] += sums[i];
		}
	for (size_t i = 0; i < length; i++)
	{
		int			power = i % record == 0 ? 0 : i % record <= (size_t) d ? 1 : 2;

		worst = fmax(worst, fabs(ldexp((double) total[i], -P - power * Q) - exact[i]) / N);
	}
	CHECK(worst < 1e-5 && worst > 0, "d=%d K=%d: moved by %g", d, k, worst);
	free(rows);
	free(sums);
	free(exact);
	free(total);
	free(lower);
	free(upper);
	mixture_free(&mix);
	work_free(&w);
}

int
main(void)
{
	test_dense();
	test_layout();
	test_values();
	test_greatest();
	test_real_values();
	test_invariance(1, 3, DPEM_SECOND_FULL);
	test_invariance(2, 5, DPEM_SECOND_DIAGONAL);
	test_invariance(5, 10, DPEM_SECOND_NORM);
	test_invariance(10, 10, DPEM_SECOND_FULL);
	test_invariance(37, 4, DPEM_SECOND_FULL);
	test_quantisation_cost(2, 5);
	test_quantisation_cost(10, 10);
	return unit_report();
}

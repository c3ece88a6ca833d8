/*
 * bench_kernel.c - nanoseconds per row of each phase of a pass, by clone,
 * beside a dgemm of the same number of multiplications and additions.
 *
 *   gcc -O3 -I src test/bench/bench_kernel.c <kernel objects> -lopenblas -lm
 *   ./bench_kernel [d k rows]
 *
 * Only this program links a BLAS.  `floor` is E-step plus moments if both
 * were dgemm at the rate measured on large square matrices; `skinny` is the
 * moments' own product, (d + 1 + d(d+1)/2) x 512 times 512 x K, features
 * given; both on one thread.
 */
#include <cblas.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/kernels/gmm_kernel.h"
#include "core/kernels/kmeans_kernel.h"
#include "core/pass/kernel_clone.h"

extern void openblas_set_num_threads(int threads);

#define RAW_BLOCKS	8
#define PHASES		4			/* features, E-step, moments, 128-bit addition */

typedef struct Bench
{
	int			d;
	int			k;
	DpemFeatureMap map;
	DpemGmmPrepared mix;
	DpemMomentLayout layout;
	DpemBlock	block;
	double	   *raw;
	double	   *r;
	double	   *scratch;
	double	   *sums;
	DpemInt128 *total;
} Bench;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double
uniform(void)
{
	return rand() / (RAND_MAX + 1.0);
}

static double *
numbers(size_t n)
{
	void	   *memory;
	double	   *x;

	if (posix_memalign(&memory, 64, (n + 1) * sizeof(double)) != 0)
		abort();
	x = memory;
	memset(x, 0, n * sizeof(double));
	return x;
}

static double *
uniforms(size_t n, double lower, double upper)
{
	double	   *x = numbers(n);

	for (size_t i = 0; i < n; i++)
		x[i] = lower + (upper - lower) * uniform();
	return x;
}

static void
bench_init(Bench *b, int d, int k)
{
	size_t		block = (size_t) d * DPEM_BLOCK_STRIDE;
	size_t		factor = dpem_gmm_factor_length(DPEM_SECOND_FULL, d);

	b->d = d;
	b->k = k;
	b->map = (DpemFeatureMap) {
		.d = d,.bits = DPEM_FEATURE_BITS,.radius = __builtin_sqrt(d),
		.lower = uniforms(d, -10, -10),.upper = uniforms(d, 10, 10)
	};
	b->mix = (DpemGmmPrepared) {k, d, DPEM_SECOND_FULL, uniforms(k, -1, 1),
								uniforms((size_t) k * d, -0.2, 0.2),
								uniforms(k * factor, -1, 1)};
	b->layout = (DpemMomentLayout) {k, d, DPEM_SECOND_FULL};
	b->block = (DpemBlock) {.rows = DPEM_BLOCK_ROWS,.d = d,.x = numbers(block),.keep = numbers(DPEM_BLOCK_STRIDE)};
	b->raw = uniforms(RAW_BLOCKS * block, -10, 10);
	b->r = numbers((size_t) k * DPEM_BLOCK_STRIDE);
	b->scratch = numbers(dpem_gmm_scratch(k, d) + dpem_moments_scratch(&b->layout));
	b->sums = numbers(dpem_moments_length(&b->layout));
	b->total = calloc(dpem_moments_length(&b->layout), sizeof(DpemInt128));
}

static void
bench_free(Bench *b)
{
	double	   *all[] = {(double *) b->map.lower, (double *) b->map.upper,
		(double *) b->mix.offset, (double *) b->mix.mean, (double *) b->mix.factor,
		b->block.x, b->block.keep, b->raw, b->r, b->scratch, b->sums};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
	free(b->total);
}

static void
one_block(Bench *b, DpemClone clone, int index, double seconds[PHASES])
{
	size_t		length = (size_t) b->d * DPEM_BLOCK_STRIDE;
	double		at[PHASES + 1];

	memcpy(b->block.x, b->raw + (index % RAW_BLOCKS) * length, length * sizeof(double));
	for (int row = 0; row < DPEM_BLOCK_ROWS; row++)
		b->block.keep[row] = 1.0;
	at[0] = now();
	dpem_features_apply_clone(clone, &b->map, &b->block, b->scratch);
	at[1] = now();
	dpem_gmm_responsibilities_clone(clone, &b->mix, &b->block, DPEM_FEATURE_BITS,
									DPEM_RESPONSIBILITY_BITS, b->r, b->scratch);
	at[2] = now();
	dpem_moments_block_clone(clone, &b->layout, &b->block, b->r, b->sums, b->scratch);
	at[3] = now();
	dpem_moments_add_exact(b->total, b->sums, dpem_moments_length(&b->layout));
	at[4] = now();
	for (int phase = 0; phase < PHASES; phase++)
		seconds[phase] = at[phase + 1] - at[phase];
}

/* each phase's best block, and the mean of all blocks of the best of three passes */
static void
bench_clone(Bench *b, DpemClone clone, int rows)
{
	int			blocks = (rows + DPEM_BLOCK_ROWS - 1) / DPEM_BLOCK_ROWS;
	double		best[PHASES] = {1, 1, 1, 1};
	double		best_pass = 1e30;
	double		ns = 1e9 / DPEM_BLOCK_ROWS;

	for (int repeat = 0; repeat < 3; repeat++)
	{
		double		pass = 0;

		for (int i = 0; i < blocks; i++)
		{
			double		seconds[PHASES];

			one_block(b, clone, i, seconds);
			for (int phase = 0; phase < PHASES; phase++)
			{
				best[phase] = seconds[phase] < best[phase] ? seconds[phase] : best[phase];
				pass += seconds[phase];
			}
		}
		best_pass = pass < best_pass ? pass : best_pass;
	}
	printf("  %-10s %9.1f %9.1f %9.1f %9.1f %9.1f  %9.1f  %.3f s\n", dpem_clone_name(clone),
		   best[0] * ns, best[1] * ns, best[2] * ns, best[3] * ns,
		   (best[0] + best[1] + best[2] + best[3]) * ns, best_pass * ns / blocks, best_pass);
}

/* seconds of one C = A'B, A: 512 x m, B: 512 x n */
static double
time_dgemm(int m, int n, int inner)
{
	double	   *a = uniforms((size_t) m * inner, -1, 1);
	double	   *b = uniforms((size_t) n * inner, -1, 1);
	double	   *c = numbers((size_t) m * n);
	double		best = 1e30;
	int			times = 1 + (int) (2e8 / ((double) m * n * inner));

	for (int repeat = 0; repeat < 4; repeat++)
	{
		double		start = now();
		double		each;

		for (int i = 0; i < times; i++)
			cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, n, inner, 1.0,
						a, inner, b, inner, 0.0, c, m);
		each = (now() - start) / times;
		best = each < best ? each : best;
	}
	free(a);
	free(b);
	free(c);
	return best;
}

static void
bench_case(int d, int k, int rows, double rate)
{
	Bench		b;
	int			features = 1 + d + d * (d + 1) / 2;
	double		flops = (double) k * (d * (d + 1) + 2 * features);

	bench_init(&b, d, k);
	printf("d=%d K=%d N=%d, ns/row in the best block\n  %-10s %9s %9s %9s %9s %9s  %9s\n",
		   d, k, rows, "clone", "features", "E-step", "moments", "add", "all", "mean");
	for (int clone = DPEM_CLONES - 1; clone >= 0; clone--)
		if (dpem_clone_runs(clone))
			bench_clone(&b, clone, rows);
	printf("  dgemm floor %.1f (E-step %.1f, moments %.1f), skinny moments %.1f\n",
		   flops / rate * 1e9, (double) k * d * (d + 1) / rate * 1e9,
		   2.0 * k * features / rate * 1e9,
		   time_dgemm(features, k, DPEM_BLOCK_ROWS) / DPEM_BLOCK_ROWS * 1e9);
	bench_free(&b);
}

int
main(int argc, char **argv)
{
	double		rate;

	openblas_set_num_threads(1);
	rate = 2.0 * 1024 * 1024 * 1024 / time_dgemm(1024, 1024, 1024);
	printf("dgemm 1024^3: %.1f GFLOP/s on one thread; clone in use: %s\n", rate * 1e-9,
		   dpem_clone_name(dpem_clone_best()));
	if (argc == 4)
		bench_case(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), rate);
	else
	{
		bench_case(10, 10, 1000000, rate);
		bench_case(50, 10, 200000, rate);
		bench_case(2, 5, 1000000, rate);
		bench_case(50, 1, 200000, rate);
	}
	return 0;
}

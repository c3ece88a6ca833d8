/*
 * kernel_fixture.h - blocks, mixtures and random numbers for the kernel tests.
 */
#ifndef DPEM_TEST_KERNEL_FIXTURE_H
#define DPEM_TEST_KERNEL_FIXTURE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels/gmm_kernel.h"
#include "core/kernels/kmeans_kernel.h"
#include "core/pass/kernel_clone.h"
#include "unit.h"

#define Q	DPEM_FEATURE_BITS
#define FINE	DPEM_FINE_BITS	/* of features, where marks are still in units of 2^-(P + Q) */
#define P	DPEM_RESPONSIBILITY_BITS

typedef struct Rng
{
	uint64_t	state;
} Rng;

/* a block and everything the kernels need beside it */
typedef struct Work
{
	int			d;
	int			k;
	DpemBlock	block;
	double	   *r;
	double	   *scratch;
	double	   *whitened;
} Work;

/* splitmix64 */
static inline uint64_t
rng_bits(Rng *rng)
{
	uint64_t	z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline int
rng_below(Rng *rng, int n)
{
	return (int) (rng_bits(rng) % (uint64_t) n);
}

static inline double
rng_uniform(Rng *rng, double lower, double upper)
{
	return lower + (upper - lower) * ((rng_bits(rng) >> 11) * 0x1p-53);
}

/* near enough to a standard normal for choosing test points */
static inline double
rng_normal(Rng *rng)
{
	double		sum = -6.0;

	for (int i = 0; i < 12; i++)
		sum += rng_uniform(rng, 0, 1);
	return sum;
}

static inline double *
numbers(size_t n)
{
	void	   *memory;
	double	   *x;

	if (posix_memalign(&memory, 64, (n + 1) * sizeof(double)) != 0)
		abort();
	x = memory;
	for (size_t i = 0; i < n; i++)
		x[i] = NAN;				/* whoever reads what nobody wrote shall be seen */
	return x;
}

static inline double *
uniforms(Rng *rng, size_t n, double lower, double upper)
{
	double	   *x = numbers(n);

	for (size_t i = 0; i < n; i++)
		x[i] = rng_uniform(rng, lower, upper);
	return x;
}

static inline double
euclidean_distance(int n, const double *a, const double *b)
{
	double		sum = 0;

	for (int i = 0; i < n; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sqrt(sum);
}

static inline Work
work_make(int d, int k)
{
	Work		w;

	w.d = d;
	w.k = k;
	w.block = (DpemBlock) {.d = d,.x = numbers((size_t) d * DPEM_BLOCK_STRIDE),.keep = numbers(DPEM_BLOCK_STRIDE)};
	w.r = numbers((size_t) k * DPEM_BLOCK_STRIDE);
	w.scratch = numbers(dpem_gmm_scratch(k, d) + DPEM_BLOCK_STRIDE);
	w.whitened = numbers((size_t) d * DPEM_BLOCK_STRIDE);
	return w;
}

static inline void
work_free(Work *w)
{
	free(w->block.x);
	free(w->block.keep);
	free(w->r);
	free(w->scratch);
	free(w->whitened);
}

/* Puts rows[which[0..n)] into the block; rows are d numbers each. */
static inline void
work_fill(Work *w, const double *rows, const int *which, int n)
{
	w->block.rows = n;
	for (int i = 0; i < n; i++)
	{
		size_t		row = which ? which[i] : i;

		w->block.keep[i] = 1.0;
		for (int j = 0; j < w->d; j++)
			w->block.x[j * DPEM_BLOCK_STRIDE + i] = rows[row * w->d + j];
	}
}

/* a mild random mixture in the unit ball; spread is the scale of the inverse factors */
static inline DpemGmmPrepared
mixture_make(Rng *rng, int k, int d, DpemSecondMoment shape, double spread)
{
	size_t		length = dpem_gmm_factor_length(shape, d);
	double	   *factor = uniforms(rng, k * length, -0.3 * spread, 0.3 * spread);

	for (int c = 0; c < k; c++)
		for (int i = 0; i < d; i++)
		{
			size_t		diagonal = shape == DPEM_SECOND_FULL ? (size_t) i * (i + 3) / 2 : (size_t) i;

			if (diagonal < length)
				factor[c * length + diagonal] = rng_uniform(rng, 0.5, 2) * spread;
		}
	return (DpemGmmPrepared) {k, d, shape, uniforms(rng, k, -2, 2),
							  uniforms(rng, (size_t) k * d, -0.4, 0.4), factor};
}

static inline void
mixture_free(DpemGmmPrepared *mix)
{
	free((double *) mix->offset);
	free((double *) mix->mean);
	free((double *) mix->factor);
}

/* random integers in the ball of radius 2^bits (or reals in the unit ball) as features */
static inline void
fill_features(Rng *rng, Work *w, int rows, int bits)
{
	double		unit = ldexp(1, bits);

	w->block.rows = rows;
	for (int i = 0; i < DPEM_BLOCK_PADDED(rows); i++)
	{
		double		norm = 1e-9;

		w->block.keep[i] = i < rows;
		for (int j = 0; j < w->d; j++)
		{
			double		x = rng_uniform(rng, -1, 1);

			w->block.x[j * DPEM_BLOCK_STRIDE + i] = i < rows ? x : 0.0;
			norm += x * x;
		}
		for (int j = 0; j < w->d; j++)
		{
			double	   *x = &w->block.x[j * DPEM_BLOCK_STRIDE + i];

			*x *= rng_uniform(rng, 0, 1) / sqrt(norm);
			*x = bits > 0 ? trunc(*x * unit) : *x;
		}
	}
}

/* rows that are not a point of the integer simplex */
static inline int
rows_off_simplex(const Work *w, double unit)
{
	int			bad = 0;

	for (int i = 0; i < DPEM_BLOCK_PADDED(w->block.rows); i++)
	{
		int64_t		sum = 0;
		bool		good = true;

		for (int c = 0; c < w->k; c++)
		{
			double		r = w->r[c * DPEM_BLOCK_STRIDE + i];

			good = good && r >= 0 && !signbit(r) && r <= unit && r == (double) (int64_t) r;
			sum += good ? (int64_t) r : 0;
		}
		bad += !good || sum != (int64_t) (w->block.keep[i] * unit);
	}
	return bad;
}

/* Copies row `from` of one block to row `to` of another, both with d coordinates. */
static inline void
copy_row(const Work *source, int from, Work *target, int to)
{
	for (int j = 0; j < source->d; j++)
		target->block.x[j * DPEM_BLOCK_STRIDE + to] = source->block.x[j * DPEM_BLOCK_STRIDE + from];
	target->block.keep[to] = source->block.keep[from];
}

/* Loops over the clones that run here. */
#define FOR_CLONES(clone) \
	for (int clone = 0; clone < DPEM_CLONES; clone++) \
		if (dpem_clone_runs(clone))

#endif							/* DPEM_TEST_KERNEL_FIXTURE_H */

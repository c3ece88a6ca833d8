/*
 * test_own_moments.c - a pass in which components are measured in frames of their own says of the same rows what one in the frame of all rows
 * says: sums and squares about any center, of numbers that have units of their own and of those that keep all rows', whatever is missing.
 *
 * Random numbers have a fixed seed: they always come out the same.
 */
#include <math.h>

#include "core/kernels/kernel.h"
#include "core/refine/column_frames.h"
#include "mixture_fixture.h"

#define ROWS	60
#define RADIUS	100.0			/* beyond every row, so that none is clipped */
#define NOISE	1e-9

typedef struct Test
{
	DpemMixtureRows rows;
	DpemMixture total;
	DpemMixture mixture;
	DpemBlock	block;
	DpemMixtureMoments plain;
	DpemMixtureMoments moments;
	DpemColumnFrames frames;
} Test;

static void
fill_row(DpemPublicRandom *random, const DpemMixtureRows *rows, double *x)
{
	for (int j = 0; j < N; j++)
		x[j * DPEM_BLOCK_STRIDE] = 0;
	for (int j = 0; j < NUMBERS; j++)
	{
		bool		known = !rows->missing || dpem_public_index(random, 3) > 0;

		if (known)
			x[j * DPEM_BLOCK_STRIDE] = dpem_public_normal(random) / rows->radius;
		if (known && rows->missing)
			x[(D + j) * DPEM_BLOCK_STRIDE] = DPEM_MIXTURE_KNOWN / rows->radius;
	}
	x[(NUMBERS + dpem_public_index(random, 3)) * DPEM_BLOCK_STRIDE] = 1 / rows->radius;
	x[(NUMBERS + 3 + dpem_public_index(random, 2)) * DPEM_BLOCK_STRIDE] = 1 / rows->radius;
}

static Test
make_test(DpemPublicRandom *random, bool missing)
{
	Test		t = {
		.rows = rows_of(missing),.total = make_mixture(1, D),.mixture = make_mixture(K, D),.plain = make_moments(K, N),.moments = make_moments(K, N),
		.frames = {.own = zeros(NUMBERS),.center = zeros(K * N),.spread = zeros(K * N),.moved = zeros(K * N),.scale = zeros(K * N)},
		.block = {.rows = ROWS,.x = zeros(N * DPEM_BLOCK_STRIDE),.keep = zeros(DPEM_BLOCK_STRIDE)}
	};

	t.plain.n = t.moments.n = t.block.d = dpem_mixture_coordinates(&t.rows);
	fill_mixture(random, &t.mixture);
	for (int j = 0; j < D; j++)
	{
		t.total.variance[j] = 1;
		t.total.known[j] = j < NUMBERS && missing ? 0.7 : 1;
	}
	for (int i = 0; i < ROWS; i++)
	{
		fill_row(random, &t.rows, t.block.x + i);
		t.block.keep[i] = 1;
	}
	dpem_column_frames_set_radius(&t.rows, RADIUS, &t.frames);
	return t;
}

static void
free_test(Test *t)
{
	free_mixture(&t->total);
	free_mixture(&t->mixture);
	free_moments(&t->plain);
	free_moments(&t->moments);
	free(t->frames.own);
	free(t->frames.center);
	free(t->frames.spread);
	free(t->frames.moved);
	free(t->frames.scale);
	free(t->block.x);
	free(t->block.keep);
}

/* without noise, but with a little that is said to be there */
static DpemNoisyMoments
pass(const Test *t, const DpemKernel *kernel, const double *theta)
{
	DpemNoisyMoments m = {.layout = {K, t->block.d, DPEM_SECOND_DIAGONAL},.count_sd = NOISE,.sum_sd = NOISE,.second_sd = NOISE};
	double	   *scratch = zeros(kernel->scratch_length(&m.layout) + dpem_moments_scratch(&m.layout));
	double	   *r = zeros(K * DPEM_BLOCK_STRIDE);

	m.value = zeros(dpem_moments_length(&m.layout));
	if (kernel->accumulate != NULL)
		kernel->accumulate(&m.layout, theta, &t->block, 0, 0, m.value, scratch);
	else
	{
		kernel->respond(&m.layout, theta, &t->block, 0, 0, r, scratch);
		dpem_moments_block(&m.layout, &t->block, r, m.value, scratch);
	}
	free(r);
	free(scratch);
	return m;
}

static void
pass_plain(Test *t)
{
	double	   *theta = zeros(K * (1 + 2 * N));
	DpemNoisyMoments m;

	dpem_mixture_prepare(&t->rows, &t->mixture, theta);
	m = pass(t, &dpem_kernel_gmm, theta);
	dpem_mixture_average(&t->rows, &m, 1, &t->plain);
	free(m.value);
	free(theta);
}

static void
pass_own(Test *t, double share)
{
	double	   *theta = zeros(K * (1 + 4 * N) + 1);
	DpemNoisyMoments m;

	dpem_column_frames_theta(&t->rows, &t->mixture, &t->frames, theta);
	m = pass(t, &dpem_kernel_column_frames, theta);
	dpem_column_frames_average(&t->rows, &t->frames, &t->total, &m, share, &t->moments);
	free(m.value);
	free(theta);
}

/* how far sums and squares about the centers are from those about 0 */
static double
off(const Test *t)
{
	double		most = 0;
	int			n = t->block.d;

	for (int k = 0; k < K; k++)
		for (int j = 0; j < n; j++)
		{
			size_t		at = (size_t) k * n + j;
			double		center = t->moments.center[at];
			double		count = j < NUMBERS ? dpem_mixture_known_count(&t->rows, &t->plain, k, j, t->total.known[j]) : t->plain.count[k];
			double		sum = t->moments.sum[at] + center * count;
			double		square = t->moments.square[at] + center * (2 * t->moments.sum[at] + center * count);

			most = fmax(most, fmax(fabs(sum - t->plain.sum[at]), fabs(square - t->plain.square[at])));
		}
	return most;
}

static void
check_units(const Test *t)
{
	double		radius = t->frames.radius;
	double		wrong = 0;

	for (int k = 0; k < K; k++)
		for (int j = 0; j < t->block.d; j++)
		{
			size_t		at = (size_t) k * t->block.d + j;
			bool		own = j < NUMBERS && t->frames.own[j];
			double		spread = own && law[j] == DPEM_LAW_NORMAL ? sqrt(t->mixture.variance[k * D + j]) : t->frames.spread[at];

			wrong += !own && (t->frames.center[at] != 0 || t->frames.spread[at] != 1);
			wrong += own && t->frames.center[at] != t->mixture.mean[k * D + j];
			wrong += !unit_close(t->moments.scale[at] * t->moments.sum_sd, radius * NOISE * spread, 1e-9);
		}
	CHECK(wrong == 0, "%g units or noise in them are wrong", wrong);
}

static void
check(DpemPublicRandom *random, bool missing, int own)
{
	Test		t = make_test(random, missing);

	pass_plain(&t);
	for (int j = 0; j < NUMBERS; j++)
		t.frames.own[j] = (own >> j) % 2;
	dpem_column_frames_find(&t.rows, &t.plain, &t.total, &t.mixture, &t.frames);
	t.moments.center = t.frames.moved;
	t.moments.scale = t.frames.scale;
	pass_own(&t, 1);
	CHECK(off(&t) < 1e-6, "missing %d, own %d: off by %g", missing, own, off(&t));
	check_units(&t);

	/* frames elsewhere, of which some moments are made and to which the others move */
	for (int i = 0; i < K * N; i++)
		t.frames.center[i] += t.frames.center[i] != 0 ? 0.3 * dpem_public_normal(random) : 0;
	pass_own(&t, 0.3);
	CHECK(off(&t) < 1e-6, "missing %d, own %d: off by %g where frames move", missing, own, off(&t));
	free_test(&t);
}

int
main(void)
{
	DpemPublicRandom random = {20261129};

	for (int missing = 0; missing < 2; missing++)
		for (int own = 0; own < 1 << NUMBERS; own++)
			check(&random, missing != 0, own);
	return unit_report();
}

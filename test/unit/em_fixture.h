/*
 * em_fixture.h - EM passes in memory, through the same functions as a scan.
 */
#ifndef EM_FIXTURE_H
#define EM_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "aligned_zeros.h"
#include "core/gmm/gmm_estimate.h"
#include "core/kernels/kernel.h"
#include "core/pass/features.h"

typedef struct EmData
{
	int			n;
	int			d;
	const double *x;			/* n * d */
	DpemFeatureMap map;
} EmData;

/* moments of a pass in units of rows; bits 0: not quantised */
static inline void
em_pass(const EmData *data, const DpemMomentLayout *layout, const double *theta, bool quantise,
		double *out)
{
	size_t		length = dpem_moments_length(layout);
	size_t		record = dpem_moments_record(layout);
	int			q = quantise ? DPEM_FEATURE_BITS : 0;
	int			p = quantise ? DPEM_RESPONSIBILITY_BITS : 0;
	DpemFeatureMap map = data->map;
	DpemBlock	block = {.d = data->d,.x = zeros((size_t) data->d * DPEM_BLOCK_STRIDE),.keep = zeros(DPEM_BLOCK_STRIDE)};
	double	   *r = zeros((size_t) layout->k * DPEM_BLOCK_STRIDE);
	double	   *sums = zeros(length);
	double	   *scratch = zeros(dpem_kernel_gmm.scratch_length(layout) + dpem_moments_scratch(layout));
	__int128   *total = calloc(length, sizeof(__int128));

	map.bits = q;
	memset(out, 0, length * sizeof(double));
	for (int at = 0; at < data->n; at += block.rows)
	{
		block.rows = data->n - at < DPEM_BLOCK_ROWS ? data->n - at : DPEM_BLOCK_ROWS;
		for (int row = 0; row < block.rows; row++)
		{
			block.keep[row] = 1;
			for (int j = 0; j < data->d; j++)
				block.x[j * DPEM_BLOCK_STRIDE + row] = data->x[(size_t) (at + row) * data->d + j];
		}
		dpem_features_apply(&map, &block, scratch);
		dpem_kernel_gmm.respond(layout, theta, &block, q, p, r, scratch);
		dpem_moments_block(layout, &block, r, sums, scratch);
		for (size_t i = 0; i < length; i++)
		{
			total[i] += quantise ? (__int128) sums[i] : 0;
			out[i] += quantise ? 0 : sums[i];
		}
	}
	for (size_t i = 0; i < length && quantise; i++)
	{
		size_t		field = i % record;

		out[i] = ldexp((double) total[i], field == 0 ? -p : field <= (size_t) data->d ? -(p + q) : -(p + 2 * q));
	}
	free(total);
	free(scratch);
	free(sums);
	free(r);
	free(block.keep);
	free(block.x);
}

static DpemGmm
em_create(int k, int d, DpemSecondMoment shape)
{
	return (DpemGmm) {
		k, d, shape, zeros(k), zeros((size_t) k * d), zeros((size_t) k * d * d)
	};
}

static void
em_free(DpemGmm *gmm)
{
	free(gmm->weight);
	free(gmm->mean);
	free(gmm->covariance);
}

static inline DpemGmmHistory
em_history(const DpemMomentLayout *layout)
{
	DpemGmmHistory history = {0};

	history.average.layout = *layout;
	history.average.value = zeros(dpem_moments_length(layout));
	history.total = zeros(dpem_moments_record(layout));
	return history;
}

static inline DpemWorkspace
em_workspace(size_t n)
{
	double	   *start = zeros(n);

	return (DpemWorkspace) {start, start + n};
}

#endif							/* EM_FIXTURE_H */

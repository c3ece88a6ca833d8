/*
 * gam_fit.h - for bench_gam.c: what a fit works on, and its releases.
 */
#ifndef DPEM_GAM_FIT_H
#define DPEM_GAM_FIT_H

#include "../unit/seeded_source.h"
#include "core/accounting/sensitivity.h"
#include "core/gam/gam_estimate.h"
#include "core/gam/gam_join.h"
#include "core/kernels/kernel.h"
#include "core/noise/noise.h"
#include "gam_data.h"

typedef struct Fit
{
	const Data *data;
	int			scores;
	int			passes;
	bool		replace;		/* adjacency */
	double		sd[3];			/* of counts, of gradients and of what locates a number; 0: exact */
	DpemGamRows rows;
	DpemGamShape joined;		/* the data's shape, of which that of the rows is what is seen; columns 0: it is the same */
	DpemGamColumn column[MOST_COLUMNS];
	DpemGamColumn seen_column[MOST_COLUMNS];
	int			offset[MOST_COLUMNS + 1];
	int			place[DPEM_GAM_MAX_CELLS];	/* of each of the data's cells among those; -1: it is not seen */
	DpemGamScore *score;
	double	   *coefficient;
	double	   *theta;
	DpemWorkspace work;
	double	   *weights;
	double	   *scratch;
	DpemSampler sampler;
	bool		cleaned;		/* pairs are */
	double	   *margins;		/* of a number, as released, */
	double		margins_sd;		/* and their noise */
	double		intercept;		/* of the first score, and its noise */
	double		intercept_noise;
} Fit;

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static double *
zeros(size_t n)
{
	return room(n, sizeof(double));
}

/* ---- a fit ------------------------------------------------------------------- */

/* of a shape, whose offsets these are */
static void
create_rows(Fit *fit, const DpemGamShape *shape, const int *offset)
{
	size_t		n = (size_t) offset[shape->columns];

	fit->rows = (DpemGamRows) {.shape = *shape,.n = (int) n,.offset = offset,.count = zeros(n),.noise = zeros(n),.second = zeros(n * n)};
	fit->rows.shape.pair_share = dpem_gam_rules.pair_share;
	fit->score = room((size_t) fit->scores, sizeof *fit->score);
	for (int s = 0; s < fit->scores; s++)
	{
		fit->score[s] = (DpemGamScore) {.linear = zeros(n),.curvature = zeros(n * n),.here = zeros(n * n),.mean = zeros(n),.step = zeros((size_t) shape->columns)};
		dpem_gam_begin_path((int) n, zeros(DPEM_GAM_PATH * n), &fit->score[s]);
		for (int c = 0; c < shape->columns; c++)
			fit->score[s].step[c] = 2 * dpem_gam_expected_step(shape, c);
	}
	fit->coefficient = zeros(n * (size_t) fit->scores);
}

static void
create(Fit *fit, const Data *data)
{
	size_t		n = (size_t) data->offset[data->shape.columns];
	size_t		work = dpem_gam_work((int) n);

	fit->data = data;
	fit->scores = dpem_gam_scores(&data->shape);
	create_rows(fit, &data->shape, data->offset);
	for (int i = 0; i < fit->rows.n; i++)
		fit->place[i] = i;
	fit->theta = zeros(dpem_gam_theta_length(&data->shape) + n);
	fit->work.next = zeros(work);
	fit->work.end = fit->work.next + work;
	fit->weights = zeros(3 * n);
}

static void
destroy_rows(int scores, DpemGamScore *score, DpemGamRows *rows)
{
	for (int s = 0; s < scores; s++)
	{
		free(score[s].linear);
		free(score[s].curvature);
		free(score[s].here);
		free(score[s].mean);
		free(score[s].path);
		free(score[s].step);
	}
	free(score);
	free(rows->count);
	free(rows->noise);
	free(rows->second);
}

static void
destroy(Fit *fit)
{
	destroy_rows(fit->scores, fit->score, &fit->rows);
	free((void *) fit->joined.joined);
	free(fit->coefficient);
	free(fit->theta);
	free(fit->work.next);
	free(fit->weights);
	free(fit->margins);
}

/* what a stage releases, with noise sd: integers and their noise; without noise the sums as they are */
static DpemNoisyMoments
release_with(Fit *fit, int stage, double sd)
{
	const DpemKernel *kernel = (const DpemKernel *const[]) {&dpem_kernel_gam_moments, &dpem_kernel_gam_gradient, &dpem_kernel_gam_target}[stage];
	DpemGamColumn column[MOST_COLUMNS];
	double		part[DPEM_GAM_MAX_CELLS];
	DpemGamShape passed = fit->joined.columns > 0 ? dpem_gam_passed_shape(&fit->joined, &fit->rows.shape, column, part) : fit->rows.shape;
	const DpemGamShape *shape = &passed;
	int			bits = sd > 0 ? DPEM_RESPONSIBILITY_BITS : 0;
	int			length = stage == 0 ? dpem_gam_moments_length(shape) : stage == 1 ? dpem_gam_gradient_length(shape) : dpem_gam_target_length(shape);
	DpemNoisyMoments m = {.layout = {length, shape->columns + shape->targets, DPEM_COUNTS_ALONE},.count_sd = sd};
	const Part *train = &fit->data->part[0];
	double	   *scratch = zeros(kernel->scratch_length(&m.layout));
	DpemUint128 scale = bits > 0 ? dpem_noise_integer_scale(DPEM_NOISE_GAUSSIAN, m.count_sd, bits) : 0;

	m.value = zeros((size_t) m.layout.k);
	dpem_gam_write(shape, fit->coefficient, fit->theta);
	for (int r = 0; r < train->rows; r += DPEM_BLOCK_ROWS)
	{
		DpemBlock	block = {.rows = train->rows - r < DPEM_BLOCK_ROWS ? train->rows - r : DPEM_BLOCK_ROWS,.code = train->code + (size_t) r * dpem_gam_shape_codes(shape)};

		kernel->accumulate(&m.layout, fit->theta, &block, bits > 0 ? DPEM_FINE_BITS : 0, bits, m.value, scratch);
	}
	if (kernel->complete != NULL)
		kernel->complete(&m.layout, fit->theta, bits > 0 ? DPEM_FINE_BITS : 0, bits, m.value, scratch);
	for (int i = 0; i < m.layout.k && bits > 0; i++)
	{
		DpemInt128	noise;

		if (dpem_noise_draw(&fit->sampler, DPEM_NOISE_GAUSSIAN, scale, &noise) != DPEM_OK)
			exit(1);
		m.value[i] = ldexp(m.value[i] + (double) noise, -bits);
	}
	free(scratch);
	return m;
}

static DpemNoisyMoments
release(Fit *fit, int stage)
{
	return release_with(fit, stage, fit->sd[stage]);
}

#endif							/* DPEM_GAM_FIT_H */

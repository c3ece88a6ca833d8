/*
 * replay_fixture.h - noise that coefficients of a classifier are said to have, beside that over many fits of the same rows.
 */
#ifndef REPLAY_FIXTURE_H
#define REPLAY_FIXTURE_H

#include "core/replay/class_noise.h"
#include "softmax_fixture.h"

/* sums over fits of a coefficient, of its square, and of that of the noise it is said to have */
typedef double Scatter[K][D][3];

static inline void
add_noise(Rng *rng, double sd, double *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		value[i] += sd * rng_normal(rng);
}

/* to one record of sums and second moments, SECOND numbers */
static inline void
add_second_noise(Rng *rng, double sd, double *value)
{
	double	   *at = value + RECORD;

	add_noise(rng, sd, value, RECORD);
	for (int i = 0; i < D; i++)
		for (int j = 0; j <= i; j++)
			*at++ += sd * (i == j ? 1 : M_SQRT1_2) * rng_normal(rng);
}

/* of numbers that make all others none where they are read */
static inline DpemWorkspace
unset_workspace(size_t size)
{
	double	   *start = numbers(size);

	for (size_t i = 0; i < size; i++)
		start[i] = NAN;
	return (DpemWorkspace) {start, start + size};
}

static inline void
find_noise(const DpemClassHistory *history, DpemClassFit *fit)
{
	DpemWorkspace work = unset_workspace(dpem_class_noise_work(fit, history->gradients));
	double	   *start = work.next;
	DpemClassReplay *replay = dpem_class_noise_begin(history, fit, &work);

	for (int i = 0; i < fit->draws; i++)
		CHECK(dpem_class_noise_draw(replay, i, fit) == DPEM_OK, "a draw");
	free(start);
}

static inline void
add_fit(const DpemClassFit *fit, Scatter sum)
{
	double		coefficient[D];
	double		noise[D];
	double	   *start = zeros(dpem_class_transform_work(fit, D));
	DpemWorkspace work = {start, start + dpem_class_transform_work(fit, D)};

	for (int k = 0; k < fit->problems; k++)
	{
		dpem_class_transform(fit, k, D, NULL, coefficient, noise, work);
		for (int j = 0; j < D; j++)
		{
			sum[k][j][0] += coefficient[j];
			sum[k][j][1] += coefficient[j] * coefficient[j];
			sum[k][j][2] += noise[j] * noise[j];
		}
	}
	free(start);
}

/* off: times too much or too little, of any coefficient; mean_off: in the mean of all */
static inline void
check_scatter(Scatter sum, int fits, int problems, double off, double mean_off, const char *what)
{
	double		mean = 0;

	for (int k = 0; k < problems; k++)
		for (int j = 0; j < D; j++)
		{
			double		found = sqrt((sum[k][j][1] - sum[k][j][0] * sum[k][j][0] / fits) / fits);
			double		ratio = sqrt(sum[k][j][2] / fits) / found;

			mean += log(ratio) / (problems * D);
			CHECK(ratio > 1 / off && ratio < off, "%s: noise of %g in coefficient %d of problem %d is said to be %g times as much", what, found, j, k, ratio);
		}
	CHECK(fabs(mean) < log(mean_off), "%s: noise is said to be %g times what it is", what, exp(mean));
}

#endif							/* REPLAY_FIXTURE_H */

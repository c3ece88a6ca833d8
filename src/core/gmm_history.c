/*
 * gmm_history.c - what is kept of the passes so far.
 *
 * Two averages of released moments.  Per component, a running one that is
 * fed back into every M-step, with weights t^(-1/2): its memory grows with
 * t, so that early passes, taken at poor parameters, fade.  Over all
 * components, a plain mean: total moments do not depend on the parameters,
 * so every pass measures the same numbers.
 */
#include <math.h>

#include "gmm_estimate.h"

static bool
is_noisy(const DpemNoisyMoments *moments)
{
	return moments->sum_sd > 0;
}

static void
add_to_average(DpemGmmHistory *history, const DpemNoisyMoments *released)
{
	double		rho = is_noisy(released) ? 1 / sqrt(history->passes) : 1;
	size_t		n = dpem_moments_length(&released->layout);
	DpemNoisyMoments *average = &history->average;

	for (size_t i = 0; i < n; i++)
		average->value[i] += rho * (released->value[i] - average->value[i]);
	history->variance = (1 - rho) * (1 - rho) * history->variance + rho * rho;
	average->layout = released->layout;
	average->count_sd = released->count_sd * sqrt(history->variance);
	average->sum_sd = released->sum_sd * sqrt(history->variance);
	average->second_sd = released->second_sd * sqrt(history->variance);
}

void
dpem_gmm_history_add(DpemGmmHistory *history, const DpemNoisyMoments *released)
{
	size_t		record = dpem_moments_record(&released->layout);
	double		rho;

	history->passes++;
	add_to_average(history, released);
	rho = is_noisy(released) ? 1.0 / history->passes : 1;
	for (size_t i = 0; i < record; i++)
	{
		double		sum = 0;

		for (int k = 0; k < released->layout.k; k++)
			sum += released->value[k * record + i];
		history->total[i] += rho * (sum - history->total[i]);
	}
}

/*
 * gmm_history.c - what is kept of the passes so far.
 *
 * Two averages of released moments.  Per component, a running one that is
 * fed back into every M-step, with weights t^(-1/2) or least_step, whichever
 * is more: its memory grows with t, so that early passes, taken at poor
 * parameters, fade, and is short where there is little noise to average.  Over all
 * components, a mean weighted by precision: total moments do not depend on
 * the parameters, so every pass measures the same numbers.
 */
#include <math.h>

#include "core/gmm/gmm_estimate.h"

static bool
is_noisy(const DpemNoisyMoments *moments)
{
	return moments->sum_sd > 0;
}

static void
add_to_average(DpemGmmHistory *history, const DpemNoisyMoments *released)
{
	double		rho = is_noisy(released) ? fmax(1 / sqrt(history->passes), history->least_step) : 1;
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

/* weight: inverse variance of a sum over all components of this release */
static void
add_to_total(DpemGmmHistory *history, const DpemNoisyMoments *released)
{
	int			k = released->layout.k;
	size_t		record = dpem_moments_record(&released->layout);
	double		sd = released->second_sd;
	double		weight = is_noisy(released) ? 1 / (k * sd * sd) : 1;
	double		rho = is_noisy(released) ? weight / (history->total_weight + weight) : 1;

	for (size_t i = 0; i < record; i++)
	{
		double		sum = 0;

		for (int c = 0; c < k; c++)
			sum += released->value[c * record + i];
		history->total[i] += rho * (sum - history->total[i]);
	}
	history->total_weight += weight;
	if (is_noisy(released))
	{
		double		total = 1 / sqrt(history->total_weight);

		history->total_sd[0] = total * released->count_sd / sd;
		history->total_sd[1] = total * released->sum_sd / sd;
		history->total_sd[2] = total;
	}
}

void
dpem_gmm_history_add(DpemGmmHistory *history, const DpemNoisyMoments *released)
{
	history->passes++;
	add_to_average(history, released);
	add_to_total(history, released);
}

void
dpem_gmm_history_add_total(DpemGmmHistory *history, const DpemNoisyMoments *released)
{
	add_to_total(history, released);
}

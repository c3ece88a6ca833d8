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

#include "core/gmm/gmm_covariance.h"
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

/* a record of that mean and covariance */
static void
write_total(const DpemMomentLayout *layout, double rows, const double *mean, const double *covariance, double *total)
{
	int			d = layout->d;
	double	   *second = total + 1 + d;

	for (int i = 0; i < d; i++)
	{
		total[1 + i] = rows * mean[i];
		for (int j = layout->second == DPEM_SECOND_FULL ? 0 : i; j <= i; j++)
			*second++ = rows * (covariance[i * (size_t) d + j] + mean[i] * mean[j]);
	}
}

DpemGmmTotalNoise
dpem_gmm_history_total(const DpemGmmHistory *h, double rows, double *total, DpemWorkspace work)
{
	const DpemMomentLayout *layout = &h->average.layout;
	size_t		d = (size_t) layout->d;
	DpemGmmTotalNoise noise = {h->total_sd[1] / rows, h->total_sd[2] / rows};
	double	   *mean = dpem_workspace_take(&work, d);
	double	   *covariance = dpem_workspace_take(&work, d * d);

	if (h->seen == NULL || !(noise.second > 0))
		return noise;
	for (size_t j = 0; j < d; j++)
		mean[j] = total[1 + j] / rows;
	dpem_gmm_central_moment(layout, total, rows, mean, covariance);
	noise = dpem_gmm_seen_combine(h->seen, layout->second, layout->d, noise, mean, covariance, NULL, work);
	write_total(layout, rows, mean, covariance, total);
	return noise;
}

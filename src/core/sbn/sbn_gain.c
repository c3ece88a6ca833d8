/*
 * sbn_gain.c - see sbn_gain.h.
 */
#include <math.h>
#include <string.h>

#include "core/sbn/sbn_gain.h"
#include "core/sbn/sbn_rules.h"

static size_t
weights_of(const DpemSbnEstimate *fit)
{
	return (size_t) (fit->hidden + 1) * fit->d;
}

void
dpem_sbn_gain_start(DpemSbnEstimate *fit)
{
	memcpy(fit->moved, fit->weight, weights_of(fit) * sizeof(double));
	for (int j = 0; j < fit->d; j++)
		fit->moved[j] -= dpem_sbn_log_odds(fit->ones[j], fit->rows, fit->ones_sd);
	fit->gain = fit->gain_variance = 0;
}

void
dpem_sbn_gain_step(const double *gradient, const double *moved, double noise2, double added, DpemSbnEstimate *fit)
{
	double		length2 = 0;

	for (size_t i = 0; i < weights_of(fit); i++)
	{
		double		both = (fit->moved[i] + moved[i]) / 2;

		fit->gain += gradient[i] * both;
		length2 += both * both;
		fit->moved[i] = moved[i];
	}
	fit->gain -= added / 2;
	fit->gain_variance += noise2 * length2;
}

double
dpem_sbn_gain_of_chance(const DpemSbnEstimate *fit)
{
	return DPEM_SBN_GAIN_PARAMETER * fit->d * fit->hidden;
}

double
dpem_sbn_gain_seen(const DpemSbnEstimate *fit)
{
	if (!(fit->gain_variance > 0))
		return INFINITY;
	return (fit->gain - dpem_sbn_gain_of_chance(fit)) / sqrt(fit->gain_variance);
}

/* mean of the columns' counts, and of how much of a difference from it is not noise (James and Stein 1961) */
static double
trust_of_counts(const DpemSbnEstimate *fit, double *mean)
{
	double		square = 0;

	*mean = 0;
	for (int j = 0; j < fit->d; j++)
		*mean += fit->ones[j] / fit->d;
	for (int j = 0; j < fit->d; j++)
		square += (fit->ones[j] - *mean) * (fit->ones[j] - *mean);
	return square > 0 ? fmax(1 - (fit->d - 3) * fit->ones_sd * fit->ones_sd / square, 0) : 0;
}

static void
weigh_ones(DpemSbnEstimate *fit)
{
	double		mean = 0;
	double		trust = fit->d > 3 ? trust_of_counts(fit, &mean) : 1;

	memset(fit->weight, 0, weights_of(fit) * sizeof(double));
	for (int j = 0; j < fit->d; j++)
	{
		double		count = trust < 1 ? mean + trust * (fit->ones[j] - mean) : fit->ones[j];

		fit->weight[j] = dpem_sbn_log_odds(count, fit->rows, DPEM_SBN_LEAST_COUNT * fit->ones_sd);
	}
}

void
dpem_sbn_drop_hidden(DpemSbnEstimate *fit)
{
	fit->independent = true;
	memset(fit->bias, 0, fit->hidden * sizeof(double));
	weigh_ones(fit);
}

/* by inverse variance; a pass's sums are of v - 1/2 */
void
dpem_sbn_count_ones(const DpemNoisyMoments *m, double rate, DpemSbnEstimate *fit)
{
	double		scale = dpem_sbn_margin_clip(fit->d) / rate;
	double		sd = hypot(scale * m->sum_sd, sqrt((1 - rate) / rate * fit->rows) / 2);
	double		trust = sd > 0 ? fit->ones_sd * fit->ones_sd / (fit->ones_sd * fit->ones_sd + sd * sd) : 1;

	for (int j = 0; j < fit->d; j++)
		fit->ones[j] += trust * (scale * m->value[1 + j] + fit->rows / 2 - fit->ones[j]);
	fit->ones_sd = sd * sqrt(trust);
	weigh_ones(fit);
}

/*
 * sbn_gain.c - see sbn_gain.h.
 */
#include <math.h>
#include <string.h>

#include "core/sbn/sbn_gain.h"
#include "core/sbn/sbn_ones.h"
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
		fit->moved[j] -= fit->ones.log_odds[j];
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

static void
weigh_ones(DpemSbnEstimate *fit)
{
	memset(fit->weight, 0, weights_of(fit) * sizeof(double));
	memcpy(fit->weight, fit->ones.log_odds, fit->d * sizeof(double));
}

void
dpem_sbn_drop_hidden(DpemSbnEstimate *fit)
{
	fit->independent = true;
	memset(fit->bias, 0, fit->hidden * sizeof(double));
	weigh_ones(fit);
}

void
dpem_sbn_count_ones(const DpemNoisyMoments *m, double clip, double rate, DpemSbnEstimate *fit)
{
	dpem_sbn_ones_add(m, clip, rate, fit);
	weigh_ones(fit);
}

/*
 * sbn_shares.c - see sbn_shares.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/sbn/sbn_estimate.h"
#include "core/sbn/sbn_rules.h"
#include "core/sbn/sbn_shares.h"

#define NODES	48				/* of an integral over log-odds */
#define LEAST	1e-6			/* share from which integrals begin, and to which they go from 1 */

typedef struct Prior
{
	double		ones;			/* parameters of the Beta law */
	double		zeros;
	double		mean;
	double		sd;
} Prior;

/* a share as it is counted in that many rows, with noise of this deviation in it */
typedef struct Seen
{
	double		share;
	double		sd;
	double		rows;
} Seen;

static double
bounded(double value, double least, double most)
{
	return fmin(fmax(value, least), most);
}

/* of what is seen of a share: of the noise, and of the rows, which are a sample and tell no more than to half a row */
static double
variance_of(const Seen *seen, double share)
{
	return seen->sd * seen->sd + (share * (1 - share) + 0.25 / seen->rows) / seen->rows;
}

/* where the share may be: in reach of what is seen and, unless that is nowhere, of the prior */
static void
range_of(const Seen *seen, const Prior *prior, double *from, double *to)
{
	double		reach = 6 * sqrt(variance_of(seen, bounded(seen->share, 0, 1)));
	double		low;
	double		high;

	*from = bounded(seen->share - reach, LEAST, 1 - 20 * LEAST);
	*to = bounded(seen->share + reach, 20 * LEAST, 1 - LEAST);
	low = fmax(*from, prior->mean - 8 * prior->sd);
	high = fmin(*to, prior->mean + 8 * prior->sd);
	if (low < high)
	{
		*from = low;
		*to = high;
	}
}

/* logarithm of the posterior's density over log-odds */
static double
log_posterior(const Seen *seen, const Prior *prior, double share)
{
	double		variance = variance_of(seen, share);
	double		off = seen->share - share;

	return -(off * off / variance + log(variance)) / 2 + prior->ones * log(share) + prior->zeros * log1p(-share);
}

static double
posterior_mean(const Seen *seen, const Prior *prior)
{
	double		share[NODES];
	double		density[NODES];
	double		from;
	double		to;
	double		most = -INFINITY;
	double		sum = 0;
	double		mean = 0;

	range_of(seen, prior, &from, &to);
	for (int i = 0; i < NODES; i++)
	{
		double		odds = dpem_sbn_odds_of(from) + (dpem_sbn_odds_of(to) - dpem_sbn_odds_of(from)) * i / (NODES - 1);

		share[i] = dpem_sbn_share_of(odds);
		density[i] = log_posterior(seen, prior, share[i]);
		most = fmax(most, density[i]);
	}
	for (int i = 0; i < NODES; i++)
	{
		double		weight = exp(density[i] - most);

		sum += weight;
		mean += weight * share[i];
	}
	return mean / sum;
}

/* the mean of all columns, itself a share that is seen with noise */
static double
mean_of(const double *count, int d, double rows, double sd)
{
	const Prior flat = {1, 1, 0.5, 1};
	Seen		seen = {0, sd / rows / sqrt(d), rows * d};

	for (int j = 0; j < d; j++)
		seen.share += count[j] / rows / d;
	return posterior_mean(&seen, &flat);
}

/* of what is left of the counts' variance without the noise; columns that are too few for one have a flat law */
static Prior
prior_of(const double *count, int d, double rows, double sd)
{
	double		mean = mean_of(count, d, rows, sd);
	double		most = mean * (1 - mean);
	double		middle = 0;
	double		square = 0;
	double		variance;
	double		strength;

	if (d <= 3)
		return (Prior) {1, 1, 0.5, 1};
	for (int j = 0; j < d; j++)
		middle += count[j] / rows / d;
	for (int j = 0; j < d; j++)
		square += (count[j] / rows - middle) * (count[j] / rows - middle);
	variance = bounded(square / (d - 3) - sd * sd / rows / rows, 1e-6 * most * most, 0.9 * most);
	strength = most / variance - 1;
	return (Prior) {
		.ones = fmax(mean * strength, DPEM_SBN_LEAST_BETA),.zeros = fmax((1 - mean) * strength, DPEM_SBN_LEAST_BETA),
			.mean = mean,.sd = sqrt(variance)
	};
}

void
dpem_sbn_shares(const double *count, int d, double rows, double sd, double *log_odds)
{
	Prior		prior = {0};

	if (sd > 0)
		prior = prior_of(count, d, rows, sd);
	for (int j = 0; j < d; j++)
	{
		Seen		seen = {count[j] / rows, sd / rows, rows};

		log_odds[j] = sd > 0 ? dpem_sbn_odds_of(posterior_mean(&seen, &prior)) : dpem_sbn_log_odds(count[j], rows, 0);
	}
}

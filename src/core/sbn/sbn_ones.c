/*
 * sbn_ones.c - see sbn_ones.h.
 */
#include <math.h>
#include <string.h>

#include "core/sbn/sbn_ones.h"
#include "core/sbn/sbn_rules.h"
#include "core/sbn/sbn_shares.h"

/*
 * Both kinds of counts by precision; where they are further apart than noise makes them, by the excess, which is what
 * clipping has moved.
 */
static void
pool(int d, double rows, DpemSbnOnes *ones)
{
	double		whole2 = ones->whole_sd * ones->whole_sd;
	double		clipped2 = ones->clipped_sd * ones->clipped_sd;
	double		apart2 = 0;
	double		trust = 0;

	for (int j = 0; j < d; j++)
		apart2 += (ones->clipped[j] - ones->whole[j]) * (ones->clipped[j] - ones->whole[j]) / d;
	ones->moved = apart2 > (whole2 + clipped2) * (1 + DPEM_SBN_CLIPPED_APART * sqrt(2.0 / d));
	if (ones->moved)
		clipped2 = apart2 - whole2;
	if (clipped2 < INFINITY)
		trust = whole2 + clipped2 > 0 ? whole2 / (whole2 + clipped2) : 0;
	for (int j = 0; j < d; j++)
		ones->count[j] = ones->whole[j] + (trust > 0 ? trust * (ones->clipped[j] - ones->whole[j]) : 0);
	ones->sd = ones->whole_sd * sqrt(1 - trust);
	dpem_sbn_shares(ones->count, d, rows, ones->sd, ones->log_odds);
}

void
dpem_sbn_ones_start(const DpemNoisyMoments *margins, DpemSbnEstimate *fit)
{
	DpemSbnOnes *ones = &fit->ones;
	double		clip = dpem_sbn_margin_clip(fit->d);

	for (int j = 0; j < fit->d; j++)
	{
		ones->whole[j] = clip * margins->value[1 + j] + fit->rows / 2;
		ones->clipped[j] = ones->whole[j];
	}
	ones->whole_sd = clip * margins->sum_sd;
	ones->clipped_sd = INFINITY;
	pool(fit->d, fit->rows, ones);
}

double
dpem_sbn_ones_loss(const DpemSbnEstimate *fit)
{
	double		noise = fit->ones.sd / fit->rows;
	double		loss = 0;

	for (int j = 0; j < fit->d; j++)
	{
		double		p = dpem_sbn_share_of(fit->ones.log_odds[j]);

		loss += fmin(noise * noise / (2 * p * (1 - p)), 1);
	}
	return loss;
}

double
dpem_sbn_ones_clip(const DpemSbnEstimate *fit)
{
	const DpemSbnOnes *ones = &fit->ones;
	double		mean = 0;
	double		variance = 0;
	double		square;

	for (int j = 0; j < fit->d; j++)
	{
		double		p = dpem_sbn_share_of(ones->log_odds[j]);

		mean += p * (1 - p);
		variance += p * (1 - p) * (1 - 2 * p) * (1 - 2 * p);
	}
	square = mean + (1 + fmax(log10(DPEM_SBN_ONES_LOSS / dpem_sbn_ones_loss(fit)), 0)) * sqrt(variance);
	return ones->moved || square >= DPEM_SBN_ONES_WORTH * fit->d / 4 ? dpem_sbn_margin_clip(fit->d) : sqrt(square);
}

/* by inverse variance */
static void
take_in(double value, double trust, double *mean)
{
	*mean += trust * (value - *mean);
}

void
dpem_sbn_ones_add(const DpemNoisyMoments *m, double clip, double rate, DpemSbnEstimate *fit)
{
	DpemSbnOnes *ones = &fit->ones;
	bool		all = clip >= dpem_sbn_margin_clip(fit->d);
	double	   *mean = all ? ones->whole : ones->clipped;
	double	   *mean_sd = all ? &ones->whole_sd : &ones->clipped_sd;
	double		sd = hypot(clip / rate * m->sum_sd, sqrt((1 - rate) / rate * fit->rows / fit->d) * clip);
	double		trust = sd > 0 && *mean_sd < INFINITY ? *mean_sd * *mean_sd / (*mean_sd * *mean_sd + sd * sd) : 1;

	for (int j = 0; j < fit->d; j++)
	{
		double		center = all ? 0.5 : dpem_sbn_share_of(ones->log_odds[j]);

		take_in(clip / rate * m->value[1 + j] + fit->rows * center, trust, mean + j);
	}
	*mean_sd = sd * sqrt(trust);
	pool(fit->d, fit->rows, ones);
}

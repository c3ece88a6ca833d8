/*
 * gam_place.c - see gam_place.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/gam/gam_kernel.h"
#include "core/gam/gam_place.h"
#include "core/gam/gam_rules.h"

#define WIDEST	1.0				/* standard deviation of a number that is anywhere in its domain */

static double
middle_of(int bins, int t)
{
	return -1 + (t + 0.5) * 2 / bins;
}

/* mean and variance of the bins that more rows are in than noise makes up; false: most rows are elsewhere */
static bool
place_seen(const DpemGamBins *bins, DpemGamPlace *place)
{
	double		sum[3] = {0};

	for (int t = 0; t < bins->n; t++)
	{
		double		at = middle_of(bins->n, t);
		double		seen = bins->count[t] > dpem_gam_rules.seen * bins->sd ? bins->count[t] : 0;

		sum[0] += seen;
		sum[1] += seen * at;
		sum[2] += seen * at * at;
	}
	if (sum[0] < bins->rows / 2)
		return false;
	place->middle = sum[1] / sum[0];
	place->variance = fmax(sum[2] / sum[0] - place->middle * place->middle, 0);
	place->off = INFINITY;
	return true;
}

/* shares of the bins if values are normal, but for the domain's ends; returns mean and variance */
static DpemGamPlace
normal_shares(int bins, double middle, double sd, double *share)
{
	DpemGamPlace place = {0};
	double		all = 0;

	for (int t = 0; t < bins; t++)
	{
		double		at = middle_of(bins, t) - middle;

		share[t] = erf((at + 1.0 / bins) / sd * M_SQRT1_2) - erf((at - 1.0 / bins) / sd * M_SQRT1_2);
		all += share[t];
	}
	for (int t = 0; t < bins; t++)
	{
		share[t] /= all;
		place.middle += share[t] * middle_of(bins, t);
		place.variance += share[t] * middle_of(bins, t) * middle_of(bins, t);
	}
	place.variance -= place.middle * place.middle;
	return place;
}

/*
 * Logarithm of the counts' density for such shares, but for a constant; over all numbers of rows that may be, by Laplace's
 * approximation about the likeliest of those that are not negative.
 */
static double
fit_of(const DpemGamBins *bins, const double *share)
{
	double		variance = bins->rows_sd * bins->rows_sd;
	double		product = 0;
	double		square = 0;
	double		rows;

	for (int t = 0; t < bins->n; t++)
	{
		product += share[t] / bins->sd * bins->count[t] / bins->sd;
		square += pow(share[t] / bins->sd, 2);
	}
	rows = fmax(bins->rows + (product - square * bins->rows) * variance / (1 + square * variance), 0);
	return rows * (product - square * rows / 2) - (variance > 0 ? pow(rows - bins->rows, 2) / variance / 2 : 0) - log1p(square * variance) / 2;
}

/* of normal laws, each weighted by its likelihood: all weights and sums of the middle, its square and the variance */
typedef struct Laws
{
	double		best;			/* what the weights are relative to */
	double		all;
	double		middle;
	double		square;
	double		variance;
} Laws;

static void
add_law(Laws *laws, double fit, const DpemGamPlace *law)
{
	double		weight = exp(fmin(fit - laws->best, 0));
	double		before = fit > laws->best ? exp(laws->best - fit) : 1;

	laws->best = fmax(laws->best, fit);
	laws->all = before * laws->all + weight;
	laws->middle = before * laws->middle + weight * law->middle;
	laws->square = before * laws->square + weight * law->middle * law->middle;
	laws->variance = before * laws->variance + weight * law->variance;
}

/*
 * Counts that noise hides one by one still tell together where values are: posterior mean of a normal law whose middle is
 * a priori anywhere, and so is its width.  What the values are not normal by may move the middle, too.
 */
static DpemGamPlace
place_hidden(const DpemGamBins *bins)
{
	Laws		laws = {.best = -INFINITY};
	double		share[DPEM_GAM_TARGET_BINS];
	DpemGamPlace place;

	for (double width = WIDEST; width > 1.0 / bins->n; width *= M_SQRT1_2)
		for (int t = 0; t <= bins->n; t++)
		{
			DpemGamPlace law = normal_shares(bins->n, -1 + t * 2.0 / bins->n, width, share);

			add_law(&laws, fit_of(bins, share), &law);
		}
	place.middle = laws.middle / laws.all;
	place.variance = laws.variance / laws.all;
	place.off = fmax(laws.square / laws.all - place.middle * place.middle, 0) + pow(2.0 / bins->n, 2) + dpem_gam_rules.unlike * place.variance;
	return place;
}

DpemGamPlace
dpem_gam_place(const DpemGamBins *bins)
{
	DpemGamPlace place;

	if (bins->sd < dpem_gam_rules.clear * bins->rows && place_seen(bins, &place))
		return place;
	if (bins->sd > 0)
		return place_hidden(bins);
	return (DpemGamPlace) {0, WIDEST / 3, INFINITY};
}

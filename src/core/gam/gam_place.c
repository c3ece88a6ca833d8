/*
 * gam_place.c - see gam_place.h.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/gam/gam_kernel.h"
#include "core/gam/gam_place.h"
#include "core/gam/gam_rules.h"

#define ORDINARY	5.0			/* kurtosis, 3 of a normal law, up to which tails are not heavy */
#define CERTAIN	6.0				/* deviations of noise, which one of 64 bins has by chance in one of ten million releases */
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

/* sums over the bins and their parts: of shares times counts, and of shares' squares, in units of the counts' noise */
typedef struct Match
{
	double		product;
	double		square;
} Match;

static void
add_match(int n, const double *share, const double *count, double sd, Match *match)
{
	for (int i = 0; i < n; i++)
	{
		match->product += share[i] / sd * count[i] / sd;
		match->square += pow(share[i] / sd, 2);
	}
}

static int
part_of(const DpemGamBins *bins, int t)
{
	return t * bins->parts / bins->n;
}

/* shares of the bins' parts */
static void
add_up(const DpemGamBins *bins, const double *share, double *part)
{
	memset(part, 0, bins->parts * sizeof(double));
	for (int t = 0; t < bins->n && bins->parts > 0; t++)
		part[part_of(bins, t)] += share[t];
}

/* all rows in bin t */
static Match
match_alone(const DpemGamBins *bins, int t)
{
	Match		match = {0};
	double		one = 1;

	add_match(1, &one, &bins->count[t], bins->sd, &match);
	if (bins->parts > 0)
		add_match(1, &one, &bins->part[part_of(bins, t)], bins->part_sd, &match);
	return match;
}

/* where a part of all rows are in bin t, as `alone` has all, and others as that law has them; together: the shares' product with bin t */
static Match
match_with(const Match *match, const Match *alone, double together, double part)
{
	return (Match) {
		.product = (1 - part) * match->product + part * alone->product,
		.square = (1 - part) * (1 - part) * match->square + part * (2 * (1 - part) * together + part * alone->square)
	};
}

static DpemGamPlace
place_with(const DpemGamBins *bins, const DpemGamPlace *law, double part, int t)
{
	double		off = middle_of(bins->n, t) - law->middle;

	return (DpemGamPlace) {.middle = law->middle + part * off,.variance = (1 - part) * (law->variance + part * off * off)};
}

/*
 * Logarithm of the counts' density for such shares, but for a constant; over all numbers of rows that may be, by Laplace's
 * approximation about the likeliest of those that are not negative.
 */
static double
fit_of(const DpemGamBins *bins, const Match *match)
{
	double		variance = bins->rows_sd * bins->rows_sd;
	double		rows = fmax(bins->rows + (match->product - match->square * bins->rows) * variance / (1 + match->square * variance), 0);

	return rows * (match->product - match->square * rows / 2) - (variance > 0 ? pow(rows - bins->rows, 2) / variance / 2 : 0) - log1p(match->square * variance) / 2;
}

/* of laws, each weighted by its likelihood: all weights and sums of the middle, its square, the variance and its logarithm */
typedef struct Laws
{
	double		best;			/* what the weights are relative to */
	double		all;
	double		middle;
	double		square;
	double		variance;
	double		narrow;
} Laws;

/* of values that are anywhere in their bin */
static double
within_bin(const DpemGamBins *bins)
{
	return 1.0 / (3.0 * bins->n * bins->n);
}

static void
add_law(const DpemGamBins *bins, Laws *laws, double fit, const DpemGamPlace *law)
{
	double		weight = exp(fmin(fit - laws->best, 0));
	double		before = fit > laws->best ? exp(laws->best - fit) : 1;

	laws->best = fmax(laws->best, fit);
	laws->all = before * laws->all + weight;
	laws->middle = before * laws->middle + weight * law->middle;
	laws->square = before * laws->square + weight * law->middle * law->middle;
	laws->variance = before * laws->variance + weight * law->variance;
	laws->narrow = before * laws->narrow + weight * log(law->variance + within_bin(bins));
}

/*
 * The law, and others by which it is that of some rows alone, and all others have one value: counts that are mostly 0, or one of two
 * values.  All of these together are `spiked` times as probable a priori.
 */
static void
add_spiked(const DpemGamBins *bins, const double *share, const DpemGamPlace *law, Laws *laws)
{
	int			parts = dpem_gam_rules.spike_parts;
	double		prior = log(dpem_gam_rules.spiked / (parts * bins->n));
	double		part_share[DPEM_GAM_TARGET_BINS];
	Match		match = {0};

	add_up(bins, share, part_share);
	add_match(bins->n, share, bins->count, bins->sd, &match);
	add_match(bins->parts, part_share, bins->part, bins->part_sd, &match);
	add_law(bins, laws, fit_of(bins, &match), law);
	for (int t = 0; t < bins->n; t++)
	{
		Match		alone = match_alone(bins, t);
		double		together = share[t] / (bins->sd * bins->sd) + (bins->parts > 0 ? part_share[part_of(bins, t)] / (bins->part_sd * bins->part_sd) : 0);

		for (int i = 1; i <= parts; i++)
		{
			double		part = (double) i / (parts + 1);
			DpemGamPlace with = place_with(bins, law, part, t);
			Match		with_match = match_with(&match, &alone, together, part);

			add_law(bins, laws, prior + fit_of(bins, &with_match), &with);
		}
	}
}

/* without width: all rows are in one bin, as no normal law about an edge has them */
static void
add_single(const DpemGamBins *bins, int t, Laws *laws)
{
	DpemGamPlace law = {.middle = middle_of(bins->n, t)};
	Match		match = match_alone(bins, t);

	add_law(bins, laws, fit_of(bins, &match), &law);
}

/*
 * Between the arithmetic and the geometric mean of the laws' variances: where values are taken for nearer to each other than they are, the
 * model is at worst as bad as their mode, but there is no end to the noise where they are taken for farther apart.
 */
static double
mean_variance(const DpemGamBins *bins, const Laws *laws)
{
	double		narrow = laws->narrow / laws->all;
	double		wide = log(laws->variance / laws->all + within_bin(bins));

	return fmax(exp(dpem_gam_rules.narrow * narrow + (1 - dpem_gam_rules.narrow) * wide) - within_bin(bins), 0);
}

/* by the mean of the parts, whatever values are distributed by, where it is off by less */
static void
place_by_mean(const DpemGamBins *bins, DpemGamPlace *place)
{
	double		sum[2] = {0};
	double		square = 0;
	double		off;

	for (int i = 0; i < bins->parts; i++)
	{
		sum[0] += bins->part[i];
		sum[1] += bins->part[i] * middle_of(bins->parts, i);
	}
	if (!(sum[0] > 0) || fabs(sum[1]) > sum[0])
		return;
	for (int i = 0; i < bins->parts; i++)
		square += pow(middle_of(bins->parts, i) - sum[1] / sum[0], 2);
	off = square * pow(bins->part_sd / sum[0], 2) + pow(2.0 / bins->n, 2);
	if (off >= place->off)
		return;
	place->middle = sum[1] / sum[0];
	place->off = off;
}

/*
 * Counts that noise hides one by one still tell together where values are: posterior mean of a normal law whose middle is
 * a priori anywhere, and so is its width, or of one beside a value that many rows have: without those a number of two values would be
 * taken for a narrow one, and residuals of the rarer value cut off.  What the values are not distributed by may move the middle, too.
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

			add_spiked(bins, share, &law, &laws);
		}
	for (int t = 0; t < bins->n; t++)
		add_single(bins, t, &laws);
	place.middle = laws.middle / laws.all;
	place.variance = mean_variance(bins, &laws);
	place.off = fmax(laws.square / laws.all - place.middle * place.middle, 0) + pow(2.0 / bins->n, 2) + dpem_gam_rules.unlike * place.variance;
	place_by_mean(bins, &place);
	return place;
}

/* where values are in several parts, what these look like is not to be guessed at */
static bool
place_in_parts(const DpemGamBins *bins, DpemGamPlace *place)
{
	DpemGamBins parts = {.n = bins->parts,.count = bins->part,.sd = bins->part_sd,.rows = bins->rows};
	double		width = 2.0 / bins->parts;

	if (bins->parts == 0 || !(bins->part_sd < dpem_gam_rules.clear_parts * bins->rows) || !place_seen(&parts, place) || place->variance < width * width / 2)
		return false;
	place->variance += width * width / 12;
	return true;
}

/* noise alone would be taken for a tail: only what stands out of it counts */
static double
tails_of(const DpemGamBins *bins, const DpemGamPlace *place)
{
	double		sum[3] = {0};

	for (int t = 0; t < bins->n; t++)
	{
		double		seen = bins->count[t] > dpem_gam_rules.seen * bins->sd ? bins->count[t] : 0;
		double		square = pow(middle_of(bins->n, t) - place->middle, 2);

		sum[0] += seen;
		sum[1] += seen * square;
		sum[2] += seen * square * square;
	}
	if (!(sum[1] > 0))
		return 1;
	return fmin(fmax(pow(sum[2] * sum[0] / (sum[1] * sum[1]) / ORDINARY, 0.25), 1), dpem_gam_rules.tails);
}

/* not by the variance, of which a far bin of noise is most where rows are in a single one */
static bool
are_together(const DpemGamBins *bins)
{
	int			first = bins->n;
	int			last = 0;
	double		seen = 0;

	for (int t = 0; t < bins->n; t++)
	{
		if (!(bins->count[t] > CERTAIN * bins->sd))
			continue;
		first = t < first ? t : first;
		last = t;
		seen += bins->count[t];
	}
	return seen > 0 && last - first <= 1 && bins->rows - seen <= CERTAIN * sqrt(bins->n * bins->sd * bins->sd + bins->rows_sd * bins->rows_sd);
}

DpemGamPlace
dpem_gam_place(const DpemGamBins *bins)
{
	DpemGamPlace place = {.variance = WIDEST / 3,.off = INFINITY,.tails = 1};

	if (!(bins->sd < dpem_gam_rules.clear * bins->rows && place_seen(bins, &place)))
	{
		if (bins->sd == 0)
			return place;
		if (!place_in_parts(bins, &place))
			place = place_hidden(bins);
	}
	place.tails = tails_of(bins, &place);
	place.together = are_together(bins);
	return place;
}

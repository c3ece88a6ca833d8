/*
 * nearby_step.c - see nearby_step.h.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/kmeans/nearby_step.h"
#include "core/kmeans/subspace.h"

#define LEAST_DEVIATIONS 3		/* counts below this many noise deviations move nothing */
#define LEAST_REACH		1e-6	/* of a ball, in domains */
#define SPREAD_SEEN		2		/* deviations of noise in a mean square that may be nothing else */
#define SPREAD_SURE		3		/* and that hardly are, where clusters are looked for next */

/*
 * Do the rows of a record lie so far on one side that most must be beyond the reach?  Then their moments say in which
 * direction they are, but neither how far nor how far apart.
 */
static bool
is_beyond(const DpemNoisyMoments *m, const double *record)
{
	double		count = record[0];
	double		shift = 0;
	double		sd;

	for (int j = 1; j <= m->layout.d; j++)
		shift += record[j] / count * (record[j] / count);
	sd = 2 * hypot(sqrt(shift) * m->sum_sd, shift * m->count_sd) / count;
	shift -= m->layout.d * m->sum_sd * m->sum_sd / (count * count);
	return shift - dpem_subspace_beyond.deviations * sd > dpem_subspace_beyond.shift;
}

/* how much of a step to believe */
static double
believed_share(const double *step, const double *noise, int d)
{
	double		length = 0;
	double		variance = 0;

	for (int j = 0; j < d; j++)
	{
		length += step[j] * step[j];
		variance += noise[j] * noise[j];
	}
	return variance < length ? 1 - variance / length : variance > 0 ? 0 : 1;
}

/*
 * What is left unknown of a coordinate after that share of a step of root mean
 * square `step` (all coordinates'), seen with noise of that deviation: where the
 * center was known to `before`, the step belongs to known * step on average, with
 * the conjugate posterior's variance about it.  before 0: nothing was known.
 */
static double
unknown_after(double before, double noise, double step, double share)
{
	double		known = before > 0 ? before * before / (before * before + noise * noise) : 1;

	if (before == 0 && share == 0)
		return 0;
	return hypot((share - known) * step, sqrt(known) * noise);
}

static void
move_center(const DpemNoisyMoments *m, const double *record, double reach, double further, int d, double *center,
			double *center_noise, double *step, double *noise)
{
	double		length = 0;
	double		left;
	double		share;

	if (!(record[0] > 0) || record[0] < LEAST_DEVIATIONS * m->count_sd)
		return;
	for (int j = 0; j < d; j++)
	{
		double		mean = record[1 + j] / record[0];

		step[j] = reach * mean;
		noise[j] = reach * hypot(m->sum_sd, mean * m->count_sd) / record[0];
		length = hypot(length, step[j]);
	}
	/* rows beyond the reach may well be as far again */
	left = is_beyond(m, record) ? length / sqrt(d) : 0;
	share = (1 + further) * believed_share(step, noise, d);
	for (int j = 0; j < d; j++)
	{
		center[j] += share * step[j];
		center_noise[j] = hypot(unknown_after(center_noise[j], noise[j], length / sqrt(d), share), left);
	}
}

/*
 * What was counted about the centers, and nothing of what they were found by:
 * weights that a maximum was chosen from are too large.
 */
static void
count_shares(const DpemNoisyMoments *m, DpemKmeans *fit)
{
	size_t		record = dpem_moments_record(&m->layout);
	double		rows = 0;

	for (int k = 0; k < fit->k; k++)
		rows += fmax(m->value[k * record], 0);
	for (int k = 0; k < fit->k && rows > 0; k++)
	{
		double		w = fmax(m->value[k * record], 0) / rows;

		fit->weight[k] = w;		/* its error: (e_k - w sum of all e) / rows */
		fit->weight_noise[k] = m->count_sd / rows * sqrt((1 - w) * (1 - w) + (fit->k - 1) * w * w);
	}
}

void
dpem_nearby_step(const DpemNoisyMoments *released, const double *reach, const double *further, DpemKmeans *fit,
				 DpemWorkspace work)
{
	size_t		d = (size_t) fit->d;
	size_t		record = dpem_moments_record(&released->layout);
	double	   *step = dpem_workspace_take(&work, d);
	double	   *noise = dpem_workspace_take(&work, d);

	for (size_t k = 0; k < (size_t) fit->k; k++)
		move_center(released, released->value + k * record, reach[k], further ? further[k] : 0, fit->d, fit->center + k * d,
					fit->center_noise + k * d, step, noise);
	count_shares(released, fit);
}

/* a mean square known to be about as large as `before`, after it was seen with noise of that deviation */
static double
believed_square(double before, double seen, double sd)
{
	if (!(before > 0))
		return fmax(seen, 0);
	return (fmax(seen, 0) * before * before + before * sd * sd) / (before * before + sd * sd);
}

void
dpem_nearby_spread(const DpemNoisyMoments *released, const double *reach, double *spread)
{
	size_t		record = dpem_moments_record(&released->layout);
	int			d = released->layout.d;

	for (int k = 0; k < released->layout.k; k++)
	{
		const double *r = released->value + k * record;
		double		shift = 0;
		double		before = spread[k] / reach[k] * (spread[k] / reach[k]);
		double		noise;
		double		square;
		double		sd;

		if (!(r[0] > 0) || r[0] < LEAST_DEVIATIONS * released->count_sd)
			continue;
		for (int j = 1; j <= d; j++)
			shift += r[j] / r[0] * (r[j] / r[0]);
		noise = (d * released->sum_sd * released->sum_sd + shift * released->count_sd * released->count_sd) / (r[0] * r[0]);
		square = r[1 + d] / r[0] - fmax(shift - noise, 0);
		sd = released->second_sd / r[0];
		square = fmin(fmax(believed_square(before, square, sd), fmin(sd, before)), 1);
		/* what is clipped on one side looks narrow: the center would crawl by ever shorter steps */
		if (is_beyond(released, r))
			square = 1;
		spread[k] = reach[k] * sqrt(square);
	}
}

void
dpem_nearby_total_anywhere(int d, double half_width, DpemKmeansTotal *total)
{
	memset(total->seen, 0, d * sizeof(double));
	memset(total->mean, 0, d * sizeof(double));
	total->rows = 0;
	total->rows_sd = INFINITY;
	total->seen_sd = INFINITY;
	total->mean_sd = half_width / sqrt(3);
	total->spread = sqrt(d) * total->mean_sd;
	total->square_sd = 0;
}

/*
 * Empirical Bayes: how far the mean's coordinates are from the middle of the box is told by what was seen of them and by
 * as many more as the rule supposes, as far off as those of a uniform law.
 */
void
dpem_nearby_total_within(int d, double half_width, DpemKmeansTotal *total)
{
	double		usual = half_width * half_width / 3;
	double		noise = total->seen_sd * total->seen_sd;
	double		square = dpem_total_rule.supposed * (usual + noise);
	double		share;

	for (int j = 0; j < d; j++)
		square += total->seen[j] * total->seen[j];
	share = 1 - noise * (d + dpem_total_rule.supposed) / square;
	share = fmax(share, dpem_total_rule.least_share * usual / (usual + noise));
	for (int j = 0; j < d; j++)
		total->mean[j] = share * total->seen[j];
	total->mean_sd = sqrt(share) * total->seen_sd;
	total->spread = fmin(total->spread, sqrt(d * usual));
}

/* of the rows' mean squared distance from their mean, what noise alone hardly makes */
static double
surely_spread2(const DpemKmeansTotal *total, double deviations)
{
	return fmax(total->spread * total->spread - deviations * total->square_sd, 0);
}

bool
dpem_nearby_total_hides(int d, const DpemKmeansTotal *total)
{
	return dpem_subspace_hides(sqrt(d) * total->mean_sd, sqrt(surely_spread2(total, SPREAD_SURE)));
}

/*
 * As far as rows are seen, and further where the noise is so little that nothing need be clipped; but not by a spread that noise made: a
 * ball as wide as that allows has as much noise in the next one.
 */
double
dpem_nearby_total_ball(int d, double sum_sd, const DpemKmeansTotal *total, double *center)
{
	double		spread2 = surely_spread2(total, SPREAD_SEEN);
	double		noise2 = total->rows > 0 ? d * pow(sum_sd / total->rows, 2) : INFINITY;
	double		reach = dpem_total_rule.reach * hypot(total->spread, sqrt(d) * total->mean_sd);

	reach = fmax(reach, sqrt(dpem_total_rule.little_noise * spread2 / noise2));
	/* the domain's own ball holds all rows, and is smaller than one about any other point that does */
	for (int j = 0; j < d; j++)
		center[j] = reach < 1 ? total->mean[j] : 0;
	return fmax(fmin(reach, 1), LEAST_REACH);
}

static void
count_rows(const DpemNoisyMoments *m, DpemKmeansTotal *total)
{
	double		share = 1 / (1 + pow(m->count_sd / total->rows_sd, 2));

	if (!(total->rows_sd > 0))
		return;
	total->rows = fmax(total->rows + share * (m->value[0] - total->rows), 1);
	total->rows_sd = m->count_sd * sqrt(share);
}

/* by squared norms, where they were released */
static void
measure_spread(const DpemNoisyMoments *released, double noise, double shift2, double reach, DpemKmeansTotal *total)
{
	int			d = released->layout.d;
	double		before = total->spread / reach * (total->spread / reach);
	double		sd = released->second_sd / total->rows;

	if (released->layout.second != DPEM_SECOND_NORM)
		return;
	total->spread = reach * sqrt(believed_square(before, released->value[1 + d] / total->rows + d * noise * noise - shift2, sd));
	total->square_sd = reach * reach * sd * (before > 0 ? before * before / (before * before + sd * sd) : 1);
}

void
dpem_nearby_total(const DpemNoisyMoments *released, const double *center, double reach, DpemKmeansTotal *total)
{
	double		shift2 = 0;
	double		noise;
	double		share;

	count_rows(released, total);
	noise = released->sum_sd / total->rows;
	share = 1 / (1 + pow(reach * noise / total->seen_sd, 2));
	for (int j = 0; j < released->layout.d; j++)
	{
		double		shift = released->value[1 + j] / total->rows;

		shift2 += shift * shift;
		total->seen[j] += share * (center[j] + reach * shift - total->seen[j]);
	}
	measure_spread(released, noise, shift2, reach, total);
	total->seen_sd = reach * noise * sqrt(share);
}

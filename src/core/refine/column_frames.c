/*
 * column_frames.c - see column_frames.h.
 */
#include <math.h>
#include <string.h>

#include "core/numeric/chi_square.h"
#include "core/refine/column_frames.h"

#define QUANTILES	200			/* of the numbers' norm, to see what is clipped */
#define BALL		4.0			/* deviations of each number */
#define LEAST_SPREAD 1e-3		/* of all rows' */

/* ---- radii ---- */

/* squares of what is no number */
static double
rest_of(const DpemMixtureRows *rows)
{
	return dpem_mixture_labels(rows) + (rows->missing ? rows->numbers * DPEM_MIXTURE_KNOWN * DPEM_MIXTURE_KNOWN : 0);
}

void
dpem_column_frames_set_radius(const DpemMixtureRows *rows, double radius, DpemColumnFrames *frames)
{
	double		rest = rest_of(rows);
	double		all = 0;
	double		left = 0;

	frames->radius = radius;
	for (int i = 0; i < QUANTILES && rows->numbers > 0; i++)
	{
		double		square = dpem_chi_square_quantile(rows->numbers, (i + 0.5) / QUANTILES);

		all += square;
		left += square * fmin(1, radius * radius / (square + rest));
	}
	frames->left = all > 0 ? left / all : 1;
}

double
dpem_column_frames_ball(const DpemMixtureRows *rows)
{
	return sqrt(BALL * BALL * rows->numbers + rest_of(rows));
}

/* ---- frames ---- */

static bool
is_own(const DpemMixtureRows *rows, const DpemColumnFrames *frames, int j)
{
	return j < rows->numbers && frames->own[j];
}

static double
spread_of(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, const DpemMixture *total, const DpemMixture *mixture,
		  int k, int j)
{
	size_t		at = (size_t) k * rows->d + j;
	double		noise = pow(mixture->mean_noise[at], 2);
	double		least = LEAST_SPREAD * LEAST_SPREAD * total->variance[j];
	double		rate;

	if (rows->law[j] == DPEM_LAW_NORMAL)
		return sqrt(fmax(mixture->variance[at] + noise, least));
	/* counts may vary more than a Poisson law's */
	rate = (rows->middle[j] + rows->unit[j] * mixture->mean[at]) / (rows->unit[j] * rows->unit[j]);
	return sqrt(fmax(fmax(rate, dpem_mixture_number_variance(rows, moments, k, j, total)) + noise, least));
}

void
dpem_column_frames_find(const DpemMixtureRows *rows, const DpemMixtureMoments *moments, const DpemMixture *total,
						const DpemMixture *mixture, DpemColumnFrames *frames)
{
	int			n = dpem_mixture_coordinates(rows);

	for (int k = 0; k < mixture->k; k++)
		for (int j = 0; j < n; j++)
		{
			size_t		at = (size_t) k * n + j;
			bool		own = is_own(rows, frames, j);

			frames->center[at] = own ? mixture->mean[(size_t) k * rows->d + j] : 0;
			frames->spread[at] = own ? spread_of(rows, moments, total, mixture, k, j) : 1;
		}
}

void
dpem_column_frames_theta(const DpemMixtureRows *rows, const DpemMixture *mixture, const DpemColumnFrames *frames, double *theta)
{
	size_t		n = (size_t) dpem_mixture_coordinates(rows);
	size_t		length = mixture->k * n;
	double	   *factor = theta + mixture->k + 2 * length;
	double	   *origin = factor + length;
	double		known = rows->missing ? DPEM_MIXTURE_KNOWN / rows->radius : 1;

	dpem_mixture_prepare(rows, mixture, theta);
	for (size_t i = 0; i < length; i++)
	{
		factor[i] = rows->radius / (frames->spread[i] * frames->radius);
		origin[i] = frames->center[i] / (frames->spread[i] * frames->radius * known);
	}
	origin[length] = rows->missing ? rows->d : 0;
}

/* ---- what a pass says ---- */

/* moments about another center, which is close to the one that they have */
static void
move_center(const DpemMixtureRows *rows, const DpemMixture *total, int k, int j, double center, DpemMixtureMoments *m)
{
	size_t		at = (size_t) k * m->n + j;
	double		by = m->center[at] - center;
	double		count = j < rows->numbers ? dpem_mixture_known_count(rows, m, k, j, total->known[j]) : 0;

	m->square[at] += by * (2 * m->sum[at] + by * count);
	m->sum[at] += by * count;
	m->center[at] = center;
}

static void
average_coordinate(const DpemMixtureRows *rows, const DpemColumnFrames *f, const DpemNoisyMoments *released, double share, int k, int j,
				   DpemMixtureMoments *m)
{
	size_t		at = (size_t) k * m->n + j;
	const double *from = released->value + k * dpem_moments_record(&released->layout);
	double		unit = f->spread[at] * f->radius;
	double		noise = dpem_mixture_mixed_noise(m->sum_sd * m->scale[at], f->radius * released->sum_sd * f->spread[at], share);

	m->sum[at] = dpem_mixture_mixed(m->sum[at], unit * from[1 + j], share);
	m->square[at] = dpem_mixture_mixed(m->square[at], unit * unit * from[1 + m->n + j] / (is_own(rows, f, j) ? f->left : 1), share);
	m->scale[at] = noise / dpem_mixture_mixed_noise(m->sum_sd, f->radius * released->sum_sd, share);
}

void
dpem_column_frames_average(const DpemMixtureRows *rows, const DpemColumnFrames *frames, const DpemMixture *total,
						   const DpemNoisyMoments *released, double share, DpemMixtureMoments *moments)
{
	double		r = frames->radius;
	size_t		record = dpem_moments_record(&released->layout);

	for (int k = 0; k < moments->k; k++)
	{
		for (int j = 0; j < moments->n; j++)
			move_center(rows, total, k, j, frames->center[(size_t) k * moments->n + j], moments);
		for (int j = 0; j < moments->n; j++)
			average_coordinate(rows, frames, released, share, k, j, moments);
		moments->count[k] = dpem_mixture_mixed(moments->count[k], released->value[k * record], share);
	}
	moments->count_sd = dpem_mixture_mixed_noise(moments->count_sd, released->count_sd, share);
	moments->sum_sd = dpem_mixture_mixed_noise(moments->sum_sd, r * released->sum_sd, share);
	moments->square_sd = dpem_mixture_mixed_noise(moments->square_sd, r * r * released->second_sd, share);
}

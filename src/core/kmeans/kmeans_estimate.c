/*
 * kmeans_estimate.c - the M-step of private k-means.
 *
 * With n and s a cluster's released count and sum, the center s/n has noise
 * (e_s - c e_n) / n.  The careful rule follows Lloyd's step only as far as the
 * positive-part James-Stein estimate of it: by 1 - E|noise|^2 / |step|^2.
 */
#include <math.h>
#include <string.h>

#include "core/kmeans/kmeans_estimate.h"

const DpemKmeansRule dpem_kmeans_careful_rule = {.average = true,.shrink = true,.least_deviations = 3};
const DpemKmeansRule dpem_kmeans_plain_rule = {.average = false,.shrink = false,.least_deviations = 0};

/* passes that count together, added up */
typedef struct Answers
{
	double		count_sd;
	double		sum_sd;
	double	   *count;			/* k */
	double	   *sum;			/* k * d */
} Answers;

/* later passes saw nearly the same assignment; without noise only the last is Lloyd's */
static int
first_pass(const DpemKmeansHistory *h, const DpemKmeansRule *rule)
{
	int			last = h->passes - 1;

	if (!rule->average || h->sum_sd[last] == 0 || last < h->capacity / 2)
		return last;
	return h->capacity / 2;
}

static void
add_up(const DpemKmeansHistory *h, int from, Answers *a)
{
	size_t		k = (size_t) h->k;
	size_t		n = k * (size_t) h->d;
	double		count_variance = 0;
	double		sum_variance = 0;

	memset(a->count, 0, k * sizeof(double));
	memset(a->sum, 0, n * sizeof(double));
	for (size_t t = (size_t) from; t < (size_t) h->passes; t++)
	{
		for (size_t i = 0; i < k; i++)
			a->count[i] += h->count[t * k + i];
		for (size_t i = 0; i < n; i++)
			a->sum[i] += h->sum[t * n + i];
		count_variance += h->count_sd[t] * h->count_sd[t];
		sum_variance += h->sum_sd[t] * h->sum_sd[t];
	}
	a->count_sd = sqrt(count_variance);
	a->sum_sd = sqrt(sum_variance);
}

/* how much of the step from `center` to sum / n to believe */
static double
believed_share(const Answers *a, int d, const double *center, const double *sum, double n)
{
	double		step = 0;
	double		noise = 0;

	for (int j = 0; j < d; j++)
	{
		double		target = sum[j] / n;

		step += (target - center[j]) * (target - center[j]);
		noise += a->sum_sd * a->sum_sd + target * target * a->count_sd * a->count_sd;
	}
	noise /= n * n;
	return noise < step ? 1 - noise / step : noise > 0 ? 0 : 1;
}

static void
move_center(const Answers *a, const DpemKmeansRule *rule, size_t at, DpemKmeans *fit)
{
	size_t		d = (size_t) fit->d;
	double	   *center = fit->center + at * d;
	double	   *noise = fit->center_noise + at * d;
	const double *sum = a->sum + at * d;
	double		n = a->count[at];
	double		share;

	if (!(n > 0) || n < rule->least_deviations * a->count_sd)
		return;
	share = rule->shrink ? believed_share(a, fit->d, center, sum, n) : 1;
	if (share == 0)
		return;
	for (size_t j = 0; j < d; j++)
	{
		double		target = sum[j] / n;

		noise[j] = hypot((1 - share) * noise[j], share * hypot(a->sum_sd, target * a->count_sd) / n);
		center[j] = share == 1 ? target : center[j] + share * (target - center[j]);
	}
}

static void
estimate_weights(const Answers *a, DpemKmeans *fit)
{
	double		total = 0;

	for (int k = 0; k < fit->k; k++)
		total += fmax(a->count[k], 0);
	for (int k = 0; k < fit->k; k++)
	{
		double		w = total > 0 ? fmax(a->count[k], 0) / total : 1.0 / fit->k;

		fit->weight[k] = w;		/* its error: (e_k - w sum of all e) / total */
		fit->weight_noise[k] = total > 0 ?
			a->count_sd / total * sqrt((1 - w) * (1 - w) + (fit->k - 1) * w * w) : 0;
	}
}

void
dpem_kmeans_clamp(int k, int d, double half_width, double *center)
{
	double		most = fmin(half_width, 1);

	for (int i = 0; i < k; i++, center += d)
	{
		double		square = 0;

		for (int j = 0; j < d; j++)
		{
			center[j] = fmin(fmax(center[j], -most), most);
			square += center[j] * center[j];
		}
		for (int j = 0; j < d && square > 1; j++)
			center[j] /= sqrt(square);
	}
}

/* half the width of a coordinate's domain, and where feature 0 is in it, without overflow */
static double
half_of(const DpemFeatureMap *map, int j)
{
	return map->upper[j] / 2 - map->lower[j] / 2;
}

static double
origin_of(const DpemFeatureMap *map, int j)
{
	return map->lower[j] / 2 + map->upper[j] / 2 + (map->center ? half_of(map, j) * map->center[j] : 0);
}

void
dpem_kmeans_from_columns(const DpemFeatureMap *map, int k, const double *x, double *center)
{
	for (int i = 0; i < k; i++)
		for (int j = 0; j < map->d; j++)
			*center++ = (*x++ - origin_of(map, j)) / half_of(map, j) / map->radius;
}

void
dpem_kmeans_to_columns(const DpemFeatureMap *map, DpemKmeans *fit)
{
	for (int i = 0; i < fit->k; i++)
		for (int j = 0; j < map->d; j++)
		{
			size_t		at = (size_t) i * map->d + j;
			double		unit = half_of(map, j) * map->radius;
			double		x = origin_of(map, j) + unit * fit->center[at];

			fit->center[at] = fmin(fmax(x, map->lower[j]), map->upper[j]);
			fit->center_noise[at] *= unit;
		}
}

size_t
dpem_kmeans_maximize_work(int k, int d)
{
	return (size_t) k * (1 + (size_t) d);
}

void
dpem_kmeans_maximize(const DpemKmeansHistory *history, const DpemKmeansRule *rule,
					 DpemKmeans *fit, DpemWorkspace work)
{
	Answers		a = {
		.count = dpem_workspace_take(&work, (size_t) fit->k),
		.sum = dpem_workspace_take(&work, (size_t) fit->k * fit->d)
	};
	bool		noisy = history->sum_sd[history->passes - 1] > 0;

	add_up(history, first_pass(history, rule), &a);
	for (size_t k = 0; k < (size_t) fit->k; k++)
		move_center(&a, rule, k, fit);
	if (noisy)					/* the mean of rows lies in the domain by itself */
		dpem_kmeans_clamp(fit->k, fit->d, history->half_width, fit->center);
	estimate_weights(&a, fit);
}

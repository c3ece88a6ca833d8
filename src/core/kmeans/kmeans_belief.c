/*
 * kmeans_belief.c - see kmeans_belief.h.
 */
#include "core/kmeans/kmeans_belief.h"

#include <math.h>
#include <string.h>

/* points drawn in a cell to know its spread */
#define CELL_SAMPLES	24

size_t
dpem_kmeans_belief_length(const DpemKmeansHistory *history)
{
	return (size_t) history->passes * (1 + (size_t) history->k * (3 + (size_t) history->d));
}

void
dpem_kmeans_belief_place(const DpemKmeansHistory *history, double *memory, DpemKmeansBelief *belief)
{
	size_t		n = (size_t) history->passes * (size_t) history->k;

	belief->weight = memory;
	belief->count = belief->weight + history->passes;
	belief->noise = belief->count + n;
	belief->spread = belief->noise + n;
	belief->mean = belief->spread + n;
}

/*
 * The greatest share, at most 1, of the way from center `own` to x that is no
 * nearer to any other center: |y - c|^2 <= |y - c'|^2 is linear in y.
 */
static double
cell_reach(int k, int d, const double *center, int own, const double *x)
{
	const double *c = center + (size_t) own * d;
	double		reach = 1;

	for (int i = 0; i < k; i++)
	{
		const double *other = center + (size_t) i * d;
		double		apart = 0;
		double		along = 0;

		for (int j = 0; j < d; j++)
		{
			apart += (other[j] - c[j]) * (other[j] - c[j]);
			along += (other[j] - c[j]) * (x[j] - c[j]);
		}
		if (2 * along * reach > apart)
			reach = apart / (2 * along);
	}
	return reach;
}

void
dpem_cell_pull(int k, int d, const double *center, int own, double *x)
{
	const double *c = center + (size_t) own * d;
	double		reach = cell_reach(k, d, center, own, x);

	for (int j = 0; j < d && reach < 1; j++)
		x[j] = c[j] + reach * (x[j] - c[j]);
}

void
dpem_ball_pull(int d, double *x)
{
	double		square = 0;

	for (int j = 0; j < d; j++)
		square += x[j] * x[j];
	for (int j = 0; j < d && square > 1; j++)
		x[j] /= sqrt(square);
}

/* along a ray to a point anywhere in the domain, as far out as volume is */
void
dpem_cell_draw(const DpemKmeansHistory *history, const double *center, int own,
			   DpemPublicRandom *random, double *y)
{
	int			d = history->d;
	const double *c = center + (size_t) own * d;
	double		share = pow(dpem_public_uniform(random), 1.0 / d);

	for (int j = 0; j < d; j++)
		y[j] = history->half_width * (2 * dpem_public_uniform(random) - 1);
	dpem_ball_pull(d, y);
	dpem_cell_pull(history->k, d, center, own, y);
	for (int j = 0; j < d; j++)
		y[j] = c[j] + share * (y[j] - c[j]);
}

/* variance per coordinate of points drawn in the cell; point and sum: d numbers of scratch each */
static double
cell_spread(const DpemKmeansHistory *history, const double *center, int own,
			DpemPublicRandom *random, double *point, double *sum)
{
	int			d = history->d;
	double		square = 0;

	memset(sum, 0, (size_t) d * sizeof(double));
	for (int i = 0; i < CELL_SAMPLES; i++)
	{
		dpem_cell_draw(history, center, own, random, point);
		for (int j = 0; j < d; j++)
		{
			square += point[j] * point[j];
			sum[j] += point[j];
		}
	}
	for (int j = 0; j < d; j++)
		square -= sum[j] * sum[j] / CELL_SAMPLES;
	return fmax(square, 0) / ((double) d * (CELL_SAMPLES - 1));
}

/* the released mean within the domain and its cell; returns its noise */
static double
cell_mean(const DpemKmeansHistory *history, const double *center, int own, size_t pass,
		  const double *sum, double count, double *mean)
{
	double		square = 0;
	int			d = history->d;

	for (int j = 0; j < d; j++)
		mean[j] = fmin(fmax(sum[j] / count, -history->half_width), history->half_width);
	dpem_ball_pull(d, mean);
	dpem_cell_pull(history->k, d, center, own, mean);
	for (int j = 0; j < d; j++)
		square += mean[j] * mean[j];
	return (pow(history->sum_sd[pass], 2) + square / d * pow(history->count_sd[pass], 2)) /
		(count * count);
}

/* equal shares vary about as much as they are large */
static double
believed_count(const DpemConsistent *answers, size_t cluster, int k, double count_sd)
{
	double		equal = answers->rows / k;
	double		trust = equal * equal / (equal * equal + count_sd * count_sd);

	return fmax(trust * answers->count[cluster] + (1 - trust) * equal, 1e-9 * equal);
}

size_t
dpem_kmeans_belief_work(int d)
{
	return 2 * (size_t) d;
}

void
dpem_kmeans_belief_pass(const DpemKmeansHistory *history, const DpemConsistent *answers, int pass,
						DpemPublicRandom *random, DpemKmeansBelief *belief, DpemWorkspace work)
{
	size_t		d = (size_t) history->d;
	size_t		first = (size_t) pass * (size_t) history->k;
	const double *center = history->center + first * d;
	double	   *point = dpem_workspace_take(&work, d);
	double	   *sum = dpem_workspace_take(&work, d);

	belief->rows = answers->rows;
	for (int c = 0; c < history->k; c++)
	{
		size_t		at = first + (size_t) c;

		belief->count[at] = believed_count(answers, at, history->k, history->count_sd[pass]);
		belief->noise[at] = cell_mean(history, center, c, (size_t) pass, answers->sum + at * d,
									  belief->count[at], belief->mean + at * d);
		belief->spread[at] = cell_spread(history, center, c, random, point, sum);
	}
}

/* variance of a pass's noise (other == pass) or squared distance to another's means */
static double
weighted_square(const DpemKmeansHistory *history, const DpemKmeansBelief *belief, size_t pass,
				size_t other)
{
	size_t		k = (size_t) history->k;
	size_t		d = (size_t) history->d;
	const double *count = belief->count + ((size_t) history->passes - 1) * k;
	double		total = 0;
	double		weight = 0;

	for (size_t c = 0; c < k; c++)
	{
		double		square = pass == other ? belief->noise[pass * k + c] : 0;

		for (size_t j = 0; j < d && pass != other; j++)
			square += pow(belief->mean[(pass * k + c) * d + j] - belief->mean[(other * k + c) * d + j],
						  2) / (double) d;
		total += count[c] * count[c] * square;
		weight += count[c] * count[c];
	}
	return total / weight;
}

void
dpem_kmeans_belief_weigh(const DpemKmeansHistory *history, DpemKmeansBelief *belief)
{
	size_t		last = (size_t) history->passes - 1;
	double		noise = weighted_square(history, belief, last, last);
	double		sum = 0;

	for (size_t t = 0; t <= last; t++)
	{
		double		away = t == last ? 0 : weighted_square(history, belief, t, last);

		belief->weight[t] = noise / (weighted_square(history, belief, t, t) + away);
		sum += belief->weight[t];
	}
	for (size_t t = 0; t <= last; t++)
		belief->weight[t] /= sum;
}

double
dpem_kmeans_trust(const DpemKmeansBelief *belief, size_t cluster)
{
	double		spread = belief->spread[cluster];
	double		noise = belief->noise[cluster];

	return noise > 0 ? spread / (spread + noise) : 1;
}

/*
 * seeded_kmeans.c - see seeded_kmeans.h.
 */
#include <math.h>
#include <string.h>

#include "core/kmeans/seeded_kmeans.h"

#define MOST_STEPS		100
#define MOST_TRIALS		20
#define WORK_OF_TRIALS	2e8		/* coordinates compared in all, about */
#define USUAL_STEPS		20

const double *
dpem_blur_at(const DpemBlur *blur, int d, const double *x)
{
	int			level = blur->levels - 1;

	for (; level > 0; level--)
	{
		const double *lower = blur->lower + (size_t) level * d;
		const double *upper = blur->upper + (size_t) level * d;
		int			j = 0;

		while (j < d && x[j] >= lower[j] && x[j] <= upper[j])
			j++;
		if (j == d)
			break;
	}
	return blur->variance + (size_t) level * d;
}

/* what is being seeded: every point's squared distance to the nearest center so far, and their weighted sum */
typedef struct Seeding
{
	const DpemPoints *points;
	double	   *distance;
	double		total;
	DpemPublicRandom *random;
} Seeding;

/* a point drawn by weight times distance */
static const double *
draw_point(const Seeding *s)
{
	const DpemPoints *p = s->points;
	double		left = dpem_public_uniform(s->random) * s->total;
	size_t		i = 0;

	while (i < p->n - 1 && (left -= p->weight[i] * s->distance[i]) >= 0)
		i++;
	return p->x + i * p->d;
}

/* the squared distance of point i with one more center */
static double
distance_with(const Seeding *s, size_t i, const double *center)
{
	double		distance;

	(void) dpem_nearest_center(1, s->points->d, center, s->points->x + i * s->points->d, &distance);
	return fmin(distance, s->distance[i]);
}

static double
total_with(const Seeding *s, const double *center)
{
	double		total = 0;

	for (size_t i = 0; i < s->points->n; i++)
		total += s->points->weight[i] * distance_with(s, i, center);
	return total;
}

static void
add_center(Seeding *s, const double *x, double *center)
{
	memcpy(center, x, (size_t) s->points->d * sizeof(double));
	s->total = total_with(s, center);
	for (size_t i = 0; i < s->points->n; i++)
		s->distance[i] = distance_with(s, i, center);
}

/* the best of a few candidates */
static const double *
best_point(const Seeding *s, int candidates)
{
	const double *best = draw_point(s);
	double		least = total_with(s, best);

	for (int i = 1; i < candidates; i++)
	{
		const double *x = draw_point(s);
		double		total = total_with(s, x);

		if (total < least)
		{
			least = total;
			best = x;
		}
	}
	return best;
}

static void
seed(Seeding *s, int k, double *center)
{
	const DpemPoints *p = s->points;
	const double *first;

	/* the first by weight alone */
	for (size_t i = 0; i < p->n; i++)
	{
		s->distance[i] = 1;
		s->total += p->weight[i];
	}
	first = draw_point(s);
	for (size_t i = 0; i < p->n; i++)
		s->distance[i] = INFINITY;
	add_center(s, first, center);
	for (int c = 1; c < k; c++)
		add_center(s, best_point(s, 2 + (int) log(k)), center + (size_t) c * p->d);
}

size_t
dpem_seeded_kmeans_work(size_t n, int k, int d)
{
	return n + dpem_lloyd_work(k, d);
}

double
dpem_seeded_kmeans(const DpemPoints *points, int k, DpemPublicRandom *random, double *center,
				   DpemWorkspace work)
{
	Seeding		s = {points, dpem_workspace_take(&work, points->n), 0, random};

	seed(&s, k, center);
	return dpem_lloyd(points, k, center, MOST_STEPS, work);
}

int
dpem_seeded_kmeans_trials(size_t n, int k, int d)
{
	double		trials = WORK_OF_TRIALS / ((double) n * k * (d + 1) * USUAL_STEPS);

	if (!(trials >= 1))
		return 1;
	return trials < MOST_TRIALS ? (int) trials : MOST_TRIALS;
}

void
dpem_seeded_kmeans_shares(const DpemPoints *points, int k, const double *center, double sd,
						  const DpemBlur *blur, double *share, double *share_noise, double *center_noise)
{
	size_t		d = (size_t) points->d;
	double		total = 0;

	memset(share, 0, (size_t) k * sizeof(double));
	memset(share_noise, 0, (size_t) k * sizeof(double));
	memset(center_noise, 0, (size_t) k * d * sizeof(double));
	for (size_t i = 0; i < points->n; i++)
	{
		const double *x = points->x + i * d;
		size_t		c = (size_t) dpem_nearest_center(k, points->d, center, x, NULL);
		const double *variance = dpem_blur_at(blur, points->d, x);

		total += points->weight[i];
		share[c] += points->weight[i];
		share_noise[c]++;		/* points for now */
		for (size_t j = 0; j < d; j++)
			center_noise[c * d + j] += sd * sd * (x[j] - center[c * d + j]) * (x[j] - center[c * d + j]) +
				(sd > 0 ? variance[j] * points->weight[i] * points->weight[i] : 0);
	}
	for (size_t c = 0; c < (size_t) k; c++)
	{
		for (size_t j = 0; j < d && share[c] > 0; j++)
			center_noise[c * d + j] = sqrt(center_noise[c * d + j]) / share[c];
		share[c] /= total;
		/* a part of the whole, both noisy: (1 - s)^2 in its points, s^2 in the others */
		share_noise[c] = sd / total *
			sqrt(share_noise[c] * (1 - 2 * share[c]) + share[c] * share[c] * (double) points->n);
	}
}

static int
cluster_of(const DpemPoints *points, int k, const double *center, size_t i)
{
	return dpem_nearest_center(k, points->d, center, points->x + i * points->d, NULL);
}

void
dpem_seeded_kmeans_weights(const DpemPoints *points, int k, const double *center, double threshold,
						   DpemClusterWeights *weights)
{
	for (int c = 0; c < k; c++)
		weights[c] = (DpemClusterWeights) {.largest = -INFINITY};
	for (size_t i = 0; i < points->n; i++)
	{
		DpemClusterWeights *w = &weights[cluster_of(points, k, center, i)];

		w->points++;
		w->above += points->weight[i] > threshold ? 1 : 0;
		w->largest = fmax(w->largest, points->weight[i]);
		w->sum += points->weight[i];
	}
}

static void
weigh(const DpemPoints *points, int k, const double *center, double *weight)
{
	memset(weight, 0, (size_t) k * sizeof(double));
	for (size_t i = 0; i < points->n; i++)
		weight[cluster_of(points, k, center, i)] += points->weight[i];
}

int
dpem_seeded_kmeans_drop(const DpemPoints *points, int k, const double *center, const bool *supported,
						double most, bool *drop, DpemWorkspace work)
{
	double	   *weight = dpem_workspace_take(&work, (size_t) k);
	int			dropped = 0;
	double		left = 0;

	weigh(points, k, center, weight);
	for (int c = 0; c < k; c++)
	{
		left += most * weight[c];
		drop[c] = false;
	}
	for (;;)
	{
		int			lightest = -1;

		for (int c = 0; c < k; c++)
			if (!supported[c] && !drop[c] && weight[c] > 0 && (lightest < 0 || weight[c] < weight[lightest]))
				lightest = c;
		if (lightest < 0 || weight[lightest] > left)
			return dropped;
		left -= weight[lightest];
		drop[lightest] = true;
		dropped++;
	}
}

void
dpem_seeded_kmeans_split(const DpemPoints *points, int k, const DpemBlur *blur, DpemPublicRandom *random,
						 double *center, DpemWorkspace work)
{
	double	   *weight = dpem_workspace_take(&work, (size_t) k);
	int			d = points->d;

	weigh(points, k, center, weight);
	for (int c = 0; c < k; c++)
	{
		const double *variance;
		int			heaviest = 0;

		if (weight[c] > 0)
			continue;
		for (int i = 1; i < k; i++)
			heaviest = weight[i] > weight[heaviest] ? i : heaviest;
		variance = dpem_blur_at(blur, d, center + (size_t) heaviest * d);
		/* uniform, of that variance */
		for (int j = 0; j < d; j++)
			center[(size_t) c * d + j] = center[(size_t) heaviest * d + j] +
				(dpem_public_uniform(random) - 0.5) * sqrt(12 * variance[j]);
		weight[heaviest] /= 2;
		weight[c] = weight[heaviest];
	}
}

void
dpem_seeded_kmeans_spread(const DpemPoints *points, int k, const double *center, const DpemBlur *blur,
						  double *spread, DpemWorkspace work)
{
	double	   *weight = dpem_workspace_take(&work, (size_t) k);

	memset(weight, 0, (size_t) k * sizeof(double));
	memset(spread, 0, (size_t) k * sizeof(double));
	for (size_t i = 0; i < points->n; i++)
	{
		const double *x = points->x + i * (size_t) points->d;
		const double *variance = dpem_blur_at(blur, points->d, x);
		double		distance;
		int			c = dpem_nearest_center(k, points->d, center, x, &distance);

		for (int j = 0; j < points->d; j++)
			distance += variance[j];
		weight[c] += points->weight[i];
		spread[c] += points->weight[i] * distance;
	}
	for (int c = 0; c < k; c++)
		spread[c] = weight[c] > 0 ? sqrt(spread[c] / weight[c]) : INFINITY;
}

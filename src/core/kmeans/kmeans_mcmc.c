/*
 * kmeans_mcmc.c - see kmeans_mcmc.h.
 *
 * A point is `each` rows at once, so that the dataset cannot match an answer
 * better than to about half of that: a noise of its own, which is added to the
 * released one's variance.  The chain is colder than the likelihood itself
 * (TEMPERATURE), as it looks for the best dataset and not for a sample.
 */
#include "core/kmeans/kmeans_mcmc.h"

#include <math.h>
#include <string.h>

#define POINTS			1000	/* usual number of points */
#define POINTS_PER_CLUSTER 10	/* and the least per cluster */
#define LEAST_NOISE		0.01	/* share of noise that makes it pay */
#define TEMPERATURE		0.3
#define LLOYD_STEPS		100

/* mean squared noise of the last pass's means against the variance between the centers */
bool
dpem_kmeans_mcmc_pays(const DpemKmeansHistory *history, const DpemConsistent *answers,
					  const double *center, DpemWorkspace work)
{
	size_t		k = (size_t) history->k;
	size_t		d = (size_t) history->d;
	size_t		last = (size_t) history->passes - 1;
	const double *count = answers->count + last * k;
	double	   *mean = dpem_workspace_take(&work, d);
	double		noise = 0;
	double		between = 0;

	memset(mean, 0, d * sizeof(double));
	for (size_t i = 0; i < k * d; i++)
		mean[i % d] += count[i / d] / answers->rows * center[i];
	for (size_t c = 0; c < k; c++)
	{
		double		n = fmax(count[c], history->count_sd[last]);
		double		square = 0;

		for (size_t j = 0; j < d; j++)
		{
			square += pow(history->sum_sd[last], 2) + pow(center[c * d + j] * history->count_sd[last], 2);
			between += count[c] * pow(center[c * d + j] - mean[j], 2);
		}
		if (n > 0)
			noise += count[c] * square / (n * n);
	}
	return noise > LEAST_NOISE * between;
}

int
dpem_kmeans_mcmc_points(const DpemKmeansHistory *history, const DpemConsistent *answers)
{
	double		most = fmax(POINTS, POINTS_PER_CLUSTER * (double) history->k);

	return (int) ceil(fmin(answers->rows, most));
}

size_t
dpem_kmeans_mcmc_doubles(const DpemKmeansHistory *history, int points)
{
	size_t		d = (size_t) history->d;
	size_t		passes = (size_t) history->passes;

	return (size_t) points * (2 * d + 1) + d + passes * ((size_t) history->k * (1 + d) + 2);
}

size_t
dpem_kmeans_mcmc_integers(const DpemKmeansHistory *history, int points)
{
	return (size_t) points * ((size_t) history->passes + 1) + (size_t) history->passes;
}

static void
place(DpemKmeansMcmc *chain, double *doubles, int32_t *integers)
{
	size_t		n = (size_t) chain->points;
	size_t		d = (size_t) chain->history->d;
	size_t		passes = (size_t) chain->history->passes;
	size_t		k = (size_t) chain->history->k;
	DpemWorkspace work = {doubles, doubles + dpem_kmeans_mcmc_doubles(chain->history, chain->points)};

	chain->x = dpem_workspace_take(&work, n * d);
	chain->best = dpem_workspace_take(&work, n * d);
	chain->step = dpem_workspace_take(&work, n);
	chain->candidate = dpem_workspace_take(&work, d);
	chain->count_off = dpem_workspace_take(&work, passes * k);
	chain->sum_off = dpem_workspace_take(&work, passes * k * d);
	chain->count_sd = dpem_workspace_take(&work, passes);
	chain->sum_sd = dpem_workspace_take(&work, passes);
	chain->owner = integers;
	chain->next_owner = chain->owner + n * passes;
	chain->moved = chain->next_owner + passes;
}

/* one point of a cluster: between its released mean and anywhere in its cell, as trust says */
static void
place_point(DpemKmeansMcmc *chain, const DpemKmeansBelief *belief, size_t cluster, size_t point)
{
	const DpemKmeansHistory *h = chain->history;
	size_t		k = (size_t) h->k;
	size_t		d = (size_t) h->d;
	const double *center = h->center + cluster / k * k * d;
	double	   *x = chain->x + point * d;
	double		trust = dpem_kmeans_trust(belief, cluster);

	dpem_cell_draw(h, center, (int) (cluster % k), &chain->random, x);
	for (size_t j = 0; j < d; j++)
		x[j] = trust * belief->mean[cluster * d + j] + (1 - trust) * x[j];
	chain->step[point] = (1 - trust) * sqrt(belief->spread[cluster]);
}

/* points shared out among the clusters of all passes in proportion to weight and count */
static void
place_points(DpemKmeansMcmc *chain, const DpemKmeansBelief *belief)
{
	size_t		k = (size_t) chain->history->k;
	int			point = 0;
	double		reached = 0;

	for (size_t t = 0; t < (size_t) chain->history->passes; t++)
	{
		double		total = 0;

		for (size_t c = 0; c < k; c++)
			total += belief->count[t * k + c];
		for (size_t c = 0; c < k; c++)
		{
			reached += belief->weight[t] * belief->count[t * k + c] / total;
			for (; point < chain->points && point + 0.5 < reached * chain->points; point++)
				place_point(chain, belief, t * k + c, (size_t) point);
		}
	}
	for (; point < chain->points; point++)	/* what rounding left out */
		place_point(chain, belief, (size_t) chain->history->passes * k - 1, (size_t) point);
}

/* takes a point's part (share 1) out of what is off in a pass, or puts it back (-1) */
static void
count_point(DpemKmeansMcmc *chain, size_t t, int32_t owner, const double *x, double share)
{
	size_t		d = (size_t) chain->history->d;
	size_t		cluster = t * (size_t) chain->history->k + (size_t) owner;

	chain->count_off[cluster] -= share * chain->each;
	for (size_t j = 0; j < d; j++)
		chain->sum_off[cluster * d + j] -= share * chain->each * x[j];
}

static int32_t
owner_of(const DpemKmeansHistory *h, size_t t, const double *x)
{
	return dpem_nearest_center(h->k, h->d, h->center + t * h->k * (size_t) h->d, x, NULL);
}

void
dpem_kmeans_mcmc_begin(DpemKmeansMcmc *chain, const DpemKmeansHistory *history,
					   const DpemKmeansBelief *belief, DpemPublicRandom random,
					   int points, double *doubles, int32_t *integers, bool *flags)
{
	size_t		passes = (size_t) history->passes;
	size_t		clusters = passes * (size_t) history->k;
	size_t		d = (size_t) history->d;

	*chain = (DpemKmeansMcmc) {
		.history = history,.random = random,.points = points,.each = belief->rows / points,
			.has_moved = flags
	};
	place(chain, doubles, integers);
	memset(flags, 0, (size_t) points * sizeof(bool));
	memcpy(chain->count_off, history->count, clusters * sizeof(double));
	memcpy(chain->sum_off, history->sum, clusters * d * sizeof(double));
	place_points(chain, belief);
	memcpy(chain->best, chain->x, (size_t) points * d * sizeof(double));
	for (size_t t = 0; t < passes; t++)
	{
		chain->count_sd[t] = hypot(history->count_sd[t], chain->each / 2);
		chain->sum_sd[t] = hypot(history->sum_sd[t], chain->each / 2 * history->half_width);
		for (size_t i = 0; i < (size_t) points; i++)
		{
			chain->owner[i * passes + t] = owner_of(history, t, chain->x + i * d);
			count_point(chain, t, chain->owner[i * passes + t], chain->x + i * d, 1);
		}
	}
}

/* minus the logarithm of the noise's density, but for a constant */
static double
improbability(DpemNoiseKind noise, double value, double sd)
{
	return noise == DPEM_NOISE_LAPLACE ? M_SQRT2 * fabs(value) / sd : value * value / (2 * sd * sd);
}

/* of what is off in one cluster of a pass */
static double
cluster_improbability(const DpemKmeansMcmc *chain, size_t t, int32_t owner)
{
	size_t		d = (size_t) chain->history->d;
	size_t		cluster = t * (size_t) chain->history->k + (size_t) owner;
	DpemNoiseKind noise = chain->history->noise;
	double		total = improbability(noise, chain->count_off[cluster], chain->count_sd[t]);

	for (size_t j = 0; j < d; j++)
		total += improbability(noise, chain->sum_off[cluster * d + j], chain->sum_sd[t]);
	return total;
}

/* of the clusters that a point leaves and enters, in all passes */
static double
touched_improbability(const DpemKmeansMcmc *chain, const int32_t *owner)
{
	double		total = 0;

	for (size_t t = 0; t < (size_t) chain->history->passes; t++)
	{
		total += cluster_improbability(chain, t, owner[t]);
		if (chain->next_owner[t] != owner[t])
			total += cluster_improbability(chain, t, chain->next_owner[t]);
	}
	return total;
}

static void
exchange(DpemKmeansMcmc *chain, const int32_t *owner, const double *x, double share)
{
	for (size_t t = 0; t < (size_t) chain->history->passes; t++)
	{
		count_point(chain, t, owner[t], x, -share);
		count_point(chain, t, chain->next_owner[t], chain->candidate, share);
	}
}

/* a step away, reflected at the walls of the box */
static void
propose(DpemKmeansMcmc *chain, size_t point)
{
	const DpemKmeansHistory *h = chain->history;
	size_t		d = (size_t) h->d;
	double		wall = h->half_width;

	for (size_t j = 0; j < d; j++)
	{
		double		y = chain->x[point * d + j] + chain->step[point] * dpem_public_normal(&chain->random);

		y = y > wall ? 2 * wall - y : y < -wall ? -2 * wall - y : y;
		chain->candidate[j] = fmin(fmax(y, -wall), wall);
	}
	dpem_ball_pull(h->d, chain->candidate);
	for (size_t t = 0; t < (size_t) h->passes; t++)
		chain->next_owner[t] = owner_of(h, t, chain->candidate);
}

/* the points that moved since the last best one */
static void
keep_best(DpemKmeansMcmc *chain)
{
	size_t		d = (size_t) chain->history->d;

	for (int32_t i = 0; i < chain->n_moved; i++)
	{
		size_t		point = (size_t) chain->moved[i];

		memcpy(chain->best + point * d, chain->x + point * d, d * sizeof(double));
		chain->has_moved[point] = false;
	}
	chain->n_moved = 0;
	chain->best_likelihood = chain->likelihood;
}

static void
accept(DpemKmeansMcmc *chain, size_t point, double gain)
{
	size_t		d = (size_t) chain->history->d;
	size_t		passes = (size_t) chain->history->passes;

	memcpy(chain->x + point * d, chain->candidate, d * sizeof(double));
	memcpy(chain->owner + point * passes, chain->next_owner, passes * sizeof(int32_t));
	chain->likelihood += gain;
	if (!chain->has_moved[point])
		chain->moved[chain->n_moved++] = (int32_t) point;
	chain->has_moved[point] = true;
	if (chain->likelihood > chain->best_likelihood)
		keep_best(chain);
}

static void
step(DpemKmeansMcmc *chain)
{
	size_t		point = dpem_public_index(&chain->random, (size_t) chain->points);
	const double *x = chain->x + point * (size_t) chain->history->d;
	const int32_t *owner = chain->owner + point * (size_t) chain->history->passes;
	double		gain;

	propose(chain, point);
	gain = touched_improbability(chain, owner);
	exchange(chain, owner, x, 1);
	gain -= touched_improbability(chain, owner);
	if (gain >= 0 || dpem_public_uniform(&chain->random) < exp(gain / TEMPERATURE))
		accept(chain, point, gain);
	else
		exchange(chain, owner, x, -1);
}

void
dpem_kmeans_mcmc_run(DpemKmeansMcmc *chain, int steps)
{
	for (int i = 0; i < steps; i++)
		step(chain);
}

void
dpem_kmeans_mcmc_cluster(const DpemKmeansMcmc *chain, double *center, double *weight, DpemWorkspace work)
{
	const DpemKmeansHistory *h = chain->history;
	DpemPoints	points = {.n = (size_t) chain->points,.d = h->d,.x = chain->best};

	dpem_lloyd(&points, h->k, center, LLOYD_STEPS, work);
	memset(weight, 0, (size_t) h->k * sizeof(double));
	for (size_t i = 0; i < points.n; i++)
		weight[dpem_nearest_center(h->k, h->d, center, chain->best + i * (size_t) h->d, NULL)] += 1.0 / chain->points;
}

/*
 * kmeans_fixture.h - noisy k-means histories of made-up rows.
 *
 * Everything is drawn from public_random.h with fixed seeds, so that a test
 * sees the same numbers every time.
 */
#ifndef DPEM_TEST_KMEANS_FIXTURE_H
#define DPEM_TEST_KMEANS_FIXTURE_H

#include <stdlib.h>

#include "core/kmeans/kmeans_history.h"
#include "core/numeric/lloyd.h"
#include "core/numeric/public_random.h"

typedef struct KmeansRows
{
	int			n;
	int			d;
	double	   *x;				/* n * d, in the box of half-width 1 / sqrt(d) */
} KmeansRows;

static inline double *
kmeans_allocate(size_t n)
{
	return calloc(n + 1, sizeof(double));
}

static inline DpemWorkspace
kmeans_workspace(size_t n)
{
	double	   *memory = kmeans_allocate(n);

	return (DpemWorkspace) {memory, memory + n};
}

/* `clusters` tight groups anywhere in the box */
static inline KmeansRows
kmeans_rows(int n, int d, int clusters, double width, uint64_t seed)
{
	DpemPublicRandom random = {seed};
	KmeansRows	rows = {n, d, kmeans_allocate((size_t) n * d)};
	double		half = 1 / sqrt(d);
	double	   *center = kmeans_allocate((size_t) clusters * d);

	for (int i = 0; i < clusters * d; i++)
		center[i] = 0.9 * half * (2 * dpem_public_uniform(&random) - 1);
	for (int i = 0; i < n * d; i++)
	{
		double		x = center[i / d % clusters * d + i % d] + width * dpem_public_normal(&random);

		rows.x[i] = fmin(fmax(x, -half), half);
	}
	free(center);
	return rows;
}

static inline double
kmeans_noise(DpemPublicRandom *random, DpemNoiseKind kind, double sd)
{
	double		sign = dpem_public_uniform(random) < 0.5 ? -1 : 1;

	if (kind == DPEM_NOISE_GAUSSIAN)
		return sd * dpem_public_normal(random);
	return -sign * sd / M_SQRT2 * log(1 - dpem_public_uniform(random));
}

static inline DpemKmeansHistory
kmeans_history(int k, int d, int passes, DpemNoiseKind noise)
{
	DpemKmeansHistory h = {
		.k = k,.d = d,.capacity = passes,.noise = noise,.half_width = 1 / sqrt(d)
	};

	dpem_kmeans_history_place(&h, kmeans_allocate(dpem_kmeans_history_length(k, d, passes)));
	return h;
}

/* one pass at `center`: exact counts and sums, noise on top */
static inline void
kmeans_pass(const KmeansRows *rows, DpemKmeansHistory *h, const double *center, double count_sd,
			double sum_sd, DpemPublicRandom *random)
{
	size_t		record = 1 + (size_t) h->d;
	DpemNoisyMoments m = {
		.layout = {h->k, h->d, DPEM_SECOND_NONE},.count_sd = count_sd,.sum_sd = sum_sd,
		.value = kmeans_allocate((size_t) h->k * record)
	};

	for (int i = 0; i < rows->n; i++)
	{
		const double *x = rows->x + (size_t) i * rows->d;
		double	   *to = m.value + record * (size_t) dpem_nearest_center(h->k, h->d, center, x, NULL);

		to[0] += 1;
		for (int j = 0; j < h->d; j++)
			to[1 + j] += x[j];
	}
	for (size_t i = 0; i < (size_t) h->k * record; i++)
		m.value[i] += kmeans_noise(random, h->noise, i % record ? sum_sd : count_sd);
	dpem_kmeans_history_add(h, center, &m);
	free(m.value);
}

/* centers anywhere in the box */
static inline void
kmeans_random_centers(const DpemKmeansHistory *h, DpemPublicRandom *random, double *center)
{
	for (int i = 0; i < h->k * h->d; i++)
		center[i] = h->half_width * (2 * dpem_public_uniform(random) - 1);
}

/* passes of plain private Lloyd: center = sum / max(count, 1), kept in the box */
static inline void
kmeans_fit(const KmeansRows *rows, DpemKmeansHistory *h, double count_sd, double sum_sd,
		   DpemPublicRandom *random, double *center)
{
	for (int t = 0; t < h->capacity; t++)
	{
		kmeans_pass(rows, h, center, count_sd, sum_sd, random);
		for (int i = 0; i < h->k * h->d; i++)
		{
			double		mean = h->sum[t * h->k * h->d + i] / fmax(h->count[t * h->k + i / h->d], 1);

			center[i] = fmin(fmax(mean, -h->half_width), h->half_width);
		}
	}
}

/* mean squared distance of the rows to their centers */
static inline double
kmeans_cost(const KmeansRows *rows, int k, const double *center)
{
	double		total = 0;

	for (int i = 0; i < rows->n; i++)
	{
		double		square;

		dpem_nearest_center(k, rows->d, center, rows->x + (size_t) i * rows->d, &square);
		total += square / rows->n;
	}
	return total;
}

static inline void
kmeans_free(KmeansRows *rows, DpemKmeansHistory *h)
{
	free(rows->x);
	free(h->count_sd);
}

#endif							/* DPEM_TEST_KMEANS_FIXTURE_H */

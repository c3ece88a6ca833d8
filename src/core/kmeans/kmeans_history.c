/*
 * kmeans_history.c - see kmeans_history.h.
 */
#include "core/kmeans/kmeans_history.h"

#include <assert.h>
#include <string.h>

size_t
dpem_kmeans_history_length(int k, int d, int capacity)
{
	return (size_t) capacity * (2 + (size_t) k * (1 + 2 * (size_t) d));
}

void
dpem_kmeans_history_place(DpemKmeansHistory *history, double *memory)
{
	size_t		n = (size_t) history->capacity;
	size_t		k = (size_t) history->k;

	history->count_sd = memory;
	history->sum_sd = history->count_sd + n;
	history->count = history->sum_sd + n;
	history->center = history->count + n * k;
	history->sum = history->center + n * k * (size_t) history->d;
}

void
dpem_kmeans_history_add(DpemKmeansHistory *history, const double *center,
						const DpemNoisyMoments *released)
{
	size_t		d = (size_t) history->d;
	size_t		t = (size_t) history->passes;
	size_t		record = dpem_moments_record(&released->layout);

	assert(history->passes < history->capacity);
	assert(released->layout.k == history->k && released->layout.d == history->d);
	history->count_sd[t] = released->count_sd;
	history->sum_sd[t] = released->sum_sd;
	memcpy(history->center + t * history->k * d, center, history->k * d * sizeof(double));
	for (size_t c = 0; c < (size_t) history->k; c++)
	{
		const double *from = released->value + c * record;

		history->count[t * history->k + c] = from[0];
		memcpy(history->sum + (t * history->k + c) * d, from + 1, d * sizeof(double));
	}
	history->passes++;
}

/*
 * mixture_memory.h - mixtures of numbers and categories with memory of their own.
 */
#ifndef MIXTURE_MEMORY_H
#define MIXTURE_MEMORY_H

#include "aligned_zeros.h"
#include "core/mixture/mixture_estimate.h"

static DpemMixture
make_mixture(int k, int d)
{
	return (DpemMixture) {
		k, d, zeros(k), zeros((size_t) k * d), zeros((size_t) k * d), zeros((size_t) k * d), zeros(k), zeros(d)
	};
}

static void
free_mixture(DpemMixture *m)
{
	free(m->weight);
	free(m->mean);
	free(m->variance);
	free(m->mean_noise);
	free(m->weight_noise);
	free(m->known);
}

#endif							/* MIXTURE_MEMORY_H */

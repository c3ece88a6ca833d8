/*
 * kmeans_genetic.c - see kmeans_genetic.h.
 */
#include "core/kmeans/kmeans_genetic.h"

#include <math.h>
#include <string.h>

#include "core/kmeans/kmeans_estimate.h"

#define FEWEST_GENERATIONS	8
#define MOST_GENERATIONS	20
#define ROWS_PER_CHOICE		800		/* times epsilon: the publication's */
#define FIRST_STEP			0.5		/* of the box's half-width */
#define STEP_DECAY			0.8

int
dpem_genetic_generations(double rows, double epsilon)
{
	double		generations = rows * epsilon / (ROWS_PER_CHOICE * DPEM_GENETIC_PARENTS);

	if (!(generations > FEWEST_GENERATIONS))
		return FEWEST_GENERATIONS;
	return generations < MOST_GENERATIONS ? (int) generations : MOST_GENERATIONS;
}

double
dpem_genetic_reach(int k, int d, double half_width)
{
	return 2 * fmin(half_width * sqrt(d), 1) * pow(k, -1.0 / d);
}

static double *
candidate(const DpemGenetic *genetic, size_t i)
{
	return genetic->candidate + i * (size_t) genetic->k * (size_t) genetic->d;
}

void
dpem_genetic_begin(DpemGenetic *genetic)
{
	size_t		n = (size_t) DPEM_GENETIC_CANDIDATES * (size_t) genetic->k * (size_t) genetic->d;

	for (size_t i = 0; i < n; i++)
		genetic->candidate[i] = genetic->half_width * (2 * dpem_public_uniform(&genetic->random) - 1);
	dpem_kmeans_clamp(DPEM_GENETIC_CANDIDATES * genetic->k, genetic->d, genetic->half_width,
					  genetic->candidate);
}

/* centers before the cut from one parent, the others from the other one */
static void
cross(const DpemGenetic *genetic, const double *one, const double *other, size_t cut, double *child)
{
	size_t		n = (size_t) genetic->k * (size_t) genetic->d;
	size_t		head = cut * (size_t) genetic->d;

	memcpy(child, one, head * sizeof(double));
	memcpy(child + head, other + head, (n - head) * sizeof(double));
}

/* one center moves */
static void
mutate(DpemGenetic *genetic, double step, double *child)
{
	double	   *center = child + dpem_public_index(&genetic->random, (size_t) genetic->k) * (size_t) genetic->d;

	for (int j = 0; j < genetic->d; j++)
		center[j] += step * (2 * dpem_public_uniform(&genetic->random) - 1);
	dpem_kmeans_clamp(1, genetic->d, genetic->half_width, center);
}

void
dpem_genetic_breed(DpemGenetic *genetic, const size_t chosen[DPEM_GENETIC_PARENTS], int generation)
{
	size_t		n = (size_t) genetic->k * (size_t) genetic->d;
	double		step = FIRST_STEP * genetic->half_width * pow(STEP_DECAY, generation - 1);

	for (size_t i = 0; i < DPEM_GENETIC_PARENTS; i++)
		memcpy(genetic->parent + i * n, candidate(genetic, chosen[i]), n * sizeof(double));
	memcpy(genetic->candidate, genetic->parent, DPEM_GENETIC_PARENTS * n * sizeof(double));
	for (size_t i = DPEM_GENETIC_PARENTS; i + 1 < DPEM_GENETIC_CANDIDATES; i += 2)
	{
		const double *one = genetic->parent + dpem_public_index(&genetic->random, DPEM_GENETIC_PARENTS) * n;
		const double *other = genetic->parent + dpem_public_index(&genetic->random, DPEM_GENETIC_PARENTS) * n;
		size_t		cut = dpem_public_index(&genetic->random, (size_t) genetic->k + 1);

		cross(genetic, one, other, cut, candidate(genetic, i));
		cross(genetic, other, one, cut, candidate(genetic, i + 1));
		mutate(genetic, step, candidate(genetic, i));
		mutate(genetic, step, candidate(genetic, i + 1));
	}
}

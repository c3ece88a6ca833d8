/*
 * mixture_fixture.h - mixtures of two normal numbers, a count and two labels, and their moments.
 */
#ifndef MIXTURE_FIXTURE_H
#define MIXTURE_FIXTURE_H

#include <math.h>

#include "core/numeric/public_random.h"
#include "mixture_memory.h"
#include "unit.h"

#define NUMBERS	3				/* two normal ones and a count */
#define D		8				/* and labels of three and of two categories */
#define N		(D + NUMBERS)
#define K		3

static const DpemMixtureLaw law[D] = {
	DPEM_LAW_NORMAL, DPEM_LAW_NORMAL, DPEM_LAW_POISSON, DPEM_LAW_CATEGORY, DPEM_LAW_CATEGORY, DPEM_LAW_CATEGORY,
	DPEM_LAW_CATEGORY, DPEM_LAW_CATEGORY
};
static const int label[D] = {0, 1, 2, 3, 3, 3, 6, 6};
static const double middle[NUMBERS] = {10, -3, 4};
static const double unit_of[NUMBERS] = {2, 5, 3};

static DpemMixtureRows
rows_of(bool missing)
{
	return (DpemMixtureRows) {
		.numbers = NUMBERS,.d = D,.missing = missing,.radius = 4,.law = law,.label = label,.middle = middle,.unit = unit_of
	};
}

/* rates from 1 to 7, probabilities that add up to 1 */
static void
fill_mixture(DpemPublicRandom *random, DpemMixture *m)
{
	double		total = 0;

	for (int c = 0; c < m->k; c++)
	{
		double	   *mean = m->mean + c * D;
		double	   *variance = m->variance + c * D;

		total += m->weight[c] = 0.2 + dpem_public_uniform(random);
		for (int j = 0; j < 2; j++)
		{
			mean[j] = dpem_public_normal(random);
			variance[j] = 0.1 + dpem_public_uniform(random);
		}
		mean[2] = (1 + 6 * dpem_public_uniform(random) - middle[2]) / unit_of[2];
		for (int first = NUMBERS; first < D; first += first == 3 ? 3 : 2)
		{
			int			end = first == 3 ? 6 : 8;
			double		sum = 0;

			for (int j = first; j < end; j++)
				sum += mean[j] = 0.05 + dpem_public_uniform(random);
			for (int j = first; j < end; j++)
				mean[j] /= sum;
		}
	}
	for (int c = 0; c < m->k; c++)
		m->weight[c] /= total;
}

/* ---- moments of rows that a mixture says ---- */

/* expected moments of `count` rows of each component, in unit-ball coordinates */
static inline DpemNoisyMoments
expected_moments(const DpemMixtureRows *rows, const DpemMixture *m, double count, double known, double sd)
{
	int			n = dpem_mixture_coordinates(rows);
	DpemNoisyMoments out = {.layout = {m->k, n, DPEM_SECOND_DIAGONAL},.count_sd = sd,.sum_sd = sd,.second_sd = sd};
	size_t		record = dpem_moments_record(&out.layout);
	double		r = rows->radius;

	out.value = zeros(m->k * record);
	for (int c = 0; c < m->k; c++)
	{
		double	   *to = out.value + c * record;

		to[0] = count * m->weight[c];
		for (int j = 0; j < D; j++)
		{
			double		mean = m->mean[c * D + j];
			double		share = j < NUMBERS && rows->missing ? known : 1;

			to[1 + j] = to[0] * share * mean / r;
			to[1 + n + j] = to[0] * share * (j < NUMBERS ? mean * mean + m->variance[c * D + j] : mean) / r / r;
		}
		for (int j = D; j < n; j++)
		{
			to[1 + j] = to[0] * known * DPEM_MIXTURE_KNOWN / r;
			to[1 + n + j] = to[1 + j] * DPEM_MIXTURE_KNOWN / r;
		}
	}
	return out;
}

static DpemMixtureMoments
make_moments(int k, int n)
{
	return (DpemMixtureMoments) {k, n, zeros(k), zeros(k * n), zeros(k * n), 0, 0, 0, NULL, NULL};
}

static void
free_moments(DpemMixtureMoments *m)
{
	free(m->count);
	free(m->sum);
	free(m->square);
}

#endif							/* MIXTURE_FIXTURE_H */

/*
 * mixture_merge.c - fewer components of a mixed mixture; see mixture_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/mixture_estimate.h"

DpemMixture
dpem_mixture_take(int k, int d, DpemWorkspace *work)
{
	return (DpemMixture) {
		.k = k,.d = d,.weight = dpem_workspace_take(work, k),.mean = dpem_workspace_take(work, (size_t) k * d),
			.variance = dpem_workspace_take(work, (size_t) k * d)
	};
}

void
dpem_mixture_copy(const DpemMixture *from, DpemMixture *to)
{
	size_t		n = (size_t) from->k * from->d * sizeof(double);

	to->k = from->k;
	memcpy(to->weight, from->weight, from->k * sizeof(double));
	memcpy(to->mean, from->mean, n);
	memcpy(to->variance, from->variance, n);
}

size_t
dpem_mixture_merge_work(int components)
{
	return (size_t) components * (size_t) components;
}

/* variance of coordinate j within a component */
static double
variance_within(const DpemMixtureRows *rows, const DpemMixture *m, int k, int j)
{
	double		mean = m->mean[(size_t) k * m->d + j];

	switch (rows->law[j])
	{
		case DPEM_LAW_NORMAL:
			return m->variance[(size_t) k * m->d + j];
		case DPEM_LAW_POISSON:
			return fmax((rows->middle[j] + rows->unit[j] * mean) / (rows->unit[j] * rows->unit[j]), 1e-9);
		default:
			return mean;		/* chi-squared distance of probabilities */
	}
}

static double
merge_cost(const DpemMixtureRows *rows, const DpemMixture *m, int a, int b)
{
	double		both = m->weight[a] + m->weight[b];
	double		distance = 0;

	for (int j = 0; j < m->d; j++)
	{
		double		apart = m->mean[(size_t) a * m->d + j] - m->mean[(size_t) b * m->d + j];
		double		within = (m->weight[a] * variance_within(rows, m, a, j) + m->weight[b] * variance_within(rows, m, b, j)) / both;

		distance += apart * apart / within;
	}
	return m->weight[a] * m->weight[b] / both * distance;
}

static void
merge_pair(const DpemMixtureRows *rows, DpemMixture *m, int a, int b)
{
	double		share = m->weight[b] / (m->weight[a] + m->weight[b]);

	for (int j = 0; j < m->d; j++)
	{
		size_t		to = (size_t) a * m->d + j;
		size_t		from = (size_t) b * m->d + j;
		double		apart = m->mean[to] - m->mean[from];

		m->variance[to] = rows->law[j] != DPEM_LAW_NORMAL ? 0
			: (1 - share) * m->variance[to] + share * m->variance[from] + share * (1 - share) * apart * apart;
		m->mean[to] -= share * apart;
	}
	m->weight[a] += m->weight[b];
}

/* the last component takes the place of one that is gone */
static void
move_last(DpemMixture *m, int to, double *cost, int side)
{
	int			last = m->k - 1;

	m->weight[to] = m->weight[last];
	memmove(m->mean + (size_t) to * m->d, m->mean + (size_t) last * m->d, (size_t) m->d * sizeof(double));
	memmove(m->variance + (size_t) to * m->d, m->variance + (size_t) last * m->d, (size_t) m->d * sizeof(double));
	for (int i = 0; i < last; i++)
		if (i != to)
			cost[(size_t) i * side + to] = cost[(size_t) to * side + i] = cost[(size_t) i * side + last];
	m->k = last;
}

static void
find_costs(const DpemMixtureRows *rows, const DpemMixture *m, int a, double *cost, int side)
{
	for (int b = 0; b < m->k; b++)
		if (b != a)
			cost[(size_t) a * side + b] = cost[(size_t) b * side + a] = merge_cost(rows, m, a, b);
}

void
dpem_mixture_merge(const DpemMixtureRows *rows, int k, DpemMixture *m, DpemWorkspace work)
{
	int			side = m->k;
	double	   *cost = dpem_workspace_take(&work, dpem_mixture_merge_work(side));

	for (int a = 1; a < m->k; a++)
		for (int b = 0; b < a; b++)
			cost[(size_t) a * side + b] = cost[(size_t) b * side + a] = merge_cost(rows, m, a, b);
	while (m->k > k)
	{
		int			first = 0;
		int			second = 1;

		for (int a = 1; a < m->k; a++)
			for (int b = 0; b < a; b++)
				if (cost[(size_t) a * side + b] < cost[(size_t) second * side + first])
				{
					first = b;
					second = a;
				}
		merge_pair(rows, m, first, second);
		move_last(m, second, cost, side);
		find_costs(rows, m, first, cost, side);
	}
}

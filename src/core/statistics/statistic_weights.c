/*
 * statistic_weights.c - weights of counts, sums and second moments in one
 * release, by the variance of what is made of them (statistic.h).
 */
#include <math.h>
#include <string.h>

#include "core/accounting/sensitivity.h"
#include "core/statistics/statistic.h"

static double
stack_sensitivity2(const double w[DPEM_STATISTIC_PARTS], DpemNoiseKind noise, int k, int d, bool replace_one)
{
	double		delta;

	if (noise != DPEM_NOISE_LAPLACE)
		return dpem_joint_sensitivity2(k, w[DPEM_PART_COUNT], w[DPEM_PART_SUM], w[DPEM_PART_SECOND], replace_one);
	delta = dpem_joint_sensitivity1(k, d, w[DPEM_PART_COUNT], w[DPEM_PART_SUM], replace_one);
	return delta * delta;
}

typedef struct WeightSearch
{
	const double *importance;
	DpemNoiseKind noise;
	int			k;
	int			d;
	bool		replace_one;
	int			last;			/* part of weight 1 */
	double		weight[DPEM_STATISTIC_PARTS];
} WeightSearch;

/* variance of the statistic for a noise multiplier of 1; a row may also become the null row */
static double
variance_of(const WeightSearch *s)
{
	double		delta2 = stack_sensitivity2(s->weight, s->noise, s->k, s->d, false);
	double		sum = 0;

	if (s->replace_one)
		delta2 = fmax(delta2, stack_sensitivity2(s->weight, s->noise, s->k, s->d, true));
	for (int i = 0; i < DPEM_STATISTIC_PARTS; i++)
		sum += s->importance[i] > 0 ? s->importance[i] / (s->weight[i] * s->weight[i]) : 0;
	return delta2 * sum;
}

/*
 * Least variance over the weights from the part on, the last one being 1: in
 * the logarithms of the weights the variance is convex, as a maximum of sums
 * of powers times such a sum, so that nested golden sections find its minimum.
 */
static double
search_weights(WeightSearch *s, int part)
{
	const double golden = (sqrt(5.0) - 1) / 2;
	double		low = -8;
	double		high = 8;
	double		point[2];
	double		value[2];

	if (part == DPEM_STATISTIC_PARTS)
		return variance_of(s);
	if (!(s->importance[part] > 0) || part == s->last)
		return search_weights(s, part + 1);
	for (int i = 0; i < 40; i++)
	{
		double		step = golden * (high - low);

		point[0] = high - step;
		point[1] = low + step;
		for (int j = 0; j < 2; j++)
		{
			s->weight[part] = exp(point[j]);
			value[j] = search_weights(s, part + 1);
		}
		if (value[0] < value[1])
			high = point[1];
		else
			low = point[0];
	}
	s->weight[part] = exp((low + high) / 2);
	return search_weights(s, part + 1);
}

void
dpem_statistic_weights(const double importance[DPEM_STATISTIC_PARTS], DpemNoiseKind noise, int k, int d,
					   bool replace_one, double weight[DPEM_STATISTIC_PARTS])
{
	WeightSearch search = {importance, noise, k, d, replace_one, 0, {0, 0, 0}};

	for (int i = 0; i < DPEM_STATISTIC_PARTS; i++)
		search.last = importance[i] > 0 ? i : search.last;
	search.weight[search.last] = 1;
	(void) search_weights(&search, 0);
	memcpy(weight, search.weight, sizeof(search.weight));
}

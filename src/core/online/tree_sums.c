/*
 * tree_sums.c - see tree_sums.h.
 */
#include <string.h>

#include "core/online/tree_sums.h"

int
dpem_tree_levels(int batches)
{
	int			levels = 0;

	for (; batches > 0; batches /= 2)
		levels++;
	return levels;
}

int
dpem_tree_ending(int batch)
{
	int			nodes = 1;

	for (; batch % 2 == 0; batch /= 2)
		nodes++;
	return nodes;
}

/* variance of the estimate of a node of this level: that of the node alone is 1 */
static double
variance_of(int level)
{
	double		variance = 1;

	while (level-- > 0)
		variance = 1 / (1 + 1 / (2 * variance));
	return variance;
}

static DpemTreeSums
take(int d, DpemWorkspace *work)
{
	DpemTreeSums sums = {.d = d};

	sums.node = dpem_workspace_take(work, (size_t) DPEM_TREE_MOST_LEVELS * d);
	sums.last = dpem_workspace_take(work, d);
	sums.common = dpem_workspace_take(work, (size_t) DPEM_TREE_MOST_LEVELS * d);
	sums.carried = dpem_workspace_take(work, d);
	sums.spread = dpem_workspace_take(work, d);
	return sums;
}

size_t
dpem_tree_sums_work(int d)
{
	DpemWorkspace dry = {NULL, NULL};

	take(d, &dry);
	return dpem_workspace_taken(&dry);
}

DpemTreeSums
dpem_tree_sums_create(int d, DpemWorkspace *work)
{
	DpemTreeSums sums = take(d, work);

	memset(sums.spread, 0, d * sizeof(double));
	return sums;
}

/* the halves of the node of a level are the estimate that waits one level below, and the one in `last` */
void
dpem_tree_sums_add(DpemTreeSums *sums, const double *const *ended)
{
	int			top = dpem_tree_ending(++sums->batch) - 1;
	size_t		d = (size_t) sums->d;

	memcpy(sums->last, ended[0], d * sizeof(double));
	memset(sums->carried, 0, d * sizeof(double));
	for (int level = 1; level <= top; level++)
	{
		const double *first = sums->node + (level - 1) * d;
		double		own = variance_of(level);	/* the weight of the node itself, whose variance is 1 */

		for (size_t j = 0; j < d; j++)
		{
			sums->last[j] = own * ended[level][j] + (1 - own) * (first[j] + sums->last[j]);
			sums->carried[j] = (1 - own) * (sums->common[(level - 1) * d + j] + sums->carried[j]);
		}
	}
	memcpy(sums->node + top * d, sums->last, d * sizeof(double));
	memcpy(sums->common + top * d, sums->carried, d * sizeof(double));
}

double
dpem_tree_sums_total(const DpemTreeSums *sums, double *total)
{
	double		variance = 0;

	memset(total, 0, sums->d * sizeof(double));
	for (int level = 0; level < DPEM_TREE_MOST_LEVELS; level++)
	{
		if ((sums->batch >> level & 1) == 0)
			continue;
		variance += variance_of(level);
		for (int j = 0; j < sums->d; j++)
			total[j] += sums->node[(size_t) level * sums->d + j];
	}
	return variance;
}

/* estimates that wait have no node in common */
void
dpem_tree_sums_weigh(DpemTreeSums *sums, const double *weight)
{
	for (int level = 0; level < DPEM_TREE_MOST_LEVELS; level++)
	{
		double	   *common = sums->common + (size_t) level * sums->d;
		double		variance = variance_of(level);

		if ((sums->batch >> level & 1) == 0)
			continue;
		for (int j = 0; j < sums->d; j++)
		{
			sums->spread[j] += weight[j] * (2 * common[j] + weight[j] * variance);
			common[j] += weight[j] * variance;
		}
	}
}

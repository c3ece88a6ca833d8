/*
 * synth_plan.c - workloads, candidates and scores: see synth_plan.h.
 */
#include <math.h>

#include "core/synth/synth_plan.h"

int
dpem_synth_workload_size(int columns, int label)
{
	int			pairs = columns * (columns - 1) / 2;

	return label < 0 ? pairs : pairs + (columns - 1) * (columns - 2) / 2;
}

int
dpem_synth_workload(int columns, int label, DpemSynthWanted *wanted)
{
	int			n = 0;

	for (int i = 0; i < columns; i++)
		for (int j = i + 1; j < columns; j++)
		{
			DpemSynthSet pair = dpem_synth_column(i) | dpem_synth_column(j);

			wanted[n++] = (DpemSynthWanted) {pair, 1};
			if (label >= 0 && label != i && label != j)
				wanted[n++] = (DpemSynthWanted) {pair | dpem_synth_column(label), 1};
		}
	return n;
}

static bool
stands_before(DpemSynthSet a, DpemSynthSet b)
{
	int			order_a = dpem_synth_order(a);
	int			order_b = dpem_synth_order(b);

	return order_a != order_b ? order_a < order_b : a < b;
}

/* inserts a set where it belongs if it is not there; the new number, -1 if that is too many */
static int
insert(DpemSynthSet set, DpemSynthSet *sets, int n, int most)
{
	int			low = 0;
	int			high = n;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (stands_before(sets[middle], set))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < n && sets[low] == set)
		return n;
	if (n == most)
		return -1;
	for (int i = n; i > low; i--)
		sets[i] = sets[i - 1];
	sets[low] = set;
	return n + 1;
}

int
dpem_synth_closure(const DpemSynthWanted *wanted, int n, int most, DpemSynthSet *sets)
{
	int			found = 0;

	for (int i = 0; i < n; i++)
		for (DpemSynthSet set = wanted[i].set; set != 0; set = (set - 1) & wanted[i].set)
		{
			if (dpem_synth_order(set) >= 2)
				found = insert(set, sets, found, most);
			if (found < 0)
				return -1;
		}
	return found;
}

int64_t
dpem_synth_weight(const DpemSynthWanted *wanted, int n, DpemSynthSet set)
{
	int64_t		weight = 0;

	for (int i = 0; i < n; i++)
		weight += wanted[i].weight * (int64_t) dpem_synth_order(set & wanted[i].set);
	return weight;
}

DpemUint128
dpem_synth_score_step(int64_t weight)
{
	return (DpemUint128) weight << DPEM_SYNTH_SCORE_BITS;
}

DpemInt128
dpem_synth_score(size_t cells, const int64_t *counts, const double *expected, double sd, int64_t weight)
{
	double		unit = (double) (1 << DPEM_SYNTH_SCORE_BITS);
	double		bias = sqrt(2 / M_PI) * sd * (double) cells;
	DpemInt128	sum = -(DpemInt128) llrint(bias * unit);

	for (size_t i = 0; i < cells; i++)
	{
		DpemInt128	error = ((DpemInt128) counts[i] << DPEM_SYNTH_SCORE_BITS) - llrint(expected[i] * unit);

		sum += error < 0 ? -error : error;
	}
	return sum * weight;
}

double
dpem_synth_misfit(size_t n, const double *released, const double *variance, const double *expected)
{
	double		misfit = 0;

	for (size_t i = 0; i < n; i++)
		misfit += fabs(released[i] - expected[i]) - sqrt(2 / M_PI * variance[i]);
	return misfit;
}

/*
 * quantile.c - see quantile.h.
 */
#include <math.h>

#include "core/statistics/quantile.h"

int64_t
dpem_quantile_level(double q)
{
	int64_t		level;

	if (!(q > 0 && q < 1))
		return 0;
	level = (int64_t) rint(q * (double) DPEM_QUANTILE_PARTS);
	if (level < 1)
		return 1;
	return level < DPEM_QUANTILE_PARTS ? level : DPEM_QUANTILE_PARTS - 1;
}

DpemUint128
dpem_quantile_range(int64_t level, bool replace_one, int rows_per_unit)
{
	int64_t		above = DPEM_QUANTILE_PARTS - level;
	int64_t		most = level > above ? level : above;

	if (replace_one)
		most = DPEM_QUANTILE_PARTS;
	return (DpemUint128) (2 * most) * (unsigned int) rows_per_unit;
}

void
dpem_quantile_scores(const DpemInt128 *count, size_t stride, size_t n, int64_t level, DpemInt128 *score)
{
	DpemInt128	rank = 0;
	DpemInt128	below = 0;

	for (size_t i = 0; i < n; i++)
		rank += level * count[i * stride];
	for (size_t i = 0; i < n; i++)
	{
		DpemInt128	first = below - rank;
		DpemInt128	last;

		below += DPEM_QUANTILE_PARTS * count[i * stride];
		last = rank - below;
		score[i] = -(first > last ? first : last);
		score[i] = score[i] < 0 ? score[i] : 0;
	}
}

/*
 * Some bin has score 0, as 0 <= q N <= N.  So the others, each with a weight of
 * at most exp(-T / scale) if it misses by more than T, have a probability of at
 * most w / (1 + w), w = (n - 1) exp(-T / scale); 1e-9 covers roundings.
 */
double
dpem_quantile_rank_error(double scale, int n)
{
	return n > 1 ? scale * log(19.0 * (n - 1)) * (1 + 1e-9) : 0;
}

/*
 * synth_smooth.c - see synth_smooth.h.
 */
#include <math.h>

#include "core/synth/synth_smooth.h"

void
dpem_synth_shrink(int n, const bool *member, const double *noisy, double sd, double *out)
{
	double		sum = 0;
	double		squares = 0;
	double		keep = 0;
	int			k = 0;

	for (int i = 0; i < n; i++)
		if (member[i])
		{
			sum += noisy[i];
			k++;
		}
	for (int i = 0; i < n; i++)
		if (member[i])
			squares += (noisy[i] - sum / k) * (noisy[i] - sum / k);
	/* k - 1 dimensions about the mean: their noise has k - 1, of which the estimator takes two less */
	if (squares > 0)
		keep = fmax(0, 1 - fmax(k - 3, 0.5 * (k - 1)) * sd * sd / squares);
	for (int i = 0; i < n; i++)
		if (member[i])
			out[i] = sum / k + keep * (noisy[i] - sum / k);
}

/* squares of numbers i .. j - 1 about their mean, from running sums */
static double
cost(const double *sum, const double *squares, int i, int j)
{
	double		s = sum[j] - sum[i];

	return squares[j] - squares[i] - s * s / (j - i);
}

void
dpem_synth_smooth(int n, const double *noisy, double sd, double price, double *out)
{
	double		sum[DPEM_SYNTH_SIZE + 1] = {0};
	double		squares[DPEM_SYNTH_SIZE + 1] = {0};
	double		best[DPEM_SYNTH_SIZE + 1] = {0};
	int			start[DPEM_SYNTH_SIZE + 1] = {0};

	for (int i = 0; i < n; i++)
	{
		sum[i + 1] = sum[i] + noisy[i];
		squares[i + 1] = squares[i] + noisy[i] * noisy[i];
	}
	for (int j = 1; j <= n; j++)
	{
		best[j] = INFINITY;
		for (int i = 0; i < j; i++)
		{
			double		total = best[i] + cost(sum, squares, i, j) + price * sd * sd;

			if (total < best[j])
			{
				best[j] = total;
				start[j] = i;
			}
		}
	}
	for (int j = n; j > 0; j = start[j])
	{
		bool		member[DPEM_SYNTH_SIZE] = {false};

		for (int i = start[j]; i < j; i++)
			member[i] = true;
		dpem_synth_shrink(j, member, noisy, sd, out);
	}
}

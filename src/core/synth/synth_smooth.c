/*
 * synth_smooth.c - see synth_smooth.h.
 */
#include <math.h>

#include "core/synth/synth_rules.h"
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
dpem_synth_intervals(int n, const double *noisy, double sd, double price, int *start)
{
	double		sum[DPEM_SYNTH_SIZE + 1] = {0};
	double		squares[DPEM_SYNTH_SIZE + 1] = {0};
	double		best[DPEM_SYNTH_SIZE + 1] = {0};

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
}

void
dpem_synth_smooth(int n, const double *noisy, double sd, double price, double *out)
{
	int			start[DPEM_SYNTH_SIZE + 1] = {0};

	dpem_synth_intervals(n, noisy, sd, price, start);
	for (int j = n; j > 0; j = start[j])
	{
		bool		member[DPEM_SYNTH_SIZE] = {false};

		for (int i = start[j]; i < j; i++)
			member[i] = true;
		dpem_synth_shrink(j, member, noisy, sd, out);
	}
}

/* ---- which bins have rows ------------------------------------------------------------ */

/* rows that are seen, and those that bins may hide in which some were seen before */
typedef struct Seen
{
	double		rows;
	double		hidden;
	int			hiding;			/* bins */
} Seen;

/* an interval's rows, of one count in each bin: share, 0 unless they are clearly more than noise */
static void
take_interval(const double *count, bool empty, double sd, int first, int end, double *share, Seen *seen)
{
	double		sum = 0;
	bool		clear;

	for (int i = first; i < end; i++)
		sum += count[i];
	clear = sum > dpem_synth_place_rules.seen * sd * sqrt(end - first);
	for (int i = first; i < end; i++)
		share[i] = clear ? sum / (end - first) : 0;
	if (clear)
		seen->rows += sum;
	else if (!empty)
	{
		seen->hidden += sum;
		seen->hiding += end - first;
	}
}

/* bins in which rows were seen, or were not, apart: these would be taken for thinner ones of those */
static void
take_intervals(int n, const double *count, const bool *empty, double sd, double *share, Seen *seen)
{
	for (int first = 0, end; first < n; first = end)
	{
		int			start[DPEM_SYNTH_SIZE + 1];

		for (end = first + 1; end < n && empty[end] == empty[first]; end++)
			continue;
		dpem_synth_intervals(end - first, count + first, sd, dpem_synth_place_rules.price, start);
		for (int j = end - first; j > 0; j = start[j])
			take_interval(count, empty[first], sd, first + start[j], first + j, share, seen);
	}
}

double
dpem_synth_find_rows(int n, const double *count, const bool *empty, double sd, double *share)
{
	Seen		seen = {0};
	double		all;

	take_intervals(n, count, empty, sd, share, &seen);
	all = seen.rows + seen.hidden;
	for (int i = 0; i < n && seen.rows > 0; i++)
		share[i] /= seen.rows;
	if (!(seen.rows > 0))
		return 1;
	if (seen.hidden < dpem_synth_place_rules.hidden * all || seen.hidden < dpem_synth_place_rules.hidden_clear * sd * sqrt(seen.hiding))
		return 0;
	return seen.hidden / all;
}

/*
 * spectrum.c - see spectrum.h.
 */
#include <math.h>

#include "core/numeric/spectrum.h"

/* 1 / y near 0 is smoothed over the distance at which noise moves neighbours: eta = s */
static double
cleaned(int n, double s2, const double *value, int i)
{
	double		sum = 0;

	for (int j = 0; j < n && s2 > 0; j++)
	{
		double		gap = value[i] - value[j];

		sum += gap / (gap * gap + s2);
	}
	return value[i] - 2 * s2 * sum;
}

/*
 * Least-squares fit of a descending sequence, by pooling neighbours that
 * violate it (Ayer et al. 1955).  The end of each pool is marked by its mean
 * standing in all of it, so that pools are found again from the values.
 */
static void
make_descending(int n, double *x)
{
	for (int i = 1; i < n; i++)
	{
		int			first = i;
		double		sum = x[i];

		/* take in the pools before it while their mean is less */
		while (first > 0 && x[first - 1] < sum / (i - first + 1))
		{
			double		mean = x[--first];

			sum += mean;
			while (first > 0 && x[first - 1] == mean)
				sum += x[--first];
		}
		for (int j = first; j <= i; j++)
			x[j] = sum / (i - first + 1);
	}
}

void
dpem_spectrum_clean(int n, double sd, const double *value, double *clean)
{
	for (int i = 0; i < n; i++)
		clean[i] = cleaned(n, sd * sd / 2, value, i);
	if (sd > 0)
		make_descending(n, clean);
}

double
dpem_spectrum_alignment(int n, double sd, const double *value, int i)
{
	double		sum = 0;

	for (int j = 0; j < n && sd > 0; j++)
	{
		double		gap = value[i] - value[j];

		if (j != i)
			sum += sd * sd / (2 * gap * gap);
	}
	return 1 / (1 + sum);
}

double
dpem_spectrum_floor(int n, double sd, double trace)
{
	/* noise in the mean eigenvalue is sd / sqrt(n) */
	return fmin(sd / sqrt(2), fmax(trace, sd * sqrt(n)) / (2 * n));
}

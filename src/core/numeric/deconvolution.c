/*
 * deconvolution.c - see deconvolution.h.
 */
#include <math.h>

#include "core/numeric/deconvolution.h"

#define POINTS DPEM_DECONVOLUTION_POINTS

/* what could be moved by so few deviations tells nothing of the distribution */
#define LEAST_SIGNAL 1

void
dpem_deconvolution_grid(DpemDeconvolution *d, int points, double least, double most)
{
	*d = (DpemDeconvolution) {.points = points};
	for (int j = 0; j < points; j++)
	{
		d->grid[j] = j == 0 ? 0 : least * pow(most / least, (double) (j - 1) / (points - 2));
		d->prior[j] = 1.0 / points;
	}
}

size_t
dpem_deconvolution_work(size_t n)
{
	return n * POINTS;
}

/* likelihood of one x at every point, the largest 1 */
static void
likelihoods(const DpemDeconvolution *d, double x, double size, double sd, double *likelihood)
{
	double		least = INFINITY;

	for (int j = 0; j < d->points; j++)
	{
		double		off = (x - size * d->grid[j]) / sd;

		likelihood[j] = off * off / 2;
		least = fmin(least, likelihood[j]);
	}
	for (int j = 0; j < d->points; j++)
		likelihood[j] = exp(least - likelihood[j]);
	for (int j = d->points; j < POINTS; j++)
		likelihood[j] = 0;
}

/* prior times likelihood, summed */
static double
evidence(const DpemDeconvolution *d, const double *likelihood)
{
	double		sum[4] = {0};

	/* beyond the last point both are zero */
	for (int j = 0; j < POINTS; j += 4)
		for (int lane = 0; lane < 4; lane++)
			sum[lane] += d->prior[j + lane] * likelihood[j + lane];
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* one step over n rows of likelihoods: the prior becomes the mean of the posteriors */
static void
improve(DpemDeconvolution *d, size_t n, const double *likelihood)
{
	double		next[POINTS] = {0};

	for (size_t i = 0; i < n; i++)
	{
		const double *row = likelihood + i * POINTS;
		double		total = evidence(d, row);

		if (!(total > 0))
			continue;
		total = 1 / total;
		for (int j = 0; j < POINTS; j++)
			next[j] += d->prior[j] * row[j] * total;
	}
	for (int j = 0; j < POINTS; j++)
		d->prior[j] = next[j] / n;
}

static double
posterior_mean(const DpemDeconvolution *d, const double *likelihood)
{
	double		total = evidence(d, likelihood);
	double		sum = 0;

	for (int j = 0; j < d->points; j++)
		sum += d->prior[j] * likelihood[j] * d->grid[j];
	return total > 0 ? sum / total : 0;
}

DpemStatus
dpem_deconvolve(DpemDeconvolution *d, size_t n, const double *x, const double *size, double sd,
				int steps, double *mean, double *work)
{
	double		most = d->grid[d->points - 1];
	size_t		telling = 0;

	if (!(sd > 0) || n == 0)
		return DPEM_BAD_ARGUMENT;
	for (size_t i = 0; i < n; i++)
	{
		if (size == NULL || size[i] * most > LEAST_SIGNAL * sd)
			likelihoods(d, x[i], size ? size[i] : 1, sd, work + POINTS * telling++);
	}
	for (int step = 0; step < steps && telling > 0; step++)
		improve(d, telling, work);
	for (size_t i = 0; i < n; i++)
	{
		double		likelihood[POINTS];

		likelihoods(d, x[i], size ? size[i] : 1, sd, likelihood);
		mean[i] = posterior_mean(d, likelihood);
	}
	return DPEM_OK;
}

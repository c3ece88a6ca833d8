/*
 * kmeans_choice.c - see kmeans_choice.h.
 */
#include <math.h>

#include "core/kmeans/kmeans_choice.h"

#define LEAST_SQUARE	1e-12	/* of a mean square distance: rounding of coordinates */

/* variance of the noise in shares and centers over their sampling errors', w / N and W / (d w N) */
static double
noise_ratio(const DpemKmeans *means, double total, double square, double rows)
{
	size_t		d = (size_t) means->d;
	double		of_shares = 0;
	double		noise = 0;
	double		sampling = 0;

	for (size_t k = 0; k < (size_t) means->k; k++)
	{
		double		share = means->weight[k] / total;

		of_shares += means->weight_noise[k] * means->weight_noise[k] * rows;
		if (!(share > 0))
			continue;
		for (size_t j = 0; j < d; j++)
			noise += means->center_noise[k * d + j] * means->center_noise[k * d + j];
		sampling += square / (share * rows);
	}
	return (of_shares + d * (sampling > 0 ? noise / sampling : 0)) / (1.0 + d);
}

double
dpem_kmeans_likelihood(const DpemKmeans *means, const double *spread, double rows, double *effective)
{
	int			d = means->d;
	double		total = 0;
	double		square = 0;
	double		entropy = 0;

	for (int k = 0; k < means->k; k++)
		total += fmax(means->weight[k], 0);
	for (int k = 0; k < means->k; k++)
	{
		double		share = fmax(means->weight[k], 0) / total;

		if (!(share > 0))
			continue;
		entropy += share * log(share);
		square += share * spread[k] * spread[k];
	}
	square = fmax(square, LEAST_SQUARE);
	*effective = dpem_effective_rows(rows, noise_ratio(means, total, square, fmax(rows, 1)));
	return entropy - d / 2.0 * (log(2 * M_PI * square / d) + 1);
}

int
dpem_kmeans_choose_size(DpemSizes *sizes, int d, const double *log_likelihood, const double *effective)
{
	double		rows = INFINITY;

	for (int i = 0; i < sizes->n; i++)
		rows = fmin(rows, effective[i]);
	for (int i = 0; i < sizes->n; i++)
		dpem_sizes_score(sizes, i, log_likelihood[i], sizes->k[i] * (d + 1.0), rows);
	return dpem_sizes_choose(sizes);
}

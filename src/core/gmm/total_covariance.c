/*
 * total_covariance.c - see total_covariance.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_whiten.h"
#include "core/gmm/total_covariance.h"

#define LEAST_BALL	1e-3
#define LITTLE_NOISE	0.002	/* spectral norm, in units of the mean squared distance */

/*
 * Of a ball about a point at that distance from the middle of one of radius 1, for rows whose mean squared
 * distance is between those: as large as keeps the noise little, so that nothing is clipped that need not be.
 */
static double
ball_radius(double least2, double most2, double distance, double noise)
{
	double		radius2 = fmax(DPEM_BALL_FACTOR * DPEM_BALL_FACTOR * most2, LITTLE_NOISE / fmax(noise, DBL_MIN) * least2);

	return fmax(fmin(sqrt(radius2), 1 + distance), LEAST_BALL);
}

DpemCovarianceWeights
dpem_covariance_weights(int d, bool centered, bool replace_one)
{
	double		b2 = centered ? 1 / sqrt(d + 1.0) : 0;
	double		entries = d * (d + 1.0) / 2;

	return (DpemCovarianceWeights) {
		.count = replace_one ? sqrt(1 + b2 + b2 * b2 / 2) : 1 / sqrt(3 * sqrt(entries)),
			.sum = sqrt(b2),
			.second = 1
	};
}

double
dpem_total_rows(const DpemNoisyMoments *m, double public_rows)
{
	return dpem_known_rows(m->value[0], m->count_sd, public_rows);
}

double
dpem_total_mean(const DpemNoisyMoments *m, double rows, double *mean)
{
	int			d = m->layout.d;
	double		norm2 = 0;

	for (int j = 0; j < d; j++)
	{
		mean[j] = m->value[1 + j] / rows;
		norm2 += mean[j] * mean[j];
	}
	for (int j = 0; j < d && norm2 > 1; j++)
		mean[j] /= sqrt(norm2);
	return fmin(sqrt(norm2), 1);
}

double
dpem_total_ball(const DpemNoisyMoments *m, double public_rows, bool centered, double radius, double noise,
				double *center)
{
	int			d = m->layout.d;
	double		rows = dpem_total_rows(m, public_rows);
	double		norm2 = 0;
	double		spread2;
	double		wrong2;

	memset(center, 0, d * sizeof(double));
	if (centered)
		dpem_total_mean(m, rows, center);
	for (int j = 0; j < d; j++)
	{
		norm2 += center[j] * center[j];
		center[j] *= radius;
	}
	/* the mean squared distance, with two standard deviations of its noise and what noise in the center adds */
	spread2 = fmax(m->value[1 + d] / rows - norm2, 0);
	wrong2 = 2 * m->second_sd / rows + (centered ? d * m->sum_sd * m->sum_sd / (rows * rows) : 0);
	return radius * ball_radius(fmax(spread2 - wrong2, 0), spread2 + wrong2, sqrt(norm2), noise / rows);
}

double
dpem_total_distance(const DpemNoisyMoments *m, double public_rows)
{
	double		rows = dpem_total_rows(m, public_rows);
	double		norm2 = 0;

	for (int j = 0; j < m->layout.d; j++)
		norm2 += pow(m->value[1 + j] / rows, 2);
	return sqrt(fmax(m->value[1 + m->layout.d] / rows - norm2, 0));
}

double
dpem_columns_ball(int d, double radius, double noise, const double *center, const double *deviation)
{
	double		norm2 = 0;
	double		spread2 = 0;

	for (int j = 0; j < d; j++)
	{
		norm2 += center[j] * center[j] / (radius * radius);
		spread2 += deviation[j] * deviation[j] / (radius * radius);
	}
	return radius * ball_radius(spread2, spread2, sqrt(norm2), noise);
}

DpemTotal
dpem_total_covariance(const DpemNoisyMoments *m, double public_rows, bool centered,
					  double *mean, double *covariance)
{
	DpemTotal	total = {.rows = dpem_total_rows(m, public_rows)};

	memset(mean, 0, m->layout.d * sizeof(double));
	if (centered)
		dpem_total_mean(m, total.rows, mean);
	total.mean_sd = centered ? m->sum_sd / total.rows : 0;
	total.second_sd = m->second_sd / total.rows;
	dpem_gmm_central_moment(&m->layout, m->value, total.rows, mean, covariance);
	return total;
}

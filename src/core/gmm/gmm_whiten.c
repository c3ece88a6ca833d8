/*
 * gmm_whiten.c - see gmm_whiten.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_whiten.h"
#include "core/numeric/linalg.h"

#define RADIUS_FACTOR	1.5		/* clip radius in root mean square distances from the centre */

double
dpem_gmm_rows(double released, double count_sd, double public_rows)
{
	if (public_rows > 0 && fabs(released - public_rows) <= 3 * count_sd)
		return public_rows;
	return fmax(released, fmax(2 * count_sd, 1));
}

void
dpem_gmm_centre(const DpemNoisyMoments *m, double public_rows, double radius, DpemGmmCentre *frame)
{
	int			d = m->layout.d;
	double		rows = dpem_gmm_rows(m->value[0], m->count_sd, public_rows);
	double		sd = m->sum_sd / rows;
	double		square = m->value[1 + d] / rows;
	double		norm2 = 0;
	double		bias = d * sd * sd;	/* what noise adds to |centre|^2 */
	double		norm;
	double		spread2;

	for (int j = 0; j < d; j++)
	{
		frame->centre[j] = m->value[1 + j] / rows;
		norm2 += frame->centre[j] * frame->centre[j];
	}
	norm = fmax(sqrt(norm2), 1);
	for (int j = 0; j < d; j++)
		frame->centre[j] *= radius / norm;
	norm2 /= norm * norm;
	norm = sqrt(norm2);
	frame->spread2 = (square - norm2 + 2 * bias) * radius * radius;
	frame->spread2_sd = hypot(m->second_sd / rows, 2 * norm * sd) * radius * radius;
	/* upper end of what the mean squared distance from the centre can be */
	spread2 = fmax(square - norm2 + bias, 0) + frame->spread2_sd / (radius * radius) + bias;
	spread2 = fmin(spread2, (1 + norm) * (1 + norm));
	frame->radius = fmax(fmin(RADIUS_FACTOR * sqrt(spread2), 1 + norm), 1e-3) * radius;
}

size_t
dpem_gmm_whitening_work(int d)
{
	return 2 * (size_t) d * d + 2 * (size_t) d + dpem_linalg_eigen_work(d);
}

DpemStatus
dpem_gmm_whitening(const DpemNoisyMoments *m, double public_rows, DpemGmmCentre *frame,
				   double *whitening, double *inverse, DpemWorkspace work)
{
	int			d = m->layout.d;
	double		rows = dpem_gmm_rows(m->value[0], m->count_sd, public_rows);
	double	   *w = dpem_workspace_take(&work, (size_t) d * d);
	double	   *value = dpem_workspace_take(&work, d);
	double	   *mean = dpem_workspace_take(&work, d);
	double		left = 0;			/* mean square about the centre after clipping */

	for (int j = 0; j < d; j++)
		mean[j] = m->value[1 + j] / rows;
	dpem_gmm_central_moment(&m->layout, m->value, rows, mean, w);
	for (int j = 0; j < d; j++)
		left += (w[j * (size_t) d + j] + mean[j] * mean[j]) * frame->radius * frame->radius;
	if (dpem_gmm_regularise(m->layout.second, d, m->second_sd / rows, w, value,
							dpem_workspace_take(&work, dpem_linalg_eigen_work(d))))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
	{
		/* widest axis first, so that the start spreads over it */
		const double *vector = w + (d - 1 - i) * (size_t) d;
		double		root = frame->radius * sqrt(value[d - 1 - i]);

		for (int j = 0; j < d; j++)
		{
			whitening[i * (size_t) d + j] = vector[j] / root;
			inverse[j * (size_t) d + i] = vector[j] * root;
		}
	}
	for (int j = 0; j < d; j++)
		frame->centre[j] += frame->radius * mean[j];
	frame->lost = frame->spread2 > 2 * frame->spread2_sd
		? fmax(0, 1 - (left + frame->spread2_sd) / frame->spread2) : 0;
	return DPEM_OK;
}

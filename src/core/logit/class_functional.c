/*
 * class_functional.c - logistic regression by the functional mechanism (class_estimate.h).
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_estimate.h"
#include "core/numeric/linalg.h"

#define DEVIATIONS	4.0			/* of the ridge, as for linear regression (linreg_baseline.c) */

size_t
dpem_class_functional_work(int d)
{
	size_t		square = (size_t) d * d;
	size_t		eigen = dpem_linalg_eigen_work(d);

	return square + d + (eigen > square ? eigen : square);
}

/* noise of 2 t - G b is nearly independent */
static double
noise_of(const DpemNoisyMoments *m, const double *b)
{
	double		length2 = 0;

	for (int j = 0; j < m->layout.d; j++)
		length2 += b[j] * b[j];
	return sqrt(4 * m->sum_sd * m->sum_sd + m->second_sd * m->second_sd / 2 * length2);
}

DpemStatus
dpem_class_functional(const DpemNoisyMoments *m, DpemLogit *fit, DpemWorkspace work)
{
	int			d = m->layout.d;
	double	   *a = dpem_workspace_take(&work, (size_t) d * d);
	double	   *value = dpem_workspace_take(&work, d);
	double		ridge = DEVIATIONS * m->second_sd / sqrt(2);
	double		noise;

	dpem_linalg_unpack(d, m->value + 1 + d, a);
	if (dpem_linalg_eigen(d, a, value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		value[i] = value[i] > 0 ? 1 / (value[i] + ridge) : 0;
	dpem_linalg_rebuild(d, a, value, fit->turn, work.next);
	dpem_linalg_product(d, 1, d, fit->turn, m->value + 1, fit->mean);
	for (int j = 0; j < d; j++)
		fit->mean[j] *= 2;
	noise = noise_of(m, fit->mean);
	for (size_t i = 0; i < (size_t) d * d; i++)
		fit->turn[i] *= noise;
	return DPEM_OK;
}

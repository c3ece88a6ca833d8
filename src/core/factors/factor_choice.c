/*
 * factor_choice.c - see factor_choice.h.
 */
#include <math.h>
#include <string.h>

#include "core/factors/factor_choice.h"
#include "core/numeric/linalg.h"
#include "core/numeric/spectrum.h"

#define LEAST_VARIANCE 1e-12	/* in units of the ball's squared radius: rounding */

double
dpem_covariance_effective_rows(double sd, double v, double rows)
{
	return dpem_effective_rows(rows, fmax(rows, 1) * sd * sd / (2 * fmax(v * v, 1e-300)));
}

double
dpem_factor_parameters(int d, int k)
{
	return d * (k + 1.0) - k * (k - 1.0) / 2;
}

double
dpem_component_parameters(int d, int k)
{
	return k < d ? d * (double) k - k * (k - 1.0) / 2 + 1 : d * (d + 1.0) / 2;
}

size_t
dpem_component_choice_work(int d)
{
	return (size_t) d * d + 2 * (size_t) d + dpem_linalg_spectrum_work(d);
}

/* mean log-likelihood of a row, with the variances of d - k axes made equal */
static double
log_likelihood(int d, int k, const double *variance)
{
	double		rest = 0;
	double		log_det = 0;

	for (int i = 0; i < k; i++)
		log_det += log(variance[i]);
	for (int i = k; i < d; i++)
		rest += variance[i] / (d - k);
	return -(log_det + (k < d ? (d - k) * log(rest) : 0) + d * (log(2 * M_PI) + 1)) / 2;
}

DpemStatus
dpem_component_choose(DpemSizes *sizes, int d, const double *covariance, double sd, double rows, DpemWorkspace work)
{
	double	   *copy = dpem_workspace_take(&work, (size_t) d * d);
	double	   *value = dpem_workspace_take(&work, d);
	double	   *clean = dpem_workspace_take(&work, d);
	double		trace = 0;
	double		log_det = 0;
	double		least;

	memcpy(copy, covariance, (size_t) d * d * sizeof(double));
	if (dpem_linalg_eigenvalues(d, copy, value, work.next))
		return DPEM_LAPACK_FAILED;
	dpem_spectrum_clean(d, sd, value, clean);
	for (int i = 0; i < d; i++)
		trace += clean[i];
	least = fmax(dpem_spectrum_floor(d, sd, trace), LEAST_VARIANCE);
	for (int i = 0; i < d; i++)
	{
		clean[i] = fmax(clean[i], least);
		log_det += log(clean[i]);
	}
	rows = dpem_covariance_effective_rows(sd, exp(log_det / d), rows);
	for (int i = 0; i < sizes->n; i++)
		dpem_sizes_score(sizes, i, log_likelihood(d, sizes->k[i], clean), dpem_component_parameters(d, sizes->k[i]), rows);
	(void) dpem_sizes_choose(sizes);
	return DPEM_OK;
}

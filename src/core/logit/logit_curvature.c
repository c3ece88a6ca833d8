/*
 * logit_curvature.c - see logit_curvature.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/logit/logit_curvature.h"
#include "core/numeric/linalg.h"
#include "core/numeric/polya_gamma.h"

/* the trapezium rule on a standard normal: its error is far below the tails' that are left out */
#define LAST_NODE	8.0
#define NODE_STEP	0.125

#define LEAST_SPREAD	1e-12	/* of scores, in units of their largest second moment: below it is rounding */

/* E[omega] of a row whose score has that second moment */
static double
augmented_weight(double score, double extra)
{
	return dpem_polya_gamma_share(score * score + extra) / 4;
}

/* sigma(score) sigma(-score) */
double
dpem_logit_likelihood_weight(double score, double extra)
{
	double		odds = exp(-fabs(score));

	(void) extra;
	return odds / ((1 + odds) * (1 + odds));
}

void
dpem_logit_score_moments(double (*weight_of) (double, double), double middle, double deviation, double extra, double moment[3])
{
	double		weight = 0;

	memset(moment, 0, 3 * sizeof(double));
	for (double z = -LAST_NODE; z <= LAST_NODE; z += NODE_STEP)
	{
		double		off = deviation * z;
		double		density = exp(-z * z / 2);
		double		w = density * weight_of(middle + off, extra);

		moment[0] += w;
		moment[1] += w * off;
		moment[2] += w * off * off;
		weight += density;
	}
	for (int i = 0; i < 3; i++)
		moment[i] /= weight;
}

/*
 * Of the share of normal margins between 1 - h and 1 + h, and the same for all rows: margins of unlike
 * classes are in two heaps, where moments of a truncated normal law would be far off.
 */
static double
hinge_weight(const DpemMarginLoss *loss, double middle, double deviation)
{
	double		a = (1 - loss->smoothing - middle) / deviation;
	double		b = (1 + loss->smoothing - middle) / deviation;

	return dpem_logit_hinge_curvature(loss, (erfc(a / M_SQRT2) - erfc(b / M_SQRT2)) / 2);
}

/*
 * mu is the last column of sum x x' over what the constant has there, by the
 * square root: C = M - mu mu' is then a Schur complement, with no negative
 * eigenvalue.
 */
static void
mean_of_rows(const DpemLogitMoments *rows, double n, double *mu)
{
	size_t		d = (size_t) rows->d;
	double		last = rows->second[d * d - 1] / n;

	memset(mu, 0, d * sizeof(double));
	if (rows->mean != NULL)
		memcpy(mu, rows->mean, d * sizeof(double));
	if (rows->mean != NULL || !rows->constant || !(last > 0))
		return;
	for (size_t j = 0; j < d; j++)
		mu[j] = rows->second[j * d + d - 1] / n / sqrt(last);
}

/* the variance of scores along b = C mean, never so little that a division by it returns rounding errors enlarged */
static double
spread_of_scores(const DpemLogitMoments *rows, double n, const double *mean, const double *b)
{
	size_t		d = (size_t) rows->d;
	double		square = 0;
	double		trace = 0;
	double		length = 0;

	for (size_t j = 0; j < d; j++)
	{
		square += b[j] * mean[j];
		trace += rows->second[j * d + j] / n;
		length += mean[j] * mean[j];
	}
	return fmax(square, fmax(LEAST_SPREAD * trace * length, DBL_MIN));
}

double
dpem_logit_model_weight(const DpemMarginLoss *loss, double middle, double deviation)
{
	double		e[3];

	if (loss->kind == DPEM_LOSS_HINGE)
		return hinge_weight(loss, middle, deviation);
	dpem_logit_score_moments(dpem_logit_likelihood_weight, middle, deviation, 0, e);
	return e[0];
}

/* mean of the rows mu, that of their scores, b = C mean; returns the variance of scores */
double
dpem_logit_score_law(const DpemLogitMoments *rows, double n, const double *mean, double *mu, double *b, double *middle)
{
	size_t		d = (size_t) rows->d;

	mean_of_rows(rows, n, mu);
	dpem_linalg_product(rows->d, 1, rows->d, rows->second, mean, b);
	*middle = 0;
	for (size_t j = 0; j < d; j++)
		*middle += mu[j] * mean[j];
	for (size_t j = 0; j < d; j++)
		b[j] = b[j] / n - mu[j] * *middle;
	return spread_of_scores(rows, n, mean, b);
}

double
dpem_logit_tail_curvature(const DpemLogitMoments *rows, const double *mean, double *curvature, DpemWorkspace work)
{
	size_t		d = (size_t) rows->d;
	double		n = fmax(rows->rows, 1);
	double	   *mu = dpem_workspace_take(&work, d);
	double	   *b = dpem_workspace_take(&work, d);
	double		middle;
	double		square = dpem_logit_score_law(rows, n, mean, mu, b, &middle);
	double		e[3];

	dpem_logit_score_moments(dpem_logit_likelihood_weight, middle, sqrt(square), 0, e);
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			curvature[i * d + j] = e[0] * (rows->second[i * d + j] - n * mu[i] * mu[j]);
	return e[0];
}

void
dpem_logit_model_curvature(const DpemLogitMoments *rows, const double *mean, const double *covariance,
						   double *curvature, DpemWorkspace work)
{
	size_t		d = (size_t) rows->d;
	double		n = fmax(rows->rows, 1);
	double	   *mu = dpem_workspace_take(&work, d);
	double	   *b = dpem_workspace_take(&work, d);
	double		middle;
	double		square = dpem_logit_score_law(rows, n, mean, mu, b, &middle);
	double		extra = 0;
	double		e[3];

	for (size_t i = 0; i < d * d && covariance != NULL; i++)
		extra += rows->second[i] / n * covariance[i];
	if (rows->loss != NULL && rows->loss->kind == DPEM_LOSS_HINGE)
	{
		e[0] = hinge_weight(rows->loss, middle, sqrt(square));
		for (size_t i = 0; i < d * d; i++)
			curvature[i] = e[0] * rows->second[i];
		return;
	}
	dpem_logit_score_moments(covariance ? augmented_weight : dpem_logit_likelihood_weight, middle, sqrt(square), fmax(extra, 0), e);
	for (size_t j = 0; j < d; j++)
		b[j] /= square;
	/* C + mu mu' is the second moment */
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			curvature[i * d + j] = e[0] * rows->second[i * d + j] +
				n * (e[1] * (mu[i] * b[j] + b[i] * mu[j]) + (e[2] - e[0] * square) * b[i] * b[j]);
}

/* out = the power of a, its eigenvalues made `least` at least */
static DpemStatus
power_of(int d, const double *a, double least, double exponent, double *out, DpemWorkspace work)
{
	size_t		n = (size_t) d * d;
	double	   *vectors = dpem_workspace_take(&work, n);
	double	   *value = dpem_workspace_take(&work, d);

	memcpy(vectors, a, n * sizeof(double));
	if (dpem_linalg_eigen(d, vectors, value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		value[i] = pow(fmax(value[i], least), exponent);
	dpem_linalg_rebuild(d, vectors, value, out, work.next);
	return DPEM_OK;
}

/* of power_of: what follows the vectors serves the eigenvalues first and the rebuilding afterwards */
static size_t
power_work(int d)
{
	size_t		n = (size_t) d * d;
	size_t		eigen = dpem_linalg_eigen_work(d);

	return n + d + (eigen > n ? eigen : n);
}

size_t
dpem_logit_lever_work(int d)
{
	return 2 * (size_t) d * d + power_work(d);
}

DpemStatus
dpem_logit_lever(int d, const double *curvature, const double *model, double least, double *lever,
				 DpemWorkspace work)
{
	double	   *root = dpem_workspace_take(&work, (size_t) d * d);
	double	   *inverse = dpem_workspace_take(&work, (size_t) d * d);

	least = fmax(least, DBL_MIN);
	if (power_of(d, curvature, least, 0.5, root, work) != DPEM_OK ||
		power_of(d, model, least, -0.5, inverse, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linalg_multiply(d, root, inverse, lever);
	return DPEM_OK;
}

void
dpem_logit_apply_lever(int d, const double *lever, double *a, DpemWorkspace work)
{
	double	   *product = dpem_workspace_take(&work, (size_t) d * d);

	dpem_linalg_multiply(d, lever, a, product);
	dpem_linalg_multiply_nt(d, product, lever, a);
}

size_t
dpem_logit_clean_work(int d)
{
	return (size_t) d * d + power_work(d);
}

DpemStatus
dpem_logit_clean(int d, double *a, DpemWorkspace work)
{
	double	   *out = dpem_workspace_take(&work, (size_t) d * d);
	DpemStatus	status = power_of(d, a, 0, 1, out, work);

	if (status == DPEM_OK)
		memcpy(a, out, (size_t) d * d * sizeof(double));
	return status;
}

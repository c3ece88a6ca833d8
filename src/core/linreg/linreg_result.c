/*
 * linreg_result.c - from the axes back to coefficients, and to other units
 * (linreg_estimate.h).
 */
#include <math.h>
#include <string.h>

#include "core/linreg/linreg_axes.h"
#include "core/numeric/linalg.h"

#define WIDEST_REACH	2.0		/* deviations, beyond which quantiles grow as there: the expansion is about the middle */

static const double *
center_of(const DpemLinregMoments *m)
{
	return m->center ? m->center : m->mean;
}

/* noise of the target's mean less that of the predictors' centers times b */
static double
own_variance(const DpemLinregMoments *m, const double *b)
{
	double		sum = dpem_linreg_square(m->mean_sd);

	for (int j = 0; j < m->p; j++)
		sum += dpem_linreg_square(b[j] * (m->center ? m->center_sd[j] : m->mean_sd));
	return sum;
}

/* out (p + 1)^2: the n x n matrix m of the axes as a covariance of slopes, and of a = target - center(x)'b + own deviation */
static void
turn_matrix(const DpemLinregAxes *a, const double *center, const double *m, double own, double *out, double *scratch)
{
	size_t		p = (size_t) a->p;
	size_t		n = p + 1;
	double	   *back = scratch + p * p;
	double	   *turned = back + p * p;

	dpem_linalg_product(a->n, a->p, a->n, m, a->vectors, scratch);
	for (size_t i = 0; i < p; i++)
		for (int k = 0; k < a->n; k++)
			turned[i * a->n + k] = a->vectors[k * p + i];
	dpem_linalg_product(a->p, a->p, a->n, turned, scratch, back);
	out[n * n - 1] = own;
	for (size_t i = 0; i < p; i++)
	{
		double		product = 0;

		for (size_t j = 0; j < p; j++)
		{
			out[i * n + j] = back[i * p + j];
			product += back[i * p + j] * center[j];
		}
		out[i * n + p] = out[p * n + i] = -product;
		out[n * n - 1] += product * center[i];
	}
}

/* R squared and residual variance of the model, for slopes b in axes */
static void
rate(const DpemLinregMoments *m, const DpemLinregAxes *a, DpemLinreg *fit)
{
	double		explained = 0;
	double		length2 = 0;
	double		all = a->target_variance;

	for (int i = 0; i < a->n; i++)
	{
		explained += a->value[i] * dpem_linreg_square(a->slope[i]);
		length2 += dpem_linreg_square(a->slope[i]);
	}
	fit->residual_sd = m->second_sd * (1 + length2);
	fit->residual_variance = fmin(fmax(all - explained, fit->residual_sd), all);
	fit->r2 = all > 0 ? 1 - fit->residual_variance / all : 0;
	fit->r2_sd = all > 0 ? fmin(m->second_sd / all * sqrt(2 * length2 + dpem_linreg_square(length2) + dpem_linreg_square(fit->r2)), 1) : 0;
}

/* (p + 1)^2: residual variance / rows times the inverse moments of (x, 1) */
static void
find_sampling(const DpemLinregMoments *m, DpemLinregAxes *a, DpemLinreg *fit, double *scratch)
{
	size_t		p = (size_t) a->n;
	double		variance = fit->residual_variance / fmax(m->rows - a->n - 1, 1);

	memset(a->error, 0, p * p * sizeof(double));
	for (size_t i = 0; i < p; i++)
		a->error[i * p + i] = a->value[i] > 0 ? variance / a->value[i] : 0;
	turn_matrix(a, center_of(m), a->error, variance, fit->sampling, scratch);
}

/* coefficients of the axes' slopes */
static void
place(const DpemLinregMoments *m, const DpemLinregAxes *a, double *coefficient)
{
	int			p = a->p;

	dpem_linalg_product(1, p, a->n, a->slope, a->vectors, coefficient);
	coefficient[p] = m->mean[p];
	for (int j = 0; j < p; j++)
		coefficient[p] -= coefficient[j] * center_of(m)[j];
}

void
dpem_linreg_finish(const DpemLinregMoments *m, DpemLinregAxes *a, DpemLinreg *fit, double *scratch)
{
	double		unclipped = m->unclipped > 0 ? m->unclipped : 1;
	double		own;

	place(m, a, fit->coefficient);
	own = own_variance(m, fit->coefficient);
	turn_matrix(a, center_of(m), a->error, own, fit->error, scratch);
	turn_matrix(a, center_of(m), a->noise, own, fit->noise, scratch);
	rate(m, a, fit);
	find_sampling(m, a, fit, scratch);
	fit->residual_variance *= unclipped;
	fit->residual_sd *= unclipped;
}

/* without noise the error was used up, and is nothing */
void
dpem_linreg_finish_intervals(const DpemLinregMoments *m, DpemLinregAxes *a, DpemLinreg *fit, double *scratch)
{
	place(m, a, fit->middle);
	if (m->second_sd == 0)
		memset(a->error, 0, (size_t) a->n * a->n * sizeof(double));
	turn_matrix(a, center_of(m), a->error, own_variance(m, fit->coefficient), fit->spread, scratch);
}

double
dpem_linreg_unsure_reach(double quantile, double noise)
{
	double		square = fmin(quantile * quantile, WIDEST_REACH * WIDEST_REACH);

	return quantile * (1 + (square + 1) * noise * noise / 8);
}

size_t
dpem_linreg_transform_work(int p)
{
	return 2 * (size_t) (p + 1) * (p + 1);
}

/* the rows of a label's coefficients lose their mean, which the intercept's gains; first: its first predictor */
static void
share_out(const DpemLinreg *fit, const int *label, int first, double *turn)
{
	size_t		n = (size_t) fit->p + 1;
	int			end = first;

	while (end < fit->p && label[end] == label[first])
		end++;
	for (size_t k = 0; k < n; k++)
	{
		double		mean = 0;

		for (int j = first; j < end; j++)
			mean += turn[j * n + k] / (end - first);
		for (int j = first; j < end; j++)
			turn[j * n + k] -= mean;
		turn[fit->p * n + k] += mean;
	}
}

void
dpem_linreg_transform(const double *middle, const double *unit, const int *label, DpemLinreg *fit,
					  DpemWorkspace work)
{
	int			p = fit->p;
	size_t		n = (size_t) p + 1;
	double	   *turn = dpem_workspace_take(&work, n * n);
	double	   *product = dpem_workspace_take(&work, n * n);
	double	   *matrices[] = {fit->error, fit->noise, fit->sampling, fit->spread};
	double	   *vectors[] = {fit->coefficient, fit->middle};

	memset(turn, 0, n * n * sizeof(double));
	for (int j = 0; j < p; j++)
	{
		turn[j * n + j] = unit[p] / unit[j];
		turn[p * n + j] = -middle[j] * unit[p] / unit[j];
	}
	turn[n * n - 1] = unit[p];
	for (int j = 0; j < p; j++)
	{
		if (fit->shared[j] && (j == 0 || label[j - 1] != label[j]))
			share_out(fit, label, j, turn);
	}
	for (size_t i = 0; i < sizeof(matrices) / sizeof(matrices[0]); i++)
	{
		dpem_linalg_multiply((int) n, turn, matrices[i], product);
		dpem_linalg_multiply_nt((int) n, product, turn, matrices[i]);
	}
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
	{
		memcpy(product, vectors[i], n * sizeof(double));
		dpem_linalg_product((int) n, 1, (int) n, turn, product, vectors[i]);
		vectors[i][p] += middle[p];
	}
	fit->residual_variance *= dpem_linreg_square(unit[p]);
	fit->residual_sd *= dpem_linreg_square(unit[p]);
}

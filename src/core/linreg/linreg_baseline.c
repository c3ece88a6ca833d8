/*
 * linreg_baseline.c - see linreg_baseline.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/total_covariance.h"
#include "core/linreg/linreg_baseline.h"
#include "core/numeric/linalg.h"

#define FAILURE		0.05		/* rho of AdaSSP */
#define DEVIATIONS	4.0			/* of the functional mechanism's ridge */

typedef struct Gram
{
	int			n;				/* p + 1: predictors and the constant */
	double	   *g;				/* n x n; eigenvectors in rows after it is solved */
	double	   *value;			/* n */
	double	   *r;				/* n */
	double	   *turned;			/* n */
	double	   *inverse;		/* n x n */
	double	   *scratch;		/* n x n */
	double		square;			/* sum y^2 */
	double		total;			/* sum (y - mean)^2 */
} Gram;

static Gram
take_gram(int p, DpemWorkspace *work)
{
	size_t		n = (size_t) p + 1;

	return (Gram) {
		.n = p + 1,.g = dpem_workspace_take(work, n * n),.value = dpem_workspace_take(work, n),
			.r = dpem_workspace_take(work, n),.turned = dpem_workspace_take(work, n),
			.inverse = dpem_workspace_take(work, n * n),.scratch = dpem_workspace_take(work, n * n)
	};
}

/* product of coordinates i and j, j <= i, in a record */
static double
product_of(const DpemNoisyMoments *m, int i, int j)
{
	return m->value[1 + m->layout.d + (size_t) i * (i + 1) / 2 + j];
}

static void
fill_gram(const DpemNoisyMoments *m, double rows, Gram *a)
{
	size_t		n = (size_t) a->n;
	int			p = a->n - 1;

	for (int i = 0; i < p; i++)
	{
		for (int j = 0; j <= i; j++)
			a->g[i * n + j] = a->g[j * n + i] = product_of(m, i, j);
		a->g[i * n + p] = a->g[p * n + i] = m->value[1 + i];
		a->r[i] = product_of(m, p, i);
	}
	a->g[n * n - 1] = rows;
	a->r[p] = m->value[1 + p];
	a->square = product_of(m, p, p);
	a->total = fmax(a->square - a->r[p] * a->r[p] / rows, m->second_sd);
}

static double
ridge_of(DpemLinregBaseline method, const DpemNoisyMoments *m, const Gram *a)
{
	double		sd = m->second_sd / sqrt(2);

	if (method == DPEM_LINREG_FUNCTIONAL)
		return DEVIATIONS * sd;
	return fmax(sd * sqrt(a->n * log(2.0 * a->n * a->n / FAILURE)) - fmax(a->value[0], 0), 0);
}

/* g := its eigenvectors, inverse := (G + ridge)^-1 where that is positive */
static DpemStatus
invert(DpemLinregBaseline method, const DpemNoisyMoments *m, Gram *a, DpemWorkspace work)
{
	double		ridge;

	if (dpem_linalg_eigen(a->n, a->g, a->value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	ridge = ridge_of(method, m, a);
	for (int i = 0; i < a->n; i++)
	{
		double		value = a->value[i] + ridge;
		double		least = 1e-12 * fabs(a->value[a->n - 1]);

		a->turned[i] = value > least && (method == DPEM_LINREG_ADASSP || a->value[i] > 0) ? 1 / value : 0;
	}
	dpem_linalg_rebuild(a->n, a->g, a->turned, a->inverse, a->scratch);
	return DPEM_OK;
}

/* sum (y - b'x)^2 by the released numbers, with eigenvectors and values of G */
static double
rest_of(Gram *a, const double *b)
{
	double		rest = a->square;

	dpem_linalg_product(a->n, 1, a->n, a->g, b, a->turned);
	for (int i = 0; i < a->n; i++)
		rest += a->value[i] * a->turned[i] * a->turned[i] - 2 * b[i] * a->r[i];
	return rest;
}

static void
rate(const DpemNoisyMoments *m, double rows, Gram *a, DpemLinreg *fit)
{
	double		length2 = 0;
	double		rest = rest_of(a, fit->coefficient);

	for (int i = 0; i < fit->p; i++)
		length2 += fit->coefficient[i] * fit->coefficient[i];
	fit->residual_sd = m->second_sd / rows * (1 + length2);
	fit->residual_variance = fmin(fmax(rest, 0), a->total) / rows;
	fit->r2 = a->total > 0 ? 1 - fit->residual_variance * rows / a->total : 0;
	fit->r2_sd = a->total > 0 ? fmin(m->second_sd / a->total * sqrt(2 * length2 + length2 * length2 + fit->r2 * fit->r2), 1) : 0;
}

/* noise of r - G b is nearly independent: s^2 (1 + |b|^2) for each entry */
static void
find_noise(const DpemNoisyMoments *m, Gram *a, double rows, DpemLinreg *fit)
{
	size_t		size = (size_t) a->n * a->n;
	double		variance = m->second_sd * m->second_sd / 2;
	double		length2 = 0;

	for (int i = 0; i < a->n; i++)
		length2 += fit->coefficient[i] * fit->coefficient[i];
	dpem_linalg_multiply(a->n, a->inverse, a->inverse, a->scratch);
	for (size_t i = 0; i < size; i++)
	{
		fit->noise[i] = fit->error[i] = variance * (1 + length2) * a->scratch[i];
		fit->sampling[i] = fit->residual_variance * rows / fmax(rows - a->n, 1) * a->inverse[i];
	}
}

size_t
dpem_linreg_baseline_work(int p)
{
	DpemWorkspace dry = {NULL, NULL};

	take_gram(p, &dry);
	return dpem_workspace_taken(&dry) + dpem_linalg_eigen_work(p + 1);
}

DpemStatus
dpem_linreg_baseline(DpemLinregBaseline method, const DpemNoisyMoments *released, double public_rows, DpemLinreg *fit,
					 DpemWorkspace work)
{
	Gram		a = take_gram(fit->p, &work);
	double		rows = dpem_total_rows(released, public_rows);

	fill_gram(released, rows, &a);
	if (invert(method, released, &a, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	memset(fit->shared, 0, fit->p * sizeof(bool));
	dpem_linalg_product(a.n, 1, a.n, a.inverse, a.r, fit->coefficient);
	rate(released, rows, &a, fit);
	find_noise(released, &a, rows, fit);
	memcpy(fit->middle, fit->coefficient, (fit->p + 1) * sizeof(double));
	memcpy(fit->spread, fit->error, (size_t) a.n * a.n * sizeof(double));
	return DPEM_OK;
}

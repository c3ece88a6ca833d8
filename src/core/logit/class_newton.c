/*
 * class_newton.c - a linear classifier without noise (class_estimate.h).
 *
 * The Huberised hinge has a gradient that is piecewise linear, so that Newton's method
 * ends after finitely many steps (Mangasarian 2002, Optimization Methods and
 * Software 17); halving makes it end from anywhere.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_estimate.h"
#include "core/numeric/linalg.h"

#define LEAST_PART	0x1p-40
#define CONVERGED	1e-13		/* of the coefficients' norm */

static double
norm2(int d, const double *x)
{
	double		sum = 0;

	for (int j = 0; j < d; j++)
		sum += x[j] * x[j];
	return sum;
}

static void
try_part(int d, DpemClassNewton *newton)
{
	for (int j = 0; j < d; j++)
		newton->at[j] = newton->best[j] + newton->part * newton->step[j];
}

bool
dpem_class_newton_gradient(int d, const double *gradient, DpemClassNewton *newton, double *rest)
{
	for (int j = 0; j < d; j++)
		rest[j] = gradient[j] - newton->precision * newton->at[j];
	if (norm2(d, rest) < newton->square)
	{
		newton->square = norm2(d, rest);
		memcpy(newton->best, newton->at, d * sizeof(double));
		return true;
	}
	newton->part /= 2;
	newton->found = newton->part < LEAST_PART ||
		newton->part * newton->part * norm2(d, newton->step) <= CONVERGED * CONVERGED * norm2(d, newton->best);
	if (newton->found)
		memcpy(newton->at, newton->best, d * sizeof(double));
	else
		try_part(d, newton);
	return false;
}

/* precision from the posterior's size where it is learnt (dpem_logit_estimate); the gradient's norm is then another one */
static void
learn_precision(int d, const double *inverse, DpemClassNewton *newton)
{
	double		total = norm2(d, newton->best);

	for (int j = 0; j < d; j++)
		total += inverse[(size_t) j * d + j];
	newton->precision = (1 + d / 2.0) / (1 + total / 2);
}

DpemStatus
dpem_class_newton_curvature(int d, double *curvature, const double *rest, double prior_variance,
							DpemClassNewton *newton, DpemWorkspace work)
{
	double	   *left = dpem_workspace_take(&work, d);
	double		before = newton->precision;
	double		ignored;

	for (int j = 0; j < d; j++)
		curvature[(size_t) j * d + j] += before;
	if (dpem_linalg_inverse(d, curvature, &ignored) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	if (!(prior_variance > 0))
		learn_precision(d, curvature, newton);
	for (int j = 0; j < d; j++)
		left[j] = rest[j] + (before - newton->precision) * newton->best[j];
	dpem_linalg_product(d, 1, d, curvature, left, newton->step);
	newton->square = norm2(d, left);
	newton->part = 1;
	newton->found = norm2(d, newton->step) <= CONVERGED * CONVERGED * norm2(d, newton->best) || newton->square == 0;
	if (!newton->found)
		try_part(d, newton);
	return DPEM_OK;
}

/*
 * quasi_newton.c - see quasi_newton.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/quasi_newton.h"
#include "core/numeric/linalg.h"

#define PAIRS		DPEM_QUASI_NEWTON_PAIRS
#define FLAT		0.5			/* of the slope that a direction begins with, at which a point on it is accepted */
#define FARTHER		4.0			/* at most so many times as far at a try */
#define MOST_TRIES	40
#define CONVERGED	1e-12		/* of the point's norm, a step that is as nothing */

size_t
dpem_quasi_newton_work(int n)
{
	return (size_t) n * (4 + 2 * PAIRS);
}

void
dpem_quasi_newton_begin(DpemQuasiNewton *search, int n, const double *diagonal, const double *at, DpemWorkspace *work)
{
	*search = (DpemQuasiNewton) {
		.n = n,.diagonal = diagonal,.at = dpem_workspace_take(work, n),.best = dpem_workspace_take(work, n),
			.gradient = dpem_workspace_take(work, n),.direction = dpem_workspace_take(work, n),
			.step = dpem_workspace_take(work, (size_t) PAIRS * n),.bend = dpem_workspace_take(work, (size_t) PAIRS * n)
	};
	memcpy(search->at, at, n * sizeof(double));
}

/* ---- directions ------------------------------------------------------------------ */

static void
keep_pair(DpemQuasiNewton *q, const double *gradient)
{
	int			place = (int) (q->pairs % PAIRS);
	double	   *step = q->step + (size_t) place * q->n;
	double	   *bend = q->bend + (size_t) place * q->n;

	for (int i = 0; i < q->n; i++)
	{
		step[i] = q->at[i] - q->best[i];
		bend[i] = gradient[i] - q->gradient[i];
	}
	q->product[place] = dpem_linalg_dot(q->n, step, bend);
	if (q->product[place] > 0)
		q->pairs++;
}

/* how many times smaller than the diagonal the curvature is along the last step */
static double
scale_of(const DpemQuasiNewton *q)
{
	int			place = (int) ((q->pairs - 1) % PAIRS);
	const double *bend = q->bend + (size_t) place * q->n;
	double		square = 0;

	if (q->pairs == 0)
		return 1;
	for (int i = 0; i < q->n; i++)
		square += bend[i] * bend[i] / q->diagonal[i];
	return square > 0 ? q->product[place] / square : 1;
}

/* the two loops */
static void
find_direction(DpemQuasiNewton *q)
{
	long		first = q->pairs > PAIRS ? q->pairs - PAIRS : 0;
	double		factor[PAIRS];
	double		scale = scale_of(q);
	double	   *r = q->direction;

	for (int i = 0; i < q->n; i++)
		r[i] = -q->gradient[i];
	for (long p = q->pairs - 1; p >= first; p--)
	{
		const double *bend = q->bend + (size_t) (p % PAIRS) * q->n;
		double		along = dpem_linalg_dot(q->n, q->step + (size_t) (p % PAIRS) * q->n, r) / q->product[p % PAIRS];

		factor[p % PAIRS] = along;
		for (int i = 0; i < q->n; i++)
			r[i] -= along * bend[i];
	}
	for (int i = 0; i < q->n; i++)
		r[i] *= scale / q->diagonal[i];
	for (long p = first; p < q->pairs; p++)
	{
		const double *step = q->step + (size_t) (p % PAIRS) * q->n;
		double		along = factor[p % PAIRS] - dpem_linalg_dot(q->n, q->bend + (size_t) (p % PAIRS) * q->n, r) / q->product[p % PAIRS];

		for (int i = 0; i < q->n; i++)
			r[i] += along * step[i];
	}
}

/* ---- along a direction ----------------------------------------------------------- */

static void
try_length(DpemQuasiNewton *q, double length)
{
	q->length = length;
	for (int i = 0; i < q->n; i++)
		q->at[i] = q->best[i] + length * q->direction[i];
}

static void
accept(DpemQuasiNewton *q, const double *gradient)
{
	if (q->begun)
		keep_pair(q, gradient);
	q->begun = true;
	memcpy(q->best, q->at, q->n * sizeof(double));
	memcpy(q->gradient, gradient, q->n * sizeof(double));
	find_direction(q);
	q->slope = dpem_linalg_dot(q->n, q->direction, q->gradient);
	q->short_length = 0;
	q->short_slope = q->slope;
	q->long_length = INFINITY;
	q->tries = 0;
	q->found = !(q->slope < 0) || dpem_linalg_dot(q->n, q->direction, q->direction) <= CONVERGED * CONVERGED * dpem_linalg_dot(q->n, q->best, q->best);
	if (!q->found)
		try_length(q, 1);
}

/* where the slope would be 0 if it were on a line, not too near to what was tried */
static double
next_length(const DpemQuasiNewton *q)
{
	double		width = q->long_length - q->short_length;
	double		part;

	if (isinf(q->long_length))
	{
		part = q->slope / (q->slope - q->short_slope);
		return q->length * (part > 1 && part < FARTHER ? part : FARTHER);
	}
	part = q->short_slope / (q->short_slope - q->long_slope);
	return q->short_length + width * fmin(fmax(part, 0.1), 0.9);
}

void
dpem_quasi_newton_take(DpemQuasiNewton *q, const double *gradient)
{
	double		slope = q->begun ? dpem_linalg_dot(q->n, q->direction, gradient) : 0;

	if (!q->begun || fabs(slope) <= FLAT * fabs(q->slope))
	{
		accept(q, gradient);
		return;
	}
	if (slope < 0)
	{
		q->short_length = q->length;
		q->short_slope = slope;
	}
	else
	{
		q->long_length = q->length;
		q->long_slope = slope;
	}
	q->found = ++q->tries > MOST_TRIES;
	if (q->found)
		memcpy(q->at, q->best, q->n * sizeof(double));
	else
		try_length(q, next_length(q));
}

/*
 * logit_along.c - see logit_along.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/replay/logit_along.h"
#include "core/numeric/linalg.h"

#define STEPS		400
#define TOLERANCE	1e-9
#define LEAST_KEPT	1e-12		/* of what an axis tells, divided by */

/* in the eigenvectors of the curvature */
typedef struct Along
{
	int			d;
	double	   *vectors;		/* d x d: a row each */
	double	   *value;
	double	   *linear;			/* t from the origin, times kept */
	double	   *kept;			/* what noise leaves */
	double	   *direction;
	double	   *mean;			/* from the origin */
	double	   *inverse;		/* of kept times value, and the precision across */
	double	   *turned;			/* that times the direction */
	double		across;			/* precisions of the prior */
	double		along;
	double		more;			/* covariance: inverse + more turned turned' */
} Along;

static Along
take(int d, DpemWorkspace *work)
{
	Along		a = {.d = d,.vectors = dpem_workspace_take(work, (size_t) d * d)};
	double	  **vector[] = {&a.value, &a.linear, &a.kept, &a.direction, &a.mean, &a.inverse, &a.turned};

	for (size_t i = 0; i < sizeof(vector) / sizeof(vector[0]); i++)
		*vector[i] = dpem_workspace_take(work, d);
	return a;
}

static size_t
rest_work(int d)
{
	size_t		eigen = dpem_linalg_eigen_work(d);
	size_t		square = 3 * (size_t) d * d;

	return eigen > square ? eigen : square;
}

size_t
dpem_logit_along_work(int d)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) take(d, &dry);
	return dpem_workspace_taken(&dry) + rest_work(d);
}

static DpemStatus
find_axes(const DpemLogitStatistics *s, const double *direction, Along *a, DpemWorkspace work)
{
	int			d = a->d;

	memcpy(a->vectors, s->curvature, (size_t) d * d * sizeof(double));
	if (dpem_linalg_eigen(d, a->vectors, a->value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linalg_product(d, 1, d, a->vectors, s->linear, a->linear);
	dpem_linalg_product(d, 1, d, a->vectors, s->origin, a->mean);
	dpem_linalg_product(d, 1, d, a->vectors, direction, a->direction);
	for (int i = 0; i < d; i++)
	{
		a->value[i] = fmax(a->value[i], 0);
		a->kept[i] = a->value[i] > 0 ? a->value[i] / (a->value[i] + s->linear_sd * s->linear_sd) : 0;
		a->linear[i] = a->kept[i] * (a->linear[i] - a->value[i] * a->mean[i]);
	}
	memset(a->mean, 0, d * sizeof(double));
	return DPEM_OK;
}

/* the covariance: of a matrix that is diagonal but for the direction (Sherman, Morrison 1950) */
static void
invert(Along *a)
{
	double		less = a->across - a->along;

	for (int i = 0; i < a->d; i++)
	{
		a->inverse[i] = 1 / (a->kept[i] * a->value[i] + a->across);
		a->turned[i] = a->inverse[i] * a->direction[i];
	}
	a->more = less / fmax(1 - less * dpem_linalg_dot(a->d, a->direction, a->turned), DBL_EPSILON);
}

/* half-way to the mean that these precisions make; a first step is made whole */
static void
move_mean(Along *a, double part)
{
	double		along = a->more * dpem_linalg_dot(a->d, a->turned, a->linear);

	for (int i = 0; i < a->d; i++)
		a->mean[i] += part * (a->inverse[i] * a->linear[i] + along * a->turned[i] - a->mean[i]);
}

/* one step of coordinate ascent; returns how much precisions and the mean change, relative */
static double
step(const DpemLogitStatistics *s, double part, Along *a)
{
	double		square = dpem_linalg_dot(a->d, a->mean, a->mean);
	double		across = a->across;
	double		along = a->along;
	double		straight;
	double		variance;
	double		length;
	double		total = 0;

	invert(a);
	move_mean(a, part);
	straight = dpem_linalg_dot(a->d, a->direction, a->turned);
	variance = straight + a->more * straight * straight;
	length = dpem_linalg_dot(a->d, a->direction, a->mean);
	for (int i = 0; i < a->d; i++)
		total += a->inverse[i] + a->more * a->turned[i] * a->turned[i];
	total = fmax(dpem_linalg_dot(a->d, a->mean, a->mean) - length * length, 0) + fmax(total - variance, 0);
	a->across = (1 + (a->d - 1) / 2.0) / (s->slope + total / 2);
	a->along = fmin(1 / (s->slope + length * length + variance), a->across);
	return fabs(a->across - across) / across + fabs(a->along - along) / along +
		fabs(dpem_linalg_dot(a->d, a->mean, a->mean) - square) / (square + DBL_MIN);
}

/* out := R' in R, R the vectors */
static void
turn_back(const Along *a, const double *in, double *out, double *scratch)
{
	dpem_linalg_multiply_tn(a->d, a->vectors, in, scratch);
	dpem_linalg_multiply(a->d, scratch, a->vectors, out);
}

static void
put_mean(const DpemLogitStatistics *s, const Along *a, DpemLogit *fit)
{
	for (int j = 0; j < a->d; j++)
	{
		fit->mean[j] = s->origin[j];
		for (int i = 0; i < a->d; i++)
			fit->mean[j] += a->mean[i] * a->vectors[(size_t) i * a->d + j];
	}
	fit->precision = a->across;
}

/* noise of an axis is that part of it in the mean which is kept, along all axes that the direction ties it to */
static void
put_covariance(const DpemLogitStatistics *s, const Along *a, DpemLogit *fit, DpemWorkspace work)
{
	size_t		d = (size_t) a->d;
	double	   *matrix = dpem_workspace_take(&work, d * d);
	double	   *scratch = dpem_workspace_take(&work, d * d);

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			matrix[i * d + j] = (i == j ? a->inverse[i] : 0) + a->more * a->turned[i] * a->turned[j];
	turn_back(a, matrix, fit->covariance, scratch);
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			matrix[i * d + j] *= a->kept[j] * s->linear_sd;
	dpem_linalg_multiply_tn(a->d, a->vectors, matrix, fit->turn);
}

static void
put_prior(const Along *a, double *prior, DpemWorkspace work)
{
	size_t		d = (size_t) a->d;
	double	   *matrix = dpem_workspace_take(&work, d * d);
	double	   *scratch = dpem_workspace_take(&work, d * d);

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			matrix[i * d + j] = ((i == j ? a->across : 0) - (a->across - a->along) * a->direction[i] * a->direction[j]) / fmax(a->kept[i], LEAST_KEPT);
	turn_back(a, matrix, prior, scratch);
}

DpemStatus
dpem_logit_solve_along(const DpemLogitStatistics *s, const double *direction, DpemLogit *fit, double *prior, DpemWorkspace work)
{
	Along		a = take(s->d, &work);
	double		change = 1;

	if (find_axes(s, direction, &a, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	a.across = a.along = 1;
	for (int i = 0; i < STEPS && change > TOLERANCE; i++)
		change = step(s, i > 0 ? 0.5 : 1, &a);
	invert(&a);
	put_mean(s, &a, fit);
	put_covariance(s, &a, fit, work);
	put_prior(&a, prior, work);
	return DPEM_OK;
}

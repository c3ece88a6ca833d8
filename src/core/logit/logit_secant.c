/*
 * logit_secant.c - see logit_secant.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/logit/logit_secant.h"
#include "core/numeric/linalg.h"

/*
 * A step that is half again as long as it should be still ends nearer to the minimum, and one that is too short
 * costs passes, of which there are few: a9a at epsilon 0.1 loses 0.001 without this.
 */
#define ALLOWED	1.5				/* times the model's curvature */
#define SURE	2.0				/* deviations of noise */
#define LEAST	1e-6			/* of the model's curvature: a step of the constant alone says nothing of tails */

size_t
dpem_logit_secant_length(int d)
{
	return 3 * (size_t) d + (size_t) d * d;
}

void
dpem_logit_secant_begin(int d, double *numbers, DpemLogitSecant *secant)
{
	*secant = (DpemLogitSecant) {
		.mean = numbers,.gradient = numbers + d,.linear = numbers + 2 * (size_t) d,.curvature = numbers + 3 * (size_t) d
	};
}

DpemLogitSecant *
dpem_logit_secant_create(int d, DpemWorkspace *work)
{
	size_t		length = dpem_logit_secant_length(d);
	DpemLogitSecant *secant = dpem_workspace_take_bytes(work, sizeof(DpemLogitSecant));
	double	   *numbers = dpem_workspace_take(work, length);

	if (secant == NULL)
		return NULL;
	memset(numbers, 0, length * sizeof(double));
	dpem_logit_secant_begin(d, numbers, secant);
	return secant;
}

static void
add_tail(double factor, DpemLogitStatistics *s)
{
	size_t		d = (size_t) s->d;

	for (size_t i = 0; i < d; i++)
		s->linear[i] += factor * s->secant->linear[i];
	for (size_t i = 0; i < d * d; i++)
		s->curvature[i] += factor * s->secant->curvature[i];
}

void
dpem_logit_secant_leave(DpemLogitStatistics *s)
{
	add_tail(-s->secant->tail, s);
}

/* along a step from one end, of the model and of what a tail of 1 adds to it; returns E[w] there */
static double
add_along(const DpemLogitMoments *rows, const double *end, const double *step, double *model, double *tail,
		  DpemWorkspace work)
{
	double	   *product = dpem_workspace_take(&work, rows->d);
	double	   *curvature = dpem_workspace_take(&work, (size_t) rows->d * rows->d);
	double		weight;

	dpem_logit_model_curvature(rows, end, NULL, curvature, work);
	*model += dpem_linalg_form(rows->d, curvature, step, product) / 2;
	weight = dpem_logit_tail_curvature(rows, end, curvature, work);
	*tail += dpem_linalg_form(rows->d, curvature, step, product) / 2;
	return weight;
}

/*
 * The last gradient's noise is in the step that was made of it: of s'g, what that makes on average, and the variance of it.
 * An axis' noise in the mean is a column of `turn`, whose length is linear_sd times what the mean moves by with t.
 */
static double
own_noise(const DpemLogitSecant *secant, const DpemLogit *at, double linear_sd, double *variance)
{
	double		sum = 0;

	for (int i = 0; i < at->d; i++)
	{
		double		square = 0;
		double		own;

		for (int j = 0; j < at->d; j++)
			square += at->turn[(size_t) j * at->d + i] * at->turn[(size_t) j * at->d + i];
		own = secant->share * secant->sd * secant->sd * sqrt(square) / fmax(linear_sd, DBL_MIN);
		sum += own;
		*variance += 2 * own * own;
	}
	return sum;
}

/* stays as it is where noise may have made the difference; no row curves more than at a score of 0, by 1/4 */
static void
find_tail(const double *gradient, double sd, const DpemLogit *at, double linear_sd, const DpemLogitMoments *rows,
		  DpemLogitSecant *secant, DpemWorkspace work)
{
	double	   *step = dpem_workspace_take(&work, rows->d);
	double		variance = 0;
	double		seen = -own_noise(secant, at, linear_sd, &variance);
	double		square = 0;
	double		model = 0;
	double		tail = 0;
	double		noise;
	double		weight;

	for (int j = 0; j < rows->d; j++)
	{
		step[j] = at->mean[j] - secant->mean[j];
		seen += step[j] * (secant->gradient[j] - gradient[j]);
		square += step[j] * step[j];
	}
	weight = add_along(rows, secant->mean, step, &model, &tail, work);
	weight = (weight + add_along(rows, at->mean, step, &model, &tail, work)) / 2;
	if (!(tail > LEAST * model))
		return;
	seen -= ALLOWED * model;
	noise = sqrt(square * (sd * sd + secant->sd * secant->sd) + variance);
	if (seen - SURE * noise > secant->tail * tail)
		secant->tail = fmax(seen - noise, 0) / tail;
	else if (seen + SURE * noise < secant->tail * tail)
		secant->tail = fmax(seen + noise, 0) / tail;
	secant->tail = fmin(secant->tail, fmax(0.25 / fmax(weight, DBL_MIN) - 1, 0));
}

size_t
dpem_logit_secant_work(int d)
{
	return 2 * (size_t) d * d + 6 * (size_t) d;
}

static void
move_towards(size_t n, const double *to, double share, double *number)
{
	for (size_t i = 0; i < n; i++)
		number[i] = share < 1 ? number[i] + share * (to[i] - number[i]) : to[i];
}

void
dpem_logit_secant_take(const double *gradient, double sd, const DpemLogit *at, double share, const DpemLogitMoments *rows,
					   DpemLogitStatistics *s, DpemWorkspace work)
{
	DpemLogitSecant *secant = s->secant;
	size_t		d = (size_t) s->d;
	double	   *tail = dpem_workspace_take(&work, d * d);
	double	   *product = dpem_workspace_take(&work, d);

	if (share < 1)
		find_tail(gradient, sd, at, s->linear_sd, rows, secant, work);
	else
		secant->tail = 0;
	memcpy(secant->mean, at->mean, d * sizeof(double));
	memcpy(secant->gradient, gradient, d * sizeof(double));
	secant->sd = sd;
	secant->share = share;
	dpem_logit_tail_curvature(rows, at->mean, tail, work);
	dpem_linalg_product(s->d, 1, s->d, tail, at->mean, product);
	move_towards(d * d, tail, share, secant->curvature);
	move_towards(d, product, share, secant->linear);
	add_tail(secant->tail, s);
}

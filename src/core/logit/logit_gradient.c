/*
 * logit_gradient.c - coefficients from released gradients (logit_estimate.h).
 */
#include <math.h>
#include <string.h>

#include "core/logit/logit_curvature.h"
#include "core/logit/logit_estimate.h"
#include "core/logit/logit_secant.h"
#include "core/logit/logit_solve.h"
#include "core/numeric/linalg.h"

#define NODES	1000			/* of an integral over shares */
#define LONGEST_STEP	3.0		/* of scores, root mean square */

/* t and G move by that share towards those of a gradient released at the mean */
static void
mix_gradient(const double *gradient, const double *curvature, const double *mean, double share,
			 DpemLogitStatistics *s)
{
	int			d = s->d;

	for (int i = 0; i < d; i++)
	{
		double		t = gradient[i];

		for (int j = 0; j < d; j++)
		{
			double	   *g = &s->curvature[(size_t) i * d + j];

			t += curvature[(size_t) i * d + j] * mean[j];
			*g = share < 1 ? *g + share * (curvature[(size_t) i * d + j] - *g) : curvature[(size_t) i * d + j];
		}
		s->linear[i] = share < 1 ? s->linear[i] + share * (t - s->linear[i]) : t;
	}
}

/* ---- the middle of the prior ---- */

/* -2 log density of the noise that x has then, but for a constant */
static double
square_within(double middle, double sd, double part, double x)
{
	double		variance = sd * sd + part * part * x * x;

	return pow(x - middle, 2) / variance + log(variance);
}

double
dpem_logit_mean_within(double middle, double sd, double part)
{
	double		sum = 0;
	double		weight = 0;
	double		nearest = fmin(fmax(middle, -0.5), 0.5);
	double		least = square_within(middle, sd, part, nearest);

	for (int i = 0; i < NODES; i++)
	{
		double		x = -0.5 + (i + 0.5) / NODES;
		double		w = exp((least - square_within(middle, sd, part, x)) / 2);

		sum += w * x;
		weight += w;
	}
	return weight > 0 ? sum / weight : nearest * (1 - 1.0 / NODES);
}

/* of the constant in all rows: less than in whole ones, where a caller's clip norm cuts it */
static double
constant_of_rows(const DpemLogitStatistics *s)
{
	double		square = s->second[(size_t) s->d * s->d - 1];

	return fmin(s->value, sqrt((fmax(square, 0) + 2 * s->second_sd) / fmax(s->rows, 1)));
}

/* how far the second class's share is from 1/2, where t is `times` sum (y - 1/2) x; *sd: of the noise in it */
static double
share_off(const DpemLogitStatistics *s, double times, double value, double *sd)
{
	double		unit = times * fmax(s->rows, 1) * value;

	*sd = s->linear_sd / unit;
	return dpem_logit_mean_within(s->linear[s->d - 1] / unit, *sd, 0);
}

void
dpem_logit_find_origin(DpemLogitStatistics *s)
{
	double		value = constant_of_rows(s);
	double		sd;
	double		off = share_off(s, 1, value, &sd);

	memset(s->origin, 0, s->d * sizeof(double));
	s->origin[s->d - 1] = log((0.5 + off) / (0.5 - off)) / value;
	s->slope = dpem_logit_slope(s->d, s->value);
	s->origin_sd = sd / (0.25 - off * off) / value;
}

void
dpem_logit_find_middle(DpemLogitStatistics *s)
{
	double		value = constant_of_rows(s);
	double		sd;

	memset(s->origin, 0, s->d * sizeof(double));
	s->origin[s->d - 1] = 2 * share_off(s, 2, value, &sd) / value;
	s->origin_sd = 2 * sd / value;
}

/* ---- gradients ---- */

void
dpem_logit_take_gradient(const DpemNoisyMoments *m, double scale, const DpemLogit *at, int before,
						 DpemLogitStatistics *s, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *curvature = dpem_workspace_take(&work, d * d);
	double	   *gradient = dpem_workspace_take(&work, d);
	double		edge = s->second_sd / 4 * sqrt(2.0 * s->d);
	double		n = before + 1;
	double		share = n * n / (n * (n + 1) * (2 * n + 1) / 6);
	DpemLogitMoments rows = {s->d, s->rows, s->second, s->constant, s->mean, s->loss};

	dpem_logit_model_curvature(&rows, at->mean, NULL, curvature, work);
	for (size_t j = 0; j < d; j++)
		curvature[j * d + j] += edge / 2;
	for (size_t j = 0; j < d; j++)
		gradient[j] = scale * m->value[1 + j];
	if (s->secant)
		dpem_logit_secant_leave(s);
	mix_gradient(gradient, curvature, at->mean, share, s);
	if (s->secant)
		dpem_logit_secant_take(gradient, scale * m->sum_sd, at, share, &rows, s, work);
	s->linear_sd = hypot(before > 0 ? (1 - share) * s->linear_sd : 0, share * scale * m->sum_sd);
	s->curvature_sd = 0;
}

static void
shorten_step(const DpemLogitStatistics *s, const double *before, double *mean, double *product)
{
	double		part;

	for (int j = 0; j < s->d; j++)
		mean[j] -= before[j];
	part = fmin(1, LONGEST_STEP / sqrt(fmax(dpem_linalg_form(s->d, s->second, mean, product) / fmax(s->rows, 1), 1e-300)));
	for (int j = 0; j < s->d; j++)
		mean[j] = before[j] + part * mean[j];
}

DpemStatus
dpem_logit_estimate_step(const DpemLogitStatistics *s, double prior_variance, DpemLogit *fit, DpemWorkspace work)
{
	double	   *before = dpem_workspace_take(&work, s->d);
	double	   *product = dpem_workspace_take(&work, s->d);
	DpemStatus	status;

	memcpy(before, fit->mean, s->d * sizeof(double));
	status = dpem_logit_solve(s, s->curvature, s->curvature_sd, false, prior_variance, fit, work);
	if (status == DPEM_OK)
		shorten_step(s, before, fit->mean, product);
	return status;
}

/*
 * class_estimate.c - see class_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_whiten.h"
#include "core/logit/class_axes.h"
#include "core/logit/class_softmax.h"
#include "core/logit/logit_curvature.h"
#include "core/logit/logit_response.h"
#include "core/logit/logit_solve.h"
#include "core/numeric/linalg.h"

#define MOST_DENSE	5e8			/* problems times d^3: operations of an eigenvalue problem each, over a small constant */
#define MOST_LENGTH	4.0			/* times that of least squares */

bool
dpem_class_shares_axes(bool together, int problems, int d)
{
	return together || (problems > 1 && (double) problems * d * d * d > MOST_DENSE);
}

size_t
dpem_class_work(int d)
{
	size_t		estimate = dpem_logit_estimate_work(d);
	size_t		clean = dpem_logit_take_work(d);
	size_t		eigen = dpem_linalg_eigen_work(d);
	size_t		margins = 2 * (size_t) d * d + 4 * (size_t) d + (estimate > clean ? estimate : clean) + eigen;
	size_t		together = dpem_softmax_work(d);

	return margins > together ? margins : together;
}

/* the noise of a sum of squares in one direction of the spectrum's edge is its deviation times sqrt(2 d) */
double
dpem_class_spectrum_edge(const DpemClassFit *fit)
{
	return fit->second_sd * sqrt(2.0 * fit->d);
}

/* about the mean of the rows columns have nothing in common with the constant */
static DpemStatus
denoise_centered(DpemClassFit *fit, DpemWorkspace work)
{
	int			d = fit->d;

	for (int j = 0; j < d - 1; j++)
		fit->second[(size_t) j * d + d - 1] = fit->second[(size_t) (d - 1) * d + j] = 0;
	return dpem_logit_denoise(d, fmax(fit->rows, 1), fit->constant, fit->second_sd, fit->second, NULL, work);
}

DpemStatus
dpem_class_take_second(const DpemNoisyMoments *m, double public_rows, DpemClassFit *fit, DpemWorkspace work)
{
	DpemStatus	status;

	fit->rows = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	memcpy(fit->sum, m->value + 1, fit->d * sizeof(double));
	fit->sum_sd = m->sum_sd;
	fit->second_sd = m->second_sd;
	dpem_linalg_unpack(fit->d, m->value + 1 + fit->d, fit->second);
	status = fit->hidden ? denoise_centered(fit, work) : dpem_logit_clean(fit->d, fit->second, work);
	if (status == DPEM_OK && fit->shared)
		status = dpem_axes_find(fit->d, fit->second, dpem_class_spectrum_edge(fit) / 2, &fit->axes, work);
	for (int k = 0; k < fit->problems; k++)
	{
		fit->problem[k].s.rows = fit->rows;
		fit->problem[k].s.second_sd = fit->second_sd;
	}
	return status;
}

/* ---- shared axes ------------------------------------------------------------- */

static void
scale_problem(const DpemClassFit *fit, double factor, DpemClassProblem *p)
{
	size_t		d = (size_t) fit->d;

	for (size_t j = 0; j < d; j++)
		p->fit.mean[j] *= factor;
	for (size_t j = 0; j < d && fit->shared; j++)
	{
		p->axis[j] *= factor;
		p->gain[j] *= factor;
	}
	for (size_t i = 0; i < d * d && !fit->shared; i++)
		p->fit.turn[i] *= factor;
	p->s.origin_sd *= factor;
	if (p->s.origin)
		p->s.origin[d - 1] *= factor;
}

/* E[w] at the coefficients, times S along the axes */
static double
weight_at(const DpemClassFit *fit, const DpemClassProblem *p)
{
	double		rows = fmax(fit->rows, 1);
	double		middle = 0;
	double		square = 0;

	for (int i = 0; i < fit->d; i++)
	{
		square += p->axis[i] * p->axis[i] * fit->axes.value[i] / rows;
		middle += p->mean[i] * p->fit.mean[i];
	}
	if (fit->loss.kind != DPEM_LOSS_HINGE)
		middle = 0;
	return dpem_logit_model_weight(&fit->loss, middle, sqrt(fmax(square - middle * middle, 1e-4)));
}

static void
step_in_axes(const DpemClassFit *fit, const double *gradient, double scale, double sd, int before, DpemClassProblem *p,
			 DpemWorkspace work)
{
	double		n = before + 1;

	dpem_axes_take(&fit->axes, gradient, scale, sd, weight_at(fit, p), n * n / (n * (n + 1) * (2 * n + 1) / 6), p, work);
	dpem_axes_solve(&fit->axes, fit->prior_variance, p->s.linear, p->s.linear_sd, p);
}

/* ---- the length of the first coefficients ---------------------------------------- */

/* E[l'(c u) u] for a margin u ~ N(middle, deviation^2), as in logit_curvature.c */
static double
slope_along(const DpemMarginLoss *loss, double c, double middle, double deviation)
{
	double		sum = 0;
	double		weight = 0;

	for (double z = -8; z <= 8; z += 0.125)
	{
		double		u = middle + deviation * z;
		double		w = exp(-z * z / 2);

		sum -= w * u * dpem_loss_slope(loss, c * u);
		weight += w;
	}
	return sum / weight;
}

/* the factor at which normal margins lose least */
static double
best_length(const DpemClassFit *fit, const DpemClassProblem *p, DpemWorkspace work)
{
	double	   *product = dpem_workspace_take(&work, fit->d);
	double		low = log(1 / MOST_LENGTH);
	double		high = log(MOST_LENGTH);
	double		middle = 0;
	double		square = 0;

	dpem_linalg_product(fit->d, 1, fit->d, fit->second, p->fit.mean, product);
	for (int j = 0; j < fit->d; j++)
	{
		square += product[j] * p->fit.mean[j] / fmax(fit->rows, 1);
		middle += p->mean[j] * p->fit.mean[j];
	}
	for (int i = 0; i < 40; i++)
	{
		double		c = (low + high) / 2;

		if (slope_along(&fit->loss, exp(c), middle, sqrt(fmax(square - middle * middle, 0))) < 0)
			low = c;
		else
			high = c;
	}
	return exp((low + high) / 2);
}

/* ---- both ways ---------------------------------------------------------------- */

static DpemStatus
start(DpemClassFit *fit, DpemClassProblem *p, DpemWorkspace work)
{
	double	   *t = dpem_workspace_take(&work, fit->d);
	DpemStatus	status = DPEM_OK;

	if (fit->shared)
	{
		dpem_axes_turn(&fit->axes, false, p->s.linear, t);
		memcpy(p->g, fit->axes.value, fit->d * sizeof(double));
		dpem_axes_solve(&fit->axes, fit->prior_variance, t, p->s.linear_sd, p);
	}
	else
		status = dpem_logit_solve(&p->s, fit->second, fit->second_sd, false, fit->prior_variance, &p->fit, work);
	if (status == DPEM_OK && fit->problems == 1)
		scale_problem(fit, best_length(fit, p, work), p);
	else if (status == DPEM_OK && fit->loss.kind == DPEM_LOSS_LOGISTIC)
		scale_problem(fit, 2, p);
	return status;
}

/* of least squares about the mean of the rows: sums of y less its mean, which is in the constant's; the prior's middle is that */
static void
center_sums(const DpemClassFit *fit, DpemClassProblem *p)
{
	int			last = fit->d - 1;
	double		constant = sqrt(fit->second[(size_t) last * fit->d + last] / fmax(fit->rows, 1));
	double		all = fmax(fit->rows, 1) * constant;
	double		mean = 2 * dpem_logit_mean_within(p->s.linear[last] / all / 2, p->s.linear_sd / all / 2, 0);

	for (int j = 0; j < last; j++)
		p->s.linear[j] -= mean * fit->sum[j];
	p->s.linear[last] = mean * all;
	memset(p->s.origin, 0, fit->d * sizeof(double));
	p->s.origin[last] = mean / constant;
	p->s.origin_sd = p->s.linear_sd / all / constant;
	p->s.linear_sd = hypot(p->s.linear_sd, mean * fit->sum_sd);
	for (int j = 0; j < fit->d; j++)
		p->mean[j] = p->s.linear[j] / fmax(fit->rows, 1);
}

/* sum y x is twice what the class has, less what all have; of two classes it is the sum itself */
DpemStatus
dpem_class_take_sums(const DpemNoisyMoments *m, double scale, DpemClassFit *fit, DpemWorkspace work)
{
	double		sd = scale * m->sum_sd;
	size_t		record = dpem_moments_record(&m->layout);
	DpemStatus	status = DPEM_OK;

	if (fit->together)
		return dpem_softmax_take_sums(m, scale, fit, work);
	for (int k = 0; k < fit->problems && status == DPEM_OK; k++)
	{
		DpemClassProblem *p = &fit->problem[k];

		for (int j = 0; j < fit->d; j++)
		{
			double		sum = scale * m->value[k * record + 1 + j];

			p->s.linear[j] = fit->problems == 1 ? sum : 2 * sum - fit->sum[j];
			p->mean[j] = p->s.linear[j] / fmax(fit->rows, 1);
		}
		p->s.linear_sd = fit->problems == 1 ? sd : hypot(2 * sd, fit->sum_sd);
		if (fit->hidden)
			center_sums(fit, p);
		else if (p->s.origin)
			dpem_logit_find_middle(&p->s);
		status = start(fit, p, work);
	}
	return status;
}

DpemStatus
dpem_class_take_gradient(const DpemNoisyMoments *m, double scale, int before, DpemClassFit *fit, DpemWorkspace work)
{
	size_t		record = dpem_moments_record(&m->layout);
	DpemStatus	status = DPEM_OK;

	if (fit->loss.kind == DPEM_LOSS_MULTINOMIAL)
	{
		dpem_softmax_take_gradient(m, scale, before, fit, work);
		return DPEM_OK;
	}
	for (int k = 0; k < fit->problems && status == DPEM_OK; k++)
	{
		DpemClassProblem *p = &fit->problem[k];
		DpemNoisyMoments own = *m;

		own.layout.k = 1;
		own.value = m->value + k * record;
		if (fit->shared)
		{
			step_in_axes(fit, own.value + 1, scale, m->sum_sd, before, p, work);
			continue;
		}
		dpem_logit_take_gradient(&own, scale, &p->fit, before, &p->s, work);
		status = dpem_logit_estimate_step(&p->s, fit->prior_variance, &p->fit, work);
	}
	return status;
}

/* the noise is turn times independent deviates: the norms of the rows of a turn */
static void
row_norms(int n, int d, const double *product, double *norm)
{
	for (int i = 0; i < n; i++)
	{
		norm[i] = 0;
		for (int j = 0; j < d; j++)
			norm[i] += product[(size_t) i * d + j] * product[(size_t) i * d + j];
		norm[i] = sqrt(norm[i]);
	}
}

/* turn_ji = gain_i v_ij in shared axes */
static void
turn_gain(const DpemClassFit *fit, const DpemClassProblem *p, double *turned)
{
	int			d = fit->d;

	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			turned[(size_t) j * d + i] = p->gain[i] * fit->axes.vectors[(size_t) i * d + j];
}

size_t
dpem_class_transform_work(const DpemClassFit *fit, int n)
{
	size_t		d = (size_t) fit->d;

	return fit->draws > 0 ? (size_t) n * fit->draws : n * d + d * d;
}

void
dpem_class_transform(const DpemClassFit *fit, int problem, int n, const double *a, double *coefficient, double *noise,
					 DpemWorkspace work)
{
	const DpemClassProblem *p = &fit->problem[problem];
	int			d = fit->d;
	int			deviates = fit->draws > 0 ? fit->draws : d;
	double	   *product = dpem_workspace_take(&work, (size_t) n * deviates);
	double	   *turned = fit->draws > 0 ? p->moved : p->fit.turn;

	if (fit->shared && fit->draws == 0)
	{
		turned = dpem_workspace_take(&work, (size_t) d * d);
		turn_gain(fit, p, turned);
	}
	if (a == NULL)
	{
		memcpy(coefficient, p->fit.mean, d * sizeof(double));
		row_norms(n, deviates, turned, noise);
		return;
	}
	dpem_linalg_product(n, 1, d, a, p->fit.mean, coefficient);
	dpem_linalg_product(n, deviates, d, a, turned, product);
	row_norms(n, deviates, product, noise);
}

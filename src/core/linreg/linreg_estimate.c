/*
 * linreg_estimate.c - see linreg_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/gmm/total_covariance.h"
#include "core/linreg/linreg_axes.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/chi_square.h"
#include "core/numeric/deconvolution.h"
#include "core/numeric/linalg.h"

#define STEPS		100			/* of a posterior mean, as its length is part of its noise */
#define TOLERANCE	1e-10

/*
 * Of rows of norm 1 at most, if they were normal: in as many dimensions of one variance as have this mean and this variance of the
 * squared norm.  Coefficients are what clipping leaves of both sides of a quotient, but a residual is a length.
 */
static double
unclipped_variance(const DpemLinregMoments *m)
{
	int			n = m->p + 1;
	double		norm2 = 0;
	double		trace = 0;
	double		square = -n * (n + 1) / 2.0 * dpem_linreg_square(m->second_sd);
	double		dimensions;
	double		left;

	for (int i = 0; i < n; i++)
	{
		trace += m->covariance[(size_t) i * n + i];
		norm2 += dpem_linreg_square(m->mean[i]);
		for (int j = 0; j < n; j++)
			square += dpem_linreg_square(m->covariance[(size_t) i * n + j]);
	}
	if (!(trace > 0))
		return 1;
	dimensions = fmax(rint(trace * trace / fmax(square, trace * trace / n)), 1);
	left = (trace + norm2) / dimensions;
	return dpem_chi_unclipped((int) dimensions, left, 1, dpem_linreg_most_unclipped) / left;
}

void
dpem_linreg_take(const DpemNoisyMoments *released, double public_rows, double center_error, DpemLinregMoments *m)
{
	int			n = m->p + 1;
	double		kept = 1;

	m->rows = dpem_total_rows(released, public_rows);
	m->mean_sd = released->sum_sd / m->rows;
	m->second_sd = released->second_sd / m->rows;
	dpem_total_mean(released, m->rows, m->mean);
	dpem_gmm_central_moment(&released->layout, released->value, m->rows, m->mean, m->covariance);
	if (center_error > 0)
		kept = center_error * center_error / (center_error * center_error + m->mean_sd * m->mean_sd);
	for (int j = 0; j < n; j++)
	{
		m->covariance[(size_t) j * n + j] += m->mean_sd * m->mean_sd;
		m->mean[j] *= kept;
	}
	m->mean_sd *= kept;
	m->unclipped = center_error > 0 ? unclipped_variance(m) : 1;
}

/* the part of the rows in which a predictor is known: all, as far as noise would make up that some are not; and its noise */
static double
known_share(double known, double known_sd, double rows, double *sd)
{
	double		unknown = fmin(fmax(1 - known / rows, 0), 1);
	double		square = dpem_linreg_square(unknown);
	double		kept = square > 0 ? square / (square + dpem_linreg_square(known_sd / rows)) : 0;

	*sd = kept * known_sd / rows;
	return 1 - kept * unknown;
}

void
dpem_linreg_center_known(const DpemNoisyMoments *released, double center_error, const double *known, double known_sd,
						 DpemLinregMoments *m)
{
	double		prior = dpem_linreg_square(center_error);
	double		sd = released->sum_sd / m->rows;
	double		kept = prior / (prior + sd * sd);

	for (int j = 0; j < m->p; j++)
	{
		double		share_sd;
		double		share = known_share(known[j], known_sd, m->rows, &share_sd);
		double		gain = share * prior / ((share * share + share_sd * share_sd) * prior + sd * sd);

		m->center[j] = gain * m->mean[j] / kept;
		m->center_sd[j] = gain * hypot(sd, share_sd * m->center[j]);
	}
}

/* noise variances at b, without what lies along b itself */
static void
find_noise(DpemLinregAxes *a)
{
	double		length2 = 0;
	double		intercept = a->target_mean;

	for (int i = 0; i < a->n; i++)
	{
		length2 += dpem_linreg_square(a->b[i]) * (1 - a->label[i] * (1 - a->stays));
		intercept -= a->mean[i] * a->b[i];
	}
	for (int i = 0; i < a->n; i++)
		a->tau2[i] = a->s2 * (1 + length2) +
			a->mean_var * ((1 + length2) * dpem_linreg_square(a->mean[i]) + dpem_linreg_square(intercept));
}

/* the prior's variance along an axis */
static double
prior_along(const DpemLinregAxes *a, int i, double t)
{
	return t * (1 - a->label[i] * (1 - a->label_prior));
}

/* half a step at a time, as a longer b makes for more noise and so for a shorter one */
static void
find_posterior(DpemLinregAxes *a, double t)
{
	double		change = 1;
	double		size = 1;

	memset(a->b, 0, a->n * sizeof(double));
	for (int step = 0; step < STEPS && change > TOLERANCE * size; step++)
	{
		find_noise(a);
		change = size = 0;
		for (int i = 0; i < a->n; i++)
		{
			double		tau2 = a->tau2[i] + a->s2 * dpem_linreg_square(a->b[i]);
			double		next = a->value[i] * a->linear[i] / (dpem_linreg_square(a->value[i]) + tau2 / prior_along(a, i, t));

			change = fmax(change, fabs(next - a->b[i]));
			a->b[i] = (a->b[i] + next) / 2;
			size = fmax(size, fabs(a->b[i]));
		}
	}
	find_noise(a);
}

/* logarithm of the marginal likelihood of v_i'c */
static double
likelihood(const DpemLinregAxes *a, double t)
{
	double		sum = 0;

	for (int i = 0; i < a->n; i++)
	{
		double		variance = dpem_linreg_square(a->value[i]) * prior_along(a, i, t) + a->tau2[i] + a->s2 * dpem_linreg_square(a->b[i]);

		sum -= log(variance) / 2 + dpem_linreg_square(a->linear[i]) / (2 * variance);
	}
	return sum;
}

/* this posterior's moments with that weight */
static void
add_posterior(DpemLinregAxes *a, double t, double weight)
{
	size_t		p = (size_t) a->n;

	for (size_t i = 0; i < p; i++)
	{
		double		g = a->value[i];
		double		tau2 = a->tau2[i] + a->s2 * dpem_linreg_square(a->b[i]);
		double		gain = g / (dpem_linreg_square(g) + tau2 / prior_along(a, (int) i, t));

		a->pull[i] = gain * sqrt(a->s2) * a->b[i];
		a->slope[i] += weight * a->b[i];
		a->noise[i * p + i] += weight * dpem_linreg_square(gain) * a->tau2[i];
		a->error[i * p + i] += weight * (gain * tau2 / g - dpem_linreg_square(gain) * tau2);
	}
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
		{
			a->noise[i * p + j] += weight * a->pull[i] * a->pull[j];
			a->error[i * p + j] += weight * a->b[i] * a->b[j];
		}
}

static double
prior_variance(const DpemLinregAxes *a, int i)
{
	double		trace = 0;

	for (int j = 0; j < a->n; j++)
		trace += a->value[j];
	return dpem_linreg_prior(i) * a->target_variance / trace;
}

/* of the grid: variances of the prior along wide labels, in parts of t; without such labels one will do */
static int
label_priors(const DpemLinregAxes *a)
{
	return a->wide > 0 ? DPEM_LINREG_LABEL_PRIORS : 1;
}

/* sets the axes' label_prior; returns t */
static double
take_prior(DpemLinregAxes *a, int i)
{
	a->label_prior = a->wide > 0 ? dpem_linreg_label_prior(i / DPEM_LINREG_PRIORS) : 1;
	return prior_variance(a, i % DPEM_LINREG_PRIORS);
}

/* posterior weights of the grid of priors, of sum 1; returns the posterior probability that b is not zero */
static double
weigh(DpemLinregAxes *a, double *weight)
{
	int			n = DPEM_LINREG_PRIORS * label_priors(a);
	double		most = -INFINITY;
	double		sum = 0;
	double		nothing;

	for (int i = 0; i < n; i++)
	{
		double		t = take_prior(a, i);

		find_posterior(a, t);
		weight[i] = likelihood(a, t);
		most = fmax(most, weight[i]);
	}
	for (int i = 0; i < n; i++)
		sum += weight[i] = exp(weight[i] - most);
	for (int i = 0; i < n; i++)
		weight[i] /= sum;
	sum *= (1 - dpem_linreg_nothing) / n;
	memset(a->b, 0, a->n * sizeof(double));
	find_noise(a);
	nothing = dpem_linreg_nothing * exp(likelihood(a, 0) - most);
	return sum / (sum + nothing);
}

/* over the grid of priors, and then b = 0; the error is that of the former, about the mean of both */
static void
integrate(DpemLinregAxes *a)
{
	size_t		p = (size_t) a->n;
	double		weight[DPEM_LINREG_PRIORS * DPEM_LINREG_LABEL_PRIORS];
	double		something = weigh(a, weight);

	memset(a->slope, 0, p * sizeof(double));
	memset(a->error, 0, p * p * sizeof(double));
	memset(a->noise, 0, p * p * sizeof(double));
	for (int i = 0; i < DPEM_LINREG_PRIORS * label_priors(a); i++)
	{
		double		t = take_prior(a, i);

		find_posterior(a, t);
		add_posterior(a, t, weight[i]);
	}
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
		{
			/* E[(b - k m)(b - k m)'] = E[b b'] - (2 k - k^2) m m' */
			a->error[i * p + j] += a->noise[i * p + j] - something * (2 - something) * a->slope[i] * a->slope[j];
			a->noise[i * p + j] *= dpem_linreg_square(something);
		}
	for (size_t i = 0; i < p; i++)
		a->slope[i] *= something;
}

/*
 * Slopes without shrinkage; b: how long they are.  One that is more than its noise could well make up has its noise taken off,
 * but explains no more than the whole target; any other is as long as the posterior's, which is left in pull, but where noise hides how much the
 * predictor varies: it may be as long as explains the whole target.
 */
static void
take_plainly(DpemLinregAxes *a)
{
	memcpy(a->pull, a->slope, a->n * sizeof(double));
	memcpy(a->b, a->slope, a->n * sizeof(double));
	find_noise(a);
	for (int i = 0; i < a->n; i++)
	{
		double		square;
		double		variance;

		a->left[i] = fmax(a->seen[i], a->least[i]);
		a->slope[i] = a->linear[i] / a->left[i];
		square = dpem_linreg_square(a->slope[i]);
		variance = a->tau2[i] / dpem_linreg_square(a->left[i]);
		square = square > dpem_linreg_told * variance ? fmin(square - variance, a->target_variance / a->value[i]) : 0;
		square = fmax(square, a->unsure[i] * a->target_variance / fmax(a->value[i], a->least[i]));
		a->b[i] = fmax(fabs(a->b[i]), sqrt(square));
	}
}

/* s^2 b b' has the posterior's signs where that knows them, and on its diagonal all of the length */
void
dpem_linreg_take_back(DpemLinregAxes *a)
{
	size_t		p = (size_t) a->n;

	take_plainly(a);
	find_noise(a);
	for (size_t i = 0; i < p; i++)
	{
		for (size_t j = 0; j < p; j++)
			a->error[i * p + j] = a->s2 * a->pull[i] * a->pull[j] / (a->left[i] * a->left[j]);
		a->error[i * p + i] = (a->tau2[i] + a->s2 * dpem_linreg_square(a->b[i])) / dpem_linreg_square(a->left[i]);
	}
}

static void
solve_exactly(DpemLinregAxes *a)
{
	size_t		p = (size_t) a->n;
	double		least = DPEM_LINREG_LEAST_SHARE * fmax(a->value[0], 0);

	memset(a->error, 0, p * p * sizeof(double));
	memset(a->noise, 0, p * p * sizeof(double));
	for (size_t i = 0; i < p; i++)
	{
		a->value[i] = a->value[i] > least ? a->value[i] : 0;
		a->slope[i] = a->value[i] > 0 ? a->linear[i] / a->value[i] : 0;
	}
}

size_t
dpem_linreg_estimate_work(int p)
{
	DpemWorkspace dry = {NULL, NULL};
	size_t		eigen = dpem_linalg_eigen_work(p);
	size_t		square = 3 * (size_t) p * p;
	size_t		labels = (size_t) p * (p + 6) + 1 + eigen + dpem_deconvolution_work(p);

	dpem_linreg_take_axes(p, &dry);
	return dpem_workspace_taken(&dry) + (labels > square ? labels : square);
}

DpemStatus
dpem_linreg_estimate(const DpemLinregMoments *m, DpemLinreg *fit, DpemWorkspace work)
{
	DpemLinregAxes		a = dpem_linreg_take_axes(m->p, &work);

	DpemStatus	status = dpem_linreg_find_axes(m, &a, fit->shared, work);

	if (status != DPEM_OK)
		return status;
	if (m->second_sd > 0)
		integrate(&a);
	else
		solve_exactly(&a);
	dpem_linreg_finish(m, &a, fit, work.next);
	if (m->second_sd > 0)
		dpem_linreg_take_back(&a);
	dpem_linreg_finish_intervals(m, &a, fit, work.next);
	return DPEM_OK;
}

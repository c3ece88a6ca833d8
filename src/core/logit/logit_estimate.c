/*
 * logit_estimate.c - see logit_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_whiten.h"
#include "core/logit/logit_curvature.h"
#include "core/logit/logit_estimate.h"
#include "core/logit/logit_secant.h"
#include "core/logit/logit_solve.h"
#include "core/numeric/linalg.h"

#define STEPS		2000
#define LEAST_REST	0.5			/* of what is divided by: with 0.2 2,000 rows at epsilon 0.1 and 0.2 are said to have up to twice their noise */
#define TOLERANCE	1e-13
#define MOST_RATIO	4.0			/* that curvature is changed by without being looked at */

/* steps of the model, and the change of the mean, relative, that ends them; noise, of any size, hides more than that */
#define MODEL_STEPS		6
#define NOISY_TOLERANCE	1e-3

#define LEAST_SHARE	1e-12		/* of the trace, that an eigenvalue has without noise */

/* a lower triangle, row by row, times `factor`, into the mean with what was there */
static void
mix_triangle(int d, const double *value, double factor, double share, double *out)
{
	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
		{
			double		before = share < 1 ? out[(size_t) i * d + j] : 0;

			out[(size_t) i * d + j] = before + share * (factor * *value++ - before);
			out[(size_t) j * d + i] = out[(size_t) i * d + j];
		}
}

size_t
dpem_logit_take_work(int d)
{
	size_t		clean = dpem_logit_clean_work(d);
	size_t		secant = dpem_logit_secant_work(d);

	return (size_t) d * d + 4 * (size_t) d + (clean > secant ? clean : secant);
}

void
dpem_logit_read_first(const DpemNoisyMoments *m, double public_rows, DpemLogitStatistics *s)
{
	s->rows = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	for (int j = 0; j < s->d; j++)
		s->linear[j] = m->value[1 + j] / 2;
	s->linear_sd = m->sum_sd / 2;
	dpem_linalg_unpack(s->d, m->value + 1 + s->d, s->second);
	s->second_sd = m->second_sd;
}

DpemStatus
dpem_logit_take_first(const DpemNoisyMoments *m, double public_rows, DpemLogitStatistics *s, DpemWorkspace work)
{
	dpem_logit_read_first(m, public_rows, s);
	return dpem_logit_clean(s->d, s->second, work);
}

static void
model_curvature(const DpemLogitStatistics *s, const DpemLogit *at, double *curvature, DpemWorkspace work)
{
	DpemLogitMoments rows = {.d = s->d,.rows = s->rows,.second = s->second,.constant = s->constant};

	dpem_logit_model_curvature(&rows, at->mean, at->covariance, curvature, work);
}

void
dpem_logit_take_curvature(const DpemNoisyMoments *m, double scale, const DpemLogit *at, int others,
						  DpemLogitStatistics *s, DpemWorkspace work)
{
	size_t		n = (size_t) s->d * s->d;
	double	   *model = dpem_workspace_take(&work, n);
	double		share = 1.0 / (1 + others);

	mix_triangle(s->d, m->value + 1 + s->d, scale / 4, share, s->curvature);
	s->curvature_sd = scale * m->second_sd / 4 * sqrt(share);
	s->curvature_share = others > 0 ? s->curvature_share + share * (at->share - s->curvature_share) : at->share;
	model_curvature(s, at, model, work);
	for (size_t i = 0; i < n; i++)
		s->model[i] = others > 0 ? s->model[i] + share * (model[i] - s->model[i]) : model[i];
}

/* ---- the posterior, in the eigenvectors of G ---------------------------------- */

typedef struct Axes
{
	int			d;
	double		curvature_sd;	/* of the noise in a svec entry of G */
	const double *value;		/* eigenvalues of G */
	const double *linear;		/* v_i't */
	const double *second;		/* sum x x' in these axes: d x d */
	const double *middle;		/* of the prior */
	double	   *mean;			/* from there */
	double	   *variance;
	double	   *gain;			/* change of the mean by noise of one standard deviation, the prior's precision as it is */
	double		learnt;			/* the axes' variances times means, times that, are what a unit of the mean along itself adds to it; 0: the precision is given */
} Axes;

static double
axis_noise2(const DpemLogitStatistics *s, double curvature_sd, double square, double mean)
{
	return s->linear_sd * s->linear_sd + curvature_sd * curvature_sd * (square + mean * mean) / 2;
}

/* of second moments that the curvature is a multiple of, which coefficients are found without */
static double
unsaid_noise(const DpemLogitStatistics *s, double square, double mean)
{
	return hypot(s->unsaid_sd * sqrt((square + mean * mean) / 2), s->unsaid_square_sd * mean);
}

/* mean of c^2 over the rows, which lie in the unit ball */
static double
spread_of(const DpemLogitStatistics *s, const Axes *axes, double most)
{
	double		sum = 0;

	for (int i = 0; i < axes->d; i++)
	{
		const double *row = axes->second + (size_t) i * axes->d;
		double		product = 0;

		for (int j = 0; j < axes->d; j++)
			product += row[j] * (axes->middle[j] + axes->mean[j]);
		sum += product * (axes->middle[i] + axes->mean[i]) + row[i] * axes->variance[i];
	}
	return fmin(fmax(sum / fmax(s->rows, 1), 0), most);
}

/* one step of coordinate ascent with G times ratio; returns |mean|^2 + tr V, and the new |mean|^2 in *square; middle: that of the prior's middle */
static double
step_axes(const DpemLogitStatistics *s, double ratio, double precision, double middle, double *square, Axes *axes)
{
	double		before = *square + middle;
	double		total = 0;

	*square = 0;
	for (int i = 0; i < axes->d; i++)
	{
		double		g = ratio * fmax(axes->value[i], 0);
		double		noise2 = axis_noise2(s, ratio * axes->curvature_sd, before, axes->middle[i] + axes->mean[i]);
		double		k = g > 0 ? g / (g + noise2) : 0;

		axes->variance[i] = 1 / (k * g + precision);
		/* half-way from the last, as a longer mean makes for more noise and so for a shorter one */
		axes->mean[i] = (axes->mean[i] + k * axes->linear[i] * axes->variance[i]) / 2;
		axes->gain[i] = k * axes->variance[i] * hypot(sqrt(noise2), unsaid_noise(s, before, axes->middle[i] + axes->mean[i]));
		*square += axes->mean[i] * axes->mean[i];
		total += axes->variance[i];
	}
	return *square + total;
}

static double
bounded(double value, double least, double most)
{
	return fmin(fmax(value, least), most);
}

static double
share_ratio(const DpemLogitStatistics *s, const DpemLogit *at)
{
	return bounded(at->share / s->curvature_share, 1 / MOST_RATIO, MOST_RATIO);
}

/*
 * The precision p = (1 + d / 2) / (slope + T / 2), T = |mean|^2 + tr V, follows the mean, and the mean it: d mean_i = -mean_i V_i dp
 * and d V_i = -V_i^2 dp, so that dp = -c mean'd mean / (1 - c tr V^2 / 2), c = p^2 / (1 + d / 2).
 */
static double
learning_rate(const Axes *axes, double precision)
{
	double		c = precision * precision / (1 + axes->d / 2.0);
	double		variances = 0;
	double		along = 0;

	for (int i = 0; i < axes->d; i++)
	{
		variances += axes->variance[i] * axes->variance[i];
		along += axes->variance[i] * axes->mean[i] * axes->mean[i];
	}
	c /= fmax(1 - c * variances / 2, LEAST_REST);
	return c / fmax(1 - c * along, LEAST_REST);
}

/* `scales`: G's length follows that of the mean */
static void
ascend(const DpemLogitStatistics *s, bool scales, double prior_variance, Axes *axes, DpemLogit *fit)
{
	double		precision = prior_variance > 0 ? 1 / prior_variance : 1;
	double		ratio = 1;
	double		middle = 0;
	double		square = 0;
	double		total = 0;
	double		change = 1;

	for (int i = 0; i < axes->d; i++)
		middle += axes->middle[i] * axes->middle[i];
	memset(axes->mean, 0, axes->d * sizeof(double));
	for (int i = 0; i < STEPS && change > TOLERANCE; i++)
	{
		double		last = precision;
		double		last_square = square;

		total = step_axes(s, ratio, precision, middle, &square, axes);
		if (!(prior_variance > 0))
			precision = (1 + axes->d / 2.0) / ((s->slope > 0 ? s->slope : 1) + total / 2);
		if (scales)
		{
			fit->share = dpem_logit_share(spread_of(s, axes, middle + total));
			ratio = share_ratio(s, fit);
		}
		change = fabs(precision - last) / precision + fabs(square - last_square) / (square + 1e-300);
	}
	fit->share = dpem_logit_share(spread_of(s, axes, middle + total));
	fit->precision = precision;
	axes->learnt = prior_variance > 0 ? 0 : learning_rate(axes, precision);
}

static void
turn_back(const DpemLogitStatistics *s, const Axes *axes, const double *vectors, DpemLogit *fit, DpemWorkspace work)
{
	int			d = axes->d;

	for (int j = 0; j < d; j++)
		fit->mean[j] = s->origin ? s->origin[j] : 0;
	for (int i = 0; i < d; i++)
	{
		/* as far as the prior is what the mean follows */
		double		prior = s->origin_sd * vectors[(size_t) i * d + d - 1] * fit->precision * axes->variance[i];

		axes->gain[i] = hypot(axes->gain[i], prior);
		for (int j = 0; j < d; j++)
			fit->mean[j] += axes->mean[i] * vectors[(size_t) i * d + j];
	}
	for (int j = 0; j < d; j++)
	{
		double		longer = 0;

		for (int i = 0; i < d; i++)
			longer += axes->variance[i] * axes->mean[i] * vectors[(size_t) i * d + j];
		for (int i = 0; i < d; i++)
			fit->turn[(size_t) j * d + i] = axes->gain[i] * (vectors[(size_t) i * d + j] + axes->learnt * axes->mean[i] * longer);
	}
	dpem_linalg_rebuild(d, vectors, axes->variance, fit->covariance, work.next);
}

/* statistics in the eigenvectors of G, t from the prior's middle */
static DpemStatus
find_axes(const DpemLogitStatistics *s, const double *curvature, double *vectors, Axes *axes, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *value = dpem_workspace_take(&work, d);
	double	   *linear = dpem_workspace_take(&work, d);
	double	   *middle = dpem_workspace_take(&work, d);
	double	   *second = dpem_workspace_take(&work, d * d);
	double	   *product = dpem_workspace_take(&work, d * d);

	memcpy(vectors, curvature, d * d * sizeof(double));
	if (dpem_linalg_eigen(s->d, vectors, value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linalg_product(s->d, 1, s->d, vectors, s->linear, linear);
	memset(middle, 0, d * sizeof(double));
	if (s->origin)
		dpem_linalg_product(s->d, 1, s->d, vectors, s->origin, middle);
	for (size_t i = 0; i < d; i++)
		linear[i] -= value[i] * middle[i];
	dpem_linalg_multiply(s->d, vectors, s->second, product);
	dpem_linalg_multiply_nt(s->d, product, vectors, second);
	axes->value = value;
	axes->linear = linear;
	axes->middle = middle;
	axes->second = second;
	return DPEM_OK;
}

static size_t
solve_work(int d)
{
	return 3 * (size_t) d * d + 6 * (size_t) d + dpem_linalg_eigen_work(d);
}

DpemStatus
dpem_logit_solve(const DpemLogitStatistics *s, const double *curvature, double curvature_sd, bool scales,
				 double prior_variance, DpemLogit *fit, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *vectors = dpem_workspace_take(&work, d * d);
	Axes		axes = {.d = s->d,.curvature_sd = curvature_sd};

	axes.mean = dpem_workspace_take(&work, d);
	axes.variance = dpem_workspace_take(&work, d);
	axes.gain = dpem_workspace_take(&work, d);
	if (find_axes(s, curvature, vectors, &axes, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	ascend(s, scales, prior_variance, &axes, fit);
	turn_back(s, &axes, vectors, fit, work);
	return DPEM_OK;
}

static bool
has_settled(int d, const double *before, const double *mean, double tolerance)
{
	double		change = 0;
	double		square = 0;

	for (int j = 0; j < d; j++)
	{
		change += (mean[j] - before[j]) * (mean[j] - before[j]);
		square += mean[j] * mean[j];
	}
	return change <= tolerance * tolerance * square;
}

static bool
ran_away(const DpemLogitStatistics *s, const DpemLogit *fit)
{
	return fit->share * MOST_RATIO < s->curvature_share;
}

/*
 * The posterior for the curvature that the model has there, carried over from
 * where it was released.  Coefficients may run away from a t that no rows
 * could have, but no further in a pass than the bound on G's length lets them.
 */
static DpemStatus
follow_model(const DpemLogitStatistics *s, const double *lever, double prior_variance, DpemLogit *fit,
			 DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *curvature = dpem_workspace_take(&work, d * d);
	double	   *before = dpem_workspace_take(&work, d);
	double		tolerance = s->curvature_sd > 0 ? NOISY_TOLERANCE : TOLERANCE;
	DpemStatus	status = DPEM_OK;
	bool		settled = ran_away(s, fit);

	for (int i = 0; i < MODEL_STEPS && status == DPEM_OK && !settled; i++)
	{
		memcpy(before, fit->mean, d * sizeof(double));
		model_curvature(s, fit, curvature, work);
		dpem_logit_apply_lever(s->d, lever, curvature, work);
		status = dpem_logit_solve(s, curvature, s->curvature_sd * share_ratio(s, fit), false, prior_variance, fit, work);
		settled = has_settled(s->d, before, fit->mean, tolerance) || ran_away(s, fit);
	}
	return status;
}

/* eigenvalues of the model that count: what noise alone would have, or what rounding leaves */
static double
least_eigenvalue(const DpemLogitStatistics *s)
{
	double		trace = 0;

	for (int j = 0; j < s->d; j++)
		trace += s->model[(size_t) j * s->d + j];
	return s->curvature_sd > 0 ? s->curvature_sd * sqrt(2.0 * s->d) : LEAST_SHARE * trace;
}

size_t
dpem_logit_estimate_work(int d)
{
	size_t		step = 1 + solve_work(d);
	size_t		lever = dpem_logit_lever_work(d);

	return 3 * (size_t) d * d + 5 * (size_t) d + (step > lever ? step : lever);
}

DpemStatus
dpem_logit_estimate(const DpemLogitStatistics *s, double prior_variance, DpemLogit *fit, DpemWorkspace work)
{
	double	   *lever = dpem_workspace_take(&work, (size_t) s->d * s->d);
	DpemStatus	status = dpem_logit_lever(s->d, s->curvature, s->model, least_eigenvalue(s), lever, work);

	if (status == DPEM_OK)
		status = dpem_logit_solve(s, s->curvature, s->curvature_sd, true, prior_variance, fit, work);
	if (status == DPEM_OK)
		status = follow_model(s, lever, prior_variance, fit, work);
	return status;
}

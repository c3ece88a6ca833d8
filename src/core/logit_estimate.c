/*
 * logit_estimate.c - see logit_estimate.h.
 */
#include <math.h>
#include <string.h>

#include "gmm_whiten.h"
#include "linalg.h"
#include "logit_estimate.h"

#define STEPS		2000
#define MOST_PASSES	200			/* without noise, where passes end once they change nothing */
#define TOLERANCE	1e-13
#define MOST_RATIO	4.0			/* that curvature is changed by without being looked at */

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

void
dpem_logit_take_first(const DpemNoisyMoments *m, double public_rows, DpemLogitStatistics *s)
{
	s->rows = dpem_gmm_rows(m->value[0], m->count_sd, public_rows);
	for (int j = 0; j < s->d; j++)
		s->linear[j] = m->value[1 + j] / 2;
	s->linear_sd = m->sum_sd / 2;
	mix_triangle(s->d, m->value + 1 + s->d, 1, 1, s->second);
}

void
dpem_logit_take_curvature(const DpemNoisyMoments *m, double scale, double row_share, int others,
						  DpemLogitStatistics *s)
{
	double		share = 1.0 / (1 + others);

	mix_triangle(s->d, m->value + 1 + s->d, scale / 4, share, s->curvature);
	s->curvature_sd = scale * m->second_sd / 4 * sqrt(share);
	s->curvature_share = others > 0 ? s->curvature_share + share * (row_share - s->curvature_share) : row_share;
}

/* the trapezium rule, whose error on a smooth function under a Gaussian is far below its tails' */
double
dpem_logit_share(double spread)
{
	double		sum = 0;
	double		weight = 0;

	for (double z = -8; z <= 8; z += 0.125)
	{
		double		h = sqrt(fmax(spread, 0)) * fabs(z) / 2;
		double		w = exp(-z * z / 2);

		sum += w * (h > 1e-4 ? tanh(h) / h : 1);
		weight += w;
	}
	return sum / weight;
}

/* ---- the posterior, in the eigenvectors of G ---------------------------------- */

typedef struct Axes
{
	int			d;
	const double *value;		/* eigenvalues of G */
	const double *linear;		/* v_i't */
	const double *second;		/* sum x x' in these axes: d x d */
	double	   *mean;
	double	   *variance;
	double	   *gain;			/* change of the mean by noise of one standard deviation */
} Axes;

static double
axis_noise2(const DpemLogitStatistics *s, double ratio, double square, double mean)
{
	double		sd = ratio * s->curvature_sd;

	return s->linear_sd * s->linear_sd + sd * sd * (square + mean * mean) / 2;
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
			product += row[j] * axes->mean[j];
		sum += product * axes->mean[i] + row[i] * axes->variance[i];
	}
	return fmin(fmax(sum / fmax(s->rows, 1), 0), most);
}

/* one step of coordinate ascent with G times ratio; returns |mean|^2 + tr V, and the new |mean|^2 in *square */
static double
step_axes(const DpemLogitStatistics *s, double ratio, double precision, double *square, Axes *axes)
{
	double		before = *square;
	double		total = 0;

	*square = 0;
	for (int i = 0; i < axes->d; i++)
	{
		double		g = ratio * fmax(axes->value[i], 0);
		double		noise2 = axis_noise2(s, ratio, before, axes->mean[i]);
		double		k = g > 0 ? g / (g + noise2) : 0;

		axes->variance[i] = 1 / (k * g + precision);
		/* half-way from the last, as a longer mean makes for more noise and so for a shorter one */
		axes->mean[i] = (axes->mean[i] + k * axes->linear[i] * axes->variance[i]) / 2;
		axes->gain[i] = k * axes->variance[i] * sqrt(noise2);
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

static void
ascend(const DpemLogitStatistics *s, double prior_variance, Axes *axes, DpemLogit *fit)
{
	double		precision = prior_variance > 0 ? 1 / prior_variance : 1;
	double		ratio = 1;
	double		square = 0;
	double		change = 1;

	memset(axes->mean, 0, axes->d * sizeof(double));
	for (int i = 0; i < STEPS && change > TOLERANCE; i++)
	{
		double		last = precision;
		double		last_square = square;
		double		total = step_axes(s, ratio, precision, &square, axes);

		if (!(prior_variance > 0))
			precision = (1 + axes->d / 2.0) / (1 + total / 2);
		fit->share = dpem_logit_share(spread_of(s, axes, total));
		ratio = bounded(fit->share / s->curvature_share, 1 / MOST_RATIO, MOST_RATIO);
		change = fabs(precision - last) / precision + fabs(square - last_square) / (square + 1e-300);
	}
	fit->precision = precision;
}

size_t
dpem_logit_estimate_work(int d)
{
	return 3 * (size_t) d * d + 5 * (size_t) d + dpem_linalg_eigen_work(d);
}

/* out = sum_i weight_i v_i v_i' */
static void
rebuild(int d, const double *vectors, const double *weight, double *out)
{
	memset(out, 0, (size_t) d * d * sizeof(double));
	for (int k = 0; k < d; k++)
	{
		const double *v = vectors + (size_t) k * d;

		for (int i = 0; i < d; i++)
			for (int j = 0; j < d; j++)
				out[(size_t) i * d + j] += weight[k] * v[i] * v[j];
	}
}

static void
turn_back(const Axes *axes, const double *vectors, DpemLogit *fit)
{
	int			d = axes->d;

	memset(fit->mean, 0, d * sizeof(double));
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
		{
			double		v = vectors[(size_t) i * d + j];

			fit->mean[j] += axes->mean[i] * v;
			fit->turn[(size_t) j * d + i] = axes->gain[i] * v;
		}
	rebuild(d, vectors, axes->variance, fit->covariance);
}

/* statistics in the eigenvectors of G */
static DpemStatus
find_axes(const DpemLogitStatistics *s, double *vectors, Axes *axes, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *value = dpem_workspace_take(&work, d);
	double	   *linear = dpem_workspace_take(&work, d);
	double	   *second = dpem_workspace_take(&work, d * d);
	double	   *product = dpem_workspace_take(&work, d * d);

	memcpy(vectors, s->curvature, d * d * sizeof(double));
	if (dpem_linalg_eigen(s->d, vectors, value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linalg_product(s->d, 1, s->d, vectors, s->linear, linear);
	dpem_linalg_multiply(s->d, vectors, s->second, product);
	dpem_linalg_multiply_nt(s->d, product, vectors, second);
	axes->value = value;
	axes->linear = linear;
	axes->second = second;
	return DPEM_OK;
}

DpemStatus
dpem_logit_estimate(const DpemLogitStatistics *s, double prior_variance, DpemLogit *fit, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double	   *vectors = dpem_workspace_take(&work, d * d);
	Axes		axes = {.d = s->d};

	axes.mean = dpem_workspace_take(&work, d);
	axes.variance = dpem_workspace_take(&work, d);
	axes.gain = dpem_workspace_take(&work, d);
	if (find_axes(s, vectors, &axes, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	ascend(s, prior_variance, &axes, fit);
	turn_back(&axes, vectors, fit);
	return DPEM_OK;
}

size_t
dpem_logit_prepare_work(int d)
{
	return 2 * (size_t) d * d;
}

DpemStatus
dpem_logit_prepare(const DpemLogit *fit, double *theta, DpemWorkspace work)
{
	size_t		d = (size_t) fit->d;
	double	   *second = dpem_workspace_take(&work, d * d);
	double	   *lower = dpem_workspace_take(&work, d * d);

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			second[i * d + j] = fit->covariance[i * d + j] + fit->mean[i] * fit->mean[j];
	if (dpem_linalg_cholesky(fit->d, second, lower) != DPEM_OK)
		return DPEM_NOT_POSITIVE_DEFINITE;
	for (size_t j = 0; j < d; j++)
		for (size_t i = j; i < d; i++)
			*theta++ = lower[i * d + j];
	return DPEM_OK;
}

void
dpem_logit_transform(const DpemLogit *fit, int n, const double *a, double *mean, double *covariance,
					 double *noise, DpemWorkspace work)
{
	int			d = fit->d;
	double	   *product = dpem_workspace_take(&work, (size_t) n * d);

	dpem_linalg_product(n, 1, d, a, fit->mean, mean);
	dpem_linalg_product(n, d, d, a, fit->turn, product);
	for (int i = 0; i < n; i++)
	{
		noise[i] = 0;
		for (int j = 0; j < d; j++)
			noise[i] += product[(size_t) i * d + j] * product[(size_t) i * d + j];
		noise[i] = sqrt(noise[i]);
	}
	dpem_linalg_product(n, d, d, a, fit->covariance, product);
	dpem_linalg_product_nt(n, n, d, product, d, a, d, covariance, n);
}

double
dpem_logit_probability(double mean, double variance)
{
	return 1 / (1 + exp(-mean / sqrt(1 + M_PI / 8 * variance)));
}

/* ---- rules ---------------------------------------------------------------------- */

/*
 * Under replace_one, with second moments of weight 1/sqrt(2), sums move the
 * stack as far as they do alone, and counts are free as long as the whole is
 * no longer than that (docs/proofs.md, 4).  If there is no other release of
 * second moments they get more.
 */
void
dpem_logit_weights(bool only, bool replace_one, double *count, double *sum, double *second)
{
	*count = replace_one ? 1.5 : 0.3;
	*sum = 1;
	*second = only ? M_SQRT2 : M_SQRT1_2;
}

double
dpem_logit_first_share(void)
{
	return 0.4;
}

int
dpem_logit_iterations(int d, double rows, double second_sd)
{
	/* eigenvalues of rows spread evenly, over the largest that noise has */
	double		ratio = rows / d / (second_sd * sqrt(2.0 * d));

	if (!(second_sd > 0))
		return MOST_PASSES;
	if (!(rows > 0))
		return 3;
	return ratio < 3 ? 1 : ratio < 10 ? 2 : ratio < 40 ? 3 : ratio < 300 ? 5 : 8;
}

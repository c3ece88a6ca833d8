/*
 * gmm_background.c - see gmm_background.h.
 */
#include <math.h>
#include <string.h>

#include "core/density/gmm_background.h"
#include "core/gmm/gmm_rules.h"
#include "core/numeric/log_sum.h"

#define LOG_2PI 1.8378770664093454836

void
dpem_gmm_background_about(int d, const double *mean, const double *variance, const double *lower, const double *upper,
						  DpemGmmBackground *b)
{
	b->d = d;
	for (int j = 0; j < d; j++)
	{
		b->mean[j] = mean[j];
		b->wide[j] = fmax(upper[j] - mean[j], mean[j] - lower[j]);
		b->narrow[j] = fmin(sqrt(variance[j]), b->wide[j]);
	}
}

void
dpem_gmm_background_init(const DpemGmm *gmm, const double *lower, const double *upper,
						 DpemGmmBackground *b)
{
	size_t		d = (size_t) gmm->d;

	memset(b->mean, 0, d * sizeof(double));
	for (int k = 0; k < gmm->k; k++)
		for (size_t j = 0; j < d; j++)
			b->mean[j] += gmm->weight[k] * gmm->mean[k * d + j];
	for (size_t j = 0; j < d; j++)
	{
		b->narrow[j] = 0;
		for (int k = 0; k < gmm->k; k++)
		{
			double		away = gmm->mean[k * d + j] - b->mean[j];

			b->narrow[j] += gmm->weight[k] * (gmm->covariance[(k * d + j) * d + j] + away * away);
		}
	}
	dpem_gmm_background_about(gmm->d, b->mean, b->narrow, lower, upper, b);
}

static double
part_weight(int part)
{
	return part == 0 ? DPEM_GMM_BACKGROUND_FIRST
		: (1 - DPEM_GMM_BACKGROUND_FIRST) / (DPEM_GMM_BACKGROUND_WIDTHS - 1);
}

_Static_assert(DPEM_GMM_BACKGROUND_FIRST == 0.5 && DPEM_GMM_BACKGROUND_WIDTHS == 5, "the logarithms below are of these weights");

static double
log_part_weight(int part)
{
	static const double first = -0.69314718055994530942;	/* log DPEM_GMM_BACKGROUND_FIRST, */
	static const double other = -2.0794415416798359283;		/* and of the others, an eighth each */

	return part == 0 ? first : other;
}

double
dpem_gmm_background_axis(const DpemGmmBackground *b, int axis, double x)
{
	double		most = -INFINITY;
	double		density = 0;
	double		term[DPEM_GMM_BACKGROUND_WIDTHS];
	double		log_width = log(b->narrow[axis]);
	double		log_step = log(b->wide[axis] / b->narrow[axis]) / (DPEM_GMM_BACKGROUND_WIDTHS - 1);
	double		u = (x - b->mean[axis]) / b->narrow[axis];
	double		square = u * u;
	double		shrink = exp(-2 * log_step);

	/* a row has many of these: widths in geometric progression need no power each */
	for (int part = 0; part < DPEM_GMM_BACKGROUND_WIDTHS; part++)
	{
		term[part] = log_part_weight(part) - log_width - (square + LOG_2PI) / 2;
		most = fmax(most, term[part]);
		log_width += log_step;
		square *= shrink;
	}
	for (int part = 0; part < DPEM_GMM_BACKGROUND_WIDTHS && isfinite(most); part++)
		density += exp(term[part] - most);
	return isfinite(most) ? most + log(density) : -INFINITY;
}

double
dpem_gmm_background_add(double mixture, double background)
{
	return dpem_log_sum(mixture + log(1 - DPEM_GMM_BACKGROUND_WEIGHT), background + log(DPEM_GMM_BACKGROUND_WEIGHT));
}

double
dpem_gmm_background_apart(const DpemGmmBackground *b, const DpemGmmApart *apart, const double *x, double *far, DpemWorkspace work)
{
	for (int j = 0; j < b->d; j++)
		far[j] = dpem_gmm_background_axis(b, j, x[j]);
	return dpem_gmm_background_add(dpem_gmm_apart_log_density(apart, x, far, work),
								   log(DPEM_GMM_BACKGROUND_ROWS) + dpem_gmm_apart_far(apart, x, far));
}

double
dpem_gmm_background_tail(int d)
{
	return DPEM_GMM_BACKGROUND_WEIGHT * (1 - DPEM_GMM_BACKGROUND_ROWS) / d;
}

double
dpem_gmm_background_least(const DpemGmmBackground *b)
{
	double		sum = log(DPEM_GMM_BACKGROUND_WEIGHT);

	for (int j = 0; j < b->d; j++)
		sum += log(part_weight(DPEM_GMM_BACKGROUND_WIDTHS - 1) / b->wide[j]) - (1 + LOG_2PI) / 2;
	return sum;
}

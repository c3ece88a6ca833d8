/*
 * refine.c - see refine.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/numeric/chi_square.h"
#include "core/numeric/linalg.h"
#include "core/numeric/vector.h"
#include "core/refine/refine.h"

#define MOST_FLOOR	0.5			/* of an eigenvalue, in a component's own frame */

DpemStatus
dpem_refine_theta(const DpemGmm *gmm, double radius, double *theta, DpemWorkspace work)
{
	DpemMomentLayout layout = {gmm->k, gmm->d, gmm->shape};

	theta[dpem_refine_theta_length(&layout) - 1] = radius;
	return dpem_gmm_theta(gmm, theta, work);
}

/* what a pass says of one component, in the frame that it had */
typedef struct Seen
{
	DpemMomentLayout one;
	double		size;
	double	   *mean;			/* d */
	double	   *covariance;		/* d * d */
	double		mean_variance;	/* of the noise in each number */
	double		second_variance;
} Seen;

/* clip(z) of a normal z has less variance than z */
static void
see(const DpemRefined *refined, const DpemNoisyMoments *m, int c, Seen *seen)
{
	int			d = seen->one.d;
	const double *record = m->value + c * dpem_moments_record(&seen->one);
	double		r = refined->radius;
	double		left = dpem_chi_clipped_share(d, 1, r);
	double		second = r * r / left;
	double		axes = seen->one.second == DPEM_SECOND_NORM ? d : 1;

	for (int j = 0; j < d; j++)
		seen->mean[j] = record[1 + j] / seen->size;
	dpem_gmm_central_moment(&seen->one, record, seen->size, seen->mean, seen->covariance);
	for (int i = 0; i < d * d; i++)
		seen->covariance[i] *= second;
	for (int j = 0; j < d; j++)
		seen->mean[j] *= r;
	seen->mean_variance = pow(m->sum_sd * r / seen->size, 2);
	seen->second_variance = pow(m->second_sd * second / (seen->size * axes), 2);
}

/* how far the covariance is from the identity, squared, for each number that it is made of: of svec */
static double
mean_square_move(const Seen *seen)
{
	size_t		d = (size_t) seen->one.d;
	double		sum = 0;

	if (seen->one.second == DPEM_SECOND_NORM)
		return pow(seen->covariance[0] - 1, 2);
	for (size_t i = 0; i < d * d; i++)
		sum += pow(seen->covariance[i] - (i % (d + 1) == 0), 2);
	return sum / dpem_moments_second_length(&seen->one);
}

/* the part of a move that is taken; *left, the variance of the noise in the parameters before, becomes that after it */
static double
weigh(double square, double noise, double *left)
{
	double		expected = fmax(square - noise, *left);
	double		part = noise > 0 ? expected / (expected + noise) : 1;

	*left = part * noise;
	return part;
}

/* mean and covariance by `part` of the way; then S = C (what was seen) C', C C' the component's covariance */
static DpemStatus
move(const Seen *seen, double mean_part, double second_part, double left, double *mean, double *covariance, DpemWorkspace work)
{
	int			d = seen->one.d;
	size_t		n = (size_t) d * d;
	double	   *factor = dpem_workspace_take(&work, n);
	double	   *product = dpem_workspace_take(&work, n);
	double		noise = 2 * sqrt(left * (seen->one.second == DPEM_SECOND_FULL ? d : 1));

	if (dpem_linalg_cholesky(d, covariance, factor) != DPEM_OK)
		return DPEM_OK;
	for (size_t i = 0; i < n; i++)
		seen->covariance[i] = (i % ((size_t) d + 1) == 0 ? 1 - second_part : 0) + second_part * seen->covariance[i];
	if (dpem_gmm_bound_eigenvalues(seen->one.second, d, fmin(noise, MOST_FLOOR), INFINITY, seen->covariance, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		for (int j = 0; j <= i; j++)
			mean[i] += factor[(size_t) i * d + j] * mean_part * seen->mean[j];
	dpem_linalg_multiply(d, factor, seen->covariance, product);
	dpem_linalg_multiply_nt(d, product, factor, covariance);
	return DPEM_OK;
}

static DpemStatus
step_component(DpemRefined *refined, const DpemNoisyMoments *m, int c, double least, DpemGmm *gmm, DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *mean = gmm->mean + c * d;
	double	   *covariance = gmm->covariance + c * d * d;
	Seen		seen = {.one = {1, gmm->d, gmm->shape},.size = refined->size[c]};
	double		mean_part;
	double		second_part;
	DpemStatus	status;

	seen.mean = dpem_workspace_take(&work, d);
	seen.covariance = dpem_workspace_take(&work, d * d);
	see(refined, m, c, &seen);
	mean_part = weigh(dpem_dot(seen.mean, seen.mean, d) / d, seen.mean_variance, &refined->mean_variance[c]);
	second_part = weigh(mean_square_move(&seen), seen.second_variance, &refined->second_variance[c]);
	status = move(&seen, mean_part, second_part, refined->second_variance[c], mean, covariance, work);
	dpem_into_ball(mean, d);
	return status == DPEM_OK ? dpem_gmm_bound_eigenvalues(gmm->shape, gmm->d, least, 1, covariance, work) : status;
}

size_t
dpem_refine_work(int d)
{
	size_t		n = (size_t) d * d;

	return 5 * n + 2 * (size_t) d + dpem_linalg_eigen_work(d);
}

DpemStatus
dpem_refine_step(DpemRefined *refined, const DpemNoisyMoments *m, double extra, double least, DpemGmm *gmm, DpemWorkspace work)
{
	size_t		record = dpem_moments_record(&m->layout);
	double		rows = 0;
	DpemStatus	status = DPEM_OK;

	refined->passes++;
	for (int c = 0; c < gmm->k; c++)
	{
		double		least_size = fmax(2 * m->count_sd / sqrt(refined->passes), 1e-9);

		refined->size[c] = fmax(refined->size[c] + (m->value[c * record] - refined->size[c]) / refined->passes, least_size);
		rows += refined->size[c] + extra;
	}
	for (int c = 0; c < gmm->k && status == DPEM_OK; c++)
	{
		gmm->weight[c] = (refined->size[c] + extra) / rows;
		status = step_component(refined, m, c, least, gmm, work);
	}
	return status;
}

/* of noise E with deviation 1 in every entry of svec, in an entry of C E C': sqrt((S_ii S_jj + S_ij^2) / 2), of domains of any size */
static double
covariance_deviation(DpemSecondMoment shape, double sii, double sjj, double sij)
{
	return shape == DPEM_SECOND_FULL ? hypot(sqrt(sii) * sqrt(sjj), sij) / M_SQRT2 : fabs(sij);
}

void
dpem_refine_noise_levels(const DpemRefined *refined, double count_sd, const DpemGmm *gmm, DpemGmmNoiseLevels *levels)
{
	size_t		d = (size_t) gmm->d;
	double		rows = 0;

	for (int c = 0; c < gmm->k; c++)
		rows += refined->size[c];
	for (int c = 0; c < gmm->k; c++)
	{
		const double *s = gmm->covariance + c * d * d;
		double		w = gmm->weight[c];

		levels->weight[c] = count_sd * sqrt(fmax(0, 1 - 2 * w + gmm->k * w * w) / refined->passes) / fmax(rows, 1);
		for (size_t i = 0; i < d; i++)
		{
			levels->mean[c * d + i] = sqrt(refined->mean_variance[c]) * sqrt(s[i * d + i]);
			for (size_t j = 0; j < d; j++)
				levels->covariance[(c * d + i) * d + j] =
					sqrt(refined->second_variance[c]) * covariance_deviation(gmm->shape, s[i * d + i], s[j * d + j], s[i * d + j]);
		}
	}
}

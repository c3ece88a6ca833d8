/*
 * gmm_seen.c - see gmm_seen.h.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_rules.h"
#include "core/gmm/gmm_seen.h"
#include "core/numeric/linalg.h"

/* n numbers, the same by another release, and the variances of their noise */
typedef struct TwoReleases
{
	int			n;
	double	   *value;
	double	   *variance;
	double	   *other;
	double	   *other_variance;
} TwoReleases;

static TwoReleases
take_two(int n, DpemWorkspace *work)
{
	return (TwoReleases) {
		n, dpem_workspace_take(work, n), dpem_workspace_take(work, n), dpem_workspace_take(work, n), dpem_workspace_take(work, n)
	};
}

/* a covariance, and the diagonal or the rest of it, which are combined one after the other */
size_t
dpem_gmm_seen_work(int d)
{
	size_t		most = (size_t) d * (d + 1) / 2;

	return 4 * most + 2 * (size_t) d * d;
}

/* variance by which the two differ beyond their noise, by weighted moments */
static double
misfit(const TwoReleases *t)
{
	double		top = 0;
	double		bottom = 0;

	for (int i = 0; i < t->n; i++)
	{
		double		v = t->variance[i] + t->other_variance[i];
		double		gap = t->value[i] - t->other[i];

		top += (gap * gap - v) / (v * v);
		bottom += 1 / (v * v);
	}
	return bottom > 0 ? fmax(top / bottom, 0) : 0;
}

/* the numbers by precision, and the variances that are left */
static void
combine(TwoReleases *t)
{
	double		wrong = misfit(t);

	for (int i = 0; i < t->n; i++)
	{
		double		keep = t->variance[i] / (t->variance[i] + t->other_variance[i] + wrong);

		t->value[i] += keep * (t->other[i] - t->value[i]);
		t->variance[i] *= 1 - keep;
	}
}

/* variances count by how precisely they are known; noise of the ratio, relative to it, leaves it near 1 */
double
dpem_gmm_seen_ratio(const DpemGmmSeen *seen, int d, const double *covariance, double sd)
{
	double		clip2 = DPEM_GMM_SEEN_CLIP * DPEM_GMM_SEEN_CLIP;
	double		trace = 0;
	double		other = 0;
	double		noise = 0;

	for (size_t j = 0; j < (size_t) d; j++)
	{
		double		variance = sd * sd + seen->variance[j * d + j];

		trace += covariance[j * d + j] / variance;
		other += seen->covariance[j * d + j] / variance;
		noise += 1 / variance;
	}
	if (!(other > 0))
		return 1;
	return fmax(1 + (trace / other - 1) * clip2 / (clip2 + noise / (other * other)), DPEM_GMM_SEEN_LEAST);
}

typedef struct Covariances
{
	const DpemGmmSeen *seen;
	int			d;
	double		factor;
	double		variance;		/* of a svec entry of the new one */
	double	   *covariance;
	double	   *left;			/* d x d */
} Covariances;

/* entries i > j or i == j; returns the variance left in svec entries, summed */
static double
combine_entries(const Covariances *c, bool diagonal, DpemWorkspace work)
{
	int			d = c->d;
	TwoReleases two = take_two(diagonal ? d : d * (d - 1) / 2, &work);
	double		left = 0;

	for (int i = 0, n = 0; i < d; i++)
		for (int j = diagonal ? i : 0; j < (diagonal ? i + 1 : i); j++, n++)
		{
			size_t		at = i * (size_t) d + j;

			two.value[n] = c->covariance[at];
			two.variance[n] = c->variance * (diagonal ? 1 : 0.5);
			two.other[n] = c->factor * c->seen->covariance[at];
			two.other_variance[n] = c->factor * c->factor * c->seen->variance[at];
		}
	combine(&two);
	for (int i = 0, n = 0; i < d; i++)
		for (int j = diagonal ? i : 0; j < (diagonal ? i + 1 : i); j++, n++)
		{
			c->covariance[i * (size_t) d + j] = c->covariance[j * (size_t) d + i] = two.value[n];
			c->left[i * (size_t) d + j] = c->left[j * (size_t) d + i] = two.variance[n];
			left += two.variance[n] * (diagonal ? 1 : 2);
		}
	return left;
}

/* returns the root mean square of the noise left */
static double
combine_means(const DpemGmmSeen *seen, int d, double sd, double *mean, DpemGmmSeen *left, DpemWorkspace work)
{
	TwoReleases two = take_two(d, &work);
	double		sum = 0;

	for (int j = 0; j < d; j++)
	{
		two.value[j] = mean[j];
		two.variance[j] = sd * sd;
		two.other[j] = 0;
		two.other_variance[j] = seen->mean_variance[j];
	}
	combine(&two);
	for (int j = 0; j < d; j++)
	{
		mean[j] = two.value[j];
		sum += two.variance[j] / d;
		if (left != NULL)
			left->mean_variance[j] = two.variance[j];
	}
	return sqrt(sum);
}

DpemGmmTotalNoise
dpem_gmm_seen_combine(const DpemGmmSeen *seen, DpemSecondMoment shape, int d, DpemGmmTotalNoise noise,
					  double *mean, double *covariance, DpemGmmSeen *left, DpemWorkspace work)
{
	bool		full = shape == DPEM_SECOND_FULL;
	double		variance = noise.second * noise.second;
	double	   *variances = dpem_workspace_take(&work, (size_t) d * d);
	Covariances c = {seen, d, dpem_gmm_seen_ratio(seen, d, covariance, noise.second), variance, covariance, variances};
	double		sum;

	memset(variances, 0, (size_t) d * d * sizeof(double));
	sum = combine_entries(&c, true, work);
	if (full)
		sum += combine_entries(&c, false, work);
	noise.second = sqrt(sum / (full ? d * (d + 1.0) / 2 : d));
	noise.mean = combine_means(seen, d, noise.mean, mean, left, work);
	if (left != NULL)
	{
		memcpy(left->covariance, covariance, (size_t) d * d * sizeof(double));
		memcpy(left->variance, variances, (size_t) d * d * sizeof(double));
	}
	return noise;
}

void
dpem_gmm_seen_rescale(int d, double unit, DpemGmmSeen *seen)
{
	double		unit2 = unit * unit;

	for (size_t i = 0; i < (size_t) d * d; i++)
	{
		seen->covariance[i] /= unit2;
		seen->variance[i] /= unit2 * unit2;
	}
	for (int j = 0; j < d; j++)
		seen->mean_variance[j] /= unit2;
}

void
dpem_gmm_seen_noise(DpemSecondMoment shape, int d, DpemGmmTotalNoise noise, DpemGmmSeen *seen)
{
	for (size_t i = 0; i < (size_t) d; i++)
	{
		seen->mean_variance[i] = noise.mean * noise.mean;
		for (size_t j = 0; j < (size_t) d; j++)
			seen->variance[i * d + j] = noise.second * noise.second * (i == j ? 1 : shape == DPEM_SECOND_FULL ? 0.5 : 0);
	}
}

/*
 * Entries of the noise E are independent but for its symmetry: the variance of (A E A')_ij is the sum over a and b of
 * A_ia^2 A_jb^2 Var E_ab, twice that on the diagonal where a and b differ; of other entries the products that this leaves out
 * have either sign.
 */
void
dpem_gmm_seen_transform(int d, const double *a, DpemGmmSeen *seen, DpemWorkspace work)
{
	size_t		n = (size_t) d * d;
	double	   *product = dpem_workspace_take(&work, n);
	double	   *squares = dpem_workspace_take(&work, n);
	double	   *own = dpem_workspace_take(&work, d);

	dpem_linalg_multiply(d, a, seen->covariance, product);
	dpem_linalg_multiply_nt(d, product, a, seen->covariance);
	for (size_t i = 0; i < n; i++)
		squares[i] = a[i] * a[i];
	for (int i = 0; i < d; i++)
	{
		own[i] = 0;
		for (int b = 0; b < d; b++)
			own[i] += squares[i * (size_t) d + b] * squares[i * (size_t) d + b] * seen->variance[b * (size_t) d + b];
	}
	dpem_linalg_multiply(d, squares, seen->variance, product);
	dpem_linalg_multiply_nt(d, product, squares, seen->variance);
	for (int i = 0; i < d; i++)
		seen->variance[i * (size_t) d + i] += seen->variance[i * (size_t) d + i] - own[i];
	memcpy(own, seen->mean_variance, d * sizeof(double));
	for (int i = 0; i < d; i++)
	{
		seen->mean_variance[i] = 0;
		for (int b = 0; b < d; b++)
			seen->mean_variance[i] += squares[i * (size_t) d + b] * own[b];
	}
}

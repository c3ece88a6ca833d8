/*
 * gmm_denoise.c - shrinking noisy covariances towards the pooled one.
 *
 * The pooled within-component covariance W is known far better than any
 * single one.  In coordinates in which W is the identity, the difference D of
 * a component's covariance to it is shrunk entry by entry by the empirical
 * Bayes factor kappa / (kappa + v): v is the exactly known noise variance of
 * the entry, kappa the variance of the entries themselves, estimated from
 * their squares.  Eigenvalues are floored at what the noise that is left
 * could fake.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_estimate.h"
#include "core/numeric/linalg.h"

#define LEAST_PRIOR			1e-6
#define LEAST_RELATIVE		0.5 	/* a component's least eigenvalue relative to W, at most */
#define KAPPA_START			0.5
#define KAPPA_ROUNDS		3

size_t
dpem_gmm_denoise_work(int d)
{
	return 8 * (size_t) d * d + 2 * (size_t) d + dpem_linalg_eigen_work(d);
}

/* W = second - between */
static void
pooled_within(const DpemGmmNoise *noise, const double *second, const DpemGmm *gmm, double *w)
{
	int			d = gmm->d;

	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
		{
			double		between = 0;

			for (int k = 0; k < gmm->k; k++)
				between += noise->size[k] * gmm->mean[k * (size_t) d + i] * gmm->mean[k * (size_t) d + j];
			w[i * (size_t) d + j] = i != j && gmm->shape != DPEM_SECOND_FULL ? 0
				: second[i * (size_t) d + j] - between / noise->rows;
		}
}

/*
 * Noise variance of entry (i, j) of a component's covariance relative to W,
 * as a svec entry, in the basis where W = diag(e).
 */
static double
entry_variance(const DpemGmmNoise *noise, const DpemGmm *gmm, int k, double ei, double ej)
{
	double		sd = noise->second_sd / noise->size[k];

	if (gmm->shape == DPEM_SECOND_NORM)
		sd /= gmm->d;			/* the noise of ||x||^2 is shared by d axes */
	return sd * sd / (ei * ej);
}

/* number of free entries in row i of the lower triangle, and where they start */
static int
first_entry(const DpemGmm *gmm, int i)
{
	return gmm->shape == DPEM_SECOND_FULL ? 0 : i;
}

/* prior variance of the entries of D, by weighted moments */
static double
entry_prior(const DpemGmmNoise *noise, const DpemGmm *gmm, int k, const double *e, const double *D)
{
	int			d = gmm->d;
	int			rows = gmm->shape == DPEM_SECOND_NORM ? 1 : d;
	double		kappa = KAPPA_START;

	for (int round = 0; round < KAPPA_ROUNDS; round++)
	{
		double		top = 0;
		double		bottom = 0;

		for (int i = 0; i < rows; i++)
			for (int j = first_entry(gmm, i); j <= i; j++)
			{
				double		v = entry_variance(noise, gmm, k, e[i], e[j]);
				double		u = (i == j ? 1 : 2) * D[i * (size_t) d + j] * D[i * (size_t) d + j];
				double		weight = 1 / ((v + kappa) * (v + kappa));

				top += weight * (u - v);
				bottom += weight;
			}
		kappa = bottom > 0 ? fmax(top / bottom, LEAST_PRIOR) : LEAST_PRIOR;
	}
	return kappa;
}

/* D := I + shrunk D; returns the root mean square of the noise left in a row of it */
static double
shrink_entries(const DpemGmmNoise *noise, const DpemGmm *gmm, int k, const double *e, double *D)
{
	int			d = gmm->d;
	double		kappa = entry_prior(noise, gmm, k, e, D);
	double		left = 0;

	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
		{
			double		v = entry_variance(noise, gmm, k, e[i], e[j]);
			double		f = kappa / (kappa + v);

			if (i != j && gmm->shape != DPEM_SECOND_FULL)
				continue;
			D[i * (size_t) d + j] = f * D[i * (size_t) d + j] + (i == j ? 1 : 0);
			left += f * f * (i == j ? 1 : 0.5) * v;
		}
	return sqrt(left / d);
}

typedef struct PooledBasis
{
	double	   *value;			/* d: floored eigenvalues of W */
	double	   *to;				/* rows v_i / sqrt(e_i): to' ... whitens */
	double	   *from;			/* rows v_i * sqrt(e_i) */
} PooledBasis;

static DpemStatus
pooled_basis(const DpemGmmNoise *noise, DpemSecondMoment shape, double *w, int d, PooledBasis *basis,
			 double *eigen_work)
{
	if (dpem_gmm_regularise(shape, d, noise->total_sd, 0, w, basis->value, eigen_work))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
	{
		double		root = sqrt(basis->value[i]);

		for (int j = 0; j < d; j++)
		{
			basis->to[i * (size_t) d + j] = w[i * (size_t) d + j] / root;
			basis->from[i * (size_t) d + j] = w[i * (size_t) d + j] * root;
		}
	}
	return DPEM_OK;
}

/* c := from' U' diag(g) U from, with U diag(g) U' the shrunk matrix, g floored */
static DpemStatus
clean_component(const DpemGmmNoise *noise, const DpemGmm *gmm, int k, const PooledBasis *basis,
				double *c, DpemWorkspace work)
{
	int			d = gmm->d;
	size_t		n = (size_t) d * d;
	double	   *a = dpem_workspace_take(&work, n);
	double	   *D = dpem_workspace_take(&work, n);
	double	   *g = dpem_workspace_take(&work, d);
	double		left;

	dpem_linalg_multiply(d, basis->to, c, a);
	dpem_linalg_multiply_nt(d, a, basis->to, D);
	for (int i = 0; i < d; i++)
		D[i * (size_t) d + i] -= 1;
	left = shrink_entries(noise, gmm, k, basis->value, D);
	if (dpem_linalg_eigen(d, D, g, dpem_workspace_take(&work, dpem_linalg_eigen_work(d))))
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
	{
		double		least = fmin(LEAST_RELATIVE, left);

		g[i] = g[i] >= least ? g[i] : least;
	}
	dpem_linalg_multiply(d, D, basis->from, a);
	dpem_linalg_rebuild(d, a, g, c, D);
	return DPEM_OK;
}

DpemStatus
dpem_gmm_denoise(const DpemGmmNoise *noise, const double *second, DpemGmm *gmm,
				 DpemWorkspace work)
{
	int			d = gmm->d;
	size_t		n = (size_t) d * d;
	double	   *w = dpem_workspace_take(&work, n);
	PooledBasis basis = {
		.value = dpem_workspace_take(&work, d),
		.to = dpem_workspace_take(&work, n),
		.from = dpem_workspace_take(&work, n)
	};
	DpemStatus	status;

	pooled_within(noise, second, gmm, w);
	{
		DpemWorkspace rest = work;

		status = pooled_basis(noise, gmm->shape, w, d, &basis,
							  dpem_workspace_take(&rest, dpem_linalg_eigen_work(d)));
	}
	for (int k = 0; k < gmm->k && status == DPEM_OK; k++)
		status = clean_component(noise, gmm, k, &basis, gmm->covariance + k * n, work);
	return status;
}

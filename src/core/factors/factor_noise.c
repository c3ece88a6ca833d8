/*
 * factor_noise.c - dpem_factors_noise_levels of factor_analysis.h.
 *
 * The solution satisfies C w_r = theta_r Psi w_r with w_m' Psi w_n = 1 (m = n) or
 * 0, and loading_r = Psi w_r sqrt(gamma_r), gamma_r = theta_r - 1.  Noise E in C
 * moves the noise variances to first order by
 *     delta_j = (Phi E Phi)_jj / Phi_jj^2,   Phi = Psi^-1 - sum_m w_m w_m',
 * and with them and E itself the generalized eigenproblem by
 *     (E - theta_r diag(delta)) w_r.
 * Var(u' E v) = s^2 (u'Mu v'Mv + (u'Mv)^2), M the metric; the covariance between
 * the parts is neglected.
 */
#include <math.h>
#include <string.h>

#include "core/factors/factor_analysis.h"
#include "core/numeric/linalg.h"

typedef struct Canonical
{
	const DpemFactors *f;
	double		s2;				/* variance of an off-diagonal entry of E */
	const double *m;			/* d * d: M, or NULL for the identity */
	double	   *w;				/* k * d */
	double	   *mw;				/* k * d: M w */
	double	   *gamma;			/* k */
	double	   *metric;			/* k * k: w_m' M w_n */
	double	   *turned;			/* k * k, for one factor: sum_j w_rj^2 w_mj w_nj Var(delta_j) */
	double	   *response;		/* k, for one factor: what delta does along each w_m */
} Canonical;

static Canonical
take_canonical(int d, int k, DpemWorkspace *work)
{
	return (Canonical) {
		.w = dpem_workspace_take(work, (size_t) k * d),.mw = dpem_workspace_take(work, (size_t) k * d),
			.gamma = dpem_workspace_take(work, k),
			.metric = dpem_workspace_take(work, (size_t) k * k),.turned = dpem_workspace_take(work, (size_t) k * k),
			.response = dpem_workspace_take(work, k)
	};
}

size_t
dpem_factors_noise_work(int d, int k)
{
	DpemWorkspace dry = {NULL, NULL};

	take_canonical(d, k, &dry);
	return dpem_workspace_taken(&dry);
}

/* a factor without loadings has no direction: w = 0 */
static void
make_canonical(Canonical *c)
{
	const DpemFactors *f = c->f;
	size_t		d = (size_t) f->d;

	for (int r = 0; r < f->k; r++)
	{
		const double *loading = f->loading + r * d;

		c->gamma[r] = 0;
		for (size_t j = 0; j < d; j++)
			c->gamma[r] += loading[j] * loading[j] / f->noise[j];
		for (size_t j = 0; j < d; j++)
			c->w[r * d + j] = c->gamma[r] > 0 ? loading[j] / (sqrt(c->gamma[r]) * f->noise[j]) : 0;
	}
	if (c->m == NULL)
		memcpy(c->mw, c->w, f->k * d * sizeof(double));
	else
		dpem_linalg_product_nt(f->k, f->d, f->d, c->w, f->d, c->m, f->d, c->mw, f->d);
	dpem_linalg_product_nt(f->k, f->k, f->d, c->w, f->d, c->mw, f->d, c->metric, f->k);
}

/* entry j of M's diagonal */
static double
own_metric(const Canonical *c, int j)
{
	return c->m == NULL ? 1 : c->m[j * (size_t) c->f->d + j];
}

/* (Phi M Phi)_jj, to rounding at least 0 */
static double
square_of_phi(const Canonical *c, int j)
{
	int			k = c->f->k;
	size_t		d = (size_t) c->f->d;
	double		psi = c->f->noise[j];
	double		square = own_metric(c, j) / (psi * psi);

	for (int m = 0; m < k; m++)
	{
		double		w = c->w[m * d + j];

		square -= 2 * w * c->mw[m * d + j] / psi;
		for (int n = 0; n < k; n++)
			square += w * c->w[n * d + j] * c->metric[m * k + n];
	}
	return fmax(square, 0);
}

/* of delta_j: sqrt(2) s (Phi M Phi)_jj / Phi_jj^2, at most the coordinate's whole variance */
static double
noise_level(const Canonical *c, int j)
{
	const DpemFactors *f = c->f;
	int			d = f->d;
	double		phi = 1 / f->noise[j];
	double		most = f->noise[j];

	for (int m = 0; m < f->k; m++)
	{
		double		w = c->w[m * (size_t) d + j];

		most += f->loading[m * (size_t) d + j] * f->loading[m * (size_t) d + j];
		phi -= w * w;
	}
	return phi > 0 ? fmin(sqrt(2 * c->s2) * square_of_phi(c, j) / (phi * phi), most) : most;
}

/* turned and response of factor r */
static void
prepare_factor(Canonical *c, int r, const double *noise_sd)
{
	int			k = c->f->k;
	int			d = c->f->d;
	double		theta = 1 + c->gamma[r];

	for (int m = 0; m < k; m++)
	{
		c->response[m] = theta / c->gamma[r] -
			(m == r ? 0.5 + theta / (2 * c->gamma[r]) : theta / (c->gamma[r] - c->gamma[m]));
		for (int n = 0; n < k; n++)
		{
			double		sum = 0;

			for (int j = 0; j < d; j++)
				sum += c->w[r * (size_t) d + j] * c->w[r * (size_t) d + j] * c->w[m * (size_t) d + j] *
					c->w[n * (size_t) d + j] * noise_sd[j] * noise_sd[j];
			c->turned[m * k + n] = sum;
		}
	}
}

/* variance of loading (r, j) that delta brings: sum_l h_l^2 Var(delta_l) */
static double
through_noise(const Canonical *c, int r, int j, double noise_sd)
{
	int			k = c->f->k;
	size_t		d = (size_t) c->f->d;
	double		psi = c->f->noise[j];
	double		w = c->w[r * d + j];
	double		own = -1 / c->gamma[r];	/* of delta_j itself */
	double		along = 0;
	double		sum = 0;

	for (int m = 0; m < k; m++)
	{
		along += psi * c->response[m] * c->w[m * d + j] * c->w[m * d + j];
		for (int n = 0; n < k; n++)
			sum += psi * psi * c->response[m] * c->response[n] * c->w[m * d + j] * c->w[n * d + j] *
				c->turned[m * k + n];
	}
	return c->gamma[r] * (sum + w * w * noise_sd * noise_sd * own * (own + 2 * along));
}

/* variance of loading (r, j) that E brings with the noise variances held fixed */
static double
directly(const Canonical *c, int r, int j)
{
	int			k = c->f->k;
	size_t		d = (size_t) c->f->d;
	double		psi = c->f->noise[j];
	double		own = c->metric[r * k + r];
	double		across = c->mw[r * d + j] / psi;	/* (Phi M w_r)_j */
	double		sum = 0;

	for (int m = 0; m < k; m++)
	{
		double		w = c->w[m * d + j];
		double		variance = c->metric[m * k + m] * own + c->metric[m * k + r] * c->metric[m * k + r];
		double		gap = m == r ? 2 * c->gamma[r] : c->gamma[r] - c->gamma[m];

		sum += w * w * variance * c->gamma[r] / (gap * gap);
		across -= w * c->metric[m * k + r];
	}
	sum += (square_of_phi(c, j) * own + across * across) / c->gamma[r];
	return c->s2 * psi * psi * sum;
}

void
dpem_factors_noise_levels(const DpemFactors *factors, double sd, const double *metric, double *loading_sd,
						  double *noise_sd, DpemWorkspace work)
{
	int			d = factors->d;
	int			k = factors->k;
	Canonical	c = take_canonical(d, k, &work);

	c.f = factors;
	c.m = metric;
	c.s2 = sd * sd / 2;
	make_canonical(&c);
	for (int j = 0; j < d; j++)
		noise_sd[j] = noise_level(&c, j);
	for (int r = 0; r < k; r++)
	{
		prepare_factor(&c, r, noise_sd);
		for (int j = 0; j < d; j++)
		{
			double		variance = fmax(through_noise(&c, r, j, noise_sd[j]), 0) + directly(&c, r, j);
			double		most = c.gamma[r] * factors->noise[j];

			/* what noise made may point anywhere, but is no larger than itself */
			loading_sd[r * (size_t) d + j] = sqrt(isfinite(variance) ? fmin(variance, most) : most);
		}
	}
}

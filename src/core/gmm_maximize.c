/*
 * gmm_maximize.c - the M-step on released moments (docs/estimation.md).
 *
 * Second moments of a component are handled as a vector of entries: the
 * packed lower triangle, the diagonal, or the one variance per axis, by the
 * mixture's shape.
 */
#include <math.h>
#include <string.h>

#include "gmm_denoise.h"
#include "gmm_estimate.h"
#include "gmm_whiten.h"
#include "linalg.h"

size_t
dpem_gmm_maximize_work(int k, int d)
{
	size_t		n = (size_t) d * d;

	return k * (1 + (size_t) d + n) + (1 + (size_t) d + n) + dpem_gmm_denoise_work(d) +
		4 * n + (size_t) d + dpem_linalg_eigen_work(d);
}

/*
 * Makes the components add up to the total, which is known better: every
 * entry's discrepancy is shared equally, the least-squares correction for
 * equal noise.
 */
static void
reconcile(double *records, const double *total, int k, size_t record)
{
	for (size_t i = 0; i < record; i++)
	{
		double		gap = total[i];

		for (int c = 0; c < k; c++)
			gap -= records[c * record + i];
		for (int c = 0; c < k; c++)
			records[c * record + i] += gap / k;
	}
}

/* noise of the total count, averaged over passes */
static double
total_count_sd(const DpemGmmHistory *h)
{
	return h->average.count_sd / sqrt(h->variance) * sqrt((double) h->average.layout.k / h->passes);
}

/* component sizes: floored at two noise standard deviations, then rescaled to the total */
static void
sizes(const DpemGmmHistory *h, const double *records, size_t record, double rows, double *size)
{
	int			k = h->average.layout.k;
	bool		noisy = h->average.sum_sd > 0;
	double		sum = 0;

	for (int c = 0; c < k; c++)
	{
		size[c] = fmax(records[c * record], noisy ? 2 * h->average.count_sd : 1e-9);
		sum += size[c];
	}
	for (int c = 0; noisy && c < k; c++)
		size[c] *= rows / sum;
}

/* central second moment of record r as a full matrix, given its size and mean */
static void
central_moment(const DpemMomentLayout *layout, const double *r, double size, const double *mean,
			   double *out)
{
	int			d = layout->d;
	const double *second = r + 1 + d;

	memset(out, 0, (size_t) d * d * sizeof(double));
	if (layout->second == DPEM_SECOND_NORM)
	{
		double		variance = second[0] / size;

		for (int j = 0; j < d; j++)
			variance -= mean[j] * mean[j];
		for (int j = 0; j < d; j++)
			out[j * (size_t) d + j] = variance / d;
		return;
	}
	for (int i = 0; i < d; i++)
		for (int j = layout->second == DPEM_SECOND_FULL ? 0 : i; j <= i; j++)
		{
			out[i * (size_t) d + j] = *second++ / size - mean[i] * mean[j];
			out[j * (size_t) d + i] = out[i * (size_t) d + j];
		}
}

/*
 * Normal-inverse-Wishart with m0 = 0, posterior mode ([DPEM] supplement):
 * (S0 + N C + kappa0 N / (kappa0 + N) m m') / (nu0 + N + d + 2); the diagonal
 * of that, or its trace over d, for the other shapes.
 */
static void
apply_prior(const DpemGmmRule *rule, DpemSecondMoment shape, int d, double size,
			const double *mean, double *c)
{
	double		divisor = rule->nu0 + size + d + 2;
	double		shrink = rule->kappa0 * size / (rule->kappa0 + size);
	double		norm2 = 0;

	for (int j = 0; j < d; j++)
		norm2 += mean[j] * mean[j];
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
		{
			double		outer = shape == DPEM_SECOND_FULL || i == j ? mean[i] * mean[j] : 0;

			if (shape == DPEM_SECOND_NORM && i == j)
				outer = norm2 / d;
			c[i * (size_t) d + j] = ((i == j ? rule->scale0 : 0) + size * c[i * (size_t) d + j] +
									 shrink * outer) / divisor;
		}
}

static double
between(double least, double value, double most)
{
	return value >= least ? value <= most ? value : most : least;
}

/* eigenvalues moved into [least, most] */
static DpemStatus
bound_eigenvalues(DpemSecondMoment shape, int d, double least, double most, double *c,
				  DpemWorkspace work)
{
	size_t		n = (size_t) d * d;
	double	   *vectors = dpem_workspace_take(&work, n);
	double	   *scratch = dpem_workspace_take(&work, n);
	double	   *value = dpem_workspace_take(&work, d);
	bool		moved = false;

	if (shape != DPEM_SECOND_FULL)
	{
		for (int j = 0; j < d; j++)
			c[j * (size_t) d + j] = between(least, c[j * (size_t) d + j], most);
		return DPEM_OK;
	}
	memcpy(vectors, c, n * sizeof(double));
	if (dpem_linalg_eigen(d, vectors, value, dpem_workspace_take(&work, dpem_linalg_eigen_work(d))))
		return DPEM_LAPACK_FAILED;
	for (int j = 0; j < d; j++)
	{
		moved |= !(value[j] >= least && value[j] <= most);
		value[j] = between(least, value[j], most);
	}
	if (moved)
		dpem_linalg_rebuild(d, vectors, value, c, scratch);
	return DPEM_OK;
}

/* the mean of points in the unit ball lies in it */
static void
project_mean(double *mean, size_t d)
{
	double		norm2 = 0;

	for (size_t j = 0; j < d; j++)
		norm2 += mean[j] * mean[j];
	for (size_t j = 0; j < d && norm2 > 1; j++)
		mean[j] /= sqrt(norm2);
}

/* maximum-likelihood parameters, cleaned of noise where there is any */
static DpemStatus
likelihood_parameters(const DpemGmmHistory *h, DpemGmm *gmm, double *size, DpemWorkspace work)
{
	const DpemMomentLayout *layout = &h->average.layout;
	size_t		record = dpem_moments_record(layout);
	size_t		d = (size_t) gmm->d;
	bool		noisy = h->average.sum_sd > 0;
	double	   *records = dpem_workspace_take(&work, gmm->k * record);
	double	   *total = dpem_workspace_take(&work, record);
	double		rows;

	memcpy(records, h->average.value, gmm->k * record * sizeof(double));
	memcpy(total, h->total, record * sizeof(double));
	rows = total[0] = noisy ? dpem_gmm_rows(h->total[0], total_count_sd(h), h->public_rows) : h->total[0];
	if (noisy)
		reconcile(records, total, gmm->k, record);
	sizes(h, records, record, rows, size);
	for (int k = 0; k < gmm->k; k++)
	{
		for (size_t j = 0; j < d; j++)
			gmm->mean[k * d + j] = records[k * record + 1 + j] / size[k];
		if (noisy)
			project_mean(gmm->mean + k * d, d);
		central_moment(layout, records + k * record, size[k], gmm->mean + k * d,
					   gmm->covariance + k * d * d);
	}
	if (!noisy)
		return DPEM_OK;
	{
		DpemGmmNoise noise = {
			.second_sd = h->average.second_sd,
			.total_sd = h->average.second_sd / sqrt(h->variance) *
			sqrt((double) gmm->k / h->passes) / rows,
			.rows = rows,.size = size
		};
		double	   *second = dpem_workspace_take(&work, d * d);
		double	   *zero = dpem_workspace_take(&work, d);

		memset(zero, 0, d * sizeof(double));
		central_moment(layout, total, rows, zero, second);
		return dpem_gmm_denoise(&noise, second, gmm, work);
	}
}

DpemStatus
dpem_gmm_maximize(const DpemGmmHistory *h, const DpemGmmRule *rule, DpemGmm *gmm,
				  DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *size = dpem_workspace_take(&work, gmm->k);
	double		rows = 0;
	double		extra = rule->map ? rule->dirichlet - 1 : 0;
	double		most = h->average.sum_sd > 0 ? 1 : INFINITY;	/* points in the unit ball */
	DpemStatus	status = likelihood_parameters(h, gmm, size, work);

	for (int k = 0; k < gmm->k; k++)
		rows += size[k];
	for (int k = 0; k < gmm->k && status == DPEM_OK; k++)
	{
		double	   *mean = gmm->mean + k * d;
		double	   *c = gmm->covariance + k * d * d;

		if (rule->map)
		{
			apply_prior(rule, gmm->shape, gmm->d, size[k], mean, c);
			for (size_t j = 0; j < d; j++)
				mean[j] *= size[k] / (size[k] + rule->kappa0);
		}
		gmm->weight[k] = (size[k] + extra) / (rows + gmm->k * extra);
		status = bound_eigenvalues(gmm->shape, gmm->d, rule->floor, most, c, work);
	}
	return status;
}

/*
 * gmm_maximize.c - the M-step on released moments (docs/estimation.md).
 *
 * Second moments of a component are handled as a vector of entries: the
 * packed lower triangle, the diagonal, or the one variance per axis, by the
 * mixture's shape.
 */
#include <math.h>
#include <string.h>

#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_estimate.h"
#include "core/gmm/gmm_whiten.h"
#include "core/numeric/linalg.h"
#include "core/numeric/vector.h"

size_t
dpem_gmm_maximize_work(int k, int d)
{
	size_t		n = (size_t) d * d;

	return k * (2 + (size_t) d + n) + (1 + (size_t) d + n) + dpem_gmm_denoise_work(d) +
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

/*
 * Normal-inverse-Wishart with m0 = 0, posterior mode ([DPEM] supplement):
 * (S0 + N C + kappa0 N / (kappa0 + N) m m') / (nu0 + N + d + 2); the diagonal
 * of that, or its trace over d, for the other shapes.
 */
void
dpem_gmm_apply_prior(const DpemGmmRule *rule, DpemSecondMoment shape, int d, double size,
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

DpemStatus
dpem_gmm_bound_eigenvalues(DpemSecondMoment shape, int d, double least, double most, double *c,
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

/*
 * Means towards the overall mean by g / (g + v): v is the known noise
 * variance, g the variance of means that the total leaves for them.
 */
static void
shrink_means(const DpemGmmHistory *h, const double *total, double rows, const double *size,
			 const double *second, DpemGmm *gmm)
{
	size_t		d = (size_t) gmm->d;
	double		g = 0;

	for (size_t j = 0; j < d; j++)
		g += (second[j * d + j] - total[1 + j] * total[1 + j] / (rows * rows)) / d;
	g = fmax(g * (1 - pow(gmm->k, -2.0 / gmm->d)), 1e-6);
	for (int k = 0; k < gmm->k && gmm->k > 1; k++)
	{
		double		sd = h->average.sum_sd / size[k];
		double		keep = g / (g + sd * sd);

		for (size_t j = 0; j < d; j++)
			gmm->mean[k * d + j] = total[1 + j] / rows +
				keep * (gmm->mean[k * d + j] - total[1 + j] / rows);
		dpem_into_ball(gmm->mean + k * d, d);
	}
}

typedef struct Estimate
{
	double	   *records;		/* k records, reconciled with the total */
	double	   *total;			/* one record */
	double	   *second;			/* d x d: second moment of all rows about the origin, per row */
	double	   *size;			/* k */
	double		rows;
} Estimate;

static void
component_moments(const DpemGmmHistory *h, const Estimate *e, DpemGmm *gmm)
{
	size_t		record = dpem_moments_record(&h->average.layout);
	size_t		d = (size_t) gmm->d;

	for (int k = 0; k < gmm->k; k++)
	{
		for (size_t j = 0; j < d; j++)
			gmm->mean[k * d + j] = e->records[k * record + 1 + j] / e->size[k];
	}
	if (h->average.sum_sd > 0)
		shrink_means(h, e->total, e->rows, e->size, e->second, gmm);
	for (int k = 0; k < gmm->k; k++)
		dpem_gmm_central_moment(&h->average.layout, e->records + k * record, e->size[k],
								gmm->mean + k * d, gmm->covariance + k * d * d);
}

/* maximum-likelihood parameters, cleaned of noise where there is any */
static DpemStatus
likelihood_parameters(const DpemGmmHistory *h, DpemGmm *gmm, double *size, DpemWorkspace work)
{
	const DpemMomentLayout *layout = &h->average.layout;
	size_t		record = dpem_moments_record(layout);
	size_t		d = (size_t) gmm->d;
	bool		noisy = h->average.sum_sd > 0;
	Estimate	e = {
		dpem_workspace_take(&work, gmm->k * record), dpem_workspace_take(&work, record),
		dpem_workspace_take(&work, d * d), size, h->total[0]
	};
	double	   *zero = dpem_workspace_take(&work, d);
	DpemGmmTotalNoise noise = {0};

	memcpy(e.records, h->average.value, gmm->k * record * sizeof(double));
	memcpy(e.total, h->total, record * sizeof(double));
	memset(zero, 0, d * sizeof(double));
	if (noisy)
	{
		e.rows = e.total[0] = dpem_known_rows(h->total[0], h->total_sd[0], h->public_rows);
		noise = dpem_gmm_history_total(h, e.rows, e.total, work);
		reconcile(e.records, e.total, gmm->k, record);
		dpem_gmm_central_moment(layout, e.total, e.rows, zero, e.second);
	}
	sizes(h, e.records, record, e.rows, size);
	component_moments(h, &e, gmm);
	if (!noisy)
		return DPEM_OK;
	return dpem_gmm_denoise(&(DpemGmmNoise) {h->average.second_sd, noise.second, e.rows, size},
							e.second, gmm, work);
}

/* the within-component covariance of all rows, for every component */
static void
tie_covariances(const double *size, double rows, DpemGmm *gmm)
{
	size_t		n = (size_t) gmm->d * gmm->d;

	for (size_t i = 0; i < n; i++)
	{
		double		mean = 0;

		for (int k = 0; k < gmm->k; k++)
			mean += size[k] / rows * gmm->covariance[k * n + i];
		for (int k = 0; k < gmm->k; k++)
			gmm->covariance[k * n + i] = mean;
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
			dpem_gmm_apply_prior(rule, gmm->shape, gmm->d, size[k], mean, c);
			for (size_t j = 0; j < d; j++)
				mean[j] *= size[k] / (size[k] + rule->kappa0);
		}
		gmm->weight[k] = (size[k] + extra) / (rows + gmm->k * extra);
	}
	if (rule->tied)
		tie_covariances(size, rows, gmm);
	for (int k = 0; k < gmm->k && status == DPEM_OK; k++)
	{
		double	   *c = gmm->covariance + k * d * d;

		status = dpem_gmm_bound_eigenvalues(gmm->shape, gmm->d, rule->floor, most, c, work);
	}
	return status;
}

DpemStatus
dpem_gmm_history_start(const DpemGmmHistory *h, DpemGmm *gmm, DpemWorkspace work)
{
	DpemMomentLayout layout = h->average.layout;
	size_t		d = (size_t) gmm->d;
	double	   *mean = dpem_workspace_take(&work, d);
	double	   *axes = dpem_workspace_take(&work, d * d);
	double	   *value = dpem_workspace_take(&work, d);
	bool		noisy = h->total_sd[0] > 0;
	double		rows = noisy ? dpem_known_rows(h->total[0], h->total_sd[0], h->public_rows)
		: fmax(h->total[0], 1);

	for (size_t j = 0; j < d; j++)
		mean[j] = h->total[1 + j] / rows;
	dpem_into_ball(mean, d);
	dpem_gmm_central_moment(&layout, h->total, rows, mean, axes);
	if (dpem_gmm_regularise(layout.second, gmm->d, noisy ? h->total_sd[2] / rows : 0, 0, axes, value,
							dpem_workspace_take(&work, dpem_linalg_eigen_work(gmm->d))))
		return DPEM_LAPACK_FAILED;
	dpem_gmm_start_from(gmm, mean, axes, value);
	return DPEM_OK;
}

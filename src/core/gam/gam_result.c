/*
 * gam_result.c - contributions about their mean over all rows, and what is known of their errors.
 */
#include <math.h>
#include <string.h>

#include "core/gam/gam_posterior.h"
#include "core/numeric/linalg.h"

/* variance of sum_i v_i b_i over all coefficients: v' K v - |reduced v|^2, and of its noise, N |V^-1 H K v|^2 */
static void
variance_of(const DpemGamRows *rows, const DpemGamPosterior *posterior, const double *v, double *work, double *sd, double *noise)
{
	int			n = rows->n;
	double	   *reduced = work;
	double	   *lever = work + n;
	double		sum = 0;
	double		square = 0;
	double		total = 0;

	dpem_linalg_product(n, 1, n, posterior->reduced, v, reduced);
	memset(lever, 0, n * sizeof(double));
	for (int i = 0; i < n; i++)
	{
		total += v[i];
		sum -= reduced[i] * reduced[i];
		for (int j = 0; j <= i; j++)
			lever[j] += posterior->factor[(size_t) i * n + j] * reduced[i];
	}
	for (int c = 0; c < rows->shape.columns; c++)
	{
		const double *block = dpem_gam_block(rows, posterior, c);
		int			s = rows->offset[c + 1] - rows->offset[c];
		const double *own = v + rows->offset[c];

		for (int i = 0; i < s; i++)
			for (int j = 0; j < s && own[i] != 0; j++)
				sum += own[i] * block[(size_t) i * s + j] * own[j];
	}
	sum += posterior->constant * total * total;
	for (int i = 0; i < n; i++)
		square += lever[i] * lever[i];
	*sd = sqrt(rows->dispersion * fmax(sum, 0));
	*noise = sqrt(rows->dispersion * posterior->noise * square);
}

/* a column's mean contribution is subtracted; v: n, the weights of coefficients in that of cell i */
static void
finish_column(const DpemGamRows *rows, const DpemGamPosterior *posterior, const double *mean, int c, double *v, double *work, DpemGamResult *result)
{
	int			first = rows->offset[c];
	int			last = rows->offset[c + 1];
	double		all = 0;
	double		level = 0;

	for (int i = first; i < last; i++)
		all += rows->count[i];
	for (int i = first; i < last && all > 0; i++)
		level += rows->count[i] * mean[i] / all;
	result->intercept += level;
	memset(v, 0, rows->n * sizeof(double));
	for (int i = first; i < last; i++)
	{
		for (int j = first; j < last; j++)
			v[j] = (i == j) - (all > 0 ? rows->count[j] / all : 0);
		result->contribution[i] = mean[i] - level;
		variance_of(rows, posterior, v, work, &result->sd[i], &result->noise[i]);
	}
}

DpemStatus
dpem_gam_finish(const DpemGamRows *rows, const DpemGamScore *score, DpemGamResult *result, DpemWorkspace work)
{
	DpemGamPosterior posterior;
	DpemStatus	status = dpem_gam_solve(rows, score, &posterior, &work);
	int			n = rows->n;
	double	   *v;

	if (status != DPEM_OK)
		return status;
	dpem_gam_reduce(rows, &posterior);
	v = dpem_workspace_take(&work, 3 * (size_t) n);
	result->intercept = rows->shape.targets == 1 ? rows->shape.middle : 0;
	for (int c = 0; c < rows->shape.columns; c++)
		finish_column(rows, &posterior, posterior.mean, c, v, v + n, result);
	for (int i = 0; i < n; i++)
		v[i] = rows->count[i] / rows->rows;
	variance_of(rows, &posterior, v, v + n, &result->intercept_sd, &result->intercept_noise);
	return DPEM_OK;
}

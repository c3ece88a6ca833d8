/*
 * gmm_noise.c - see gmm_noise.h.
 */
#include <math.h>

#include "core/gmm/gmm_noise.h"
#include "core/numeric/linalg.h"
#include "core/numeric/vector.h"

/* q_ij of gmm_noise.h over the squares of both lengths; cross: the rows' cosine */
static double
second_gain(DpemSecondMoment shape, const double *gi, const double *gj, size_t d, double li, double lj, double cross)
{
	double		sum = 0;

	switch (shape)
	{
		case DPEM_SECOND_FULL:
			return (1 + cross * cross) / 2;
		case DPEM_SECOND_DIAGONAL:
			for (size_t a = 0; a < d; a++)
				sum += pow(gi[a] / li * (gj[a] / lj), 2);
			return sum;
		case DPEM_SECOND_NORM:
			return cross * cross / ((double) d * d);
		default:
			break;
	}
	return 0;
}

typedef struct ComponentNoise
{
	size_t		d;
	DpemSecondMoment shape;
	double		count;			/* noise standard deviations over n */
	double		sum;
	double		second;
	const double *g;			/* linear map */
	const double *gm;			/* g m */
	const double *gcg;			/* g C g' */
} ComponentNoise;

/* in units of the rows' lengths, whose fourth powers overflow in domains that may be as wide as 1e100 */
static double
covariance_sd(const ComponentNoise *c, size_t i, size_t j)
{
	size_t		d = c->d;
	const double *gi = c->g + i * d;
	const double *gj = c->g + j * d;
	double		li = sqrt(dpem_dot(gi, gi, d));
	double		lj = sqrt(dpem_dot(gj, gj, d));
	double		mi = c->gm[i] / li;
	double		mj = c->gm[j] / lj;
	double		cross = dpem_dot(gi, gj, d) / li / lj;
	double		mean2 = mi * mi + mj * mj + 2 * mi * mj * cross;
	double		scale = c->gcg[i * d + j] / li / lj - mi * mj;

	if (!(li > 0 && lj > 0))
		return 0;
	return li * lj * sqrt(c->second * c->second * second_gain(c->shape, gi, gj, d, li, lj, cross) +
						  c->sum * c->sum * mean2 + c->count * c->count * scale * scale);
}

void
dpem_gmm_noise_levels(const DpemNoisyMoments *moments, const DpemGmm *gmm, double rows,
					  const DpemAffine *affine, DpemGmmNoiseLevels *levels, DpemWorkspace work)
{
	size_t		d = (size_t) gmm->d;
	double	   *product = dpem_workspace_take(&work, d * d);
	double	   *gcg = dpem_workspace_take(&work, d * d);
	double	   *gm = dpem_workspace_take(&work, d);

	for (int k = 0; k < gmm->k; k++)
	{
		double		w = gmm->weight[k];
		double		n = fmax(w * rows, 1);
		ComponentNoise c = {
			.d = d,.shape = gmm->shape,.count = moments->count_sd / n,.sum = moments->sum_sd / n,
			.second = moments->second_sd / n,.g = affine->linear,.gm = gm,.gcg = gcg
		};

		for (size_t i = 0; i < d; i++)
			gm[i] = dpem_dot(affine->linear + i * d, gmm->mean + k * d, d);
		dpem_linalg_multiply(gmm->d, affine->linear, gmm->covariance + k * d * d, product);
		dpem_linalg_multiply_nt(gmm->d, product, affine->linear, gcg);
		levels->weight[k] = moments->count_sd * sqrt(fmax(0, 1 - 2 * w + gmm->k * w * w)) / fmax(rows, 1);
		for (size_t i = 0; i < d; i++)
		{
			const double *gi = affine->linear + i * d;

			levels->mean[k * d + i] = sqrt(c.sum * c.sum * dpem_dot(gi, gi, d) +
										   c.count * c.count * gm[i] * gm[i]);
			for (size_t j = 0; j < d; j++)
				levels->covariance[(k * d + i) * d + j] = covariance_sd(&c, i, j);
		}
	}
}

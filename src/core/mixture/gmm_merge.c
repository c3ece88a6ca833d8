/*
 * gmm_merge.c - see gmm_merge.h.
 */
#include <math.h>
#include <string.h>

#include "core/mixture/gmm_merge.h"
#include "core/numeric/linalg.h"

typedef struct Merger
{
	double	   *log_det;		/* k, of the covariances */
	double	   *mean;			/* d: of two components together */
	double	   *covariance;		/* d * d */
	double	   *factor;			/* d * d */
	double	   *scratch;		/* d * d */
} Merger;

static Merger
take_merger(int k, int d, DpemWorkspace *work)
{
	size_t		square = (size_t) d * d;

	return (Merger) {
		dpem_workspace_take(work, k), dpem_workspace_take(work, d), dpem_workspace_take(work, square),
			dpem_workspace_take(work, square), dpem_workspace_take(work, square)
	};
}

size_t
dpem_gmm_merge_work(int k, int d)
{
	DpemWorkspace dry = {0};

	(void) take_merger(k, d, &dry);
	return dpem_workspace_taken(&dry);
}

static void
merge_pair(const DpemGmm *gmm, int a, int b, const Merger *m)
{
	size_t		d = (size_t) gmm->d;
	double		share = gmm->weight[b] / (gmm->weight[a] + gmm->weight[b]);
	const double *ma = gmm->mean + a * d;
	const double *mb = gmm->mean + b * d;
	const double *ca = gmm->covariance + a * d * d;
	const double *cb = gmm->covariance + b * d * d;

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			m->covariance[i * d + j] = (1 - share) * ca[i * d + j] + share * cb[i * d + j] +
				share * (1 - share) * (ma[i] - mb[i]) * (ma[j] - mb[j]);
	for (size_t i = 0; i < d; i++)
		m->mean[i] = (1 - share) * ma[i] + share * mb[i];
}

/* twice the bound: (wa + wb) log |Cab| - wa log |Ca| - wb log |Cb| */
static double
merge_cost(const DpemGmm *gmm, int a, int b, const Merger *m)
{
	double		both;

	merge_pair(gmm, a, b, m);
	if (dpem_linalg_inverse_cholesky(gmm->d, m->covariance, m->factor, &both, m->scratch) != DPEM_OK)
		return INFINITY;
	return (gmm->weight[a] + gmm->weight[b]) * both - gmm->weight[a] * m->log_det[a] - gmm->weight[b] * m->log_det[b];
}

static void
find_nearest(const DpemGmm *gmm, const Merger *m, int *first, int *second)
{
	double		least = INFINITY;

	*first = 0;
	*second = 1;
	for (int a = 0; a < gmm->k; a++)
		for (int b = a + 1; b < gmm->k; b++)
		{
			double		cost = merge_cost(gmm, a, b, m);

			*first = cost < least ? a : *first;
			*second = cost < least ? b : *second;
			least = fmin(cost, least);
		}
}

/* b's rows join a; the last component takes b's place */
static void
replace_pair(DpemGmm *gmm, int a, int b, const Merger *m)
{
	size_t		d = (size_t) gmm->d;
	int			last = gmm->k - 1;

	merge_pair(gmm, a, b, m);
	memcpy(gmm->mean + a * d, m->mean, d * sizeof(double));
	memcpy(gmm->covariance + a * d * d, m->covariance, d * d * sizeof(double));
	gmm->weight[a] += gmm->weight[b];
	gmm->weight[b] = gmm->weight[last];
	memmove(gmm->mean + b * d, gmm->mean + last * d, d * sizeof(double));
	memmove(gmm->covariance + b * d * d, gmm->covariance + last * d * d, d * d * sizeof(double));
	gmm->k = last;
}

DpemStatus
dpem_gmm_merge_nearest(DpemGmm *gmm, int *place, int n, DpemWorkspace work)
{
	Merger		m = take_merger(gmm->k, gmm->d, &work);
	size_t		square = (size_t) gmm->d * gmm->d;
	int			last = gmm->k - 1;
	int			a;
	int			b;

	for (int k = 0; k < gmm->k; k++)
		if (dpem_linalg_inverse_cholesky(gmm->d, gmm->covariance + k * square, m.factor, &m.log_det[k], m.scratch) != DPEM_OK)
			return DPEM_NO_SOLUTION;
	find_nearest(gmm, &m, &a, &b);
	replace_pair(gmm, a, b, &m);
	for (int i = 0; place != NULL && i < n; i++)
		place[i] = place[i] == b ? a : place[i] == last ? b : place[i];
	return DPEM_OK;
}

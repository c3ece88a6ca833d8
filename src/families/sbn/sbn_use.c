/*
 * sbn_use.c - evaluating sigmoid belief networks.
 */
#include "postgres.h"

#include <math.h>

#include "core/kernels/sbn_kernel.h"
#include "families/sbn/sbn.h"
#include "server/entropy.h"
#include "server/fit_memory.h"

#define SWEEPS	50				/* of a point's inference, which changes little after a few */

typedef struct ReadySbn
{
	const DpemModel *model;
	DpemSbn		sbn;
	DpemSbnRows point;			/* one row */
	double	   *on;				/* hidden */
} ReadySbn;

void *
dpem_sbn_load(DpemModel *model)
{
	ReadySbn   *ready = palloc(sizeof(ReadySbn));

	ready->model = model;
	ready->sbn = (DpemSbn) {
		model->d, model->k, dpem_model_numbers(model, DPEM_SBN_BIAS) + 1, dpem_model_numbers(model, DPEM_SBN_WEIGHT)
	};
	ready->on = dpem_fit_allocate(model->k);
	dpem_sbn_rows_init(&ready->sbn, 1, dpem_fit_allocate(dpem_sbn_rows_work(&ready->sbn)), &ready->point);
	return ready;
}

/* as rows are read: 1 from the middle of the domain on */
static void
infer(ReadySbn *ready, const double *x)
{
	const DpemModel *m = ready->model;

	for (int j = 0; j < m->d; j++)
		ready->point.half[(size_t) j * DPEM_BLOCK_GROUP] = x[j] / 2 >= m->lower[j] / 4 + m->upper[j] / 4 ? 0.5 : -0.5;
	dpem_sbn_infer(&ready->sbn, SWEEPS, &ready->point);
}

/* probability of each hidden unit */
const double *
dpem_sbn_posterior(void *model, const double *x, int *n)
{
	ReadySbn   *ready = model;

	infer(ready, x);
	for (int k = 0; k < ready->sbn.hidden; k++)
		ready->on[k] = ready->point.on[(size_t) (k + 1) * DPEM_BLOCK_GROUP];
	*n = ready->sbn.hidden;
	return ready->on;
}

/* a lower bound of ln p(x) */
double
dpem_sbn_log_density(void *model, const double *x)
{
	ReadySbn   *ready = model;

	infer(ready, x);
	return dpem_sbn_bound(&ready->sbn, &ready->point, 0);
}

static double
flip(DpemSampler *sampler, double log_odds)
{
	return dpem_entropy_uniform(sampler) < 1 / (1 + exp(-log_odds)) ? 1 : 0;
}

/* hidden units, then columns; a column is one of the bounds of its domain */
void
dpem_sbn_sample(void *model, DpemSampler *sampler, double *x)
{
	ReadySbn   *ready = model;
	const DpemSbn *sbn = &ready->sbn;

	for (int k = 0; k < sbn->hidden; k++)
		ready->on[k] = flip(sampler, sbn->bias[k]);
	for (int j = 0; j < sbn->d; j++)
	{
		double		score = sbn->weight[j];

		for (int k = 0; k < sbn->hidden; k++)
			score += ready->on[k] * sbn->weight[(size_t) (k + 1) * sbn->d + j];
		x[j] = flip(sampler, score) > 0 ? ready->model->upper[j] : ready->model->lower[j];
	}
}

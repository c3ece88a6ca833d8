/*
 * two_class_fixture.h - fits of a logistic regression of two classes, the second of which is all but the first of a table (softmax_fixture.h).
 */
#ifndef TWO_CLASS_FIXTURE_H
#define TWO_CLASS_FIXTURE_H

#include "core/logit/logit_secant.h"
#include "core/replay/logit_model.h"
#include "core/replay/logit_noise.h"
#include "replay_fixture.h"

#define GRADIENTS	4
#define CONSTANT	0.5

typedef struct Noisy
{
	DpemLogitStatistics s;
	DpemLogit	fit;
	DpemLogitHistory history;
	DpemNoisyMoments gradient[GRADIENTS];
	double		first[SECOND];
	double		gradients[GRADIENTS][RECORD];
	double		at[GRADIENTS * D];
	DpemLogitSecant secant;
	DpemLogitModel model;
	DpemWorkspace work;
} Noisy;

static inline Noisy *
create(double first_sd, double gradient_sd)
{
	Noisy	   *n = calloc(1, sizeof(Noisy));
	size_t		take = dpem_logit_take_work(D);
	size_t		work = take + dpem_logit_estimate_work(D) + dpem_logit_model_step_work(D);
	double	   *start = zeros(work);
	DpemWorkspace model = unset_workspace(dpem_logit_model_work(D));

	n->work = (DpemWorkspace) {start, start + work};
	n->model = dpem_logit_model_take(D, &model);
	dpem_logit_secant_begin(D, zeros(dpem_logit_secant_length(D)), &n->secant);
	n->s = (DpemLogitStatistics) {
		.d = D,.linear = zeros(D),.curvature = zeros(D * D),.second = zeros(D * D),.model = zeros(D * D),.origin = zeros(D),
		.constant = true,.value = CONSTANT,.secant = &n->secant
	};
	n->fit = (DpemLogit) {.d = D,.mean = zeros(D),.covariance = zeros(D * D),.turn = zeros(D * D),.share = 1};
	n->history = (DpemLogitHistory) {
		.whole = CONSTANT,.gradients = GRADIENTS,.planned = GRADIENTS,.gradient = n->gradient,.gradient_scale = 1,.at = n->at,
		.first = {.layout = {1, D, DPEM_SECOND_FULL},.value = n->first,.count_sd = first_sd,.sum_sd = first_sd,.second_sd = first_sd}
	};
	for (int i = 0; i < GRADIENTS; i++)
		n->gradient[i] = (DpemNoisyMoments) {.layout = {1, D, DPEM_SECOND_NONE},.value = n->gradients[i],.sum_sd = gradient_sd};
	return n;
}

/* ---- rows ---- */

static inline void
sum_first(const Table *t, double *value)
{
	memset(value, 0, SECOND * sizeof(double));
	for (int i = 0; i < N_ROWS; i++)
	{
		double	   *at = value + RECORD;

		value[0]++;
		for (int j = 0; j < D; j++)
		{
			value[1 + j] += (t->class[i] > 0 ? 1 : -1) * t->x[i][j];
			for (int l = 0; l <= j; l++)
				*at++ += t->x[i][j] * t->x[i][l];
		}
	}
}

static inline void
sum_gradient(const Table *t, const double *mean, double *value)
{
	memset(value, 0, RECORD * sizeof(double));
	for (int i = 0; i < N_ROWS; i++)
		for (int j = 0; j < D; j++)
			value[1 + j] += ((t->class[i] > 0) - 1 / (1 + exp(-score(mean, t->x[i])))) * t->x[i][j];
}

/* ---- fits ---- */

/* to n->history.modelled's steps or not */
static inline DpemStatus
take_gradient(Noisy *n, int pass)
{
	if (n->history.modelled)
		return dpem_logit_model_gradient(&n->gradient[pass], 1, pass, &n->s, &n->fit, &n->model, n->work);
	dpem_logit_take_gradient(&n->gradient[pass], 1, &n->fit, pass, &n->s, n->work);
	return dpem_logit_estimate_step(&n->s, 0, &n->fit, n->work);
}

static inline void
take_first_pass(Rng *rng, const Table *t, Noisy *n)
{
	bool		ok;

	memset(n->fit.mean, 0, D * sizeof(double));
	memset(n->fit.covariance, 0, D * D * sizeof(double));
	n->fit.share = 1;
	n->secant.tail = 0;
	sum_first(t, n->first);
	add_second_noise(rng, n->history.first.sum_sd, n->first);
	ok = dpem_logit_take_first(&n->history.first, 0, &n->s, n->work) == DPEM_OK;
	dpem_logit_find_origin(&n->s);
	dpem_logit_take_curvature(&n->history.first, 1, &n->fit, 0, &n->s, n->work);
	ok &= dpem_logit_estimate(&n->s, 0, &n->fit, n->work) == DPEM_OK;
	if (n->history.modelled)
		ok &= dpem_logit_model_begin(&n->s, &n->history.first, CONSTANT, GRADIENTS, &n->fit, &n->model, n->work) == DPEM_OK;
	CHECK(ok, "a first pass");
}

static inline void
fit_rows(Rng *rng, const Table *t, Noisy *n)
{
	take_first_pass(rng, t, n);
	for (int i = 0; i < GRADIENTS; i++)
	{
		memcpy(n->at + i * D, n->fit.mean, D * sizeof(double));
		sum_gradient(t, n->fit.mean, n->gradients[i]);
		add_noise(rng, n->gradient[i].sum_sd, n->gradients[i], RECORD);
		CHECK(take_gradient(n, i) == DPEM_OK, "a gradient");
	}
}

#endif							/* TWO_CLASS_FIXTURE_H */

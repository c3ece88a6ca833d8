/*
 * logit_noise.c - the noise in coefficients of a logistic regression of two classes: what passes release is kept, and taken again with
 * more noise (core/replay/logit_noise.h).
 */
#include "postgres.h"

#include "storage/shmem.h"

#include "core/replay/logit_noise.h"
#include "families/logit/logit.h"
#include "server/fit_memory.h"

DpemNoisyMoments
dpem_logit_create_kept(DpemMomentLayout layout)
{
	return (DpemNoisyMoments) {.layout = layout,.value = dpem_fit_allocate(dpem_moments_length(&layout))};
}

DpemLogitHistory *
dpem_logit_keep_history(const DpemFitPlan *plan, double whole)
{
	int			gradients = plan->iterations - 1;
	DpemLogitHistory *h;

	if (!plan->noisy || !plan->request->bind.constant || dpem_logit_noise_draws(false, plan->d, gradients, plan->groups) == 0)
		return NULL;
	h = palloc0(sizeof(DpemLogitHistory));
	h->public_rows = plan->public_rows;
	h->prior_variance = ((const DpemLogitRequest *) plan->request)->prior_variance;
	h->whole = whole;
	h->first = dpem_logit_create_kept((DpemMomentLayout) {1, plan->d, DPEM_SECOND_FULL});
	h->gradient = palloc0(mul_size(gradients, sizeof(DpemNoisyMoments)));
	for (int i = 0; i < gradients; i++)
		h->gradient[i] = dpem_logit_create_kept((DpemMomentLayout) {1, plan->d, DPEM_SECOND_NONE});
	h->at = dpem_fit_allocate((size_t) gradients * plan->d);
	return h;
}

void
dpem_logit_keep(const DpemNoisyMoments *m, DpemNoisyMoments *kept)
{
	double	   *value = kept->value;

	memcpy(value, m->value, dpem_moments_length(&m->layout) * sizeof(double));
	*kept = *m;
	kept->value = value;
}

void
dpem_logit_note(DpemLogitHistory *h, const DpemNoisyMoments *m, double scale, int pass, const double *at)
{
	dpem_logit_keep(m, pass > 1 ? &h->gradient[pass - 2] : &h->first);
	if (pass == 1)
		return;
	memcpy(h->at + (size_t) (pass - 2) * m->layout.d, at, m->layout.d * sizeof(double));
	h->gradients = pass - 1;
	h->gradient_scale = scale;
}

double *
dpem_logit_find_noise(const DpemLogitHistory *h, const DpemLogitStatistics *s, const double *mean, int groups, int *draws)
{
	DpemWorkspace work = dpem_fit_workspace_unset(dpem_logit_noise_work(s, h->gradients));
	double	   *start = work.next;
	DpemLogitReplay *replay = dpem_logit_noise_begin(h, s, &work);
	double	   *moved;

	*draws = dpem_logit_noise_draws(h->modelled, s->d, h->gradients, groups);
	moved = dpem_fit_allocate((size_t) s->d * *draws);
	for (int draw = 0, most = *draws; draw < most && *draws > 0; draw++)
	{
		dpem_fit_pause();
		/* the coefficients are paid for, whatever noisier numbers come to */
		if (dpem_logit_noise_draw(replay, most, draw, mean, moved) != DPEM_OK)
			*draws = 0;
	}
	pfree(start);
	return moved;
}

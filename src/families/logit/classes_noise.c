/*
 * classes_noise.c - the noise in coefficients of linear classifiers: what passes release is kept, and taken again with
 * more noise (core/replay/class_noise.h).
 */
#include "postgres.h"

#include "storage/shmem.h"

#include "families/logit/classes_run.h"
#include "server/fit_memory.h"

static DpemClassHistory *
create_history(const DpemFitPlan *plan, const DpemClassFit *fit)
{
	DpemClassHistory *h = palloc0(sizeof(DpemClassHistory));
	DpemMomentLayout by_class = {fit->problems, fit->d, DPEM_SECOND_NONE};
	int			gradients = plan->iterations - 2;

	h->public_rows = plan->public_rows;
	h->second = dpem_logit_create_kept((DpemMomentLayout) {1, fit->d, DPEM_SECOND_FULL});
	h->sums = dpem_logit_create_kept(by_class);
	h->gradient = palloc0(mul_size(gradients, sizeof(DpemNoisyMoments)));
	for (int i = 0; i < gradients; i++)
		h->gradient[i] = dpem_logit_create_kept(by_class);
	h->at = dpem_fit_allocate((size_t) gradients * fit->problems * fit->d);
	return h;
}

void
dpem_classes_keep_history(const DpemFitPlan *plan, DpemClassesRun *run)
{
	DpemClassFit *fit = &run->classes;

	fit->draws = dpem_class_noise_draws(fit, plan->iterations - 2, plan->groups);
	if (fit->draws == 0)
		return;
	run->history = create_history(plan, fit);
	if (fit->together)
		fit->spread = dpem_fit_allocate((size_t) fit->d * fit->d);
	for (int k = 0; k < fit->problems; k++)
	{
		if (fit->together)
			fit->problem[k].center = dpem_fit_allocate(fit->d);
		fit->problem[k].moved = dpem_fit_allocate((size_t) fit->d * fit->draws);
	}
}

void
dpem_classes_note_first(const DpemFitRun *fit, DpemClassesRun *run, bool sums, double scale, const DpemNoisyMoments *m)
{
	for (int g = 0; g < fit->plan->groups && run->history; g++)
	{
		DpemClassHistory *h = run[g].history;

		h->sums_scale = scale;
		dpem_logit_keep(&m[g], sums ? &h->sums : &h->second);
	}
}

void
dpem_classes_note_gradient(const DpemFitRun *fit, DpemClassesRun *run, int before, double scale, const DpemNoisyMoments *m)
{
	size_t		n = (size_t) run->classes.problems * run->classes.d;

	for (int g = 0; g < fit->plan->groups && run->history; g++)
	{
		DpemClassHistory *h = run[g].history;

		h->gradients = before + 1;
		h->gradient_scale = scale;
		dpem_logit_keep(&m[g], &h->gradient[before]);
		memcpy(h->at + before * n, run[g].theta + DPEM_CLASS_HEAD, n * sizeof(double));
	}
}

void
dpem_classes_find_noise(DpemClassesRun *run)
{
	DpemClassFit *fit = &run->classes;
	DpemWorkspace work;
	double	   *start;
	DpemClassReplay *replay;

	if (run->history == NULL)
		return;
	work = dpem_fit_workspace_unset(dpem_class_noise_work(fit, run->history->gradients));
	start = work.next;
	replay = dpem_class_noise_begin(run->history, fit, &work);
	for (int draw = 0; draw < fit->draws; draw++)
	{
		dpem_fit_pause();
		/* the coefficients are paid for, whatever noisier numbers come to; their noise is that of the last gradient then */
		if (dpem_class_noise_draw(replay, draw, fit) != DPEM_OK)
			fit->draws = 0;
	}
	pfree(start);
}

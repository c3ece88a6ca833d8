/*
 * evaluation_use.c - where a model's own rows have their log-density, from rows drawn from it: public, and free of charge.
 */
#include "postgres.h"

#include <math.h>

#include "core/evaluation/evaluate_rules.h"
#include "core/lda/lda_evaluate.h"
#include "core/numeric/vector.h"
#include "families/evaluation/evaluation.h"
#include "server/entropy.h"

#define DRAWS		1000
#define RARE		20			/* of the draws on either side are left out */
#define DEFAULT_LOW	(-30.0)		/* per coordinate, for what cannot be drawn */

static double
drawn_density(const DpemEvaluationRequest *r, DpemSampler *sampler, double *x, double *own)
{
	const DpemModelUse *use = &r->family->use;

	use->sample(r->ready, sampler, x);
	memcpy(own, x, r->model->d * sizeof(double));
	dpem_model_from_coordinates(r->model, own);
	return use->log_density(r->ready, x) + (use->discrete ? 0 : dpem_model_log_volume(r->model, own));
}

/* from three widths below the drawn ones to one above, in whole numbers, so that two calls mostly agree */
static void
set_drawn_range(DpemEvaluationRequest *r)
{
	double	   *density = palloc(DRAWS * sizeof(double));
	double	   *x = palloc(2 * r->model->d * sizeof(double));
	DpemSampler sampler;
	double		width;

	dpem_sampler_init(&sampler, &dpem_strong_entropy);
	for (int i = 0; i < DRAWS; i++)
		density[i] = drawn_density(r, &sampler, x, x + r->model->d);
	dpem_sampler_wipe(&sampler);
	qsort(density, DRAWS, sizeof(double), dpem_ascending);
	width = fmax(density[DRAWS - 1 - RARE] - density[RARE], 1);
	r->low = floor(density[RARE] - 3 * width);
	r->high = ceil(density[DRAWS - 1 - RARE] + width);
	if (r->family->use.discrete)
		r->high = fmin(r->high, 0);
}

void
dpem_evaluation_range(DpemEvaluationRequest *r)
{
	if (dpem_evaluation_has_classes(r->kind))
	{
		r->high = r->kind == DPEM_EVALUATE_CLASSES ? DPEM_EVALUATE_LOG_ODDS : DPEM_EVALUATE_MARGIN;
		r->low = -r->high;
		return;
	}
	if (r->kind == DPEM_EVALUATE_TOPICS)
	{
		dpem_lda_word_bounds(r->family->use.topics(r->ready), DPEM_EVALUATE_WORD_REACH, &r->low, &r->high);
		return;
	}
	r->low = r->kind == DPEM_EVALUATE_DENSITY ? DEFAULT_LOW * r->model->d : 0;
	r->high = r->kind == DPEM_EVALUATE_DENSITY ? -DEFAULT_LOW * r->model->d : r->model->d;
	if (r->kind == DPEM_EVALUATE_DENSITY && r->family->use.sample != NULL)
		set_drawn_range(r);
}

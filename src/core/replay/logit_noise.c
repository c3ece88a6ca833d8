/*
 * logit_noise.c - see logit_noise.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_law.h"
#include "core/logit/logit_secant.h"
#include "core/replay/logit_model.h"
#include "core/replay/logit_noise.h"
#include "core/replay/noisier.h"

#define MOST_DRAWS	24			/* a deviation of so many is known to 14 % */
#define LEAST_DRAWS	6
#define MOST_WORK	2e9			/* operations of all draws: a quarter of a second */
#define ESTIMATE	300			/* times d^3 operations, for the first coefficients: dozens of eigenvalue problems */
#define STEP		40			/* the same of a gradient's */

#define SHARES		2e6			/* operations, weights of a typical row by quadrature until the prior's precision has settled, whatever d is */

static const DpemMarginLoss logistic = {DPEM_LOSS_LOGISTIC, 1};

struct DpemLogitReplay
{
	const DpemLogitHistory *history;
	DpemLogitStatistics s;		/* of noisier numbers */
	DpemLogit	fit;
	DpemLogitModel law;			/* of which its rows' gradients are asked alone */
	DpemStatus	status;			/* of that */
	DpemLogitModel model;		/* of noisier numbers */
	DpemNoisyMoments released;	/* these numbers */
	double	   *there;			/* gradients x d: the law's gradients where gradients were released */
	double	   *here;			/* d: and where the draw has led to */
	DpemPublicRandom random;
	DpemWorkspace work;
};

int
dpem_logit_noise_draws(bool modelled, int d, int gradients, int groups)
{
	double		step = modelled ? dpem_logit_model_cost(d) : STEP * pow(d, 3);
	double		work = gradients * (dpem_class_law_cost(1, d, &logistic) + step) + ESTIMATE * pow(d, 3) + SHARES;
	double		draws = MOST_WORK / (work * groups);

	return gradients == 0 || draws < LEAST_DRAWS ? 0 : (int) fmin(draws, MOST_DRAWS);
}

/* ---- memory ---------------------------------------------------------------------- */

/* what releases change */
static void
take_statistics(DpemLogitStatistics *s, DpemLogit *fit, DpemWorkspace *work)
{
	size_t		d = (size_t) s->d;

	s->linear = dpem_workspace_take(work, d);
	s->curvature = dpem_workspace_take(work, d * d);
	s->second = dpem_workspace_take(work, d * d);
	s->model = dpem_workspace_take(work, d * d);
	s->origin = s->origin ? dpem_workspace_take(work, d) : NULL;
	if (s->secant)
		s->secant = dpem_logit_secant_create(s->d, work);
	*fit = (DpemLogit) {
		.d = s->d,.mean = dpem_workspace_take(work, d),.covariance = dpem_workspace_take(work, d * d),.turn = dpem_workspace_take(work, d * d)
	};
}

static size_t
released_length(int d)
{
	return 1 + (size_t) d + (size_t) d * (d + 1) / 2;
}

static DpemLogitReplay
take(const DpemLogitStatistics *s, int gradients, DpemWorkspace *work)
{
	DpemLogitReplay r = {.s = *s,.status = DPEM_OK,.law = dpem_logit_model_take(s->d, work),.model = dpem_logit_model_take(s->d, work)};

	r.released.value = dpem_workspace_take(work, released_length(s->d));
	r.there = dpem_workspace_take(work, (size_t) gradients * s->d);
	r.here = dpem_workspace_take(work, s->d);
	take_statistics(&r.s, &r.fit, work);
	return r;
}

static size_t
draw_work(int d)
{
	size_t		model = dpem_logit_model_step_work(d);
	size_t		estimate = dpem_logit_estimate_work(d);
	size_t		taken = dpem_logit_take_work(d);
	size_t		most = estimate > taken ? estimate : taken;

	return model > most ? model : most;
}

size_t
dpem_logit_noise_work(const DpemLogitStatistics *s, int gradients)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) dpem_workspace_take_bytes(&dry, sizeof(DpemLogitReplay));
	(void) take(s, gradients, &dry);
	return dpem_workspace_taken(&dry) + draw_work(s->d);
}

/* ---- draws ------------------------------------------------------------------------ */

DpemLogitReplay *
dpem_logit_noise_begin(const DpemLogitHistory *h, const DpemLogitStatistics *s, DpemWorkspace *work)
{
	DpemLogitReplay *r = dpem_workspace_take_bytes(work, sizeof(DpemLogitReplay));

	*r = take(s, h->gradients, work);
	r->history = h;
	r->random = dpem_public_seed(h->first.value, dpem_moments_length(&h->first.layout));
	r->work = *work;
	r->status = dpem_logit_find_law(s, &h->first, h->whole, &r->law, r->work);
	if (r->status != DPEM_OK)
		return r;
	for (int i = 0; i < h->gradients; i++)
		dpem_class_law_gradient(h->at + (size_t) i * s->d, &r->law.law, r->there + (size_t) i * s->d);
	return r;
}

static DpemStatus
take_first(DpemLogitReplay *r)
{
	const DpemLogitHistory *h = r->history;
	size_t		square = (size_t) r->s.d * r->s.d;
	DpemStatus	status;

	memset(r->fit.mean, 0, r->s.d * sizeof(double));
	memset(r->fit.covariance, 0, square * sizeof(double));
	r->fit.share = 1;
	if (r->s.secant)
		r->s.secant->tail = 0;
	dpem_noisier_add(&h->first, &r->random, &r->released);
	status = dpem_logit_take_first(&r->released, h->public_rows, &r->s, r->work);
	if (status != DPEM_OK)
		return status;
	if (r->s.origin)
		dpem_logit_find_origin(&r->s);
	dpem_logit_take_curvature(&r->released, 1, &r->fit, 0, &r->s, r->work);
	status = dpem_logit_estimate(&r->s, h->prior_variance, &r->fit, r->work);
	if (status == DPEM_OK && h->modelled)
		status = dpem_logit_model_begin(&r->s, &r->released, h->whole, h->planned, &r->fit, &r->model, r->work);
	return status;
}

static DpemStatus
take_gradient(DpemLogitReplay *r, int pass)
{
	const DpemLogitHistory *h = r->history;
	const double *there = r->there + (size_t) pass * r->s.d;

	dpem_class_law_gradient(r->fit.mean, &r->law.law, r->here);
	dpem_noisier_add(&h->gradient[pass], &r->random, &r->released);
	for (int j = 0; j < r->s.d; j++)
		r->released.value[1 + j] += (r->here[j] - there[j]) / h->gradient_scale;
	if (h->modelled)
		return dpem_logit_model_gradient(&r->released, h->gradient_scale, pass, &r->s, &r->fit, &r->model, r->work);
	dpem_logit_take_gradient(&r->released, h->gradient_scale, &r->fit, pass, &r->s, r->work);
	return dpem_logit_estimate_step(&r->s, h->prior_variance, &r->fit, r->work);
}

DpemStatus
dpem_logit_noise_draw(DpemLogitReplay *r, int draws, int draw, const double *mean, double *moved)
{
	double		unit = 1 / (DPEM_NOISIER_PART * sqrt(draws));
	DpemStatus	status = r->status;

	if (status == DPEM_OK)
		status = take_first(r);
	for (int i = 0; i < r->history->gradients && status == DPEM_OK; i++)
		status = take_gradient(r, i);
	for (int j = 0; j < r->s.d; j++)
		moved[(size_t) j * draws + draw] = unit * (r->fit.mean[j] - mean[j]);
	return status;
}

/*
 * class_noise.c - see class_noise.h.
 */
#include <math.h>
#include <string.h>

#include "core/replay/class_noise.h"
#include "core/logit/class_law.h"
#include "core/logit/logit_secant.h"
#include "core/replay/discriminant.h"
#include "core/replay/noisier.h"

#define MOST_DRAWS	40			/* a deviation of so many is known to 11 % */
#define LEAST_DRAWS	6
#define MOST_WORK	2.5e10		/* operations of all draws */

/* the same of margins, whose fits take less: a quarter of a second; with as few draws a deviation is known to 14 % */
#define MARGIN_DRAWS	24
#define MARGIN_WORK	2e9

#define ESTIMATE	20			/* times d^3 operations, for axes */

/*
 * Times d operations, for a class's coefficients and their precision after each release: as long as those of gradients take as many.
 * Of 500 classes in 21 coordinates a draw takes 14 to 22 ms, though d^3 is little (outside of the repository).  Memory for draws of
 * all groups is bounded by that, too.
 */
#define SOLVE		8000

#define VECTORS		8			/* of a problem */

struct DpemClassReplay
{
	const DpemClassHistory *history;
	DpemClassFit fit;			/* of noisier numbers */
	DpemClassLaw law;			/* only with gradients, as the following */
	DpemClassFit rows;			/* of which that is, of a fit that is not by discriminant analysis itself */
	DpemStatus	status;			/* of that */
	DpemNoisyMoments released;	/* these numbers */
	double	   *there;			/* gradients x problems x d: the law's gradients where gradients were released */
	double	   *here;			/* problems x d: and where the draw has led to */
	double	   *all;			/* problems x d */
	DpemPublicRandom random;
	DpemWorkspace work;			/* dpem_class_work(d) */
};

int
dpem_class_noise_draws(const DpemClassFit *fit, int gradients, int groups)
{
	int			d = fit->d;
	double		solve = (gradients + 1.0) * fit->problems * d * SOLVE;
	double		axes = ESTIMATE * pow(d, 3) * (fit->shared ? 1 : 1 + (gradients + 1.0) * fit->problems);
	double		work = gradients * dpem_class_law_cost(fit->problems, d, &fit->loss) + axes + solve;
	double		draws = (fit->together ? MOST_WORK : MARGIN_WORK) / (work * groups);

	return draws < LEAST_DRAWS ? 0 : (int) fmin(draws, fit->together ? MOST_DRAWS : MARGIN_DRAWS);
}

/* ---- memory ---------------------------------------------------------------------- */

/* what of a problem's releases change, beside matrices that it shares with the others; p: a copy */
static void
take_problem(const DpemClassFit *fit, double *covariance, double *turn, DpemClassProblem *p, DpemWorkspace *work)
{
	size_t		d = (size_t) fit->d;
	double	   *vector = dpem_workspace_take(work, VECTORS * d);

	p->s.second = fit->second;
	p->s.linear = vector;
	p->mean = vector + d;
	p->s.mean = p->s.mean ? p->mean : NULL;
	p->fit.mean = vector + 2 * d;
	p->axis = vector + 3 * d;
	p->gain = vector + 4 * d;
	p->g = vector + 5 * d;
	p->middle = p->middle ? vector + 6 * d : NULL;
	p->s.origin = p->s.origin ? vector + 7 * d : NULL;
	p->fit.covariance = covariance;
	p->fit.turn = turn;
	p->s.curvature = fit->shared ? NULL : dpem_workspace_take(work, d * d);
	if (p->s.secant)
		p->s.secant = dpem_logit_secant_create(fit->d, work);
}

/* a fit of its own as far as releases change one; of a workspace without memory, of no problem in particular */
static void
take_fit(const DpemClassFit *of, DpemClassFit *fit, DpemWorkspace *work)
{
	size_t		square = (size_t) of->d * of->d;
	size_t		own = of->shared ? 0 : square;
	DpemClassProblem *problem = dpem_workspace_take_bytes(work, of->problems * sizeof(DpemClassProblem));
	double	   *covariance;
	double	   *turn;

	*fit = *of;
	fit->sum = dpem_workspace_take(work, of->d);
	fit->second = dpem_workspace_take(work, square);
	fit->axes = (DpemClassAxes) {of->d, dpem_workspace_take(work, square), dpem_workspace_take(work, of->d)};
	fit->spread = NULL;
	covariance = dpem_workspace_take(work, own);
	turn = dpem_workspace_take(work, own);
	for (int k = 0; k < of->problems; k++)
	{
		DpemClassProblem p = of->problem[k];

		take_problem(fit, covariance, turn, &p, work);
		if (problem)
			problem[k] = p;
	}
	fit->problem = problem;
}

static size_t
most_released(int problems, int d)
{
	size_t		second = 1 + (size_t) d + (size_t) d * (d + 1) / 2;
	size_t		gradient = (size_t) problems * (1 + d);

	return second > gradient ? second : gradient;
}

static DpemClassReplay
take(const DpemClassFit *fit, int gradients, DpemWorkspace *work)
{
	DpemClassReplay r = {.status = DPEM_OK};
	size_t		n = (size_t) fit->problems * fit->d;

	if (gradients > 0)
		r.law = dpem_class_law_take(fit->problems, fit->d, &fit->loss, 0, work);
	if (gradients > 0 && !fit->together)
		r.rows = dpem_discriminant_take(fit->problems, fit->d, work);
	r.released.value = dpem_workspace_take(work, most_released(fit->problems, fit->d));
	r.there = dpem_workspace_take(work, gradients * n);
	r.here = dpem_workspace_take(work, n);
	r.all = dpem_workspace_take(work, n);
	take_fit(fit, &r.fit, work);
	return r;
}

size_t
dpem_class_noise_work(const DpemClassFit *fit, int gradients)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) dpem_workspace_take_bytes(&dry, sizeof(DpemClassReplay));
	(void) take(fit, gradients, &dry);
	return dpem_workspace_taken(&dry) + dpem_discriminant_work(fit->d);
}

/* and what it has of gradients where they were released */
static void
find_law(const DpemClassFit *fit, DpemClassReplay *r)
{
	const DpemClassHistory *h = r->history;
	size_t		n = (size_t) fit->problems * fit->d;

	if (h->gradients > 0 && !fit->together)
		r->status = dpem_discriminant_find(&h->sums, h->sums_scale, fit, &r->rows, r->work);
	if (h->gradients > 0 && r->status == DPEM_OK)
		dpem_class_law_fill(fit->together ? fit : &r->rows, &r->law);
	for (int i = 0; i < h->gradients && r->status == DPEM_OK; i++)
		dpem_class_law_gradient(h->at + i * n, &r->law, r->there + i * n);
}

DpemClassReplay *
dpem_class_noise_begin(const DpemClassHistory *history, DpemClassFit *fit, DpemWorkspace *work)
{
	DpemClassReplay *r = dpem_workspace_take_bytes(work, sizeof(DpemClassReplay));

	*r = take(fit, history->gradients, work);
	r->history = history;
	r->random = dpem_public_seed(history->sums.value, dpem_moments_length(&history->sums.layout));
	r->work = *work;
	find_law(fit, r);
	return r;
}

/* ---- draws ----------------------------------------------------------------------- */

/* as before the first release */
static void
forget(DpemClassFit *fit)
{
	for (int k = 0; k < fit->problems; k++)
	{
		DpemClassProblem *p = &fit->problem[k];

		p->slope = p->middle_sd = 0;
		p->s.origin_sd = 0;
		if (p->s.secant)
			p->s.secant->tail = 0;
		if (p->middle)
			memset(p->middle, 0, fit->d * sizeof(double));
	}
}

static DpemStatus
take_gradient(DpemClassReplay *r, int pass)
{
	const DpemClassHistory *h = r->history;
	size_t		d = (size_t) r->fit.d;
	const double *there = r->there + pass * r->fit.problems * d;

	for (int k = 0; k < r->fit.problems; k++)
		memcpy(r->all + k * d, r->fit.problem[k].fit.mean, d * sizeof(double));
	dpem_class_law_gradient(r->all, &r->law, r->here);
	dpem_noisier_add(&h->gradient[pass], &r->random, &r->released);
	for (int k = 0; k < r->fit.problems; k++)
		for (size_t j = 0; j < d; j++)
			r->released.value[k * (d + 1) + 1 + j] += (r->here[k * d + j] - there[k * d + j]) / h->gradient_scale;
	return dpem_class_take_gradient(&r->released, h->gradient_scale, pass, &r->fit, r->work);
}

DpemStatus
dpem_class_noise_draw(DpemClassReplay *r, int draw, DpemClassFit *fit)
{
	const DpemClassHistory *h = r->history;
	double		unit = 1 / (DPEM_NOISIER_PART * sqrt(fit->draws));
	DpemStatus	status = r->status;

	forget(&r->fit);
	dpem_noisier_add(&h->second, &r->random, &r->released);
	if (status == DPEM_OK)
		status = dpem_class_take_second(&r->released, h->public_rows, &r->fit, r->work);
	dpem_noisier_add(&h->sums, &r->random, &r->released);
	if (status == DPEM_OK)
		status = dpem_class_take_sums(&r->released, h->sums_scale, &r->fit, r->work);
	for (int i = 0; i < h->gradients && status == DPEM_OK; i++)
		status = take_gradient(r, i);
	for (int k = 0; k < fit->problems; k++)
		for (int j = 0; j < fit->d; j++)
			fit->problem[k].moved[(size_t) j * fit->draws + draw] = unit * (r->fit.problem[k].fit.mean[j] - fit->problem[k].fit.mean[j]);
	return status;
}

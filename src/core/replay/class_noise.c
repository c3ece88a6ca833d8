/*
 * class_noise.c - see class_noise.h.
 */
#include <math.h>
#include <string.h>

#include "core/replay/class_noise.h"
#include "core/logit/softmax_law.h"
#include "core/numeric/public_random.h"

#define MOST_DRAWS	40			/* a deviation of so many is known to 11 % */
#define LEAST_DRAWS	6
#define MOST_WORK	2.5e10		/* operations of all draws */
#define ESTIMATE	20			/* times d^3 operations, for first coefficients */

/*
 * Times d operations, for a class's coefficients and their precision after each release: as long as those of gradients take as many.
 * Of 500 classes in 21 coordinates a draw takes 14 to 22 ms, though d^3 is little (outside of the repository).  Memory for draws of
 * all groups is bounded by that, too.
 */
#define SOLVE		8000

/*
 * Of the noise, that is added to what there is: as little as first order asks for, as much as averages over kinks.  Of
 * nine generated tables (docs/families/svm.md), 60 fits each, what is said of slopes is in the mean of each table 0.84
 * to 1.49 times what it is with 0.2, 0.91 to 1.35 with 0.5, 0.83 to 1.32 with 1, by the medians of fits 0.84 to 1.15,
 * 0.89 to 1.16 and 0.86 to 1.59 (outside of the repository).
 */
#define PART		0.5

#define VECTORS		7			/* of a problem */

struct DpemClassReplay
{
	const DpemClassHistory *history;
	DpemClassFit fit;			/* of noisier numbers */
	DpemSoftmaxLaw law;			/* only with gradients */
	DpemNoisyMoments released;	/* these numbers */
	double	   *there;			/* gradients x problems x d: the law's gradients where gradients were released */
	double	   *here;			/* problems x d: and where the draw has led to */
	double	   *all;			/* problems x d */
	DpemPublicRandom random;
	DpemWorkspace work;			/* dpem_class_work(d) */
};

int
dpem_class_noise_draws(int problems, int d, int gradients, int groups)
{
	double		solve = (gradients + 1.0) * problems * d * SOLVE;
	double		work = gradients * dpem_softmax_law_cost(problems, d) + ESTIMATE * pow(d, 3) + solve;
	double		draws = MOST_WORK / (work * groups);

	return draws < LEAST_DRAWS ? 0 : (int) fmin(draws, MOST_DRAWS);
}

/* ---- memory ---------------------------------------------------------------------- */

static void *
take_bytes(DpemWorkspace *work, size_t n)
{
	return dpem_workspace_take(work, (n + sizeof(double) - 1) / sizeof(double));
}

/* a fit of its own as far as releases change one; problem: NULL of a workspace without memory */
static void
take_fit(int problems, int d, DpemClassFit *fit, DpemClassProblem *problem, DpemWorkspace *work)
{
	size_t		square = (size_t) d * d;

	fit->sum = dpem_workspace_take(work, d);
	fit->second = dpem_workspace_take(work, square);
	fit->axes = (DpemClassAxes) {d, dpem_workspace_take(work, square), dpem_workspace_take(work, d)};
	fit->spread = NULL;
	fit->problem = problem;
	for (int k = 0; k < problems; k++)
	{
		double	   *vector = dpem_workspace_take(work, (size_t) VECTORS * d);
		DpemClassProblem *p;

		if (problem == NULL)
			continue;
		p = &problem[k];
		p->s.second = fit->second;
		p->s.linear = vector;
		p->mean = vector + d;
		p->fit.mean = vector + 2 * d;
		p->axis = vector + 3 * d;
		p->gain = vector + 4 * d;
		p->g = vector + 5 * d;
		p->middle = p->middle ? vector + 6 * d : NULL;
	}
}

static size_t
most_released(int problems, int d)
{
	size_t		second = 1 + (size_t) d + (size_t) d * (d + 1) / 2;
	size_t		gradient = (size_t) problems * (1 + d);

	return second > gradient ? second : gradient;
}

static DpemClassReplay
take(int problems, int d, int gradients, DpemWorkspace *work)
{
	DpemClassReplay r = {0};
	size_t		n = (size_t) problems * d;

	if (gradients > 0)
		r.law = dpem_softmax_law_take(problems, d, work);
	r.released.value = dpem_workspace_take(work, most_released(problems, d));
	r.there = dpem_workspace_take(work, gradients * n);
	r.here = dpem_workspace_take(work, n);
	r.all = dpem_workspace_take(work, n);
	return r;
}

size_t
dpem_class_noise_work(int problems, int d, int gradients)
{
	DpemWorkspace dry = {NULL, NULL};
	DpemClassFit fit;

	(void) take_bytes(&dry, sizeof(DpemClassReplay));
	(void) take(problems, d, gradients, &dry);
	(void) take_bytes(&dry, problems * sizeof(DpemClassProblem));
	take_fit(problems, d, &fit, NULL, &dry);
	return dpem_workspace_taken(&dry) + dpem_class_work(d);
}

DpemClassReplay *
dpem_class_noise_begin(const DpemClassHistory *history, DpemClassFit *fit, DpemWorkspace *work)
{
	int			problems = fit->problems;
	size_t		n = (size_t) problems * fit->d;
	DpemClassReplay *r = take_bytes(work, sizeof(DpemClassReplay));
	DpemClassProblem *problem;

	*r = take(problems, fit->d, history->gradients, work);
	problem = take_bytes(work, problems * sizeof(DpemClassProblem));
	memcpy(problem, fit->problem, problems * sizeof(DpemClassProblem));
	r->history = history;
	r->fit = *fit;
	take_fit(problems, fit->d, &r->fit, problem, work);
	r->random = dpem_public_seed(history->sums.value, dpem_moments_length(&history->sums.layout));
	if (history->gradients > 0)
		dpem_softmax_law_fill(fit, &r->law);
	for (int i = 0; i < history->gradients; i++)
		dpem_softmax_law_gradient(history->at + i * n, &r->law, r->there + i * n);
	r->work = *work;
	return r;
}

/* ---- draws ----------------------------------------------------------------------- */

/* what was released, with more noise */
static void
add_noise(const DpemNoisyMoments *from, DpemClassReplay *r)
{
	const DpemMomentLayout *layout = &from->layout;
	const double *in = from->value;
	double	   *out = r->released.value;

	r->released = *from;
	r->released.value = out;
	for (int k = 0; k < layout->k; k++)
	{
		*out++ = *in++ + PART * from->count_sd * dpem_public_normal(&r->random);
		for (int j = 0; j < layout->d; j++)
			*out++ = *in++ + PART * from->sum_sd * dpem_public_normal(&r->random);
		for (int i = 0; i < layout->d && layout->second == DPEM_SECOND_FULL; i++)
			for (int j = 0; j <= i; j++)
				*out++ = *in++ + PART * from->second_sd * (i == j ? 1 : M_SQRT1_2) * dpem_public_normal(&r->random);
	}
}

/* as before the first release */
static void
forget(DpemClassFit *fit)
{
	for (int k = 0; k < fit->problems; k++)
	{
		DpemClassProblem *p = &fit->problem[k];

		p->slope = p->middle_sd = 0;
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
	dpem_softmax_law_gradient(r->all, &r->law, r->here);
	add_noise(&h->gradient[pass], r);
	for (int k = 0; k < r->fit.problems; k++)
		for (size_t j = 0; j < d; j++)
			r->released.value[k * (d + 1) + 1 + j] += (r->here[k * d + j] - there[k * d + j]) / h->gradient_scale;
	return dpem_class_take_gradient(&r->released, h->gradient_scale, pass, &r->fit, r->work);
}

DpemStatus
dpem_class_noise_draw(DpemClassReplay *r, int draw, DpemClassFit *fit)
{
	const DpemClassHistory *h = r->history;
	double		unit = 1 / (PART * sqrt(fit->draws));
	DpemStatus	status;

	forget(&r->fit);
	add_noise(&h->second, r);
	status = dpem_class_take_second(&r->released, h->public_rows, &r->fit, r->work);
	add_noise(&h->sums, r);
	if (status == DPEM_OK)
		status = dpem_class_take_sums(&r->released, h->sums_scale, &r->fit, r->work);
	for (int i = 0; i < h->gradients && status == DPEM_OK; i++)
		status = take_gradient(r, i);
	for (int k = 0; k < fit->problems; k++)
		for (int j = 0; j < fit->d; j++)
			fit->problem[k].moved[(size_t) j * fit->draws + draw] = unit * (r->fit.problem[k].fit.mean[j] - fit->problem[k].fit.mean[j]);
	return status;
}

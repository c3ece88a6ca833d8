/*
 * logit_noise.c - see logit_noise.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_law.h"
#include "core/logit/logit_secant.h"
#include "core/replay/discriminant.h"
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
	DpemClassLaw law;
	DpemClassFit rows;			/* of which that is */
	DpemStatus	status;			/* of that */
	DpemNoisyMoments released;	/* these numbers */
	double	   *there;			/* gradients x d: the law's gradients where gradients were released */
	double	   *here;			/* d: and where the draw has led to */
	DpemPublicRandom random;
	DpemWorkspace work;
};

int
dpem_logit_noise_draws(int d, int gradients, int groups)
{
	double		work = gradients * (dpem_class_law_cost(1, d, &logistic) + STEP * pow(d, 3)) + ESTIMATE * pow(d, 3) + SHARES;
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
	DpemLogitReplay r = {.s = *s,.status = DPEM_OK};

	r.law = dpem_class_law_take(1, s->d, &logistic, 0, work);
	r.rows = dpem_discriminant_take(1, s->d, work);
	r.released.value = dpem_workspace_take(work, released_length(s->d));
	r.there = dpem_workspace_take(work, (size_t) gradients * s->d);
	r.here = dpem_workspace_take(work, s->d);
	take_statistics(&r.s, &r.fit, work);
	return r;
}

static size_t
draw_work(int d)
{
	size_t		discriminant = dpem_discriminant_work(d) + d;
	size_t		estimate = dpem_logit_estimate_work(d);
	size_t		taken = dpem_logit_take_work(d);
	size_t		most = estimate > taken ? estimate : taken;

	return discriminant > most ? discriminant : most;
}

size_t
dpem_logit_noise_work(const DpemLogitStatistics *s, int gradients)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) dpem_workspace_take_bytes(&dry, sizeof(DpemLogitReplay));
	(void) take(s, gradients, &dry);
	return dpem_workspace_taken(&dry) + draw_work(s->d);
}

/* ---- the law of rows -------------------------------------------------------------- */

/* the first release is of rows times their labels: sum x is what sum x x' has of it, times the constant */
static DpemStatus
find_rows(const DpemLogitStatistics *s, const DpemLogitHistory *h, DpemClassFit *rows, DpemWorkspace work)
{
	int			d = s->d;
	double	   *sum = dpem_workspace_take(&work, d);
	DpemNoisyMoments sums = {.layout = {1, d, DPEM_SECOND_NONE},.sum_sd = h->first.sum_sd,.value = h->first.value};
	DpemClassProblem problem = {.s = {.constant = true,.value = h->whole}};
	DpemClassFit of = {
		.d = d,.problems = 1,.constant = s->value,.rows = s->rows,.sum = sum,.sum_sd = s->second_sd * M_SQRT1_2 / s->value,
		.second = s->second,.second_sd = s->second_sd,.problem = &problem
	};

	for (int j = 0; j < d; j++)
		sum[j] = s->second[(size_t) j * d + d - 1] / s->value;
	return dpem_discriminant_find(&sums, 1, &of, rows, work);
}

DpemLogitReplay *
dpem_logit_noise_begin(const DpemLogitHistory *h, const DpemLogitStatistics *s, DpemWorkspace *work)
{
	DpemLogitReplay *r = dpem_workspace_take_bytes(work, sizeof(DpemLogitReplay));

	*r = take(s, h->gradients, work);
	r->history = h;
	r->random = dpem_public_seed(h->first.value, dpem_moments_length(&h->first.layout));
	r->work = *work;
	r->status = find_rows(s, h, &r->rows, r->work);
	if (r->status != DPEM_OK)
		return r;
	dpem_class_law_fill(&r->rows, &r->law);
	for (int i = 0; i < h->gradients; i++)
		dpem_class_law_gradient(h->at + (size_t) i * s->d, &r->law, r->there + (size_t) i * s->d);
	return r;
}

/* ---- draws ------------------------------------------------------------------------ */

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
	return dpem_logit_estimate(&r->s, h->prior_variance, &r->fit, r->work);
}

static DpemStatus
take_gradient(DpemLogitReplay *r, int pass)
{
	const DpemLogitHistory *h = r->history;
	const double *there = r->there + (size_t) pass * r->s.d;

	dpem_class_law_gradient(r->fit.mean, &r->law, r->here);
	dpem_noisier_add(&h->gradient[pass], &r->random, &r->released);
	for (int j = 0; j < r->s.d; j++)
		r->released.value[1 + j] += (r->here[j] - there[j]) / h->gradient_scale;
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

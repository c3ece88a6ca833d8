/*
 * logit_model.c - see logit_model.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/replay/logit_along.h"
#include "core/numeric/linalg.h"
#include "core/replay/discriminant.h"
#include "core/replay/logit_model.h"

#define MOST_STEPS	30			/* of a gradient, */
#define USUAL_STEPS	5			/* and what there are */
#define EIGEN		15			/* times d^3 operations, of a step's matrices */
#define CONVERGED	1e-3		/* times as long as coefficients: no step is worth it */
#define LONGEST		3.0			/* of scores, root mean square */
#define MOST_TRIES	6
#define TOO_FAR		0.5			/* of the slope that a step begins with, against it where it ends */
#define LEAST_PART	0.1
#define SURE		2.0			/* deviations of noise */

static const DpemMarginLoss logistic = {DPEM_LOSS_LOGISTIC, 1};

/* ---- memory and time -------------------------------------------------------------- */

double
dpem_logit_model_cost(int d)
{
	double		rows = dpem_class_law_rows(1, d, &logistic);

	return USUAL_STEPS * (2 * dpem_class_law_cost(1, d, &logistic) + rows * pow(d, 2) + EIGEN * pow(d, 3));
}

DpemLogitModel
dpem_logit_model_take(int d, DpemWorkspace *work)
{
	DpemLogitModel m = {.d = d};
	double	  **vector[] = {&m.direction, &m.off, &m.from, &m.gradient, &m.there, &m.slope, &m.begin, &m.step, &m.product};

	m.law = dpem_class_law_take(1, d, &logistic, 0, work);
	m.rows = dpem_discriminant_take(1, d, work);
	for (size_t i = 0; i < sizeof(vector) / sizeof(vector[0]); i++)
		*vector[i] = dpem_workspace_take(work, d);
	m.whole = dpem_workspace_take(work, (size_t) d * d);
	m.prior = dpem_workspace_take(work, (size_t) d * d);
	m.scratch = dpem_workspace_take(work, dpem_class_law_bend_work(&m.law));
	return m;
}

size_t
dpem_logit_model_work(int d)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) dpem_logit_model_take(d, &dry);
	return dpem_workspace_taken(&dry);
}

size_t
dpem_logit_model_step_work(int d)
{
	size_t		law = dpem_discriminant_work(d) + d;
	size_t		along = dpem_logit_along_work(d);

	return law > along ? law : along;
}

/* ---- the law of rows -------------------------------------------------------------- */

/* the first release is of rows times their labels: sum x is what sum x x' has of it, times the constant */
DpemStatus
dpem_logit_find_law(const DpemLogitStatistics *s, const DpemNoisyMoments *first, double whole, DpemLogitModel *model, DpemWorkspace work)
{
	int			d = s->d;
	double	   *sum = dpem_workspace_take(&work, d);
	DpemNoisyMoments sums = {.layout = {1, d, DPEM_SECOND_NONE},.sum_sd = first->sum_sd,.value = first->value};
	DpemClassProblem problem = {.s = {.constant = true,.value = whole}};
	DpemClassFit of = {
		.d = d,.problems = 1,.constant = s->value,.rows = s->rows,.sum = sum,.sum_sd = s->second_sd * M_SQRT1_2 / s->value,
		.second = s->second,.second_sd = s->second_sd,.problem = &problem
	};
	DpemStatus	status;

	for (int j = 0; j < d; j++)
		sum[j] = s->second[(size_t) j * d + d - 1] / s->value;
	status = dpem_discriminant_find(&sums, 1, &of, &model->rows, work);
	if (status == DPEM_OK)
		dpem_class_law_fill(&model->rows, &model->law);
	return status;
}

DpemStatus
dpem_logit_model_begin(const DpemLogitStatistics *s, const DpemNoisyMoments *first, double whole, int gradients, const DpemLogit *fit,
					   DpemLogitModel *model, DpemWorkspace work)
{
	size_t		d = (size_t) s->d;
	double		square = 0;

	for (size_t j = 0; j < d; j++)
	{
		model->direction[j] = fit->mean[j] - s->origin[j];
		square += model->direction[j] * model->direction[j];
	}
	for (size_t j = 0; j < d; j++)
		model->direction[j] = square > 0 ? model->direction[j] / sqrt(square) : j == d - 1;
	for (size_t i = 0; i < d * d; i++)
		model->whole[i] = s->second[i] / 4;
	memset(model->off, 0, d * sizeof(double));
	model->off_sd = 0;
	model->gradients = gradients;
	return dpem_logit_find_law(s, first, whole, model, work);
}

/* ---- a gradient ------------------------------------------------------------------------ */

/*
 * Along the way from the last gradient rows have bent the loss more than the law does, by that part of the most: as much as noise does not explain,
 * if it is more than `hold` is, or less.
 */
static void
find_hold(const double *gradient, const double *there, double sd, const DpemLogit *fit, DpemLogitModel *model)
{
	double		seen = 0;
	double		square = 0;
	double		most;
	double		noise;

	for (int j = 0; j < model->d; j++)
	{
		model->step[j] = fit->mean[j] - model->from[j];
		seen += model->step[j] * ((model->gradient[j] - gradient[j]) - (model->there[j] - there[j]));
		square += model->step[j] * model->step[j];
	}
	most = fmax(dpem_linalg_form(model->d, model->whole, model->step, model->product), DBL_MIN);
	noise = M_SQRT2 * sd * sqrt(square) / most;
	seen /= most;
	if (seen - SURE * noise > model->hold)
		model->hold = fmin(seen - noise, 1);
	else if (seen + SURE * noise < model->hold)
		model->hold = fmax(seen + noise, model->least_hold);
}

static void
take_gradient(const DpemNoisyMoments *m, double scale, int before, const DpemLogitStatistics *s, const DpemLogit *fit, DpemLogitModel *model)
{
	int			d = model->d;
	double		part = 2.0 / (before + 2);
	double		sd = scale * m->sum_sd;
	double	   *there = model->slope;
	double	   *gradient = model->begin;

	dpem_class_law_gradient(fit->mean, &model->law, there);
	for (int j = 0; j < d; j++)
		gradient[j] = scale * m->value[1 + j];
	for (int j = 0; j < d; j++)
		model->off[j] += part * (gradient[j] - there[j] - model->off[j]);
	model->off_sd = hypot((1 - part) * model->off_sd, part * sd);
	if (before > 0)
		find_hold(gradient, there, sd, fit, model);
	else
		model->hold = model->least_hold = dpem_logit_hold(sd / sqrt(model->gradients) / fmax(s->rows, 1), d);
	memcpy(model->from, fit->mean, d * sizeof(double));
	memcpy(model->gradient, gradient, d * sizeof(double));
	memcpy(model->there, there, d * sizeof(double));
}

/* ---- steps ------------------------------------------------------------------------------- */

/* at the mean, without the prior's; product is overwritten */
static void
find_slope(const DpemLogit *fit, DpemLogitModel *model)
{
	int			d = model->d;

	dpem_class_law_gradient(fit->mean, &model->law, model->slope);
	for (int i = 0; i < d; i++)
		model->product[i] = fit->mean[i] - model->from[i];
	for (int i = 0; i < d; i++)
		model->slope[i] += model->off[i] - model->hold * dpem_linalg_dot(d, model->whole + (size_t) i * d, model->product);
}

/* along the step, with the prior's */
static double
slope_along(const DpemLogitStatistics *s, const DpemLogit *fit, DpemLogitModel *model)
{
	int			d = model->d;
	double		slope = dpem_linalg_dot(d, model->step, model->slope);

	for (int i = 0; i < d; i++)
		model->product[i] = fit->mean[i] - s->origin[i];
	for (int i = 0; i < d; i++)
		slope -= model->step[i] * dpem_linalg_dot(d, model->prior + (size_t) i * d, model->product);
	return slope;
}

static double
go(const DpemLogitStatistics *s, double part, DpemLogit *fit, DpemLogitModel *model)
{
	for (int j = 0; j < model->d; j++)
		fit->mean[j] = model->begin[j] + part * model->step[j];
	find_slope(fit, model);
	return slope_along(s, fit, model);
}

/* the loss is convex, so that a step which is too long ends where it falls the other way; returns the part of it that was made */
static double
try_parts(const DpemLogitStatistics *s, DpemLogit *fit, DpemLogitModel *model)
{
	double		scores = sqrt(4 * dpem_linalg_form(model->d, model->whole, model->step, model->product) / fmax(s->rows, 1));
	double		part = fmin(1, LONGEST / fmax(scores, DBL_MIN));
	double		begin = slope_along(s, fit, model);
	double		end = go(s, part, fit, model);

	for (int try = 0; try < MOST_TRIES && end < -TOO_FAR * fabs(begin); try++)
	{
		part *= begin > 0 ? fmax(begin / (begin - end), LEAST_PART) : LEAST_PART;
		end = go(s, part, fit, model);
	}
	return part;
}

/* the slope at the mean is known */
static DpemStatus
make_step(DpemLogitStatistics *s, DpemLogit *fit, bool *more, DpemLogitModel *model, DpemWorkspace work)
{
	size_t		d = (size_t) model->d;
	double		part;

	memcpy(model->begin, fit->mean, d * sizeof(double));
	dpem_class_law_bend(model->begin, &model->law, s->curvature, model->scratch);
	for (size_t i = 0; i < d * d; i++)
		s->curvature[i] += model->hold * model->whole[i];
	for (size_t i = 0; i < d; i++)
		s->linear[i] = model->slope[i] + dpem_linalg_dot(model->d, s->curvature + i * d, model->begin);
	if (dpem_logit_solve_along(s, model->direction, fit, model->prior, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (size_t j = 0; j < d; j++)
	{
		model->step[j] = fit->mean[j] - model->begin[j];
		fit->mean[j] = model->begin[j];
	}
	part = try_parts(s, fit, model);
	*more = part * sqrt(dpem_linalg_dot(model->d, model->step, model->step)) > CONVERGED * sqrt(dpem_linalg_dot(model->d, fit->mean, fit->mean));
	return DPEM_OK;
}

DpemStatus
dpem_logit_model_gradient(const DpemNoisyMoments *m, double scale, int before, DpemLogitStatistics *s, DpemLogit *fit, DpemLogitModel *model,
						  DpemWorkspace work)
{
	bool		more = true;
	DpemStatus	status = DPEM_OK;

	take_gradient(m, scale, before, s, fit, model);
	s->linear_sd = model->off_sd;
	s->curvature_sd = 0;
	find_slope(fit, model);
	for (int i = 0; i < MOST_STEPS && more && status == DPEM_OK; i++)
		status = make_step(s, fit, &more, model, work);
	return status;
}

/*
 * class_model.c - see class_model.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_axes.h"
#include "core/replay/class_model.h"
#include "core/numeric/linalg.h"

#define LAW_ROWS	4000		/* of all classes, about */
#define STEPS		5			/* of a gradient, about, */
#define MOST_WORK	3e10		/* of operations in all */
#define EIGEN		10			/* times n^3 operations, for axes */
#define PRECISION_STEPS	50
#define CONVERGED	1e-2		/* times as long as coefficients: no step is worth it */
#define MOST_TRIES	6
#define TOO_FAR		0.5			/* of the slope that a step begins with, against it where it ends */
#define LEAST_PART	0.1
#define NO_AXIS		1e-6		/* of the largest curvature: nothing tells */

/* ---- memory and time -------------------------------------------------------------- */

static int
law_rows(int problems)
{
	return LAW_ROWS / problems / 2 * 2;
}

static size_t
most(size_t a, size_t b)
{
	return a > b ? a : b;
}

DpemClassModel
dpem_class_model_take(const DpemClassFit *fit, DpemWorkspace *work)
{
	int			d = fit->d;
	size_t		n = (size_t) fit->problems * d;
	DpemClassModel m = {.d = d,.problems = fit->problems,.n = (int) n};
	double	   *vector = dpem_workspace_take(work, 7 * n);
	double	   *square = dpem_workspace_take(work, 3 * n * n);
	double	   *draws = dpem_workspace_take(work, 2 * n * DPEM_MODEL_DRAWS);

	m.law = dpem_class_law_take(fit->problems, d, &fit->loss, law_rows(fit->problems), work);
	m.own = dpem_workspace_take(work, (size_t) d * DPEM_MODEL_DRAWS);
	m.hold = dpem_workspace_take(work, fit->problems);
	m.whole = dpem_workspace_take(work, (size_t) d * d);
	m.scratch = dpem_workspace_take(work, most(dpem_class_law_curvature_work(&m.law), most(n * n, dpem_linalg_eigen_work((int) n))));
	if (work->end == NULL)
		return m;
	m.middle = vector;
	m.off = vector + n;
	m.from = vector + 2 * n;
	m.at = vector + 3 * n;
	m.slope = vector + 4 * n;
	m.step = vector + 5 * n;
	m.value = vector + 6 * n;
	m.bend = square;
	m.prior = square + n * n;
	m.matrix = square + 2 * n * n;
	m.noise = draws;
	m.moved = draws + n * DPEM_MODEL_DRAWS;
	return m;
}

size_t
dpem_class_model_work(const DpemClassFit *fit)
{
	DpemWorkspace dry = {NULL, NULL};

	(void) dpem_class_model_take(fit, &dry);
	return dpem_workspace_taken(&dry);
}

bool
dpem_class_model_fits(const DpemClassFit *fit, int gradients, int groups)
{
	double		n = (double) fit->problems * fit->d;
	double		rows = fit->problems * fmax(law_rows(fit->problems), 2.0 * fit->d);
	double		step = rows * n * n + n * n * n / 3;

	return fit->loss.kind == DPEM_LOSS_MULTINOMIAL && gradients > 0 && groups * gradients * (STEPS * step + EIGEN * n * n * n) < MOST_WORK;
}

bool
dpem_class_model_helps(const DpemClassFit *fit, double sd)
{
	double		least = 1;

	for (int k = 0; k < fit->problems; k++)
		least = fmin(least, fit->problem[k].share);
	return fit->constant > 0 && dpem_softmax_is_modelled(sd / fmax(fit->rows, 1), fit->problems, fit->d, least);
}

/* ---- before gradients ---------------------------------------------------------------- */

static void
begin_class(const DpemClassFit *fit, int class, double hold, DpemClassModel *model)
{
	const DpemClassProblem *p = &fit->problem[class];
	size_t		d = (size_t) fit->d;

	memcpy(model->at + class * d, p->fit.mean, d * sizeof(double));
	dpem_axes_turn(&fit->axes, true, p->middle, model->middle + class * d);
	model->hold[class] = hold * p->part;
	model->precision += p->fit.precision / fit->problems;
}

void
dpem_class_model_begin(const DpemClassFit *fit, double sd, DpemClassModel *model)
{
	size_t		n = (size_t) model->n;
	double		hold = dpem_softmax_hold(sd / fmax(fit->rows, 1), fit->problems, fit->d);

	dpem_class_law_fill(fit, &model->law);
	dpem_linalg_rebuild(fit->d, fit->axes.vectors, fit->axes.value, model->whole, model->scratch);
	memset(model->off, 0, n * sizeof(double));
	memset(model->bend, 0, n * n * sizeof(double));
	model->off_sd = 0;
	model->precision = 0;
	for (int k = 0; k < fit->problems; k++)
		begin_class(fit, k, hold, model);
	dpem_class_moved_begin(fit, model);
}

/* ---- the prior ------------------------------------------------------------------------ */

/* as dpem_axes_solve learns it, of coefficients that are off[i] from the middle along an axis in which the law bends by h[i] */
static void
learn_precision(const DpemClassFit *fit, const double *h, const double *off, DpemClassModel *model)
{
	int			n = model->n;
	double		variance = model->off_sd * model->off_sd;
	double		square = 0;
	double		seen = 0;

	for (int i = 0; i < n; i++)
	{
		square += off[i] * off[i];
		seen += h[i] > 0 ? h[i] / (h[i] + variance) : 0;
	}
	for (int step = 0; step < PRECISION_STEPS; step++)
	{
		double		total = square;

		for (int i = 0; i < n; i++)
			total += 1 / ((h[i] > 0 ? h[i] * h[i] / (h[i] + variance) : 0) + model->precision);
		model->precision = (1 + n / 2.0) / (1 + fit->problem->slope * seen / n + total / 2);
	}
}

/* to model->matrix: what holds steps back; to the noise it is as good as curvature, or where classes are apart next to nothing would be told */
static void
add_hold(DpemClassModel *model)
{
	int			d = model->d;
	size_t		n = (size_t) model->n;

	for (size_t i = 0; i < n; i++)
		for (int j = 0; j < d; j++)
			model->matrix[i * n + i / d * d + j] += model->hold[i / d] * model->whole[i % d * d + j];
}

static DpemStatus
find_prior(const DpemClassFit *fit, DpemClassModel *model)
{
	int			n = model->n;
	double	   *h = model->value;
	double	   *off = model->step;
	double		least;

	memcpy(model->matrix, model->bend, (size_t) n * n * sizeof(double));
	add_hold(model);
	if (dpem_linalg_eigen(n, model->matrix, h, model->scratch) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	least = NO_AXIS * h[n - 1];
	for (int i = 0; i < n; i++)
	{
		off[i] = 0;
		h[i] = h[i] < least ? 0 : h[i];
		for (int j = 0; j < n && h[i] > 0; j++)
			off[i] += model->matrix[(size_t) i * n + j] * (model->at[j] - model->middle[j]);
	}
	learn_precision(fit, h, off, model);
	for (int i = 0; i < n; i++)
		h[i] = model->precision * (1 + model->off_sd * model->off_sd / fmax(h[i], least));
	dpem_linalg_rebuild(n, model->matrix, h, model->prior, model->scratch);
	return DPEM_OK;
}

/* ---- a gradient ------------------------------------------------------------------------ */

/* that part of it into what gradients have beyond the law's, in slope */
static void
take_off(const DpemNoisyMoments *m, double scale, double part, DpemClassModel *model)
{
	int			d = model->d;
	size_t		record = dpem_moments_record(&m->layout);

	for (int j = 0; j < d; j++)
	{
		double		mean = 0;

		for (int k = 0; k < model->problems; k++)
			mean += m->value[k * record + 1 + j] / model->problems;
		for (int k = 0; k < model->problems; k++)
			model->off[k * d + j] += part * (scale * (m->value[k * record + 1 + j] - mean) - model->slope[k * d + j] - model->off[k * d + j]);
	}
}

DpemStatus
dpem_class_model_gradient(const DpemNoisyMoments *m, double scale, int before, const DpemClassFit *fit, DpemClassModel *model)
{
	size_t		n = (size_t) model->n;
	double		part = 1.0 / (before + 1);
	double		sd = scale * m->sum_sd;

	dpem_class_law_gradient(model->at, &model->law, model->slope);
	take_off(m, scale, part, model);
	dpem_class_moved_gradient(sd, part, model);
	model->off_sd = hypot((1 - part) * model->off_sd, part * sd);
	dpem_class_law_curvature(model->at, &model->law, model->matrix, model->scratch);
	for (size_t i = 0; i < n * n; i++)
		model->bend[i] += part * (model->matrix[i] - model->bend[i]);
	memcpy(model->from, model->at, n * sizeof(double));
	return find_prior(fit, model);
}

/* ---- steps ------------------------------------------------------------------------------- */

/* with the prior's, and what holds back */
static void
find_slope(DpemClassModel *model)
{
	int			n = model->n;
	int			d = model->d;

	dpem_class_law_gradient(model->at, &model->law, model->slope);
	for (int i = 0; i < n; i++)
		model->value[i] = model->at[i] - model->middle[i];
	for (int i = 0; i < n; i++)
		model->slope[i] += model->off[i] - dpem_linalg_dot(n, model->prior + (size_t) i * n, model->value);
	for (int i = 0; i < n; i++)
		model->value[i] = model->hold[i / d] * (model->at[i] - model->from[i]);
	for (int i = 0; i < n; i++)
		model->slope[i] -= dpem_linalg_dot(d, model->whole + (size_t) (i % d) * d, model->value + i / d * d);
}

/* model->matrix: what all that bends by at the coefficients, factorised */
DpemStatus
dpem_class_model_factorise(DpemClassModel *model)
{
	size_t		n = (size_t) model->n;

	dpem_class_law_curvature(model->at, &model->law, model->matrix, model->scratch);
	for (size_t i = 0; i < n * n; i++)
		model->matrix[i] += model->prior[i];
	add_hold(model);
	return dpem_linalg_factorise(model->n, model->matrix);
}

static void
go(double part, DpemClassModel *model)
{
	for (int i = 0; i < model->n; i++)
		model->at[i] += part * model->step[i];
	find_slope(model);
}

/* the loss is convex, so that a step which is too long ends where it falls the other way; returns the part of it that was made */
static double
try_parts(DpemClassModel *model)
{
	double		begin = dpem_linalg_dot(model->n, model->step, model->slope);
	double		part = 1;

	go(1, model);
	for (int try = 0; try < MOST_TRIES; try++)
	{
		double		end = dpem_linalg_dot(model->n, model->step, model->slope);
		double		next = part * fmax(begin / (begin - end), LEAST_PART);

		if (end > -TOO_FAR * begin)
			break;
		go(next - part, model);
		part = next;
	}
	return part;
}

DpemStatus
dpem_class_model_step(DpemClassModel *model, bool *more)
{
	int			n = model->n;
	double		part;

	find_slope(model);
	if (dpem_class_model_factorise(model) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	memcpy(model->step, model->slope, n * sizeof(double));
	dpem_linalg_solve_lower(n, model->matrix, false, 1, model->step);
	dpem_linalg_solve_lower(n, model->matrix, true, 1, model->step);
	part = try_parts(model);
	*more = part * sqrt(dpem_linalg_dot(n, model->step, model->step)) > CONVERGED * sqrt(dpem_linalg_dot(n, model->at, model->at));
	return DPEM_OK;
}

void
dpem_class_model_put(const DpemClassModel *model, DpemClassFit *fit)
{
	size_t		d = (size_t) fit->d;

	for (int k = 0; k < fit->problems; k++)
	{
		memcpy(fit->problem[k].fit.mean, model->at + k * d, d * sizeof(double));
		for (size_t i = 0; i < d * DPEM_MODEL_DRAWS; i++)
			fit->problem[k].moved[i] = model->moved[k * d * DPEM_MODEL_DRAWS + i] / sqrt(DPEM_MODEL_DRAWS);
	}
}

/*
 * class_moved.c - the noise in coefficients of multinomial logistic regression by a model of the rows (class_model.h).
 *
 * Draws of it are what those of the releases become in the steps, to first order: a step leads to (bend + prior + hold)^-1 (hold moved +
 * noise).  That gradients at coefficients which were moved have been others is what the law's have been, too.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_axes.h"
#include "core/replay/class_model.h"
#include "core/numeric/linalg.h"

/* draws of the noise that discriminant analysis leaves in a class's coefficients */
static void
begin_class(const DpemClassFit *fit, int class, DpemClassModel *model)
{
	int			d = fit->d;

	for (int draw = 0; draw < DPEM_MODEL_DRAWS; draw++)
	{
		for (int i = 0; i < d; i++)
			model->value[i] = fit->problem[class].gain[i] * dpem_public_normal(&model->random);
		dpem_axes_turn(&fit->axes, true, model->value, model->value + d);
		for (int i = 0; i < d; i++)
			model->moved[(size_t) (class * d + i) * DPEM_MODEL_DRAWS + draw] = model->value[d + i];
	}
}

void
dpem_class_moved_begin(const DpemClassFit *fit, DpemClassModel *model)
{
	model->random = dpem_public_seed(fit->second, (size_t) fit->d * fit->d);
	memset(model->noise, 0, (size_t) model->n * DPEM_MODEL_DRAWS * sizeof(double));
	for (int k = 0; k < fit->problems; k++)
		begin_class(fit, k, model);
}

/* a gradient's, which is that part of all */
void
dpem_class_moved_gradient(double sd, double part, DpemClassModel *model)
{
	int			d = model->d;

	for (int i = 0; i < d * DPEM_MODEL_DRAWS; i++)
	{
		double		mean = 0;

		for (int k = 0; k < model->problems; k++)
			mean += model->value[k] = sd * dpem_public_normal(&model->random);
		for (int k = 0; k < model->problems; k++)
		{
			double	   *noise = model->noise + (size_t) k * d * DPEM_MODEL_DRAWS + i;

			*noise += part * (model->value[k] - mean / model->problems - *noise);
		}
	}
}

/* numbers (n x columns) less what those of all classes have in common beyond these of the middle; NULL: nothing */
static void
center(int problems, size_t own, const double *middle, double *number)
{
	for (size_t i = 0; i < own; i++)
	{
		double		mean = 0;

		for (int k = 0; k < problems; k++)
			mean += (number[k * own + i] - (middle ? middle[k * own + i] : 0)) / problems;
		for (int k = 0; k < problems; k++)
			number[k * own + i] -= mean;
	}
}

DpemStatus
dpem_class_model_move(DpemClassModel *model)
{
	int			d = model->d;

	center(model->problems, d, model->middle, model->at);
	if (dpem_class_model_factorise(model) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int k = 0; k < model->problems; k++)
	{
		double	   *moved = model->moved + (size_t) k * d * DPEM_MODEL_DRAWS;

		dpem_linalg_product(d, DPEM_MODEL_DRAWS, d, model->whole, moved, model->own);
		for (int i = 0; i < d * DPEM_MODEL_DRAWS; i++)
			moved[i] = model->hold[k] * model->own[i] + model->noise[(size_t) k * d * DPEM_MODEL_DRAWS + i];
	}
	dpem_linalg_solve_lower(model->n, model->matrix, false, DPEM_MODEL_DRAWS, model->moved);
	dpem_linalg_solve_lower(model->n, model->matrix, true, DPEM_MODEL_DRAWS, model->moved);
	center(model->problems, (size_t) d * DPEM_MODEL_DRAWS, NULL, model->moved);
	return DPEM_OK;
}


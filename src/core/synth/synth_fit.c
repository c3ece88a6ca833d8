/*
 * synth_fit.c - theta by limited-memory BFGS.
 *
 * With m(theta) the tables' marginals and v the variances of their noise, the
 * minimiser of  sum (m - y)^2 / (2 v) + ridge N KL(p, uniform)  is
 * exp(sum of theta) with theta = (y - m) / (ridge v), the minimum of the convex
 *     G(theta) = N log Z(theta) - y'theta + ridge theta' diag(v) theta / 2,
 * whose gradient is m - y + ridge v theta.  Steps are preconditioned by
 * 1 / (m + ridge v), the inverse of the part of the Hessian that a table has by
 * itself, so that large and small cells converge alike.
 */
#include <math.h>
#include <string.h>

#include "core/numeric/vector.h"
#include "core/synth/synth_belief.h"
#include "core/synth/synth_rules.h"

#define TRIES		20			/* of a step's length */
#define ENOUGH		1e-4		/* of the decrease that the slope promises (Armijo) */
#define SWEEPS		2			/* of all tables before steps of BFGS, if there is time for them */
#define TOLERANCE	1e-10		/* decrease of G per row that ends the steps */

typedef struct Descent
{
	size_t		n;
	double	   *theta;
	double	   *gradient;
	double	   *direction;
	double	   *trial;
	double	   *diagonal;		/* of the preconditioner */
	double	   *s[DPEM_SYNTH_HISTORY];
	double	   *y[DPEM_SYNTH_HISTORY];
	double		curvature[DPEM_SYNTH_HISTORY];	/* s'y */
	int			pairs;			/* in all */
	double		value;			/* G at theta */
} Descent;

static Descent
take(const DpemSynthModel *model)
{
	Descent		d = {0};
	size_t		most = (size_t) model->shape.table_cells;
	double	   *next = model->vectors;

	d.n = dpem_synth_measured_cells(model);
	d.theta = next;
	d.gradient = next += most;
	d.direction = next += most;
	d.trial = next += most;
	d.diagonal = next += most;
	for (int i = 0; i < DPEM_SYNTH_HISTORY; i++)
	{
		d.s[i] = next += most;
		d.y[i] = next += most;
	}
	return d;
}

/* ridge times a cell's variance, and so much at least that theta stays within what exp can tell apart */
static double
ridge_of(const DpemSynthMeasured *table, size_t i)
{
	return fmax(table->ridge * table->variance[i], dpem_synth_least_ridge);
}

/* what is added to the values of a table to have the total as their sum: or a constant added to theta would be worth something */
static double
shift_of(const DpemSynthModel *model, const DpemSynthMeasured *table)
{
	double		sum = 0;

	for (size_t i = 0; i < table->cells; i++)
		sum += table->value[i];
	return (model->total - sum) / (double) table->cells;
}

/* G and its gradient */
static double
evaluate(DpemSynthModel *model, const double *theta, double *gradient)
{
	double		value;

	dpem_synth_propagate(model, theta);
	dpem_synth_measure(model, gradient);
	value = model->total * model->log_partition;
	for (int t = 0; t < model->tables; t++)
	{
		const DpemSynthMeasured *table = &model->table[t];
		double		shift = shift_of(model, table);

		for (size_t i = 0; i < table->cells; i++)
		{
			double		y = table->value[i] + shift;
			double		pull = ridge_of(table, i) * theta[i];

			value += theta[i] * (pull / 2 - y);
			gradient[i] += pull - y;
		}
		theta += table->cells;
		gradient += table->cells;
	}
	return value;
}

/* from the marginals, which the gradient is made of */
static void
precondition(const DpemSynthModel *model, Descent *d)
{
	size_t		at = 0;

	for (int t = 0; t < model->tables; t++)
	{
		const DpemSynthMeasured *table = &model->table[t];
		double		shift = shift_of(model, table);

		for (size_t i = 0; i < table->cells; i++, at++)
		{
			double		ridge = ridge_of(table, i);
			double		marginal = d->gradient[at] + table->value[i] + shift - ridge * d->theta[at];

			d->diagonal[at] = 1 / (fmax(marginal, 0) + ridge);
		}
	}
}

/* Nocedal, Wright 2006, algorithm 7.4, the middle matrix scaled along the last pair */
static void
find_direction(Descent *d)
{
	double		alpha[DPEM_SYNTH_HISTORY];
	int			kept = d->pairs < DPEM_SYNTH_HISTORY ? d->pairs : DPEM_SYNTH_HISTORY;
	double		scale = 1;

	for (size_t i = 0; i < d->n; i++)
		d->direction[i] = -d->gradient[i];
	for (int k = d->pairs - 1; k >= d->pairs - kept; k--)
	{
		int			h = k % DPEM_SYNTH_HISTORY;

		alpha[h] = dpem_dot(d->s[h], d->direction, d->n) / d->curvature[h];
		for (size_t i = 0; i < d->n; i++)
			d->direction[i] -= alpha[h] * d->y[h][i];
	}
	if (kept > 0)
	{
		int			h = (d->pairs - 1) % DPEM_SYNTH_HISTORY;
		double		sum = 0;

		for (size_t i = 0; i < d->n; i++)
			sum += d->y[h][i] * d->y[h][i] * d->diagonal[i];
		scale = d->curvature[h] / sum;
	}
	for (size_t i = 0; i < d->n; i++)
		d->direction[i] *= scale * d->diagonal[i];
	for (int k = d->pairs - kept; k < d->pairs; k++)
	{
		int			h = k % DPEM_SYNTH_HISTORY;
		double		beta = dpem_dot(d->y[h], d->direction, d->n) / d->curvature[h];

		for (size_t i = 0; i < d->n; i++)
			d->direction[i] += (alpha[h] - beta) * d->s[h][i];
	}
}

/* takes the trial point over; its gradient is in y of the next pair */
static void
accept(const DpemSynthModel *model, Descent *d, double step, double value)
{
	int			h = d->pairs % DPEM_SYNTH_HISTORY;

	for (size_t i = 0; i < d->n; i++)
	{
		double		gradient = d->y[h][i];

		d->s[h][i] = step * d->direction[i];
		d->y[h][i] -= d->gradient[i];
		d->gradient[i] = gradient;
		d->theta[i] = d->trial[i];
	}
	d->curvature[h] = dpem_dot(d->s[h], d->y[h], d->n);
	if (d->curvature[h] > 0)
		d->pairs++;
	d->value = value;
	precondition(model, d);
}

/* one step along the direction; false if none decreases G.  Evaluations are counted in *used. */
static bool
step_along(DpemSynthModel *model, Descent *d, double step, int *used)
{
	double		slope = dpem_dot(d->gradient, d->direction, d->n);

	for (int i = 0; i < TRIES && slope < 0; i++)
	{
		double		value;

		for (size_t k = 0; k < d->n; k++)
			d->trial[k] = d->theta[k] + step * d->direction[k];
		value = evaluate(model, d->trial, d->y[d->pairs % DPEM_SYNTH_HISTORY]);
		++*used;
		if (value <= d->value + ENOUGH * step * slope)
		{
			accept(model, d, step, value);
			return true;
		}
		/* the parabola's minimum, within bounds */
		step *= fmin(fmax(-slope * step / (2 * (value - d->value - slope * step)), 0.1), 0.5);
	}
	return false;
}

/*
 * What is minimised, in units of G, less a constant: by duality it exceeds -G by
 * sum gradient^2 / (2 ridge v), which is 0 at the minimum.
 */
static double
primal(const DpemSynthModel *model, const Descent *d)
{
	double		gap = 0;
	size_t		at = 0;

	for (int t = 0; t < model->tables; t++)
		for (size_t i = 0; i < model->table[t].cells; i++, at++)
			gap += d->gradient[at] * d->gradient[at] / (2 * ridge_of(&model->table[t], i));
	return gap - d->value;
}

/* ---- new tables -------------------------------------------------------------- */

static bool
is_new(const DpemSynthMeasured *table)
{
	for (size_t i = 0; i < table->cells; i++)
		if (table->theta[i] != 0)
			return false;
	return true;
}

/*
 * Iterative proportional fitting: each table in turn (or each new one) gets the theta
 * at which G is least while the others keep theirs.  One evaluation per table.
 */
static void
sweep(DpemSynthModel *model, Descent *d, bool only_new, int *used)
{
	size_t		at = 0;

	for (int t = 0; t < model->tables; t++)
	{
		const DpemSynthMeasured *table = &model->table[t];
		double		shift = shift_of(model, table);

		if (!only_new || is_new(table))
		{
			dpem_synth_propagate(model, d->theta);
			dpem_synth_measure_one(model, t, d->trial);
			++*used;
			for (size_t i = 0; i < table->cells; i++)
			{
				double		ridge = ridge_of(table, i);
				double		y = table->value[i] + shift - ridge * d->theta[at + i];

				d->theta[at + i] += dpem_synth_solve_cell(d->trial[at + i], y, ridge);
			}
		}
		at += table->cells;
	}
}

static void
copy_theta(DpemSynthModel *model, Descent *d, bool out)
{
	double	   *next = d->theta;

	for (int t = 0; t < model->tables; t++)
	{
		DpemSynthMeasured *table = &model->table[t];

		memcpy(out ? table->theta : next, out ? next : table->theta, table->cells * sizeof *next);
		next += table->cells;
	}
}

static double
weighted_squares(const DpemSynthModel *model, double *marginal)
{
	double		sum = 0;
	size_t		cells = 0;

	dpem_synth_measure(model, marginal);
	for (int t = 0; t < model->tables; t++)
		for (size_t i = 0; i < model->table[t].cells; i++, cells++)
		{
			double		error = marginal[cells] - model->table[t].value[i];

			sum += error * error / model->table[t].variance[i];
		}
	return sum / (double) cells;
}

void
dpem_synth_propagate_own(DpemSynthModel *model)
{
	Descent		d = take(model);

	copy_theta(model, &d, false);
	dpem_synth_propagate(model, d.theta);
}

/* steps of BFGS; the tables' theta become the best of those passed by */
static void
descend(DpemSynthModel *model, Descent *d, int evaluations)
{
	int			used = 1;
	int			idle = 0;
	double		best;

	d->value = evaluate(model, d->theta, d->gradient);
	precondition(model, d);
	best = primal(model, d);
	copy_theta(model, d, true);
	while (used < evaluations && idle < 2)
	{
		double		before = d->value;
		double		now;

		find_direction(d);
		if (!step_along(model, d, d->pairs == 0 ? 0.25 : 1, &used) || before - d->value < TOLERANCE * model->total)
		{
			/* what was remembered may be what hinders */
			d->pairs = 0;
			idle++;
		}
		else
			idle = 0;
		now = primal(model, d);
		if (now < best)
		{
			best = now;
			copy_theta(model, d, true);
		}
	}
	copy_theta(model, d, false);
}

DpemStatus
dpem_synth_fit(DpemSynthModel *model, int iterations, double *loss)
{
	Descent		d = take(model);
	int			used = 1;

	if (model->tables == 0)
		return DPEM_BAD_ARGUMENT;
	dpem_synth_build(model);
	copy_theta(model, &d, false);
	sweep(model, &d, true, &used);
	for (int i = 0; i < SWEEPS && iterations - used > 2 * model->tables; i++)
		sweep(model, &d, false, &used);
	descend(model, &d, iterations - used);
	/* the last trial may not be what was taken */
	dpem_synth_propagate(model, d.theta);
	if (loss != NULL)
		*loss = weighted_squares(model, d.trial);
	return DPEM_OK;
}

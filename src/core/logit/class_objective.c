/*
 * class_objective.c - see class_objective.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_objective.h"
#include "core/numeric/linalg.h"
#include "core/numeric/vector.h"

#define LEFT		0x1p-17		/* of the way to the minimum, at most, but for rounding: less than any noise */
#define MOST_REACH	64.0
#define MOST_TILT	16.0		/* times the hinge's own curvature */
#define HALVINGS	200			/* more than a double has bits */

/* ---- the problem ----------------------------------------------------------------- */

static DpemObjective
problem_of(const DpemMarginLoss *loss, double ridge, double part, int passes, double size)
{
	DpemObjective o = {.ridge = ridge,.slope = 1,.most = dpem_loss_most_curvature(loss),.part = part,.passes = passes};

	if (loss->kind == DPEM_LOSS_LOGISTIC)
	{
		o.reach = size;
		o.least = dpem_loss_curvature(loss, size);
		return o;
	}
	o.reach = DPEM_TILT_REACH;
	o.least = size;
	o.most += size;
	o.slope += 2 * size * DPEM_TILT_REACH;
	return o;
}

/* a logistic loss's widest reach, or a hinge's least tilt */
DpemObjective
dpem_class_objective(const DpemMarginLoss *loss, int d, double ridge, double part, int passes)
{
	bool		logistic = loss->kind == DPEM_LOSS_LOGISTIC;
	double		near = logistic ? 0 : MOST_TILT * dpem_loss_most_curvature(loss);
	double		far = logistic ? MOST_REACH : 0;

	for (int i = 0; i < HALVINGS; i++)
	{
		double		middle = (near + far) / 2;
		DpemObjective o = problem_of(loss, ridge, part, passes, middle);

		if (dpem_minimum_left(&o, d) <= LEFT)
			near = middle;
		else
			far = middle;
	}
	return problem_of(loss, ridge, part, passes, near);
}

double
dpem_objective_tilt(const DpemMarginLoss *loss, const DpemObjective *o)
{
	return loss->kind == DPEM_LOSS_LOGISTIC ? 0 : o->least;
}

/* ---- steps ----------------------------------------------------------------------- */

size_t
dpem_minimiser_work(int d)
{
	return 3 * (size_t) d + dpem_linalg_eigen_work(d);
}

DpemStatus
dpem_minimiser_start(DpemMinimiser *m, double rows, double *second, DpemWorkspace work)
{
	const DpemObjective *o = &m->objective;
	double		half = (1 + dpem_objective_rate(o, m->d)) / 2;

	m->axis = second;
	m->metric = dpem_workspace_take(&work, m->d);
	m->spare = dpem_workspace_take(&work, 2 * (size_t) m->d);
	memset(m->at, 0, m->d * sizeof(double));
	if (dpem_linalg_eigen(m->d, second, m->metric, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < m->d; i++)
		m->metric[i] = half * (o->most * (fmax(m->metric[i], 0) + m->d * DPEM_OBJECTIVE_SPECTRUM * rows) + o->ridge);
	return DPEM_OK;
}

/* w = (M + shift)^-1 goal, and its length */
static double
solve(const DpemMinimiser *m, const double *goal, double shift, double *w)
{
	double		square = 0;

	for (int i = 0; i < m->d; i++)
	{
		w[i] = goal[i] / (m->metric[i] + shift);
		square += w[i] * w[i];
	}
	return sqrt(square);
}

/*
 * Of the ball's points the one that is nearest to M^-1 goal in the metric, by the multiplier of its length; 0 where that is
 * inside, after as many halvings, so that their time tells nothing.
 */
static void
solve_in_ball(const DpemMinimiser *m, const double *goal, double *w)
{
	bool		inside = solve(m, goal, 0, w) <= m->objective.reach;
	double		low = 0;
	double		high = inside ? 0 : sqrt(dpem_dot(goal, goal, m->d)) / m->objective.reach;
	double		length;

	for (int i = 0; i < HALVINGS; i++)
	{
		double		middle = (low + high) / 2;

		if (solve(m, goal, middle, w) > m->objective.reach)
			low = middle;
		else
			high = middle;
	}
	length = solve(m, goal, high, w);
	for (int i = 0; i < m->d && length > m->objective.reach; i++)
		w[i] *= m->objective.reach / length;
}

void
dpem_minimiser_step(DpemMinimiser *m, const double *sum)
{
	size_t		d = (size_t) m->d;
	double	   *goal = m->spare;
	double	   *w = m->spare + d;

	/* M w - gradient, along the axes; the ridge's part is joined to the metric's there */
	for (size_t i = 0; i < d; i++)
	{
		const double *axis = m->axis + i * d;
		double		push = 0;
		double		at = 0;

		for (size_t j = 0; j < d; j++)
		{
			push += axis[j] * (sum[j] - m->noise[j]);
			at += axis[j] * m->at[j];
		}
		goal[i] = (m->metric[i] - m->objective.ridge) * at + push;
	}
	solve_in_ball(m, goal, w);
	memset(m->at, 0, d * sizeof(double));
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			m->at[j] += m->axis[i * d + j] * w[i];
}

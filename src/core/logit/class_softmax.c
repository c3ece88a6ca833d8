/*
 * class_softmax.c - see class_softmax.h.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/logit/class_axes.h"
#include "core/logit/class_softmax.h"
#include "core/numeric/linalg.h"
#include "core/numeric/positive_mean.h"

#define LEAST_PART	0.1			/* of an equal one, that a class's curvature is of at least */
#define LEAST_ROWS	0.5			/* of a class without rows */
#define SURE		2.0			/* deviations of noise */
#define NO_AXIS		1e-12		/* of the largest eigenvalue: no rows vary there */

/* what the first coefficients are made of */
typedef struct Classes
{
	double	   *one;			/* d: one'x is nearest to 1 */
	double		rows;			/* sum of that */
	double		sd;				/* of the noise in a sum by class */
	double		part_sd;		/* in a class's part of the rows */
	double		share_sd;		/* the same, of what is made of it */
	double		kept;			/* of what means differ by, that which is not expected to be noise */
	DpemClassAxes within;		/* of W */
	double	   *turn;			/* d x d: from the axes of W to those of sum x x', and then what the constant follows of them */
	double	   *line;			/* d */
} Classes;

size_t
dpem_softmax_work(int d)
{
	return 3 * (size_t) d * d + 3 * (size_t) d + dpem_linalg_eigen_work(d);
}

/* ---- rows of each class ---------------------------------------------------------- */

/* the constant, which is the last coordinate; where there is none, S^-1 sum x */
static void
find_one(const DpemClassFit *fit, Classes *c)
{
	int			d = fit->d;
	const DpemClassAxes *axes = &fit->axes;

	memset(c->one, 0, d * sizeof(double));
	if (fit->problem->s.constant)
		c->one[d - 1] = fit->sum[d - 1] > fit->sum_sd ? fmax(fit->rows, 1) / fit->sum[d - 1] : 0;
	else
	{
		dpem_axes_turn(axes, false, fit->sum, c->line);
		for (int i = 0; i < d; i++)
			c->line[i] = axes->value[i] > NO_AXIS * axes->value[d - 1] ? c->line[i] / axes->value[i] : 0;
		dpem_axes_turn(axes, true, c->line, c->one);
	}
	c->rows = dpem_linalg_dot(d, c->one, fit->sum);
}

/* of the rows in class k, as released; equal ones if nothing tells */
static double
released_part(const DpemClassFit *fit, const Classes *c, const double *sum)
{
	return c->rows > DBL_MIN ? dpem_linalg_dot(fit->d, c->one, sum) / c->rows : 1.0 / fit->problems;
}

/*
 * A class's sum explains no more of sum x x' than its rows are: D' S^-1 D is at most their number.  Where they were clipped, and
 * with them their constant, they are more than that says.
 */
static double
least_part(const DpemClassFit *fit, const Classes *c, const DpemClassProblem *p)
{
	double		sum = 0;
	double		variance = 0;

	dpem_axes_turn(&fit->axes, false, p->s.linear, c->line);
	for (int i = 0; i < fit->d; i++)
	{
		double		noise;

		if (!(fit->axes.value[i] > NO_AXIS * fit->axes.value[fit->d - 1]))
			continue;
		noise = p->s.linear_sd * p->s.linear_sd / fit->axes.value[i];
		sum += c->line[i] * c->line[i] / fit->axes.value[i] - noise;
		variance += 2 * noise * noise;
	}
	return fmin((sum - SURE * sqrt(variance)) / fmax(fit->rows, 1), 1);
}

/* parts nearer to equal ones by as much of what they differ by as is expected to be noise; the mean of what each may be then */
static void
find_parts(DpemClassFit *fit, Classes *c)
{
	double		equal = 1.0 / fit->problems;
	double		square = 0;
	double		sum = 0;
	double		bound = 0;
	double		kept;

	for (int k = 0; k < fit->problems; k++)
		square += pow(fit->problem[k].part - equal, 2);
	kept = fmax(1 - fit->problems * c->part_sd * c->part_sd / fmax(square, DBL_MIN), 0);
	for (int k = 0; k < fit->problems; k++)
	{
		DpemClassProblem *p = &fit->problem[k];

		p->part = fmax(dpem_positive_mean(equal + kept * (p->part - equal), sqrt(kept) * c->part_sd),
					   fmax(least_part(fit, c, p), LEAST_ROWS / fmax(fit->rows, 1)));
		sum += p->part;
	}
	c->share_sd = sqrt(kept) * c->part_sd;
	for (int k = 0; k < fit->problems; k++)
	{
		DpemClassProblem *p = &fit->problem[k];

		p->share = p->part / sum;
		p->part = fmax(p->share, LEAST_PART / fit->problems);
		bound += p->part;
	}
	for (int k = 0; k < fit->problems; k++)
		fit->problem[k].part /= bound;
}

/* into s.linear of each class what its rows' sum differs by from that of as many rows of all, and of that what is no noise */
static void
find_differences(const DpemNoisyMoments *m, double scale, DpemClassFit *fit, Classes *c)
{
	int			d = fit->d;
	size_t		record = dpem_moments_record(&m->layout);
	double		square = 0;
	double		noise = 0;

	for (int k = 0; k < fit->problems; k++)
	{
		DpemClassProblem *p = &fit->problem[k];

		for (int j = 0; j < d; j++)
			p->s.linear[j] = scale * m->value[k * record + 1 + j];
		p->part = released_part(fit, c, p->s.linear);
		for (int j = 0; j < d; j++)
			p->s.linear[j] -= p->part * fit->sum[j];
		p->s.linear_sd = hypot(c->sd, p->part * fit->sum_sd);
		square += dpem_linalg_dot(d, p->s.linear, p->s.linear);
		noise += d * p->s.linear_sd * p->s.linear_sd;
	}
	c->kept = fmax(1 - noise / fmax(square, DBL_MIN), 0);
}

/* ---- discriminant analysis ------------------------------------------------------- */

/*
 * What rows differ by about the mean of all; matrix: d x d.  A constant does not, unless rows are clipped: as small as W is along it,
 * noise there would make coefficients of other columns too large.
 */
static void
find_whole(const DpemClassFit *fit, double *matrix)
{
	int			d = fit->d;

	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			matrix[(size_t) i * d + j] = fit->second[(size_t) i * d + j] - fit->sum[i] * fit->sum[j] / fmax(fit->rows, 1);
	for (int j = 0; j < d && fit->constant > 0; j++)
		matrix[(size_t) j * d + d - 1] = matrix[(size_t) (d - 1) * d + j] = 0;
}

/* that, less a part of what means of classes explain, which is not all of it anywhere; matrix: d x d */
static DpemStatus
find_within(const DpemClassFit *fit, Classes *c, double *matrix, DpemWorkspace work)
{
	int			d = fit->d;
	double		rows = fmax(fit->rows, 1);
	double		more = dpem_class_spectrum_edge(fit) / 2;

	find_whole(fit, matrix);
	for (int k = 0; k < fit->problems; k++)
	{
		const double *from = fit->problem[k].s.linear;
		double		weight = dpem_softmax_explained * c->kept * c->kept / (fit->problem[k].part * rows);

		for (int i = 0; i < d; i++)
			for (int j = 0; j < d; j++)
				matrix[(size_t) i * d + j] -= weight * from[i] * from[j];
	}
	if (dpem_axes_find(d, matrix, more, &c->within, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	find_whole(fit, matrix);
	for (int i = 0; i < d; i++)
		c->within.value[i] = fmax(c->within.value[i], (1 - dpem_softmax_explained) *
								  dpem_linalg_form(d, matrix, c->within.vectors + (size_t) i * d, c->line) + more);
	return DPEM_OK;
}

/* what a coefficient along that axis of W adds to the constant's: -(mu_k + mu)' axis / 2 */
static double
half_way(const DpemClassFit *fit, const Classes *c, const DpemClassProblem *p, const double *axis)
{
	double		rows = fmax(fit->rows, 1);

	return -dpem_linalg_dot(fit->d, fit->sum, axis) / rows - c->kept * dpem_linalg_dot(fit->d, p->s.linear, axis) / (2 * p->part * rows);
}

/* the noise along the axes of sum x x', of a mean whose noise is gain along those of W */
static void
turn_noise(const DpemClassFit *fit, const Classes *c, const double *one, const double *constant, DpemClassProblem *p)
{
	int			d = fit->d;

	for (int i = 0; i < d; i++)
	{
		double		square = 0;

		for (int j = 0; j < d; j++)
			square += pow((c->turn[(size_t) i * d + j] + one[i] * constant[j]) * p->gain[j], 2);
		p->axis[i] = sqrt(square);
	}
	memcpy(p->gain, p->axis, d * sizeof(double));
}

/* noise is not to draw scores towards equal parts of the rows, but towards the classes' */
static void
put_middle(const DpemClassFit *fit, const Classes *c, DpemClassProblem *p)
{
	int			d = fit->d;
	double		level = log(p->share);

	if (p->middle == NULL || !(fit->constant > 0))
		return;
	p->slope = dpem_softmax_scores / (fit->constant * fit->constant);
	memset(c->line, 0, d * sizeof(double));
	c->line[d - 1] = level / fit->constant;
	dpem_axes_turn(&fit->axes, false, c->line, p->middle);
	p->middle_sd = level < 0 ? fmin(c->share_sd / p->share, 1) / -level : 0;
}

/* s.linear is overwritten */
static void
discriminate(DpemClassFit *fit, const Classes *c, DpemClassProblem *p, DpemWorkspace work)
{
	int			d = fit->d;
	double	   *constant = dpem_workspace_take(&work, d);
	double	   *one = dpem_workspace_take(&work, d);
	double		level = log(p->share);

	for (int i = 0; i < d; i++)
		p->g[i] = p->part * c->within.value[i];
	dpem_axes_turn(&c->within, false, p->s.linear, one);
	for (int i = 0; i < d; i++)
		constant[i] = half_way(fit, c, p, c->within.vectors + (size_t) i * d);
	dpem_axes_solve(&c->within, fit->prior_variance, one, p->s.linear_sd, p);
	level += dpem_linalg_dot(d, constant, p->axis);
	dpem_axes_turn(&fit->axes, false, c->one, one);
	turn_noise(fit, c, one, constant, p);
	for (int j = 0; j < d; j++)
		p->fit.mean[j] += level * c->one[j];
	dpem_axes_turn(&fit->axes, false, p->fit.mean, p->axis);
	put_middle(fit, c, p);
}

/* ---- the law of rows, of which these are the scores --------------------------------- */

/* the mean of a class's rows; s.linear is not overwritten yet */
static void
put_center(const DpemClassFit *fit, const Classes *c, DpemClassProblem *p)
{
	int			d = fit->d;

	for (int j = 0; j < d; j++)
		p->center[j] = (fit->sum[j] + c->kept * p->s.linear[j] / p->part) / fmax(fit->rows, 1);
	if (fit->constant > 0)
		p->center[d - 1] = fit->constant;
}

/* the root of W, which changes as little as W does; a row's constant does not vary unless it is clipped */
static void
put_spread(DpemClassFit *fit, const Classes *c, DpemWorkspace work)
{
	int			d = fit->d;

	for (int j = 0; j < d; j++)
		c->line[j] = sqrt(c->within.value[j] / fmax(fit->rows, 1));
	dpem_linalg_rebuild(d, c->within.vectors, c->line, fit->spread, dpem_workspace_take(&work, (size_t) d * d));
	for (int j = 0; j < d && fit->constant > 0; j++)
		fit->spread[(size_t) j * d + d - 1] = 0;
}

DpemStatus
dpem_softmax_take_sums(const DpemNoisyMoments *m, double scale, DpemClassFit *fit, DpemWorkspace work)
{
	int			d = fit->d;
	Classes		c = {
		.one = dpem_workspace_take(&work, d),.sd = scale * m->sum_sd,
		.within = {d, dpem_workspace_take(&work, (size_t) d * d), dpem_workspace_take(&work, d)},
		.turn = dpem_workspace_take(&work, (size_t) d * d),.line = dpem_workspace_take(&work, d)
	};

	find_one(fit, &c);
	c.part_sd = c.rows > DBL_MIN ? sqrt(dpem_linalg_dot(d, c.one, c.one)) * c.sd / c.rows : 1;
	find_differences(m, scale, fit, &c);
	find_parts(fit, &c);
	if (find_within(fit, &c, c.turn, work) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linalg_multiply_nt(d, fit->axes.vectors, c.within.vectors, c.turn);
	for (int k = 0; k < fit->problems && fit->spread != NULL; k++)
		put_center(fit, &c, &fit->problem[k]);
	if (fit->spread != NULL)
		put_spread(fit, &c, work);
	for (int k = 0; k < fit->problems; k++)
		discriminate(fit, &c, &fit->problem[k], work);
	return DPEM_OK;
}

/* ---- steps --------------------------------------------------------------------------- */

void
dpem_softmax_take_gradient(const DpemNoisyMoments *m, double scale, int before, DpemClassFit *fit, DpemWorkspace work)
{
	size_t		record = dpem_moments_record(&m->layout);

	/* with weights 1, 2, 3, ... */
	for (int k = 0; k < fit->problems; k++)
	{
		DpemClassProblem *p = &fit->problem[k];

		dpem_axes_take(&fit->axes, m->value + k * record + 1, scale, m->sum_sd, p->part, 2.0 / (before + 2), p, work);
		dpem_axes_solve(&fit->axes, fit->prior_variance, p->s.linear, p->s.linear_sd, p);
	}
}

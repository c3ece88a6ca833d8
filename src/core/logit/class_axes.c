/*
 * class_axes.c - see class_axes.h.
 */
#include <math.h>
#include <string.h>

#include "core/logit/class_axes.h"
#include "core/numeric/linalg.h"

#define STEPS		500
#define TOLERANCE	1e-10

DpemStatus
dpem_axes_find(int d, const double *matrix, double more, DpemClassAxes *axes, DpemWorkspace work)
{
	axes->d = d;
	memcpy(axes->vectors, matrix, (size_t) d * d * sizeof(double));
	if (dpem_linalg_eigen(d, axes->vectors, axes->value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	for (int i = 0; i < d; i++)
		axes->value[i] = fmax(axes->value[i], 0) + more;
	return DPEM_OK;
}

void
dpem_axes_turn(const DpemClassAxes *axes, bool back, const double *in, double *out)
{
	int			d = axes->d;

	if (!back)
	{
		dpem_linalg_product(d, 1, d, axes->vectors, in, out);
		return;
	}
	memset(out, 0, d * sizeof(double));
	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			out[j] += in[i] * axes->vectors[(size_t) i * d + j];
}

void
dpem_axes_solve(const DpemClassAxes *axes, double prior_variance, const double *t, double sd, DpemClassProblem *p)
{
	double		precision = prior_variance > 0 ? 1 / prior_variance : 1;
	double		change = 1;

	/* p->slope: as much of it as noise lets be told, for what it hides is best taken for little */
	for (int step = 0; step < STEPS && change > TOLERANCE; step++)
	{
		double		last = precision;
		double		total = 0;
		double		seen = 0;

		for (int i = 0; i < axes->d; i++)
		{
			double		k = p->g[i] > 0 ? p->g[i] / (p->g[i] + sd * sd) : 0;
			double		middle = p->middle ? p->middle[i] : 0;
			double		unsure = middle * p->middle_sd;
			double		part = 1 / (1 + precision * unsure * unsure);	/* of the prior's variance, that of a coefficient */
			double		variance = 1 / (k * p->g[i] + part * precision);
			double		off = k * (t[i] - p->g[i] * middle) * variance;

			p->axis[i] = middle + off;
			p->gain[i] = hypot(k * variance * sd, part * precision * variance * unsure);
			seen += k;
			total += (1 - part) / precision + part * part * (off * off + variance);
		}
		if (!(prior_variance > 0))
			precision = (1 + axes->d / 2.0) / (1 + p->slope * seen / axes->d + total / 2);
		change = fabs(precision - last) / precision;
	}
	p->fit.precision = precision;
	dpem_axes_turn(axes, true, p->axis, p->fit.mean);
}

void
dpem_axes_take(const DpemClassAxes *axes, const double *gradient, double scale, double sd, double weight, double share,
			   DpemClassProblem *p, DpemWorkspace work)
{
	double	   *released = dpem_workspace_take(&work, axes->d);

	dpem_axes_turn(axes, false, gradient, released);
	for (int i = 0; i < axes->d; i++)
	{
		double		g = weight * axes->value[i];
		double		t = scale * released[i] + g * p->axis[i];

		p->s.linear[i] = share < 1 ? p->s.linear[i] + share * (t - p->s.linear[i]) : t;
		p->g[i] = share < 1 ? p->g[i] + share * (g - p->g[i]) : g;
	}
	p->s.linear_sd = hypot(share < 1 ? (1 - share) * p->s.linear_sd : 0, share * scale * sd);
}

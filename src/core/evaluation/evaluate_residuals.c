/*
 * evaluate_residuals.c - what residuals and sums of them say of a regression; see evaluate_metrics.h.
 */
#include <math.h>

#include "core/evaluation/evaluate_metrics.h"
#include "core/numeric/bisect.h"

#define STEPS		60			/* of a search that doubles */

static double
squared(double x)
{
	return x * x;
}

static double
between(double x, double least, double most)
{
	return x >= least ? fmin(x, most) : least;
}

/* ---- residuals ---- */

void
dpem_evaluate_residual_mean(const DpemEvaluateCells *cells, double reach, double *u, double *v, DpemStatisticValue *out)
{
	for (int b = 0; b < cells->bins; b++)
	{
		u[b] = dpem_evaluate_middle(cells->bins, b, reach);
		v[b] = 1;
	}
	dpem_evaluate_ratio(cells->bins, cells->count, cells->sd, u, v, -reach, reach, out);
}

/*
 * Share of the rows whose |residual| is at most x in units of the reach, minus `shift` deviations of its noise; a row in
 * a bin is anywhere in it.  Part p of the cells within x: (1 - level)^2 p + level^2 (1 - p) of the cells' variance.
 */
static double
excess(const DpemEvaluateCells *cells, double x, double level, double shift)
{
	double		inside = 0;
	double		all = 0;
	double		variance = 0;

	for (int b = 0; b < cells->bins; b++)
	{
		double		low = dpem_evaluate_edge(cells->bins, b, 1);
		double		high = dpem_evaluate_edge(cells->bins, b + 1, 1);
		double		part = between((fmin(high, x) - fmax(low, -x)) / (high - low), 0, 1);

		inside += part * cells->count[b];
		all += cells->count[b];
		variance += squared(part - level);
	}
	return inside - level * all - shift * cells->sd * sqrt(variance);
}

/* the least x of the finest grid that reaches the level */
static double
residual_at(const DpemEvaluateCells *cells, double level, double shift)
{
	int			n = 16 * cells->bins;

	for (int i = 1; i < n; i++)
	{
		if (excess(cells, (double) i / n, level, shift) >= 0)
			return (double) i / n;
	}
	return 1;
}

/*
 * The least x from which on it certainly does.  Not the first that does: noise makes the excess rise and fall, and where few rows are
 * between the first and the true one, one of many would often be above.
 */
static double
residual_end(const DpemEvaluateCells *cells, double level)
{
	int			n = 16 * cells->bins;
	int			i = n;

	while (i > 1 && excess(cells, (double) (i - 1) / n, level, DPEM_NORMAL_975) >= 0)
		i--;
	return (double) i / n;
}

bool
dpem_evaluate_residuals_reach(const DpemEvaluateCells *cells, double level)
{
	return excess(cells, dpem_evaluate_edge(cells->bins, cells->bins - 1, 1), level, -DPEM_NORMAL_975) >= 0;
}

void
dpem_evaluate_residual_quantile(const DpemEvaluateCells *cells, double reach, double level, DpemStatisticValue *out)
{
	out->value = reach * residual_at(cells, level, 0);
	out->lower = reach * residual_at(cells, level, -DPEM_NORMAL_975);
	out->upper = reach * residual_end(cells, level);
	out->sd = (out->upper - out->lower) / (2 * DPEM_NORMAL_975);
}

/* ---- sums ---- */

typedef struct Explained
{
	double		n;
	double		r2;				/* sums of r^2, y, y^2 in own units */
	double		y;
	double		y2;
} Explained;

static double
own_sum(const DpemEvaluateSums *m, int i)
{
	return m->middle[i] * m->n + m->half[i] * m->s[i];
}

/* n sum r^2 - q (n sum y^2 - (sum y)^2), without what squares and products of the noise add; *variance to first order */
static double
explained(const DpemEvaluateSums *m, double q, double *variance)
{
	Explained	e = {m->n, own_sum(m, 0), own_sum(m, 2), own_sum(m, 3)};
	double		n2 = squared(m->n_sd);
	double		s2 = squared(m->s_sd);
	double		by_n = e.r2 - q * e.y2 + m->middle[0] * e.n - q * (m->middle[3] * e.n - 2 * m->middle[2] * e.y);
	double		by_r = m->half[0] * e.n;
	double		by_y = 2 * q * m->half[2] * e.y;
	double		by_y2 = -q * m->half[3] * e.n;
	double		added = m->middle[0] * n2 - q * (m->middle[3] * n2 - squared(m->middle[2]) * n2 - squared(m->half[2]) * s2);

	*variance = squared(by_n) * n2 + (squared(by_r) + squared(by_y) + squared(by_y2)) * s2;
	return e.n * e.r2 - q * (e.n * e.y2 - e.y * e.y) - added;
}

static bool
explained_fits(const void *sums, double q)
{
	double		variance;
	double		off = explained(sums, q, &variance);

	return fabs(off) <= DPEM_NORMAL_975 * sqrt(variance);
}

/* outwards from a q that fits, in steps that double, then between the last two */
static double
explained_end(const DpemEvaluateSums *m, double q, double step, double bound)
{
	double		inside = q;
	double		outside = q;

	for (int i = 0; i < STEPS && outside == inside; i++, step *= 2)
	{
		double		next = step < 0 ? fmax(q + step, bound) : fmin(q + step, bound);

		if (explained_fits(m, next) && next != bound)
			inside = outside = next;
		else
			outside = next;
	}
	return outside == inside ? outside : dpem_reach(explained_fits, m, inside, outside);
}

void
dpem_evaluate_r2(const DpemEvaluateSums *m, DpemStatisticValue *out)
{
	double		variance;
	double		numerator = explained(m, 0, &variance);
	double		denominator = numerator - explained(m, 1, &variance);
	/* to first order the noise is known only of rows that are there */
	bool		known = denominator > 0 && (m->n_sd == 0 || m->n > DPEM_NORMAL_975 * m->n_sd);
	double		q = known ? fmax(numerator / denominator, 0) : 1;

	*out = (DpemStatisticValue) {1 - q, INFINITY, -INFINITY, 1, 0};
	if (m->n_sd == 0 && m->s_sd == 0)
		*out = (DpemStatisticValue) {1 - q, 0, 1 - q, 1 - q, 0};
	(void) explained(m, q, &variance);
	if (!known || out->sd == 0 || !explained_fits(m, q))
		return;
	out->sd = sqrt(variance) / denominator;
	out->upper = 1 - explained_end(m, q, -fmax(out->sd, 1e-12), 0);
	out->lower = 1 - explained_end(m, q, fmax(out->sd, 1e-12), 1e6);
	if (out->lower > 1 - 1e6)
		return;
	/* a denominator that may be nothing makes a ratio as large as noise likes: of those left, the nearest to a model that explains nothing */
	out->lower = -INFINITY;
	out->value = out->value < 0 ? fmin(out->upper, 0) : out->value;
}

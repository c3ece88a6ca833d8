/*
 * evaluate_metrics.c - see evaluate_metrics.h.
 */
#include <math.h>
#include <string.h>

#include "core/evaluation/evaluate_metrics.h"

#define NORMAL_975	1.9599639845400542	/* the 97.5 % point of the normal distribution */
#define STEPS		60			/* of a bisection of [0, 1] */

const char *const dpem_class_metric_names[DPEM_CLASS_METRICS] = {
	[DPEM_METRIC_ROWS] = "rows",[DPEM_METRIC_POSITIVES] = "positives",[DPEM_METRIC_AUC] = "auc",
	[DPEM_METRIC_ACCURACY] = "accuracy",[DPEM_METRIC_PRECISION] = "precision",[DPEM_METRIC_RECALL] = "recall",
	[DPEM_METRIC_SPECIFICITY] = "specificity",[DPEM_METRIC_F1] = "f1",[DPEM_METRIC_BRIER] = "brier_score",
	[DPEM_METRIC_LOG_LOSS] = "log_loss",[DPEM_METRIC_CALIBRATION] = "predicted_minus_observed"
};

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

/* ---- ratios ---- */

typedef struct Products
{
	double		u;				/* sum u c */
	double		v;
	double		uu;				/* sum u u */
	double		uv;
	double		vv;
} Products;

static Products
products_of(int n, const double *count, const double *u, const double *v)
{
	Products	p = {0, 0, 0, 0, 0};

	for (int i = 0; i < n; i++)
	{
		p.u += u[i] * count[i];
		p.v += v[i] * count[i];
		p.uu += u[i] * u[i];
		p.uv += u[i] * v[i];
		p.vv += v[i] * v[i];
	}
	return p;
}

void
dpem_evaluate_ratio(int n, const double *count, double sd, const double *u, const double *v,
					double least, double most, DpemStatisticValue *out)
{
	Products	p = products_of(n, count, u, v);
	double		reach2 = squared(NORMAL_975 * sd);
	double		a = p.v * p.v - reach2 * p.vv;
	double		b = p.u * p.v - reach2 * p.uv;
	double		root = b * b - a * (p.u * p.u - reach2 * p.uu);
	double		ratio = p.v > 0 ? p.u / p.v : least;

	out->value = between(ratio, least, most);
	out->sd = sd * sqrt(fmax(p.uu - 2 * ratio * p.uv + ratio * ratio * p.vv, 0)) / fmax(p.v, sd);
	out->lower = least;
	out->upper = most;
	if (!(p.v > 0) || !(a > 0))
		return;
	out->lower = between((b - sqrt(fmax(root, 0))) / a, least, most);
	out->upper = between((b + sqrt(fmax(root, 0))) / a, least, most);
}

/* ---- the area under the curve ---- */

typedef struct Area
{
	const DpemEvaluateCells *cells;
	double		tie;			/* what a pair of equal bins counts */
	double		n0;
	double		n1;
	double		pairs;			/* ordered the right way */
} Area;

static double
class_sum(const DpemEvaluateCells *cells, int class)
{
	double		sum = 0;

	for (int b = 0; b < cells->bins; b++)
		sum += cells->count[class * cells->bins + b];
	return sum;
}

/*
 * P(s1 > s0) of rows of the two classes in one bin of width w, where the density of scores is flat but for the odds
 * e^s that they say: f1 = e^(s/2) / c and f0 = e^(-s/2) / c on [-w/2, w/2], c = 4 sinh(w/4).
 */
static double
tie_of(double w)
{
	double		c = 4 * sinh(w / 4);

	return w > 1e-3 ? 2 / (c * c) * (exp(w / 4) * c - w) : 0.5 + w / 12;
}

static Area
area_of(const DpemEvaluateCells *cells, double width)
{
	Area		area = {cells, tie_of(width), class_sum(cells, 0), class_sum(cells, 1), 0};
	double		below = 0;

	for (int b = 0; b < cells->bins; b++)
	{
		double		n0 = cells->count[b];

		area.pairs += cells->count[cells->bins + b] * (below + n0 * area.tie);
		below += n0;
	}
	return area;
}

/* of n1' M n0; at least half of what the noisy counts say */
static double
area_variance(const Area *area, double a)
{
	const DpemEvaluateCells *cells = area->cells;
	double		bins = cells->bins;
	double		s2 = squared(cells->sd);
	double		below = 0;
	double		above = area->n1;
	double		sum = 0;
	double		norm2 = bins * (bins - 1) / 2 * (squared(1 - a) + a * a) + bins * squared(area->tie - a);

	for (int b = 0; b < cells->bins; b++)
	{
		double		n0 = cells->count[b];
		double		n1 = cells->count[cells->bins + b];

		sum += squared(below + n0 * area->tie - a * area->n0) +
			squared(above - n1 * (1 - area->tie) - a * area->n1);
		below += n0;
		above -= n1;
	}
	return fmax(s2 * sum - s2 * s2 * norm2, s2 * sum / 2);
}

static bool
area_fits(const Area *area, double a)
{
	return fabs(area->pairs - a * area->n1 * area->n0) <= NORMAL_975 * sqrt(area_variance(area, a));
}

/* the end of what fits between a number that fits and one that need not */
static double
area_end(const Area *area, double inside, double outside)
{
	if (area_fits(area, outside))
		return outside;
	for (int i = 0; i < STEPS; i++)
	{
		double		middle = (inside + outside) / 2;

		if (area_fits(area, middle))
			inside = middle;
		else
			outside = middle;
	}
	return inside;
}

void
dpem_evaluate_auc(const DpemEvaluateCells *cells, double width, DpemStatisticValue *out)
{
	Area		area = area_of(cells, width);
	double		least = 2 * cells->sd * sqrt(cells->bins);

	*out = (DpemStatisticValue) {0.5, 0.5, 0, 1};
	if (!(area.n0 > least && area.n1 > least))
		return;
	out->value = between(area.pairs / (area.n0 * area.n1), 0, 1);
	out->sd = sqrt(area_variance(&area, out->value)) / (area.n0 * area.n1);
	out->lower = out->upper = out->value;
	if (cells->sd == 0)
		return;
	out->lower = 0;
	out->upper = 1;
	if (!area_fits(&area, out->value))
		return;
	out->lower = area_end(&area, out->value, 0);
	out->upper = area_end(&area, out->value, 1);
}

/* ---- two classes ---- */

double
dpem_evaluate_edge(int bins, int bin, double reach)
{
	return reach * (2.0 * bin / bins - 1);
}

double
dpem_evaluate_middle(int bins, int bin, double reach)
{
	return reach * ((2.0 * bin + 1) / bins - 1);
}

static double
probability(double log_odds)
{
	return 1 / (1 + exp(-log_odds));
}

static double
log_loss(double log_odds)
{
	return log1p(exp(-log_odds));
}

/* what a row of a cell adds to numerator and denominator; p: predicted probability of class 1 */
static void
cell_weights(DpemClassMetric metric, int class, bool above, double log_odds, double *u, double *v)
{
	bool		right = above == (class == 1);
	double		p = probability(log_odds);

	*v = 1;
	switch (metric)
	{
		case DPEM_METRIC_ACCURACY:
			*u = right;
			break;
		case DPEM_METRIC_PRECISION:
			*u = above && right;
			*v = above;
			break;
		case DPEM_METRIC_RECALL:
			*u = above && right;
			*v = class;
			break;
		case DPEM_METRIC_SPECIFICITY:
			*u = !above && right;
			*v = 1 - class;
			break;
		case DPEM_METRIC_F1:
			*u = 2 * (above && right);
			*v = above + class;
			break;
		case DPEM_METRIC_BRIER:
			*u = squared(p - class);
			break;
		case DPEM_METRIC_LOG_LOSS:
			*u = log_loss(class ? log_odds : -log_odds);
			break;
		default:
			*u = p - class;
	}
}

static void
class_ratio(const DpemEvaluateCells *cells, DpemClassMetric metric, double reach, int cut, double *u, double *v,
			DpemStatisticValue *out)
{
	bool		loss = metric == DPEM_METRIC_LOG_LOSS;
	bool		difference = metric == DPEM_METRIC_CALIBRATION;

	for (int i = 0; i < 2 * cells->bins; i++)
		cell_weights(metric, i / cells->bins, i % cells->bins >= cut,
					 dpem_evaluate_middle(cells->bins, i % cells->bins, reach), &u[i], &v[i]);
	dpem_evaluate_ratio(2 * cells->bins, cells->count, cells->sd, u, v, difference ? -1 : 0,
						loss ? log_loss(-reach) : 1, out);
}

static void
put_count(double value, double sd, DpemStatisticValue *out)
{
	*out = (DpemStatisticValue) {value, sd, value - NORMAL_975 * sd, value + NORMAL_975 * sd};
}

void
dpem_evaluate_classes(const DpemEvaluateCells *cells, double reach, int cut, double *u, double *v,
					  DpemStatisticValue out[DPEM_CLASS_METRICS])
{
	double		n1 = class_sum(cells, 1);

	put_count(class_sum(cells, 0) + n1, cells->sd * sqrt(2.0 * cells->bins), &out[DPEM_METRIC_ROWS]);
	put_count(n1, cells->sd * sqrt(cells->bins), &out[DPEM_METRIC_POSITIVES]);
	dpem_evaluate_auc(cells, 2 * reach / cells->bins, &out[DPEM_METRIC_AUC]);
	for (int m = DPEM_METRIC_ACCURACY; m < DPEM_CLASS_METRICS; m++)
		class_ratio(cells, (DpemClassMetric) m, reach, cut, u, v, &out[m]);
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

void
dpem_evaluate_residual_quantile(const DpemEvaluateCells *cells, double reach, double level, DpemStatisticValue *out)
{
	out->value = reach * residual_at(cells, level, 0);
	out->lower = reach * residual_at(cells, level, -NORMAL_975);
	out->upper = reach * residual_at(cells, level, NORMAL_975);
	out->sd = (out->upper - out->lower) / (2 * NORMAL_975);
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
explained_fits(const DpemEvaluateSums *m, double q)
{
	double		variance;
	double		off = explained(m, q, &variance);

	return fabs(off) <= NORMAL_975 * sqrt(variance);
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
	if (outside == inside || explained_fits(m, outside))
		return outside;
	for (int i = 0; i < STEPS; i++)
	{
		double		middle = (inside + outside) / 2;

		if (explained_fits(m, middle))
			inside = middle;
		else
			outside = middle;
	}
	return inside;
}

void
dpem_evaluate_r2(const DpemEvaluateSums *m, DpemStatisticValue *out)
{
	double		variance;
	double		numerator = explained(m, 0, &variance);
	double		denominator = numerator - explained(m, 1, &variance);
	double		q = denominator > 0 ? fmax(numerator / denominator, 0) : 1;

	*out = (DpemStatisticValue) {1 - q, INFINITY, -INFINITY, 1};
	if (m->n_sd == 0 && m->s_sd == 0)
		*out = (DpemStatisticValue) {1 - q, 0, 1 - q, 1 - q};
	(void) explained(m, q, &variance);
	if (!(denominator > 0) || out->sd == 0 || !explained_fits(m, q))
		return;
	out->sd = sqrt(variance) / denominator;
	out->upper = 1 - explained_end(m, q, -fmax(out->sd, 1e-12), 0);
	out->lower = 1 - explained_end(m, q, fmax(out->sd, 1e-12), 1e6);
	if (out->lower <= 1 - 1e6)
		out->lower = -INFINITY;
}

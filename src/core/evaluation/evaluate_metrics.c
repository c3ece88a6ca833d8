/*
 * evaluate_metrics.c - see evaluate_metrics.h.
 */
#include <math.h>

#include "core/evaluation/evaluate_metrics.h"
#include "core/evaluation/evaluate_rules.h"
#include "core/numeric/bisect.h"


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

/* ---- numbers within others ---- */

#define NORMAL_95	1.6448536269514722	/* which a standard normal number is below in 95 of 100 cases */
#define STEPS		50			/* of a search that halves */

double
dpem_evaluate_reach(double width)
{
	double		low = NORMAL_95;
	double		high = DPEM_NORMAL_975;

	for (int i = 0; i < STEPS; i++)
	{
		double		middle = (low + high) / 2;
		double		outside = erfc(middle / M_SQRT2) / 2 + erfc((middle + width) / M_SQRT2) / 2;

		*(outside > 0.05 ? &low : &high) = middle;
	}
	return high;
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
	double		reach2 = squared(DPEM_NORMAL_975 * sd);
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

#define RISES		30			/* Newton's steps, each of at most 1 */
#define LEAST_RISE	1e-9		/* part of the curvature that two coefficients must not have in common */

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

/* score of class 1 in a logistic regression on the bin's number, its gradient and its curvature */
typedef struct Rise
{
	double		gradient[2];	/* of the intercept, the slope */
	double		curvature[3];	/* of both, and of their product */
	int			bins;			/* that rows are seen in */
} Rise;

static Rise
rise_at(const DpemEvaluateCells *cells, double intercept, double slope)
{
	Rise		rise = {{0, 0}, {0, 0, 0}, 0};

	for (int b = 0; b < cells->bins; b++)
	{
		double		rows = cells->count[b] + cells->count[cells->bins + b];
		double		at = b - (cells->bins - 1) / 2.0;
		double		p = 1 / (1 + exp(-intercept - slope * at));
		double		off;

		if (!(rows > DPEM_EVALUATE_SEEN * M_SQRT2 * cells->sd))
			continue;
		off = between(cells->count[cells->bins + b], 0, rows) - rows * p;
		rise.gradient[0] += off;
		rise.gradient[1] += off * at;
		rise.curvature[0] += rows * p * (1 - p);
		rise.curvature[1] += rows * p * (1 - p) * at * at;
		rise.curvature[2] += rows * p * (1 - p) * at;
		rise.bins++;
	}
	return rise;
}

/*
 * How much the logarithm of the odds rises from one bin to the next, by the bins in which rows are seen; 0 where these are no two.
 * A slope of more than DPEM_EVALUATE_STEEPEST is no different from that: few rows have others in their bin then.
 */
static double
rise_of(const DpemEvaluateCells *cells)
{
	double		intercept = 0;
	double		slope = 0;

	for (int i = 0; i < RISES; i++)
	{
		Rise		rise = rise_at(cells, intercept, slope);
		double		determinant = rise.curvature[0] * rise.curvature[1] - squared(rise.curvature[2]);

		if (rise.bins < 2)
			return 0;
		if (!(determinant > LEAST_RISE * rise.curvature[0] * rise.curvature[1]))
			break;
		intercept += between((rise.curvature[1] * rise.gradient[0] - rise.curvature[2] * rise.gradient[1]) / determinant, -1, 1);
		slope += between((rise.curvature[0] * rise.gradient[1] - rise.curvature[2] * rise.gradient[0]) / determinant, -1, 1);
		slope = between(slope, -DPEM_EVALUATE_STEEPEST, DPEM_EVALUATE_STEEPEST);
	}
	return slope;
}

/*
 * P(s1 > s0) of rows of the two classes in one bin, where the density of scores is flat but for the odds, whose logarithm rises by w
 * from one end of the bin to the other: f1 = e^(s/2) / c and f0 = e^(-s/2) / c on [-w/2, w/2], c = 4 sinh(w/4).
 */
static double
tie_of(double w)
{
	double		c = 4 * sinh(w / 4);

	return fabs(w) > 1e-3 ? 2 / (c * c) * (exp(w / 4) * c - w) : 0.5 + w / 12;
}

static Area
area_of(const DpemEvaluateCells *cells)
{
	Area		area = {cells, tie_of(rise_of(cells)), class_sum(cells, 0), class_sum(cells, 1), 0};
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
area_fits(const void *context, double a)
{
	const Area *area = context;

	return fabs(area->pairs - a * area->n1 * area->n0) <= DPEM_NORMAL_975 * sqrt(area_variance(area, a));
}

void
dpem_evaluate_auc(const DpemEvaluateCells *cells, DpemStatisticValue *out)
{
	Area		area = area_of(cells);
	double		least = 2 * cells->sd * sqrt(cells->bins);

	*out = (DpemStatisticValue) {0.5, 0.5, 0, 1, 0};
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
	out->lower = dpem_reach(area_fits, &area, out->value, 0);
	out->upper = dpem_reach(area_fits, &area, out->value, 1);
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
	*out = (DpemStatisticValue) {value, sd, value - DPEM_NORMAL_975 * sd, value + DPEM_NORMAL_975 * sd, 0};
}

void
dpem_evaluate_classes(const DpemEvaluateCells *cells, double reach, int cut, double *u, double *v,
					  DpemStatisticValue out[DPEM_CLASS_METRICS])
{
	double		n1 = class_sum(cells, 1);

	put_count(class_sum(cells, 0) + n1, cells->sd * sqrt(2.0 * cells->bins), &out[DPEM_METRIC_ROWS]);
	put_count(n1, cells->sd * sqrt(cells->bins), &out[DPEM_METRIC_POSITIVES]);
	dpem_evaluate_auc(cells, &out[DPEM_METRIC_AUC]);
	for (int m = DPEM_METRIC_ACCURACY; m < DPEM_CLASS_METRICS; m++)
		class_ratio(cells, (DpemClassMetric) m, reach, cut, u, v, &out[m]);
}

/*
 * evaluate_pairs.c - what counts of rows by class and predicted class say of a classifier; see evaluate_metrics.h.
 */
#include <math.h>
#include <stdbool.h>

#include "core/evaluation/evaluate_metrics.h"

#define CERTAIN	4				/* deviations of the noise that a class's denominator is above */

const char *const dpem_pair_metric_names[DPEM_PAIR_METRICS] = {
	[DPEM_PAIRS_ACCURACY] = "accuracy",[DPEM_PAIRS_PRECISION] = "macro_precision",[DPEM_PAIRS_RECALL] = "macro_recall",
	[DPEM_PAIRS_F1] = "macro_f1"
};

/* how often a cell counts in the denominator of a class: by its rows, its predictions, or both */
static double
denominator_weight(DpemPairMetric metric, int class, int actual, int predicted)
{
	return (metric != DPEM_PAIRS_PRECISION && actual == class) + (metric != DPEM_PAIRS_RECALL && predicted == class);
}

/* the class's denominator, and in *squares the sum of its squared weights */
static double
denominator(const DpemEvaluateCells *cells, DpemPairMetric metric, int class, double *squares)
{
	int			n = cells->bins;
	double		sum = 0;

	*squares = 0;
	for (int i = 0; i < n; i++)
	{
		double		row = denominator_weight(metric, class, class, i);
		double		column = i == class ? 0 : denominator_weight(metric, class, i, class);

		sum += row * cells->count[class * n + i] + column * cells->count[i * n + class];
		*squares += row * row + column * column;
	}
	return sum;
}

/* adds what the mean over all classes changes by with each cell, of the class's ratio u / v */
static void
add_gradient(int n, DpemPairMetric metric, int class, double top, double ratio, double below, double *gradient)
{
	for (int i = 0; i < n; i++)
	{
		gradient[class * n + i] += ((i == class ? top : 0) - ratio * denominator_weight(metric, class, class, i)) / (n * below);
		if (i != class)
			gradient[i * n + class] -= ratio * denominator_weight(metric, class, i, class) / (n * below);
	}
}

static double
share(double part, double whole)
{
	return part > 0 && whole > 0 ? fmin(part / whole, 1) : 0;
}

/* mean of one ratio for each class */
static void
macro_mean(const DpemEvaluateCells *cells, DpemPairMetric metric, double *gradient, DpemStatisticValue *out)
{
	int			n = cells->bins;
	double		top = metric == DPEM_PAIRS_F1 ? 2 : 1;
	double		unknown[2] = {0, 0};	/* what hidden classes take from the lower end and add to the upper */
	double		variance = 0;
	double		reach;

	*out = (DpemStatisticValue) {0, 0, 0, 0, 0};
	for (int i = 0; i < n * n; i++)
		gradient[i] = 0;
	for (int class = 0; class < n; class++)
	{
		double		squares;
		double		below = denominator(cells, metric, class, &squares);
		double		ratio = share(top * cells->count[class * n + class], below);
		bool		hidden = cells->sd > 0 && !(below > CERTAIN * cells->sd * sqrt(squares));

		out->value += ratio / n;
		unknown[0] += hidden ? ratio / n : 0;
		unknown[1] += hidden ? (1 - ratio) / n : 0;
		if (!hidden && cells->sd > 0)
			add_gradient(n, metric, class, top, ratio, below, gradient);
	}
	for (int i = 0; i < n * n; i++)
		variance += cells->sd * cells->sd * gradient[i] * gradient[i];
	reach = sqrt(variance) * dpem_evaluate_reach(variance > 0 ? (unknown[0] + unknown[1]) / sqrt(variance) : 0);
	out->sd = sqrt(variance) + (unknown[0] + unknown[1]) / 2;
	out->lower = fmax(out->value - unknown[0] - reach, 0);
	out->upper = fmin(out->value + unknown[1] + reach, 1);
}

void
dpem_evaluate_pairs(const DpemEvaluateCells *cells, double *u, double *v, DpemStatisticValue out[DPEM_PAIR_METRICS])
{
	int			n = cells->bins;

	for (int i = 0; i < n * n; i++)
	{
		u[i] = i % n == i / n;
		v[i] = 1;
	}
	dpem_evaluate_ratio(n * n, cells->count, cells->sd, u, v, 0, 1, &out[DPEM_PAIRS_ACCURACY]);
	for (int m = DPEM_PAIRS_PRECISION; m < DPEM_PAIR_METRICS; m++)
		macro_mean(cells, (DpemPairMetric) m, u, &out[m]);
}

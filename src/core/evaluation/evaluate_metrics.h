/*
 * evaluate_metrics.h - how good a model is, from released counts of scores and classes, or of residuals, and from
 * released sums of what rows were predicted.
 *
 * Reads released numbers only: post-processing.  Every interval covers the number of the same rows, in the same
 * bins, without noise, with probability 95 % over the noise of the release; sampling rows from a population is not in it.
 */
#ifndef DPEM_CORE_EVALUATE_METRICS_H
#define DPEM_CORE_EVALUATE_METRICS_H

#include "core/statistics/statistic.h"

/* released counts, all with the same noise: class 0's bins in ascending order, then, if there are two, class 1's */
typedef struct DpemEvaluateCells
{
	int			bins;
	const double *count;
	double		sd;
} DpemEvaluateCells;

/*
 * sum u_i c_i / sum v_i c_i over n cells, between least and most; u, v: n weights.  The interval inverts a
 * test (Fieller 1954): sum (u_i - a v_i) c_i is normal about 0 at the true a, whatever the counts are; from least to
 * most where noise leaves no denominator for certain.
 */
extern void dpem_evaluate_ratio(int n, const double *count, double sd, const double *u, const double *v,
								double least, double most, DpemStatisticValue *out);

/*
 * How many deviations of the noise are left on either side of numbers that the true one is known to be within, `width`
 * deviations long, for an interval that contains it in 95 of 100 releases wherever among them it is: c with
 * Phi(-c) + Phi(-c - width) = 0.05, from 1.96 (width 0) down to 1.645 (Imbens, Manski 2004, "Confidence intervals for
 * partially identified parameters", equation 7).
 */
extern double dpem_evaluate_reach(double width);

/*
 * Area under the ROC curve, the probability that a row of class 1 has a higher score than one of class 0.  Of two rows
 * in one bin it counts what it would be if the odds rose within the bin as they do from bin to bin: a half and about a
 * twelfth of the rise of their logarithm.  With n1, n0 the classes' counts and M_bc = [c < b] + [c = b] tie - a,
 * n1' M n0 has expectation 0 at the true a, as the classes' noises are independent, and variance
 *     sd^2 (|M n0|^2 + |M' n1|^2) - sd^4 |M|^2
 * in noisy counts; a is in the interval where it is at most 1.96 of its root.
 */
extern void dpem_evaluate_auc(const DpemEvaluateCells *cells, DpemStatisticValue *out);

/* logarithms of odds in the middle of a bin, and at its lower end: `bins` equal parts from -reach to reach */
extern double dpem_evaluate_middle(int bins, int bin, double reach);
extern double dpem_evaluate_edge(int bins, int bin, double reach);

typedef enum DpemClassMetric
{
	DPEM_METRIC_ROWS, DPEM_METRIC_POSITIVES, DPEM_METRIC_AUC, DPEM_METRIC_ACCURACY, DPEM_METRIC_PRECISION,
	DPEM_METRIC_RECALL, DPEM_METRIC_SPECIFICITY, DPEM_METRIC_F1, DPEM_METRIC_BRIER, DPEM_METRIC_LOG_LOSS,
	DPEM_METRIC_CALIBRATION, DPEM_CLASS_METRICS
} DpemClassMetric;

extern const char *const dpem_class_metric_names[DPEM_CLASS_METRICS];

/*
 * All of them; bins of logarithms of odds from -reach to reach.  Rows of bin `cut` and above are predicted to be of
 * class 1.  u, v: 2 * bins numbers of workspace each.
 */
extern void dpem_evaluate_classes(const DpemEvaluateCells *cells, double reach, int cut, double *u, double *v,
								  DpemStatisticValue out[DPEM_CLASS_METRICS]);

typedef enum DpemPairMetric
{
	DPEM_PAIRS_ACCURACY, DPEM_PAIRS_PRECISION, DPEM_PAIRS_RECALL, DPEM_PAIRS_F1, DPEM_PAIR_METRICS
} DpemPairMetric;

extern const char *const dpem_pair_metric_names[DPEM_PAIR_METRICS];

/*
 * Of classes that are as many as bins: count[t * bins + p] rows of class t, of which p was predicted.  Precision, recall
 * and F1 are means over the classes (macro averages): ratios of sums of cells, one for each class, whose interval is
 * that of the mean to first order in the noise.  A class of which the noise hides how many rows there are, as it does
 * where there are none, counts as anything from 0 to 1, and the interval is of numbers within these (dpem_evaluate_reach).  u, v: bins^2 numbers of workspace each.
 */
extern void dpem_evaluate_pairs(const DpemEvaluateCells *cells, double *u, double *v, DpemStatisticValue out[DPEM_PAIR_METRICS]);

/* the share `level` quantile of |residual|, residuals counted in bins from -reach to reach, and its interval; linear within a bin */
extern void dpem_evaluate_residual_quantile(const DpemEvaluateCells *cells, double reach, double level, DpemStatisticValue *out);

/*
 * May that share of the rows have residuals within the outermost bins, as far as noise tells?  Where not, how large it is that so many
 * have at most is not known: what is beyond the reach is counted there.
 */
extern bool dpem_evaluate_residuals_reach(const DpemEvaluateCells *cells, double level);

/* mean residual, in the same bins; u, v as above */
extern void dpem_evaluate_residual_mean(const DpemEvaluateCells *cells, double reach, double *u, double *v, DpemStatisticValue *out);

/* released sums over n rows of y = (value - middle) / half for each of the values, with the noise's standard deviations */
typedef struct DpemEvaluateSums
{
	double		n;
	double		n_sd;
	double		s[4];
	double		s_sd;
	double		middle[4];
	double		half[4];
} DpemEvaluateSums;

/*
 * R^2 = 1 - q, q = (sum r^2) / (sum y^2 - (sum y)^2 / n), value 0 being r^2, 2 y and 3 y^2: n sum r^2 - q (n sum y^2 - (sum
 * y)^2 + what the square of noise adds) has expectation 0 at the true q but for products of noises; its
 * variance to first order; from -infinity where noise leaves no variance for certain, and then no further below 0 than it must be, and
 * 0 where it leaves no row for certain.
 */
extern void dpem_evaluate_r2(const DpemEvaluateSums *sums, DpemStatisticValue *out);

#endif							/* DPEM_CORE_EVALUATE_METRICS_H */

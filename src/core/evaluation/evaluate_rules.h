/*
 * evaluate_rules.h - tuned constants of evaluations; test/bench/utility_evaluation.pl measures them.
 */
#ifndef DPEM_CORE_EVALUATE_RULES_H
#define DPEM_CORE_EVALUATE_RULES_H

/*
 * Bins of the score.  The noise in an area under the curve grows with their root, and with fewer than 16 the curve
 * between them is missed: adult (16,281 rows), 12, 16, 20 and 32 bins are off by 0.0022, 0.0001, 0.0001 and 0.0001 without
 * noise, and by 0.0031, 0.0037, 0.0041 and 0.0053 (standard deviation) with it, at epsilon 0.5.
 */
#define DPEM_EVALUATE_SCORE_BINS	20

/* scores are logarithms of odds within this: probabilities from 0.0009 to 0.9991 */
#define DPEM_EVALUATE_LOG_ODDS		7.0

/* margins, where there are no odds, are within this: the loss of a support vector machine ends at 1 */
#define DPEM_EVALUATE_MARGIN		3.0

/* bins of residuals, whose quantiles are interpolated */
#define DPEM_EVALUATE_RESIDUAL_BINS	80

/* of a regression's budget, for the sums; the rest is for the histogram of its residuals */
#define DPEM_EVALUATE_SUMS_SHARE	0.5

/* residuals are clipped at so many deviations of a new row's target, at most at the width of its domain */
#define DPEM_EVALUATE_RESIDUAL_REACH 4

#endif							/* DPEM_CORE_EVALUATE_RULES_H */

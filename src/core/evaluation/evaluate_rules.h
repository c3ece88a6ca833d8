/*
 * evaluate_rules.h - tuned constants of evaluations; test/bench/utility_evaluation.pl measures them.
 */
#ifndef DPEM_CORE_EVALUATE_RULES_H
#define DPEM_CORE_EVALUATE_RULES_H

/*
 * Bins of the score.  The noise in an area under the curve grows with their root, and with few the curve between them
 * is missed: adult (16,281 rows), 8, 12, 16, 20 and 32 bins of a logistic regression are off by 0.0001, 0.0004, 0.0011,
 * 0.0001 and 0.0002 without noise, and by 0.0026, 0.0035, 0.0040, 0.0039 and 0.0053 (standard deviation) with it, at
 * epsilon 0.5; of a support vector machine by 0.0023, 0.0027, 0.0015, 0.0009 and 0.0010, and by 0.0015, 0.0020, 0.0024, 0.0026 and 0.0032.
 */
#define DPEM_EVALUATE_SCORE_BINS	20

/* scores are logarithms of odds within this: probabilities from 0.0009 to 0.9991 */
#define DPEM_EVALUATE_LOG_ODDS		7.0

/* margins, where there are no odds, are within this, a few times that at which the loss of a support vector machine ends */
#define DPEM_EVALUATE_MARGIN		3.0

/*
 * How odds rise from bin to bin is seen by bins of so many deviations of their noise, and is no more than so much.  They may rise by more
 * than scores say, or by less where all of these are near the edge of a bin.  198 models of 33 of R's tables (logistic and additive
 * regressions, naive Bayes, epsilon 0.5 and 50) have areas that are off by 0.0084 in the mean and 0.054 at most, and by 0.0105 and 0.090
 * if odds are taken to be as predicted; 66 support vector machines by 0.0056, and by 0.0077 if two rows of one bin count a half.
 */
#define DPEM_EVALUATE_SEEN			3.0
#define DPEM_EVALUATE_STEEPEST		2.0

/* bins of residuals, whose quantiles are interpolated */
#define DPEM_EVALUATE_RESIDUAL_BINS	80

/* of what is left of a regression's budget, for the sums; the rest is for the histogram of its residuals */
#define DPEM_EVALUATE_SUMS_SHARE	0.5

/* residuals are clipped at so many deviations of a new row's target, at most at the width of its domain */
#define DPEM_EVALUATE_RESIDUAL_REACH 4

/* a share of residuals at the ends of the range, above which the 95 % quantile of absolute errors is the range: it is told */
#define DPEM_EVALUATE_CUT			0.05

/* between the ends of a range, as between the bounds of a column: squares of less are 0 */
#define DPEM_EVALUATE_LEAST_RANGE	1e-100

/*
 * Where half the target's domain is so many times as wide as that, sums over it would tell next to nothing of how much the target
 * varies: it is clamped at so many of its deviations about its mean, as margins tell.  In 142 tables of R's packages of 500 to 8,000
 * rows with domains ten times as wide as these, r2 of a linear regression is off by 0.30 on average at epsilon 2, by 0.43 without it.
 */
#define DPEM_EVALUATE_TARGET_WIDE	8
#define DPEM_EVALUATE_TARGET_FINE	0.125	/* of the residuals' range, that a target may be rounded to at most: half of their deviation */
#define DPEM_EVALUATE_TARGET_MOST	1000	/* coordinates: the pass of the margins has a matrix of their square */
#define DPEM_EVALUATE_TARGET_REACH	6

/* of a regression's budget, for where such a target is */
#define DPEM_EVALUATE_TARGET_SHARE	0.1

/* of the budget of a set of marginals, for the mean log-density; the rest is for its tables, of which there are many */
#define DPEM_EVALUATE_DENSITY_SHARE	0.1

/*
 * Words of a document that are predicted from its others, above which it counts for no more, and how many
 * standard deviations of a word's log-probability about the mean those of documents' words are clipped to.  kos: half of
 * the documents have more than 55 such words and one of twenty more than 165; the means of all documents are
 * within one deviation (1.5 nats) of the mean of all words.
 */
#define DPEM_EVALUATE_WORDS			100
#define DPEM_EVALUATE_WORD_REACH	1.5

#endif							/* DPEM_CORE_EVALUATE_RULES_H */

/*
 * summary.h - several statistics of several columns from one release.
 *
 * Every row that counts leaves one vector without negative entries and of norm at most 1, which is summed
 * (docs/proofs.md, 18): a mark for itself; for every number its place u in the domain, from 0 to 1, u^2, a mark if it
 * is known, and one in a bin of every level; for every label a mark in its category.  Weights say how much of the
 * norm each of these has.
 *
 * The kernel `summary` (kernel.h) has as many components as the widest column has entries, of whose records the sums
 * are used, a coordinate for each column of a fit; counts are zero.
 */
#ifndef DPEM_CORE_SUMMARY_H
#define DPEM_CORE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/pass/block.h"
#include "core/pass/noisy_moments.h"
#include "core/statistics/statistic.h"

#define DPEM_SUMMARY_COLUMNS	256		/* at most */
#define DPEM_SUMMARY_PARTS		16		/* of a bin in the level below */
#define DPEM_SUMMARY_LEVELS		3		/* at most */
#define DPEM_SUMMARY_ALL_BINS	(16 + 16 * 16 + 16 * 16 * 16)	/* of so many levels */

/* entries of a number, as components; bins follow, level by level */
enum
{
	DPEM_SUMMARY_KNOWN, DPEM_SUMMARY_SUM, DPEM_SUMMARY_SQUARE, DPEM_SUMMARY_BINS
};

/* weights are nonnegative; of a label, known is that of its categories' marks, and the others are 0 */
typedef struct DpemSummaryColumn
{
	int			first;			/* coordinate; of a label that of the first category */
	int			length;			/* categories of a label, of which a row is in the first that is on; 0: a number */
	int			observed;		/* coordinate that is above 0 in rows where the number is known; -1: it always is */
	double		known;
	double		sum;
	double		square;
	double		bins;			/* of all levels together; each has the same */
} DpemSummaryColumn;

typedef struct DpemSummary
{
	double		radius;			/* of the pass's feature map: features times this are box coordinates */
	int			constant;		/* coordinate whose first sum is the number of rows */
	double		rows;			/* weight */
	int			levels;			/* of bins; 0: none */
	int			columns;
	DpemSummaryColumn column[DPEM_SUMMARY_COLUMNS];
} DpemSummary;

/* components that it takes, and bins of a level from 0 */
extern int	dpem_summary_components(const DpemSummary *summary);
extern int	dpem_summary_level_bins(int level);

/* divides all weights by the root of the sum of their squares; false if that is 0 */
extern bool dpem_summary_normalise(DpemSummary *summary);

/* as parameters of a pass; whether parameters are those of a summary for the layout, of weights that the proof allows */
extern size_t dpem_summary_theta_length(const DpemSummary *summary);
extern void dpem_summary_write(const DpemSummary *summary, double *theta);
extern size_t dpem_summary_check(const DpemMomentLayout *layout, const double *theta, size_t available);

/* sums[] = the block's vectors (overwritten); with bits rounded down, so that a row's norm is exactly at most 2^(p + q) */
extern void dpem_summary_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
									int feature_bits, int responsibility_bits, double *sums, double *scratch);

/* ---- what a release says: post-processing; released: one group's; middle, half: a number's domain ---- */

/* rows; those where a column is known (or in any category); those in the i-th category */
extern void dpem_summary_rows(const DpemSummary *summary, const DpemNoisyMoments *released, DpemStatisticValue *out);
extern void dpem_summary_known(const DpemSummary *summary, const DpemNoisyMoments *released, int column, DpemStatisticValue *out);
extern void dpem_summary_missing(const DpemSummary *summary, const DpemNoisyMoments *released, int column, DpemStatisticValue *out);
extern void dpem_summary_category(const DpemSummary *summary, const DpemNoisyMoments *released, int column, int i, DpemStatisticValue *out);

/* sum, avg, variance or stddev (dpem_statistic_from_name), of rows where the number is known */
extern void dpem_summary_statistic(const DpemSummary *summary, const DpemNoisyMoments *released, int column,
								   const DpemStatistic *statistic, double lower, double upper, DpemStatisticValue *out);

/*
 * The quantile of level q, in the middle of the bins where the noisy rank passes it; the interval is of all ends of
 * bins whose rank is not further from q times the rows than noise is in 95 of 100 cases.  A rank adds up whole bins from
 * the nearer end, level by level, so that it has few terms.
 */
extern void dpem_summary_quantile(const DpemSummary *summary, const DpemNoisyMoments *released, int column, double q,
								  double lower, double upper, DpemStatisticValue *out);

/* the quantile of level 1 - q less that of q, q < 1/2: with 1/4 the interquartile range */
extern void dpem_summary_spread(const DpemSummary *summary, const DpemNoisyMoments *released, int column, double q,
							   double lower, double upper, DpemStatisticValue *out);

/*
 * Mean of the rows between the quantiles of levels a and 1 - a, 0 < a < 1/2 (trimmed mean), or of all rows with those beyond
 * these put onto them (winsorised mean).  The interval contains it in at least 95 of 100 cases.
 */
extern void dpem_summary_middle_mean(const DpemSummary *summary, const DpemNoisyMoments *released, int column, double a,
									 bool winsorised, double lower, double upper, DpemStatisticValue *out);

#endif							/* DPEM_CORE_SUMMARY_H */

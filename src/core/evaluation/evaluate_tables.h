/*
 * evaluate_tables.h - how far a model's tables are from those of rows, from released counts: total variation distances,
 * half the sum over cells of |share of the rows - share by the model|.
 *
 * Reads released numbers only: post-processing.  Sums of |difference + noise| are larger than sums of
 * |difference|.  With f(x) = E|x + Z| for standard normal noise, which is convex and rises from f(0) = sqrt(2 / pi) by at most
 * 1 per unit, and S the sum over m cells of |difference| in units of the noise,
 *     m f(S / m) <= E sum |difference + noise| <= S + m f(0):
 * an interval for S follows from one for the sum's expectation, whatever the differences are.  It contains the
 * distance in at least 95 of 100 releases, and mostly in all: few large differences and many small ones have the same noisy
 * sums, so that S is known within these bounds only, however the noise falls (dpem_evaluate_reach).
 */
#ifndef DPEM_CORE_EVALUATE_TABLES_H
#define DPEM_CORE_EVALUATE_TABLES_H

#include "core/statistics/statistic.h"

/* released counts of all cells of all tables, one after the other, all with the same noise; and the model's shares */
typedef struct DpemEvaluateTables
{
	int			tables;
	const int  *cells;			/* tables */
	const double *count;
	const double *share;		/* of each table they add up to 1 */
	double		sd;
} DpemEvaluateTables;

/*
 * Rows, by all tables: each says how many there are, and those of few cells most exactly.
 */
extern void dpem_evaluate_tables_rows(const DpemEvaluateTables *tables, DpemStatisticValue *out);

/*
 * Mean and largest distance over the tables, between 0 and 1.  The values suppose that some of the differences
 * are nothing and the others normal, which the noisy sums of |difference| and of its square determine; the intervals suppose
 * nothing.  Of no rows for certain, from 0 to 1.
 */
extern void dpem_evaluate_tables_distance(const DpemEvaluateTables *tables, DpemStatisticValue *mean, DpemStatisticValue *largest);

#endif							/* DPEM_CORE_EVALUATE_TABLES_H */

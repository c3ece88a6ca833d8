/*
 * column_spread.h - location and spread of columns from released margins.
 * Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_SPREAD_H
#define DPEM_CORE_COLUMN_SPREAD_H

#include "core/columns/column_law.h"

/*
 * Center and standard deviation of every column in box coordinates.  Rows that
 * noise may hide, on average a share `noise` of them, could be anywhere in the
 * box, and with many columns most rows would be clipped because of one column or
 * another.  So variances grow by 0.05 noise min(1, 0.4 marks noise)^2, but of a regression by half at most, and those of
 * columns that seem to have a single value, `single` in number, by 1.5 noise min(1, 8 single
 * noise)^2, or, where it is that of a tail, by nothing, but it is half a bin at least: all rows may be at its end.  Of two values rows are counted at the upper one.  Where nothing
 * but one of two values, or of a number of domain [0, 1], is seen, hidden rows are at the other: the variance is, or grows
 * by, 0.35 sqrt(noise) times the square of how far that is.  If not `centered`, the center is 0 and the deviation is about
 * it.  work: dpem_column_spread_work.
 */
extern size_t dpem_column_spread_work(const DpemMarginGrid *grid);
extern void dpem_column_spread(const DpemMargins *margins, bool centered, double *center, double *deviation,
							   DpemWorkspace work);

#endif							/* DPEM_CORE_COLUMN_SPREAD_H */

/*
 * column_clamp.h - where the values of a column are clamped, from its released margins.
 * Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_CLAMP_H
#define DPEM_CORE_COLUMN_CLAMP_H

#include "core/columns/column_spread.h"

/*
 * Ends of the clamp of a column, in box coordinates (-1 to 1).  On each level in turn it is the range from the first
 * to the last bin that is seen (4.5 standard deviations of its noise), and the bins next to these as far as they hold
 * rows (2.5 of those of 1, 2, 4 or 8 bins together).  While rows that the level above counted (the first: itself) are missing in it (3), it
 * grows by a bin at each end, so that a heap that no bin shows is taken in, up to twice on later levels; a range that misses
 * clearly some (4) after that is not used.  A range of up to 4 bins is looked at on the next level.
 * The last one is widened by its length on either side, for the part of the tails that noise hides.  The whole box where
 * nothing is seen, of whole numbers in [0, 1], and of others there of which up to 4 bins at one end are all that is seen
 * (margins->values).  work: dpem_margin_bins.
 */
extern void dpem_column_clamp(const DpemMargins *margins, int column, double *low, double *high, DpemWorkspace work);

#endif							/* DPEM_CORE_COLUMN_CLAMP_H */

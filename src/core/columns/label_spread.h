/*
 * label_spread.h - scales of labels' categories from released numbers: post-processing.
 */
#ifndef DPEM_CORE_LABEL_SPREAD_H
#define DPEM_CORE_LABEL_SPREAD_H

#include "core/kernels/margins.h"

/*
 * Coordinates in units of their deviations make a row of a label with many categories about as long as the square root of
 * their number, and noise grows with its square.  So labels of more than `most` categories have rows of that mean square norm, and of less
 * where noise would hide their categories even so, down to 1.  noise: of an entry of the second moments of such rows, in parts of their
 * number, from public or released numbers.
 */
typedef struct DpemLabelRule
{
	double		most;
	double		noise;
} DpemLabelRule;

/* of a grid's labels, without noise: as long as all numbers and labels, and no shorter than eight of them */
extern DpemLabelRule dpem_label_rule(const DpemMarginGrid *grid);

extern double dpem_label_square(DpemLabelRule rule, int width);

/*
 * Raises the deviations (d' numbers, as the centers, which are a category's part of the rows) of a label's rarest categories to
 * what they all have then, so that its rows are that long.
 */
extern void dpem_label_spread(const DpemMarginGrid *grid, DpemLabelRule rule, const double *center, double *deviation);

/* the mean square norm of rows in these units, of which a number has 1; and the widest label, in the square of what its rows have */
extern double dpem_label_row_square(const DpemMarginGrid *grid, DpemLabelRule rule);
extern double dpem_label_dilution(const DpemMarginGrid *grid, DpemLabelRule rule);

#endif							/* DPEM_CORE_LABEL_SPREAD_H */

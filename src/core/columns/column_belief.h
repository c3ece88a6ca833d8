/*
 * column_belief.h - location and spread of columns from margins in which noise hides most bins.
 * Reads released numbers and public facts only: post-processing.
 *
 * A threshold that noise does not reach (column_law.h) leaves nothing of a column whose rows are in several bins.  All bins
 * together tell more: a normal law of mean m and deviation s says how many rows each has, and the noise in them is known.
 * So the laws, of m anywhere in the box and s from its width down to that of a bin, all octaves alike, have posterior
 * probabilities, and a column the mean and deviation that follow.
 */
#ifndef DPEM_CORE_COLUMN_BELIEF_H
#define DPEM_CORE_COLUMN_BELIEF_H

#include "core/columns/released_margins.h"

/*
 * Noise in a bin of the first level, in parts of the rows, from which on columns are seen so.  166 columns of data frames, laws alone: log-densities of a
 * row are 0.3, 0.25 and 0.15 better at a noise of 0.1 to 0.15, 0.25 and 0.4 than by column_spread.h, about as good from 0.8 on; of 248 others
 * in other data frames 0.24, 0.24 and 0.1.
 */
#define DPEM_BELIEF_NOISE	0.1

/*
 * Centers and deviations of the columns whose values may be any, or a tail, in box coordinates, in so much noise; others, and all in
 * less noise, stay as they are.
 */
extern void dpem_column_beliefs(const DpemMargins *margins, double *center, double *deviation);

#endif							/* DPEM_CORE_COLUMN_BELIEF_H */

/*
 * column_spread.h - location and spread of columns from released margins
 * (core/kernels/margins.h).  Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_SPREAD_H
#define DPEM_CORE_COLUMN_SPREAD_H

#include <stdbool.h>

#include "core/kernels/margins.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

/* what is public of a column's values */
typedef enum DpemColumnValues
{
	DPEM_VALUES_ANY,
	DPEM_VALUES_TAIL,			/* if a single value is seen, what noise hides is a tail, and may be clipped */
	DPEM_VALUES_ONES,			/* a number of domain [0, 1]: as a rule one of both */
	DPEM_VALUES_TWO,			/* the ends of the domain, -1 and 1 in the box */
	DPEM_VALUES_CATEGORY		/* a label's coordinate, 0 and 1 in the box */
} DpemColumnValues;

/* a release of the margins of all columns */
typedef struct DpemMargins
{
	DpemMarginGrid grid;
	const DpemNoisyMoments *released;	/* one group's */
	double		rows;			/* valid rows, on average over columns: as released, or public if the two agree; at least 1 */
	bool		apart;			/* columns are known in different rows: each has a number of its own, `rows` where the two agree */
	double		counted;		/* valid rows as released, */
	double		counted_sd;		/* and its noise */
	double		noise;			/* standard deviation in a first-level bin's share of the rows */
	const DpemColumnValues *values; /* of each column, by whom that matters to; NULL: any */
} DpemMargins;

extern DpemMargins dpem_margins_take(const DpemMarginGrid *grid, const DpemNoisyMoments *released, double public_rows);

/*
 * How many rows know the column that most do, and the noise in that: the mean of all columns where none is clearly known in
 * more rows than that.
 */
extern double dpem_margins_best_known(const DpemMargins *margins, double *sd);

/* how many rows know a column, as released */
extern double dpem_margins_column(const DpemMargins *margins, int column);

/* the same, or how many all do if that agrees; and the noise in what was released */
extern double dpem_margins_known(const DpemMargins *margins, int column, double *sd);

/*
 * Rows in each bin of all levels (count, dpem_margin_bins of them, level by level), each estimated from its own
 * mark and from the bins within it, by inverse variance (Hay, Rastogi, Miklau, Suciu 2010, PVLDB 3,
 * section 4.1), and the noise's variance in one of each level.
 */
extern void dpem_margins_counts(const DpemMargins *margins, int column, double *count,
								double variance[DPEM_MARGINS_MAX_LEVELS]);

/*
 * The distribution of a column over the bins of the finest level: p
 * (dpem_margin_level_bins of the last level), nonnegative, of sum 1.
 * From the top, a bin's share is divided among the bins within it that
 * exceed 3 standard deviations of their noise beside one that does, or 4.5 alone, in
 * proportion, or evenly if none does; rows that these clearly do not hold, if more than
 * a fifth, are divided evenly among the others.  work: dpem_margin_bins.
 */
extern void dpem_margins_law(const DpemMargins *margins, int column, double *p, DpemWorkspace work);

/* is nearly all of such a law in one bin, as far as can be seen?  Of a column of that law anything may be hidden. */
extern bool dpem_margins_single(const DpemMarginGrid *grid, const double *p);

/*
 * Center and standard deviation of every column in box coordinates.  Rows that
 * noise may hide, on average a share `noise` of them, could be anywhere in the
 * box, and with many columns most rows would be clipped because of one column or
 * another.  So variances grow by 0.05 noise min(1, 0.4 columns noise)^2, and those of
 * columns that seem to have a single value, `single` in number, by 1.5 noise min(1, 8 single
 * noise)^2, or, where it is that of a tail, by nothing.  Of two values rows are counted at the upper one.  Where nothing
 * but one of two values, or of a number of domain [0, 1], is seen, hidden rows are at the other: the variance is, or grows
 * by, 0.35 sqrt(noise) times the square of how far that is.  If not `centered`, the center is 0 and the deviation is about
 * it.  work: dpem_column_spread_work.
 */
extern size_t dpem_column_spread_work(const DpemMarginGrid *grid);
extern void dpem_column_spread(const DpemMargins *margins, bool centered, double *center, double *deviation,
							   DpemWorkspace work);

#endif							/* DPEM_CORE_COLUMN_SPREAD_H */

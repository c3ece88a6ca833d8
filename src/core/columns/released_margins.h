/*
 * released_margins.h - what released margins (core/kernels/margins.h) say of a column's rows and of those in each bin.
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_RELEASED_MARGINS_H
#define DPEM_CORE_RELEASED_MARGINS_H

#include <stdbool.h>

#include "core/kernels/margins.h"
#include "core/pass/noisy_moments.h"

/* what is public of a column's values */
typedef enum DpemColumnValues
{
	DPEM_VALUES_ANY,
	DPEM_VALUES_TAIL,			/* if a single value is seen, what noise hides is a tail, and may be clipped */
	DPEM_VALUES_DENSITY,		/* the same, but rows that a single value clearly does not have are elsewhere (column_law.c): of a density */
	DPEM_VALUES_ONES,			/* a number of domain [0, 1]: as a rule one of both */
	DPEM_VALUES_TWO,			/* the ends of the domain, -1 and 1 in the box */
	DPEM_VALUES_CATEGORY		/* a label's coordinate, 0 and 1 in the box */
} DpemColumnValues;

typedef struct DpemKeptLaws DpemKeptLaws;	/* column_law.h */

static inline bool
dpem_values_tail(DpemColumnValues values)
{
	return values == DPEM_VALUES_TAIL || values == DPEM_VALUES_DENSITY;
}

/* a release of the margins of all columns */
typedef struct DpemMargins
{
	DpemMarginGrid grid;
	const DpemNoisyMoments *released;	/* one group's */
	double		rows;			/* valid rows, on average over numbers and labels: as released, or public if the two agree; at least 1 */
	double		likely;			/* the same, whatever the noise: above 0 */
	bool		apart;			/* columns are known in different rows: each has a number of its own, `rows` where the two agree */
	double		counted;		/* valid rows as released, */
	double		counted_sd;		/* and its noise */
	double		noise;			/* standard deviation in a first-level bin's share of the rows */
	const DpemColumnValues *values; /* of each column, by whom that matters to; NULL: any */
	bool		regressed;		/* of a regression, to which a tail that is cut off matters less than a frame that is too wide (column_law.h) */
	DpemKeptLaws *kept;			/* its columns' laws that are known, or NULL */
} DpemMargins;

/* public_rows: of the table, 0 if that is not public */
extern DpemMargins dpem_margins_take(const DpemMarginGrid *grid, const DpemNoisyMoments *released, double public_rows);

/*
 * The margins of one column alone and of the same one among others (column), of the same rows, together: of each mark the mean with the least noise, in
 * `released`, whose values (as many as those of the first) the caller has allocated.  The first alone where their grids are not alike.
 */
extern DpemMargins dpem_margins_join(const DpemMargins *own, const DpemMargins *others, int column, double public_rows,
									 DpemNoisyMoments *released);

/* marks in a bin of a column as released; bins are numbered level by level */
extern double dpem_margins_sum(const DpemMargins *margins, int bin, int column);

/*
 * How many rows know the column that most do, and the noise in that: the mean of all columns where none is clearly known in
 * more rows than that.
 */
extern double dpem_margins_best_known(const DpemMargins *margins, double *sd);

/* how many rows know a column, of a label all, as released */
extern double dpem_margins_column(const DpemMargins *margins, int column);

/* the same, or how many all do if that agrees; and the noise in what was released */
extern double dpem_margins_known(const DpemMargins *margins, int column, double *sd);

/* the rows that a column's bins share: those that know it where columns are apart, else all */
extern double dpem_margins_rows(const DpemMargins *margins, int column);

/*
 * Rows in each bin of all levels (count, dpem_margin_bins of them, level by level), each estimated from its own
 * mark and from the bins within it, by inverse variance (Hay, Rastogi, Miklau, Suciu 2010, PVLDB 3,
 * section 4.1), and the noise's variance in one of each level.
 */
extern void dpem_margins_counts(const DpemMargins *margins, int column, double *count,
								double variance[DPEM_MARGINS_MAX_LEVELS]);

/*
 * Where, in box coordinates, the rows of a bin of the finest level can be: its ends, and half a unit of the integers (features.h) that
 * rows are counted by beyond them.
 */
extern void dpem_margins_bin(const DpemMarginGrid *grid, int bin, double *lower, double *upper);

#endif							/* DPEM_CORE_RELEASED_MARGINS_H */

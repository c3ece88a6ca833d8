/*
 * gam_join.h - bins next to each other that are one for the gradients.
 *
 * Noise in a cell is the same however many rows are in it.  A sum over m cells has the noise of all of them, and one cell
 * in their place that of one, so that smoothing cannot win back what many bins lose.  Of B bins with n / B rows each, where a
 * row tells w, the noise s in a sum makes coefficients wrong by B s / (n w), and what scores differ by within a bin is about 1 / B:
 * B = sqrt(n w / s) is a compromise.  So bins are joined once rows are counted.  A column of which nothing is left to
 * tell is not seen any more, so that others are seen in less noise.
 *
 * Everything here reads released numbers and public facts.
 */
#ifndef DPEM_CORE_GAM_JOIN_H
#define DPEM_CORE_GAM_JOIN_H

#include "core/gam/gam_estimate.h"

/* what rows tell of scores: of all of them n w; a residual of 1 as the kernel scaled it is the unit */
extern double dpem_gam_told(const DpemGamRows *rows);

/* bins that a column should have; told: of the rows of a model; noise: standard deviation in the mean of all gradients' cells */
extern double dpem_gam_bins_wanted(const DpemGamRows *rows, double told, double noise);

/* the nearest numbers of rows that are not negative and add up to all of them (Duchi et al. 2008, ICML); sorted: room for n */
extern void dpem_gam_nearest_counts(int n, double total, double *count, double *sorted);

/*
 * Joins bins next to each other until each has about `size` rows: one is closed before a bin that would make it larger than that by more
 * than half of the bin's rows; what remains at the end is one of its own if it has half of `size`, or a bin of `clear` rows.  Returns how many
 * there are.
 */
extern int	dpem_gam_join_bins(int bins, const double *count, double size, double clear, double *joined);

/* what the first release told of all cells, of one model or of several with the same cells */
typedef struct DpemGamSeen
{
	const double *count;		/* rows in each cell */
	double		rows;			/* in all cells of a column */
	double		bins;			/* that a column should have */
	double		noise;			/* in the mean of all gradients' cells */
	int			scores;			/* of all models, each with */
	double	  **excess;			/* a number for each cell, dpem_gam_excess, */
	double	   *excess_sd;		/* and the standard deviation of its noise */
} DpemGamSeen;

/* a score's first linear statistic about what all rows have in common, in that unit; returns the standard deviation of its noise.  excess: n */
extern double dpem_gam_excess(const DpemGamRows *rows, const DpemGamScore *score, double *excess);

/*
 * Joins bins of numbers so that each has about 1 / bins of the rows, if it is not one bin that has more; but where the excess says that
 * parts of them differ by more than gradients' noise, and beyond doubt, they stay apart: amounts that few rows have may tell
 * most.  A column that has nearly all of its rows in one cell, and none that differ, is not seen; with `all`, or if all are such, it is,
 * with two cells, if it has as many.  Sets `joined` of the shape's columns (0: not seen) and, for each of their cells, `joined`.
 * Returns whether anything was joined.
 */
extern bool dpem_gam_join(int columns, DpemGamColumn *column, const DpemGamSeen *seen, bool all, double *joined);

#endif							/* DPEM_CORE_GAM_JOIN_H */

/*
 * gam_join.h - bins next to each other that are one for the gradients, and columns that these do not see.
 *
 * Noise in a cell is the same however many rows are in it.  A sum over m cells has the noise of all of them, and one cell
 * in their place that of one, so that smoothing cannot win back what many bins lose.  Of B bins with n / B rows each, where a
 * row tells w, the noise s in a sum makes coefficients wrong by B s / (n w), and what scores differ by within a bin is about 1 / B:
 * B = sqrt(n w / s) is a compromise.  So bins are joined once rows are counted.  A column that tells less than others gain
 * where it is not seen any more, in less noise, is not.
 *
 * Everything here reads released numbers and public facts.
 */
#ifndef DPEM_CORE_GAM_JOIN_H
#define DPEM_CORE_GAM_JOIN_H

#include "core/gam/gam_estimate.h"

/* would noise in gradients hide all that columns may tell of two classes?  noise: standard deviation in the mean of all gradients' cells */
extern bool dpem_gam_hides_classes(const DpemGamRows *rows, double noise);

/* bins that a column should have; told: by all rows of a model; noise: standard deviation in the mean of all gradients' cells */
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
	int			n;				/* cells */
	const double *count;		/* rows in each, */
	const double *pairs;		/* and in each pair of cells that are joined, of all columns; read by dpem_gam_leave_out alone */
	double		rows;			/* in all cells of a column */
	double		told;			/* by the rows of a model of scores, n w; a residual of 1 as the kernel scaled it is the unit; */
	double		chance;			/* variance of what rows differ by, in parts of that */
	double		bins;			/* that a column should have */
	double		noise;			/* in the mean of all gradients' cells */
	int			scores;			/* of all models, each with */
	double	  **excess;			/* a number for each cell, dpem_gam_excess, */
	double	   *excess_sd;		/* and the standard deviation of its noise */
} DpemGamSeen;

/* adds the rows of one of so many models */
extern void dpem_gam_see_rows(const DpemGamRows *rows, int models, DpemGamSeen *seen);

/* what a score starts from (dpem_gam_start), in that unit; returns the standard deviation of its noise.  excess: n */
extern double dpem_gam_excess(const DpemGamRows *rows, const DpemGamScore *score, double *excess);

/*
 * Leaves out the columns (joined: 0) whose cells are expected to tell less than the others gain by having less noise for that: their
 * marks are 1 / sqrt(columns).  What a cell tells is expected by its excess and by how far all cells' coefficients are from 0; at least one column is left.
 */
extern void dpem_gam_leave_out(int columns, DpemGamColumn *column, const DpemGamSeen *seen, const double *joined);

/*
 * Joins bins of numbers so that each has about 1 / bins of the rows, if it is not one bin that has more; but where the excess says that
 * parts of them differ by more than gradients' noise, and beyond doubt, they stay apart: amounts that few rows have may tell
 * most.  A column has two cells, if it has as many.  Sets `joined` of the shape's columns (0: not seen) and, for each of their cells, `joined`.
 */
extern void dpem_gam_join_cells(int columns, DpemGamColumn *column, const DpemGamSeen *seen, double *joined);

/* was anything joined, or left out? */
extern bool dpem_gam_are_joined(int columns, const DpemGamColumn *column);

/* ---- shapes, rows and results where cells are joined: of what gradients see, and of all cells ---- */

/* the shape of what is seen of one whose cells are joined, whose edges it does not have; column: room for as many as there are */
extern DpemGamShape dpem_gam_seen_shape(const DpemGamShape *shape, DpemGamColumn *column);

/* the other way: the shape that passes see as `seen`, which may have pairs; column and part: room for those of all columns and cells */
extern DpemGamShape dpem_gam_passed_shape(const DpemGamShape *shape, const DpemGamShape *seen, DpemGamColumn *column, double *part);

/* rows of what is seen of the shape that `from` has; to: shape, n, offset, count, noise and second are there */
extern void dpem_gam_join_rows(const DpemGamRows *from, const DpemGamShape *shape, DpemGamRows *to);

/* pairs of the shape's cells that are joined, of all columns: as many as dpem_gam_seen_cells(shape), which is n */
extern void dpem_gam_join_pairs(const DpemGamRows *from, const DpemGamShape *shape, int n, double *pairs);

/* of those n the columns that are left, once others were left out, into the rows' M */
extern void dpem_gam_keep_pairs(const DpemGamShape *shape, int n, const double *pairs, DpemGamRows *to);

/*
 * What a score starts from, whose curvature is still to be found: sums of the cells that are one, with the noise of all of these.  Once
 * a mean was found by it it is to be forgotten: gradients have the same noise in each cell, as their means must.  together: n of what is seen.
 */
extern void dpem_gam_join_start(const DpemGamRows *from, const DpemGamShape *shape, const DpemGamScore *start, const DpemGamRows *to, DpemGamScore *joined, double *together);
extern void dpem_gam_forget_start(const DpemGamRows *rows, DpemGamScore *score);

/* and the mean: of cells that are joined that of their rows */
extern void dpem_gam_join_mean(const DpemGamRows *from, const DpemGamShape *shape, const double *mean, const DpemGamRows *to, double *joined);

/*
 * A result for each cell of the shape that passes see: that of the cell it is seen as, with what it may differ from that by: bins
 * that are one are a priori neighbours in the same walk.  Columns that were not seen contribute nothing, with the prior's error.
 */
extern void dpem_gam_part_result(const DpemGamRows *seen, const DpemGamScore *score, const DpemGamResult *result, const DpemGamShape *passed,
								 DpemGamResult *all);

#endif							/* DPEM_CORE_GAM_JOIN_H */

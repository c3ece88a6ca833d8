/*
 * column_target.h - where a number that is to be explained is, from its own released margins.
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_TARGET_H
#define DPEM_CORE_COLUMN_TARGET_H

#include <stdbool.h>

#include "core/columns/released_margins.h"
#include "core/numeric/workspace.h"

/* deviations to either side that a target is clamped at, if its tails are seen, where only its mean is released */
extern const double dpem_target_reach;

/*
 * Center and deviation of the margins' last column, in box coordinates, for a regression whose noise costs that part of the square of
 * the deviation (noise).  Where the median is seen they are those of the law that is expected (column_tails.h), winsorised at ends
 * between which noise, and what is lost of the mean and of the variance beyond them, are least together.  work: dpem_target_locate_work.
 */
extern size_t dpem_target_locate_work(const DpemMarginGrid *grid);
extern void dpem_target_locate(const DpemMargins *margins, double noise, double *center, double *deviation, DpemWorkspace work);

/*
 * Where the margins' last column is clamped for its mean alone, with noise of deviation sum_sd in a sum of `rows` values in units of half
 * the clamp: in box coordinates, the whole box where nothing is seen.  work: dpem_target_locate_work.
 */
extern void dpem_target_clamp(const DpemMargins *margins, double sum_sd, double rows, double *low, double *high, DpemWorkspace work);

/* a number that is anywhere from -1 to 1, alike, and was released with noise of that deviation: its posterior mean */
extern double dpem_target_within(double released, double sd);

/* ---- the mean alone ---- */

typedef struct DpemTargetMean
{
	double		middle;			/* in box coordinates: residuals are from here at first, */
	double		reach;			/* and cut off at this distance: so far from here values are seen */
	double		deviation;		/* of the values, as margins tell */
	double		rows;			/* as margins tell, or public if that agrees, */
	double		rows_sd;		/* and what they may be off by */
	double		counted;		/* rows as released, */
	double		counted_sd;		/* and its noise */
} DpemTargetMean;

/* sums of residuals, each with its noise: means weighted by 1 / variance */
typedef struct DpemTargetSums
{
	double		weight;
	double		sum;
	double		middle;			/* that they are from */
	double		spread;			/* of the middles, weighted squares about their mean, */
	double		together;		/* and products with those of the sums */
} DpemTargetSums;

/* adds another release of the same n numbers: their mean with the least noise */
extern void dpem_target_add_release(int n, const double *value, double sd, double *mean, double *mean_sd);

/* would margins of one column, with noise of that deviation in a mark, in so many rows have no bin that tells anything? */
extern bool dpem_target_is_nowhere(const DpemMarginGrid *grid, double sd, double rows);

/*
 * Where the margins' only column is to be summed up, with noise sum_sd in a sum of residuals in units of their reach; public_rows: 0 if not
 * known; work: dpem_target_locate_work.
 */
extern DpemTargetMean dpem_target_find_mean(const DpemMargins *margins, double sum_sd, double public_rows, DpemWorkspace work);

extern void dpem_target_add_sum(DpemTargetSums *sums, double middle, double sum, double sd);

/*
 * The mean that these tell, and its noise.  Where the number of rows is not public, sums from other middles tell it, too, and one from
 * where the mean is does not ask for it.
 */
extern double dpem_target_mean_of(const DpemTargetMean *mean, const DpemTargetSums *sums, double *noise);

#endif							/* DPEM_CORE_COLUMN_TARGET_H */

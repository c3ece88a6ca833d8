/*
 * clamp_choice.h - where the values of a statistic are clamped, so that noise and what is cut off are least together.
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_CLAMP_CHOICE_H
#define DPEM_CORE_CLAMP_CHOICE_H

#include "core/columns/released_margins.h"
#include "core/numeric/workspace.h"
#include "core/statistics/statistic.h"

typedef struct DpemClamp
{
	double		low;			/* ends in box coordinates (-1 to 1) */
	double		high;
	double		bias;			/* how far the rows expected beyond them take the statistic: of an average in half-widths of the box, of a variance in their squares */
} DpemClamp;

/*
 * The clamp of column 0 for a statistic (of a standard deviation its variance) whose release will have noise of deviation sd in each
 * part, of moments in the unit ball.  Ends are edges of the windows of the column's tails (column_tails.h): of all pairs that for
 * which the squares of the noise, and of what the rows expected beyond it change, are least together.  The whole box is
 * one of them; it is the clamp where the median is not seen, of whole numbers in [0, 1] and of others there whose median's
 * bin is at an end (margins->values).
 */
extern size_t dpem_statistic_clamp_work(const DpemMarginGrid *grid);
extern DpemClamp dpem_statistic_clamp(const DpemMargins *margins, const DpemStatistic *statistic, const DpemStatisticScale *domain,
									  const double sd[DPEM_STATISTIC_PARTS], DpemWorkspace work);

#endif							/* DPEM_CORE_CLAMP_CHOICE_H */

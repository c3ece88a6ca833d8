/*
 * column_tails.h - how many rows a column is likely to have how far out, from its released margins.
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_TAILS_H
#define DPEM_CORE_COLUMN_TAILS_H

#include <stdbool.h>

#include "core/columns/column_law.h"

#define DPEM_TAIL_WINDOWS	32		/* at most */

/*
 * Windows from the bin that has the median outward, the first being that bin, each reaching about twice as far from it as the one before,
 * to the end of the box.
 */
typedef struct DpemColumnTail
{
	int			windows;
	double		edge[DPEM_TAIL_WINDOWS + 1];	/* box coordinates, ascending; of the lower tail their negatives */
	double		rows[DPEM_TAIL_WINDOWS];	/* expected, never negative */
} DpemColumnTail;

/*
 * The upper and the lower tail of a column.  The median's bin is that of the finest level on which it is seen
 * (3 standard deviations of noise); false where it is on none.  What is expected in a window is what its noise leaves possible, weighed by
 * what columns are like (column_tails.c): where noise hides rows, by the windows before it.  Where there is no noise, what
 * is released.  again: times as often as usual there are rows again after a window without.
 */
extern size_t dpem_column_tails_work(const DpemMarginGrid *grid);
extern bool dpem_column_tails(const DpemMargins *margins, int column, double again, DpemColumnTail tail[2], DpemWorkspace work);

#endif							/* DPEM_CORE_COLUMN_TAILS_H */

/*
 * tail_ends.h - between which ends a column's values are best clamped, from the rows expected in its tails (column_tails.h).
 * Reads released numbers and public facts only: post-processing.
 */
#ifndef DPEM_CORE_TAIL_ENDS_H
#define DPEM_CORE_TAIL_ENDS_H

#include <stdbool.h>

#include "core/columns/column_tails.h"

/* of rows in box coordinates: their number, sum and sum of squares, and what their places within the windows add to that */
typedef struct DpemTailSums
{
	double		n;
	double		s;
	double		p;
	double		within;
} DpemTailSums;

/* a tail's rows, clamped to an end or not; the lower one has no core, which both have */
typedef struct DpemTailPart
{
	DpemTailSums clamped;
	DpemTailSums whole;
} DpemTailPart;

/* what a clamp costs, of the upper and the lower tail */
typedef double (*DpemTailRisk) (const void *of, const DpemTailPart part[2], double low, double high);

/* the ends that cost least, and the tails' parts between these; ends are edges of windows, and those of the box are among them */
extern void dpem_tail_ends(const DpemColumnTail tail[2], DpemTailRisk risk, const void *of, double *low, double *high,
						   DpemTailPart best[2]);

/*
 * Of a number of domain [0, 1] that seems to be nearly always 0, or 1 (margins->values), what noise hides is at the other end as a rule, where a
 * clamp would cut off all of it, and noise at the domain is no more than what it hides of such rows.
 */
extern bool dpem_tails_hide_ones(const DpemMargins *margins, int column, const DpemColumnTail tail[2]);

/* what all rows' sum loses, over their number: what two ends cut off is not counted on to cancel out */
extern double dpem_tail_bias(const DpemTailPart part[2]);

#endif							/* DPEM_CORE_TAIL_ENDS_H */

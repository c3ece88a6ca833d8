/*
 * column_range.h - between which values a model's numbers are clamped, from the released margins of their columns.
 * Reads released numbers only: post-processing.
 */
#ifndef DPEM_CORE_COLUMN_RANGE_H
#define DPEM_CORE_COLUMN_RANGE_H

#include "core/columns/column_spread.h"

/*
 * How far a range reaches at least, in deviations on either side of the center.  Of a column that seems to have a single
 * value, but for a share of its rows that noise hides, it is 1 / sqrt(share), which gives those rows as much variance as
 * the others have, between `single` and `single_most`.
 */
typedef struct DpemRangeReach
{
	double		seen;			/* of a column that is seen to vary */
	double		single;
	double		single_most;
} DpemRangeReach;

/*
 * Of classifiers and linear regressions.  On `bank` and `small` of test/bench/utility_logit.pl median (worst) AUC at epsilon 0.5 is 0.876
 * (0.871) and 0.758 (0.742), where single ones reach 2, and without ranges 0.868 (0.862) and 0.742 (0.726).
 */
extern const DpemRangeReach dpem_model_reach;

/* a bound of coordinates that are not clamped, beyond the box */
#define DPEM_RANGE_NONE	2.0

/*
 * range: least and then greatest value of each of d coordinates, in box coordinates, of which the margins' columns are the
 * first: from the first to the last bin of its law (dpem_margins_law), and as far as it reaches about its center (from
 * dpem_column_spread, as deviation is).  Numbers of domain [0, 1], labels and coordinates without margins are not clamped.
 * Returns whether any is.  work: dpem_column_spread_work.
 */
extern bool dpem_column_range(const DpemMargins *margins, int d, const double *center, const double *deviation,
							  DpemRangeReach reach, double *range, DpemWorkspace work);

/*
 * Of densities: a column of DPEM_VALUES_DENSITY (or _TAIL) that has all but 5 % of its rows, as far as noise lets them be seen, in one bin is of that
 * bin.  Its center and deviation (grid.columns, of dpem_column_spread) become those of a uniform law in the bin, and the bin its
 * range; nothing else is clamped.  The others would make it wide to no use, as a normal law has little density at either.
 * range, d, work: as above.  Returns whether any is clamped.
 */
#define DPEM_COLUMN_SPIKE	0.95	/* a density's background is of 1 %; test/bench/bench_mixture.c: flags */
extern bool dpem_column_spikes(const DpemMargins *margins, int d, double *center, double *deviation, double *range, DpemWorkspace work);

#endif							/* DPEM_CORE_COLUMN_RANGE_H */

/*
 * column_spread.h - where the values of a column are, and how far apart, from
 * released margins (core/kernels/margins.h).  Everything read here is public:
 * post-processing.
 */
#ifndef DPEM_CORE_COLUMN_SPREAD_H
#define DPEM_CORE_COLUMN_SPREAD_H

#include "core/kernels/margins.h"
#include "core/numeric/workspace.h"
#include "core/pass/noisy_moments.h"

/* what a release of margins says of all columns */
typedef struct DpemMargins
{
	DpemMarginGrid grid;
	const DpemNoisyMoments *released;	/* one group's */
	double		rows;			/* that count: as released, or the public number where the two agree; at least 1 */
	double		noise;			/* standard deviation in the share of the rows that a bin of the first level has */
} DpemMargins;

extern DpemMargins dpem_margins_take(const DpemMarginGrid *grid, const DpemNoisyMoments *released, double public_rows);

/*
 * The law of a column over the bins of the finest level: p (dpem_margin_level_bins of
 * the last one), not negative, of sum 1.  Every bin's rows are first estimated from its own
 * mark and from the bins within it, by inverse variance (Hay, Rastogi, Miklau, Suciu 2010,
 * PVLDB 3, section 4.1); then, from the top, a bin's share is shared out among those within it
 * that have more than 2.5 standard deviations of their noise, in proportion, or, where none
 * has, evenly.  work: dpem_margin_bins.
 */
extern void dpem_margins_law(const DpemMargins *margins, int column, double *p, DpemWorkspace work);

/*
 * The ends of what a column's values seem to reach, in box coordinates: from the fullest bin outwards, as
 * long as the next 1, 2, 4 or 8 bins together hold more than 1.25 standard deviations of their noise; on the level below, from
 * the fullest bin within, if that is no more than two bins.  work: dpem_margin_bins.
 */
extern void dpem_margins_reach(const DpemMargins *margins, int column, double *low, double *high, DpemWorkspace work);

/*
 * Center and standard deviation of every column in box coordinates, deviations floored:
 * what noise may hide of the rows, `noise` in the mean, could be anywhere in the box, and where
 * that can be so of many columns, rows would be clipped for the one or other of them.  So variances have
 * 1.5 noise min(1, 3 columns noise) on top.  `centered` false: the center is 0, and
 * the deviation is about it.  work: dpem_column_spread_work.
 */
extern size_t dpem_column_spread_work(const DpemMarginGrid *grid);
extern void dpem_column_spread(const DpemMargins *margins, bool centered, double *center, double *deviation,
							   DpemWorkspace work);

#endif							/* DPEM_CORE_COLUMN_SPREAD_H */

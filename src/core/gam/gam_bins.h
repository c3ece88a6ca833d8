/*
 * gam_bins.h - where the bins of a number are.
 *
 * Amounts, counts and durations pile up at zero and have long tails: of parts of a wide domain that are equal the first has
 * all of their rows.  So where a fit is not asked for a number of bins, these are equal in a mixture of the coordinate and of
 * sign(t) ln(1 + |t| / s), t being the distance from zero.  Where zero is, almost, an end of the domain, s is a part of the
 * domain's width.  Where it is well within, s is one of the column's own units at least, as on the signed logarithmic scale
 * (core/numeric/column_scale.h), and domains of few units, as those of standardised numbers, have equal bins.  So have
 * domains far from zero and those on a scale of their own.  All of this is public: no row takes part.  Bins of a number that is explained are
 * where released margins have shown that it is.
 */
#ifndef DPEM_CORE_GAM_BINS_H
#define DPEM_CORE_GAM_BINS_H

#include <stdbool.h>

#include "core/columns/column_spread.h"
#include "core/columns/column_target.h"
#include "core/gam/gam_kernel.h"
#include "core/numeric/column_scale.h"

/*
 * Places at most bins - 1 edges between as many bins of a number, ascending box coordinates; returns how many bins there
 * are.  Equal ones: whole numbers that are no more than bins have one each.  Spread ones: the same, and edges are numbers
 * of three digits in the column's own unit; those of whole numbers are whole, as these are.  bins: 1 at least.
 */
extern int	dpem_gam_equal_bins(const DpemScaledDomain *domain, bool whole, int bins, double *edge);
extern int	dpem_gam_spread_bins(const DpemScaledDomain *domain, bool whole, int bins, double *edge);

/*
 * Features of many coordinates are coarse: rows of a pass in d of them that is clipped to such a radius are moved by up to
 * (sqrt(d) + radius) / 2 units of a feature (core/pass/features.h), clipped so that rounding leaves them within it, and rounded.  Drops edges of
 * spread bins that are nearer than four times that to the last one or to an end.  Returns how many bins there are then.
 */
extern int	dpem_gam_drop_near(int bins, int d, double radius, double *edge);

/* edge number i of 0 .. bins in the column's own unit, as a person would write it; edge: bins - 1; the domain's ends are exact */
extern double dpem_gam_bound(const DpemScaledDomain *domain, const double *edge, int bins, int i);

/* edge number i between equal bins */
static inline double
dpem_gam_equal_edge(int i, int bins)
{
	return 2.0 * i / bins - 1;
}

/* how many of n ascending edges are at x or below; 0 for NaN; without branches, which rows would take at random */
static inline int
dpem_gam_edges_below(const double *edge, int n, double x)
{
	const double *first = edge;

	if (n <= 0)
		return 0;
	for (; n > 1; n -= n / 2)
		edge += (n / 2) & -(edge[n / 2 - 1] <= x);
	return (int) (edge - first) + (*edge <= x);
}

/* where a number's bins are to be, and rows in equal parts of what they cover, as margins tell */
typedef struct DpemGamWindow
{
	double		middle;			/* bins_middle and bins_half of gam_kernel.h */
	double		half;
	int			parts;			/* a divisor of DPEM_GAM_TARGET_BINS; 0: margins are too coarse for any */
	double		count[DPEM_GAM_TARGET_BINS];
	double		sd;				/* of the noise in each */
	double		rows;			/* of all, as margins tell, or public if that agrees, */
	double		rows_sd;		/* and what they may be off by */
	double		deviation;		/* as these show it, where more may be hidden */
} DpemGamWindow;

/* from a release of gam_target; public_rows: 0 if not known; values: what is public of the number */
extern size_t dpem_gam_locate_work(const DpemMarginGrid *grid);
extern DpemGamWindow dpem_gam_locate(const DpemNoisyMoments *released, const DpemMarginGrid *grid, double public_rows, DpemColumnValues values, DpemWorkspace work);

/* the same for the mean alone, of one or of several releases' mean; sd: its noise, sum_sd: that of the sum to come (column_target.h) */
extern DpemTargetMean dpem_gam_find_mean(const double *value, double sd, double sum_sd, const DpemMarginGrid *grid, double public_rows, DpemColumnValues values, DpemWorkspace work);

/* noise in a bin of a number, as the cells of all columns tell it; sd: of their counts' release */
extern double dpem_gam_target_noise(const DpemGamShape *shape, double sd);

/* would such noise hide a model of the number that is located there? */
extern bool dpem_gam_hides(double noise, const DpemGamWindow *window);

#endif							/* DPEM_CORE_GAM_BINS_H */

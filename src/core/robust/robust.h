/*
 * robust.h - how sensitive a median, or an interquartile range, of one table is.
 *
 * Rows are counted in cells in ascending order.  With F(b) rows in cells 0 to b, N in all, and the
 * quantile q = Q / S (quantile.h), the excess of cell b is S F(b) - Q N, which rises with b, and
 *	   T(v) = the first cell whose excess is at least v, the last one if there is none;
 * the quantile is T(0).  One unit changes no excess by more than `most`, and no two by amounts that
 * differ by more than `range`.  So
 *	   A(k) = the longest T(a + w) - T(a) for a <= 0 <= a + w, w = most + k range,
 * is at least what a unit changes the quantile by in any table at a distance of k units, and
 * A(k) of a table is at most A(k + 1) of its neighbours (docs/proofs.md, "Local sensitivity").
 * Of an interquartile range A(k) is the sum of its two quartiles', and never more than all cells.
 *
 * Two mechanisms use it.  Smooth sensitivity (Nissim, Raskhodnikova, Smith 2007, section 2): the
 * largest e^(-beta k) A(k), here M.  Propose-test-release (Dwork, Lei 2009): the distance is the least k
 * with A(k) above what was proposed.
 */
#ifndef DPEM_CORE_ROBUST_H
#define DPEM_CORE_ROBUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/numeric/int128.h"

typedef enum DpemRobustStatistic
{
	DPEM_ROBUST_MEDIAN,
	DPEM_ROBUST_IQR,
	DPEM_ROBUST_ATTENTION		/* the middle of the shortest run of cells with most rows (dpem_robust_table) */
} DpemRobustStatistic;

/* room for a table of so many cells: this many numbers for each of them */
#define DPEM_ROBUST_QUANTILES 2

typedef struct DpemRobustQuantile
{
	const DpemInt128 *excess;	/* of each cell, in parts of a row times its unit */
	DpemInt128	most;
} DpemRobustQuantile;

typedef struct DpemRobustTable
{
	int			cells;
	DpemRobustStatistic statistic;
	int			n;				/* quantiles: the median, or first and third quartile; or rows up to each cell */
	DpemRobustQuantile quantile[DPEM_ROBUST_QUANTILES];
	DpemInt128	range;
} DpemRobustTable;

/* what a count of one row is, adjacency, and how many rows of a unit count */
typedef struct DpemRobustRows
{
	DpemInt128	one;			/* 1 .. 2^18 */
	bool		replace_one;
	int			rows_per_unit;
} DpemRobustRows;

/*
 * The center of attention (Nissim, Raskhodnikova, Smith 2007, section 5), of one coordinate: of N rows, of which a unit
 * replaces s, the middle of the shortest run of cells that holds more than (N + s) / 2, rounded down.  A(k) is how long
 * the shortest run is that holds (k + 1) s more, and all cells where there are not so many rows.  For statistics of
 * tables under replace_one alone, whose N is public.
 *
 * `cells` counts, that of cell b at count[b stride]; excess: room for DPEM_ROBUST_QUANTILES * cells numbers, as
 * private as they are.
 */
extern void dpem_robust_table(DpemRobustTable *table, DpemRobustStatistic statistic, const DpemInt128 *count, size_t stride,
							  int cells, const DpemRobustRows *rows, DpemInt128 *excess);

/* the median's cell, from 0; or by how many cells the quartiles differ */
extern int	dpem_robust_value(const DpemRobustTable *table);

/*
 * The same of whole numbers of rows that may be seen, that of cell b at count[b stride], each row a unit's only one.
 * room: for DPEM_ROBUST_ROOM * cells numbers.
 */
#define DPEM_ROBUST_ROOM (1 + DPEM_ROBUST_QUANTILES)
extern int	dpem_robust_value_of(DpemRobustStatistic statistic, const double *count, size_t stride, int cells, DpemInt128 *room);

/* A(k), k >= 0, in cells */
extern int	dpem_robust_reach(const DpemRobustTable *table, int64_t k);

/* the least k with A(k) > proposal, at most DPEM_ROBUST_FARTHEST; 0: one unit may change the value by more than was proposed */
#define DPEM_ROBUST_FARTHEST (INT64_C(1) << 30)
extern int64_t dpem_robust_distance(const DpemRobustTable *table, int proposal);

/*
 * The law of a choice among cells by smooth sensitivity.  Cell y is chosen with probability proportional to
 * (M / alpha + |y - value|)^-p, with p = DPEM_SMOOTH_POWER, beta = e / 2 p and alpha = e / 4 p, e = 1 / noise_multiplier;
 * then it has e-bounded range (core/accounting/choice.h).  The choice is the exponential mechanism by integer scores.
 */
typedef struct DpemSmoothLaw
{
	uint64_t	decay;			/* 1 - e^-beta, in parts of 2^-40, rounded down */
	uint64_t	slope;			/* alpha, in parts of 2^-24, rounded down */
	DpemUint128 scale;			/* of the scores; 0: there is no such law */
} DpemSmoothLaw;

extern double dpem_smooth_beta(double noise_multiplier);

#define DPEM_SMOOTH_MOST_MULTIPLIER 0x1p16	/* and least: its inverse */
extern DpemSmoothLaw dpem_smooth_law(double noise_multiplier);

/* M, the smooth sensitivity, in parts of 2^-40 of a cell: above 0 for more than one cell */
extern DpemUint128 dpem_smooth_sensitivity(const DpemRobustTable *table, const DpemSmoothLaw *law);

/* scores of all cells for a choice at law->scale */
extern void dpem_smooth_scores(int value, DpemUint128 sensitivity, const DpemSmoothLaw *law, int cells, DpemInt128 *score);

#endif							/* DPEM_CORE_ROBUST_H */

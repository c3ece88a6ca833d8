/*
 * gam_kernel.h - rows as cells: what an additive model adds up.
 *
 * Every column of a row is in exactly one of the column's cells: a bin of its public
 * domain, a category, or the cell of rows that have no value there.  So a row of p
 * columns is a vector of p ones among n cells, of norm sqrt(p) whatever is in it,
 * and its products are p (p - 1) / 2 ones.
 *
 * A pair of columns is one column more: its cells are the products of the columns' parts, each
 * of which is several of the column's cells.  Columns and pairs together are terms.
 *
 * Where noise would hide bins one by one, gradients see several of a column's cells as one, and leave out columns of which
 * nothing is left to tell: such cells are joined (gam_join.h).  A row is in one of them for each column that is seen.
 *
 * The last coordinates of a pass are the target: one number, or the categories of a
 * label of which a row has exactly one; a row without is a null row.
 *
 * All passes of a fit have the same columns, so that rows are found their cells once: codes (core/kernels/kernel.h) are
 * a row's cell of each column, in bytes if no column has more than 256, its class, and of a number's the 64 bits of its box coordinate.
 *
 * `gam_target` releases margins of a number (core/kernels/margins.h) by which it is located, before it has bins.
 * `gam_moments` releases n counts for each class of the target and the counts of all
 * pairs of cells: non-negative numbers whose squares add up to at most 1 for a
 * row.  `gam_gradient` releases sum r x over the cells x, r the row's residuals at
 * given coefficients, of norm at most 1 for a row (docs/proofs.md, "Cells").
 */
#ifndef DPEM_CORE_GAM_KERNEL_H
#define DPEM_CORE_GAM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernels/margins.h"
#include "core/pass/block.h"
#include "core/pass/moments.h"

#define DPEM_GAM_MAX_BINS		256
#define DPEM_GAM_MAX_CELLS		1200
#define DPEM_GAM_MAX_ALL_CELLS	(1 << 15)	/* with those of pairs that are looked at */
#define DPEM_GAM_MAX_PARTS		16	/* of a column in pairs */
#define DPEM_GAM_MAX_CLASSES	64
#define DPEM_GAM_TARGET_BINS	64	/* classes of a number */

typedef struct DpemGamColumn
{
	int			first;			/* coordinate of the number, or of the label's first category */
	int			length;			/* categories of a label; 0: a number */
	int			bins;			/* of a number; of a label its categories */
	int			known;			/* coordinate above 0 where the number is known; -1: it always is */
	int			parts;			/* in pairs; 0: it is in none */
	int			joined;			/* where cells are: how many are left, 0: the column is not seen; else 0 */
} DpemGamColumn;

/* two of the columns, the first of them before the second; its cells go through the parts of the second fastest */
typedef struct DpemGamPair
{
	int			first;
	int			second;
} DpemGamPair;

typedef struct DpemGamShape
{
	double		radius;			/* of the pass's feature map: features times this are box coordinates */
	int			columns;		/* p */
	const DpemGamColumn *column;
	int			pairs;
	const DpemGamPair *pair;
	const double *part;			/* of each of the columns' cells: its column's part, from 0; not read without pairs */
	const double *joined;		/* of each of the columns' cells: which of those that are left it is in, from 0; NULL: none are joined */
	const double *edge;			/* between bins of numbers (gam_bins.h), a column's after another's; NULL: bins are equal parts */
	int			targets;		/* coordinates of the target: 1 for a number, else the categories, 2 at least */
	int			classes;		/* of the counts: the categories; of a number 2 (its distances from both bounds) or its bins */
	double		pair_share;		/* of the squared norm of a row's counts, in [0, 1) */
	double		bins_middle;	/* of a number: its bins are equal parts of what is about this box coordinate, */
	double		bins_half;		/* so far to either side, and the last ones have what lies beyond; 0: of its domain */
	DpemMarginGrid margins;		/* of a number, of the pass that locates it; no others read this */
	double		middle;			/* of a number: residuals are of its box coordinate from here */
	double		reach;			/* and are cut off at this distance, which counts as 1 */
} DpemGamShape;

/* how far a number's bins go to either side, in box coordinates */
static inline double
dpem_gam_bins_half(const DpemGamShape *shape)
{
	return shape->bins_half > 0 ? shape->bins_half : 1;
}

/* a column's cells, with that of rows without a value, which is the last */
extern int	dpem_gam_column_cells(const DpemGamColumn *column);

/* terms: columns, then pairs; cells of one of them, of all columns, and of all terms, n */
extern int	dpem_gam_terms(const DpemGamShape *shape);
extern int	dpem_gam_term_cells(const DpemGamShape *shape, int term);
extern int	dpem_gam_main_cells(const DpemGamShape *shape);
extern int	dpem_gam_cells(const DpemGamShape *shape);

/* the same as gradients see them, where cells may be joined: terms, cells of one of them and of all */
extern int	dpem_gam_seen_terms(const DpemGamShape *shape);
extern int	dpem_gam_seen_term_cells(const DpemGamShape *shape, int term);
extern int	dpem_gam_seen_cells(const DpemGamShape *shape);

/* edges of all columns, and those of one of them; NULL where bins are equal parts */
extern int	dpem_gam_edges(const DpemGamShape *shape);
extern const double *dpem_gam_column_edges(const DpemGamShape *shape, int column);

/* bins of a term that are neighbours, its first cells; 0: none are */
extern int	dpem_gam_walk(const DpemGamShape *shape, int term);

/* scores of a row: one for a number and for two classes, else one for each class */
extern int	dpem_gam_scores(const DpemGamShape *shape);

/* components of the layouts of the kernels: counts are all that a record has */
extern int	dpem_gam_target_length(const DpemGamShape *shape);
extern int	dpem_gam_moments_length(const DpemGamShape *shape);
extern int	dpem_gam_gradient_length(const DpemGamShape *shape);

/* of the pair of cells i > j among the components of gam_moments */
extern size_t dpem_gam_pair(const DpemGamShape *shape, int i, int j);

/* what a row adds to a count of its own, to that of a pair, and to a gradient for a residual of 1 */
extern double dpem_gam_single_mark(const DpemGamShape *shape);
extern double dpem_gam_pair_mark(const DpemGamShape *shape);
extern double dpem_gam_gradient_mark(const DpemGamShape *shape);

/* the bin, one of equal parts, of a number's box coordinate in [-1, 1], which lies at least `slack` below an edge that it is below */
static inline int
dpem_gam_bin(double coordinate, double slack, int bins)
{
	double		at = (coordinate + slack + 1) / 2 * bins;

	return at >= bins ? bins - 1 : at > 0 ? (int) at : 0;
}

/* parameters of a pass: the shape, then coefficients, given for each score for the cells that are seen, which may be NULL: zeros */
extern size_t dpem_gam_theta_length(const DpemGamShape *shape);
extern void dpem_gam_write(const DpemGamShape *shape, const double *coefficient, double *theta);

/* that length if theta begins with a shape for this layout, else 0; counts are of cells that are not joined */
extern size_t dpem_gam_check_target(const DpemMomentLayout *layout, const double *theta, size_t available);
extern size_t dpem_gam_check_moments(const DpemMomentLayout *layout, const double *theta, size_t available);
extern size_t dpem_gam_check_gradient(const DpemMomentLayout *layout, const double *theta, size_t available);

extern size_t dpem_gam_moments_scratch(const DpemMomentLayout *layout);
extern size_t dpem_gam_gradient_scratch(const DpemMomentLayout *layout);

/* codes of a row, and those of a block of features: a cell of each column, class (of a number 0; -1 of null rows), number */
extern int	dpem_gam_shape_codes(const DpemGamShape *shape);
extern int	dpem_gam_codes(const double *theta);
extern void dpem_gam_encode(const double *theta, const DpemBlock *block, int feature_bits, int16_t *code);

/* a column's cells among codes, in bytes if those of all columns fit into these */
extern bool dpem_gam_fits_bytes(const DpemGamShape *shape);
extern void dpem_gam_put_column(bool bytes, int column, int rows, const int16_t *cell, int16_t *code);

/* adds the marks of a number in the margins' bins, level by level, of a block of codes; with bits, integers in units of 2^-p */
extern void dpem_gam_mark_target(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
							int feature_bits, int responsibility_bits, double *sums, double *scratch);

/*
 * Adds counts by class, n each, then pairs, of a block of codes; every row has the weight 4 s (1 - s) of its
 * logistic score at the coefficients, which is 1 at zeros, for a number and for
 * several classes 1.  With bits, integers in units of 2^-p.
 */
extern void dpem_gam_moments(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
							 int feature_bits, int responsibility_bits, double *sums, double *scratch);

/* adds the pairs that are still in scratch, where they are counted until there are many, and clears it: zeros, as before the first block */
extern void dpem_gam_complete_moments(const DpemMomentLayout *layout, const double *theta, int feature_bits, int responsibility_bits, double *sums,
										double *scratch);

/*
 * Sums of residuals for each score, one for each cell that is seen, which dpem_gam_complete_gradient adds: class 2 or not minus its probability; of several
 * classes each or not minus its probability, over sqrt(2); of a number (y - middle - score) / reach,
 * between -1 and 1.
 */
extern void dpem_gam_gradient(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
							  int feature_bits, int responsibility_bits, double *sums, double *scratch);
extern void dpem_gam_complete_gradient(const DpemMomentLayout *layout, const double *theta, int feature_bits, int responsibility_bits, double *sums,
										double *scratch);

#endif							/* DPEM_CORE_GAM_KERNEL_H */

/*
 * block_cells.h - outputs of random blocks of rows, counted in cells.
 *
 * Every block of sample-and-aggregate (core/kernels/block_means.h) gives some numbers of a known range, its outputs:
 * each range has the same number of equal cells, and the moments of a pass of kernel `block_cells` are, for one output
 * after the other, how many blocks have it in each cell.  Whatever a row is, it changes one block, which
 * leaves one cell of each output and comes to another: a change as of one row of a table of blocks under replace_one,
 * whatever the adjacency (docs/proofs.md, "Blocks in cells").  So medians of blocks' outputs are released
 * like those of rows (core/robust/robust.h), and Smith's estimator by quantiles and a mean.
 */
#ifndef DPEM_CORE_BLOCK_CELLS_H
#define DPEM_CORE_BLOCK_CELLS_H

#include "core/kernels/block_means.h"
#include "core/kernels/kernel.h"

/* what a block of rows of d coordinates is analysed by; its outputs, of range */
typedef enum DpemBlockAnalysis
{
	DPEM_BLOCK_CENTERS,			/* k-means: `points` centers, each coordinate in [-1, 1] */
	DPEM_BLOCK_COEFFICIENTS,	/* least squares: d coefficients about the start, winsorised (dpem_block_regression) */
	DPEM_BLOCK_MEDIAN,			/* of the one coordinate, in [-1, 1] */
	DPEM_BLOCK_IQR,				/* the third less the first quartile of it, in [0, 2] */
	DPEM_BLOCK_ANALYSES
} DpemBlockAnalysis;

typedef struct DpemBlockCells
{
	DpemBlockAnalysis analysis;
	int			cells;			/* of each output; 0: outputs are added up, kernel `blocks` */
	int			points;			/* of d outputs each; 1 but for centers */
	DpemBlockTask task;
} DpemBlockCells;

/* theta of kernel block_cells: analysis, cells, points, then a task's numbers with points * d of its start */
#define DPEM_BLOCK_CELLS_HEAD 3

extern size_t dpem_block_cells_length(const DpemBlockCells *task, int d);
extern void dpem_block_cells_write(const DpemBlockCells *task, int d, double *theta);

/* a pass of kernel blocks or block_cells, whose theta is valid */
extern void dpem_block_cells_of_pass(const DpemKernel *kernel, const DpemMomentLayout *layout, const double *theta,
									 DpemBlockCells *task);

/* doubles of workspace for a block of n rows, of centers for each of Lloyd's steps */
extern size_t dpem_block_analysis_work(const DpemBlockCells *task, size_t n, int d);

/*
 * The outputs of a block of n rows (n x d, in the ball of radius `unit`) times `unit`, in out (points x d), which has
 * unit times the start on entry; but for centers.  Quantiles are interpolated (type 7 of Hyndman and Fan 1996); a
 * block without rows has a median and a range of 0.
 */
extern void dpem_block_analyse(const DpemBlockCells *task, size_t n, const double *x, int d, double unit, double *out,
							   DpemWorkspace work);

/* adds `one` to exact[], or 1 to real[] (the other is NULL), for the cell of each output; no number is in the first cell */
extern void dpem_block_cells_add(const DpemBlockCells *task, int d, const double *out, double unit, int64_t one,
								 DpemInt128 *exact, double *real);

/* ---- Smith's estimator (2011, STOC, section 3): the mean of outputs, winsorised to a range that quartiles of them give ---- */

/* blocks for so many rows */
extern int	dpem_robust_blocks(double rows);

typedef struct DpemWinsorRange
{
	int			low;			/* cells, low < high */
	int			high;
} DpemWinsorRange;

/* about two cells, however they came about, that stand for the quartiles; 2 cells or more */
extern DpemWinsorRange dpem_winsor_range(int first, int third, int cells);

/*
 * Sum over blocks of how many cells above `low` they are, of those beyond the range as if at its end, in the counts' own
 * unit; a unit's rows move it by at most (high - low) times the blocks that they are in.
 */
extern DpemInt128 dpem_winsor_sum(const DpemInt128 *count, size_t stride, int cells, DpemWinsorRange range);

#endif							/* DPEM_CORE_BLOCK_CELLS_H */

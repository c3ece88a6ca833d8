/*
 * block_means.h - k-means or least squares within one block of sample-and-aggregate.
 *
 * GUPT (Mohan, Thakurta, Shi, Song, Culler 2012; Nissim, Raskhodnikova, Smith
 * 2007): rows are assigned to blocks at random, an ordinary analysis runs on every
 * block, and the mean of the clipped outputs is released with noise.  One row
 * changes only one block's output, by an arbitrary amount (docs/proofs.md).
 */
#ifndef DPEM_CORE_BLOCK_MEANS_H
#define DPEM_CORE_BLOCK_MEANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/numeric/workspace.h"
#include "core/pass/moments.h"

#define DPEM_BLOCKS_MAX 100000

/* theta of kernel blocks: parameters of every block's analysis */
typedef struct DpemBlockTask
{
	int			blocks;
	int			steps;			/* of Lloyd's algorithm; always all are made */
	double		capacity;		/* rows kept, of all blocks; of more in a block, a random sample */
	double		reach;			/* of least squares: coefficients are winsorised at that distance from start; 0: k-means */
	const double *start;		/* k * d, in unit-ball coordinates; common, so that outputs match */
} DpemBlockTask;

#define DPEM_BLOCK_TASK_HEAD 4	/* numbers before start */

extern void dpem_block_task_read(const double *theta, DpemBlockTask *task);
extern void dpem_block_task_write(const DpemBlockTask *task, size_t n_start, double *theta);

/* rows that each block has room for: its part of the capacity, and a few */
extern uint64_t dpem_block_room(const DpemBlockTask *task);

/* a capacity for about that many rows of d coordinates: twice as many and some, or what `bytes` hold */
extern double dpem_block_capacity(int d, double rows, double bytes);

/* are they parameters that a pass may have? */
extern bool dpem_block_task_valid(const double *theta);

/* the publication's number of blocks: rows^0.4 */
extern int	dpem_block_count(double rows);

/*
 * Lloyd's steps on the n rows of a block: center (k * d), in the rows' units,
 * is the start on entry and the output on return.  All steps are taken.
 */
extern size_t dpem_block_means_work(int k, int d);
extern void dpem_block_means(size_t n, const double *x, int k, int d, int steps, double *center,
							 DpemWorkspace work);

/*
 * Least squares of the last of d coordinates on the others and a constant, of the n
 * rows of a block (rows of the ball of radius `unit`; for DPEM_FEATURE_BITS, integers).  In:
 * out (k * d, k = 1 or 2), whose first d numbers are unit times the coefficients about which
 * those of the rows are winsorised, slopes before the constant, for rows of the unit ball.  Out, points of the
 * ball: unit / sqrt(d) times (coefficient - center) / reach, cut at 1 and -1 (of the constant, reach / sqrt(d)), all 0 where there are
 * fewer rows than coefficients or no solution is found; and, for k = 2, unit / sqrt(2) times the standard deviations
 * of the target about its prediction and about its mean, in units of 1 / sqrt(d), cut at 1, and zeros
 * after them.  A ridge of a part of the predictors' mean variance keeps
 * slopes of a few rows small along directions in which these hardly vary.  Smith 2011 (STOC), section 3, of one block.
 */
extern size_t dpem_block_regression_work(int d);
extern void dpem_block_regression(size_t n, const double *x, int k, int d, double unit, double reach, double *out,
								  DpemWorkspace work);

/*
 * total[component][1 + j] += center[j] 2^p for every component.  Each center is
 * first rounded towards zero to integers, and left out if these lie outside the
 * ball of radius 2^feature_bits.  The real version adds real numbers in the ball
 * of radius 1, up to rounding.
 */
extern void dpem_block_output_exact(int k, int d, const double *center, int feature_bits,
									int responsibility_bits, DpemInt128 *total);
extern void dpem_block_output_real(int k, int d, const double *center, double *real);

#endif							/* DPEM_CORE_BLOCK_MEANS_H */

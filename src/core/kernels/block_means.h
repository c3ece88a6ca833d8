/*
 * block_means.h - k-means within one block of sample-and-aggregate.
 *
 * GUPT (Mohan, Thakurta, Shi, Song, Culler 2012; Nissim, Raskhodnikova, Smith
 * 2007): rows fall into blocks at random, an ordinary analysis runs on every
 * block, and the mean of its clipped outputs is released with noise.  One row
 * changes one block's output, however much (docs/proofs.md).
 */
#ifndef DPEM_CORE_BLOCK_MEANS_H
#define DPEM_CORE_BLOCK_MEANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/numeric/workspace.h"
#include "core/pass/moments.h"

#define DPEM_BLOCKS_MAX 100000

/* theta of kernel blocks: what every block's analysis is told */
typedef struct DpemBlockTask
{
	int			blocks;
	int			steps;			/* Lloyd's, always all of them */
	double		capacity;		/* rows kept; of more, a random choice */
	const double *start;		/* k * d, in unit-ball coordinates: the same for all, which orders the outputs */
} DpemBlockTask;

#define DPEM_BLOCK_TASK_HEAD 3	/* numbers before start */

extern void dpem_block_task_read(const double *theta, DpemBlockTask *task);
extern void dpem_block_task_write(const DpemBlockTask *task, size_t n_start, double *theta);

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
 * total[component][1 + j] += center[j] 2^p for every component, center being
 * rounded towards zero to an integer first and left out if it is not in the
 * ball of radius 2^feature_bits then; feature_bits 0: real numbers into `real`,
 * in the ball of radius 1 up to rounding.
 */
extern void dpem_block_output_exact(int k, int d, const double *center, int feature_bits,
									int responsibility_bits, DpemInt128 *total);
extern void dpem_block_output_real(int k, int d, const double *center, double *real);

#endif							/* DPEM_CORE_BLOCK_MEANS_H */

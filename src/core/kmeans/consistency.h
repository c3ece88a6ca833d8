/*
 * consistency.h - making the released answers of several passes consistent.
 *
 * Every pass of k-means counted and summed the same rows, split among other
 * centers.  Its counts therefore add up to the same number of rows and its
 * sums to the same total (Lee and Kifer 2016, "Postprocessing for Iterative
 * Differentially Private Algorithms", section 4): the least-squares answers
 * under these constraints have less noise than the released ones.
 */
#ifndef DPEM_CORE_CONSISTENCY_H
#define DPEM_CORE_CONSISTENCY_H

#include <stddef.h>

#include "core/kmeans/kmeans_history.h"
#include "core/numeric/workspace.h"

typedef struct DpemConsistent
{
	double		rows;			/* all counts of a pass, at least 1 */
	double	   *total;			/* d: all sums of a pass */
	double	   *count;			/* passes * k, none negative */
	double	   *sum;			/* passes * k * d */
} DpemConsistent;

/* doubles for the three arrays, and their places in one piece of that length */
extern size_t dpem_consistent_length(const DpemKmeansHistory *history);
extern void dpem_consistent_place(const DpemKmeansHistory *history, double *memory,
								  DpemConsistent *answers);

/*
 * The number of rows (if it is not public) and the total are means over the
 * passes, weighted by inverse variances.  A pass's deviation from them is spread
 * evenly over its clusters, whose noise is equal; counts are then projected onto
 * nonnegative counts of the same sum.  work: k doubles.
 */
extern void dpem_make_consistent(const DpemKmeansHistory *history, DpemConsistent *answers,
								 DpemWorkspace work);

#endif							/* DPEM_CORE_CONSISTENCY_H */

/*
 * lloyd.h - k-means of points in memory: nearest centers and Lloyd's steps.
 *
 * For synthetic points, grid cells and the rows of a block of sample-and-aggregate,
 * not for the rows of a pass (kmeans_kernel.h).  Points and centers are stored one
 * after the other, d numbers each.
 */
#ifndef DPEM_CORE_LLOYD_H
#define DPEM_CORE_LLOYD_H

#include <stddef.h>

#include "core/numeric/workspace.h"

/* index of the nearest center, the first among equally near ones; its squared distance if wanted */
extern int dpem_nearest_center(int k, int d, const double *center, const double *x, double *distance2);

typedef struct DpemPoints
{
	size_t		n;
	int			d;
	const double *x;			/* n * d */
	const double *weight;		/* n, at least 0; NULL: one each */
} DpemPoints;

/*
 * At most `steps` of Lloyd's steps on k centers, fewer if nothing moves any
 * more; a center without points stays.  Returns the sum of squared distances
 * to the centers of the last assignment.
 */
extern size_t dpem_lloyd_work(int k, int d);
extern double dpem_lloyd(const DpemPoints *points, int k, double *center, int steps,
						 DpemWorkspace work);

#endif							/* DPEM_CORE_LLOYD_H */

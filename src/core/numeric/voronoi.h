/*
 * voronoi.h - the part of a rectangle that is nearer to one center than to any other.
 */
#ifndef DPEM_CORE_VORONOI_H
#define DPEM_CORE_VORONOI_H

#include <stddef.h>

/* corners of a cell of n centers: no half-plane adds more than one to the rectangle's four */
#define DPEM_VORONOI_CORNERS(n) ((size_t) (n) + 4)

/*
 * Cell i of n centers (x, y pairs) within low[2] to high[2], distances taken
 * in units of unit[2] > 0: the rectangle cut by the bisectors to all other
 * centers one by one (Sutherland and Hodgman 1974).  corner and work have room
 * for 2 * DPEM_VORONOI_CORNERS(n) doubles each; returns how many corners
 * there are, x, y pairs in order; 0: none of the rectangle.  Equal centers
 * have the same cell.
 */
extern int dpem_voronoi_cell(int n, const double *center, int i, const double *unit,
							 const double *low, const double *high, double *corner, double *work);

#endif /* DPEM_CORE_VORONOI_H */

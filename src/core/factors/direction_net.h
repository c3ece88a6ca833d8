/*
 * direction_net.h - finite sets of directions for the exponential mechanism.
 *
 * In m dimensions: the faces x_f = 1 of a cube, each with a grid of tangents of
 * equal angles (half of the faces suffice, as an axis has no sign).  For a net of
 * a given size, the angle to the nearest direction grows with m: about 2 minutes
 * of arc for m = 2, 0.4 degrees for 3, 3 for 4, 9 for 5, and more than 15 beyond.
 */
#ifndef DPEM_CORE_DIRECTION_NET_H
#define DPEM_CORE_DIRECTION_NET_H

#include <stddef.h>
#include <stdint.h>

#define DPEM_NET_MAX_DIMENSIONS	5

/* at most DPEM_CHOICE_MAX */
extern size_t dpem_direction_net_size(int m);

/*
 * The net of the orthogonal complement of `taken` orthonormal rows of d
 * coordinates, as integer vectors of nearly equal length, at most 2^16: fills
 * dpem_direction_net_size(d - taken) rows of out.  basis: d * d numbers; its first
 * `taken` rows are those rows, the others are overwritten.
 */
extern void dpem_direction_net(int d, int taken, double *basis, int32_t *out);

#endif							/* DPEM_CORE_DIRECTION_NET_H */

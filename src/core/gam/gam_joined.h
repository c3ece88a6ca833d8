/*
 * gam_joined.h - shapes, rows and results where cells are joined (gam_join.h): of what gradients see, and of all cells.
 */
#ifndef DPEM_CORE_GAM_JOINED_H
#define DPEM_CORE_GAM_JOINED_H

#include "core/gam/gam_estimate.h"

/* the shape of what is seen of one whose cells are joined, whose edges it does not have; column: room for as many as there are */
extern DpemGamShape dpem_gam_seen_shape(const DpemGamShape *shape, DpemGamColumn *column);

/* the other way: the shape that passes see as `seen`, which may have pairs; column and part: room for those of all columns and cells */
extern DpemGamShape dpem_gam_passed_shape(const DpemGamShape *shape, const DpemGamShape *seen, DpemGamColumn *column, double *part);

/* rows of what is seen of the shape that `from` has; to: shape, n, offset, count, noise and second are there */
extern void dpem_gam_join_rows(const DpemGamRows *from, const DpemGamShape *shape, DpemGamRows *to);

/* and the mean: of cells that are joined that of their rows */
extern void dpem_gam_join_mean(const DpemGamRows *from, const DpemGamShape *shape, const double *mean, const DpemGamRows *to, double *joined);

/*
 * A result for each cell of the shape that passes see: that of the cell it is seen as, with what it may differ from that by: bins
 * that are one are a priori neighbours in the same walk.  Columns that were not seen contribute nothing, with the prior's error.
 */
extern void dpem_gam_part_result(const DpemGamRows *seen, const DpemGamScore *score, const DpemGamResult *result, const DpemGamShape *passed,
								 DpemGamResult *all);

#endif							/* DPEM_CORE_GAM_JOINED_H */

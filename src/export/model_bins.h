/*
 * model_bins.h - where the bins of a number are in a stored model.
 */
#ifndef DPEM_EXPORT_MODEL_BINS_H
#define DPEM_EXPORT_MODEL_BINS_H

#include "fit/model_fields.h"

/*
 * Edges between n bins of coordinate j, n - 1 coordinates from which on a point is in the next, and room for one more; upper: upper bounds
 * of the bins in the column's own unit.  A document from elsewhere may have others: raises XX000 where they do not ascend.
 */
extern double *dpem_model_bin_edges(const DpemModel *model, int j, int n, const double *upper);

#endif							/* DPEM_EXPORT_MODEL_BINS_H */

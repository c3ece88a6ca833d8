/*
 * plot_batches.h - pictures of models that learnt online: the coefficients that each batch was met with.
 */
#ifndef DPEM_API_PLOT_BATCHES_H
#define DPEM_API_PLOT_BATCHES_H

#include "fit/family.h"

/*
 * The picture of a model of this family that learnt online: of a column, with all of a label's categories, or for NULL
 * of those coefficients that were farthest from zero; NULL for any other model.  Raises 22023 for a column that it has not.
 */
extern text *dpem_plot_batches(const DpemFamily *family, const char *model, const char *column);

#endif							/* DPEM_API_PLOT_BATCHES_H */

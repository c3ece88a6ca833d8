/*
 * model_point.h - a point given by name, {"column": value, ...}, as the numbers of a model's coordinates.
 */
#ifndef DPEM_API_MODEL_POINT_H
#define DPEM_API_MODEL_POINT_H

#include "postgres.h"

#include "fit/model_fields.h"
#include "utils/jsonb.h"

/*
 * Fills x, model->d numbers: of a label 1 for its category and 0 for others, as
 * a scan reads rows; NaN for what is null, NaN or infinite.  A label that is null has
 * no category, or, with `partial`, is NaN.
 * Raises 22023 for values of other types and, unless `partial`, for a column that the object does not have.
 * What is none of a label's categories counts as none of them; *noticed, if it is false, becomes true with a NOTICE of it.
 */
extern void dpem_model_point(Jsonb *row, const DpemModel *model, bool partial, double *x, bool *noticed);

#endif							/* DPEM_API_MODEL_POINT_H */

/*
 * model_bytes.h - a loaded model as bytes, which travel with a pass to whatever process reads the rows.
 */
#ifndef DPEM_FAMILY_MODEL_BYTES_H
#define DPEM_FAMILY_MODEL_BYTES_H

#include "lib/stringinfo.h"

#include "fit/family.h"

/* appends the fields that are loaded when a model of the family is used */
extern void dpem_model_write(StringInfo bytes, const DpemFamily *family, const DpemModel *model);

/* the model at the cursor, in the current memory context; raises 22P03 or 08P01 for what no such call has written */
extern DpemModel *dpem_model_read(StringInfo bytes, const DpemFamily **family);

#endif							/* DPEM_FAMILY_MODEL_BYTES_H */

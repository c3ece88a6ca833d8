/*
 * column_reader.h - from the arguments of a row to coordinates, without copying arrays.
 */
#ifndef DPEM_ENGINE_COLUMN_READER_H
#define DPEM_ENGINE_COLUMN_READER_H

#include "fmgr.h"

typedef struct DpemColumnReader DpemColumnReader;

/*
 * A reader of the arguments from `first` on, by their declared types.
 * Booleans are quota flags; the others are `nargs` columns of
 * lengths[] coordinates, before which, if `labelled`, an int4 is the label.
 * Raises 22023 for other types or counts.
 */
extern DpemColumnReader *dpem_column_reader_create(FunctionCallInfo fcinfo, int first, int nargs,
												   const double *lengths, bool labelled);

/*
 * Stores coordinate j at x[j * DPEM_BLOCK_STRIDE], and 1 or -1 in *sign for a
 * label (NULL without).  False for a row that is the null row because of
 * NULLs, quota, array shape or a label that is neither; never raises because
 * of a value.
 */
extern bool dpem_column_reader_read(DpemColumnReader *reader, FunctionCallInfo fcinfo, double *x, double *sign);

#endif							/* DPEM_ENGINE_COLUMN_READER_H */

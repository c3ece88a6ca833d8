/*
 * row_value.h - which values of a row are read does not depend on the row.
 *
 * A long value is stored in a table of its own, and reading it changes counters
 * that every role can see.  So each value that a pass names is read equally
 * often, whatever the row's flags and other values say.
 */
#ifndef DPEM_SCAN_ROW_VALUE_H
#define DPEM_SCAN_ROW_VALUE_H

#include "postgres.h"

/* values up to this size are read in one piece, into memory */
#define DPEM_ROW_VALUE_BYTES	(16 * 1024 * 1024)

/*
 * Reads everything that is stored of a long value, of any size, and keeps
 * nothing of it; up to DPEM_ROW_VALUE_BYTES it reads the same as detoasting.
 */
extern void dpem_row_value_pass_over(Datum value);

#endif							/* DPEM_SCAN_ROW_VALUE_H */

/*
 * row_value.h - what of a row is read does not depend on the row.
 *
 * A long value lies in a table of its own, and reading it moves counters that
 * every role can see.  So each value that a pass names is read, whatever the
 * row's flags and other values say, and as often.
 */
#ifndef DPEM_SCAN_ROW_VALUE_H
#define DPEM_SCAN_ROW_VALUE_H

#include "postgres.h"

/* values up to this size are read in one piece, into memory */
#define DPEM_ROW_VALUE_BYTES	(16 * 1024 * 1024)

/*
 * Reads all that is stored of a long value, of whatever size, and keeps
 * nothing of it; up to DPEM_ROW_VALUE_BYTES it touches what detoasting does.
 */
extern void dpem_row_value_pass_over(Datum value);

#endif							/* DPEM_SCAN_ROW_VALUE_H */

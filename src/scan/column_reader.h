/*
 * column_reader.h - from the arguments of a row to coordinates, without copying arrays.
 */
#ifndef DPEM_SCAN_COLUMN_READER_H
#define DPEM_SCAN_COLUMN_READER_H

#include "fmgr.h"

typedef struct DpemColumnReader DpemColumnReader;

/* which int4 arguments come before the columns */
typedef struct DpemColumnHeads
{
	int			groups;			/* a row's group, from 1 to so many; 0: rows have none */
	int			classes;		/* then its label: of two classes 1 or -1, of more its number from 1; 0: rows have none */
	int			unknown;		/* leading coordinates of the columns that are NaN where a number is NULL */
	int			known;			/* so many coordinates, from `told` on, are of no argument and not written */
	int			told;
} DpemColumnHeads;

/*
 * A reader of the arguments from `first` on, by their declared types.
 * Booleans are flags, and a uuid is a unit's draw; the others are `nargs` columns of lengths[] coordinates,
 * before which come the heads.  An int4 of several coordinates is the place of
 * the one that is 1, all others being 0; NULL or another number: none is.  Raises 22023 for other types or counts.
 */
extern DpemColumnReader *dpem_column_reader_create(FunctionCallInfo fcinfo, int first, int nargs,
												   const double *lengths, DpemColumnHeads heads);

/* a row's group from 0, or -1 if it has none; 0 without groups */
extern int	dpem_column_reader_group(const DpemColumnReader *reader, FunctionCallInfo fcinfo);

/* has a row a uuid, drawn for its unit?  then a number that is derived from it alone, uniform but for 2^-48; else 0 */
extern bool dpem_column_reader_draws(const DpemColumnReader *reader);
extern uint64 dpem_column_reader_draw(const DpemColumnReader *reader, FunctionCallInfo fcinfo);

/*
 * Stores coordinate j at x[j * DPEM_BLOCK_STRIDE], and a label in *label
 * (NULL without).  False for a row that is the null row because of
 * NULLs that are not NaN, quota, array shape or a label of no class; never raises
 * because of a value.
 */
extern bool dpem_column_reader_read(DpemColumnReader *reader, FunctionCallInfo fcinfo, double *x, double *label);

#endif							/* DPEM_SCAN_COLUMN_READER_H */

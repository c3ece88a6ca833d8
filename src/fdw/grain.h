/*
 * grain.h - where an expression of a column of integers, dates or times may change.
 */
#ifndef DPEM_FDW_GRAIN_H
#define DPEM_FDW_GRAIN_H

#include "fdw/step_curve.h"
#include "pgtime.h"

#define DPEM_CLOCKS_MAX 8

/* a clock that an expression reads: the column, as a time somewhere, down to a unit */
typedef struct DpemClock
{
	pg_tz	   *zone;			/* NULL: UTC */
	int64		shift;			/* microseconds that are added before the zone's own */
	int64		unit;			/* microseconds that it shows no part of */
} DpemClock;

/* clocks 0: the column is one of days or integers, of which each is looked at */
typedef struct DpemGrain
{
	int			clocks;
	bool		named;			/* a zone is named, which may be an abbreviation that stands for another offset */
	DpemClock	clock[DPEM_CLOCKS_MAX];
} DpemGrain;

/*
 * false: it may change anywhere, or is none that is known before rows are read.  A column of
 * times has to be read by extract, date_part, to_char, date_trunc or as a date, in units of a
 * minute at least; whatever is made of these is constant while all clocks show the same.
 */
extern bool dpem_grain_of(const DpemPrivateTable *table, Node *expression, DpemGrain *grain);

/* the next point at which any clock may show something else, or its offset from UTC changes */
extern int64 dpem_grain_next(const DpemGrain *grain, int64 point);

#endif							/* DPEM_FDW_GRAIN_H */

/*
 * cycle.h - the domain of a column that takes whole steps, in parts in which an expression has one value.
 */
#ifndef DPEM_FDW_CYCLE_H
#define DPEM_FDW_CYCLE_H

#include "fdw/grain.h"

typedef struct DpemParts
{
	DpemStepCurve	curve;
	DpemGrain	grain;
	FmgrInfo   *compare;
	Oid			collation;
	int16		length;
	bool		by_value;
	int64		first;			/* points of the domain */
	int64		last;
	int64		at;				/* the first point of the part that is looked at */
	int			read;			/* parts that were looked at */
	Datum		value;			/* of the part */
} DpemParts;

/* false: the expression is none whose parts are known */
extern bool dpem_parts_begin(DpemParts *p, const DpemPrivateTable *table, Node *expression);
extern void dpem_parts_end(DpemParts *p);

/* finds the value of the part that is at `at`, and returns the first point after it; raises 0A000 */
extern int64 dpem_parts_read(DpemParts *p);

#endif							/* DPEM_FDW_CYCLE_H */

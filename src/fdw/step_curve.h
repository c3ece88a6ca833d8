/*
 * step_curve.h - an expression of one column that takes whole steps (integers, dates, times), computed at points of it.
 *
 * A point is a number of steps: 1, a day, a microsecond.  The expression is computed by the server's
 * executor; rows take no part.
 */
#ifndef DPEM_FDW_STEP_CURVE_H
#define DPEM_FDW_STEP_CURVE_H

#include "fdw/fdw.h"
#include "nodes/params.h"

typedef struct DpemStepCurve
{
	const DpemPrivateTable *table;
	const DpemColumn *column;
	Node	   *expression;
	ExprState  *state;
	ExprContext *context;
	ParamListInfo point;		/* what takes the column's place */
	Oid			type;			/* of the column */
} DpemStepCurve;

/* an expression of such a column alone; its memory lasts until dpem_step_curve_end */
extern DpemStepCurve dpem_step_curve_begin(const DpemPrivateTable *table, Node *expression);
extern void dpem_step_curve_end(DpemStepCurve *curve);

/* raises 0A000 where it has none */
extern Datum dpem_step_curve_value(const DpemStepCurve *curve, int64 point);

/* its value where the column is NULL */
extern Datum dpem_step_curve_at_null(const DpemStepCurve *curve, bool *isnull);

/* the first and the last point of the column's domain, or, if wide, of all that a row can have */
extern void dpem_step_curve_bounds(const DpemColumn *column, bool wide, int64 *first, int64 *last);

/* points in 1 of what a pass reads; and a point as a pass reads it */
extern int64 dpem_steps_in_1(Oid type);
extern double dpem_number_at_point(Oid type, int64 point);

/* the point as a filter's literal */
extern char *dpem_literal_at_point(const DpemColumn *column, int64 point);

#endif							/* DPEM_FDW_STEP_CURVE_H */

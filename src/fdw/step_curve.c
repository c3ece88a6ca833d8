/*
 * step_curve.c - expressions of one column that takes whole steps, at points of its public domain.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/timestamp.h"

#include "fdw/step_curve.h"
#include "registry/calendar.h"

/* values beyond the domain are looked at, too, by a condition: as far as any expression can be computed */
#define WIDE_INTEGER INT64CONST(1000000)

static Datum
datum_at(Oid type, int64 point)
{
	switch (type)
	{
		case INT2OID:
			return Int16GetDatum((int16) point);
		case INT4OID:
			return Int32GetDatum((int32) point);
		case DATEOID:
			return DateADTGetDatum((DateADT) point);
		default:
			return Int64GetDatum(point);
	}
}

int64
dpem_steps_in_1(Oid type)
{
	return type == TIMESTAMPOID || type == TIMESTAMPTZOID ? USECS_PER_SEC : 1;
}

double
dpem_number_at_point(Oid type, int64 point)
{
	return (double) point / (double) dpem_steps_in_1(type);
}

char *
dpem_literal_at_point(const DpemColumn *column, int64 point)
{
	double		number = dpem_number_at_point(dpem_published_type(column), point);

	return OidIsValid(column->calendar) ? quote_literal_cstr(dpem_calendar_write(column->calendar, number)) : psprintf("%.17g", number);
}

void
dpem_step_curve_bounds(const DpemColumn *column, bool wide, int64 *first, int64 *last)
{
	Oid			type = dpem_published_type(column);
	int64		day = type == DATEOID ? 1 : USECS_PER_DAY;
	double		limit = type == INT2OID ? PG_INT16_MAX : type == INT4OID ? PG_INT32_MAX : 4e18;

	*first = (int64) ceil(fmax(column->lower * (double) dpem_steps_in_1(type), -limit));
	*last = (int64) floor(fmin(column->upper * (double) dpem_steps_in_1(type), limit));
	if (!wide)
		return;
	*first = Min(*first, OidIsValid(column->calendar) ? DPEM_FIRST_DAY * day : -(int64) Min(limit, WIDE_INTEGER));
	*last = Max(*last, OidIsValid(column->calendar) ? DPEM_LAST_DAY * day : (int64) Min(limit, WIDE_INTEGER));
}

/* ---- curves ---- */

/* a parameter, not a CaseTestExpr, of which a CASE around the column has its own */
static Param *
point_of(Oid type)
{
	Param	   *point = makeNode(Param);

	point->paramkind = PARAM_EXTERN;
	point->paramid = 1;
	point->paramtype = type;
	point->paramtypmod = -1;
	point->paramcollid = InvalidOid;
	point->location = -1;
	return point;
}

DpemStepCurve
dpem_step_curve_begin(const DpemPrivateTable *table, Node *expression)
{
	DpemStepCurve	curve = {.table = table,.expression = expression};
	Node	   *node;

	curve.column = dpem_only_column(table, expression);
	curve.type = dpem_published_type(curve.column);
	node = eval_const_expressions(NULL, dpem_replace_column(expression, (Node *) point_of(curve.type)));
	curve.point = makeParamList(1);
	curve.point->params[0].ptype = curve.type;
	curve.state = ExecInitExprWithParams((Expr *) node, curve.point);
	curve.context = CreateStandaloneExprContext();
	curve.context->ecxt_param_list_info = curve.point;
	return curve;
}

void
dpem_step_curve_end(DpemStepCurve *curve)
{
	FreeExprContext(curve->context, true);
}

Datum
dpem_step_curve_value(const DpemStepCurve *curve, int64 point)
{
	bool		isnull;
	Datum		value;

	curve->point->params[0].value = datum_at(curve->type, point);
	curve->point->params[0].isnull = false;
	value = ExecEvalExpr(curve->state, curve->context, &isnull);
	if (isnull)
		dpem_refuse_expression(curve->table, curve->expression, "It has no value somewhere in the column's domain.");
	return value;
}

Datum
dpem_step_curve_at_null(const DpemStepCurve *curve, bool *isnull)
{
	curve->point->params[0].value = (Datum) 0;
	curve->point->params[0].isnull = true;
	return ExecEvalExpr(curve->state, curve->context, isnull);
}

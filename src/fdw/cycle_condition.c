/*
 * cycle_condition.c - conditions on what begins again, as lists of the stretches of the domain in which they hold.
 *
 * A value beyond the registered domain counts as its end, as it does in groups.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"

#include "fdw/cycle.h"

/* what is left of a filter's limits (core/statistics/filter.h) is for other conditions */
#define TEXT_MAX 3500
#define STRETCHES_MAX 100
#define POINTS_MAX 300

#define TOO_OFTEN "It is true of too many stretches of the column's domain for a condition: GROUP BY the expression, and choose groups by HAVING or in an outer query."

typedef struct Stretches
{
	StringInfoData points;		/* of one point each */
	StringInfoData ranges;
	int			n_points;
	int			n_ranges;
} Stretches;

static void
add_stretch(Stretches *s, const DpemParts *p, const char *name, int64 from, int64 to)
{
	const DpemColumn *column = p->curve.column;
	bool		first = from == p->first;
	bool		last = to == p->last;

	if (from == to && !first && !last)
	{
		appendStringInfo(&s->points, "%s%s", s->n_points++ > 0 ? ", " : "", dpem_literal_at_point(column, from));
		return;
	}
	appendStringInfoString(&s->ranges, s->n_ranges++ > 0 ? " or " : "");
	if (first && last)
		appendStringInfo(&s->ranges, "%s = %s or %s <> %s", name, dpem_literal_at_point(column, from), name, dpem_literal_at_point(column, from));
	else if (first)
		appendStringInfo(&s->ranges, "%s <= %s", name, dpem_literal_at_point(column, to));
	else if (last)
		appendStringInfo(&s->ranges, "%s >= %s", name, dpem_literal_at_point(column, from));
	else
		appendStringInfo(&s->ranges, "%s between %s and %s", name, dpem_literal_at_point(column, from), dpem_literal_at_point(column, to));
}

static Stretches
find_stretches(DpemParts *p, const char *name)
{
	Stretches	s = {.n_points = 0};
	int64		from = 0;
	bool		inside = false;

	initStringInfo(&s.points);
	initStringInfo(&s.ranges);
	while (p->at <= p->last)
	{
		int64		next = dpem_parts_read(p);

		if (DatumGetBool(p->value) && !inside)
			from = p->at;
		if (!DatumGetBool(p->value) && inside)
			add_stretch(&s, p, name, from, p->at - 1);
		inside = DatumGetBool(p->value);
		p->at = next;
		if (s.n_points > POINTS_MAX || s.n_ranges > STRETCHES_MAX || s.points.len + s.ranges.len > TEXT_MAX)
			dpem_refuse_expression(p->curve.table, p->curve.expression, TOO_OFTEN);
	}
	if (inside)
		add_stretch(&s, p, name, from, p->last);
	return s;
}

/* the one column of whole steps that a condition names; NULL: it is about others, or about more than rows */
static const DpemColumn *
column_of(const DpemPrivateTable *table, Node *condition)
{
	const DpemColumn *column = dpem_only_column(table, condition);

	return column == NULL || !dpem_has_lattice(column) || contain_subplans(condition) || exprType(condition) != BOOLOID ? NULL : column;
}

static char *
write_stretches(const Stretches *s, const char *name, const char *some)
{
	if (s->n_points > 0 && s->n_ranges > 0)
		return psprintf("%s in (%s) or %s", name, s->points.data, s->ranges.data);
	if (s->n_points > 0)
		return psprintf("%s in (%s)", name, s->points.data);
	return s->n_ranges > 0 ? s->ranges.data : psprintf("%s = %s and %s <> %s", name, some, name, some);
}

char *
dpem_cycle_condition(const DpemPrivateTable *table, Node *condition)
{
	const DpemColumn *column = column_of(table, condition);
	const char *name = column ? dpem_column_name(column) : NULL;
	DpemParts	p;
	Stretches	s;
	char	   *text;
	bool		is_null;
	bool		holds;

	if (column == NULL)
		return NULL;
	if (dpem_is_open(condition))
		return dpem_open_condition(table, column);
	if (!dpem_parts_begin(&p, table, condition))
		return NULL;
	holds = DatumGetBool(dpem_step_curve_at_null(&p.curve, &is_null));
	s = find_stretches(&p, name);
	dpem_parts_end(&p);
	text = write_stretches(&s, name, dpem_column_literal(column));
	/* these say NULL of NULL; the condition may say something else */
	return is_null ? text : psprintf(holds ? "%s or %s is null" : "(%s) and %s is not null", text, name);
}

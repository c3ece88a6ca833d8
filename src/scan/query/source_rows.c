/*
 * source_rows.c - which rows count and to which group they belong, as SQL.
 *
 * A filter becomes one boolean expression, an argument of the aggregate: no
 * WHERE, so that no index and no early stop can tell rows apart.  Nor can AND,
 * OR or CASE: each value in it is read once for every time it is named
 * (row_value.c).  It has nothing but operators of pg_catalog on float8 and on text compared byte by
 * byte, functions of dpem and literals; what the caller wrote is nowhere in it.  None of them can
 * raise, and NULL, like false, makes a null row.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "registry/calendar.h"
#include "scan/query/source_query.h"

char *
dpem_source_fetched(Oid type, const char *reference)
{
	return get_typlen(type) == -1 ? psprintf("dpem_internal.fetched(%s)", reference) : pstrdup(reference);
}

char *
dpem_source_value(const DpemColumn *column, const char *reference)
{
	if (get_typtype(column->type) == TYPTYPE_ENUM)
		return psprintf("dpem_internal.enum_label(%s) COLLATE pg_catalog.\"C\"", reference);
	if (column->kind == DPEM_COLUMN_LABEL || column->kind == DPEM_COLUMN_KEY)
		return psprintf("%s::pg_catalog.text COLLATE pg_catalog.\"C\"", dpem_source_fetched(column->type, reference));
	if (OidIsValid(column->calendar))
		return dpem_calendar_source(column->calendar, reference);
	return column->type == NUMERICOID ? psprintf("dpem_internal.numeric_to_float8(%s)", reference)
		: psprintf("%s::pg_catalog.float8", reference);
}

char *
dpem_source_number(const DpemColumn *column, const char *reference)
{
	const char *value = dpem_source_value(column, reference);

	return column->unknown || column->filled ? psprintf("COALESCE(%s, 'NaN'::pg_catalog.float8)", value) : pstrdup(value);
}

char *
dpem_source_reference(const DpemColumn *column, const char *alias)
{
	return alias ? psprintf("s.%s", alias) : psprintf("s.%s", quote_identifier(column->name));
}

/* one name for each of the columns that divide the rows */
static const char *
part_alias(const DpemGrouping *first, const DpemGrouping *grouping)
{
	int			i = 0;

	for (; first != grouping; first = first->within)
		i++;
	return i == 0 ? "part" : psprintf("part%d", i);
}

void
dpem_source_append_row_columns(StringInfo sql, const DpemBinding *bound)
{
	for (int i = 0; bound->filter != NULL && i < bound->filter->parsed.columns; i++)
		appendStringInfo(sql, ", u.%s AS f%d", quote_identifier(bound->filter->column[i].name), i);
	if (bound->distinct != NULL)
		appendStringInfo(sql, ", u.%s AS counted", quote_identifier(bound->distinct->name));
	for (const DpemGrouping *g = bound->grouping; g != NULL; g = g->within)
		appendStringInfo(sql, ", u.%s AS %s", quote_identifier(g->column.name), part_alias(bound->grouping, g));
}

/* ---- filters ---- */

typedef struct FilterWriter
{
	StringInfo	sql;
	const DpemRowFilter *filter;
	bool		renamed;
} FilterWriter;

static char *
column_of(const FilterWriter *w, const DpemFilterNode *node)
{
	return dpem_source_reference(&w->filter->column[node->column], w->renamed ? psprintf("f%d", node->column) : NULL);
}

static void
append_literal(const FilterWriter *w, int i)
{
	const DpemFilterLiteral *literal = &w->filter->parsed.literal[i];

	if (literal->is_text)
		appendStringInfo(w->sql, "%s::pg_catalog.text", quote_literal_cstr(literal->text));
	else
		appendStringInfo(w->sql, "'%.17g'::pg_catalog.float8", literal->number);
}

static void
append_comparison(const FilterWriter *w, const DpemFilterNode *node, const char *op, int literal)
{
	appendStringInfo(w->sql, "(%s OPERATOR(pg_catalog.%s) ",
					 dpem_source_value(&w->filter->column[node->column], column_of(w, node)), op);
	append_literal(w, literal);
	appendStringInfoChar(w->sql, ')');
}

static void
append_list(const FilterWriter *w, const DpemFilterNode *node)
{
	const DpemColumn *column = &w->filter->column[node->column];

	appendStringInfo(w->sql, "(%s OPERATOR(pg_catalog.=) ANY (ARRAY[", dpem_source_value(column, column_of(w, node)));
	for (int i = 0; i < node->literals; i++)
	{
		appendStringInfoString(w->sql, i > 0 ? ", " : "");
		append_literal(w, node->literal + i);
	}
	appendStringInfoString(w->sql, "]))");
}

static void
append_range(const FilterWriter *w, const DpemFilterNode *node)
{
	appendStringInfoString(w->sql, "dpem_internal.both(");
	append_comparison(w, node, ">=", node->literal);
	appendStringInfoString(w->sql, ", ");
	append_comparison(w, node, "<=", node->literal + 1);
	appendStringInfoChar(w->sql, ')');
}

static void append_node(const FilterWriter *w, int number);

static void
append_pair(const FilterWriter *w, const DpemFilterNode *node, const char *function)
{
	appendStringInfo(w->sql, "%s(", function);
	append_node(w, node->left);
	appendStringInfoString(w->sql, ", ");
	append_node(w, node->right);
	appendStringInfoChar(w->sql, ')');
}

static void
append_node(const FilterWriter *w, int number)
{
	const DpemFilterNode *node = &w->filter->parsed.node[number];

	if (node->negated || node->kind == DPEM_FILTER_NOT)
		appendStringInfoString(w->sql, "(NOT ");
	switch (node->kind)
	{
		case DPEM_FILTER_OR:
			append_pair(w, node, "dpem_internal.either");
			break;
		case DPEM_FILTER_AND:
			append_pair(w, node, "dpem_internal.both");
			break;
		case DPEM_FILTER_NOT:
			append_node(w, node->left);
			break;
		case DPEM_FILTER_COMPARE:
			append_comparison(w, node, node->op, node->literal);
			break;
		case DPEM_FILTER_BETWEEN:
			append_range(w, node);
			break;
		case DPEM_FILTER_IN:
			append_list(w, node);
			break;
		case DPEM_FILTER_IS_NULL:
			appendStringInfo(w->sql, "(%s IS NULL)", column_of(w, node));
			break;
	}
	if (node->negated || node->kind == DPEM_FILTER_NOT)
		appendStringInfoChar(w->sql, ')');
}

char *
dpem_source_filter(const DpemRowFilter *filter, bool renamed)
{
	StringInfoData sql;
	FilterWriter writer = {&sql, filter, renamed};

	initStringInfo(&sql);
	append_node(&writer, filter->parsed.root);
	return sql.data;
}

/* ---- groups ---- */

char *
dpem_source_place(char *const *category, int n, const char *value)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "dpem_internal.place(ARRAY[");
	for (int i = 0; i < n; i++)
		appendStringInfo(&sql, "%s%s", i > 0 ? ", " : "", quote_literal_cstr(category[i]));
	appendStringInfo(&sql, "]::pg_catalog.text[], %s)", value);
	return sql.data;
}

/* NaN is greater than infinity */
char *
dpem_source_is_number(const char *value)
{
	return psprintf("(pg_catalog.abs(%s) OPERATOR(pg_catalog.<) 'Infinity'::pg_catalog.float8)", value);
}

/*
 * The least finite x whose value clamped to the column's domain is at least
 * the edge.  Infinity: there is none.
 */
static double
threshold(const DpemColumn *column, double edge)
{
	if (edge <= column->lower)
		return -DBL_MAX;
	return edge <= column->upper ? edge : INFINITY;
}

/*
 * A value is clamped to the column's domain first; NaN and the infinities, as everywhere, are in no bin.
 * Edges are clamped in the place of values: width_bucket says how many thresholds
 * there are up to x, so that 0, and all n + 1 of them, are no bin.  The last edge belongs to the last bin.
 */
static char *
bin_of(const DpemGrouping *grouping, const char *value)
{
	const DpemColumn *column = &grouping->column;
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "pg_catalog.width_bucket(%s, '{", value);
	for (int i = 0; i < grouping->bins; i++)
		appendStringInfo(&sql, "%.17g,", threshold(column, grouping->edge[i]));
	appendStringInfo(&sql, "%.17g}'::pg_catalog.float8[])", threshold(column, nextafter(grouping->edge[grouping->bins], INFINITY)));
	return sql.data;
}

/* an array's subscript that it does not have gives NULL, which is no group */
static char *
group_of_bin(const DpemGrouping *grouping, const char *bin)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < grouping->bins; i++)
		appendStringInfo(&sql, "%s%d", i == 0 ? "('{" : ",", grouping->cycle[i] + 1);
	appendStringInfo(&sql, "}'::pg_catalog.int4[])[%s]", bin);
	return sql.data;
}

char *
dpem_source_key(const DpemGrouping *grouping, bool renamed)
{
	return dpem_source_value(&grouping->column, dpem_source_reference(&grouping->column, renamed ? "part" : NULL));
}

/* from 1; 0, NULL or more than n for a row in none of them */
static char *
place_in(const DpemGrouping *first, const DpemGrouping *grouping, bool renamed)
{
	const char *alias = renamed ? part_alias(first, grouping) : NULL;
	const char *value = dpem_source_value(&grouping->column, dpem_source_reference(&grouping->column, alias));

	if (grouping->edge == NULL)
		return dpem_source_place(grouping->category, grouping->n, value);
	return grouping->cycle != NULL ? group_of_bin(grouping, bin_of(grouping, value)) : bin_of(grouping, value);
}

/*
 * One number of a group that is of several columns.  A row in no bin of one of
 * them must be in no group: its place, NULL, makes all of it NULL.
 */
static char *
place_within(const DpemGrouping *first, const DpemGrouping *grouping, bool renamed)
{
	char	   *place = place_in(first, grouping, renamed);

	if (grouping->edge == NULL || grouping->cycle != NULL)
		return place;
	return psprintf("NULLIF(NULLIF(%s, 0), %d)", place, grouping->n + 1);
}

void
dpem_source_append_group(StringInfo sql, const DpemGrouping *grouping, bool renamed)
{
	char	   *number;

	if (grouping == NULL)
		return;
	if (grouping->within == NULL)
	{
		appendStringInfo(sql, ", %s", place_in(grouping, grouping, renamed));
		return;
	}
	number = place_within(grouping, grouping, renamed);
	for (const DpemGrouping *g = grouping->within; g != NULL; g = g->within)
		number = psprintf("((%s OPERATOR(pg_catalog.-) 1) OPERATOR(pg_catalog.*) %d OPERATOR(pg_catalog.+) %s)",
						  number, g->n, place_within(grouping, g, renamed));
	appendStringInfo(sql, ", %s", number);
}

/*
 * source_keys.c - how many units have each value of a key, as SQL.
 *
 *	   SELECT k.key, count(*) FROM (
 *		   SELECT dpem_internal.counted_key(its key, does the row count?) AS key, s.unit
 *			 FROM source AS s GROUP BY 1, 2) AS k GROUP BY k.key
 *
 * Every row is read, and those that do not count have a key of NULL: there is no
 * WHERE, as in every pass (source_rows.c).  Without a unit column each row is a
 * unit of its own; where a unit has one row at most, its rows need not be told
 * apart either.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "scan/query/source_query.h"

/* not AND: each is evaluated in every row (row_value.c) */
static char *
both(const char *condition, const char *another)
{
	return psprintf("dpem_internal.both(%s, %s)", condition, another);
}

char *
dpem_source_counts(const DpemBinding *bound, bool renamed, bool quota)
{
	bool		units = bound->dataset->unit != NULL;
	char	   *condition = !units ? pstrdup("true") : quota ? dpem_source_quota(bound) : pstrdup("s.known");
	ListCell   *cell;

	if (bound->filter != NULL)
		condition = both(condition, dpem_source_filter(bound->filter, renamed));
	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);
		const char *alias = renamed ? psprintf("c%d", foreach_current_index(cell)) : NULL;

		if (column->kind != DPEM_COLUMN_CONSTANT)
			condition = both(condition,
							 dpem_source_is_number(dpem_source_value(column, dpem_source_reference(column, alias))));
	}
	return condition;
}

char *
dpem_source_keys_query(const DpemBinding *bound, const char *relation)
{
	bool		renamed = bound->dataset->unit != NULL;
	bool		distinct = bound->dataset->unit != NULL && bound->dataset->max_rows_per_unit > 1;
	const char *key = dpem_source_key(bound->grouping, renamed);
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT k.key, pg_catalog.count(*) AS units FROM (SELECT dpem_internal.counted_key(%s, %s) AS key%s FROM ",
					 key, dpem_source_counts(bound, renamed, true), distinct ? ", s.unit AS unit" : "");
	dpem_source_append_from(&sql, bound, relation, NULL);
	appendStringInfo(&sql, "%s) AS k GROUP BY k.key", distinct ? " GROUP BY 1, 2" : "");
	return sql.data;
}

/*
 * source_distinct.c - how many different persons, or values of a column, the rows of each group have, as SQL.
 *
 *	   SELECT k.key, count(k.value) FROM (
 *		   SELECT dpem_internal.counted_key(its group, does the row count?) AS key, its value AS value
 *			 FROM source AS s GROUP BY 1, 2) AS k GROUP BY k.key
 *
 * As for keys (source_keys.c) every row is read, and those that do not count have a key of NULL.  A person of any
 * number of rows counts once: without groups no quota is needed, and a person counts whichever of his rows do.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "scan/query/source_query.h"

/* NULL for what is none of a label's categories, no number, or too long for a key; -0 is 0 */
static char *
counted_value(const DpemBinding *bound, bool renamed)
{
	const DpemColumn *column = bound->distinct;
	const char *value = dpem_source_value(column, dpem_source_reference(column, renamed ? "counted" : NULL));

	if (column->kind == DPEM_COLUMN_LABEL)
		return psprintf("dpem_internal.counted_key(%s::pg_catalog.text, true)",
						dpem_source_place(bound->category, bound->categories, value));
	if (column->kind == DPEM_COLUMN_NUMBER)
		return psprintf("dpem_internal.counted_key((%s OPERATOR(pg_catalog.+) 0::pg_catalog.float8)::pg_catalog.text, %s)",
						value, dpem_source_is_number(value));
	return psprintf("dpem_internal.counted_key(%s, true)", value);
}

char *
dpem_source_distinct_query(const DpemBinding *bound, const char *relation)
{
	bool		units = bound->dataset->unit != NULL;
	bool		quota = !bound->persons || bound->grouping != NULL;
	const char *counts = dpem_source_counts(bound, units, quota);
	const char *group = bound->grouping ? dpem_source_key(bound->grouping, units) : "'all'::pg_catalog.text";
	const char *value = !bound->persons ? counted_value(bound, units) : units ? "s.unit" : "1::pg_catalog.int4";
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT k.key, pg_catalog.count(k.value) AS units FROM (SELECT dpem_internal.counted_key(%s, %s) AS key, %s AS value FROM ",
					 group, counts, value);
	dpem_source_append_from(&sql, bound, relation, NULL);
	/* where a row is a person, all of them are different */
	appendStringInfo(&sql, "%s) AS k GROUP BY k.key", bound->persons && !units ? "" : " GROUP BY 1, 2");
	return sql.data;
}

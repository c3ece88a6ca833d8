/*
 * source_joins.c - the rows of a source with what the tables on its unit's path know of them.
 *
 *	   (SELECT u.cost AS cost, h0.sex AS "patients.sex", u.patient_id AS "hospital.patients.id"
 *		  FROM hospital.visits AS u LEFT JOIN hospital.patients AS h0 ON h0.id = u.patient_id)
 *
 * A key has one row at most, so that every row of the source comes once, whatever is
 * joined to it, and all that is joined belongs to the same person (docs/proofs.md,
 * "Paths").  The unit is the column that refers to its key: that needs no join of its own.
 *
 * Person columns are joined as one row for each person:
 *
 *	   LEFT JOIN (SELECT s.patient_id AS unit, count(...) AS p0 FROM hospital.visits AS s GROUP BY 1) AS d0 ON d0.unit = u.id
 *
 * Every detail row is read, and a filter is in the aggregate's argument, as in every pass (source_rows.c).
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "registry/person_column.h"
#include "registry/source_relations.h"
#include "scan/query/source_query.h"

/* a table reached by a step, or what the path begins at */
static const char *
alias_of(int step, const char *start)
{
	return step < 0 ? start : psprintf("h%d", step);
}

static void
append_steps(StringInfo sql, const DpemUnitPath *path, const char *start, int last)
{
	for (int i = 0; i <= last; i++)
	{
		const DpemUnitStep *step = list_nth(path->steps, i);

		appendStringInfo(sql, " LEFT JOIN %s AS h%d ON h%d.%s OPERATOR(pg_catalog.=) %s.%s", dpem_relation_qualified_name(step->relation),
						 i, i, quote_identifier(step->key), alias_of(i - 1, start), quote_identifier(step->column));
	}
}

/* the person's key, in the last table before that of persons, which is *step */
static char *
unit_of(const DpemUnitPath *path, Oid from, const char *start, int *step)
{
	const char *column;

	(void) dpem_unit_path_last(path, from, &column, step);
	return psprintf("%s.%s", alias_of(*step, start), quote_identifier(column));
}

/* ---- person columns ---- */

/* a detail row's value, where the row counts; null rows are read all the same */
static char *
counted_value(const DpemPersonColumn *person)
{
	const char *counts = person->filter ? dpem_source_filter(dpem_person_filter(person), false) : "true";
	DpemColumn	column;

	if (person->column == NULL)
		return psprintf("dpem_internal.counted_value('1'::pg_catalog.float8, %s)", counts);
	(void) dpem_person_detail_column(person, person->column, &column);
	return psprintf("dpem_internal.counted_%s(%s, %s)", column.kind == DPEM_COLUMN_NUMBER ? "value" : "key",
					dpem_source_value(&column, dpem_source_reference(&column, NULL)), counts);
}

/*
 * A sum of floating-point numbers depends on their order, and in which order one person's rows come may be due to
 * another person's: a sort moves rows of equal keys unless all rows are in order already.  In the order of the
 * numbers it is a function of the person's rows alone.
 */
static char *
aggregate_of(const DpemPersonColumn *person)
{
	static const char *const function[] = {
		[DPEM_PERSON_COUNT] = "count(",[DPEM_PERSON_EXISTS] = "count(",[DPEM_PERSON_DISTINCT] = "count(DISTINCT ",
		[DPEM_PERSON_SUM] = "sum(",[DPEM_PERSON_AVG] = "avg(",[DPEM_PERSON_MIN] = "min(",[DPEM_PERSON_MAX] = "max("
	};
	bool		adds = person->aggregate == DPEM_PERSON_SUM || person->aggregate == DPEM_PERSON_AVG;
	const char *value = counted_value(person);

	return psprintf("pg_catalog.%s%s%s)", function[person->aggregate], value, adds ? psprintf(" ORDER BY %s", value) : "");
}

/* who has no detail rows has counts and sums of 0, and else nothing that is known */
static char *
value_of(const DpemPersonColumn *person, int join, int number)
{
	char	   *value = psprintf("d%d.p%d::pg_catalog.float8", join, number);

	switch (person->aggregate)
	{
		case DPEM_PERSON_AVG:
		case DPEM_PERSON_MIN:
		case DPEM_PERSON_MAX:
			return value;
		case DPEM_PERSON_EXISTS:
			return psprintf("LEAST(COALESCE(%s, 0), 1)", value);
		default:
			return psprintf("COALESCE(%s, 0)", value);
	}
}

static bool
same_rows(const DpemPersonColumn *a, const DpemPersonColumn *b)
{
	return a->detail == b->detail && strcmp(a->path->text, b->path->text) == 0;
}

/* the number, among the joins of detail rows, of the one that has this column's; a new one is added */
static int
join_of(List **joins, DpemPersonColumn *person)
{
	ListCell   *cell;

	foreach(cell, *joins)
	{
		if (same_rows(linitial(lfirst(cell)), person))
		{
			lfirst(cell) = lappend(lfirst(cell), person);
			return foreach_current_index(cell);
		}
	}
	*joins = lappend(*joins, list_make1(person));
	return list_length(*joins) - 1;
}

/* one row for each person who has detail rows */
static void
append_details(StringInfo sql, List *persons, int join, const char *unit)
{
	const DpemPersonColumn *first = linitial(persons);
	int			last;
	const char *its_unit = unit_of(first->path, first->detail, "s", &last);
	ListCell   *cell;

	appendStringInfo(sql, " LEFT JOIN (SELECT %s AS unit", its_unit);
	foreach(cell, persons)
		appendStringInfo(sql, ", %s AS p%d", aggregate_of(lfirst(cell)), foreach_current_index(cell));
	appendStringInfo(sql, " FROM %s AS s", dpem_relation_qualified_name(first->detail));
	append_steps(sql, first->path, "s", last);
	appendStringInfo(sql, " GROUP BY 1) AS d%d ON d%d.unit OPERATOR(pg_catalog.=) %s", join, join, unit);
}

/* ---- units ---- */

char *
dpem_source_units(const DpemBinding *bound)
{
	const DpemDataset *ds = bound->dataset;
	const char *name = quote_identifier(ds->unit);
	int			before = -1;
	const char *unit = ds->path ? unit_of(ds->path, ds->source, "u", &before) : psprintf("u.%s", name);
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "(SELECT %s AS %s, pg_catalog.count(*)::pg_catalog.float8 AS %s FROM %s AS u", unit, name,
					 quote_identifier(DPEM_ROWS_COLUMN), dpem_relation_qualified_name(ds->source));
	if (ds->path != NULL)
		append_steps(&sql, ds->path, "u", before);
	appendStringInfoString(&sql, " GROUP BY 1)");
	return sql.data;
}

/* ---- all of it ---- */

/* returns the last step that the columns need; -1: none */
static int
append_columns(StringInfo sql, const DpemBinding *bound, List **joins)
{
	ListCell   *cell;
	int			last = -1;

	foreach(cell, dpem_binding_names(bound))
	{
		DpemColumnPlace place;
		char	   *value;

		if (!dpem_dataset_place(bound->dataset, lfirst(cell), &place))
			elog(ERROR, "dpem: a bound column that there is none of");
		if (place.person != NULL)
		{
			int			join = join_of(joins, unconstify(DpemPersonColumn *, place.person));

			value = value_of(place.person, join, list_length(list_nth(*joins, join)) - 1);
		}
		else
			value = psprintf("%s.%s", alias_of(place.step, "u"), quote_identifier(place.attribute));
		appendStringInfo(sql, "%s%s AS %s", foreach_current_index(cell) > 0 ? ", " : "", value, quote_identifier(lfirst(cell)));
		last = Max(last, place.step);
	}
	return last;
}

char *
dpem_source_joined(const DpemBinding *bound)
{
	const DpemDataset *ds = bound->dataset;
	StringInfoData sql;
	List	   *joins = NIL;
	int			last;
	int			before;
	const char *unit = unit_of(ds->path, ds->source, "u", &before);
	ListCell   *cell;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "(SELECT ");
	last = append_columns(&sql, bound, &joins);
	appendStringInfo(&sql, " FROM %s AS u", dpem_relation_qualified_name(ds->source));
	append_steps(&sql, ds->path, "u", last);
	foreach(cell, joins)
		append_details(&sql, lfirst(cell), foreach_current_index(cell), unit);
	appendStringInfoChar(&sql, ')');
	return sql.data;
}

/*
 * source_joins.c - the rows of a source with what the tables on its unit's path know of them.
 *
 *	   (SELECT u.cost AS cost, h0.sex AS "patients.sex", u.patient_id AS "hospital.patients.id"
 *		  FROM hospital.visits AS u LEFT JOIN hospital.patients AS h0 ON h0.id = u.patient_id)
 *
 * A key has one row at most, so that every row of the source comes once, whatever is
 * joined to it, and all that is joined belongs to the same person (docs/proofs.md,
 * "Paths").  The unit is the column that refers to its key: that needs no join of its own.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"

static const char *
alias_of(int step)
{
	return step < 0 ? "u" : psprintf("h%d", step);
}

/* returns the last step that it needs; -1: none */
static int
append_columns(StringInfo sql, const DpemBinding *bound)
{
	ListCell   *cell;
	int			last = -1;

	foreach(cell, dpem_binding_names(bound))
	{
		DpemColumnPlace place;

		if (!dpem_dataset_place(bound->dataset, lfirst(cell), &place))
			elog(ERROR, "dpem: a bound column that there is none of");
		appendStringInfo(sql, "%s%s.%s AS %s", foreach_current_index(cell) > 0 ? ", " : "", alias_of(place.step),
						 quote_identifier(place.attribute), quote_identifier(lfirst(cell)));
		last = Max(last, place.step);
	}
	return last;
}

static void
append_steps(StringInfo sql, const DpemUnitPath *path, int last)
{
	for (int i = 0; i <= last; i++)
	{
		const DpemUnitStep *step = list_nth(path->steps, i);

		appendStringInfo(sql, " LEFT JOIN %s AS h%d ON h%d.%s OPERATOR(pg_catalog.=) %s.%s", dpem_relation_qualified_name(step->relation),
						 i, i, quote_identifier(step->key), alias_of(i - 1), quote_identifier(step->column));
	}
}

char *
dpem_source_joined(const DpemBinding *bound)
{
	StringInfoData sql;
	int			last;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "(SELECT ");
	last = append_columns(&sql, bound);
	appendStringInfo(&sql, " FROM %s AS u", dpem_relation_qualified_name(bound->dataset->source));
	append_steps(&sql, bound->dataset->path, last);
	appendStringInfoChar(&sql, ')');
	return sql.data;
}

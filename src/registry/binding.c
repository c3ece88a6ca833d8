/*
 * binding.c - see binding.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "registry/binding.h"
#include "registry/source_relations.h"
#include "server/errors.h"

/* ALTER TYPE ... RENAME VALUE leaves a category that no row is of, and one that is none: rows of it would count nowhere */
static void
check_categories(const DpemDataset *ds, const DpemColumn *column)
{
	int			n;
	char	  **category = dpem_binding_load_categories(ds, column->name, &n);

	for (int i = 0; i < n; i++)
	{
		if (!dpem_enum_has(column->type, category[i]))
			ereport(ERROR,
					(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
					 errmsg("type %s of column \"%s\" of dataset \"%s\" no longer has all of its categories", format_type_be(column->type),
							column->name, ds->name),
					 dpem_dataset_is_visible(ds) ? errdetail("It has no value \"%s\".", category[i]) : 0,
					 errhint("Its owner takes those that the type has now with SELECT dp_register_column(%s, %s).",
							 quote_literal_cstr(ds->name), quote_literal_cstr(column->name))));
	}
}

/* the source's column must still exist with a type of the registered kind */
void
dpem_binding_check_column(const DpemDataset *ds, DpemColumn *column)
{
	column->type = dpem_dataset_column_type(ds, column->name);
	if (!OidIsValid(column->type))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("column \"%s\" of dataset \"%s\" no longer exists in the source",
						column->name, ds->name),
				 errhint("Its owner can take it out with SELECT dp_unregister_column(%s, %s), and register a renamed column under its new name.",
						 quote_literal_cstr(ds->name), quote_literal_cstr(column->name))));
	if (OidIsValid(column->calendar) ? column->type != column->calendar : !dpem_type_is_kind(column->type, column->kind))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("column \"%s\" of dataset \"%s\" has changed to type %s",
						column->name, ds->name, format_type_be(column->type)),
				 errhint("Its owner can register the column again.")));
	if (column->kind == DPEM_COLUMN_LABEL && get_typtype(column->type) == TYPTYPE_ENUM)
		check_categories(ds, column);
}

DpemBinding *
dpem_bind(const DpemDataset *ds, const DpemBindingRequest *request)
{
	DpemBinding *bound = palloc0(sizeof(DpemBinding));

	bound->dataset = ds;
	dpem_dataset_require_source(ds);
	if (request->rows == DPEM_BIND_DOCUMENTS)
		dpem_binding_set_documents(bound, request->document_column);
	else if (request->rows == DPEM_BIND_NUMBERS)
		dpem_binding_set_numbers(bound, request);
	if (request->label != NULL)
		dpem_binding_set_label(bound, request);
	if (request->target != NULL)
		dpem_binding_set_target(bound, request);
	if (request->class_column != NULL)
		dpem_binding_set_classes(bound, request);
	if (request->order_column != NULL)
		dpem_binding_leave_out(bound, "order column", request->order_column, request->columns != NIL);
	if (request->constant || request->rows == DPEM_BIND_ALONE)
		dpem_binding_append_constant(bound);
	if (request->marginal || request->imputed)
		bound->unknown = dpem_binding_source_dimension(bound);
	if (request->filter != NULL)
		dpem_binding_set_filter(bound, request->filter);
	if (request->holdout > 0)
		dpem_binding_set_holdout(bound, request);
	if (request->by != NULL)
		dpem_binding_set_groups(bound, request);
	bound->persons = request->persons;
	bound->together = request->together;
	if (request->distinct != NULL)
		dpem_binding_set_distinct(bound, request->distinct);
	return bound;
}

int
dpem_binding_dimension(const DpemBinding *bound)
{
	int64		d = 0;
	ListCell   *cell;

	foreach(cell, bound->columns)
		d += ((DpemColumn *) lfirst(cell))->length;
	if (d > 100000)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("dataset \"%s\" has more than 100000 coordinates", bound->dataset->name)));
	return (int) d;
}

int
dpem_binding_source_dimension(const DpemBinding *bound)
{
	int			n = 0;
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		n += column->kind == DPEM_COLUMN_CONSTANT || column->kind == DPEM_COLUMN_OBSERVED || column == bound->target ? 0 : column->length;
	}
	return n;
}

double
dpem_binding_square(const DpemBinding *bound)
{
	double		square = 0;
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		square += column->kind == DPEM_COLUMN_LABEL ? 1 : column->length;
	}
	return square;
}

/* of a label bound as columns; else NULL */
static char *
category_of(const DpemColumn *column, int i)
{
	return column->kind == DPEM_COLUMN_LABEL ? column->words[i] : NULL;
}

static char *
coordinate_name(const DpemColumn *column, int i)
{
	if (column->kind == DPEM_COLUMN_LABEL)
		return psprintf("%s=%s", column->name, column->words[i]);
	if (column->words != NULL)
		return column->words[i];
	return column->kind == DPEM_COLUMN_ARRAY ? psprintf("%s[%d]", column->name, i + 1) : column->name;
}

const DpemColumn **
dpem_binding_columns(const DpemBinding *bound)
{
	const DpemColumn **columns = palloc(Max(dpem_binding_dimension(bound), 1) * sizeof(DpemColumn *));
	ListCell   *cell;
	int			n = 0;

	foreach(cell, bound->columns)
	{
		for (int i = 0; i < ((DpemColumn *) lfirst(cell))->length; i++)
			columns[n++] = lfirst(cell);
	}
	return columns;
}

/* a text for each coordinate, of its column and its place in it */
static char **
describe_coordinates(const DpemBinding *bound, char *(*describe) (const DpemColumn *column, int i))
{
	const DpemColumn **column = dpem_binding_columns(bound);
	int			d = dpem_binding_dimension(bound);
	char	  **texts = palloc(Max(d, 1) * sizeof(char *));
	int			first = 0;

	for (int j = 0; j < d; j++)
	{
		first = j > 0 && column[j] != column[j - 1] ? j : first;
		texts[j] = describe(column[j], j - first);
	}
	pfree(column);
	return texts;
}

char **
dpem_binding_coordinates(const DpemBinding *bound)
{
	return describe_coordinates(bound, coordinate_name);
}

char **
dpem_binding_categories(const DpemBinding *bound)
{
	return describe_coordinates(bound, category_of);
}

static List *
append_name(List *names, const char *name)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return names;
	}
	return lappend(names, pstrdup(name));
}

List *
dpem_binding_names(const DpemBinding *bound)
{
	List	   *names = NIL;
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		if (column->kind != DPEM_COLUMN_CONSTANT)
			names = append_name(names, column->name);
	}
	if (bound->label != NULL)
		names = append_name(names, bound->label->column.name);
	for (const DpemGrouping *g = bound->grouping; g != NULL; g = g->within)
		names = append_name(names, g->column.name);
	for (int i = 0; bound->filter != NULL && i < bound->filter->parsed.columns; i++)
		names = append_name(names, bound->filter->column[i].name);
	if (bound->distinct != NULL)
		names = append_name(names, bound->distinct->name);
	return bound->dataset->unit == NULL ? names : append_name(names, bound->dataset->unit);
}

/*
 * binding.c - see binding.h.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "registry/binding.h"
#include "registry/source_relations.h"
#include "server/errors.h"

/* the source's column must still exist with a type of the registered kind */
void
dpem_binding_check_column(const DpemDataset *ds, DpemColumn *column)
{
	column->type = dpem_source_column_type(ds->source, column->name);
	if (!OidIsValid(column->type))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("column \"%s\" of dataset \"%s\" no longer exists in the source",
						column->name, ds->name),
				 errhint("Its owner can register the column again or leave it out with the argument columns.")));
	if (!dpem_type_is_kind(column->type, column->kind))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("column \"%s\" of dataset \"%s\" has changed to type %s",
						column->name, ds->name, format_type_be(column->type)),
				 errhint("Its owner can register the column again.")));
}

static List *
choose_columns(const DpemDataset *ds, List *registered, List *names)
{
	List	   *chosen = NIL;
	ListCell   *cell;

	foreach(cell, names)
	{
		DpemColumn *column = dpem_dataset_find_registered(ds, registered, lfirst(cell));

		if (column->length == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" of dataset \"%s\" is not numeric", column->name, ds->name),
					 errhint("Name columns that were registered with a lower and an upper bound.")));
		if (list_member_ptr(chosen, column))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" is named twice", column->name)));
		chosen = lappend(chosen, column);
	}
	if (names != NIL)
		return chosen;
	foreach(cell, registered)
	{
		if (((DpemColumn *) lfirst(cell))->length > 0)
			chosen = lappend(chosen, lfirst(cell));
	}
	return chosen;
}

static void
bind_numbers(DpemBinding *bound, List *names)
{
	const DpemDataset *ds = bound->dataset;
	ListCell   *cell;

	bound->columns = choose_columns(ds, dpem_dataset_registered(ds), names);
	if (bound->columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dataset \"%s\" has no registered numeric column", ds->name),
				 errhint("Its owner registers columns with dp_register_column(dataset, column_name, lower, upper).")));
	foreach(cell, bound->columns)
		dpem_binding_check_column(ds, lfirst(cell));
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
		bind_numbers(bound, request->columns);
	if (request->label != NULL)
		dpem_binding_set_label(bound, request);
	if (request->constant || request->rows == DPEM_BIND_ALONE)
		dpem_binding_append_constant(bound);
	if (request->filter != NULL)
		dpem_binding_set_filter(bound, request->filter);
	if (request->by != NULL)
		dpem_binding_set_groups(bound, request);
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

char **
dpem_binding_coordinates(const DpemBinding *bound)
{
	char	  **names = palloc(Max(dpem_binding_dimension(bound), 1) * sizeof(char *));
	ListCell   *cell;
	int			n = 0;

	foreach(cell, bound->columns)
	{
		DpemColumn *column = lfirst(cell);

		for (int i = 1; i <= column->length; i++)
			names[n++] = column->words ? column->words[i - 1] : column->kind == DPEM_COLUMN_ARRAY ? psprintf("%s[%d]", column->name, i) : column->name;
	}
	return names;
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
	if (bound->grouping != NULL)
		names = append_name(names, bound->grouping->column.name);
	for (int i = 0; bound->filter != NULL && i < bound->filter->parsed.columns; i++)
		names = append_name(names, bound->filter->column[i].name);
	return bound->dataset->unit == NULL ? names : append_name(names, bound->dataset->unit);
}

/*
 * binding_columns.c - columns of a fit that are coordinates: numbers, arrays,
 * and labels with a coordinate per category.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "registry/binding.h"
#include "server/as_owner.h"

/*
 * Labels and arrays are arguments of the aggregate's own, of which a function can
 * have 100; of many columns, numbers that follow each other are packed into arrays (scan/query/source_query.c).
 */
#define MAX_LABELS		64
#define MAX_ARGUMENTS	85		/* beside flags, group, label, target and constant */
#define PACKED			64

char **
dpem_binding_load_categories(const DpemDataset *ds, const char *column, int *n)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {INT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(column)};
	DpemIdentity saved;
	char	  **category;
	uint64		rows;

	dpem_owner_enter(&saved);
	rows = dpem_spi_query("SELECT c.category FROM dpem_internal.dataset_column d,"
						  " LATERAL pg_catalog.unnest(d.categories) WITH ORDINALITY AS c(category, position)"
						  " WHERE d.dataset = $1 AND d.column_name = $2 ORDER BY c.position",
						  2, types, values, NULL, false, SPI_OK_SELECT);
	*n = (int) Min(rows, INT_MAX);
	category = MemoryContextAlloc(caller, Max(rows, 1) * sizeof(char *));
	for (uint64 i = 0; i < rows; i++)
		category[i] = dpem_spi_text(i, 1, caller);
	dpem_owner_leave(&saved);
	return category;
}

static bool
is_label(const DpemBindingRequest *request, const DpemColumn *column)
{
	return request->categories && column->kind == DPEM_COLUMN_LABEL;
}

static void
require_coordinate(const DpemDataset *ds, const DpemBindingRequest *request, const DpemColumn *column)
{
	if (column->length > 0 || is_label(request, column))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg(request->categories ? "column \"%s\" of dataset \"%s\" is neither numeric nor a label"
					: "column \"%s\" of dataset \"%s\" is not numeric", column->name, ds->name),
			 errhint(request->categories ? "Name columns that were registered with a lower and an upper bound, or with categories."
					 : "Name columns that were registered with a lower and an upper bound.")));
}

static List *
choose_named(const DpemDataset *ds, const DpemBindingRequest *request, List *registered)
{
	List	   *chosen = NIL;
	ListCell   *cell;

	foreach(cell, request->columns)
	{
		DpemColumn *column = dpem_dataset_find_registered(ds, registered, lfirst(cell));

		require_coordinate(ds, request, column);
		if (list_member_ptr(chosen, column))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" is named twice", column->name),
					 errhint("Name each column once.")));
		chosen = lappend(chosen, column);
	}
	return chosen;
}

/* in its own group a label is constant, and in its own class it is the answer */
static bool
is_role(const DpemBindingRequest *request, const DpemColumn *column)
{
	return (request->by && strcmp(request->by, column->name) == 0) ||
		(request->label && strcmp(request->label, column->name) == 0) ||
		(request->target && strcmp(request->target, column->name) == 0);
}

/* all that the call can read: of an array it would not be known which elements are missing */
static List *
choose_all(const DpemBindingRequest *request, List *registered)
{
	List	   *chosen = NIL;
	ListCell   *cell;

	foreach(cell, registered)
	{
		DpemColumn *column = lfirst(cell);

		if (request->missing && column->kind == DPEM_COLUMN_ARRAY)
			continue;
		if (column->length > 0 || (is_label(request, column) && !is_role(request, column)))
			chosen = lappend(chosen, column);
	}
	return chosen;
}

/* on is 1 and off 0, which is the middle of the domain: a row without a category has none on */
void
dpem_binding_set_categories(const DpemDataset *ds, DpemColumn *column)
{
	column->words = dpem_binding_load_categories(ds, column->name, &column->length);
	column->lower = -1;
	column->upper = 1;
}

static List *
set_labels(const DpemDataset *ds, const DpemBindingRequest *request, List *columns)
{
	int			labels = 0;
	ListCell   *cell;

	foreach(cell, columns)
	{
		DpemColumn *column = lfirst(cell);

		if (column->kind != DPEM_COLUMN_LABEL)
			continue;
		dpem_binding_set_categories(ds, column);
		if (column->length < 2 && request->columns != NIL && !request->constants)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("label \"%s\" of dataset \"%s\" has a single category, which explains nothing", column->name, ds->name),
					 errhint("Leave it out of columns.")));
		if (column->length < 2 && !request->constants)
			columns = foreach_delete_current(columns, cell);
		else if (++labels > MAX_LABELS)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("a fit reads at most %d labels", MAX_LABELS),
					 errhint("Name fewer columns.")));
	}
	return columns;
}

/* a column of a view, or of a table that is joined, has no constraint, whatever it is made of */
static bool
may_be_null(const DpemDataset *ds, const DpemColumn *column)
{
	DpemColumnPlace place;
	HeapTuple	tuple = dpem_dataset_place(ds, column->name, &place) && place.step < 0 && place.person == NULL
		? SearchSysCacheAttName(place.relation, place.attribute) : NULL;
	bool		possible = !HeapTupleIsValid(tuple) || !((Form_pg_attribute) GETSTRUCT(tuple))->attnotnull;

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return possible;
}

static DpemColumn *
observed_column(const DpemColumn *number)
{
	DpemColumn *column = palloc(sizeof(DpemColumn));

	*column = *number;
	column->kind = DPEM_COLUMN_OBSERVED;
	column->lower = -1;
	column->upper = 1;
	column->scale = DPEM_SCALE_LINEAR;
	column->filled = false;
	return column;
}

/* zero is a day like any other */
bool
dpem_binding_is_mixable(const DpemColumn *column)
{
	return column->kind == DPEM_COLUMN_NUMBER && column->scale == DPEM_SCALE_LINEAR && !OidIsValid(column->calendar) &&
		dpem_scale_is_mixable(column->lower, column->upper);
}

static List *
mix(List *columns)
{
	List	   *mixed = NIL;
	ListCell   *cell;

	foreach(cell, columns)
	{
		const DpemColumn *column = lfirst(cell);
		DpemColumn *again = palloc(sizeof(DpemColumn));

		*again = *column;
		again->scale = DPEM_SCALE_SIGNED_LOG;
		mixed = dpem_binding_is_mixable(column) ? lappend(lappend(mixed, lfirst(cell)), again) : lappend(mixed, lfirst(cell));
	}
	return mixed;
}

/* always finite */
static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

static List *
arrange_missing(const DpemDataset *ds, const DpemBindingRequest *request, List *columns)
{
	List	   *numbers = NIL;
	List	   *labels = NIL;
	List	   *observed = NIL;
	bool		possible = false;
	ListCell   *cell;

	foreach(cell, columns)
	{
		DpemColumn *column = lfirst(cell);

		if (column->kind == DPEM_COLUMN_ARRAY)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" of dataset \"%s\" is an array", column->name, ds->name),
					 errhint("Name numbers and labels in columns.")));
		if (column->kind == DPEM_COLUMN_LABEL)
			labels = lappend(labels, column);
		else
			numbers = lappend(numbers, column);
		possible |= column->kind == DPEM_COLUMN_NUMBER &&
			(may_be_null(ds, column) || (request->not_finite && !is_integer(column->type)));
	}
	foreach(cell, numbers)
	{
		((DpemColumn *) lfirst(cell))->filled = possible;
		if (possible)
			observed = lappend(observed, observed_column(lfirst(cell)));
	}
	return list_concat(list_concat(numbers, labels), observed);
}

/* of many columns numbers come first; raises 54000 if they are too many all the same */
static List *
arrange_many(List *columns)
{
	List	   *numbers = NIL;
	List	   *others = NIL;
	ListCell   *cell;

	if (list_length(columns) <= MAX_ARGUMENTS)
		return columns;
	foreach(cell, columns)
	{
		if (((DpemColumn *) lfirst(cell))->kind == DPEM_COLUMN_NUMBER)
			numbers = lappend(numbers, lfirst(cell));
		else
			others = lappend(others, lfirst(cell));
	}
	if (list_length(others) + (list_length(numbers) + PACKED - 1) / PACKED > MAX_ARGUMENTS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a fit reads at most %d labels and arrays beside many columns, not %d", MAX_ARGUMENTS - 1, list_length(others)),
				 errhint("Name fewer columns.")));
	return list_concat(numbers, others);
}

void
dpem_binding_set_numbers(DpemBinding *bound, const DpemBindingRequest *request)
{
	const DpemDataset *ds = bound->dataset;
	List	   *registered = dpem_dataset_registered(ds);
	ListCell   *cell;

	bound->columns = set_labels(ds, request, request->columns != NIL ? choose_named(ds, request, registered)
								: choose_all(request, registered));
	if (bound->columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dataset \"%s\" has no registered numeric column", ds->name),
				 errhint("Its owner registers columns with dp_register_column(dataset, column_name, lower, upper).")));
	foreach(cell, bound->columns)
	{
		DpemColumn *column = lfirst(cell);

		dpem_binding_check_column(ds, column);
		if (request->own_units)
			column->scale = DPEM_SCALE_LINEAR;
		column->unknown = (request->marginal || request->imputed) && column->kind == DPEM_COLUMN_NUMBER && may_be_null(ds, column);
	}
	if (request->mixed)
		bound->columns = mix(bound->columns);
	bound->columns = arrange_many(bound->columns);
	if (request->missing)
		bound->columns = arrange_missing(ds, request, bound->columns);
}

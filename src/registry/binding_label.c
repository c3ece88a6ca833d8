/*
 * binding_label.c - columns of a fit that are not among those that explain: the
 * label, the target and the constant.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "registry/binding.h"
#include "registry/calendar.h"
#include "server/arguments.h"
#include "server/as_owner.h"

/* the registered column's kind, bounds and first two categories */
static bool
load_label(const DpemDataset *ds, const char *name, DpemLabel *label)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {INT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(name)};
	DpemIdentity saved;
	bool		two;
	bool		isnull;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT kind = 'number', coalesce(lower, 0), coalesce(upper, 0), coalesce(categories[1], lower::text),"
					   " coalesce(categories[2], upper::text), kind = 'number' OR kind = 'label' AND cardinality(categories) = 2, calendar"
					   " FROM dpem_internal.dataset_column WHERE dataset = $1 AND column_name = $2",
					   2, types, values, NULL, true, SPI_OK_SELECT) == 0)
	{
		dpem_owner_leave(&saved);
		dpem_dataset_refuse_column(ds, dpem_dataset_registered(ds), name);
	}
	label->column.kind = DatumGetBool(dpem_spi_datum(0, 1, &isnull)) ? DPEM_COLUMN_NUMBER : DPEM_COLUMN_LABEL;
	label->column.lower = dpem_spi_float8(0, 2);
	label->column.upper = dpem_spi_float8(0, 3);
	two = DatumGetBool(dpem_spi_datum(0, 6, &isnull));
	(void) dpem_spi_datum(0, 7, &isnull);
	label->column.calendar = isnull ? InvalidOid : dpem_calendar_from_name(dpem_spi_text(0, 7, caller));
	label->classes = 2;
	label->category = MemoryContextAlloc(caller, 2 * sizeof(char *));
	for (int class = 0; two && class < 2; class++)
		label->category[class] = dpem_spi_text(0, 4 + class, caller);
	dpem_owner_leave(&saved);
	return two;
}

static bool
says_yes(const char *category)
{
	static const char *const words[] = {"yes", "true", "1", "y", "t"};

	for (int i = 0; i < lengthof(words); i++)
		if (pg_strcasecmp(category, words[i]) == 0)
			return true;
	return false;
}

/* of a number the upper bound; the category that says yes, if only one does; else the second, which is told */
static const char *
usual_positive(const DpemLabel *label)
{
	char	  **category = label->category;

	if (label->column.kind == DPEM_COLUMN_NUMBER)
		return category[1];
	if (says_yes(category[0]) != says_yes(category[1]))
		return category[says_yes(category[0]) ? 0 : 1];
	ereport(NOTICE,
			(errmsg("class \"%s\" of label \"%s\" is the positive one", category[1], label->column.name),
			 errhint("positive => %s makes it the other.", quote_literal_cstr(category[0]))));
	return category[1];
}

static void
choose_positive(DpemLabel *label, const char *positive)
{
	char	   *first = label->category[0];

	if (positive == NULL)
		positive = usual_positive(label);
	if (strcmp(positive, label->category[1]) == 0)
		return;
	if (strcmp(positive, first) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("positive must be one of %s, %s, not \"%s\"", first, label->category[1], positive),
				 errhint("%sThe categories of a column are in the view dpem.column_categories.",
						 dpem_did_you_mean(positive, list_make2(first, label->category[1])))));
	label->category[0] = label->category[1];
	label->category[1] = first;
	if (label->column.kind == DPEM_COLUMN_NUMBER)
	{
		double		lower = label->column.lower;

		label->column.lower = label->column.upper;
		label->column.upper = lower;
	}
}

/* a coordinate that tells the class, or the target's value, would explain it perfectly; role: what the column is */
void
dpem_binding_leave_out(DpemBinding *bound, const char *role, const char *name, bool named)
{
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		if (strcmp(((DpemColumn *) lfirst(cell))->name, name) != 0)
			continue;
		if (named)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("columns must not name the %s \"%s\"", role, name),
					 errhint("Leave it out of columns.")));
		bound->columns = foreach_delete_current(bound->columns, cell);
	}
	if (bound->columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dataset \"%s\" has no registered numeric column besides the %s", bound->dataset->name, role),
				 errhint("Its owner registers columns with dp_register_column(dataset, column_name, lower, upper).")));
}

/* a label of any number of categories */
static bool
load_classes(const DpemDataset *ds, const char *name, DpemLabel *label)
{
	if (label->column.kind != DPEM_COLUMN_LABEL)
		return false;
	label->category = dpem_binding_load_categories(ds, name, &label->classes);
	if (label->classes > DPEM_CLASSES_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("label \"%s\" of dataset \"%s\" has more than %d classes", name, ds->name, DPEM_CLASSES_MAX)));
	return label->classes > 2;
}

static void
refuse_positive(const DpemLabel *label, const char *positive)
{
	if (positive != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("positive is for labels of two classes, not %d", label->classes),
				 errhint("Leave it out: every class has a score of its own.")));
}

void
dpem_binding_set_label(DpemBinding *bound, const DpemBindingRequest *request)
{
	const DpemDataset *ds = bound->dataset;
	const char *name = request->label;
	DpemLabel  *label = palloc0(sizeof(DpemLabel));

	if (!load_label(ds, name, label) && !(request->classes && load_classes(ds, name, label)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of dataset \"%s\" does not have two classes%s", name, ds->name, request->classes ? " or more" : ""),
				 errhint("A label is a column registered with two categories, or a number, whose bounds are the classes.")));
	label->column.name = pstrdup(name);
	dpem_binding_check_column(ds, &label->column);
	if (label->classes > 2)
		refuse_positive(label, request->positive);
	else
		choose_positive(label, request->positive);
	dpem_binding_leave_out(bound, "label", name, request->columns != NIL);
	bound->label = label;
}

static void
set_target_classes(const DpemDataset *ds, DpemColumn *target)
{
	dpem_binding_set_categories(ds, target);
	if (target->length < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("target \"%s\" of dataset \"%s\" has a single category, which needs no explanation", target->name, ds->name),
				 errhint("Name a label that was registered with two categories or more.")));
}

void
dpem_binding_set_target(DpemBinding *bound, const DpemBindingRequest *request)
{
	const DpemDataset *ds = bound->dataset;
	DpemColumn *target = dpem_dataset_find_registered(ds, dpem_dataset_registered(ds), request->target);
	bool		classes = request->target_classes && target->kind == DPEM_COLUMN_LABEL;

	if (classes)
		set_target_classes(ds, target);
	else if (request->target_classes && target->kind != DPEM_COLUMN_NUMBER)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("target must be a number or a label, which column \"%s\" of dataset \"%s\" is not", target->name, ds->name),
				 errhint("Name a column that was registered with a lower and an upper bound and has one number per row, or with categories.")));
	else if (target->kind != DPEM_COLUMN_NUMBER)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("target must be a number, which column \"%s\" of dataset \"%s\" is not", target->name, ds->name),
				 errhint("Name a column that was registered with a lower and an upper bound and has one number per row.")));
	dpem_binding_check_column(ds, target);
	dpem_binding_leave_out(bound, "target", target->name, request->columns != NIL);
	bound->columns = lappend(bound->columns, target);
	bound->target = target;
}

void
dpem_binding_set_classes(DpemBinding *bound, const DpemBindingRequest *request)
{
	const DpemDataset *ds = bound->dataset;
	DpemColumn *classes = dpem_dataset_find_registered(ds, dpem_dataset_registered(ds), request->class_column);

	if (classes->kind == DPEM_COLUMN_LABEL)
		classes->words = dpem_binding_load_categories(ds, classes->name, &classes->length);
	if (classes->kind != DPEM_COLUMN_LABEL || classes->length < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of dataset \"%s\" does not have classes", classes->name, ds->name),
				 errhint("Name a column that was registered with at least two categories.")));
	dpem_binding_check_column(ds, classes);
	dpem_binding_leave_out(bound, "label", classes->name, request->columns != NIL);
	classes->lower = -1;
	classes->upper = 1;
	bound->columns = lappend(bound->columns, classes);
	bound->target = classes;
}

void
dpem_binding_append_constant(DpemBinding *bound)
{
	DpemColumn *column = palloc0(sizeof(DpemColumn));

	column->name = pstrdup("(intercept)");
	column->kind = DPEM_COLUMN_CONSTANT;
	column->lower = -1;
	column->upper = 1;
	column->length = 1;
	column->type = FLOAT8OID;
	bound->columns = lappend(bound->columns, column);
}

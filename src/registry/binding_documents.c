/*
 * binding_documents.c - a column of documents and its vocabulary.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "registry/binding.h"
#include "server/as_owner.h"

/* the one to take where none is named; NULL unless there is exactly one */
static char *
only_column(const DpemDataset *ds)
{
	List	   *registered = dpem_dataset_registered(ds);
	char	   *name = NULL;
	int			n = 0;
	ListCell   *cell;

	foreach(cell, registered)
	{
		const DpemColumn *column = lfirst(cell);

		if (column->kind != DPEM_COLUMN_TEXT)
			continue;
		name = column->name;
		n++;
	}
	return n == 1 ? name : NULL;
}

static void
copy_words(Datum array, MemoryContext where, DpemColumn *column)
{
	Datum	   *words;
	MemoryContext old;

	deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, &words, NULL, &column->length);
	old = MemoryContextSwitchTo(where);
	column->words = palloc(Max(column->length, 1) * sizeof(char *));
	for (int i = 0; i < column->length; i++)
		column->words[i] = TextDatumGetCString(words[i]);
	MemoryContextSwitchTo(old);
}

/* false if there is no such column of documents */
static bool
load_vocabulary(const DpemDataset *ds, DpemColumn *column)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {INT8OID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(column->name)};
	DpemIdentity saved;
	bool		found;
	bool		isnull;

	dpem_owner_enter(&saved);
	found = dpem_spi_query("SELECT categories FROM dpem_internal.dataset_column WHERE dataset = $1 AND column_name = $2"
						   " AND kind = 'text'", 2, types, values, NULL, true, SPI_OK_SELECT) == 1;
	if (found)
		copy_words(dpem_spi_datum(0, 1, &isnull), caller, column);
	dpem_owner_leave(&saved);
	return found;
}

void
dpem_binding_set_documents(DpemBinding *bound, const char *name)
{
	const DpemDataset *ds = bound->dataset;
	DpemColumn *column = palloc0(sizeof(DpemColumn));

	column->name = name ? pstrdup(name) : only_column(ds);
	column->kind = DPEM_COLUMN_TEXT;
	column->upper = 1;
	if (column->name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("dataset \"%s\" does not have exactly one column of documents", ds->name),
				 errhint("Name one in the argument document_column; the dataset's owner registers them with dp_register_text(dataset, column_name, vocabulary).")));
	if (!load_vocabulary(ds, column))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" is not registered as documents in dataset \"%s\"", column->name, ds->name),
				 errhint("Its owner registers it with dp_register_text(dataset, column_name, vocabulary).")));
	dpem_binding_check_column(ds, column);
	if (column->type != TSVECTOROID && column->type != INT4ARRAYOID && column->type != TEXTARRAYOID)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("documents must be of type tsvector, integer[] or text[], not plain text"),
				 errhint("Register a generated column: to_tsvector('english', body).")));
	bound->columns = list_make1(column);
}

const DpemColumn *
dpem_binding_documents(const DpemBinding *bound)
{
	const DpemColumn *first = bound->columns == NIL ? NULL : linitial(bound->columns);

	return first != NULL && first->kind == DPEM_COLUMN_TEXT ? first : NULL;
}

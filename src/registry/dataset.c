/*
 * dataset.c - loading datasets and checking them against what was registered.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/pg_list.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "registry/calendar.h"
#include "registry/dataset.h"
#include "registry/person_column.h"
#include "registry/source_relations.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/errors.h"
#include "server/version_shims.h"

/* names that the caller sees, which a statement with the parameter `name` gives */
static List *
seen(const char *statement, const char *name, MemoryContext where)
{
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(name)};

	return dpem_spi_texts(dpem_spi_query(statement, 1, types, values, NULL, true, SPI_OK_SELECT), where);
}

/* of a name that is no dataset's, nor like one: the dataset of a table of that name, or where a column's name belongs */
static const char *
other_meaning(const char *name, MemoryContext where)
{
	List	   *table = seen("SELECT d.dataset FROM dpem.datasets d WHERE $1 IN (d.source, split_part(d.source, '.', 2)) ORDER BY 1 LIMIT 1", name, where);
	List	   *column = seen("SELECT c.dataset FROM dpem.columns c WHERE c.column_name = $1 ORDER BY 1 LIMIT 1", name, where);
	MemoryContext old = MemoryContextSwitchTo(where);
	const char *meaning = table != NIL ? psprintf("Did you mean \"%s\"?  ", (char *) linitial(table))
		: column != NIL ? psprintf("It is a column of \"%s\"; the dataset comes first, then the column.  ", (char *) linitial(column)) : "";

	MemoryContextSwitchTo(old);
	return meaning;
}

/* raises 42704; proposes none but datasets that the caller sees in the view */
static void
refuse_dataset(const char *name)
{
	DpemIdentity saved;
	List	   *known;
	MemoryContext caller = CurrentMemoryContext;
	const char *other;
	const char *like;

	dpem_caller_enter(&saved);
	known = seen("SELECT d.dataset FROM dpem.datasets d WHERE $1 IS NOT NULL", name, caller);
	other = other_meaning(name, caller);
	dpem_owner_leave(&saved);
	like = dpem_did_you_mean(name, known);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("dataset \"%s\" does not exist", name),
			 errhint("%sThe view dpem.datasets lists the datasets you may use.", *like ? like : other)));
}

DpemDataset *
dpem_dataset_load(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemDataset *ds = palloc0(sizeof(DpemDataset));
	Oid			types[] = {TEXTOID, OIDOID};
	Datum		values[] = {CStringGetTextDatum(name), ObjectIdGetDatum(GetUserId())};
	DpemIdentity saved;
	bool		isnull;
	char	   *path;
	char	   *relations;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT id, account, source::oid, source_name, unit, max_rows_per_unit,"
					   " adjacency, accountant, epsilon, delta,"
					   " coalesce((SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = owner), 0), keys_share, holdout_key,"
					   " unit_path, array_to_string(unit_relations::oid[], ' '), minimum, counts_rows,"
					   " EXISTS (SELECT FROM dpem_internal.budget b WHERE b.dataset = d.id AND pg_has_role($2, b.role::oid, 'USAGE'))"
					   " FROM dpem_internal.dataset d WHERE name = $1",
					   lengthof(types), types, values, NULL, false, SPI_OK_SELECT) == 0)
	{
		dpem_owner_leave(&saved);
		refuse_dataset(name);
	}
	ds->name = MemoryContextStrdup(caller, name);
	ds->id = dpem_spi_int64(0, 1);
	ds->account = dpem_spi_int64(0, 2);
	ds->source = DatumGetObjectId(dpem_spi_datum(0, 3, &isnull));
	ds->source_name = dpem_spi_text(0, 4, caller);
	ds->unit = dpem_spi_text(0, 5, caller);
	ds->max_rows_per_unit = DatumGetInt32(dpem_spi_datum(0, 6, &isnull));
	ds->replace_one = strcmp(dpem_spi_text(0, 7, caller), "replace_one") == 0;
	ds->accountant = dpem_spi_text(0, 8, caller);
	ds->epsilon = dpem_spi_float8(0, 9);
	ds->delta = dpem_spi_float8(0, 10);
	ds->owner = DatumGetObjectId(dpem_spi_datum(0, 11, &isnull));
	ds->keys_share = dpem_spi_float8(0, 12);
	ds->holdout_key = dpem_spi_int64(0, 13);
	path = dpem_spi_text(0, 14, caller);
	relations = dpem_spi_text(0, 15, caller);
	ds->minimum = DatumGetInt32(dpem_spi_datum(0, 16, &isnull));
	ds->counts_rows = DatumGetBool(dpem_spi_datum(0, 17, &isnull));
	ds->shared = DatumGetBool(dpem_spi_datum(0, 18, &isnull));
	dpem_owner_leave(&saved);
	if (path != NULL)
	{
		ds->path = dpem_unit_path_restore(path, relations);
		ds->persons = dpem_person_columns_load(ds->id);
	}
	return ds;
}

Oid
dpem_dataset_source_owner(const DpemDataset *ds)
{
	return dpem_relation_owner(ds->source);
}

static void
check_source(const DpemDataset *ds)
{
	bool		there = SearchSysCacheExists1(RELOID, ObjectIdGetDatum(ds->source));

	if (there && strcmp(dpem_relation_qualified_name(ds->source), ds->source_name) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("the source of dataset \"%s\" was renamed", ds->name),
				 errhint("If the table is the same, its owner can say SELECT dp_alter_dataset(%s).",
						 quote_literal_cstr(ds->name))));
	if (!there)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("the source of dataset \"%s\" was dropped or replaced", ds->name),
				 errhint("Its owner can say SELECT dp_drop_dataset(%s), and register the source again; the ledger continues.",
						 quote_literal_cstr(ds->name))));
	dpem_source_require_account(ds->source, ds->name, ds->account);
}

/* a scan as the source's owner must be able to read them all, past their row-level security as past its own */
static void
require_same_owner(const DpemDataset *ds, Oid relation)
{
	if (!has_privs_of_role(dpem_relation_owner(ds->source), dpem_relation_owner(relation)))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("%s, which dataset \"%s\" reads, now belongs to somebody else", dpem_relation_qualified_name(relation), ds->name),
				 errhint("Give the tables to one owner, or drop the dataset.")));
	dpem_source_require_account(relation, ds->name, ds->account);
}

static void
check_person_column(const DpemDataset *ds, const DpemPersonColumn *person)
{
	char	   *fault = dpem_person_column_fault(person);

	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("column \"%s\" of dataset \"%s\", %s, %s", person->name, ds->name, person->text, fault),
				 errhint("Its owner can put that right, or take the column out with SELECT dp_unregister_column(%s, %s).",
						 quote_literal_cstr(ds->name), quote_literal_cstr(person->name))));
}

/* every table on the way has the ledger of the persons */
static void
check_path(const DpemDataset *ds)
{
	char	   *fault = dpem_unit_path_fault(ds->path, ds->source);
	ListCell   *cell;

	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("the unit of dataset \"%s\", %s, %s", ds->name, ds->path->text, fault),
				 errhint("Its owner can put that right, or drop the dataset and register the source again; the ledger continues.")));
	foreach(cell, ds->persons)
		check_person_column(ds, lfirst(cell));
	foreach(cell, dpem_dataset_relations(ds))
		require_same_owner(ds, lfirst_oid(cell));
}

void
dpem_dataset_require_committed(const DpemDataset *ds)
{
	ListCell   *cell;

	foreach(cell, dpem_dataset_relations(ds))
		dpem_source_require_committed(lfirst_oid(cell), ds->name, ds->account);
}

static void
check_unit(const DpemDataset *ds)
{
	if (!OidIsValid(dpem_source_column_type(ds->source, ds->unit)))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("the unit column \"%s\" of dataset \"%s\" no longer exists in the source",
						ds->unit, ds->name),
				 errhint("Its owner can rename the column back, or drop the dataset and register the source again; the ledger continues.")));
	dpem_source_require_unit_type(ds->source, ds->unit, ERRCODE_DPEM_SOURCE_CHANGED);
}

void
dpem_dataset_require_source(const DpemDataset *ds)
{
	ListCell   *cell;

	foreach(cell, dpem_dataset_relations(ds))
		LockRelationOid(lfirst_oid(cell), AccessShareLock);
	check_source(ds);
	if (ds->path != NULL)
		check_path(ds);
	else if (ds->unit != NULL)
		check_unit(ds);
}

static DpemColumnKind
kind_from_text(const char *kind)
{
	if (strcmp(kind, "number") == 0)
		return DPEM_COLUMN_NUMBER;
	if (strcmp(kind, "array") == 0)
		return DPEM_COLUMN_ARRAY;
	if (strcmp(kind, "key") == 0)
		return DPEM_COLUMN_KEY;
	return strcmp(kind, "label") == 0 ? DPEM_COLUMN_LABEL : DPEM_COLUMN_TEXT;
}

List *
dpem_dataset_registered(const DpemDataset *ds)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(ds->id)};
	List	   *columns = NIL;
	DpemIdentity saved;
	uint64		n;

	dpem_owner_enter(&saved);
	n = dpem_spi_query("SELECT column_name, kind, lower, upper, length, scale, calendar FROM dpem_internal.dataset_column"
					   " WHERE dataset = $1 ORDER BY position",
					   1, types, values, NULL, false, SPI_OK_SELECT);
	for (uint64 i = 0; i < n; i++)
	{
		DpemColumn *column = MemoryContextAllocZero(caller, sizeof(DpemColumn));
		bool		isnull;
		MemoryContext old;

		column->name = dpem_spi_text(i, 1, caller);
		column->kind = kind_from_text(dpem_spi_text(i, 2, caller));
		if (column->kind == DPEM_COLUMN_NUMBER || column->kind == DPEM_COLUMN_ARRAY)
		{
			column->lower = dpem_spi_float8(i, 3);
			column->upper = dpem_spi_float8(i, 4);
			column->length = column->kind == DPEM_COLUMN_NUMBER ? 1
				: DatumGetInt32(dpem_spi_datum(i, 5, &isnull));
			column->scale = dpem_scale_from_name(dpem_spi_text(i, 6, caller));
			(void) dpem_spi_datum(i, 7, &isnull);
			column->calendar = isnull ? InvalidOid : dpem_calendar_from_name(dpem_spi_text(i, 7, caller));
		}
		old = MemoryContextSwitchTo(caller);
		columns = lappend(columns, column);
		MemoryContextSwitchTo(old);
	}
	dpem_owner_leave(&saved);
	return columns;
}

const char *
dpem_dataset_did_you_mean(const DpemDataset *ds, const char *given, List *known)
{
	return dpem_dataset_is_visible(ds) ? dpem_did_you_mean(given, known) : "";
}

void
dpem_dataset_refuse_column(const DpemDataset *ds, List *registered, const char *name)
{
	List	   *names = NIL;
	ListCell   *cell;

	foreach(cell, registered)
		names = lappend(names, ((DpemColumn *) lfirst(cell))->name);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" is not registered in dataset \"%s\"", name, ds->name),
			 errhint("%sThe view dpem.columns lists the registered columns.", dpem_dataset_did_you_mean(ds, name, names))));
	pg_unreachable();
}

DpemColumn *
dpem_dataset_find_registered(const DpemDataset *ds, List *registered, const char *name)
{
	ListCell   *cell;

	foreach(cell, registered)
	{
		DpemColumn *column = lfirst(cell);

		if (strcmp(column->name, name) == 0)
			return column;
	}
	dpem_dataset_refuse_column(ds, registered, name);
	return NULL;				/* keep the compiler quiet */
}

/*
 * A value moves a row from one partition to another, and into and out of a
 * view and what was materialised from it; what a foreign table is on its server
 * is not known.  A table without a parent outside of its own tree keeps its rows.
 */
#define PUBLIC_ROWS \
	"WITH RECURSIVE part(id) AS (SELECT $1 UNION" \
	" SELECT i.inhrelid FROM part JOIN pg_catalog.pg_inherits i ON i.inhparent = part.id)" \
	" SELECT CASE WHEN bool_and(c.relkind = 'p' OR c.relkind = 'r' AND c.reltuples >= 0) AND NOT EXISTS (" \
	"   SELECT FROM part p JOIN pg_catalog.pg_inherits i ON i.inhrelid = p.id" \
	"   WHERE i.inhparent NOT IN (SELECT o.id FROM part o))" \
	"  THEN coalesce(sum(c.reltuples::float8) FILTER (WHERE c.relkind = 'r'), 0) ELSE 0 END::float8" \
	" FROM part JOIN pg_catalog.pg_class c ON c.oid = part.id"

double
dpem_dataset_public_rows(const DpemDataset *ds)
{
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(ds->source)};
	DpemIdentity saved;
	double		rows;

	dpem_owner_enter(&saved);
	dpem_spi_query(PUBLIC_ROWS, 1, types, values, NULL, false, SPI_OK_SELECT);
	rows = dpem_spi_float8(0, 1);
	dpem_owner_leave(&saved);
	return rows;
}

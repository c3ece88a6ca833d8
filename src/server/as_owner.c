/*
 * as_owner.c - catalog queries as the extension's owner, settings pinned.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "server/as_owner.h"
#include "server/pinned_settings.h"

Oid
dpem_owner_of_extension(const char *name)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			owner = InvalidOid;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum(name));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return owner;
}

Oid
dpem_extension_owner(void)
{
	Oid			owner = dpem_owner_of_extension("dpem");

	if (!OidIsValid(owner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("extension \"dpem\" is not installed in this database"),
				 errhint("Run CREATE EXTENSION dpem as a superuser.")));
	return owner;
}

const char *
dpem_extension_schema(FunctionCallInfo fcinfo)
{
	return quote_identifier(get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid)));
}

void
dpem_identity_enter(DpemIdentity *saved, Oid role, bool restricted)
{
	GetUserIdAndSecContext(&saved->user, &saved->security);
	saved->spi = false;
	saved->guc_nest = NewGUCNestLevel();
	if (OidIsValid(role))
		SetUserIdAndSecContext(role, saved->security | SECURITY_LOCAL_USERID_CHANGE |
							   (restricted ? SECURITY_RESTRICTED_OPERATION : 0));
	if (restricted)
		dpem_pin_scan_settings();
	dpem_pin_session_settings();
}

void
dpem_identity_leave(const DpemIdentity *saved)
{
	AtEOXact_GUC(false, saved->guc_nest);
	SetUserIdAndSecContext(saved->user, saved->security);
}

/* InvalidOid: nobody else */
static void
connect_as(DpemIdentity *saved, Oid role)
{
	dpem_identity_enter(saved, role, false);
	dpem_pin_lookup_settings();
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	saved->spi = true;
}

void
dpem_owner_enter(DpemIdentity *saved)
{
	connect_as(saved, dpem_extension_owner());
}

void
dpem_caller_enter(DpemIdentity *saved)
{
	connect_as(saved, InvalidOid);
}

void
dpem_owner_leave(const DpemIdentity *saved)
{
	if (saved->spi)
		SPI_finish();
	dpem_identity_leave(saved);
}

/* a line of the log's own detail more */
static void
add_to_log(ErrorData *error, const char *text)
{
	const char *detail = error->detail_log ? error->detail_log : error->detail;

	error->detail_log = detail ? psprintf("%s\n%s", detail, text) : pstrdup(text);
}

void
dpem_throw_outside(ErrorData *error)
{
	if (error->context != NULL)
		add_to_log(error, error->context);
	if (error->internalquery != NULL)
		add_to_log(error, error->internalquery);
	error->context = NULL;
	error->internalquery = NULL;
	error->internalpos = 0;
	ThrowErrorData(error);
	pg_unreachable();
}

void
dpem_rethrow_outside(MemoryContext where)
{
	ErrorData  *error;

	MemoryContextSwitchTo(where);
	error = CopyErrorData();
	FlushErrorState();
	dpem_throw_outside(error);
}

static uint64
count_processed(int rc, int expected)
{
	if (rc != expected)
		elog(ERROR, "dpem: unexpected SPI result %d", rc);
	return SPI_processed;
}

uint64
dpem_spi_query(const char *sql, int nargs, const Oid *types, const Datum *values,
			   const char *nulls, bool read_only, int expected)
{
	MemoryContext here = CurrentMemoryContext;
	volatile int rc = 0;

	PG_TRY();
	{
		rc = SPI_execute_with_args(sql, nargs, unconstify(Oid *, types),
								   unconstify(Datum *, values), nulls, read_only, 0);
	}
	PG_CATCH();
	{
		dpem_rethrow_outside(here);
	}
	PG_END_TRY();
	return count_processed(rc, expected);
}

SPIPlanPtr
dpem_spi_prepare(const char *sql, int nargs, const Oid *types)
{
	MemoryContext here = CurrentMemoryContext;
	SPIPlanPtr volatile plan = NULL;

	PG_TRY();
	{
		plan = SPI_prepare(sql, nargs, unconstify(Oid *, types));
	}
	PG_CATCH();
	{
		dpem_rethrow_outside(here);
	}
	PG_END_TRY();
	if (plan == NULL)
		elog(ERROR, "dpem: unexpected SPI result %d", SPI_result);
	return plan;
}

/* snapshot NULL: the transaction's, or the active one where nothing is written */
static uint64
execute_under(Snapshot snapshot, SPIPlanPtr plan, const Datum *values, const char *nulls, bool read_only, int expected)
{
	MemoryContext here = CurrentMemoryContext;
	volatile int rc = 0;

	PG_TRY();
	{
		rc = SPI_execute_snapshot(plan, unconstify(Datum *, values), nulls, snapshot, InvalidSnapshot, read_only, true, 0);
	}
	PG_CATCH();
	{
		dpem_rethrow_outside(here);
	}
	PG_END_TRY();
	return count_processed(rc, expected);
}

uint64
dpem_spi_execute(SPIPlanPtr plan, const Datum *values, const char *nulls, bool read_only, int expected)
{
	return execute_under(InvalidSnapshot, plan, values, nulls, read_only, expected);
}

uint64
dpem_spi_query_latest(const char *sql, int nargs, const Oid *types, const Datum *values, int expected)
{
	SPIPlanPtr	plan = dpem_spi_prepare(sql, nargs, types);

	return execute_under(GetLatestSnapshot(), plan, values, NULL, false, expected);
}

uint64
dpem_spi_query_uncounted(const char *sql, int nargs, Oid *types, Datum *values)
{
	const bool	track_counts = pgstat_track_counts;
	volatile uint64 rows = 0;

	PG_TRY();
	{
		pgstat_track_counts = false;
		rows = dpem_spi_query(sql, nargs, types, values, NULL, false, SPI_OK_SELECT);
	}
	PG_FINALLY();
	{
		pgstat_track_counts = track_counts;
	}
	PG_END_TRY();
	return rows;
}

Datum
dpem_spi_datum(uint64 row, int column, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column, isnull);
}

char *
dpem_spi_text(uint64 row, int column, MemoryContext where)
{
	char	   *text = SPI_getvalue(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, column);

	return text == NULL ? NULL : MemoryContextStrdup(where, text);
}

Datum
dpem_spi_required(uint64 row, int column)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);

	if (isnull)
		elog(ERROR, "dpem: unexpected null in catalog");
	return value;
}

int64
dpem_spi_int64(uint64 row, int column)
{
	return DatumGetInt64(dpem_spi_required(row, column));
}

float8
dpem_spi_float8(uint64 row, int column)
{
	return DatumGetFloat8(dpem_spi_required(row, column));
}

List *
dpem_spi_texts(uint64 rows, MemoryContext where)
{
	List	   *texts = NIL;

	for (uint64 i = 0; i < rows; i++)
	{
		char	   *text = dpem_spi_text(i, 1, where);
		MemoryContext old = MemoryContextSwitchTo(where);

		texts = lappend(texts, text);
		MemoryContextSwitchTo(old);
	}
	return texts;
}

int
dpem_find_oids(Oid argument, const char *query, Oid **found)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(argument)};
	DpemIdentity saved;
	bool		isnull;
	int			n;

	dpem_owner_enter(&saved);
	n = (int) dpem_spi_query(query, 1, types, values, NULL, false, SPI_OK_SELECT);
	*found = MemoryContextAlloc(caller, Max(n, 1) * sizeof(Oid));
	for (int i = 0; i < n; i++)
		(*found)[i] = DatumGetObjectId(dpem_spi_datum(i, 1, &isnull));
	dpem_owner_leave(&saved);
	return n;
}

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
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/rel.h"

#include "catalog/as_owner.h"

typedef struct PinnedSetting
{
	const char *name;
	const char *value;
} PinnedSetting;

/*
 * What a caller's session may not bring along: names, everything that
 * prints, everything that changes what an expression in a view yields, and
 * where temporary files go.
 */
static const PinnedSetting pinned_settings[] = {
	{"search_path", "pg_catalog, pg_temp"},
	{"client_min_messages", "error"},
	{"debug_print_parse", "off"},
	{"debug_print_rewritten", "off"},
	{"debug_print_plan", "off"},
	{"trace_sort", "off"},
	{"log_parser_stats", "off"},
	{"log_planner_stats", "off"},
	{"log_executor_stats", "off"},
	{"log_statement_stats", "off"},
	{"log_temp_files", "-1"},
	{"row_security", "off"},
	{"temp_tablespaces", ""},
	{"DateStyle", "ISO, MDY"},
	{"IntervalStyle", "postgres"},
	{"TimeZone", "UTC"},
	{"extra_float_digits", "1"},
	{"transform_null_equals", "off"},
	{"array_nulls", "on"},
	{"standard_conforming_strings", "on"},
	{"quote_all_identifiers", "off"},
	{"bytea_output", "hex"},
	{"lc_numeric", "C"},
	{"lc_monetary", "C"},
	{"lc_time", "C"},
	{"default_text_search_config", "pg_catalog.simple"},
	{"enable_indexscan", "off"},
	{"enable_indexonlyscan", "off"},
	{"enable_bitmapscan", "off"},
	{"enable_seqscan", "on"},
	{"jit", "off"},
};

/*
 * What counts rows, pages and calls where every role may read it.  A scan
 * leaves no trace there: under add_remove the number of rows is private, and
 * what a long value costs to fetch is always.
 */
static const PinnedSetting scan_settings[] = {
	{"track_counts", "off"},
	{"track_functions", "none"},
	{"track_io_timing", "off"},
	{"pg_stat_statements.track", "none"},
};

/*
 * Where a view reads what Citus has distributed: a session may have it compute
 * on every shard what is right only over all of them, or roughly, and may limit
 * intermediate results, so that a failure would tell how many rows there are.
 */
static const PinnedSetting distributed_settings[] = {
	{"citus.subquery_pushdown", "off"},
	{"citus.max_intermediate_result_size", "-1"},
	{"citus.limit_clause_row_fetch_count", "-1"},
	{"citus.count_distinct_error_rate", "0"},
};

/* catalog look-ups are by key and small */
static const PinnedSetting lookup_settings[] = {
	{"enable_indexscan", "on"},
	{"max_parallel_workers_per_gather", "0"},
};

static void
pin_settings(const PinnedSetting *settings, int n)
{
	for (int i = 0; i < n; i++)
	{
		/* trace_sort and its like exist only in some builds */
		if (GetConfigOption(settings[i].name, true, false) != NULL)
			(void) set_config_option(settings[i].name, settings[i].value,
									 PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	}
}

Oid
dpem_extension_owner(void)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			owner = InvalidOid;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ,
				CStringGetDatum("dpem"));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
		owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner;
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	if (!OidIsValid(owner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("extension \"dpem\" is not installed in this database"),
				 errhint("Run CREATE EXTENSION dpem as a superuser.")));
	return owner;
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
	pin_settings(pinned_settings, lengthof(pinned_settings));
	if (restricted)
	{
		pin_settings(scan_settings, lengthof(scan_settings));
		pin_settings(distributed_settings, lengthof(distributed_settings));
	}
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
	pin_settings(lookup_settings, lengthof(lookup_settings));
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

uint64
dpem_spi_query(const char *sql, int nargs, const Oid *types, const Datum *values,
			   const char *nulls, bool read_only, int expected)
{
	int			rc = SPI_execute_with_args(sql, nargs, unconstify(Oid *, types),
										   unconstify(Datum *, values), nulls, read_only, 0);

	if (rc != expected)
		elog(ERROR, "dpem: unexpected SPI result %d for: %s", rc, sql);
	return SPI_processed;
}

int64
dpem_role_number(Oid role)
{
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(role)};

	if (dpem_spi_query("SELECT id FROM dpem.role_number WHERE role = $1", 1, types, values, NULL,
					   false, SPI_OK_SELECT) == 0)
		dpem_spi_query("INSERT INTO dpem.role_number (role) VALUES ($1::regrole)"
					   " ON CONFLICT (role) DO UPDATE SET role = EXCLUDED.role RETURNING id",
					   1, types, values, NULL, false, SPI_OK_INSERT_RETURNING);
	return dpem_spi_int64(0, 1);
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

int64
dpem_spi_int64(uint64 row, int column)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);

	if (isnull)
		elog(ERROR, "dpem: unexpected null in catalog");
	return DatumGetInt64(value);
}

float8
dpem_spi_float8(uint64 row, int column)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);

	if (isnull)
		elog(ERROR, "dpem: unexpected null in catalog");
	return DatumGetFloat8(value);
}

/*
 * source.c - the query over a private source and its pinned surroundings.
 *
 * A pass is `SELECT dpem.moments($1, columns) FROM source`, run as the
 * source's owner in a security-restricted operation.  With several rows per
 * unit, each pass keeps at most the registered number of a unit's rows,
 * chosen by random UUIDs (pg_strong_random, so no seed of the session's
 * matters); the others are read and count as null rows.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "executor/instrument.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "catalog/as_owner.h"
#include "catalog/source_relations.h"
#include "engine/source.h"
#include "errors.h"

/* arguments of a function call are limited to 100: more columns travel in arrays */
#define MAX_SCALAR_ARGS		90
#define COLUMNS_PER_ARRAY	64

struct DpemReader
{
	Oid			role;
	Oid			source;
};

struct DpemSource
{
	Oid			run_as;			/* InvalidOid: as the caller */
	char	   *query;
	int			d;
	int			nargs;
	double	   *arg_lengths;
	double	   *lower;
	double	   *upper;
};

static void
require_column(Oid source, const char *column)
{
	AttrNumber	attnum = get_attnum(source, column);

	if (pg_attribute_aclcheck(source, attnum, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("a fit without noise needs SELECT on column \"%s\" of the source", column),
				 errhint("Give a finite epsilon.")));
}

DpemReader *
dpem_source_require_reader(const DpemDataset *ds)
{
	DpemReader *reader;
	ListCell   *cell;

	if (pg_class_aclcheck(ds->source, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
	{
		foreach(cell, ds->columns)
			require_column(ds->source, ((DpemColumn *) lfirst(cell))->name);
		if (ds->unit != NULL)
			require_column(ds->source, ds->unit);
	}
	reader = palloc(sizeof(DpemReader));
	reader->role = GetUserId();
	reader->source = ds->source;
	return reader;
}

/*
 * A column as the aggregate's argument.  Packed into an array it must be a
 * float8, and no value may raise on the way: numbers out of range become
 * infinities, and so null rows, as they do outside an array.
 */
static char *
column_reference(const DpemColumn *column, int position, bool unit, bool pack)
{
	char	   *name = unit ? psprintf("s.c%d", position) : psprintf("s.%s", quote_identifier(column->name));

	if (!pack)
		return name;
	return column->type == NUMERICOID ? psprintf("dpem.numeric_to_float8(%s)", name)
		: psprintf("%s::pg_catalog.float8", name);
}

/* every scalar column an argument of its own, or, if there are many, in float8 arrays */
static void
append_columns(StringInfo sql, DpemSource *source, const DpemDataset *ds)
{
	bool		chunked = list_length(ds->columns) > MAX_SCALAR_ARGS;
	ListCell   *cell;
	int			open = 0;		/* columns in the array being written */

	foreach(cell, ds->columns)
	{
		DpemColumn *column = lfirst(cell);
		bool		pack = chunked && column->kind == DPEM_COLUMN_NUMBER;
		char	   *name = column_reference(column, foreach_current_index(cell), ds->unit != NULL, pack);

		if (open > 0 && (!pack || open == COLUMNS_PER_ARRAY))
		{
			appendStringInfoString(sql, "]");
			open = 0;
		}
		if (open > 0)
		{
			appendStringInfo(sql, ", %s", name);
			source->arg_lengths[source->nargs - 1]++;
			open++;
			continue;
		}
		appendStringInfo(sql, pack ? ", ARRAY[%s" : ", %s", name);
		source->arg_lengths[source->nargs++] = column->length;
		open = pack ? 1 : 0;
	}
	if (open > 0)
		appendStringInfoString(sql, "]");
}

/*
 * The rows with their quota; columns get names of ours, so that none of
 * theirs can be mistaken for the quota.
 */
static void
append_quota(StringInfo sql, const DpemDataset *ds, const char *relation)
{
	const char *unit = quote_identifier(ds->unit);
	ListCell   *cell;

	appendStringInfo(sql, "(SELECT (u.%s IS NOT NULL AND pg_catalog.row_number() OVER"
					 " (PARTITION BY u.%s ORDER BY pg_catalog.gen_random_uuid()) <= %d) AS quota",
					 unit, unit, ds->max_rows_per_unit);
	foreach(cell, ds->columns)
		appendStringInfo(sql, ", u.%s AS c%d", quote_identifier(((DpemColumn *) lfirst(cell))->name),
						 foreach_current_index(cell));
	appendStringInfo(sql, " FROM %s AS u)", relation);
}

static char *
build_query(DpemSource *source, const DpemDataset *ds)
{
	char	   *relation = dpem_relation_qualified_name(ds->source);
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT dpem.moments($1%s", ds->unit ? ", s.quota" : "");
	append_columns(&sql, source, ds);
	appendStringInfoString(&sql, ") FROM ");
	if (ds->unit != NULL)
		append_quota(&sql, ds, relation);
	else
		appendStringInfoString(&sql, relation);
	appendStringInfoString(&sql, " AS s");
	return sql.data;
}

static void
fill_domain(DpemSource *source, const DpemDataset *ds)
{
	ListCell   *cell;
	int			j = 0;

	source->lower = palloc(source->d * sizeof(double));
	source->upper = palloc(source->d * sizeof(double));
	foreach(cell, ds->columns)
	{
		DpemColumn *column = lfirst(cell);

		for (int i = 0; i < column->length; i++, j++)
		{
			source->lower[j] = column->lower;
			source->upper[j] = column->upper;
		}
	}
}

DpemSource *
dpem_source_open(const DpemDataset *ds, const DpemReader *reader)
{
	DpemSource *source = palloc0(sizeof(DpemSource));

	if (reader != NULL && (reader->role != GetUserId() || reader->source != ds->source))
		elog(ERROR, "dpem: a reader's proof of another role or source");
	if (reader == NULL)
	{
		dpem_source_refuse_capture(ds->source, ds->name);
		source->run_as = dpem_dataset_source_owner(ds);
	}
	source->d = dpem_dataset_dimension(ds);
	source->arg_lengths = palloc0(list_length(ds->columns) * sizeof(double));
	source->query = build_query(source, ds);
	fill_domain(source, ds);
	return source;
}

void
dpem_source_describe(const DpemSource *source, DpemPass *pass)
{
	pass->map.d = source->d;
	pass->map.lower = source->lower;
	pass->map.upper = source->upper;
	pass->nargs = source->nargs;
	pass->arg_lengths = source->arg_lengths;
}

static bytea *
run_query(const DpemSource *source, const DpemPass *pass)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {BYTEAOID};
	Datum		values[1];
	bytea	   *result = NULL;
	SPIPlanPtr	plan;
	bool		isnull;
	Datum		answer;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	values[0] = PointerGetDatum(dpem_pass_write(pass));
	plan = SPI_prepare_cursor(source->query, 1, types, CURSOR_OPT_PARALLEL_OK);
	if (plan == NULL || SPI_execute_plan(plan, values, NULL, true, 0) != SPI_OK_SELECT ||
		SPI_processed != 1)
		elog(ERROR, "dpem: unexpected result of a pass");
	answer = dpem_spi_datum(0, 1, &isnull);
	if (!isnull)
	{
		bytea	   *inside = DatumGetByteaPP(answer);

		result = MemoryContextAlloc(caller, VARSIZE_ANY(inside));
		memcpy(result, inside, VARSIZE_ANY(inside));
		explicit_bzero(VARDATA_ANY(inside), VARSIZE_ANY_EXHDR(inside));
	}
	SPI_finish();
	return result;
}

/*
 * Whatever went wrong may speak of rows: it goes to the server log only.
 * What the analyst sees depends on nothing but its class.
 */
static void
hide_error(void)
{
	ErrorData  *error;
	bool		cancelled;

	MemoryContextSwitchTo(TopTransactionContext);
	error = CopyErrorData();
	FlushErrorState();
	cancelled = error->sqlerrcode == ERRCODE_QUERY_CANCELED;
	ereport(LOG_SERVER_ONLY,
			(errcode(error->sqlerrcode),
			 errmsg_internal("dpem: scan of a private source failed: %s", error->message),
			 error->detail ? errdetail_internal("%s", error->detail) : 0,
			 error->context ? errcontext_msg("%s", error->context) : 0,
			 errhidecontext(false)));
	if (cancelled)
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("canceling a private scan on request or timeout"),
				 errdetail("The charge stands.")));
	ereport(ERROR,
			(errcode(ERRCODE_DPEM_SCAN_FAILED),
			 errmsg("the private source could not be scanned"),
			 errdetail("The charge stands."),
			 errhint("The owner of the dataset finds the reason in the server log.")));
}

/*
 * EXPLAIN (BUFFERS, WAL), pg_stat_statements and auto_explain would add what
 * the scan touched to the analyst's own statement.
 */
static void
forget_usage(const BufferUsage *buffers, const WalUsage *wal)
{
	pgBufferUsage = *buffers;
	pgWalUsage = *wal;
}

DpemRawMoments *
dpem_source_scan(DpemSource *source, const DpemPass *pass)
{
	const CommandDest dest = whereToSendOutput;
	const BufferUsage buffers = pgBufferUsage;
	const WalUsage wal = pgWalUsage;
	DpemIdentity saved;
	bytea	   *wire = NULL;

	if (!OidIsValid(source->run_as))
	{
		dpem_identity_enter(&saved, InvalidOid, false);
		wire = run_query(source, pass);
		dpem_identity_leave(&saved);
		return dpem_raw_moments_read(wire, &pass->layout, pass->map.bits > 0);
	}
	dpem_identity_enter(&saved, source->run_as, true);
	PG_TRY();
	{
		/* nothing goes to the client meanwhile: INFO would, whatever client_min_messages is */
		whereToSendOutput = DestNone;
		wire = run_query(source, pass);
		whereToSendOutput = dest;
		forget_usage(&buffers, &wal);
	}
	PG_CATCH();
	{
		whereToSendOutput = dest;
		forget_usage(&buffers, &wal);
		hide_error();
	}
	PG_END_TRY();
	dpem_identity_leave(&saved);
	return dpem_raw_moments_read(wire, &pass->layout, pass->map.bits > 0);
}

/*
 * restores.c - dp_acknowledge_restore, dp_check_ledger, and where this server is.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xlog.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/pg_lsn.h"

#include "ledger/check.h"
#include "ledger/data_directory.h"
#include "ledger/incarnation.h"
#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_acknowledge_restore);
PG_FUNCTION_INFO_V1(dp_check_ledger);
PG_FUNCTION_INFO_V1(dpem_incarnation_now);

#define REASON_MAX_BYTES 1000

static char *
reason_argument(FunctionCallInfo fcinfo, int i)
{
	char	   *reason = dpem_text_argument(fcinfo, i, "reason");

	if (reason[strspn(reason, " \t\r\n")] == '\0' || strlen(reason) > REASON_MAX_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("reason must have between 1 and %d bytes that are not all blank, not %zu",
						REASON_MAX_BYTES, strlen(reason)),
				 errhint("Say what was restored and what is known of charges that were lost.")));
	return reason;
}

/* dp_acknowledge_restore(dataset text, reason text) */
Datum
dp_acknowledge_restore(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));
	char	   *reason;

	dpem_dataset_require_owner(ds);
	reason = reason_argument(fcinfo, 1);
	PreventCommandIfReadOnly("dp_acknowledge_restore");
	dpem_incarnation_acknowledge(ds->account, ds->name, reason);
	PG_RETURN_VOID();
}

/* names of the datasets that the caller administers: those whose whole budget it sees */
static List *
own_datasets(void)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *names;
	DpemIdentity saved;
	uint64		rows;

	dpem_caller_enter(&saved);
	rows = dpem_spi_query("SELECT dataset FROM dpem.budgets WHERE role IS NULL ORDER BY 1", 0, NULL, NULL, NULL, true,
						  SPI_OK_SELECT);
	names = dpem_spi_texts(rows, caller);
	dpem_owner_leave(&saved);
	return names;
}

static void
emit_check(ReturnSetInfo *rsinfo, const char *dataset)
{
	DpemDataset *ds = dpem_dataset_load(dataset);
	DpemLedgerCheck check;
	Datum		values[4];
	bool		nulls[4] = {false};

	dpem_dataset_require_owner(ds);
	check = dpem_ledger_check(ds->account);
	values[0] = CStringGetTextDatum(dataset);
	values[1] = Int64GetDatum(check.charges);
	values[2] = BoolGetDatum(check.wrong_from == 0);
	values[3] = Int64GetDatum(check.wrong_from);
	nulls[3] = check.wrong_from == 0;
	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* dp_check_ledger(dataset text): a row for the dataset, or for each one of the caller's; 42501 for others' */
Datum
dp_check_ledger(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	List	   *names = PG_ARGISNULL(0) ? own_datasets() : list_make1(dpem_text_argument(fcinfo, 0, "dataset"));
	ListCell   *name;

	InitMaterializedSRF(fcinfo, 0);
	foreach(name, names)
		emit_check(rsinfo, lfirst(name));
	PG_RETURN_NULL();
}

/*
 * dpem_internal.incarnation_now(): a standby has no timeline to insert on yet, and
 * knows nothing of the charges that its primary is making.
 */
Datum
dpem_incarnation_now(PG_FUNCTION_ARGS)
{
	TupleDesc	desc;
	Datum		values[5] = {0};
	bool		nulls[5] = {true, true, true, true, true};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE || desc->natts != lengthof(values))
		elog(ERROR, "dpem: unexpected result type");
	if (!RecoveryInProgress())
	{
		char	   *mark = dpem_data_directory_mark();

		memset(nulls, false, sizeof(nulls));
		values[0] = Int64GetDatum((int64) GetSystemIdentifier());
		values[1] = Int32GetDatum((int32) GetWALInsertionTimeLine());
		values[2] = ObjectIdGetDatum(MyDatabaseId);
		values[3] = mark ? CStringGetTextDatum(mark) : (Datum) 0;
		nulls[3] = mark == NULL;
		values[4] = LSNGetDatum(GetXLogInsertRecPtr());
	}
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}

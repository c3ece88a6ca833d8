/*
 * incarnation.c - ledgers that were restored, copied or failed over.
 *
 * The comparison itself is the view dpem_internal.suspension.  The charge worker asks it
 * while it holds the account's lock, which an acknowledgement takes as well.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "ledger/check.h"
#include "ledger/data_directory.h"
#include "ledger/incarnation.h"
#include "ledger/registration.h"
#include "server/as_owner.h"

char *
dpem_incarnation_origin(int64 account)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(account)};
	DpemIdentity saved;
	char	   *origin;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT comes_from FROM dpem_internal.suspension WHERE account = $1",
					   1, types, values, NULL, false, SPI_OK_SELECT) != 1)
		elog(ERROR, "dpem: account " INT64_FORMAT " vanished", account);
	origin = dpem_spi_text(0, 1, caller);
	dpem_owner_leave(&saved);
	return origin;
}

void
dpem_incarnation_stamp(int64 account, const char *dataset, const char *role, const char *reason)
{
	Oid			types[] = {INT8OID, TEXTOID, XID8OID, TEXTOID, TEXTOID};
	Datum		values[] = {Int64GetDatum(account), CStringGetTextDatum(dataset),
		UInt64GetDatum(U64FromFullTransactionId(GetCurrentFullTransactionId())),
		role ? CStringGetTextDatum(role) : (Datum) 0,
	reason ? CStringGetTextDatum(reason) : (Datum) 0};
	const char	nulls[] = {' ', ' ', ' ', role ? ' ' : 'n', reason ? ' ' : 'n', '\0'};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	dpem_spi_query("SELECT gen_random_uuid()", 0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	dpem_data_directory_make_mark(dpem_spi_text(0, 1, CurrentMemoryContext));
	dpem_spi_query("INSERT INTO dpem_internal.incarnation (account, dataset, system_identifier, timeline,"
				   " database, data_directory, written_by, wal_position, charges, acknowledged_by, reason)"
				   " SELECT $1, $2, h.system_identifier, h.timeline, h.database, h.data_directory, $3,"
				   " h.wal_position, (SELECT count(DISTINCT c.charge) FROM dpem_internal.charge c WHERE c.account = $1),"
				   " $4, $5 FROM dpem_internal.incarnation_now() h",
				   5, types, values, nulls, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
}

/* against charges half-way and acknowledgements at the same time */
static void
lock_account(int64 account)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(account)};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	dpem_spi_query("SELECT id FROM dpem_internal.account WHERE id = $1 FOR UPDATE", 1, types, values, NULL,
				   false, SPI_OK_SELECT);
	dpem_owner_leave(&saved);
}

void
dpem_incarnation_acknowledge(int64 account, const char *dataset, const char *reason)
{
	char	   *origin;

	dpem_account_close(account);
	lock_account(account);
	origin = dpem_incarnation_origin(account);
	if (origin == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the ledger of dataset \"%s\" was not restored: there is nothing to acknowledge", dataset)));
	dpem_ledger_require_right(account, dataset);
	dpem_incarnation_stamp(account, dataset, GetUserNameFromId(GetUserId(), false), reason);
	ereport(NOTICE,
			(errmsg("the ledger of dataset \"%s\" comes from %s and is charged here from now on", dataset, origin),
			 errdetail("Every charge it holds still counts. Charges that it lost do not: make the budget smaller by what they may have been.")));
}

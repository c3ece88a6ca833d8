/*
 * charge_worker.c - the worker that records one charge and exits.
 *
 * Design: the worker connects as the bootstrap superuser (an owner without
 * LOGIN could not connect) and acts as the extension's owner.  It locks the
 * account, reads budgets and totals (standing.h) under a snapshot taken after
 * the lock was granted, appends to the ledger and commits.  synchronous_commit is
 * forced on: the answer leaves the server only after the charge is on disk.
 *
 * A role that is new to the catalog gets its number in a transaction before,
 * so that nobody waits for it behind the account's lock.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "storage/dsm.h"
#include "storage/ipc.h"
#include "tcop/tcopprot.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

#include "core/accounting/budget_rule.h"
#include "ledger/charge.h"
#include "ledger/charge_message.h"
#include "ledger/mechanism.h"
#include "ledger/role_number.h"
#include "ledger/standing.h"
#include "ledger/totals.h"
#include "registry/source_relations.h"
#include "server/as_owner.h"
#include "server/errors.h"

typedef struct LockedDataset
{
	int64		account;
	Oid			source;
	char	   *name;
	char	   *adjacency;
	char	   *unit;
	int			rows_per_unit;
} LockedDataset;

static void
pin_settings(int lock_timeout)
{
	char		timeout[32];

	snprintf(timeout, sizeof(timeout), "%d", lock_timeout);
	SetConfigOption("lock_timeout", timeout, PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("statement_timeout", "0", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("idle_in_transaction_session_timeout", "0", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_isolation", "read committed", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_read_only", "off", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("default_transaction_deferrable", "off", PGC_SUSET, PGC_S_OVERRIDE);
	SetConfigOption("session_replication_role", "origin", PGC_SUSET, PGC_S_OVERRIDE);
	if (synchronous_commit < SYNCHRONOUS_COMMIT_REMOTE_FLUSH)
		SetConfigOption("synchronous_commit", "on", PGC_SUSET, PGC_S_OVERRIDE);
}

static void
lock_dataset(int64 id, LockedDataset *ds)
{
	MemoryContext keep = CurrentMemoryContext;
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	bool		isnull;

	if (dpem_spi_query("SELECT a.id FROM dpem_internal.account a WHERE a.id ="
					   " (SELECT d.account FROM dpem_internal.dataset d WHERE d.id = $1) FOR NO KEY UPDATE",
					   1, types, values, NULL, false, SPI_OK_SELECT) == 0 ||
		dpem_spi_query("SELECT account, name, adjacency, unit, max_rows_per_unit, source::oid"
					   " FROM dpem_internal.dataset WHERE id = $1",
					   1, types, values, NULL, false, SPI_OK_SELECT) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("the dataset does not exist"),
				 errhint("If it was registered in this transaction, commit first.")));
	ds->account = dpem_spi_int64(0, 1);
	ds->name = dpem_spi_text(0, 2, keep);
	ds->adjacency = dpem_spi_text(0, 3, keep);
	ds->unit = dpem_spi_text(0, 4, keep);
	ds->rows_per_unit = DatumGetInt32(dpem_spi_datum(0, 5, &isnull));
	ds->source = DatumGetObjectId(dpem_spi_datum(0, 6, &isnull));
}

/*
 * A view may read other tables than when it was registered, a table have new
 * partitions: from now on the ledger speaks of them too, or, if they have
 * one of their own or are somebody else's, nothing is charged here.
 */
static void
claim_sources(const LockedDataset *ds)
{
	ListCell   *cell;

	foreach(cell, dpem_dataset_relations(dpem_dataset_load(ds->name)))
	{
		dpem_source_require_account(lfirst_oid(cell), ds->name, ds->account);
		dpem_source_record(lfirst_oid(cell), ds->account);
	}
}

/* what is below a rounding of the limit is nothing to tell */
static void
refuse_failures(const char *whose, double delta, double failure, double left, double most)
{
	left = left > 1e-12 * most ? left : 0;
	if (failure > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_BUDGET_EXCEEDED),
				 errmsg("%s allows no private keys or tests at delta %g: %g of its delta is left for them, and the call needs %g",
						whose, delta, left, failure),
				 errhint("Ask for a smaller delta, or ask the dataset's owner for a larger budget or keys_share.")));
	ereport(ERROR,
			(errcode(ERRCODE_DPEM_BUDGET_EXCEEDED),
			 errmsg("%s allows no charge: earlier private keys and tests have spent more than its keys_share of delta", whose),
			 errhint("The dataset's owner registers it with a larger budget or keys_share.")));
}

/* failures have a part of the budget of their own */
static void
refuse_over_budget(const char *whose, DpemAccountant accountant, const DpemChargeRequest *request,
				   const DpemSpending *budget)
{
	double		most = dpem_budget_failure_limit(accountant, budget->limit);
	double		most_delta = dpem_budget_call_delta_limit(accountant, budget->limit.delta);

	if (dpem_accountant_has_failures(accountant) && !(budget->after.failure <= most))
		refuse_failures(whose, request->delta, dpem_total_cost(request).failure, most - budget->spent.failure, most);
	ereport(ERROR,
			(errcode(ERRCODE_DPEM_BUDGET_EXCEEDED),
			 errmsg("%s allows no charge of epsilon %g at delta %g: epsilon %g is left at that delta",
					whose, request->epsilon, request->delta,
					dpem_budget_remaining(accountant, &budget->spent, budget->limit, request->delta)),
			 budget->after.delta > most_delta ?
			 errhint("Ask for a smaller delta: of %g that calls' deltas may sum to, %g is left.",
					 most_delta, Max(most_delta - budget->spent.delta, 0)) :
			 errhint("Ask for a smaller epsilon, or ask the dataset's owner for a larger budget.")));
}

/*
 * Dataset cap first, role share below it.  A reading spends nothing of the cap, and is refused where a new release
 * would be, in the same words: else a refusal, which is free, would tell whether others have asked.
 */
static void
require_budgets(const DpemStanding *standing, const DpemChargeRequest *request)
{
	DpemAccountant accountant = standing->accountant;

	if (dpem_standing_affords(standing))
		return;
	if (!dpem_budget_affords(accountant, &standing->dataset.after, standing->dataset.limit))
		refuse_over_budget("the budget of the dataset", accountant, request, &standing->dataset);
	if (standing->has_reserved && !dpem_budget_affords(accountant, &standing->unreserved.after, standing->unreserved.limit))
		refuse_over_budget("the budget of the dataset, without what is reserved for other roles,", accountant, request, &standing->unreserved);
	refuse_over_budget("the budget of the role", accountant, request, &standing->share);
}

static void
append_line(const LockedDataset *ds, const DpemChargeRequest *request, int64 role, int64 number,
			int line)
{
	const DpemChargeLine *l = &request->lines[line];
	Oid			types[] = {INT8OID, INT4OID, INT8OID, TEXTOID, INT8OID, TEXTOID, TEXTOID, TEXTOID,
		TEXTOID, FLOAT8OID, INT4OID, TEXTOID, TEXTOID, INT4OID, TEXTOID, FLOAT8OID, FLOAT8OID,
	INT8OID, INT8OID, TEXTOID, FLOAT8OID, INT8ARRAYOID, FLOAT8OID, FLOAT8OID, INT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(number), Int32GetDatum(line + 1),
		Int64GetDatum(ds->account), CStringGetTextDatum(ds->name),
		Int64GetDatum(role),
		CStringGetTextDatum(GetUserNameFromId(request->role, false)),
		CStringGetTextDatum(request->function), CStringGetTextDatum(l->statistic),
		CStringGetTextDatum(dpem_mechanism_name(l->mechanism)), Float8GetDatum(l->noise_multiplier),
		Int32GetDatum(l->releases), CStringGetTextDatum(ds->adjacency),
		ds->unit ? CStringGetTextDatum(ds->unit) : (Datum) 0,
		Int32GetDatum(request->rows_per_unit > 0 ? request->rows_per_unit : ds->rows_per_unit), CStringGetTextDatum(request->composition),
		Float8GetDatum(request->epsilon), Float8GetDatum(request->delta),
		Int64GetDatum(l->mu2_units), Int64GetDatum(l->rho_units),
		CStringGetTextDatum(dpem_sampling_name(l->sampling)), Float8GetDatum(l->sampling_rate),
		l->curve.any ? dpem_curve_to_array(&l->curve) : (Datum) 0, Float8GetDatum(l->failure),
	Float8GetDatum(request->part), Int64GetDatum(request->dataset), Int64GetDatum(request->reads)};
	char		nulls[] = "                          ";

	nulls[12] = ds->unit ? ' ' : 'n';
	nulls[21] = l->curve.any ? ' ' : 'n';
	nulls[23] = nulls[24] = line == 0 ? ' ' : 'n';
	nulls[25] = request->reads != 0 ? ' ' : 'n';
	dpem_spi_query("INSERT INTO dpem_internal.charge (charge, line, account, dataset, role, role_name,"
				   " function, statistic, mechanism, noise_multiplier, releases, adjacency, unit,"
				   " rows_per_unit, composition, epsilon, delta, mu2_units, rho_units, sampling,"
				   " sampling_rate, rdp_units, failure, part, part_dataset, reads, incarnation)"
				   " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
				   " $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,"
				   " (SELECT max(i.id) FROM dpem_internal.incarnation i WHERE i.account = $3))",
				   lengthof(types), types, values, nulls, false, SPI_OK_INSERT);
}

/* a caller that is gone, or has given up, has not read anything and pays nothing */
static void
announce_commit(DpemChargeMessage *message)
{
	uint32		pending = DPEM_CHARGE_PENDING;

	CHECK_FOR_INTERRUPTS();
	if (!pg_atomic_compare_exchange_u32(&message->state, &pending, DPEM_CHARGE_COMMITTING))
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED), errmsg("nobody waits for the charge any longer")));
}

/* the sums first, as they continue those of the ledger without the charge */
static void
append_charge(const LockedDataset *ds, const DpemStanding *standing, const DpemChargeRequest *request,
			  DpemChargeMessage *reply)
{
	TimestampTz since;

	dpem_spi_query("SELECT nextval('dpem_internal.charge_id_seq')", 0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	reply->charge = dpem_spi_int64(0, 1);
	since = dpem_standing_append(standing, reply->charge, request->reads != 0);
	for (int line = 0; line < request->nlines; line++)
		append_line(ds, request, reply->role_number, reply->charge, line);
	dpem_standing_check_lines(reply->charge, since, request);
}

/* under the account's lock: a role is charged for reading an answer once */
static bool
has_read(const DpemChargeRequest *request, DpemChargeMessage *reply)
{
	Oid			types[] = {INT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(request->reads), Int64GetDatum(reply->role_number)};

	if (request->reads == 0 ||
		dpem_spi_query_uncounted("SELECT charge FROM dpem_internal.charge WHERE reads = $1 AND role = $2 LIMIT 1", 2, types, values) == 0)
		return false;
	reply->charge = dpem_spi_int64(0, 1);
	return true;
}

static void
record_charge(const DpemChargeRequest *request, DpemChargeMessage *reply)
{
	LockedDataset ds;
	DpemIdentity saved;
	DpemStanding standing;

	dpem_owner_enter(&saved);
	lock_dataset(request->dataset, &ds);
	standing = dpem_standing_load_series(request, reply->role_number);
	dpem_standing_require_share(&standing, ds.name, request->role);
	dpem_standing_require_ledger(&standing, ds.name);
	if (!has_read(request, reply))
	{
		require_budgets(&standing, request);
		dpem_standing_check_reading(ds.account, request);
		claim_sources(&ds);
		append_charge(&ds, &standing, request, reply);
	}
	dpem_owner_leave(&saved);
	announce_commit(reply);
}

static void
number_role(const DpemChargeRequest *request, DpemChargeMessage *reply)
{
	reply->role_number = dpem_role_number_make(request->role);
}

/*
 * The worker's own errors were raised by the functions above and name no
 * row; anything else (a lock timeout, a full disk) reaches the caller as one
 * constant line, and the server log as it was.
 */
static void
reply_error(DpemChargeMessage *message)
{
	ErrorData  *error;
	bool		ours;

	MemoryContextSwitchTo(TopMemoryContext);
	error = CopyErrorData();
	ours = error->sqlerrcode == ERRCODE_DPEM_BUDGET_EXCEEDED ||
		error->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE ||
		error->sqlerrcode == ERRCODE_DPEM_SOURCE_CHANGED ||
		error->sqlerrcode == ERRCODE_DPEM_LEDGER_RESTORED ||
		error->sqlerrcode == ERRCODE_DPEM_LEDGER_DISAGREES ||
		error->sqlerrcode == ERRCODE_UNDEFINED_OBJECT;
	if (!ours)
		EmitErrorReport();
	FlushErrorState();
	message->sqlstate = ours ? error->sqlerrcode : ERRCODE_DPEM_CHARGE_FAILED;
	strlcpy(message->message, ours ? error->message : "the charge could not be recorded",
			sizeof(message->message));
	strlcpy(message->hint, !ours ? "Try again; the server log says why." : error->hint ? error->hint : "",
			sizeof(message->hint));
}

typedef void (*Step) (const DpemChargeRequest *request, DpemChargeMessage *reply);

/* one transaction; false: it was not committed, and the reply says why */
static bool
commit_step(Step step, const DpemChargeRequest *request, DpemChargeMessage *message)
{
	volatile bool committed = false;

	PG_TRY();
	{
		SetCurrentStatementStartTimestamp();
		StartTransactionCommand();
		PushActiveSnapshot(GetTransactionSnapshot());
		step(request, message);
		PopActiveSnapshot();
		CommitTransactionCommand();
		committed = true;
	}
	PG_CATCH();
	{
		reply_error(message);
		AbortCurrentTransaction();
	}
	PG_END_TRY();
	return committed;
}

static DpemChargeState
try_charge(DpemChargeMessage *message, const DpemChargeRequest *request)
{
	return commit_step(number_role, request, message) &&
		(request->nlines == 0 || commit_step(record_charge, request, message))
		? DPEM_CHARGE_COMMITTED : DPEM_CHARGE_REFUSED;
}

void
dpem_charge_worker_main(Datum segment_handle)
{
	dsm_segment *segment;
	DpemChargeMessage *message;
	DpemChargeRequest request;
	PGPROC	   *caller;

	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	CurrentResourceOwner = ResourceOwnerCreate(NULL, "dpem charge");
	segment = dsm_attach(DatumGetUInt32(segment_handle));
	if (segment == NULL)
		return;					/* the caller is gone: nobody reads, nobody pays */
	message = dsm_segment_address(segment);
	if (message->magic != DPEM_CHARGE_MAGIC)
		elog(ERROR, "dpem: charge request has a bad magic number");
	if (pg_atomic_read_u32(&message->state) != DPEM_CHARGE_PENDING)
		return;
	request = message->request;
	caller = message->caller;
	BackgroundWorkerInitializeConnectionByOid(message->database, InvalidOid, 0);
	pgstat_report_activity(STATE_RUNNING, "dpem charge");
	pin_settings(message->lock_timeout);
	{
		DpemChargeState state = try_charge(message, &request);

		pg_write_barrier();
		pg_atomic_write_u32(&message->state, state);
		SetLatch(&caller->procLatch);
	}
	dsm_detach(segment);
}

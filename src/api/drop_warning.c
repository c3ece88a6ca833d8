/*
 * drop_warning.c - what drops leave behind: DROP EXTENSION dpem says what it forgets, and forgets charges only
 * with CASCADE; a drop of a source, and DROP OWNED, say what stays.  A dataset stays that of its source's last owner.
 * What a relation that is dropped was the number of has none from then on: in a database that a dump is restored
 * into, the number may be another table's.
 *
 * Event triggers: for DROP EXTENSION on ddl_command_start, as at sql_drop the extension's own trigger would be gone
 * already.  No event trigger is told of REASSIGN OWNED and of DROP ROLE.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/event_trigger.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "nodes/value.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "ledger/role_number.h"
#include "server/as_owner.h"
#include "server/attempt.h"

PG_FUNCTION_INFO_V1(dpem_warn_drop);
PG_FUNCTION_INFO_V1(dpem_tell_drop);

static bool
drops_dpem(Node *statement)
{
	DropStmt   *drop = (DropStmt *) statement;
	ListCell   *cell;

	if (statement == NULL || !IsA(statement, DropStmt) || drop->removeType != OBJECT_EXTENSION)
		return false;
	foreach(cell, drop->objects)
	{
		if (IsA(lfirst(cell), String) && strcmp(strVal(lfirst(cell)), "dpem") == 0)
			return true;
	}
	return false;
}

static void
require_trigger(FunctionCallInfo fcinfo)
{
	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("not called as an event trigger")));
}

/* what goes with the extension */
typedef struct Forgotten
{
	int64		datasets;
	int64		charges;
	int64		models;
} Forgotten;

static Forgotten
count_forgotten(void)
{
	DpemIdentity saved;
	Forgotten	forgotten;

	dpem_owner_enter(&saved);
	dpem_spi_query("SELECT (SELECT count(*) FROM dpem_internal.dataset),"
				   " (SELECT count(DISTINCT charge) FROM dpem_internal.charge), (SELECT count(*) FROM dpem_internal.model)",
				   0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	forgotten = (Forgotten) {dpem_spi_int64(0, 1), dpem_spi_int64(0, 2), dpem_spi_int64(0, 3)};
	dpem_owner_leave(&saved);
	return forgotten;
}

static void
refuse_to_forget(int64 charges)
{
	ereport(ERROR,
			(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
			 errmsg("extension dpem has a ledger of " INT64_FORMAT " charges", charges),
			 errdetail("Without it nobody knows what was spent, and the budgets of the same persons would begin anew."),
			 errhint("Keep a dump (pg_dump) of the database. DROP EXTENSION dpem CASCADE drops the ledger, too.")));
}

Datum
dpem_warn_drop(PG_FUNCTION_ARGS)
{
	Forgotten	forgotten;
	Node	   *statement;

	require_trigger(fcinfo);
	statement = ((EventTriggerData *) fcinfo->context)->parsetree;
	/* who may not drop it is told so by the command, and learns no numbers here */
	if (!drops_dpem(statement) || !has_privs_of_role(GetUserId(), dpem_extension_owner()))
		PG_RETURN_NULL();
	forgotten = count_forgotten();
	/* a script of pg_dump --clean drops what it then restores; like no one else it does not check functions' bodies */
	if (forgotten.charges > 0 && check_function_bodies && ((DropStmt *) statement)->behavior != DROP_CASCADE)
		refuse_to_forget(forgotten.charges);
	if (forgotten.datasets + forgotten.charges + forgotten.models > 0)
		ereport(WARNING,
				(errmsg("dropping extension dpem forgets " INT64_FORMAT " datasets, " INT64_FORMAT
						" models and a ledger of " INT64_FORMAT " charges", forgotten.datasets, forgotten.models, forgotten.charges),
				 errhint("Afterwards nobody knows what was spent. Keep a dump (pg_dump) of the database.")));
	PG_RETURN_NULL();
}

/* ---- what stays ---- */

/* datasets whose source this command has dropped */
static const char *const sources_sql =
	"SELECT d.name, (SELECT count(*) FROM dpem_internal.charge c WHERE c.account = d.account AND c.line = 1),"
	" (SELECT count(*) FROM dpem_internal.budget b WHERE b.dataset = d.id), (SELECT count(*) FROM dpem_internal.model m WHERE m.source = d.source)"
	" FROM dpem_internal.dataset d WHERE EXISTS (SELECT FROM pg_event_trigger_dropped_objects() o"
	"  WHERE o.classid = 'pg_class'::regclass AND o.objsubid = 0 AND o.objid = d.source) ORDER BY d.name";

static void
tell_source(const char *dataset, const int64 *stays)
{
	ereport(NOTICE,
			(errmsg("dataset \"%s\" has lost its source: its ledger of " INT64_FORMAT " charges, " INT64_FORMAT " shares and " INT64_FORMAT
					" models stay", dataset, stays[0], stays[1], stays[2]),
			 errhint("SELECT dp_drop_dataset(%s) removes the dataset and its shares; dp_alter_dataset(%s, source => ...) gives it another source.",
					 quote_literal_cstr(dataset), quote_literal_cstr(dataset))));
}

/* nothing is told before the query's results are copied: what is the extension's own business is silent */
static void
tell_sources(void)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemIdentity saved;
	uint64		n;
	char	  **dataset;
	int64	   *stays;

	dpem_owner_enter(&saved);
	n = dpem_spi_query(sources_sql, 0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	dataset = MemoryContextAlloc(caller, Max(n, 1) * sizeof(char *));
	stays = MemoryContextAlloc(caller, Max(n, 1) * 3 * sizeof(int64));
	for (uint64 i = 0; i < n; i++)
	{
		dataset[i] = dpem_spi_text(i, 1, caller);
		for (int j = 0; j < 3; j++)
			stays[3 * i + j] = dpem_spi_int64(i, j + 2);
	}
	dpem_owner_leave(&saved);
	for (uint64 i = 0; i < n; i++)
		tell_source(dataset[i], stays + 3 * i);
}

/* ---- what is forgotten, and by whom it is missed ---- */

/* relations that this command has dropped */
#define DROPPED \
	"(SELECT o.objid FROM pg_event_trigger_dropped_objects() o WHERE o.classid = 'pg_class'::regclass AND o.objsubid = 0)"

static const struct
{
	const char *sql;
	int			expected;
}			forget_numbers[] = {
	{"UPDATE dpem_internal.dataset SET source = 0 WHERE source IN " DROPPED, SPI_OK_UPDATE},
	{"UPDATE dpem_internal.model SET source = 0 WHERE source IN " DROPPED, SPI_OK_UPDATE},
	/* a name may have been that of several */
	{"WITH gone AS (DELETE FROM dpem_internal.account_source WHERE relation IN " DROPPED " RETURNING account, relation_name)"
		" INSERT INTO dpem_internal.account_source (account, relation, relation_name) SELECT DISTINCT account, 0::oid::regclass, relation_name FROM gone"
		" ON CONFLICT (account, relation_name, relation) DO NOTHING", SPI_OK_INSERT},
};

/* was this version of a row of pg_class deleted in this transaction, and not replaced by another? */
static bool
is_last(HeapTuple version)
{
	return (version->t_data->t_infomask & HEAP_XMAX_INVALID) == 0 &&
		TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetUpdateXid(version->t_data)) &&
		ItemPointerEquals(&version->t_self, &version->t_data->t_ctid);
}

/* of a relation that this command has dropped: what other transactions have made of it came before, whatever a snapshot shows */
static Oid
last_owner(Oid relation)
{
	Relation	rel = table_open(RelationRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	version;
	Oid			owner = InvalidOid;

	ScanKeyInit(&key, Anum_pg_class_oid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(rel, ClassOidIndexId, true, SnapshotAny, 1, &key);
	while (HeapTupleIsValid(version = systable_getnext(scan)))
	{
		if (is_last(version))
			owner = ((Form_pg_class) GETSTRUCT(version))->relowner;
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return owner;
}

typedef struct LastOwner
{
	Oid			role;
	int64		number;			/* 0: of no role, for whom superusers stand in */
} LastOwner;

static void
find_number(void *argument)
{
	LastOwner  *owner = argument;

	owner->number = dpem_role_number(owner->role);
}

/* a role that is new to the catalog gets its number by a worker, for want of which no drop fails */
static int64
number_of(Oid role)
{
	LastOwner	owner = {.role = role};

	if (dpem_attempt(find_number, &owner, true) != NULL)
		ereport(WARNING,
				(errmsg("role \"%s\" is new to dpem, and no background worker could record it", GetUserNameFromId(role, false)),
				 errdetail("Datasets of what it drops are for superusers to manage.")));
	return owner.number;
}

static void
set_owner(Oid source, Oid owner)
{
	Oid			types[] = {OIDOID, INT8OID};
	Datum		values[] = {ObjectIdGetDatum(source), Int64GetDatum(number_of(owner))};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	dpem_spi_query("UPDATE dpem_internal.dataset SET owner = $2 WHERE source = $1 AND owner <> $2", 2, types, values, NULL, false, SPI_OK_UPDATE);
	dpem_owner_leave(&saved);
}

#define LOST "SELECT DISTINCT d.source::oid FROM dpem_internal.dataset d WHERE d.source IN " DROPPED

/* a dataset is its source's owner's, and without a source that of the last one */
static void
keep_owners(void)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemIdentity saved;
	bool		isnull;
	Oid		   *source;
	uint64		n;

	dpem_owner_enter(&saved);
	n = dpem_spi_query(LOST, 0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	source = MemoryContextAlloc(caller, Max(n, 1) * sizeof(Oid));
	for (uint64 i = 0; i < n; i++)
		source[i] = DatumGetObjectId(dpem_spi_datum(i, 1, &isnull));
	dpem_owner_leave(&saved);
	for (uint64 i = 0; i < n; i++)
	{
		Oid			owner = last_owner(source[i]);

		if (OidIsValid(owner))
			set_owner(source[i], owner);
	}
}

static void
forget_dropped(void)
{
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	for (int i = 0; i < lengthof(forget_numbers); i++)
		dpem_spi_query(forget_numbers[i].sql, 0, NULL, NULL, NULL, false, forget_numbers[i].expected);
	dpem_owner_leave(&saved);
}

/* of all that is dropped, is anything read by a dataset, or was? */
#define KNOWN "SELECT FROM dpem_internal.account_source WHERE relation IN " DROPPED
#define KNOWN_TO_MODELS "SELECT FROM dpem_internal.model WHERE source IN " DROPPED

/* as of now, whatever snapshot the transaction has */
static bool
finds_any(const char *query)
{
	DpemIdentity saved;
	bool		found;

	dpem_owner_enter(&saved);
	PushCopiedSnapshot(GetLatestSnapshot());
	found = dpem_spi_query(query, 0, NULL, NULL, NULL, true, SPI_OK_SELECT) > 0;
	PopActiveSnapshot();
	dpem_owner_leave(&saved);
	return found;
}

/* an older snapshot overlooks what other sessions have registered and stored since */
static void
require_forgotten(void)
{
	if (IsolationUsesXactSnapshot() && finds_any(KNOWN " UNION ALL " KNOWN_TO_MODELS " LIMIT 1"))
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("could not serialize access due to a dataset or model of what is dropped"),
				 errhint("The transaction might succeed if retried.")));
}

/* of role $1 */
static const char *const belongings_sql =
	"SELECT (SELECT count(*) FROM dpem_internal.budget b WHERE b.role = $1), (SELECT count(*) FROM dpem_internal.model m WHERE m.maker = r.id),"
	" (SELECT count(*) FROM dpem_internal.charge c WHERE c.role = r.id AND c.line = 1)"
	" FROM (SELECT (SELECT n.id FROM dpem_internal.role_number n WHERE n.role = $1) AS id) r";

static void
tell_role(Oid role)
{
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(role)};
	DpemIdentity saved;
	int64		shares;
	int64		models;
	int64		charges;

	dpem_owner_enter(&saved);
	dpem_spi_query(belongings_sql, 1, types, values, NULL, false, SPI_OK_SELECT);
	shares = dpem_spi_int64(0, 1);
	models = dpem_spi_int64(0, 2);
	charges = dpem_spi_int64(0, 3);
	dpem_owner_leave(&saved);
	if (shares + models + charges > 0)
		ereport(NOTICE,
				(errmsg("what role \"%s\" has in dpem stays: shares of " INT64_FORMAT " datasets, " INT64_FORMAT " models and " INT64_FORMAT " charges",
						GetUserNameFromId(role, false), shares, models, charges),
				 errhint("dp_revoke_budget takes a share back, dp_grant_model gives others a model, dp_drop_model drops it; charges are never dropped.")));
}

/* of roles that the command is about, as far as whoever runs it has their rights, as the command demands */
static void
tell_roles(const List *roles)
{
	ListCell   *cell;

	foreach(cell, roles)
	{
		Oid			role = get_rolespec_oid(lfirst(cell), true);

		if (OidIsValid(role) && has_privs_of_role(GetUserId(), role))
			tell_role(role);
	}
}

static void
tell_and_forget(void)
{
	if (!finds_any(KNOWN " LIMIT 1"))
		return;
	if (check_function_bodies)
		tell_sources();
	keep_owners();
	forget_dropped();
	require_forgotten();
}

/* at sql_drop, and at ddl_command_start of DROP OWNED; a script of pg_dump is told nothing */
Datum
dpem_tell_drop(PG_FUNCTION_ARGS)
{
	EventTriggerData *trigger;

	require_trigger(fcinfo);
	trigger = (EventTriggerData *) fcinfo->context;
	if (strcmp(trigger->event, "sql_drop") == 0)
		tell_and_forget();
	else if (check_function_bodies && IsA(trigger->parsetree, DropOwnedStmt))
		tell_roles(((DropOwnedStmt *) trigger->parsetree)->roles);
	PG_RETURN_NULL();
}

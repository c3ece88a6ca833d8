/*
 * source_ledger.c - which ledger the tables of a source have.
 *
 * A ledger speaks of tables, not of names: two datasets that read one table,
 * directly, through a view or as a partition of it, must share a ledger, or
 * the second would be a fresh budget for the same people.  The tables are
 * found both upwards (a partition's siblings belong to the same people) and
 * downwards.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "registry/source_relations.h"
#include "registry/source_tables.h"
#include "server/as_owner.h"
#include "server/errors.h"

int64
dpem_source_find_account(Oid source)
{
	Oid			types[] = {OIDARRAYOID};
	Datum		values[] = {dpem_oid_array(dpem_source_walk(DPEM_WALK_PEOPLE, list_make1_oid(source), NULL, NULL))};
	DpemIdentity saved;
	int64		account = 0;
	uint64		n;

	dpem_owner_enter(&saved);
	n = dpem_spi_query(PEOPLE_CTE " SELECT DISTINCT a.account FROM dpem_internal.account_source a JOIN source s"
					   " ON a.relation::oid = s.relation OR a.relation_name = s.name",
					   1, types, values, NULL, false, SPI_OK_SELECT);
	if (n > 1)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("\"%s\" reads tables that have different ledgers", get_rel_name(source)),
				 errhint("Register a source whose tables share one ledger.")));
	if (n == 1)
		account = dpem_spi_int64(0, 1);
	dpem_owner_leave(&saved);
	return account;
}

/* a relation of the source that another account than $2 has */
#define HAS_OTHER_LEDGER \
	" SELECT s.relation FROM dpem_internal.account_source a JOIN source s ON a.relation::oid = s.relation OR a.relation_name = s.name" \
	" WHERE a.account <> $2"

static void
refuse_changed(const char *dataset, const char *now)
{
	ereport(ERROR,
			(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
			 errmsg("the source of dataset \"%s\" now reads a table that %s", dataset, now),
			 errhint("Its owner can drop the dataset and register the source again.")));
}

void
dpem_source_require_account(Oid source, const char *dataset, int64 account)
{
	List	   *from = list_make1_oid(source);
	bool		ruled;

	if (dpem_relations_have(dpem_source_walk(DPEM_WALK_PEOPLE, from, NULL, &ruled), account, PEOPLE_CTE HAS_OTHER_LEDGER))
		refuse_changed(dataset, "has another ledger");
	/* a view may be replaced by one over tables that its owner could not have registered */
	if (ruled &&
		dpem_relations_have(dpem_source_walk(DPEM_WALK_READS, from, NULL, NULL), account,
							READS_CTE " SELECT 1 FROM reads b" RULE_OF("b.id") " JOIN pg_catalog.pg_class c"
							" ON c.oid = d.refobjid AND d.refclassid = 'pg_catalog.pg_class'::regclass"
							" WHERE NOT pg_catalog.pg_has_role((SELECT s.relowner FROM pg_catalog.pg_class s"
							"  WHERE s.oid = $1[1]), c.relowner, 'USAGE') AND NOT EXISTS (SELECT 1"
							"  FROM dpem_internal.account_source a WHERE a.account = $2 AND a.relation::oid = c.oid)"))
		refuse_changed(dataset, "belongs to somebody else");
}

/* what the source reads, with 0 for each table that is not recorded under the account, or under another, too */
#define CHARGED_READS \
	READS_CTE " SELECT CASE WHEN c.relkind IN ('r', 'p', 'f', 'm', 'v')" \
	" AND (NOT EXISTS (SELECT 1 FROM dpem_internal.account_source a WHERE a.account = $2 AND a.relation::oid = c.oid)" \
	"  OR EXISTS (SELECT 1 FROM dpem_internal.account_source a WHERE a.account <> $2 AND (a.relation::oid = c.oid" \
	"   OR a.relation_name = pg_catalog.format('%I.%I', n.nspname, c.relname))))" \
	" THEN 0::pg_catalog.oid ELSE b.id END" \
	" FROM reads b LEFT JOIN (pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace) ON c.oid = b.id"

/*
 * The relations that a query of what is reached and the account finds.  By the catalog of this moment, whatever snapshot the transaction
 * has: which children a table has the executor, too, takes from the catalog as it is.  Among parallel workers there is but one
 * snapshot for all.  outside: as other sessions see it, without what this transaction has done; not among parallel workers.
 */
static List *
find_now(DpemWalk walk, List *from, int64 account, const char *query, bool outside)
{
	Oid			types[] = {OIDARRAYOID, INT8OID};
	Datum		values[] = {(Datum) 0, Int64GetDatum(account)};
	const bool	latest = !IsInParallelMode();
	MemoryContext here = CurrentMemoryContext;
	DpemIdentity saved;
	List	   *found = NIL;
	bool		isnull;
	uint64		n;

	dpem_owner_enter(&saved);
	if (latest)
		PushCopiedSnapshot(GetLatestSnapshot());
	if (outside)
		GetActiveSnapshot()->curcid = FirstCommandId;
	values[0] = dpem_oid_array(dpem_source_walk(walk, from, GetActiveSnapshot(), NULL));
	n = dpem_spi_query(query, 2, types, values, NULL, true, SPI_OK_SELECT);
	if (latest)
		PopActiveSnapshot();
	MemoryContextSwitchTo(here);
	for (uint64 i = 0; i < n; i++)
		found = lappend_oid(found, DatumGetObjectId(dpem_spi_datum(i, 1, &isnull)));
	dpem_owner_leave(&saved);
	return found;
}

List *
dpem_source_charged(Oid source, int64 account)
{
	List	   *reads = find_now(DPEM_WALK_READS, list_make1_oid(source), account, CHARGED_READS, false);

	return list_member_oid(reads, InvalidOid) ? NIL : reads;
}

Oid
dpem_source_other_ledger(List *relations, int64 account)
{
	/* one that was asked about before what it leads to */
	List	   *found = find_now(DPEM_WALK_PEOPLE, relations, account,
								 PEOPLE_CTE HAS_OTHER_LEDGER " ORDER BY pg_catalog.array_position($1, s.relation) LIMIT 1", false);

	return found == NIL ? InvalidOid : linitial_oid(found);
}

/* tables that the source reads and the account does not */
#define UNCHARGED_READS \
	READS_CTE " SELECT b.id FROM reads b JOIN pg_catalog.pg_class c ON c.oid = b.id WHERE c.relkind IN ('r', 'p', 'f', 'm', 'v')" \
	"  AND NOT EXISTS (SELECT 1 FROM dpem_internal.account_source a WHERE a.account = $2 AND a.relation::oid = c.oid)"

/* one of them that the worker, who would record it, does not see */
static bool
came_here(Oid source, int64 account)
{
	List	   *from = list_make1_oid(source);
	List	   *here = find_now(DPEM_WALK_READS, from, account, UNCHARGED_READS, false);

	return here != NIL && list_difference_oid(here, find_now(DPEM_WALK_READS, from, account, UNCHARGED_READS, true)) != NIL;
}

void
dpem_source_require_committed(Oid source, const char *dataset, int64 account)
{
	if (TransactionIdIsValid(GetTopTransactionIdIfAny()) && came_here(source, account))
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
				 errmsg("the source of dataset \"%s\" has come to read another table in this transaction", dataset),
				 errdetail("Nothing was read and nothing was spent."),
				 errhint("COMMIT first: charges are made outside of the transaction, where that table is not seen yet.")));
}

void
dpem_source_record(Oid source, int64 account)
{
	Oid			types[] = {OIDARRAYOID, INT8OID};
	Datum		values[] = {dpem_oid_array(dpem_source_walk(DPEM_WALK_PEOPLE, list_make1_oid(source), NULL, NULL)), Int64GetDatum(account)};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	/*
	 * A row that is there is left alone: its lock would make charges and registrations wait for each other.  A table that had
	 * the name before and has been renamed keeps its own row, however it is called now: what was charged for it stays its own.
	 */
	dpem_spi_query(PEOPLE_CTE ", gone AS (DELETE FROM dpem_internal.account_source a USING source s WHERE a.account = $2"
				   "  AND a.relation_name = s.name AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid = a.relation))"
				   " INSERT INTO dpem_internal.account_source (account, relation, relation_name)"
				   " SELECT $2, s.relation::regclass, s.name FROM source s WHERE NOT EXISTS (SELECT 1"
				   "  FROM dpem_internal.account_source a WHERE a.account = $2 AND a.relation_name = s.name"
				   "  AND a.relation = s.relation::regclass)"
				   " AND NOT EXISTS (SELECT 1 FROM dpem_internal.account_source o WHERE o.account <> $2"
				   "  AND (o.relation::oid = s.relation OR o.relation_name = s.name))"
				   " ON CONFLICT (account, relation_name, relation) DO NOTHING",
				   2, types, values, NULL, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
}

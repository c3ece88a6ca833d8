/*
 * source_walk.c - the relations that a source reads (source_tables.h).
 *
 * Views are followed through their rewrite rules, tables through the inheritance tree.  Every charge walks, the worker's too,
 * whose caches are empty: index scans of the catalogs take less than planning a recursive query about them.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "registry/source_tables.h"

typedef struct Walk
{
	Snapshot	snapshot;
	Relation	rewrite;
	Relation	depend;
	Relation	inherits;
	List	   *reached;
	HTAB	   *seen;
	bool		ruled;
} Walk;

static void
reach(Walk *w, Oid relation)
{
	bool		found;

	(void) hash_search(w->seen, &relation, HASH_ENTER, &found);
	if (!found)
		w->reached = lappend_oid(w->reached, relation);
}

static SysScanDesc
begin(const Walk *w, Relation catalog, Oid index, AttrNumber first, Oid a, AttrNumber second, Oid b)
{
	ScanKeyData key[2];

	ScanKeyInit(&key[0], first, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(a));
	if (second != InvalidAttrNumber)
		ScanKeyInit(&key[1], second, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(b));
	return systable_beginscan(catalog, index, true, w->snapshot, second == InvalidAttrNumber ? 1 : 2, key);
}

/* the relations that a rule depends on */
static void
reach_named(Walk *w, Oid rule)
{
	SysScanDesc scan = begin(w, w->depend, DependDependerIndexId, Anum_pg_depend_classid, RewriteRelationId, Anum_pg_depend_objid, rule);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend depend = (Form_pg_depend) GETSTRUCT(tuple);

		if (depend->refclassid == RelationRelationId)
			reach(w, depend->refobjid);
	}
	systable_endscan(scan);
}

static void
reach_rules(Walk *w, Oid relation)
{
	SysScanDesc scan = begin(w, w->rewrite, RewriteRelRulenameIndexId, Anum_pg_rewrite_ev_class, relation, InvalidAttrNumber, InvalidOid);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		w->ruled = true;
		reach_named(w, ((Form_pg_rewrite) GETSTRUCT(tuple))->oid);
	}
	systable_endscan(scan);
}

/* children or parents, in the inheritance tree */
static void
reach_related(Walk *w, Oid relation, bool children)
{
	Oid			index = children ? InheritsParentIndexId : InheritsRelidSeqnoIndexId;
	AttrNumber	by = children ? Anum_pg_inherits_inhparent : Anum_pg_inherits_inhrelid;
	SysScanDesc scan = begin(w, w->inherits, index, by, relation, InvalidAttrNumber, InvalidOid);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_inherits inherits = (Form_pg_inherits) GETSTRUCT(tuple);

		reach(w, children ? inherits->inhrelid : inherits->inhparent);
	}
	systable_endscan(scan);
}

static HTAB *
make_seen(void)
{
	HASHCTL		control = {.keysize = sizeof(Oid),.entrysize = sizeof(Oid),.hcxt = CurrentMemoryContext};

	return hash_create("dpem relations", 32, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static void
open_catalogs(Walk *w)
{
	w->rewrite = table_open(RewriteRelationId, AccessShareLock);
	w->depend = table_open(DependRelationId, AccessShareLock);
	w->inherits = table_open(InheritsRelationId, AccessShareLock);
}

static void
close_catalogs(const Walk *w)
{
	table_close(w->inherits, AccessShareLock);
	table_close(w->depend, AccessShareLock);
	table_close(w->rewrite, AccessShareLock);
}

List *
dpem_source_walk(DpemWalk walk, List *from, Snapshot snapshot, bool *ruled)
{
	Walk		w = {.seen = make_seen()};
	ListCell   *cell;

	open_catalogs(&w);
	if (snapshot == NULL)
		snapshot = IsInParallelMode() ? GetActiveSnapshot() : GetLatestSnapshot();
	w.snapshot = RegisterSnapshot(snapshot);
	foreach(cell, from)
		reach(&w, lfirst_oid(cell));
	/* the list grows */
	for (int i = 0; i < list_length(w.reached); i++)
	{
		Oid			relation = list_nth_oid(w.reached, i);

		reach_rules(&w, relation);
		reach_related(&w, relation, true);
		if (walk == DPEM_WALK_PEOPLE)
			reach_related(&w, relation, false);
	}
	UnregisterSnapshot(w.snapshot);
	close_catalogs(&w);
	hash_destroy(w.seen);
	if (ruled != NULL)
		*ruled = w.ruled;
	return w.reached;
}

Datum
dpem_oid_array(List *oids)
{
	Datum	   *id = palloc(Max(list_length(oids), 1) * sizeof(Datum));
	ListCell   *cell;

	foreach(cell, oids)
		id[foreach_current_index(cell)] = ObjectIdGetDatum(lfirst_oid(cell));
	return PointerGetDatum(construct_array(id, list_length(oids), OIDOID, sizeof(Oid), true, TYPALIGN_INT));
}

/*
 * source_relations.c - which relations a private source reads, and their types.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "foreign/fdwapi.h"
#include "foreign/foreign.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "registry/source_relations.h"
#include "registry/source_tables.h"
#include "server/as_owner.h"
#include "server/errors.h"
#include "server/version_shims.h"

/* the ledger knows tables by this name: it may not depend on the session */
char *
dpem_relation_qualified_name(Oid relation)
{
	const bool	quote_all = quote_all_identifiers;
	char	   *name;

	quote_all_identifiers = false;
	name = quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)),
									  get_rel_name(relation));
	quote_all_identifiers = quote_all;
	return name;
}

Oid
dpem_relation_owner(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "dpem: relation %u vanished", relation);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

Oid
dpem_source_column_type(Oid source, const char *column)
{
	HeapTuple	tuple = SearchSysCacheAttName(source, column);
	Oid			type = InvalidOid;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	if (((Form_pg_attribute) GETSTRUCT(tuple))->attnum > 0)
		type = getBaseType(((Form_pg_attribute) GETSTRUCT(tuple))->atttypid);
	ReleaseSysCache(tuple);
	return type;
}

List *
dpem_source_column_names(Oid source)
{
	List	   *names = NIL;

	for (AttrNumber i = 1;; i++)
	{
		HeapTuple	tuple = SearchSysCache2(ATTNUM, ObjectIdGetDatum(source), Int16GetDatum(i));

		if (!HeapTupleIsValid(tuple))
			return names;
		if (!((Form_pg_attribute) GETSTRUCT(tuple))->attisdropped)
			names = lappend(names, pstrdup(NameStr(((Form_pg_attribute) GETSTRUCT(tuple))->attname)));
		ReleaseSysCache(tuple);
	}
}

void
dpem_source_require_unit_type(Oid source, const char *column, int sqlstate)
{
	Oid			type = dpem_source_column_type(source, column);
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR);

	/* of arrays and composite types if all that they are made of has them */
	if (!OidIsValid(entry->eq_opr) || !OidIsValid(entry->lt_opr))
		ereport(ERROR,
				(errcode(sqlstate),
				 errmsg("unit column \"%s\" of \"%s\" is of type %s, whose values have no order", column, get_rel_name(source), format_type_be(type)),
				 errdetail("The rows of one unit are found by sorting."),
				 errhint("Name a column of another type, such as integer, text, uuid or jsonb; a view can cast one.")));
}

bool
dpem_source_column_is_bytewise(Oid source, const char *column)
{
	Oid			type;
	int32		typmod;
	Oid			collation;

	get_atttypetypmodcoll(source, get_attnum(source, column), &type, &typmod, &collation);
	return OidIsValid(collation) && get_collation_isdeterministic(collation);
}

bool
dpem_type_is_whole(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

bool
dpem_enum_has(Oid type, const char *word)
{
	return strlen(word) < NAMEDATALEN && SearchSysCacheExists2(ENUMTYPOIDNAME, ObjectIdGetDatum(type), CStringGetDatum(word));
}

bool
dpem_type_is_kind(Oid type, DpemColumnKind kind)
{
	switch (kind)
	{
		case DPEM_COLUMN_NUMBER:
			return dpem_type_is_whole(type) || type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID;
		case DPEM_COLUMN_ARRAY:
			return type == FLOAT4ARRAYOID || type == FLOAT8ARRAYOID;
		case DPEM_COLUMN_LABEL:
			return type == TEXTOID || type == VARCHAROID || type == BPCHAROID ||
				type == NAMEOID || type == BOOLOID || get_typtype(type) == TYPTYPE_ENUM ||
				dpem_type_is_whole(type);
		case DPEM_COLUMN_TEXT:
			return type == TEXTOID || type == VARCHAROID || type == TSVECTOROID ||
				type == INT4ARRAYOID || type == TEXTARRAYOID;
		case DPEM_COLUMN_KEY:
			return type == UUIDOID || type == DATEOID || dpem_type_is_kind(type, DPEM_COLUMN_LABEL);
		case DPEM_COLUMN_OBSERVED:
		case DPEM_COLUMN_CONSTANT:
			break;
	}
	return false;
}

static void
require_kind(Oid source)
{
	char		kind = get_rel_relkind(source);

	if (kind == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("the source does not exist"),
				 errhint("Of a dataset whose source was dropped give another, as source of dp_alter_dataset, or drop the dataset; the ledger continues.")));
	if (strchr(DPEM_TABLE_KINDS, kind) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" cannot be a private source", get_rel_name(source)),
				 errhint("Register a table, partitioned table, view, materialized view or foreign table.")));
	if (get_rel_persistence(source) == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("temporary table \"%s\" cannot be a private source", get_rel_name(source)),
				 errhint("A ledger must outlive the session: register a permanent table.")));
	if (source < FirstNormalObjectId)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("system relation \"%s\" cannot be a private source", get_rel_name(source))));
}

List *
dpem_source_people(Oid source)
{
	List	   *people = NIL;
	ListCell   *cell;

	foreach(cell, dpem_source_walk(DPEM_WALK_PEOPLE, list_make1_oid(source), NULL, NULL))
	{
		char		kind = get_rel_relkind(lfirst_oid(cell));

		if (kind != '\0' && strchr(DPEM_TABLE_KINDS, kind) != NULL)
			people = lappend_oid(people, lfirst_oid(cell));
	}
	list_sort(people, list_oid_cmp);
	return people;
}

bool
dpem_relations_have(List *relations, int64 account, const char *condition)
{
	Oid			types[] = {OIDARRAYOID, INT8OID};
	Datum		values[] = {dpem_oid_array(relations), Int64GetDatum(account)};
	DpemIdentity saved;
	bool		found;

	dpem_owner_enter(&saved);
	found = dpem_spi_query(condition, 2, types, values, NULL, false, SPI_OK_SELECT) > 0;
	dpem_owner_leave(&saved);
	return found;
}

static List *
find_reads(Oid source)
{
	return dpem_source_walk(DPEM_WALK_READS, list_make1_oid(source), NULL, NULL);
}

static bool
citus_is_here(void)
{
	return OidIsValid(get_relname_relid("pg_dist_partition", PG_CATALOG_NAMESPACE));
}

bool
dpem_source_is_distributed(Oid source)
{
	return citus_is_here() &&
		dpem_relations_have(find_reads(source), 0, READS_CTE " SELECT 1 FROM reads b JOIN pg_catalog.pg_dist_partition p ON p.logicalrelid = b.id");
}

/* every server of Citus can read the whole table, and its own shards: each would keep a ledger of its own */
static void
require_only_ledger(Oid source)
{
	if (!citus_is_here() ||
		!dpem_relations_have(find_reads(source), 0,
							 READS_CTE " SELECT 1 FROM reads b WHERE pg_catalog.relation_is_a_known_shard(b.id::regclass)"
							 " OR EXISTS (SELECT 1 FROM pg_catalog.pg_dist_partition p, pg_catalog.pg_dist_local_group g"
							 "  WHERE p.logicalrelid = b.id AND g.groupid <> 0)"))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("\"%s\" cannot be a private source on this server", get_rel_name(source)),
			 errdetail("It reads a table that Citus has distributed, or a shard, whose ledger is on the coordinator."),
			 errhint("Register the distributed table on the coordinator.")));
}

/* a private table has no rows to read: it gives aggregates, with noise */
static void
refuse_private_table(Oid relation)
{
	if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE &&
		strcmp(GetForeignDataWrapper(GetForeignServer(GetForeignServerIdByRelId(relation))->fdwid)->fdwname, "dpem_fdw") == 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("private table \"%s\" cannot be a private source", get_rel_name(relation)),
				 errhint("Register the table that its dataset reads; dpem.datasets says which.")));
}

void
dpem_source_require_registrable(Oid source)
{
	Oid			caller = GetUserId();
	ListCell   *cell;

	require_kind(source);
	foreach(cell, find_reads(source))
	{
		Oid			relation = lfirst_oid(cell);

		refuse_private_table(relation);
		if (!pg_class_ownercheck(relation, caller))
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 relation == source
					 ? errmsg("must be owner of \"%s\"", get_rel_name(source))
					 : errmsg("must be owner of \"%s\", which \"%s\" reads",
							  get_rel_name(relation), get_rel_name(source))));
	}
	require_only_ledger(source);
}

/* as the planner estimates a table that has grown since (table_block_relation_estimate_size) */
#define EXPECTED_ROWS \
	" SELECT coalesce(sum(c.bytes * CASE WHEN c.reltuples > 0 AND c.relpages > 0" \
	"  THEN c.reltuples / (c.relpages * current_setting('block_size')::float8) ELSE 1.0 / $2 END), 0)::float8," \
	"  coalesce(bool_or(c.relkind = 'f'), false)" \
	" FROM (SELECT t.*, CASE WHEN t.relkind IN ('r', 'm') THEN pg_relation_size(t.oid) ELSE 0 END::float8 AS bytes" \
	"  FROM reads JOIN pg_catalog.pg_class t ON t.oid = reads.id) AS c"

bool
dpem_source_expected_rows(Oid source, int row_width, double *rows)
{
	Oid			types[] = {OIDARRAYOID, INT4OID};
	Datum		values[] = {dpem_oid_array(find_reads(source)), Int32GetDatum(row_width)};
	DpemIdentity saved;
	bool		foreign;
	bool		isnull;

	dpem_owner_enter(&saved);
	dpem_spi_query(READS_CTE EXPECTED_ROWS, 2, types, values, NULL, false, SPI_OK_SELECT);
	*rows = dpem_spi_float8(0, 1);
	foreign = DatumGetBool(dpem_spi_datum(0, 2, &isnull));
	dpem_owner_leave(&saved);
	return !foreign;
}

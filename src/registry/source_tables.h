/*
 * source_tables.h - the relations that a source reads, and SQL about them; included by source_*.c of this folder only.
 */
#ifndef DPEM_REGISTRY_SOURCE_TABLES_H
#define DPEM_REGISTRY_SOURCE_TABLES_H

#include "utils/snapshot.h"

typedef enum DpemWalk
{
	DPEM_WALK_READS,			/* what is read: relations that rewrite rules name, and children */
	DPEM_WALK_PEOPLE			/* whose people these are: what is read, and parents with all that these read */
} DpemWalk;

/*
 * The relations that are reached from these, each once, and these before all others: a list of oids.  By the catalogs of this
 * moment, or as the snapshot sees them; among parallel workers, which have but one, the active one.  ruled, unless NULL: has any
 * of them a rewrite rule?
 */
extern List *dpem_source_walk(DpemWalk walk, List *from, Snapshot snapshot, bool *ruled);

/* as oid[] */
extern Datum dpem_oid_array(List *oids);

/* joins a relation's rewrite rules and what they depend on, as d */
#define RULE_OF(relation) \
	" JOIN pg_catalog.pg_rewrite r ON r.ev_class = " relation \
	" JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid"

/* kinds of relations that can be a source and that a ledger speaks of: tables, partitioned and foreign ones, views, materialised ones */
#define DPEM_TABLE_KINDS "rpfvm"

/* of the oid[] $1, what has been reached: all, or the tables of a source, which a ledger can speak of */
#define READS_CTE "WITH reads(id) AS (SELECT pg_catalog.unnest($1))"
#define PEOPLE_CTE \
	"WITH source(relation, name) AS (SELECT c.oid, pg_catalog.format('%I.%I', n.nspname, c.relname)" \
	"  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace" \
	"  WHERE c.oid = ANY ($1) AND c.relkind IN ('r', 'p', 'f', 'm', 'v'))"

/* does the query, a condition on the relations $1 and the account $2, find anything? */
extern bool dpem_relations_have(List *relations, int64 account, const char *query);

#endif							/* DPEM_REGISTRY_SOURCE_TABLES_H */

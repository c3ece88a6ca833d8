/*
 * source_tables.h - the tables that a source reads, in SQL; included by source_*.c of this folder only.
 *
 * They are found through the rewrite rules of views and the inheritance tree.
 */
#ifndef DPEM_REGISTRY_SOURCE_TABLES_H
#define DPEM_REGISTRY_SOURCE_TABLES_H

/* joins a relation's rewrite rules and what they depend on, as d */
#define RULE_OF(relation) \
	" JOIN pg_catalog.pg_rewrite r ON r.ev_class = " relation \
	" JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid"

/* what a relation reads: rules' relations and children */
#define READS_CTE \
	"WITH RECURSIVE reads(id) AS (SELECT $1 UNION SELECT x.id FROM reads b, LATERAL (" \
	" SELECT d.refobjid AS id FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_depend d" \
	"  ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid" \
	"  AND d.refclassid = 'pg_catalog.pg_class'::regclass WHERE r.ev_class = b.id" \
	" UNION ALL SELECT i.inhrelid FROM pg_catalog.pg_inherits i WHERE i.inhparent = b.id) x)"

/* the same, closed under partition parents too: whose people these are; of the relations that a set of rows `first` has */
#define PEOPLE_OF(first) \
	"WITH RECURSIVE people(id) AS (SELECT " first " UNION SELECT x.id FROM people b, LATERAL (" \
	" SELECT d.refobjid AS id FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_depend d" \
	"  ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid" \
	"  AND d.refclassid = 'pg_catalog.pg_class'::regclass WHERE r.ev_class = b.id" \
	" UNION ALL SELECT i.inhrelid FROM pg_catalog.pg_inherits i WHERE i.inhparent = b.id" \
	" UNION ALL SELECT i.inhparent FROM pg_catalog.pg_inherits i WHERE i.inhrelid = b.id) x)," \
	" source(relation, name) AS (SELECT c.oid, pg_catalog.format('%I.%I', n.nspname, c.relname)" \
	"  FROM people JOIN pg_catalog.pg_class c ON c.oid = people.id" \
	"  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace" \
	"  WHERE c.relkind IN ('r', 'p', 'f', 'm', 'v'))"
#define PEOPLE_CTE PEOPLE_OF("$1")

/* does the query, a condition on the source $1 and the account $2, find anything? */
extern bool dpem_source_reads_any(Oid source, int64 account, const char *query);

#endif							/* DPEM_REGISTRY_SOURCE_TABLES_H */

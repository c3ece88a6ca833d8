/*
 * source_relations.h - which relations a private source reads, and their types.
 */
#ifndef DPEM_REGISTRY_SOURCE_RELATIONS_H
#define DPEM_REGISTRY_SOURCE_RELATIONS_H

#include "registry/dataset.h"

/* schema.name, quoted where needed */
extern char *dpem_relation_qualified_name(Oid relation);

/* owner of an existing relation */
extern Oid	dpem_relation_owner(Oid relation);

/* base type of a column of the source; InvalidOid if there is none of that name */
extern Oid	dpem_source_column_type(Oid source, const char *column);

/* raises an error with that SQLSTATE for a unit column of a type whose values cannot be sorted, as a scan does */
extern void dpem_source_require_unit_type(Oid source, const char *column, int sqlstate);

/* names of the columns of the source */
extern List *dpem_source_column_names(Oid source);

/* does equality of this text column compare bytes, as under every deterministic collation? */
extern bool dpem_source_column_is_bytewise(Oid source, const char *column);

/* int2, int4 or int8: values that count */
extern bool dpem_type_is_whole(Oid type);

/* is the word one of the enum's values, by the catalog of this moment? */
extern bool dpem_enum_has(Oid type, const char *word);

/* number: int2 int4 int8 float4 float8 numeric; array: float4[] float8[]; other kinds: types like text */
extern bool dpem_type_is_kind(Oid type, DpemColumnKind kind);

/*
 * Raises unless `source` is a relation that may be registered by the caller:
 * a permanent or unlogged table, partitioned table, view, materialised view
 * or foreign table, owned together with everything it reads.  Of a table that
 * Citus has distributed, only the table itself, and only on the coordinator.
 */
extern void dpem_source_require_registrable(Oid source);

/*
 * The account whose ledger already covers a table that `source` reads; 0 if
 * there is none.  Raises if there is more than one.
 */
extern int64 dpem_source_find_account(Oid source);

/* the relations that hold the persons of the source, a list of oids in ascending order */
extern List *dpem_source_people(Oid source);

/*
 * Raises DP004 if `source` reads a table of another account than `account`, or,
 * through a view, a table that is new to the account and does not belong to the
 * source's owner.
 */
extern void dpem_source_require_account(Oid source, const char *dataset, int64 account);

/*
 * The source and the relations that it reads, by the catalog of this moment and not of the transaction's snapshot: a list of oids.
 * NIL unless every table of these is recorded under `account` and under no other.
 */
extern List *dpem_source_charged(Oid source, int64 account);

/* one of the relations, or else a table that one reads or one of its people, that has another ledger than `account`; InvalidOid: none has */
extern Oid	dpem_source_other_ledger(List *relations, int64 account);

/*
 * Raises DP004 where this transaction itself has made `source` read a table that is not recorded under `account`: the worker that
 * charges does not see it, so that after the charge the table could not be read.
 */
extern void dpem_source_require_committed(Oid source, const char *dataset, int64 account);

/*
 * Estimated number of rows of the tables that `source` reads, from their size on
 * disk, which is public, with rows of row_width bytes unless the last VACUUM or
 * ANALYZE gives the density.  False if one of them is on another server.
 */
extern bool dpem_source_expected_rows(Oid source, int row_width, double *rows);

/* does `source` read a table that Citus has distributed, whether or not it can be reached? */
extern bool dpem_source_is_distributed(Oid source);

/* records the tables that `source` reads under `account` */
extern void dpem_source_record(Oid source, int64 account);

#endif							/* DPEM_REGISTRY_SOURCE_RELATIONS_H */

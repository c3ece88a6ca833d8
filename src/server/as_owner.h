/*
 * as_owner.h - running catalog queries as the extension's owner.
 *
 * The caller's role, search_path and message settings do not reach a query
 * run between enter and leave.  An error in between is cleaned up by the
 * (sub)transaction's abort, which restores user and settings by itself.
 */
#ifndef DPEM_SERVER_AS_OWNER_H
#define DPEM_SERVER_AS_OWNER_H

#include "executor/spi.h"

#include "server/version_shims.h"

typedef struct DpemIdentity
{
	Oid			user;
	int			security;
	int			guc_nest;
	bool		spi;
} DpemIdentity;

/* owner of the extension, from pg_extension */
extern Oid	dpem_extension_owner(void);

/* of any extension; InvalidOid if it is not installed in this database */
extern Oid	dpem_owner_of_extension(const char *name);

/* the schema that CREATE EXTENSION was given, quoted: that of the function that is called, one of those without a schema of their own */
extern const char *dpem_extension_schema(FunctionCallInfo fcinfo);

/* become `role` in a security-restricted operation with pinned settings; no SPI */
extern void dpem_identity_enter(DpemIdentity *saved, Oid role, bool restricted);
extern void dpem_identity_leave(const DpemIdentity *saved);

/* become the extension's owner and connect SPI */
extern void dpem_owner_enter(DpemIdentity *saved);
extern void dpem_owner_leave(const DpemIdentity *saved);

/* the same as the caller, who reads what it may read: same settings, SPI connected; ended by dpem_owner_leave */
extern void dpem_caller_enter(DpemIdentity *saved);

/*
 * One parameterised query; nulls as for SPI_execute_with_args.  Returns the
 * number of rows, which are in SPI_tuptable.  Internal error unless SPI returns
 * `expected` (SPI_OK_SELECT, ...).  The query itself is shown in the server log
 * only, not in the client's error.
 */
extern uint64 dpem_spi_query(const char *sql, int nargs, const Oid *types,
							 const Datum *values, const char *nulls, bool read_only,
							 int expected);

/* the same of a query that is planned once and executed for several rows of values; the plan is gone with the connection */
extern SPIPlanPtr dpem_spi_prepare(const char *sql, int nargs, const Oid *types);
extern uint64 dpem_spi_execute(SPIPlanPtr plan, const Datum *values, const char *nulls, bool read_only, int expected);

/*
 * One that sees, changes and deletes what has been committed by now, also where the snapshot of its
 * transaction is older (REPEATABLE READ): as foreign keys' triggers do.
 */
extern uint64 dpem_spi_query_latest(const char *sql, int nargs, const Oid *types, const Datum *values, int expected);

/*
 * Reads without a trace in the statistics of tables and indexes, which everybody may see: for
 * lookups of what others have asked.
 */
extern uint64 dpem_spi_query_uncounted(const char *sql, int nargs, Oid *types, Datum *values);

/*
 * Raises a copied error again, in the caller's context: the internal query in
 * which it happened is shown in the log, not to the client.
 */
pg_noreturn extern void dpem_throw_outside(ErrorData *error);

/* the same for the error caught by PG_CATCH, which is copied into `where` */
pg_noreturn extern void dpem_rethrow_outside(MemoryContext where);

/* fields of SPI_tuptable; text comes back in the caller's memory context */
extern Datum dpem_spi_datum(uint64 row, int column, bool *isnull);

/* one that is never null; an internal error if it is */
extern Datum dpem_spi_required(uint64 row, int column);
extern char *dpem_spi_text(uint64 row, int column, MemoryContext where);

/* the first column of so many rows, as char * in that context */
extern List *dpem_spi_texts(uint64 rows, MemoryContext where);
extern int64 dpem_spi_int64(uint64 row, int column);
extern float8 dpem_spi_float8(uint64 row, int column);

/* runs a query with $1, an oid, as the extension's owner; stores the ids it finds, in the current memory context, and returns their number */
extern int	dpem_find_oids(Oid argument, const char *query, Oid **found);

#endif							/* DPEM_SERVER_AS_OWNER_H */

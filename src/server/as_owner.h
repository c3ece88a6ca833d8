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

/* become `role` in a security-restricted operation with pinned settings; no SPI */
extern void dpem_identity_enter(DpemIdentity *saved, Oid role, bool restricted);
extern void dpem_identity_leave(const DpemIdentity *saved);

/* become the extension's owner and connect SPI */
extern void dpem_owner_enter(DpemIdentity *saved);
extern void dpem_owner_leave(const DpemIdentity *saved);

/* stay the caller, who reads what it may, with the same settings, and connect SPI; dpem_owner_leave ends it */
extern void dpem_caller_enter(DpemIdentity *saved);

/*
 * One parameterised query; nulls as for SPI_execute_with_args.  Returns the
 * number of rows, which stand in SPI_tuptable.  Fails with an internal error
 * unless SPI answers `expected` (SPI_OK_SELECT, ...).  What an error says of
 * the query itself goes to the server log only.
 */
extern uint64 dpem_spi_query(const char *sql, int nargs, const Oid *types,
							 const Datum *values, const char *nulls, bool read_only,
							 int expected);

/*
 * Raises a copied error again, in the context that the caller has here: a
 * client is not told inside which query of ours it happened, the log is.
 */
pg_noreturn extern void dpem_throw_outside(ErrorData *error);

/* the same for the error that PG_CATCH has caught, which `where` keeps meanwhile */
pg_noreturn extern void dpem_rethrow_outside(MemoryContext where);

/* fields of SPI_tuptable; text comes back in the caller's memory context */
extern Datum dpem_spi_datum(uint64 row, int column, bool *isnull);
extern char *dpem_spi_text(uint64 row, int column, MemoryContext where);
extern int64 dpem_spi_int64(uint64 row, int column);
extern float8 dpem_spi_float8(uint64 row, int column);

/* ids that a query of $1, an oid, finds as the extension's owner, in the current memory context; their number */
extern int	dpem_find_oids(Oid argument, const char *query, Oid **found);

#endif							/* DPEM_SERVER_AS_OWNER_H */

/*
 * extension_libraries.c - see extension_libraries.h.
 *
 * CREATE EXTENSION has loaded each of them before, so that none should fail.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"

#include "server/as_owner.h"
#include "server/extension_libraries.h"

static bool loaded = false;

void
dpem_load_extension_libraries(void)
{
	MemoryContext keep = CurrentMemoryContext;
	DpemIdentity saved;
	List	   *libraries;
	ListCell   *cell;
	uint64		n;

	if (loaded)
		return;
	dpem_owner_enter(&saved);
	n = dpem_spi_query("SELECT DISTINCT p.probin FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_depend d"
					   " ON d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid"
					   " AND d.refclassid = 'pg_catalog.pg_extension'::regclass AND d.deptype = 'e'"
					   " JOIN pg_catalog.pg_language l ON l.oid = p.prolang AND l.lanname = 'c'",
					   0, NULL, NULL, NULL, true, SPI_OK_SELECT);
	libraries = dpem_spi_texts(n, keep);
	dpem_owner_leave(&saved);
	foreach(cell, libraries)
		load_file(lfirst(cell), false);
	list_free_deep(libraries);
	loaded = true;
}

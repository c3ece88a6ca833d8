/*
 * dpem.c - module entry: each module defines its own settings.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/guc.h"

#include "catalog/catalog_lock.h"
#include "catalog/spill.h"
#include "engine/blas_library.h"
#include "engine/fit.h"
#include "engine/resident_fit.h"
#include "version_shims.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	dpem_blas_library_init();
	dpem_lock_init();
	dpem_spill_init();
	dpem_fit_init();
	dpem_resident_fit_init();
	MarkGUCPrefixReserved("dpem");
}

/*
 * dpem.c - module entry: each module defines its own settings.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/guc.h"

#include "answers/kept.h"
#include "fdw/fdw.h"
#include "families/evaluation/evaluation.h"
#include "fit/fit.h"
#include "registry/source_capture.h"
#include "scan/pass.h"
#include "scan/query/source.h"
#include "scan/resident_fit.h"
#include "server/blas_library.h"
#include "server/catalog_lock.h"
#include "server/entropy.h"
#include "server/spill.h"
#include "server/version_shims.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	dpem_blas_library_init();
	dpem_entropy_init();
	dpem_lock_init();
	dpem_spill_init();
	dpem_own_pass_init();
	dpem_source_execute_init();
	dpem_capture_init();
	dpem_kept_init();
	dpem_fit_init();
	dpem_evaluation_init();
	dpem_resident_fit_init();
	dpem_fdw_init();
	MarkGUCPrefixReserved("dpem");
}

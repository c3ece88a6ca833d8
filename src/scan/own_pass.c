/*
 * own_pass.c - the pass that a scan of dpem's own runs at this moment; see pass.h.
 *
 * A setting that only superusers may set holds the pass's SHA-256: parallel workers start with the leader's settings,
 * and a function of the owner's that runs within the scan can hand the aggregate no other bytes.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"

#include "scan/pass.h"
#include "server/version_shims.h"

#define SETTING "dpem.own_pass"

static char *own_pass = "";

void
dpem_own_pass_init(void)
{
	DefineCustomStringVariable(
		SETTING, "SHA-256 of the pass that a scan of private rows runs.", NULL,
		&own_pass, "", PGC_SUSET, GUC_NO_SHOW_ALL | GUC_NO_RESET_ALL | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
		NULL, NULL, NULL);
}

static char *
digest(bytea *wire)
{
	Datum		hash = DirectFunctionCall1(sha256_bytea, PointerGetDatum(wire));

	return TextDatumGetCString(DirectFunctionCall2(binary_encode, hash, CStringGetTextDatum("hex")));
}

void
dpem_own_pass_set(bytea *wire)
{
	(void) set_config_option(SETTING, digest(wire), PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

PG_FUNCTION_INFO_V1(dpem_brings_models_transition);

/* of an aggregate that is asked for by who may execute it, not for what it says */
Datum
dpem_brings_models_transition(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(true);
}

static bool
brings_models(void)
{
	Oid			arguments[] = {BYTEAOID, ANYOID};
	List	   *name = list_make2(makeString("dpem_internal"), makeString("brings_models"));
	Oid			function = LookupFuncName(name, lengthof(arguments), arguments, true);

	return OidIsValid(function) && pg_proc_aclcheck(function, GetUserId(), ACL_EXECUTE) == ACLCHECK_OK;
}

bool
dpem_own_pass_is(bytea *wire)
{
	return own_pass[0] != '\0' && strcmp(own_pass, digest(wire)) == 0;
}

void
dpem_own_pass_require(bytea *wire)
{
	if (!dpem_own_pass_is(wire) && !brings_models())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to bring a model to dpem_internal.moments"),
				 errhint("Grant EXECUTE on FUNCTION dpem_internal.brings_models to a role that another server's dp_evaluate connects as, and to no other.")));
}

/*
 * version_shims.h - what differs between the server headers of PostgreSQL 14
 * and 18.  The code is written for 15; a file that uses a name below includes
 * this header after those of the server.
 */
#ifndef DPEM_VERSION_SHIMS_H
#define DPEM_VERSION_SHIMS_H

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/guc.h"

/* ---- since 18: a prefix in place of the attribute behind a declaration ---- */

#ifndef pg_noreturn
#define pg_noreturn pg_attribute_noreturn()
#endif

/* ---- since 18: what an operator sorts by is no number of a B-tree's strategy ---- */

#if PG_VERSION_NUM >= 180000
#include "access/cmptype.h"

typedef CompareType DpemOrdering;
#define DPEM_ASCENDING	COMPARE_LT
#define DPEM_DESCENDING	COMPARE_GT
#else
#include "access/stratnum.h"

typedef int16 DpemOrdering;
#define DPEM_ASCENDING	BTLessStrategyNumber
#define DPEM_DESCENDING	BTGreaterStrategyNumber
#endif

/* ---- since 18: the collation has no name in headers ---- */

#include "catalog/pg_collation.h"

#ifndef POSIX_COLLATION_OID
#define POSIX_COLLATION_OID 951
#endif

/* ---- since 16: datums of variable length have a header of their own, and
 * owners are checked by class of object ---- */

#if PG_VERSION_NUM >= 160000
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "utils/acl.h"
#include "varatt.h"

#define pg_class_ownercheck(relation, role) object_ownercheck(RelationRelationId, (relation), (role))
#define pg_proc_aclcheck(function, role, mode) object_aclcheck(ProcedureRelationId, (function), (role), (mode))
#define pg_namespace_aclcheck(schema, role, mode) object_aclcheck(NamespaceRelationId, (schema), (role), (mode))
#endif

/* ---- since 16: rights on tables are a list of their own ---- */

/* for files that include executor/executor.h: raises an error unless the current role, or whom a view is read as, has the rights that a level of a query asks for */
#if PG_VERSION_NUM >= 160000
#define dpem_check_query_rights(query) ExecCheckPermissions((query)->rtable, (query)->rteperminfos, true)
#else
#define dpem_check_query_rights(query) ExecCheckRTPerms((query)->rtable, true)
#endif

/* ---- all settings: the server's own list; since 16 a copy made for the caller ---- */

#if PG_VERSION_NUM >= 160000
#define dpem_guc_variables(n) get_guc_variables(n)
#else
#define dpem_guc_variables(n) (*(n) = GetNumConfigOptions(), get_guc_variables())
#endif

/* ---- since 15 ---- */

#if PG_VERSION_NUM < 150000
#include "storage/sharedfileset.h"

/* without a segment the creator deletes the files itself */
typedef SharedFileSet FileSet;
#define FileSetInit(files) SharedFileSetInit((files), NULL)
#define FileSetCreate(files, name) SharedFileSetCreate((files), (name))
#define FileSetOpen(files, name, mode) SharedFileSetOpen((files), (name), (mode))
#define FileSetDeleteAll(files) SharedFileSetDeleteAll(files)
#else
#include "storage/fileset.h"
#endif

#if PG_VERSION_NUM < 150000
#include "access/xlog.h"
#include "nodes/parsenodes.h"

#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)

/* valid once RecoveryInProgress() has answered no */
#define GetWALInsertionTimeLine() (ThisTimeLineID)

#define strtoi64(text, end, base) ((int64) strtoll((text), (end), (base)))

/* The text of a query is not available: NULL. */
static inline char *
pg_get_querydef(Query *query, bool pretty)
{
	return NULL;
}

#define MAT_SRF_USE_EXPECTED_DESC 0x01

/* Makes the result of a set-returning function a tuplestore, of its declared type or of the type that the caller expects. */
static inline void
InitMaterializedSRF(FunctionCallInfo fcinfo, bits32 flags)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext previous;

	if (result == NULL || !IsA(result, ReturnSetInfo) || !(result->allowedModes & SFRM_Materialize) ||
		((flags & MAT_SRF_USE_EXPECTED_DESC) && result->expectedDesc == NULL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("a set cannot be returned to this context")));
	previous = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
	if (flags & MAT_SRF_USE_EXPECTED_DESC)
		result->setDesc = CreateTupleDescCopy(result->expectedDesc);
	else if (get_call_result_type(fcinfo, NULL, &result->setDesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "dpem: unexpected result type");
	result->setResult = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0, false, work_mem);
	result->returnMode = SFRM_Materialize;
	MemoryContextSwitchTo(previous);
}
#endif

#endif							/* DPEM_VERSION_SHIMS_H */

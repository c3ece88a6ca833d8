/*
 * source_capture.c - see source_capture.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/plancache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "registry/source_capture.h"
#include "registry/source_relations.h"
#include "server/as_owner.h"
#include "server/spill.h"
#include "server/version_shims.h"

/*
 * What $1 depends on: rules, children, indexes, constraints and statistics of
 * relations, and what those, functions, operators and types depend on.  Of a
 * relation itself only indexes and composite types count: a column's type or
 * default does nothing in a scan, but for a range's difference, which the planner
 * calls, as the session has found it, for what statistics say of a column.
 */
#define PARTS_CTE \
	"WITH RECURSIVE part(class, id) AS (SELECT 'pg_catalog.pg_class'::regclass::oid, $1" \
	" UNION SELECT x.class, x.id FROM part p, LATERAL (" \
	"  SELECT d.refclassid, d.refobjid FROM pg_catalog.pg_depend d WHERE d.classid = p.class AND d.objid = p.id" \
	"   AND d.refclassid IN ('pg_catalog.pg_class'::regclass, 'pg_catalog.pg_proc'::regclass," \
	"    'pg_catalog.pg_operator'::regclass, 'pg_catalog.pg_type'::regclass)" \
	"   AND (p.class <> 'pg_catalog.pg_class'::regclass OR EXISTS (SELECT FROM pg_catalog.pg_class c" \
	"    WHERE c.oid = p.id AND c.relkind IN ('c', 'i', 'I')))" \
	"  UNION ALL SELECT 'pg_catalog.pg_rewrite'::regclass, r.oid FROM pg_catalog.pg_rewrite r" \
	"   WHERE p.class = 'pg_catalog.pg_class'::regclass AND r.ev_class = p.id" \
	"  UNION ALL SELECT 'pg_catalog.pg_class'::regclass, i.indexrelid FROM pg_catalog.pg_index i" \
	"   WHERE p.class = 'pg_catalog.pg_class'::regclass AND i.indrelid = p.id" \
	"  UNION ALL SELECT 'pg_catalog.pg_class'::regclass, i.inhrelid FROM pg_catalog.pg_inherits i" \
	"   WHERE p.class = 'pg_catalog.pg_class'::regclass AND i.inhparent = p.id" \
	"  UNION ALL SELECT 'pg_catalog.pg_statistic_ext'::regclass, e.oid FROM pg_catalog.pg_statistic_ext e" \
	"   WHERE p.class = 'pg_catalog.pg_class'::regclass AND e.stxrelid = p.id" \
	"  UNION ALL SELECT 'pg_catalog.pg_constraint'::regclass, k.oid FROM pg_catalog.pg_constraint k" \
	"   WHERE k.contype = 'c' AND (p.class = 'pg_catalog.pg_class'::regclass AND k.conrelid = p.id" \
	"    OR p.class = 'pg_catalog.pg_type'::regclass AND k.contypid = p.id)" \
	"  UNION ALL SELECT 'pg_catalog.pg_type'::regclass, e.oid FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid" \
	"   JOIN pg_catalog.pg_type e ON e.oid IN (t.oid, t.typelem, t.typbasetype) AND e.typtype IN ('r', 'm') AND e.oid >= 16384" \
	"   WHERE p.class = 'pg_catalog.pg_class'::regclass AND a.attrelid = p.id AND a.atttypid >= 16384" \
	"    AND EXISTS (SELECT FROM pg_catalog.pg_range g WHERE g.rngtypid >= 16384)" \
	"  UNION ALL SELECT 'pg_catalog.pg_class'::regclass, t.typrelid FROM pg_catalog.pg_type t" \
	"   WHERE p.class = 'pg_catalog.pg_type'::regclass AND t.oid = p.id AND t.typtype = 'c') x(class, id))"

static bool
has_own_path(HeapTuple function)
{
	bool		isnull;
	Datum		config = SysCacheGetAttr(PROCOID, function, Anum_pg_proc_proconfig, &isnull);
	Datum	   *item;
	int			n;

	if (isnull)
		return false;
	deconstruct_array(DatumGetArrayTypeP(config), TEXTOID, -1, false, TYPALIGN_INT, &item, NULL, &n);
	for (int i = 0; i < n; i++)
	{
		char	   *setting = TextDatumGetCString(item[i]);

		if (strncmp(setting, "search_path=", 12) == 0)
			return strstr(setting, "$user") == NULL;
	}
	return false;
}

/* may others than its owner call it? */
static bool
is_shared(HeapTuple function)
{
	Oid			owner = ((Form_pg_proc) GETSTRUCT(function))->proowner;
	bool		isnull;
	Datum		datum = SysCacheGetAttr(PROCOID, function, Anum_pg_proc_proacl, &isnull);
	Acl		   *acl;

	if (isnull)
		return true;			/* everybody, by default */
	acl = DatumGetAclP(datum);
	for (int i = 0; i < ACL_NUM(acl); i++)
	{
		const AclItem *item = ACL_DAT(acl) + i;

		if (item->ai_grantee != owner && (ACLITEM_GET_PRIVS(*item) & ACL_EXECUTE) != 0)
			return true;
	}
	return false;
}

/* of internal, c and sql the session keeps no names */
static bool
is_borrowed(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		borrowed = false;

	if (HeapTupleIsValid(tuple))
	{
		Oid			language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;

		borrowed = language != INTERNALlanguageId && language != ClanguageId && language != SQLlanguageId &&
			!has_own_path(tuple) && is_shared(tuple);
		ReleaseSysCache(tuple);
	}
	return borrowed;
}

/* a superuser has installed it, whoever its functions belong to since; of a trusted extension its owner may make functions members */
static bool
is_of_administrators(Oid extension)
{
	const char *name = OidIsValid(extension) ? get_extension_name(extension) : NULL;

	return name != NULL && (strcmp(name, "dpem") == 0 || superuser_arg(dpem_owner_of_extension(name)));
}

/*
 * Whoever owns a function may replace it by one that keeps the rows, or that reads whatever else its caller may, and whoever owns
 * a domain may check it by one: is that anybody who is not the reader already, as a superuser and the reader's members are?
 */
static bool
is_strangers(Oid class, Oid object, Oid owner, Oid reader)
{
	return !superuser_arg(owner) && !is_member_of_role(owner, reader) && !is_of_administrators(getExtensionOfObject(class, object));
}

static bool
is_strangers_function(Oid function, Oid reader)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return false;
	owner = ((Form_pg_proc) GETSTRUCT(tuple))->proowner;
	ReleaseSysCache(tuple);
	return is_strangers(ProcedureRelationId, function, owner, reader);
}

static bool
is_strangers_domain(Oid type, Oid reader)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Oid			owner;
	bool		is_domain;

	if (!HeapTupleIsValid(tuple))
		return false;
	owner = ((Form_pg_type) GETSTRUCT(tuple))->typowner;
	is_domain = ((Form_pg_type) GETSTRUCT(tuple))->typtype == TYPTYPE_DOMAIN;
	ReleaseSysCache(tuple);
	return is_domain && is_strangers(TypeRelationId, type, owner, reader);
}

static void
refuse_strangers(Oid function, Oid reader)
{
	char	   *name = format_procedure(function);

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("function %s cannot be called in a scan of private rows", name),
			 errdetail("It belongs to another role, who can make it do anything with the rights of the rows' owner."),
			 errhint("ALTER FUNCTION %s OWNER TO %s puts that right, and so does a copy of it that is the owner's.", name,
					 quote_identifier(GetUserNameFromId(reader, false)))));
}

static void
refuse_domain(Oid type, Oid reader)
{
	char	   *name = format_type_be_qualified(type);

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("domain %s cannot be cast to in a scan of private rows", name),
			 errdetail("It belongs to another role, who can check it by anything with the rights of the rows' owner."),
			 errhint("ALTER DOMAIN %s OWNER TO %s puts that right, and so does a cast to its base type.", name,
					 quote_identifier(GetUserNameFromId(reader, false)))));
}

static void
refuse(Oid function)
{
	char	   *name = format_procedure(function);

	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("function %s cannot be called in a scan of private rows", name),
			 errdetail("Others may call it too, and what it took names in it for when they did would count for its owner's rows."),
			 errhint("Its owner can say ALTER FUNCTION %s SET search_path = pg_catalog, with the schemas that it needs, or revoke EXECUTE on it from PUBLIC.", name)));
}

/* no function and domain with one oid are told apart: what is wrong with either is refused */
void
dpem_source_refuse_borrowed(Oid source)
{
	const Oid	reader = dpem_relation_owner(source);
	Oid		   *part;
	int			n = dpem_find_oids(source, PARTS_CTE " SELECT p.id FROM part p LEFT JOIN pg_catalog.pg_type t"
								   " ON p.class = 'pg_catalog.pg_type'::regclass AND t.oid = p.id"
								   " WHERE p.class = 'pg_catalog.pg_proc'::regclass OR t.typtype = 'd' ORDER BY p.id", &part);

	for (int i = 0; i < n; i++)
	{
		if (is_borrowed(part[i]))
			refuse(part[i]);
		if (is_strangers_function(part[i], reader))
			refuse_strangers(part[i], reader);
		if (is_strangers_domain(part[i], reader))
			refuse_domain(part[i], reader);
	}
	pfree(part);
}

void
dpem_source_refuse_capture(Oid source, const char *dataset)
{
	Oid		   *part;
	Oid			temporary;
	Oid			toast;
	int			n;

	dpem_source_refuse_borrowed(source);
	GetTempNamespaceState(&temporary, &toast);
	if (!OidIsValid(temporary))
		return;
	n = dpem_find_oids(source,
				 PARTS_CTE " SELECT p.id FROM part p WHERE (p.class IN ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass)"
				 "  OR p.class = 'pg_catalog.pg_type'::regclass AND EXISTS (SELECT FROM pg_catalog.pg_type t"
				 "   WHERE t.oid = p.id AND t.typtype IN ('b', 'c', 'd', 'm', 'r')))"
				 " AND EXISTS (SELECT FROM pg_catalog.pg_type c WHERE c.typnamespace = pg_catalog.pg_my_temp_schema()) LIMIT 1", &part);
	pfree(part);
	if (n > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("dataset \"%s\" cannot be fitted beside temporary tables", dataset),
				 errdetail("Its source calls functions of its owner, in which a name could mean a temporary table."),
				 errhint("Say DISCARD TEMP first, or fit in another session.")));
}

/* ---- functions that functions call ---- */

#define SCANNED_ROWS "dpem.scanned_rows"

static char *scanned_rows = "";	/* OID of the role whose rows are scanned, and the number of their ledger; empty: no scan */
static needs_fmgr_hook_type previous_needs = NULL;
static fmgr_hook_type previous_call = NULL;
static object_access_hook_type previous_access = NULL;

static void
require_harmless(Oid function)
{
	if (dpem_is_scanning() && is_borrowed(function))
		refuse(function);
	if (scanned_rows[0] != '\0' && is_strangers_function(function, atooid(scanned_rows)))
		refuse_strangers(function, atooid(scanned_rows));
}

/* fmgr_info asks for every function that is not built in, before its first call, and the planner before it inlines one */
static bool
needs_hook(Oid function)
{
	require_harmless(function);
	return previous_needs != NULL && previous_needs(function);
}

/* of functions with settings or rights of their own fmgr_info does not ask */
static void
call_hook(FmgrHookEventType event, FmgrInfo *info, Datum *private)
{
	if (event == FHET_START)
		require_harmless(info->fn_oid);
	if (previous_call != NULL)
		previous_call(event, info, private);
}

/* nor of aggregates, only of what they are made of */
static void
access_hook(ObjectAccessType access, Oid class, Oid object, int part, void *argument)
{
	if (access == OAT_FUNCTION_EXECUTE && object >= FirstNormalObjectId)
		require_harmless(object);
	if (previous_access != NULL)
		previous_access(access, class, object, part, argument);
}

int64
dpem_scanned_ledger(void)
{
	const char *ledger = strchr(scanned_rows, ' ');

	return ledger == NULL ? 0 : strtoi64(ledger, NULL, 10);
}

void
dpem_capture_watch(Oid owner, int64 ledger)
{
	(void) set_config_option(SCANNED_ROWS, psprintf("%u " INT64_FORMAT, owner, ledger), PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	/* in a plan of the session's own functions are inlined, and in an expression of the transaction's they are found already */
	ResetPlanCache();
}

void
dpem_capture_init(void)
{
	DefineCustomStringVariable(
		SCANNED_ROWS, "Role whose private rows are being scanned, and their ledger.", NULL,
		&scanned_rows, "", PGC_SUSET, GUC_NO_SHOW_ALL | GUC_NO_RESET_ALL | GUC_NOT_IN_SAMPLE | GUC_DISALLOW_IN_FILE,
		NULL, NULL, NULL);
	previous_call = fmgr_hook;
	fmgr_hook = call_hook;
	previous_needs = needs_fmgr_hook;
	needs_fmgr_hook = needs_hook;
	previous_access = object_access_hook;
	object_access_hook = access_hook;
}

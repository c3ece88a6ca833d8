/*
 * model_rights.c - granting, revoking and dropping models, for those who made them or own their source.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "fit/model_store.h"
#include "server/argument_list.h"
#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dp_grant_model);
PG_FUNCTION_INFO_V1(dp_revoke_model);
PG_FUNCTION_INFO_V1(dp_drop_model);

static void
grant_model(const char *name, Oid role)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID, OIDOID, TEXTOID};
	Datum		values[3];
	DpemIdentity saved;

	if (OidIsValid(role))
		(void) GetUserNameFromId(role, false);
	values[1] = ObjectIdGetDatum(role);
	values[2] = CStringGetTextDatum(GetUserNameFromId(caller, false));
	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(dpem_model_find(name, caller, true, false));
	dpem_spi_query("INSERT INTO dpem.model_grant (model, role, granted_by)"
				   " VALUES ($1, $2::regrole, $3) ON CONFLICT DO NOTHING",
				   3, types, values, NULL, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
}

static void
revoke_model(const char *name, Oid role)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID, OIDOID};
	Datum		values[2];
	DpemIdentity saved;

	values[1] = ObjectIdGetDatum(role);
	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(dpem_model_find(name, caller, true, false));
	if (dpem_spi_query("DELETE FROM dpem.model_grant WHERE model = $1 AND role = $2", 2, types,
					   values, NULL, false, SPI_OK_DELETE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("model \"%s\" was not granted to role \"%s\"", name,
						OidIsValid(role) ? GetUserNameFromId(role, false) : "public")));
	dpem_owner_leave(&saved);
}

static void
drop_model(const char *name)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID};
	Datum		values[1];
	DpemIdentity saved;
	int64		id;

	dpem_owner_enter(&saved);
	id = dpem_model_find(name, caller, true, false);
	values[0] = Int64GetDatum(id);
	dpem_spi_query("DELETE FROM dpem.model_grant WHERE model = $1", 1, types, values, NULL, false, SPI_OK_DELETE);
	dpem_model_delete(id);
	dpem_owner_leave(&saved);
}

/* a regrole, or the name of a role as text, of which public is everybody */
static Oid
role_argument(FunctionCallInfo fcinfo)
{
	char	   *name;

	dpem_require_argument(fcinfo, 1, "role");
	if (get_fn_expr_argtype(fcinfo->flinfo, 1) != TEXTOID)
	{
		/* raises for 0, which public is in the table */
		(void) GetUserNameFromId(PG_GETARG_OID(1), false);
		return PG_GETARG_OID(1);
	}
	name = dpem_text_argument(fcinfo, 1, "role");
	return strcmp(name, "public") == 0 ? InvalidOid
		: DatumGetObjectId(DirectFunctionCall1(regrolein, CStringGetDatum(name)));
}

/* dp_grant_model(model text, role regrole), and (model text, role text) */
Datum
dp_grant_model(PG_FUNCTION_ARGS)
{
	Oid			role = role_argument(fcinfo);

	grant_model(dpem_text_argument(fcinfo, 0, "model"), role);
	PG_RETURN_VOID();
}

/* dp_revoke_model(model text, role regrole), and (model text, role text) */
Datum
dp_revoke_model(PG_FUNCTION_ARGS)
{
	Oid			role = role_argument(fcinfo);

	revoke_model(dpem_text_argument(fcinfo, 0, "model"), role);
	PG_RETURN_VOID();
}

/* dp_drop_model(model text) */
Datum
dp_drop_model(PG_FUNCTION_ARGS)
{
	drop_model(dpem_text_argument(fcinfo, 0, "model"));
	PG_RETURN_VOID();
}

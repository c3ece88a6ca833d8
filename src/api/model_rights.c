/*
 * model_rights.c - granting, revoking and dropping models, for those who made them or own their source.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "fit/model_store.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dp_grant_model);
PG_FUNCTION_INFO_V1(dp_revoke_model);
PG_FUNCTION_INFO_V1(dp_drop_model);
PG_FUNCTION_INFO_V1(dp_grant_models);
PG_FUNCTION_INFO_V1(dp_revoke_models);

/* the model that has the name by now, whose rights are changed as by GRANT and REVOKE, whatever the transaction's snapshot sees */
static int64
find_by_now(const char *name, Oid caller)
{
	int64		id;

	PushActiveSnapshot(GetLatestSnapshot());
	id = dpem_model_find(name, caller, true, true);
	PopActiveSnapshot();
	return id;
}

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
	values[0] = Int64GetDatum(find_by_now(name, caller));
	dpem_spi_query_latest("INSERT INTO dpem_internal.model_grant (model, role, granted_by)"
						  " VALUES ($1, $2::regrole, $3) ON CONFLICT DO NOTHING",
						  3, types, values, SPI_OK_INSERT);
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
	values[0] = Int64GetDatum(find_by_now(name, caller));
	if (dpem_spi_query_latest("DELETE FROM dpem_internal.model_grant WHERE model = $1 AND role = $2", 2, types, values, SPI_OK_DELETE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("model \"%s\" was not granted to role \"%s\"", name,
						OidIsValid(role) ? GetUserNameFromId(role, false) : "public"),
				 errhint("Revoke it from the role that it was granted to, of which this one may be a member.")));
	dpem_owner_leave(&saved);
}

/* evaluations that were stored while their models were dropped: they wait for nobody, nor does who replaces a model for them */
static void
sweep_evaluations(void)
{
	dpem_spi_query("WITH gone AS (DELETE FROM dpem_internal.evaluation WHERE charge IN (SELECT e.charge FROM dpem_internal.evaluation e"
				   "  WHERE NOT EXISTS (SELECT FROM dpem_internal.model m WHERE m.id = e.model) FOR UPDATE OF e SKIP LOCKED) RETURNING charge)"
				   " DELETE FROM dpem_internal.evaluation_metric v USING gone g WHERE v.charge = g.charge",
				   0, NULL, NULL, NULL, false, SPI_OK_DELETE);
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
	dpem_spi_query_latest("DELETE FROM dpem_internal.model_grant WHERE model = $1", 1, types, values, SPI_OK_DELETE);
	dpem_model_delete(id);
	sweep_evaluations();
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
	return pg_strcasecmp(name, "public") == 0 ? InvalidOid
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

#define MODELS_OF "SELECT m.id FROM dpem_internal.model m WHERE m.dataset = $1 AND" DPEM_MAY_CHANGE_MODEL

/* one statement over all models of a dataset that the caller may grant; returns how many it changed */
static Datum
change_grants(FunctionCallInfo fcinfo, const char *statement, int expected)
{
	Oid			types[] = {TEXTOID, OIDOID, OIDOID, TEXTOID};
	char	   *dataset = dpem_text_argument(fcinfo, 0, "dataset");
	Oid			caller = GetUserId();
	Datum		values[] = {CStringGetTextDatum(dataset), ObjectIdGetDatum(caller), ObjectIdGetDatum(role_argument(fcinfo)),
	CStringGetTextDatum(GetUserNameFromId(caller, false))};
	DpemIdentity saved;
	uint64		changed;

	dpem_owner_enter(&saved);
	if (dpem_spi_query_latest(MODELS_OF, 2, types, values, SPI_OK_SELECT) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no model of dataset \"%s\" that you may grant", dataset),
				 errhint("Models are granted by the role that made them and by the owner of the dataset's source; the view dpem.models lists those you may read.")));
	changed = dpem_spi_query_latest(statement, 4, types, values, expected);
	dpem_owner_leave(&saved);
	PG_RETURN_INT64((int64) changed);
}

/* dp_grant_models(dataset text, role regrole), and (dataset text, role text): how many models the role could not read so */
Datum
dp_grant_models(PG_FUNCTION_ARGS)
{
	return change_grants(fcinfo, "INSERT INTO dpem_internal.model_grant (model, role, granted_by) SELECT s.id, $3::regrole, $4 FROM ("
						 MODELS_OF ") s ON CONFLICT DO NOTHING", SPI_OK_INSERT);
}

/* dp_revoke_models(dataset text, role regrole), and (dataset text, role text): how many grants there were */
Datum
dp_revoke_models(PG_FUNCTION_ARGS)
{
	return change_grants(fcinfo, "DELETE FROM dpem_internal.model_grant g WHERE g.role = $3 AND $4 IS NOT NULL AND g.model IN (" MODELS_OF ")",
						 SPI_OK_DELETE);
}

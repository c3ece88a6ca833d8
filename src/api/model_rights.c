/*
 * model_rights.c - granting, revoking, dropping and refreshing models, for those who made them or own their source.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "fit/model_store.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dp_grant_model);
PG_FUNCTION_INFO_V1(dp_revoke_model);
PG_FUNCTION_INFO_V1(dp_drop_model);
PG_FUNCTION_INFO_V1(dp_refresh_model);
PG_FUNCTION_INFO_V1(dp_grant_models);
PG_FUNCTION_INFO_V1(dp_revoke_models);

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
	dpem_spi_query("INSERT INTO dpem_internal.model_grant (model, role, granted_by)"
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
	if (dpem_spi_query("DELETE FROM dpem_internal.model_grant WHERE model = $1 AND role = $2", 2, types,
					   values, NULL, false, SPI_OK_DELETE) == 0)
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
	dpem_spi_query("DELETE FROM dpem_internal.model_grant WHERE model = $1", 1, types, values, NULL, false, SPI_OK_DELETE);
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

/* ---- dp_refresh_model: the fit once more, an ordinary call of whoever asks, on the rows as they are now ---- */

/* what the catalog has of a call */
typedef struct KeptCall
{
	char	   *function;
	char	   *arguments;
	char	   *dataset;		/* under its present name */
	char	   *family;
	char	   *stem;			/* of a model of one category, the name of all of them */
	double		epsilon;
	double		delta;
} KeptCall;

#define KEPT \
	"SELECT m.function, m.arguments, m.dataset, m.family," \
	" CASE WHEN m.category IS NULL THEN m.name ELSE left(m.name, -1 - length(m.category)) END, m.epsilon, m.delta" \
	" FROM dpem_internal.model m WHERE m.id = $1"

static KeptCall
load(const char *model)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	Oid			types[] = {INT8OID};
	Datum		values[1];
	KeptCall	call;
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(dpem_model_find(model, role, true, false));
	dpem_spi_query(KEPT, 1, types, values, NULL, false, SPI_OK_SELECT);
	call = (KeptCall) {
		.function = dpem_spi_text(0, 1, caller),.arguments = dpem_spi_text(0, 2, caller),.dataset = dpem_spi_text(0, 3, caller),
			.family = dpem_spi_text(0, 4, caller),.stem = dpem_spi_text(0, 5, caller),.epsilon = dpem_spi_float8(0, 6),
			.delta = dpem_spi_float8(0, 7)
	};
	dpem_owner_leave(&saved);
	if (call.function == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("model \"%s\" has no arguments to fit it with again", model),
				 errdetail("It was made in another database."),
				 errhint("Fit it with replace => true.")));
	return call;
}

/* within the bounds, in the columns' own units: as init_means takes them */
#define MEANS \
	"SELECT pg_catalog.array_agg(LEAST(GREATEST(dpem.from_scale(c.scale, v.%s), c.lower), c.upper)" \
	" ORDER BY v.component, c.position)::text FROM dpem.%s v JOIN dpem.model_columns c ON c.model OPERATOR(pg_catalog.=) v.model" \
	" AND c.column_name OPERATOR(pg_catalog.=) v.column_name WHERE v.model OPERATOR(pg_catalog.=) $1"

/* from the released means, as the caller sees them, unless the arguments have others; "" for families that have none */
static char *
warm_start(const KeptCall *call, const char *model)
{
	bool		gmm = strcmp(call->family, "gmm") == 0;
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(model)};
	DpemIdentity saved;
	char	   *means;

	if ((!gmm && strcmp(call->family, "kmeans") != 0) || strstr(call->arguments, ", init_means => ") != NULL)
		return "";
	dpem_caller_enter(&saved);
	dpem_spi_query(psprintf(MEANS, gmm ? "mean" : "center", gmm ? "gmm_means" : "kmeans_centers"), 1, types, values, NULL, true, SPI_OK_SELECT);
	means = dpem_spi_text(0, 1, caller);
	dpem_owner_leave(&saved);
	return means ? psprintf(", init_means => %s", quote_literal_cstr(means)) : "";
}

/* dp_refresh_model(model text, epsilon float8, warm boolean): raises as dp_drop_model and the fit do */
Datum
dp_refresh_model(PG_FUNCTION_ARGS)
{
	char	   *model = dpem_text_argument(fcinfo, 0, "model");
	KeptCall	call = load(model);
	const char *schema = dpem_extension_schema(fcinfo);
	double		epsilon = PG_ARGISNULL(1) ? call.epsilon : PG_GETARG_FLOAT8(1);
	char	   *start;
	DpemIdentity saved;

	dpem_check_epsilon("epsilon", epsilon);
	dpem_require_argument(fcinfo, 2, "warm");
	start = PG_GETARG_BOOL(2) ? warm_start(&call, model) : "";
	dpem_caller_enter(&saved);
	dpem_spi_query(psprintf("SELECT pg_catalog.count(*) FROM %s.%s(dataset => %s, epsilon => '%.17g', delta => '%.17g', model => %s, replace => true%s%s)",
							schema, quote_identifier(call.function), quote_literal_cstr(call.dataset), epsilon, call.delta,
							quote_literal_cstr(call.stem), call.arguments, start),
				   0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	dpem_owner_leave(&saved);
	PG_RETURN_TEXT_P(cstring_to_text(call.stem));
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
	if (dpem_spi_query(MODELS_OF, 2, types, values, NULL, false, SPI_OK_SELECT) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no model of dataset \"%s\" that you may grant", dataset),
				 errhint("Models are granted by the role that made them and by the owner of the dataset's source; the view dpem.models lists those you may read.")));
	changed = dpem_spi_query(statement, 4, types, values, NULL, false, expected);
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

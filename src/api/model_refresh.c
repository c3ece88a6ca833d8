/*
 * model_refresh.c - the fit of a model once more, an ordinary call of whoever asks, on the rows as they are now.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "fit/model_store.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dp_refresh_model);

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

/* what was paid for and is stored nowhere is in the caller's hands, or lost */
typedef struct Refreshed
{
	char	   *stem;			/* of the names of what was stored; NULL: nothing */
	StringInfoData lost;		/* a row of the fit's a line, in JSON */
} Refreshed;

static void
append_lost(StringInfo lost, HeapTuple row)
{
	Datum		record = HeapTupleHeaderGetDatum(SPI_returntuple(row, SPI_tuptable->tupdesc));

	appendStringInfo(lost, "%s%s", lost->len > 0 ? "\n" : "", TextDatumGetCString(DirectFunctionCall1(row_to_json, record)));
}

/* of so many rows of the fit's: a category's model is at the name of all of them, and may have a name elsewhere */
static Refreshed
read_rows(uint64 n, const char *wanted, MemoryContext where)
{
	TupleDesc	columns = SPI_tuptable->tupdesc;
	MemoryContext old = MemoryContextSwitchTo(where);
	Refreshed	refreshed = {NULL};

	initStringInfo(&refreshed.lost);
	for (uint64 i = 0; i < n; i++)
	{
		char	   *name = dpem_spi_text(i, SPI_fnumber(columns, "model"), where);
		char	   *key = dpem_spi_text(i, SPI_fnumber(columns, "key"), where);

		if (name == NULL)
			append_lost(&refreshed.lost, SPI_tuptable->vals[i]);
		else if (key != NULL && strlen(name) > strlen(key))
			name[strlen(name) - strlen(key) - 1] = '\0';
		if (name != NULL && (refreshed.stem == NULL || strcmp(name, wanted) == 0))
			refreshed.stem = name;
	}
	MemoryContextSwitchTo(old);
	return refreshed;
}

/* its messages are the caller's, as those of a fit are: of noise, and of another name than it had */
static Refreshed
fit_again(const char *query, const char *wanted)
{
	MemoryContext caller = CurrentMemoryContext;
	const char *messages = GetConfigOption("client_min_messages", false, false);
	DpemIdentity saved;
	Refreshed	refreshed;

	dpem_caller_enter(&saved);
	(void) set_config_option("client_min_messages", messages, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	refreshed = read_rows(dpem_spi_query(query, 0, NULL, NULL, NULL, false, SPI_OK_SELECT), wanted, caller);
	dpem_owner_leave(&saved);
	return refreshed;
}

/*
 * dp_refresh_model(model text, epsilon float8, warm boolean): the name that the fit is stored under, NULL if under none;
 * raises as dp_drop_model and the fit do
 */
Datum
dp_refresh_model(PG_FUNCTION_ARGS)
{
	char	   *model = dpem_text_argument(fcinfo, 0, "model");
	KeptCall	call = load(model);
	double		epsilon = PG_ARGISNULL(1) ? call.epsilon : PG_GETARG_FLOAT8(1);
	Refreshed	refreshed;
	char	   *start;

	dpem_check_epsilon("epsilon", epsilon);
	dpem_require_argument(fcinfo, 2, "warm");
	start = PG_GETARG_BOOL(2) ? warm_start(&call, model) : "";
	refreshed = fit_again(psprintf("SELECT * FROM %s.%s(dataset => %s, epsilon => '%.17g', delta => '%.17g', model => %s, replace => true%s%s)",
								   dpem_extension_schema(fcinfo), quote_identifier(call.function), quote_literal_cstr(call.dataset), epsilon,
								   call.delta, quote_literal_cstr(call.stem), call.arguments, start),
						  call.stem);
	if (refreshed.lost.len > 0)
		ereport(WARNING,
				(errmsg("model \"%s\" could not be refreshed: these are the rows of the fit that was paid for", model),
				 errdetail_internal("%s", refreshed.lost.data),
				 errhint("Keep the rows: nothing else has them.")));
	if (refreshed.stem == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(refreshed.stem));
}

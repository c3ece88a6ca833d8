/*
 * model_json.c - a model as one JSON document, and back.
 *
 * The document has the model's row and the rows of its family's tables, without what
 * belongs to one database only: numbers of models, roles and charges.  Numbers
 * are the shortest decimals that give the same double.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/snapmgr.h"

#include "fit/family.h"
#include "fit/fit_arguments.h"
#include "fit/model_name.h"
#include "fit/model_store.h"
#include "ledger/role_number.h"
#include "registry/dataset.h"
#include "server/argument_list.h"
#include "server/as_owner.h"
#include "server/attempt.h"

PG_FUNCTION_INFO_V1(dp_model_json);
PG_FUNCTION_INFO_V1(dp_model_from_json);

/* of dpem_internal.model, what another database has its own of */
#define OWN_COLUMNS "'{id,name,family,maker,charge,source,created_at,version,function,arguments,public_rows}'::text[]"

/* of numbers alone: a category, or a target, may have the name of no number */
static void
append_table(StringInfo query, const DpemModelTable *table, bool numbers)
{
	appendStringInfo(query, "'%s', (SELECT jsonb_agg(to_jsonb(t) - 'model'::text", table->name);
	for (const DpemModelField *field = table->field; numbers && field->column; field++)
	{
		if (field->shape == DPEM_FIELD_TEXT)
			appendStringInfo(query, " - '%s'::text", field->column);
	}
	if (table->number)
		appendStringInfo(query, " ORDER BY t.%s", table->number);
	appendStringInfo(query, ") FROM dpem_internal.%s t WHERE t.model = m.id)", table->name);
}

static char *
document_query(const DpemFamily *family, bool numbers)
{
	StringInfoData query;

	initStringInfo(&query);
	appendStringInfoString(&query, "SELECT jsonb_build_object('dpem', (SELECT x.extversion FROM pg_catalog.pg_extension x WHERE x.extname = 'dpem'),"
						   " 'family', m.family, 'model', to_jsonb(m) - " OWN_COLUMNS ", 'tables', jsonb_build_object(");
	for (const DpemModelTable *table = family->table; table->name; table++)
	{
		if (table > family->table)
			appendStringInfoString(&query, ", ");
		append_table(&query, table, numbers);
	}
	appendStringInfoString(&query, ")) FROM dpem_internal.model m WHERE m.name = $1");
	return query.data;
}

/* dp_model_json(model text) */
Datum
dp_model_json(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	const DpemFamily *family = dpem_model_family(name);
	Oid			types[] = {TEXTOID};
	Datum		values[] = {PG_GETARG_DATUM(0)};
	DpemIdentity saved;
	MemoryContext old;
	Datum		document;

	dpem_owner_enter(&saved);
	if (dpem_spi_query(document_query(family, false), 1, types, values, NULL, true, SPI_OK_SELECT) != 1)
		elog(ERROR, "dpem: a model vanished");
	old = MemoryContextSwitchTo(caller);
	document = JsonbPGetDatum(DatumGetJsonbPCopy(dpem_spi_required(0, 1)));
	MemoryContextSwitchTo(old);
	dpem_owner_leave(&saved);
	return document;
}

/* ---- back ---- */

typedef struct Arrival
{
	Datum		document;
	const char *name;
	int64		maker;
	const DpemFamily *family;
} Arrival;

static void
refuse_document(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("json is not a model that dp_model_json has written"),
			 errdetail("%s", detail),
			 errhint("Give the whole document, as SELECT dp_model_json(model) returned it.")));
}

/* what the columns of dpem_internal.model do not say of each other by themselves */
#define CONSISTENT \
	"SELECT m.d >= 1 AND m.k >= 1 AND m.k < 1000000 AND cardinality(m.columns) = m.d AND cardinality(m.lower) = m.d" \
	" AND cardinality(m.upper) = m.d AND coalesce(cardinality(m.column_of), m.d) = m.d" \
	" AND coalesce(cardinality(m.category_of), m.d) = m.d AND coalesce(cardinality(m.scale), m.d) = m.d" \
	" AND coalesce(cardinality(m.calendar), m.d) = m.d AND coalesce(array_lower(m.calendar, 1), 1) = 1" \
	" AND NOT EXISTS (SELECT FROM unnest(m.calendar, m.column_of) AS u(calendar, several)" \
	"  WHERE u.calendar IS NOT NULL AND (u.several IS NOT NULL OR u.calendar NOT IN ('date', 'timestamp', 'timestamptz')))" \
	" AND coalesce(cardinality(m.imputed), m.d) = m.d AND coalesce(array_ndims(m.imputed), 1) = 1 AND coalesce(array_lower(m.imputed, 1), 1) = 1" \
	" AND NOT EXISTS (SELECT FROM unnest(m.lower, m.upper, m.category_of, m.imputed) AS u(lower, upper, category, imputed)" \
	"  WHERE u.imputed NOT BETWEEN u.lower AND u.upper OR (u.imputed IS NOT NULL AND u.category IS NOT NULL))" \
	" AND cardinality(coalesce(m.clamp_lower, m.lower)) = m.d AND cardinality(coalesce(m.clamp_upper, m.lower)) = m.d" \
	" AND coalesce(array_ndims(m.clamp_lower), 1) = 1 AND coalesce(array_lower(m.clamp_lower, 1), 1) = 1" \
	" AND coalesce(array_ndims(m.clamp_upper), 1) = 1 AND coalesce(array_lower(m.clamp_upper, 1), 1) = 1" \
	" AND NOT EXISTS (SELECT FROM unnest(m.lower, m.upper, m.category_of, m.imputed, m.clamp_lower, m.clamp_upper) AS u(lower, upper, category, imputed, least, most)" \
	"  WHERE (u.least IS NULL) <> (u.most IS NULL) OR u.least > u.most OR u.least NOT BETWEEN u.lower AND u.upper" \
	"   OR u.most NOT BETWEEN u.lower AND u.upper OR (u.least IS NOT NULL AND u.category IS NOT NULL) OR u.imputed NOT BETWEEN u.least AND u.most)" \
	" AND array_position(m.columns, NULL) IS NULL AND array_lower(m.columns, 1) = 1 AND array_lower(m.lower, 1) = 1" \
	"  AND array_lower(m.upper, 1) = 1 AND coalesce(array_lower(m.column_of, 1), 1) = 1" \
	"  AND coalesce(array_lower(m.category_of, 1), 1) = 1 AND coalesce(array_lower(m.scale, 1), 1) = 1" \
	/* each coordinate once: what fills them by their names would leave the second of two as it was */ \
	" AND NOT EXISTS (SELECT FROM unnest(m.columns, m.column_of) AS u(name, several) GROUP BY u.name, u.several HAVING count(*) > 1)" \
	" AND coalesce(m.holdout > 0 AND m.holdout < 1, true) AND coalesce(m.part IN ('rest', 'holdout'), true)" \
	" AND coalesce(m.scale <@ '{linear,log,signed_log}'::text[], true) AND array_position(m.scale, NULL) IS NULL" \
	" AND NOT EXISTS (SELECT FROM unnest(m.lower, m.upper, m.scale) AS u(lower, upper, scale)" \
	"  WHERE NOT coalesce(abs(u.lower) <= " CppAsString2(DPEM_MOST_BOUND) " AND abs(u.upper) <= " CppAsString2(DPEM_MOST_BOUND) \
	"   AND u.upper / 2 - u.lower / 2 >= " CppAsString2(DPEM_LEAST_WIDTH) " / 2" \
	"   AND (u.scale IS DISTINCT FROM 'log' OR u.lower > 0), false))" \
	/* coordinates of one column are all categories or none */ \
	" AND NOT EXISTS (SELECT FROM (SELECT u.name, u.category, lag(u.name) OVER w AS last_name, lag(u.category) OVER w AS last_category" \
	"   FROM unnest(m.column_of, m.category_of) WITH ORDINALITY AS u(name, category, i) WINDOW w AS (ORDER BY u.i)) AS c" \
	"  WHERE c.name = c.last_name AND (c.category IS NULL) <> (c.last_category IS NULL))" \
	" FROM dpem_internal.model m WHERE m.id = $1"

/*
 * Coordinates have the names that a fit gives them, which queries and pictures put together and take apart: those of a column follow each
 * other, one for each category or place, or it is one by itself.  Terms of documents are of no column.
 */
#define NAMED \
	"SELECT m.family = 'lda' OR NOT EXISTS (SELECT FROM (SELECT u.*, coalesce(u.several, u.name) AS source, count(*) OVER of AS parts," \
	"   max(u.i) OVER of - min(u.i) OVER of + 1 AS span, u.i - min(u.i) OVER of + 1 AS place" \
	"   FROM unnest(m.columns, m.column_of, m.category_of) WITH ORDINALITY AS u(name, several, category, i)" \
	"   WINDOW of AS (PARTITION BY coalesce(u.several, u.name))) AS c" \
	"  WHERE c.source = '' OR c.span <> c.parts OR c.name <> CASE WHEN c.several IS NULL AND c.category IS NULL AND c.parts = 1 THEN c.name" \
	"    WHEN c.several IS NULL THEN '' WHEN c.category IS NULL THEN c.several || '[' || c.place || ']' ELSE c.several || '=' || c.category END)" \
	" FROM dpem_internal.model m WHERE m.id = $1"

/* of the numbers of what was stored: a document may have other words for what is no number, and arrays in words */
#define BOUNDED \
	"SELECT NOT jsonb_path_exists($1, '$.tables.** ? (@ == \"-Infinity\")')" \
	/* of clusters weights and noise need not have been released */ \
	" AND NOT jsonb_path_exists($1 #- '{tables,kmeans_parameter}', '$.tables.** ? (@ == \"NaN\")')" \
	" AND NOT jsonb_path_exists($1, '$.tables.kmeans_parameter[*].keyvalue() ? (@.key != \"weight\" && @.key != \"weight_noise\"" \
	" && @.key != \"center_noise\").value.** ? (@ == \"NaN\")')" \
	/* a linear regression of which no residual was released has deviations without a bound */ \
	" AND NOT jsonb_path_exists($1 #- '{tables,linreg_parameter}' #- '{tables,linreg_quality}', '$.tables.** ? (@ == \"Infinity\")')" \
	" AND NOT jsonb_path_exists($1, '$.tables.linreg_parameter[*].keyvalue() ? (@.key != \"noise\" && @.key != \"error\"" \
	" && @.key != \"covariance\").value.** ? (@ == \"Infinity\")')"

static void
require_true(const char *sql, Oid type, Datum value, const char *detail)
{
	bool		isnull;

	dpem_spi_query(sql, 1, &type, &value, NULL, false, SPI_OK_SELECT);
	if (!DatumGetBool(dpem_spi_datum(0, 1, &isnull)) || isnull)
		elog(ERROR, "%s", detail);
}

static int64
insert_arrival(const Arrival *a)
{
	Oid			types[] = {JSONBOID, TEXTOID, TEXTOID, INT8OID};
	Datum		values[] = {a->document, CStringGetTextDatum(a->name), CStringGetTextDatum(a->family->name),
	Int64GetDatum(a->maker)};
	int64		id;

	dpem_spi_query("INSERT INTO dpem_internal.model SELECT (jsonb_populate_record(NULL::dpem_internal.model, ($1 -> 'model') || jsonb_build_object("
				   " 'id', nextval('dpem_internal.model_id_seq'), 'name', $2, 'family', $3, 'maker', $4, 'charge', 0, 'source', 0, 'version', 1,"
				   /* what stands in a document is never a call to repeat */
				   " 'created_at', clock_timestamp(), 'function', NULL, 'arguments', NULL, 'public_rows', NULL))).* RETURNING id",
				   4, types, values, NULL, false, SPI_OK_INSERT_RETURNING);
	id = dpem_spi_int64(0, 1);
	require_true(CONSISTENT, INT8OID, Int64GetDatum(id), "its columns, bounds and numbers do not go together");
	require_true(NAMED, INT8OID, Int64GetDatum(id), "the names of its columns and coordinates do not go together");
	return id;
}

/* rows have each number once, as their count and primary key say: views and plots find them by it */
static void
require_numbered(const DpemModelTable *table, int64 id)
{
	int			first = table->rows == DPEM_ROW_OF_UNIT ? 0 : 1;

	if (table->number == NULL)
		return;
	require_true(psprintf("SELECT min(t.%s) = %d AND max(t.%s) = max(m.k) AND count(*) = max(m.k) - %d FROM dpem_internal.%s t"
						  " JOIN dpem_internal.model m ON m.id = t.model WHERE m.id = $1",
						  table->number, first, table->number, first - 1, table->name),
				 INT8OID, Int64GetDatum(id), "parts of it are missing, or not numbered as the model's are");
}

static void
insert_tables(const Arrival *a, int64 id)
{
	Oid			types[] = {JSONBOID, INT8OID};
	Datum		values[] = {a->document, Int64GetDatum(id)};

	for (const DpemModelTable *table = a->family->table; table->name; table++)
	{
		dpem_spi_query(psprintf("INSERT INTO dpem_internal.%s SELECT (jsonb_populate_record(NULL::dpem_internal.%s, e.row || jsonb_build_object('model', $2))).*"
								" FROM jsonb_array_elements($1 -> 'tables' -> '%s') AS e(row)", table->name, table->name, table->name),
					   2, types, values, NULL, false, SPI_OK_INSERT);
		require_numbered(table, id);
	}
}

static void
require_bounded(const Arrival *a)
{
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(a->name)};

	if (dpem_spi_query(document_query(a->family, true), 1, types, values, NULL, false, SPI_OK_SELECT) != 1)
		elog(ERROR, "dpem: a model vanished");
	require_true(BOUNDED, JSONBOID, dpem_spi_required(0, 1), "some of its numbers are none");
}

/* the extension's views that show models of any family, and those over the tables of one */
#define VIEWS \
	"SELECT DISTINCT v.relname::text FROM pg_catalog.pg_class v JOIN pg_catalog.pg_rewrite r ON r.ev_class = v.oid" \
	" JOIN pg_catalog.pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass" \
	" JOIN pg_catalog.pg_depend e ON e.classid = 'pg_class'::regclass AND e.objid = v.oid AND e.deptype = 'e'" \
	" JOIN pg_catalog.pg_class t ON t.oid = d.refobjid AND t.relnamespace = 'dpem_internal'::regnamespace" \
	" WHERE v.relkind = 'v' AND v.relnamespace = 'dpem'::regnamespace AND (t.relname = ANY ($1) OR v.relname IN ('models', 'model_columns'))"

static Datum
table_names(const DpemFamily *family)
{
	Datum		name[DPEM_MODEL_TABLES];
	int			tables = 0;

	for (const DpemModelTable *table = family->table; table->name; table++)
		name[tables++] = CStringGetTextDatum(table->name);
	return PointerGetDatum(construct_array(name, tables, TEXTOID, -1, false, TYPALIGN_INT));
}

/* whoever reads a view reads this model with all others, and would have the error of what cannot be computed of its numbers */
static void
require_shown(const Arrival *a)
{
	Oid			tables_type[] = {TEXTARRAYOID};
	Datum		tables[] = {table_names(a->family)};
	Oid			name_type[] = {TEXTOID};
	Datum		name[] = {CStringGetTextDatum(a->name)};
	List	   *views = dpem_spi_texts(dpem_spi_query(VIEWS, 1, tables_type, tables, NULL, true, SPI_OK_SELECT), CurrentMemoryContext);
	ListCell   *cell;

	foreach(cell, views)
		dpem_spi_query(psprintf("SELECT pg_catalog.count(v) FROM dpem.%s AS v WHERE v.model = $1", quote_identifier(lfirst(cell))),
					   1, name_type, name, NULL, true, SPI_OK_SELECT);
}

/* the numbers of its pictures, all of each, whatever columns they are of */
static void
require_drawn(const Arrival *a)
{
	Oid			types[] = {TEXTOID, TEXTOID};
	Datum		values[] = {CStringGetTextDatum(a->name), CStringGetTextDatum("")};

	for (int kind = 0; kind < DPEM_PICTURES; kind++)
	{
		if (a->family->picture[kind].sql)
			dpem_spi_query(psprintf("SELECT pg_catalog.count(p) FROM (%s) AS p", a->family->picture[kind].sql),
						   2, types, values, NULL, true, SPI_OK_SELECT);
	}
}

/* stores the model, loads it as its use would, and shows it as views and pictures do */
static void
arrive(void *argument)
{
	Arrival    *a = argument;
	DpemIdentity saved;
	DpemModel  *model;

	dpem_owner_enter(&saved);
	insert_tables(a, insert_arrival(a));
	require_bounded(a);
	dpem_owner_leave(&saved);
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	model = dpem_model_load(a->name, a->family);
	if (a->family->use.load)
		(void) a->family->use.load(model);
	dpem_owner_enter(&saved);
	require_shown(a);
	require_drawn(a);
	dpem_owner_leave(&saved);
	PopActiveSnapshot();
}

static const DpemFamily *
family_of_document(Jsonb *document)
{
	JsonbValue	buffer;
	JsonbValue *name = JB_ROOT_IS_OBJECT(document)
		? getKeyJsonValueFromContainer(&document->root, "family", strlen("family"), &buffer) : NULL;

	if (name == NULL || name->type != jbvString)
		refuse_document("It names no family.");
	for (const DpemFamily *const *family = dpem_families; *family; family++)
	{
		if (strlen((*family)->name) == (size_t) name->val.string.len &&
			strncmp((*family)->name, name->val.string.val, name->val.string.len) == 0)
			return *family;
	}
	refuse_document("Its family is unknown to this version.");
	return NULL;				/* keep the compiler quiet */
}

/* what a document causes by what it says: not what the session's settings and rights do, nor what the server has not got */
static bool
is_of_document(int code)
{
	int			category = ERRCODE_TO_CATEGORY(code);

	return category == ERRCODE_DATA_EXCEPTION || category == ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION ||
		category == ERRCODE_FEATURE_NOT_SUPPORTED || category == ERRCODE_INTERNAL_ERROR || code == ERRCODE_PROGRAM_LIMIT_EXCEEDED;
}

/* that of a category's model is longer than one that a fit is given */
static const char *
name_argument(FunctionCallInfo fcinfo)
{
	const char *name = dpem_text_argument(fcinfo, 1, "model");

	if (strlen(name) > DPEM_MODEL_NAME_MOST)
		dpem_refuse_argument(psprintf("model must have at most %d bytes, not %zu", DPEM_MODEL_NAME_MOST, strlen(name)), "Choose a shorter name.");
	return name;
}

/* dp_model_from_json(document jsonb, model text) */
Datum
dp_model_from_json(PG_FUNCTION_ARGS)
{
	Arrival		a = {.maker = 0};
	DpemModelNames names = {NULL, NULL, 0, false};
	ErrorData  *error;

	dpem_require_argument(fcinfo, 0, "document");
	a.document = PG_GETARG_DATUM(0);
	a.family = family_of_document(PG_GETARG_JSONB_P(0));
	a.name = names.stem = name_argument(fcinfo);
	a.maker = dpem_role_number(GetUserId());
	dpem_model_claim(&names);
	error = dpem_attempt(arrive, &a, true);
	if (error != NULL && is_of_document(error->sqlerrcode))
		refuse_document(error->message);
	if (error != NULL)
		dpem_throw_outside(error);
	PG_RETURN_TEXT_P(cstring_to_text(a.name));
}

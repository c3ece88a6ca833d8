/*
 * datasets.c - dp_register_dataset and its family: for the owner of the source.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "api/datasets/dataset_rules.h"
#include "core/accounting/budget_rule.h"
#include "registry/calendar.h"
#include "registry/dataset.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_register_dataset);
PG_FUNCTION_INFO_V1(dp_register_numeric_column);
PG_FUNCTION_INFO_V1(dp_register_label_column);
PG_FUNCTION_INFO_V1(dp_register_text);
PG_FUNCTION_INFO_V1(dp_register_key);
PG_FUNCTION_INFO_V1(dp_drop_dataset);

#define MAX_ROWS_PER_UNIT 1000000

int
dpem_check_max_rows(const char *name, int max_rows, const char *unit)
{
	if (max_rows < 1 || max_rows > MAX_ROWS_PER_UNIT)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be between 1 and %d, not %d", name, MAX_ROWS_PER_UNIT, max_rows)));
	if (unit == NULL && max_rows != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be 1 without a unit, not %d", name, max_rows),
				 errhint("Name the column that tells persons apart as unit.")));
	return max_rows;
}

float8
dpem_budget_argument(FunctionCallInfo fcinfo, int i)
{
	float8		epsilon = dpem_check_epsilon("epsilon", dpem_float8_argument(fcinfo, i, "epsilon"));

	if (epsilon > DPEM_BUDGET_MAX_EPSILON)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("epsilon of a budget must be at most %g, not %g", DPEM_BUDGET_MAX_EPSILON, epsilon),
				 errhint("Smaller is more private; values from 0.1 to 10 are usual.")));
	return epsilon;
}

float8
dpem_keys_share_argument(FunctionCallInfo fcinfo, int i, const char *accountant)
{
	float8		share = dpem_check_keys_share(dpem_float8_argument(fcinfo, i, "keys_share"));

	if (share > 0 && !dpem_accountant_has_failures(dpem_accountant_from_name(accountant)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("keys_share must be 0 with accountant \"%s\", not %g", accountant, share),
				 errhint("Deltas add up there: statistics by private keys spend delta as every call does.")));
	return share;
}

/* a name that is a column of the source is one, whatever else it could be */
static DpemUnitPath *
path_argument(const char *unit, Oid source)
{
	DpemUnitPath *path;
	char	   *fault;

	if (unit == NULL || OidIsValid(dpem_source_column_type(source, unit)))
		return NULL;
	path = dpem_unit_path_parse(unit);
	fault = path ? dpem_unit_path_fault(path, source) : NULL;
	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unit %s %s", path->text, fault),
				 errhint("A path is column -> schema.table.key, further steps after commas. A view has no foreign keys: what it says of persons is your word.")));
	if (path != NULL && strlen(path->person) >= NAMEDATALEN)
		ereport(ERROR,
				(errcode(ERRCODE_NAME_TOO_LONG),
				 errmsg("the name of the unit, %s, is longer than %d bytes", path->person, NAMEDATALEN - 1)));
	return path;
}

/*
 * dp_register_dataset(dataset text, source regclass, epsilon float8, delta
 * float8, unit text, max_rows_per_unit int, adjacency text, accountant text,
 * keys_share float8)
 */
Datum
dp_register_dataset(PG_FUNCTION_ARGS)
{
	char	   *name = dpem_text_argument(fcinfo, 0, "dataset");
	float8		epsilon = dpem_budget_argument(fcinfo, 2);
	float8		delta = dpem_check_delta("delta", dpem_float8_argument(fcinfo, 3, "delta"));
	char	   *unit = dpem_optional_text(fcinfo, 4);
	int			max_rows = dpem_check_max_rows("max_rows_per_unit", dpem_int_argument(fcinfo, 5, "max_rows_per_unit"), unit);
	char	   *adjacency = dpem_text_argument(fcinfo, 6, "adjacency");
	char	   *accountant = dpem_text_argument(fcinfo, 7, "accountant");
	DpemUnitPath *path;

	dpem_require_argument(fcinfo, 1, "source");
	(void) dpem_check_replace_one("adjacency", PG_GETARG_TEXT_PP(6));
	if (dpem_accountant_from_name(accountant) == DPEM_ACCOUNTANT_UNKNOWN)
		dpem_refuse_name("accountant", accountant, "gdp, rdp, zcdp, ma, advanced, linear");
	path = path_argument(unit, PG_GETARG_OID(1));
	dpem_dataset_register(name, PG_GETARG_OID(1), epsilon, delta, path ? path->person : unit, path, max_rows, adjacency, accountant,
						  dpem_keys_share_argument(fcinfo, 8, accountant));
	return dpem_dataset_answer(dpem_dataset_load(name));
}

DpemDataset *
dpem_owned_dataset(FunctionCallInfo fcinfo)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));

	dpem_dataset_require_owner(ds);
	return ds;
}

Oid
dpem_registrable_type(const DpemDataset *ds, const char *column)
{
	Oid			type = dpem_dataset_column_type(ds, column);

	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" does not exist in the source of dataset \"%s\"", column, ds->name),
				 errhint("%sNames are taken as they are written, capitals included; in psql, \\d %s lists the columns.",
						 dpem_did_you_mean(column, dpem_source_column_names(ds->source)), ds->source_name)));
	return type;
}

void
dpem_refuse_type(const char *column, Oid type, const char *wanted)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("column \"%s\" has type %s, not %s", column, format_type_be(type), wanted),
			 errhint("Numbers, dates and times are registered with bounds, labels with categories, documents with dp_register_text; of other types a view can make one of these.")));
}

void
dpem_check_bounds(float8 lower, float8 upper)
{
	if (!isfinite(lower) || !isfinite(upper) || !(lower < upper))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lower and upper must be finite with lower < upper, not %g and %g", lower, upper),
				 errhint("Give bounds that are public knowledge; the data's own minimum and maximum are private.")));
	if (fabs(lower) > DPEM_MOST_BOUND || fabs(upper) > DPEM_MOST_BOUND || upper - lower < DPEM_LEAST_WIDTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lower and upper must be between %g and %g and differ by at least %g, not %g and %g",
						-DPEM_MOST_BOUND, DPEM_MOST_BOUND, DPEM_LEAST_WIDTH, lower, upper),
				 errhint("Measure the column in other units, in a view.")));
}

DpemColumnScale
dpem_scale_argument(FunctionCallInfo fcinfo, int i, float8 lower, float8 upper)
{
	char	   *name = dpem_text_argument(fcinfo, i, "scale");
	DpemColumnScale scale = dpem_scale_from_name(name);

	if (scale == DPEM_SCALES)
		dpem_refuse_name("scale", name, DPEM_SCALE_NAMES);
	if (scale == DPEM_SCALE_LOG && lower <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lower must be above 0 on scale log, not %g", lower),
				 errhint("Give a positive lower bound, as which smaller values count, or scale => 'signed_log'.")));
	if (scale != DPEM_SCALE_LINEAR &&
		dpem_scale_apply(scale, upper) - dpem_scale_apply(scale, lower) < DPEM_SCALE_LEAST_WIDTH)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lower and upper must differ by at least %g on scale %s, as %g and %g do not",
						DPEM_SCALE_LEAST_WIDTH, name, lower, upper),
				 errhint("So narrow a domain needs no scale: leave it out.")));
	return scale;
}

/* dp_register_column(dataset text, column_name text, lower float8, upper float8, length int, scale text) */
Datum
dp_register_numeric_column(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_owned_dataset(fcinfo);
	char	   *column = dpem_text_argument(fcinfo, 1, "column_name");
	float8		lower = dpem_float8_argument(fcinfo, 2, "lower");
	float8		upper = dpem_float8_argument(fcinfo, 3, "upper");
	Oid			type = dpem_registrable_type(ds, column);
	bool		array = dpem_type_is_kind(type, DPEM_COLUMN_ARRAY);
	int			length = PG_ARGISNULL(4) ? 0 : PG_GETARG_INT32(4);
	DpemColumnScale scale;

	if (dpem_is_calendar(type))
		dpem_refuse_type(column, type, "a number: its bounds are dates or times, as in lower => '2020-01-01'");
	dpem_check_bounds(lower, upper);
	scale = dpem_scale_argument(fcinfo, 5, lower, upper);
	if (!array && !dpem_type_is_kind(type, DPEM_COLUMN_NUMBER))
		dpem_refuse_type(column, type, "a number or an array of floats");
	if (array && (length < 1 || length > 100000))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("length of array column \"%s\" must be between 1 and 100000", column),
				 errhint("Say how many elements a row has: dp_register_column(dataset, column_name, lower, upper, length => n). Rows with another number count for nothing.")));
	if (!array && length != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" is not an array and has no length", column),
				 errhint("Leave length out.")));
	dpem_dataset_register_column(ds, column, array ? DPEM_COLUMN_ARRAY : DPEM_COLUMN_NUMBER,
								 lower, upper, length, scale, InvalidOid, (Datum) 0);
	return dpem_dataset_answer(ds);
}

static int
compare_strings(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

/* distinct, non-empty, without NULLs */
static Datum
check_categories(FunctionCallInfo fcinfo, int i, const char *name)
{
	List	   *list;

	dpem_require_argument(fcinfo, i, name);
	list = dpem_text_list_argument(fcinfo, i, name);
	list_sort(list, compare_strings);
	for (int j = 1; j < list_length(list); j++)
	{
		if (strcmp(list_nth(list, j - 1), list_nth(list, j)) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s names \"%s\" twice", name, (char *) list_nth(list, j))));
	}
	return PG_GETARG_DATUM(i);
}

/* is a value of the type written so? */
static bool
is_possible(Oid type, const char *word)
{
	if (get_typtype(type) == TYPTYPE_ENUM)
		return dpem_enum_has(type, word);
	if (type == BOOLOID)
		return strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
	return !dpem_type_is_whole(type) || strcmp(word, psprintf(INT64_FORMAT, (int64) strtoi64(word, NULL, 10))) == 0;
}

/* a category that no row can be of would be taken for one that no row is of */
static void
require_possible(const DpemDataset *ds, const char *column, Oid type, List *words)
{
	ListCell   *cell;

	foreach(cell, words)
	{
		if (!is_possible(type, lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" has type %s, of which \"%s\" is no value", column, format_type_be(type), (char *) lfirst(cell)),
					 dpem_type_is_whole(type) ? errhint("Write whole numbers, without blanks and leading zeros.")
					 : errhint("SELECT dp_register_column(%s, %s) takes those that the type has.", quote_literal_cstr(ds->name), quote_literal_cstr(column))));
	}
}

static Datum
register_words(FunctionCallInfo fcinfo, DpemColumnKind kind, const char *name, const char *wanted)
{
	DpemDataset *ds = dpem_owned_dataset(fcinfo);
	char	   *column = dpem_text_argument(fcinfo, 1, "column_name");
	Datum		words = check_categories(fcinfo, 2, name);
	Oid			type = dpem_registrable_type(ds, column);

	if (!dpem_type_is_kind(type, kind))
		dpem_refuse_type(column, type, wanted);
	if (kind == DPEM_COLUMN_LABEL)
		require_possible(ds, column, type, dpem_text_list_argument(fcinfo, 2, name));
	dpem_dataset_register_column(ds, column, kind, 0, 0, 0, DPEM_SCALE_LINEAR, InvalidOid, words);
	return dpem_dataset_answer(ds);
}

/* dp_register_column(dataset text, column_name text, categories text[]) */
Datum
dp_register_label_column(PG_FUNCTION_ARGS)
{
	return register_words(fcinfo, DPEM_COLUMN_LABEL, "categories", "a label (text, enum, boolean or integer)");
}

/* dp_register_text(dataset text, column_name text, vocabulary text[]) */
Datum
dp_register_text(PG_FUNCTION_ARGS)
{
	return register_words(fcinfo, DPEM_COLUMN_TEXT, "vocabulary", "a document (tsvector, text, text[] or int[])");
}

/* dp_register_key(dataset text, column_name text) */
Datum
dp_register_key(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_owned_dataset(fcinfo);
	char	   *column = dpem_text_argument(fcinfo, 1, "column_name");
	Oid			type = dpem_registrable_type(ds, column);

	if (!dpem_type_is_kind(type, DPEM_COLUMN_KEY))
		dpem_refuse_type(column, type, "a key (text, enum, boolean, integer, date or uuid)");
	dpem_dataset_register_column(ds, column, DPEM_COLUMN_KEY, 0, 0, 0, DPEM_SCALE_LINEAR, InvalidOid, (Datum) 0);
	return dpem_dataset_answer(ds);
}

/* dp_drop_dataset(dataset text) */
Datum
dp_drop_dataset(PG_FUNCTION_ARGS)
{
	dpem_dataset_drop(dpem_owned_dataset(fcinfo));
	PG_RETURN_VOID();
}

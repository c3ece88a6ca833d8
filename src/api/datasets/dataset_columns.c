/*
 * dataset_columns.c - dp_register_column of columns with domains that are no float8s: dates,
 * times, and types whose values are known.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "api/datasets/dataset_rules.h"
#include "registry/calendar.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/as_owner.h"
#include "server/arguments.h"

PG_FUNCTION_INFO_V1(dp_register_time_column);
PG_FUNCTION_INFO_V1(dp_register_written_column);
PG_FUNCTION_INFO_V1(dp_register_known_column);

/* ---- dates and times ---- */

static void
register_calendar(DpemDataset *ds, const char *column, Oid type, double lower, double upper)
{
	if (!isfinite(lower) || !isfinite(upper) || !(lower < upper))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lower and upper of column \"%s\" must be finite with lower < upper", column),
				 errhint("Give the first and the last %s that there can be by public knowledge.", type == DATEOID ? "day" : "time")));
	if (!dpem_calendar_is_common(type, lower) || !dpem_calendar_is_common(type, upper))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lower and upper of column \"%s\" must be in the years 1 to 9999", column)));
	dpem_dataset_register_column(ds, column, DPEM_COLUMN_NUMBER, lower, upper, 0, DPEM_SCALE_LINEAR, type, (Datum) 0);
}

/* as the session's time zone has it, in which a date or timestamp was made a timestamptz */
static double
bound_of(Oid type, Datum time)
{
	if (type == DATEOID)
		time = DirectFunctionCall1(timestamptz_date, time);
	else if (type == TIMESTAMPOID)
		time = DirectFunctionCall1(timestamptz_timestamp, time);
	return dpem_calendar_number(type, time);
}

/* dp_register_column(dataset text, column_name text, lower timestamptz, upper timestamptz) */
Datum
dp_register_time_column(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_owned_dataset(fcinfo);
	char	   *column = dpem_text_argument(fcinfo, 1, "column_name");
	Oid			type = dpem_registrable_type(ds, column);

	dpem_require_argument(fcinfo, 2, "lower");
	dpem_require_argument(fcinfo, 3, "upper");
	if (!dpem_is_calendar(type))
		dpem_refuse_type(column, type, "a date or timestamp");
	register_calendar(ds, column, type, bound_of(type, PG_GETARG_DATUM(2)), bound_of(type, PG_GETARG_DATUM(3)));
	return dpem_dataset_answer(ds);
}

static double
written_bound(Oid type, const char *name, const char *literal)
{
	double		number;

	if (!dpem_calendar_read(type, literal, &number))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be a %s in ISO 8601, not \"%s\"", name, dpem_calendar_name(type), literal),
				 errhint("For example '%s', which is UTC unless it says an offset.", dpem_calendar_write(type, 7305))));
	return number;
}

/* dp_register_column(dataset text, column_name text, lower text, upper text): literals without a type */
Datum
dp_register_written_column(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_owned_dataset(fcinfo);
	char	   *column = dpem_text_argument(fcinfo, 1, "column_name");
	char	   *lower = dpem_text_argument(fcinfo, 2, "lower");
	char	   *upper = dpem_text_argument(fcinfo, 3, "upper");
	Oid			type = dpem_registrable_type(ds, column);

	if (!dpem_is_calendar(type) && !dpem_type_is_kind(type, DPEM_COLUMN_NUMBER) && !dpem_type_is_kind(type, DPEM_COLUMN_ARRAY))
		dpem_refuse_type(column, type, "a number, date or timestamp, which have bounds");
	if (!dpem_is_calendar(type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("bounds of column \"%s\" must be numbers, not strings", column),
				 errhint("Say lower => 0, upper => 100, without quotes; quoted bounds are those of dates and times.")));
	register_calendar(ds, column, type, written_bound(type, "lower", lower), written_bound(type, "upper", upper));
	return dpem_dataset_answer(ds);
}

/* ---- types whose values are public ---- */

#define ENUM_LABELS \
	"SELECT pg_catalog.array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_catalog.pg_enum WHERE enumtypid = $1"

static Datum
enum_labels(Oid type)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(type)};
	DpemIdentity saved;
	bool		isnull;
	Datum		labels;

	dpem_owner_enter(&saved);
	(void) dpem_spi_query(ENUM_LABELS, 1, types, values, NULL, false, SPI_OK_SELECT);
	labels = dpem_spi_datum(0, 1, &isnull);
	if (!isnull)
	{
		MemoryContext old = MemoryContextSwitchTo(caller);

		labels = PointerGetDatum(DatumGetArrayTypePCopy(labels));
		MemoryContextSwitchTo(old);
	}
	dpem_owner_leave(&saved);
	return isnull ? (Datum) 0 : labels;
}

static Datum
booleans(void)
{
	Datum		words[] = {CStringGetTextDatum("false"), CStringGetTextDatum("true")};

	return PointerGetDatum(construct_array(words, 2, TEXTOID, -1, false, TYPALIGN_INT));
}

/* dp_register_column(dataset text, column_name text): a boolean or an enum, whose type says its categories */
Datum
dp_register_known_column(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dpem_owned_dataset(fcinfo);
	char	   *column = dpem_text_argument(fcinfo, 1, "column_name");
	Oid			type = dpem_registrable_type(ds, column);
	Datum		categories;

	if (type != BOOLOID && get_typtype(type) != TYPTYPE_ENUM)
		dpem_refuse_type(column, type, "boolean or an enum, of which the categories are known");
	categories = type == BOOLOID ? booleans() : enum_labels(type);
	if (categories == (Datum) 0)
		dpem_refuse_type(column, type, "an enum with values");
	dpem_dataset_register_column(ds, column, DPEM_COLUMN_LABEL, 0, 0, 0, DPEM_SCALE_LINEAR, InvalidOid, categories);
	return dpem_dataset_answer(ds);
}

/*
 * model_sample.c - synthetic rows drawn from released models: free of charge, for whoever may read them.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/syscache.h"

#include "api/model_point.h"
#include "api/model_ready.h"
#include "registry/calendar.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/as_owner.h"
#include "server/entropy.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dp_sample);
PG_FUNCTION_INFO_V1(dp_sample_rows);
PG_FUNCTION_INFO_V1(dp_sample_sql);

/* where a column of the result comes from, and how its type reads text */
typedef struct SampleColumn
{
	int			first;			/* coordinate */
	int			n;
	bool		whole;			/* of a type without fractions */
	Oid			calendar;		/* the type of dates or times that the number counts; InvalidOid: none */
	Oid			parameter;
	int32		modifier;
	FmgrInfo	input;
} SampleColumn;

typedef struct Samples
{
	const DpemReadyModel *ready;
	ReturnSetInfo *result;
	SampleColumn *column;		/* NULL: rows are arrays of all coordinates */
	Datum	   *value;
	bool	   *null;
} Samples;

/* ---- rows as a record ---- */

/* as an identifier: a column of another table, with that table's name before it, has a longer one */
static char *
identifier_of(const char *name)
{
	return pnstrdup(name, pg_mbcliplen(name, (int) strlen(name), NAMEDATALEN - 1));
}

static int
find_coordinate(const DpemModel *model, const char *name)
{
	for (int j = 0; j < model->d; j++)
	{
		if (strcmp(identifier_of(dpem_model_column(model, j)), name) == 0)
			return j;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("the model has no column \"%s\"", name),
			 errhint("Columns and types are the caller's, for example dp_sample_rows(model, n) AS t(age int, sex text); the view dpem.model_columns lists the columns of a model.")));
}

static SampleColumn
prepare_column(const DpemModel *model, Form_pg_attribute attribute)
{
	SampleColumn column = {.first = find_coordinate(model, NameStr(attribute->attname)),.modifier = attribute->atttypmod};
	Oid			type = getBaseType(attribute->atttypid);
	Oid			input;

	column.n = dpem_model_column_length(model, column.first);
	column.calendar = dpem_is_calendar(type) ? type : InvalidOid;
	column.whole = dpem_type_is_whole(type);
	getTypeInputInfo(attribute->atttypid, &input, &column.parameter);
	fmgr_info(input, &column.input);
	return column;
}

/* a label's category, a number, or an array's elements; NULL for a label without a category and a number that is unknown */
static char *
text_of(const DpemModel *model, const SampleColumn *column, const double *x)
{
	StringInfoData array;

	if (model->category_of[column->first] != NULL)
	{
		for (int j = column->first; j < column->first + column->n; j++)
			if (x[j] > 0.5)
				return model->category_of[j];
		return NULL;
	}
	if (model->column_of[column->first] == NULL && isnan(x[column->first]))
		return NULL;
	if (model->column_of[column->first] == NULL)
		return OidIsValid(column->calendar) ? dpem_calendar_write(column->calendar, x[column->first])
			: float8out_internal(column->whole ? rint(x[column->first]) : x[column->first]);
	initStringInfo(&array);
	for (int j = column->first; j < column->first + column->n; j++)
		appendStringInfo(&array, "%c%s", j == column->first ? '{' : ',', float8out_internal(x[j]));
	appendStringInfoChar(&array, '}');
	return array.data;
}

static void
put_record(const Samples *s, const double *x)
{
	for (int i = 0; i < s->result->setDesc->natts; i++)
	{
		SampleColumn *column = &s->column[i];
		char	   *text = text_of(s->ready->shape, column, x);

		s->null[i] = text == NULL;
		s->value[i] = InputFunctionCall(&column->input, text, column->parameter, column->modifier);
	}
}

/* ---- both ---- */

static void
put_row(const Samples *s, const double *x)
{
	if (s->column != NULL)
	{
		put_record(s, x);
		tuplestore_putvalues(s->result->setResult, s->result->setDesc, s->value, s->null);
	}
	else
	{
		Datum		row = dpem_float8_array(x, s->ready->shape->d);
		bool		null = false;

		tuplestore_putvalues(s->result->setResult, s->result->setDesc, &row, &null);
	}
}

static void
draw(const Samples *s, int n)
{
	DpemSampler *sampler = palloc(sizeof(DpemSampler));
	double	   *x = palloc(Max(s->ready->shape->d, 1) * sizeof(double));
	MemoryContext each = AllocSetContextCreate(CurrentMemoryContext, "dpem sample", ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(each);

	dpem_sampler_init(sampler, &dpem_strong_entropy);
	for (int i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		s->ready->family->use.sample(s->ready->model, sampler, x);
		dpem_model_from_coordinates(s->ready->shape, x);
		put_row(s, x);
		MemoryContextReset(each);
	}
	dpem_sampler_wipe(sampler);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(each);
}

static Samples
begin(FunctionCallInfo fcinfo, const char *function, int *n)
{
	Samples		s = {.result = (ReturnSetInfo *) fcinfo->resultinfo};

	*n = dpem_int_argument(fcinfo, 1, "n");
	s.ready = dpem_ready_model(fcinfo);
	dpem_require_use(s.ready, s.ready->family->use.sample != NULL, function);
	if (*n < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("n must be at least 0, not %d", *n),
				 errhint("It is how many rows are drawn.")));
	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	return s;
}

/* dp_sample(model text, n int): n synthetic rows, float8[] each */
Datum
dp_sample(PG_FUNCTION_ARGS)
{
	int			n;
	Samples		s = begin(fcinfo, "dp_sample", &n);

	draw(&s, n);
	return (Datum) 0;
}

/*
 * dp_sample_rows(model text, n int): n synthetic rows of the columns that the caller's definition list names, in its
 * types: a label as its category, a number rounded for integers.  Raises 22023 for a name that is no column of
 * the model, and what the type's input raises.
 */
Datum
dp_sample_rows(PG_FUNCTION_ARGS)
{
	int			n;
	Samples		s = begin(fcinfo, "dp_sample_rows", &n);
	TupleDesc	columns = s.result->setDesc;

	s.column = palloc(columns->natts * sizeof(SampleColumn));
	s.value = palloc(columns->natts * sizeof(Datum));
	s.null = palloc(columns->natts * sizeof(bool));
	for (int i = 0; i < columns->natts; i++)
		s.column[i] = prepare_column(s.ready->shape, TupleDescAttr(columns, i));
	draw(&s, n);
	return (Datum) 0;
}

/* ---- the query that draws them ---- */

/* in the order of the model: name, and whether it is a label, or an array */
#define COLUMNS_SQL \
	"SELECT c.source_column, pg_catalog.bool_or(c.category IS NOT NULL)::int4::int8," \
	" pg_catalog.bool_or(c.category IS NULL AND c.column_name <> c.source_column)::int4::int8" \
	" FROM dpem.model_columns c WHERE c.model = $1 GROUP BY c.source_column ORDER BY pg_catalog.min(c.position)"

#define SOURCE_SQL "SELECT m.source::oid::int8 FROM dpem_internal.model m WHERE m.name = $1"

/* more digits before the point than the source's type has: a model draws beyond what is in the table */
#define MORE_DIGITS 6

static int32
roomy_numeric(int32 modifier)
{
	int32		digits = ((modifier - (int32) VARHDRSZ) >> 16) & 0xffff;

	return modifier < 0 ? modifier : modifier + ((Min(digits + MORE_DIGITS, NUMERIC_MAX_PRECISION) - digits) << 16);
}

static bool
may_name(Oid type)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	Oid			schema;

	if (!HeapTupleIsValid(tuple))
		return false;
	schema = ((Form_pg_type) GETSTRUCT(tuple))->typnamespace;
	ReleaseSysCache(tuple);
	return pg_namespace_aclcheck(schema, GetUserId(), ACL_USAGE) == ACLCHECK_OK;
}

/* that of the source's column, where it still has it, or one that holds whatever a model draws and that the caller may name */
static char *
sample_type(Oid source, const char *name, bool is_label, bool is_array)
{
	AttrNumber	number = get_attnum(source, name);
	Oid			type = InvalidOid;
	Oid			collation;
	int32		modifier = -1;

	if (number > 0)
	{
		get_atttypetypmodcoll(source, number, &type, &modifier, &collation);
		/* a domain's conditions hold for rows of the table */
		type = getBaseTypeAndTypmod(type, &modifier);
	}
	if (is_label && !may_name(type))
		return "text";
	if (!OidIsValid(type))
		return is_array ? "double precision[]" : "double precision";
	if (type == NUMERICOID)
		modifier = roomy_numeric(modifier);
	/* a registered category may be longer than the table's */
	if (is_label)
		modifier = -1;
	return format_type_extended(type == INT2OID ? INT4OID : type, modifier, FORMAT_TYPE_TYPEMOD_GIVEN);
}

static char *
sample_columns(Oid source, uint64 columns)
{
	StringInfoData list;

	initStringInfo(&list);
	for (uint64 i = 0; i < columns; i++)
	{
		char	   *name = dpem_spi_text(i, 1, CurrentMemoryContext);

		appendStringInfo(&list, "%s%s %s", i == 0 ? "" : ", ", quote_identifier(identifier_of(name)),
						 sample_type(source, name, dpem_spi_int64(i, 2) != 0, dpem_spi_int64(i, 3) != 0));
	}
	return list.data;
}

/*
 * dp_sample_sql(model text): the query that draws rows of all columns; NULL for a model that the caller may not read.
 * Raises 42809 for a model that draws no rows.
 */
Datum
dp_sample_sql(PG_FUNCTION_ARGS)
{
	char	   *model = dpem_text_argument(fcinfo, 0, "model");
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(model)};
	MemoryContext caller = CurrentMemoryContext;
	DpemIdentity saved;
	Oid			source = InvalidOid;
	uint64		n;
	char	   *columns;
	DpemReadyModel *ready;

	dpem_owner_enter(&saved);
	if (dpem_spi_query(SOURCE_SQL, 1, types, values, NULL, true, SPI_OK_SELECT) > 0)
		source = (Oid) dpem_spi_int64(0, 1);
	dpem_owner_leave(&saved);
	dpem_caller_enter(&saved);
	n = dpem_spi_query(COLUMNS_SQL, 1, types, values, NULL, true, SPI_OK_SELECT);
	columns = MemoryContextStrdup(caller, sample_columns(source, n));
	dpem_owner_leave(&saved);
	if (n == 0)
		PG_RETURN_NULL();
	ready = dpem_ready_model(fcinfo);
	dpem_require_use(ready, ready->family->use.sample != NULL, "dp_sample_sql");
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("SELECT * FROM %s.dp_sample_rows(%s, 1000) AS t(%s)",
											  dpem_extension_schema(fcinfo), quote_literal_cstr(model), columns)));
}

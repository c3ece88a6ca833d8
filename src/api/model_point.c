/*
 * model_point.c - see model_point.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

#include "api/model_point.h"
#include "registry/calendar.h"
#include "server/arguments.h"
#include "server/version_shims.h"

pg_noreturn static void
refuse(const char *column, const char *wanted)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("\"%s\" of the row must be %s", column, wanted),
			 errhint("The view dpem.model_columns lists the columns of a model.")));
}

static double
finite_or_nan(double value)
{
	return isfinite(value) ? value : NAN;
}

/* of a model that does not know which columns are dates what is written tells */
static Oid
calendar_of(const DpemModel *model, int j, const char *word)
{
	if (model->calendar == NULL)
		return strchr(word, 'T') != NULL ? TIMESTAMPTZOID : DATEOID;
	return model->calendar[j];
}

/* JSON has no NaN, infinity, date or time: to_jsonb writes them as strings, these two in ISO 8601 */
static double
number_of(const JsonbValue *value, const DpemModel *model, int j)
{
	double		number;
	Oid			calendar;

	if (value->type == jbvNull)
		return NAN;
	if (value->type == jbvNumeric)
		return finite_or_nan(DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric))));
	if (value->type == jbvString)
	{
		char	   *word = pnstrdup(value->val.string.val, value->val.string.len);

		if (strcmp(word, "NaN") == 0 || strcmp(word, "Infinity") == 0 || strcmp(word, "-Infinity") == 0)
			return NAN;
		calendar = calendar_of(model, j, word);
		if (OidIsValid(calendar) && dpem_calendar_read_any(calendar, word, &number))
			return number;
	}
	refuse(dpem_model_column(model, j), OidIsValid(dpem_model_calendar(model, j)) ? "a number, or a date or time in ISO 8601" : "a number");
}

/* as the source's column is written as text; NULL for null */
static char *
category_in(const JsonbValue *value, const char *column)
{
	switch (value->type)
	{
		case jbvNull:
			return NULL;
		case jbvString:
			return pnstrdup(value->val.string.val, value->val.string.len);
		case jbvBool:
			return pstrdup(value->val.boolean ? "true" : "false");
		case jbvNumeric:
			return DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric)));
		default:
			refuse(column, "a string, a number or a boolean");
	}
}

/* a model may be asked about many rows: said once a query */
static void
notice_unknown(const char *category, const DpemModel *model, int first, int n)
{
	List	   *categories = NIL;

	for (int j = first; j < first + n; j++)
		categories = lappend(categories, model->category_of[j]);
	ereport(NOTICE,
			(errmsg("\"%s\" is no category of column \"%s\"", dpem_shown_text(category), dpem_model_column(model, first)),
			 errdetail("A row counts as none of the categories then; other rows are not reported."),
			 errhint("%sThe view dpem.model_columns lists them.", dpem_did_you_mean(category, categories))));
}

static void
put_label(const JsonbValue *value, const DpemModel *model, int first, int n, bool partial, double *x, bool *noticed)
{
	bool		found = false;
	char	   *category = category_in(value, dpem_model_column(model, first));

	for (int j = first; j < first + n; j++)
	{
		x[j] = category == NULL ? (partial ? NAN : 0) : strcmp(category, model->category_of[j]) == 0;
		found = found || x[j] != 0;
	}
	if (category != NULL && !found && !*noticed)
	{
		*noticed = true;
		notice_unknown(category, model, first, n);
	}
}

static void
put_array(const JsonbValue *value, const DpemModel *model, int first, int n, double *x)
{
	const char *column = dpem_model_column(model, first);
	bool		array = value->type == jbvBinary && JsonContainerIsArray(value->val.binary.data);

	if (value->type != jbvNull && (!array || JsonContainerSize(value->val.binary.data) != (uint32) n))
		refuse(column, psprintf("an array of %d numbers", n));
	for (int i = 0; i < n; i++)
		x[first + i] = array ? number_of(getIthJsonbValueFromContainer(value->val.binary.data, i), model, first + i) : NAN;
}

void
dpem_model_point(Jsonb *row, const DpemModel *model, bool partial, double *x, bool *noticed)
{
	int			n;

	if (!JB_ROOT_IS_OBJECT(row))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the row must be a JSON object"),
				 errhint("For rows of a table t, to_jsonb(t).")));
	for (int j = 0; j < model->d; j += n)
	{
		const char *column = dpem_model_column(model, j);
		JsonbValue	null = {.type = jbvNull};
		JsonbValue *value = getKeyJsonValueFromContainer(&row->root, column, strlen(column), NULL);

		n = dpem_model_column_length(model, j);
		if (value == NULL && !partial)
			refuse(column, "given");
		value = value ? value : &null;
		if (model->category_of[j])
			put_label(value, model, j, n, partial, x, noticed);
		else if (model->column_of[j])
			put_array(value, model, j, n, x);
		else
			x[j] = number_of(value, model, j);
	}
}

/*
 * argument_list.c - see argument_list.h.
 */
#include "server/argument_list.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* what people ask when they have left it out */
static const char *
hint_of(const char *name)
{
	if (strcmp(name, "epsilon") == 0)
		return "Smaller is more private and noisier: 0.1 to 1 is usual for a question, 1 to 10 for the budget of a dataset.";
	if (strcmp(name, "delta") == 0)
		return "Give less than one in the number of persons, for instance 1e-6.";
	return NULL;
}

void
dpem_require_argument(FunctionCallInfo fcinfo, int i, const char *name)
{
	if (PG_ARGISNULL(i))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must not be null", name),
				 hint_of(name) ? errhint("%s", hint_of(name)) : 0));
}

char *
dpem_text_argument(FunctionCallInfo fcinfo, int i, const char *name)
{
	char	   *value;

	dpem_require_argument(fcinfo, i, name);
	value = text_to_cstring(PG_GETARG_TEXT_PP(i));
	if (value[0] == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must not be empty", name)));
	return value;
}

char *
dpem_optional_text(FunctionCallInfo fcinfo, int i)
{
	return PG_ARGISNULL(i) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(i));
}

float8
dpem_float8_argument(FunctionCallInfo fcinfo, int i, const char *name)
{
	dpem_require_argument(fcinfo, i, name);
	return PG_GETARG_FLOAT8(i);
}

int32
dpem_int_argument(FunctionCallInfo fcinfo, int i, const char *name)
{
	dpem_require_argument(fcinfo, i, name);
	return PG_GETARG_INT32(i);
}

static void
refuse_array(const char *name, const char *why)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be an array %s", name, why)));
}

List *
dpem_text_list_argument(FunctionCallInfo fcinfo, int i, const char *name)
{
	ArrayType  *array;
	Datum	   *elements;
	bool	   *nulls;
	int			n;
	List	   *list = NIL;

	if (PG_ARGISNULL(i))
		return NIL;
	array = PG_GETARG_ARRAYTYPE_P(i);
	if (ARR_NDIM(array) != 1)
		refuse_array(name, "of one dimension with at least one element");
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &n);
	for (int j = 0; j < n; j++)
	{
		char	   *value = nulls[j] ? NULL : TextDatumGetCString(elements[j]);

		if (value == NULL || value[0] == '\0')
			refuse_array(name, "without NULLs and empty strings");
		list = lappend(list, value);
	}
	return list;
}

double *
dpem_float8_array_argument(FunctionCallInfo fcinfo, int i, const char *name, int *n)
{
	return dpem_float8_array_values(PG_GETARG_DATUM(i), name, n);
}

double *
dpem_float8_array_values(Datum value, const char *name, int *n)
{
	ArrayType  *array = DatumGetArrayTypeP(value);
	double	   *values;

	*n = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	if (ARR_HASNULL(array) && array_contains_nulls(array))
		refuse_array(name, "without NULLs");
	values = palloc(Max(*n, 1) * sizeof(double));
	if (*n > 0)
		memcpy(values, ARR_DATA_PTR(array), *n * sizeof(double));
	for (int j = 0; j < *n; j++)
	{
		if (!isfinite(values[j]))
			refuse_array(name, "of finite numbers");
	}
	return values;
}

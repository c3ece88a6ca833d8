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

static const char *
hint_of_empty(const char *name)
{
	if (strcmp(name, "filter") == 0)
		return "Leave it out, or give NULL, for all rows.";
	return "What has a default can be left out.";
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
				 errmsg("%s must not be empty", name),
				 errhint("%s", hint_of_empty(name))));
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
refuse_array(const char *name, const char *why, const char *example)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be an array %s", name, why),
			 errhint("Write for instance %s.", example)));
}

#define TEXT_EXAMPLE "'{one,another}', or ARRAY['one', 'another']"
#define NUMBER_EXAMPLE "'{1,2.5}', or ARRAY[1, 2.5]"

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
		refuse_array(name, "of one dimension with at least one element", TEXT_EXAMPLE);
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &n);
	for (int j = 0; j < n; j++)
	{
		char	   *value = nulls[j] ? NULL : TextDatumGetCString(elements[j]);

		if (value == NULL || value[0] == '\0')
			refuse_array(name, "without NULLs and empty strings", TEXT_EXAMPLE);
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
		refuse_array(name, "without NULLs", NUMBER_EXAMPLE);
	values = palloc(Max(*n, 1) * sizeof(double));
	if (*n > 0)
		memcpy(values, ARR_DATA_PTR(array), *n * sizeof(double));
	for (int j = 0; j < *n; j++)
	{
		if (!isfinite(values[j]))
			refuse_array(name, "of finite numbers", NUMBER_EXAMPLE);
	}
	return values;
}

/* ---- one integer, or several ---- */

static int32 *
ints_of_array(ArrayType *array, const char *name, int *n)
{
	Datum	   *elements;
	bool	   *nulls;
	int32	   *values;

	deconstruct_array(array, INT4OID, sizeof(int32), true, TYPALIGN_INT, &elements, &nulls, n);
	values = palloc(Max(*n, 1) * sizeof(int32));
	for (int i = 0; i < *n; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s must not contain nulls", name),
					 errhint("Leave the element out.")));
		values[i] = DatumGetInt32(elements[i]);
	}
	return values;
}

/* the next integer of a list, after which *at is behind its comma or at the list's end; false if there is none */
static bool
next_int(char **at, int32 *value)
{
	char	   *end;
	long		number;

	errno = 0;
	number = strtol(*at, &end, 10);
	if (end == *at || errno != 0 || number < PG_INT32_MIN || number > PG_INT32_MAX)
		return false;
	*value = (int32) number;
	end += strspn(end, " ");
	*at = *end == ',' ? end + 1 : end;
	return *end == '\0' || (*end == ',' && end[1] != '\0');
}

/* an integer, or several with commas between them in braces */
static int32 *
ints_of_text(const char *text, const char *name, int *n)
{
	char	   *at = pstrdup(text + strspn(text, " "));
	int32	   *values = palloc((strlen(at) + 1) * sizeof(int32));
	bool		braces = *at == '{' && strchr(at, '}') != NULL && strspn(strchr(at, '}') + 1, " ") == strlen(strchr(at, '}') + 1);
	bool		good = true;

	if (braces)
	{
		*strchr(at, '}') = '\0';
		at++;
	}
	for (*n = 0; good && (*n == 0 || (braces && *at != '\0')); (*n)++)
		good = next_int(&at, &values[*n]);
	if (!good || *at != '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be an integer or an array of integers, not \"%s\"", name, text),
				 errhint("Write for instance 3, or '{2,3,4}' to have one of them chosen.")));
	return values;
}

int32 *
dpem_int_values(Datum value, Oid type, const char *name, int *n)
{
	int32	   *values;

	if (type == INT4ARRAYOID)
		return ints_of_array(DatumGetArrayTypeP(value), name, n);
	if (type == TEXTOID)
		return ints_of_text(TextDatumGetCString(value), name, n);
	values = palloc(sizeof(int32));
	values[0] = DatumGetInt32(value);
	*n = 1;
	return values;
}

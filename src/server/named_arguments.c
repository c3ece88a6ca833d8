/*
 * named_arguments.c - see named_arguments.h.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/named_arguments.h"

DpemArguments
dpem_arguments(FunctionCallInfo fcinfo)
{
	HeapTuple	function = SearchSysCache1(PROCOID, ObjectIdGetDatum(fcinfo->flinfo->fn_oid));
	DpemArguments arguments = {.call = fcinfo};
	Oid		   *types;
	char	  **names;
	char	   *modes;
	int			all;

	if (!HeapTupleIsValid(function))
		elog(ERROR, "dpem: a function that is not in the catalog");
	all = get_func_arg_info(function, &types, &names, &modes);
	ReleaseSysCache(function);
	arguments.name = palloc0(Max(all, 1) * sizeof(char *));
	arguments.type = palloc0(Max(all, 1) * sizeof(Oid));
	for (int i = 0; i < all && names != NULL; i++)
	{
		if (modes != NULL && modes[i] != PROARGMODE_IN && modes[i] != PROARGMODE_INOUT && modes[i] != PROARGMODE_VARIADIC)
			continue;
		arguments.type[arguments.n] = IsPolymorphicType(types[i]) ? get_fn_expr_argtype(fcinfo->flinfo, arguments.n) : types[i];
		arguments.name[arguments.n++] = names[i];
	}
	return arguments;
}

/* -1: there is none of that name */
static int
position_of(const DpemArguments *a, const char *name)
{
	for (int i = 0; i < a->n && i < a->call->nargs; i++)
	{
		if (strcmp(a->name[i], name) == 0)
			return i;
	}
	return -1;
}

/* of an argument that must be there */
static int
required(const DpemArguments *a, const char *name)
{
	int			i = position_of(a, name);

	if (i < 0)
		elog(ERROR, "dpem: a function without the argument %s", name);
	dpem_require_argument(a->call, i, name);
	return i;
}

bool
dpem_is_given(const DpemArguments *a, const char *name)
{
	int			i = position_of(a, name);

	return i >= 0 && !a->call->args[i].isnull;
}

char *
dpem_named_text(const DpemArguments *a, const char *name)
{
	return dpem_text_argument(a->call, required(a, name), name);
}

float8
dpem_named_float8(const DpemArguments *a, const char *name)
{
	return DatumGetFloat8(a->call->args[required(a, name)].value);
}

int32
dpem_named_int(const DpemArguments *a, const char *name)
{
	return DatumGetInt32(a->call->args[required(a, name)].value);
}

Datum
dpem_named_datum(const DpemArguments *a, const char *name, Oid *type)
{
	int			i = required(a, name);

	*type = a->type[i];
	return a->call->args[i].value;
}

bool
dpem_named_bool(const DpemArguments *a, const char *name)
{
	return DatumGetBool(a->call->args[required(a, name)].value);
}

char *
dpem_optional_named_text(const DpemArguments *a, const char *name, bool filled)
{
	if (!dpem_is_given(a, name))
		return NULL;
	return filled ? dpem_named_text(a, name) : dpem_optional_text(a->call, position_of(a, name));
}

float8
dpem_optional_named_float8(const DpemArguments *a, const char *name)
{
	return dpem_is_given(a, name) ? dpem_named_float8(a, name) : NAN;
}

List *
dpem_named_text_list(const DpemArguments *a, const char *name)
{
	return dpem_is_given(a, name) ? dpem_text_list_argument(a->call, position_of(a, name), name) : NIL;
}

double *
dpem_named_float8_array(const DpemArguments *a, const char *name, int *n)
{
	*n = 0;
	return dpem_is_given(a, name) ? dpem_float8_array_argument(a->call, position_of(a, name), name, n) : NULL;
}

static void
refuse_outside(const char *name, const char *value, const char *least, const char *most)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s must be between %s and %s, not %s", name, least, most, value)));
}

float8
dpem_named_between(const DpemArguments *a, const char *name, float8 least, float8 most)
{
	float8		value = dpem_optional_named_float8(a, name);

	if (dpem_is_given(a, name) && !(value >= least && value <= most))
		refuse_outside(name, psprintf("%g", value), psprintf("%g", least), psprintf("%g", most));
	return value;
}

int32
dpem_named_int_between(const DpemArguments *a, const char *name, int32 least, int32 most)
{
	int32		value = dpem_named_int(a, name);

	if (value < least || value > most)
		refuse_outside(name, psprintf("%d", value), psprintf("%d", least), psprintf("%d", most));
	return value;
}

bool
dpem_named_choice(const DpemArguments *a, const char *name, const char *yes, const char *no)
{
	char	   *value = dpem_named_text(a, name);

	if (strcmp(value, yes) == 0)
		return true;
	if (strcmp(value, no) != 0)
		dpem_refuse_name(name, value, psprintf("%s, %s", yes, no));
	return false;
}

/*
 * row_value.c - see row_value.h; and the functions that queries of passes are
 * written with.
 *
 * AND, OR and CASE evaluate what they need, and comparing strings for equality
 * fetches them only if they have one length.  Arguments of a function are
 * always evaluated, so these are functions: dpem_internal.both and dpem_internal.either for AND
 * and OR, dpem_internal.counted_key for CASE, and dpem_internal.fetched for a value itself.
 */
#include "postgres.h"

#include <math.h>

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/table.h"
#include "access/tableam.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "registry/binding.h"
#include "scan/row_value.h"
#include "server/version_shims.h"

/* whole chunks, each of which is read once */
#define PIECE	((DPEM_ROW_VALUE_BYTES / TOAST_MAX_CHUNK_SIZE + 1) * TOAST_MAX_CHUNK_SIZE)

PG_FUNCTION_INFO_V1(dpem_fetched);
PG_FUNCTION_INFO_V1(dpem_both);
PG_FUNCTION_INFO_V1(dpem_either);
PG_FUNCTION_INFO_V1(dpem_counted_key);
PG_FUNCTION_INFO_V1(dpem_counted_value);

void
dpem_row_value_pass_over(Datum value)
{
	struct varlena *stored = (struct varlena *) DatumGetPointer(value);
	struct varatt_external place;
	struct varlena *piece;
	Relation	toast;
	int32		size;

	if (!VARATT_IS_EXTERNAL_ONDISK(stored))
		return;
	VARATT_EXTERNAL_GET_POINTER(place, stored);
	size = VARATT_EXTERNAL_GET_EXTSIZE(place);
	piece = palloc(VARHDRSZ + Min(size, PIECE));
	toast = table_open(place.va_toastrelid, AccessShareLock);
	for (int32 at = 0; at < size; at += PIECE)
	{
		int32		length = Min(size - at, PIECE);

		CHECK_FOR_INTERRUPTS();
		SET_VARSIZE(piece, VARHDRSZ + length);
		table_relation_fetch_toast_slice(toast, place.va_valueid, size, at, length, piece);
	}
	table_close(toast, AccessShareLock);
	pfree(piece);
}

/* dpem_internal.fetched(anyelement): the value, in memory */
Datum
dpem_fetched(PG_FUNCTION_ARGS)
{
	int16	   *length = fcinfo->flinfo->fn_extra;

	if (length == NULL)
	{
		Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);

		if (!OidIsValid(type))
			elog(ERROR, "dpem: no type of the argument of fetched");
		length = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(int16));
		*length = get_typlen(type);
		fcinfo->flinfo->fn_extra = length;
	}
	if (*length != -1)
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	PG_RETURN_POINTER(PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0)));
}

/* a AND b and, with `decides` true, a OR b: one argument of that value decides, NULL is unknown */
static Datum
combine(FunctionCallInfo fcinfo, bool decides)
{
	for (int i = 0; i < 2; i++)
	{
		if (!PG_ARGISNULL(i) && PG_GETARG_BOOL(i) == decides)
			PG_RETURN_BOOL(decides);
	}
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	PG_RETURN_BOOL(!decides);
}

Datum
dpem_both(PG_FUNCTION_ARGS)
{
	return combine(fcinfo, false);
}

Datum
dpem_either(PG_FUNCTION_ARGS)
{
	return combine(fcinfo, true);
}

/* dpem_internal.counted_key(key text, counts boolean): the key of a row that counts; NULL for others, and for what is too long for a key */
Datum
dpem_counted_key(PG_FUNCTION_ARGS)
{
	text	   *key;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	key = PG_GETARG_TEXT_PP(0);
	if (PG_ARGISNULL(1) || !PG_GETARG_BOOL(1) || VARSIZE_ANY_EXHDR(key) > DPEM_KEY_BYTES)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(key);
}

/* sums of so many numbers as there can be rows, and sums of their squares, are finite: no aggregate of them raises */
#define MOST_VALUE 1e140

/* dpem_internal.counted_value(x float8, counts boolean): the number of a row that counts, within limits; NULL for others, and for NaN and infinities */
Datum
dpem_counted_value(PG_FUNCTION_ARGS)
{
	double		x;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || !PG_GETARG_BOOL(1))
		PG_RETURN_NULL();
	x = PG_GETARG_FLOAT8(0);
	if (!isfinite(x))
		PG_RETURN_NULL();
	/* -0 is 0: which of the two is the least or the greatest depends on the order of rows */
	PG_RETURN_FLOAT8(fmin(fmax(x, -MOST_VALUE), MOST_VALUE) + 0.0);
}

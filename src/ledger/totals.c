/*
 * totals.c - sums of charges.
 *
 * Units are integers up to DPEM_COST_UNITS_MAX, where sums stay; epsilons,
 * deltas and failures are added as the shortest decimals that name them, so
 * that ten charges of 0.1 are 1.0, and squares as the squares of these.  All of
 * it is exact and does not depend on the order.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

#include "ledger/totals.h"
#include "server/aggregate_support.h"

PG_FUNCTION_INFO_V1(dpem_sum_lines_add);
PG_FUNCTION_INFO_V1(dpem_sum_lines_total);
PG_FUNCTION_INFO_V1(dpem_add_totals);

/* epsilons in sums: kept where squares are numbers of float8, which accountants read */
#define LEAST_EPSILON	1e-150
#define MOST_EPSILON	1e150

/* fields of dpem_internal.total */
enum
{
	CHARGES,
	MU2,
	RHO,
	PLAIN_RHO,
	CURVE,
	EPSILON,
	DELTA,
	EPSILON2,
	FAILURE
};

StaticAssertDecl(FAILURE + 1 == DPEM_TOTAL_FIELDS, "fields of dpem_internal.total");

void
dpem_curve_from_array(ArrayType *array, DpemCurve *curve)
{
	if (ARR_NDIM(array) != 1 || ARR_HASNULL(array) || ARR_ELEMTYPE(array) != INT8OID ||
		ARR_DIMS(array)[0] != DPEM_RDP_ORDERS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a Renyi curve must have %d numbers", DPEM_RDP_ORDERS)));
	curve->any = true;
	memcpy(curve->units, ARR_DATA_PTR(array), sizeof(curve->units));
	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		if (curve->units[i] < 0 || curve->units[i] > DPEM_COST_UNITS_MAX)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a Renyi curve must have no number below 0 or above 2^61")));
}

Datum
dpem_curve_to_array(const DpemCurve *curve)
{
	Datum		units[DPEM_RDP_ORDERS];

	for (int i = 0; i < DPEM_RDP_ORDERS; i++)
		units[i] = Int64GetDatum(curve->units[i]);
	return PointerGetDatum(construct_array(units, DPEM_RDP_ORDERS, INT8OID, sizeof(int64), true,
										   TYPALIGN_DOUBLE));
}

/* ---- decimals ---- */

/* the shortest decimal that names x, whatever the session prints */
static Numeric
decimal(double x)
{
	char		digits[DOUBLE_SHORTEST_DECIMAL_LEN];

	double_to_shortest_decimal_buf(x, digits);
	return DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(digits),
											   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

static Numeric
add(Numeric a, Numeric b)
{
	return numeric_add_opt_error(a, b, NULL);
}

static Numeric
multiply(Numeric a, Numeric b)
{
	return numeric_mul_opt_error(a, b, NULL);
}

static double
rounded(Datum value)
{
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
}

static int64
add_units(int64 a, int64 b)
{
	/* neither is negative or above the mark, so that the sum fits */
	return Min(a + b, DPEM_COST_UNITS_MAX);
}

/* ---- sums ---- */

/* a sum that is being made; allocated where it is kept */
typedef struct Sum
{
	int64		units[CURVE];	/* charges and units, as the fields */
	DpemCurve	curve;
	Numeric		decimal[DPEM_TOTAL_FIELDS - EPSILON];
	/* calls whose decimals are not in there yet: often many follow each other that are alike */
	int64		calls;
	double		call_epsilon;
	double		call_delta;
} Sum;

static Sum *
create_sum(MemoryContext where)
{
	MemoryContext old = MemoryContextSwitchTo(where);
	Sum		   *sum = palloc0(sizeof(Sum));

	for (int i = 0; i < lengthof(sum->decimal); i++)
		sum->decimal[i] = int64_to_numeric(0);
	MemoryContextSwitchTo(old);
	return sum;
}

static void
add_decimal(Sum *sum, int field, Numeric more)
{
	Numeric		before = sum->decimal[field - EPSILON];

	sum->decimal[field - EPSILON] = add(before, more);
	pfree(before);
	pfree(more);
}

/* takes and frees `value` */
static void
add_times(Sum *sum, int field, Numeric value, Numeric times)
{
	add_decimal(sum, field, multiply(value, times));
	pfree(value);
}

/* in the context of the sum */
static void
add_calls(Sum *sum)
{
	Numeric		times;
	Numeric		epsilon;

	if (sum->calls == 0)
		return;
	times = int64_to_numeric(sum->calls);
	epsilon = decimal(Min(Max(sum->call_epsilon, LEAST_EPSILON), MOST_EPSILON));
	add_times(sum, EPSILON, decimal(Min(sum->call_epsilon, MOST_EPSILON)), times);
	add_times(sum, DELTA, decimal(sum->call_delta), times);
	add_times(sum, EPSILON2, multiply(epsilon, epsilon), times);
	pfree(epsilon);
	pfree(times);
	sum->calls = 0;
}

static void
add_call(Sum *sum, double epsilon, double delta)
{
	if (sum->calls > 0 && (sum->call_epsilon != epsilon || sum->call_delta != delta))
		add_calls(sum);
	sum->call_epsilon = epsilon;
	sum->call_delta = delta;
	sum->calls++;
	sum->units[CHARGES]++;
}

static void
add_line(Sum *sum, int64 mu2_units, int64 rho_units, const DpemCurve *curve, double failure)
{
	sum->units[MU2] = add_units(sum->units[MU2], mu2_units);
	sum->units[RHO] = add_units(sum->units[RHO], rho_units);
	if (!curve->any)
		sum->units[PLAIN_RHO] = add_units(sum->units[PLAIN_RHO], rho_units);
	dpem_curve_add(&sum->curve, curve);
	if (failure != 0)
		add_decimal(sum, FAILURE, decimal(failure));
}

/* what the sum comes to with the calls that wait; the sum stays what it is */
static void
sum_fields(const Sum *sum, Datum values[DPEM_TOTAL_FIELDS], bool nulls[DPEM_TOTAL_FIELDS])
{
	Sum			all = *sum;

	for (int i = 0; i < lengthof(all.decimal); i++)
		all.decimal[i] = DatumGetNumericCopy(NumericGetDatum(sum->decimal[i]));
	add_calls(&all);
	memset(nulls, false, DPEM_TOTAL_FIELDS * sizeof(bool));
	for (int i = 0; i < CURVE; i++)
		values[i] = Int64GetDatum(all.units[i]);
	nulls[CURVE] = !all.curve.any;
	values[CURVE] = all.curve.any ? dpem_curve_to_array(&all.curve) : (Datum) 0;
	for (int i = EPSILON; i < DPEM_TOTAL_FIELDS; i++)
		values[i] = NumericGetDatum(all.decimal[i - EPSILON]);
}

/* ---- dpem_internal.total in SQL ---- */

static void
require_fields(TupleDesc desc)
{
	if (desc->natts != DPEM_TOTAL_FIELDS || TupleDescAttr(desc, CURVE)->atttypid != INT8ARRAYOID)
		elog(ERROR, "dpem: unexpected fields of dpem_internal.total");
}

static Datum
make_total(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "dpem: unexpected result type");
	require_fields(desc);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}

static void
take_fields(Datum total, Datum values[DPEM_TOTAL_FIELDS], bool nulls[DPEM_TOTAL_FIELDS])
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(total);
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header), HeapTupleHeaderGetTypMod(header));
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(header),.t_data = header};

	require_fields(desc);
	heap_deform_tuple(&tuple, desc, values, nulls);
	ReleaseTupleDesc(desc);
	for (int i = 0; i < DPEM_TOTAL_FIELDS; i++)
		if (nulls[i] && i != CURVE)
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("a total must not have nulls but for its curve")));
}

static DpemCurve
take_curve(Datum value, bool isnull)
{
	DpemCurve	curve = {.any = false};

	if (!isnull)
		dpem_curve_from_array(DatumGetArrayTypeP(value), &curve);
	return curve;
}

DpemTotals
dpem_total_read(Datum total)
{
	Datum		values[DPEM_TOTAL_FIELDS];
	bool		nulls[DPEM_TOTAL_FIELDS];

	take_fields(total, values, nulls);
	return (DpemTotals) {
		.mu2_units = DatumGetInt64(values[MU2]),.rho_units = DatumGetInt64(values[RHO]),
			.plain_rho_units = DatumGetInt64(values[PLAIN_RHO]),.curve = take_curve(values[CURVE], nulls[CURVE]),
			.epsilon = rounded(values[EPSILON]),.delta = rounded(values[DELTA]),
			.epsilon2 = rounded(values[EPSILON2]),.failure = rounded(values[FAILURE])
	};
}

/* dpem_internal.sum_lines_add(state, line, mu2_units, rho_units, rdp_units, epsilon, delta, failure) */
Datum
dpem_sum_lines_add(PG_FUNCTION_ARGS)
{
	MemoryContext context = dpem_aggregate_context(fcinfo, "dpem_internal.sum_lines");
	Sum		   *sum = PG_ARGISNULL(0) ? create_sum(context) : (Sum *) PG_GETARG_POINTER(0);
	DpemCurve	curve;
	MemoryContext old;

	for (int i = 1; i < 8; i++)
		if (i != 4 && PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("a line must not have nulls but for its curve")));
	curve = PG_ARGISNULL(4) ? (DpemCurve) {.any = false} : take_curve(PG_GETARG_DATUM(4), false);
	old = MemoryContextSwitchTo(context);
	if (PG_GETARG_INT32(1) == 1)
		add_call(sum, PG_GETARG_FLOAT8(5), PG_GETARG_FLOAT8(6));
	add_line(sum, PG_GETARG_INT64(2), PG_GETARG_INT64(3), &curve, PG_GETARG_FLOAT8(7));
	MemoryContextSwitchTo(old);
	PG_RETURN_POINTER(sum);
}

/* dpem_internal.sum_lines_total(state): of no lines, nothing */
Datum
dpem_sum_lines_total(PG_FUNCTION_ARGS)
{
	Sum		   *sum;
	Datum		values[DPEM_TOTAL_FIELDS];
	bool		nulls[DPEM_TOTAL_FIELDS];

	(void) dpem_aggregate_context(fcinfo, "dpem_internal.sum_lines");
	sum = PG_ARGISNULL(0) ? create_sum(CurrentMemoryContext) : (Sum *) PG_GETARG_POINTER(0);
	sum_fields(sum, values, nulls);
	PG_RETURN_DATUM(make_total(fcinfo, values, nulls));
}

/* dpem_internal.add_totals(dpem_internal.total, dpem_internal.total) */
Datum
dpem_add_totals(PG_FUNCTION_ARGS)
{
	Datum		a[DPEM_TOTAL_FIELDS];
	Datum		b[DPEM_TOTAL_FIELDS];
	bool		a_nulls[DPEM_TOTAL_FIELDS];
	bool		b_nulls[DPEM_TOTAL_FIELDS];
	DpemCurve	curve;
	DpemCurve	more;

	take_fields(PG_GETARG_DATUM(0), a, a_nulls);
	take_fields(PG_GETARG_DATUM(1), b, b_nulls);
	a[CHARGES] = Int64GetDatum(DatumGetInt64(a[CHARGES]) + DatumGetInt64(b[CHARGES]));
	for (int i = MU2; i < CURVE; i++)
		a[i] = Int64GetDatum(add_units(DatumGetInt64(a[i]), DatumGetInt64(b[i])));
	for (int i = EPSILON; i < DPEM_TOTAL_FIELDS; i++)
		a[i] = NumericGetDatum(add(DatumGetNumeric(a[i]), DatumGetNumeric(b[i])));
	curve = take_curve(a[CURVE], a_nulls[CURVE]);
	more = take_curve(b[CURVE], b_nulls[CURVE]);
	dpem_curve_add(&curve, &more);
	a_nulls[CURVE] = !curve.any;
	a[CURVE] = curve.any ? dpem_curve_to_array(&curve) : (Datum) 0;
	PG_RETURN_DATUM(make_total(fcinfo, a, a_nulls));
}

/* ---- a request ---- */

static Sum *
sum_request(const DpemChargeRequest *request)
{
	Sum		   *sum = create_sum(CurrentMemoryContext);

	add_call(sum, request->epsilon, request->delta);
	for (int i = 0; i < request->nlines; i++)
	{
		const DpemChargeLine *line = &request->lines[i];

		add_line(sum, line->mu2_units, line->rho_units, &line->curve, line->failure);
	}
	return sum;
}

void
dpem_total_cost_fields(const DpemChargeRequest *request, Oid types[DPEM_TOTAL_FIELDS],
					   Datum values[DPEM_TOTAL_FIELDS], char nulls[DPEM_TOTAL_FIELDS])
{
	bool		isnull[DPEM_TOTAL_FIELDS];

	sum_fields(sum_request(request), values, isnull);
	for (int i = 0; i < DPEM_TOTAL_FIELDS; i++)
	{
		types[i] = i < CURVE ? INT8OID : i == CURVE ? INT8ARRAYOID : NUMERICOID;
		nulls[i] = isnull[i] ? 'n' : ' ';
	}
}

DpemTotals
dpem_total_cost(const DpemChargeRequest *request)
{
	Sum		   *sum = sum_request(request);

	add_calls(sum);
	return (DpemTotals) {
		.mu2_units = sum->units[MU2],.rho_units = sum->units[RHO],.plain_rho_units = sum->units[PLAIN_RHO],
			.curve = sum->curve,.epsilon = rounded(NumericGetDatum(sum->decimal[EPSILON - EPSILON])),
			.delta = rounded(NumericGetDatum(sum->decimal[DELTA - EPSILON])),
			.epsilon2 = rounded(NumericGetDatum(sum->decimal[EPSILON2 - EPSILON])),
			.failure = rounded(NumericGetDatum(sum->decimal[FAILURE - EPSILON]))
	};
}

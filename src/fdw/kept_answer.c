/*
 * kept_answer.c - answers of private tables that a role has paid for, kept for as long as
 * dpem.answer_age says; and the price of those it has not.
 *
 * A kept answer is a released number: to read it again reveals nothing.  It belongs to the role that
 * paid, and is given for the same question at no higher a price.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "fdw/fdw.h"
#include "ledger/role_number.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

double		dpem_answer_age;
static double query_epsilon;
static double query_delta;

void
dpem_fdw_init(void)
{
	DefineCustomRealVariable("dpem.epsilon",
							 "Epsilon that a query of a private table spends; 0: what the table's option says.",
							 "It is divided among the query's aggregates.",
							 &query_epsilon, 0, 0, INFINITY, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("dpem.delta",
							 "Delta of a query of a private table.",
							 NULL, &query_delta, 1e-6, 0, 1, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomRealVariable("dpem.answer_age",
							 "How long the answer to a query of a private table is given again for nothing; 0: never.",
							 NULL, &dpem_answer_age, 86400, 0, 1e9, PGC_USERSET, GUC_UNIT_S, NULL, NULL, NULL);
}

DpemPrice
dpem_query_price(const DpemPrivateTable *table)
{
	DpemPrice	price = {query_epsilon > 0 ? query_epsilon : table->epsilon, query_delta};

	if (!(price.epsilon > 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a query of private table \"%s\" needs an epsilon", table->dataset->name),
				 errhint("SET dpem.epsilon = 0.1 says what each query spends; the table's owner can give a default: ALTER FOREIGN TABLE ... OPTIONS (ADD epsilon '0.1').")));
	if (isfinite(price.epsilon))
		(void) dpem_check_epsilon("dpem.epsilon", price.epsilon);
	(void) dpem_check_delta("dpem.delta", price.delta);
	return price;
}

/* ---- storing ---- */

static Datum
numbers(const double *value, int n)
{
	Datum	   *item = palloc((n + 1) * sizeof(Datum));

	for (int i = 0; i < n; i++)
		item[i] = Float8GetDatum(value[i]);
	return PointerGetDatum(construct_array(item, n, FLOAT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

static Datum
keys_of(const DpemAnswer *a)
{
	Datum	   *item = palloc((a->groups + 1) * sizeof(Datum));

	for (int i = 0; i < a->groups; i++)
		item[i] = CStringGetTextDatum(a->key[i]);
	return PointerGetDatum(construct_array(item, a->groups, TEXTOID, -1, false, TYPALIGN_INT));
}

void
dpem_keep_answer(const DpemQuestion *q, const DpemAnswer *a)
{
	Oid			types[] = {INT8OID, INT8OID, TEXTOID, FLOAT8OID, FLOAT8OID, INT8OID, TIMESTAMPTZOID, INT4OID,
	FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, TEXTARRAYOID};
	int			n = a->groups * a->asks;
	char		nulls[15] = "              ";
	DpemIdentity saved;
	Datum		values[] = {
		Int64GetDatum(q->table->dataset->id), Int64GetDatum(dpem_role_number(GetUserId())), CStringGetTextDatum(q->text),
		Float8GetDatum(a->epsilon), Float8GetDatum(a->delta), Int64GetDatum(a->charge), TimestampTzGetDatum(a->answered_at),
		Int32GetDatum(a->groups), numbers(a->value, n), numbers(a->noise, n), numbers(a->lower, n), numbers(a->upper, n),
		numbers(a->rank_error, n), a->key ? keys_of(a) : (Datum) 0
	};

	if (a->charge == 0)
		return;
	nulls[13] = a->key ? ' ' : 'n';
	dpem_owner_enter(&saved);
	(void) dpem_spi_query("INSERT INTO dpem.kept_answer (dataset, role, question, epsilon, delta, charge, answered_at, groups,"
						  " value, noise_stddev, ci_lower, ci_upper, rank_error, key)"
						  " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
						  lengthof(types), types, values, nulls, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
}

/* ---- finding ---- */

static double *
read_numbers(int column, MemoryContext where)
{
	ArrayType  *array = DatumGetArrayTypeP(dpem_spi_required(0, column));
	int			n = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	double	   *value = MemoryContextAlloc(where, (n + 1) * sizeof(double));

	memcpy(value, ARR_DATA_PTR(array), n * sizeof(double));
	return value;
}

static char **
read_keys(int column, MemoryContext where)
{
	bool		isnull;
	Datum		datum = dpem_spi_datum(0, column, &isnull);
	Datum	   *item;
	char	  **key;
	int			n;

	if (isnull)
		return NULL;
	deconstruct_array(DatumGetArrayTypeP(datum), TEXTOID, -1, false, TYPALIGN_INT, &item, NULL, &n);
	key = MemoryContextAlloc(where, (n + 1) * sizeof(char *));
	for (int i = 0; i < n; i++)
		key[i] = MemoryContextStrdup(where, TextDatumGetCString(item[i]));
	return key;
}

static void
read_answer(DpemAnswer *a, MemoryContext where)
{
	bool		isnull;

	a->epsilon = dpem_spi_float8(0, 1);
	a->delta = dpem_spi_float8(0, 2);
	a->charge = dpem_spi_int64(0, 3);
	a->answered_at = DatumGetTimestampTz(dpem_spi_datum(0, 4, &isnull));
	a->groups = DatumGetInt32(dpem_spi_required(0, 5));
	a->value = read_numbers(6, where);
	a->noise = read_numbers(7, where);
	a->lower = read_numbers(8, where);
	a->upper = read_numbers(9, where);
	a->rank_error = read_numbers(10, where);
	a->key = read_keys(11, where);
	a->reused = true;
}

DpemAnswer *
dpem_kept_answer(const DpemQuestion *q, DpemPrice price)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemAnswer *a = palloc0(sizeof(DpemAnswer));
	Oid			types[] = {INT8OID, OIDOID, TEXTOID, FLOAT8OID, FLOAT8OID, FLOAT8OID};
	Datum		values[] = {
		Int64GetDatum(q->table->dataset->id), ObjectIdGetDatum(GetUserId()), CStringGetTextDatum(q->text),
		Float8GetDatum(price.epsilon), Float8GetDatum(price.delta), Float8GetDatum(dpem_answer_age)
	};
	DpemIdentity saved;
	bool		found;

	if (!(dpem_answer_age > 0) || isinf(price.epsilon))
		return NULL;
	dpem_owner_enter(&saved);
	found = dpem_spi_query("SELECT k.epsilon, k.delta, k.charge, k.answered_at, k.groups, k.value, k.noise_stddev, k.ci_lower, k.ci_upper,"
						   " k.rank_error, k.key FROM dpem.kept_answer k JOIN dpem.role_number r ON r.id = k.role"
						   " WHERE k.dataset = $1 AND r.role::oid = $2 AND pg_catalog.md5(k.question) = pg_catalog.md5($3)"
						   " AND k.question = $3 AND k.epsilon >= $4 AND k.delta <= $5"
						   " AND k.answered_at > pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => $6)"
						   " ORDER BY k.answered_at DESC, k.id DESC LIMIT 1",
						   lengthof(types), types, values, NULL, false, SPI_OK_SELECT) > 0;
	if (found)
	{
		a->asks = list_length(q->asks);
		read_answer(a, caller);
	}
	dpem_owner_leave(&saved);
	return found ? a : NULL;
}

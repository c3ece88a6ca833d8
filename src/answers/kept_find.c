/*
 * kept_find.c - what is given again, and to whom.
 *
 * Who has paid for an answer is read off the ledger: the role that its charge names, and roles
 * whose shares were charged for reading it.  So nobody loses by a ROLLBACK what was paid for.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "answers/kept.h"
#include "core/statistics/combine.h"
#include "core/statistics/statistic.h"
#include "ledger/incarnation.h"
#include "ledger/rehearsal.h"
#include "server/as_owner.h"

/* of one question that are averaged, the latest; more of them would make reading them the work */
#define MOST_RELEASES 100

bool		dpem_fresh;
static double answer_age;

void
dpem_kept_init(void)
{
	DefineCustomRealVariable("dpem.answer_age",
							 "How long the answer to a statistic or a query of a private table is given again for nothing; 0: never.",
							 NULL, &answer_age, 86400, 0, 1e9, PGC_USERSET, GUC_UNIT_S, NULL, NULL, NULL);
	DefineCustomBoolVariable("dpem.fresh",
							 "Pay for a new answer, whatever is kept.",
							 "For single statistics: their argument fresh.",
							 &dpem_fresh, false, PGC_USERSET, 0, NULL, NULL, NULL);
}

/* ---- reading rows ---- */

enum
{
	EPSILON = 1, DELTA, CHARGE, ANSWERED_AT, STATISTIC, KEY, VALUE, NOISE, LOWER, UPPER, RANK_ERROR, ADDS
};

#define COLUMNS \
	"a.epsilon, a.delta, a.charge, a.answered_at, a.statistic, a.key, a.value, a.noise_stddev, a.ci_lower, a.ci_upper, a.rank_error, a.adds"

static ArrayType *
array_at(uint64 row, int column, int n)
{
	ArrayType  *array = DatumGetArrayTypeP(dpem_spi_required(row, column));

	if (ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) != n)
		elog(ERROR, "dpem: corrupt answer");
	return array;
}

static const double *
numbers_at(uint64 row, int column, int n)
{
	return (const double *) ARR_DATA_PTR(array_at(row, column, n));
}

/* NULL or a copy, in `where` */
static char **
texts_at(uint64 row, int column, int n, MemoryContext where)
{
	char	  **copy = MemoryContextAllocZero(where, (n + 1) * sizeof(char *));
	Datum	   *item;
	bool	   *nulls;
	int			count;

	deconstruct_array(array_at(row, column, n), TEXTOID, -1, false, TYPALIGN_INT, &item, &nulls, &count);
	for (int i = 0; i < n; i++)
		copy[i] = nulls[i] ? NULL : MemoryContextStrdup(where, TextDatumGetCString(item[i]));
	return copy;
}

static void
read_cells(DpemKeptAnswer *a, uint64 row, MemoryContext where)
{
	const double *value = numbers_at(row, VALUE, a->n);
	const double *noise = numbers_at(row, NOISE, a->n);
	const double *lower = numbers_at(row, LOWER, a->n);
	const double *upper = numbers_at(row, UPPER, a->n);
	const double *rank_error = numbers_at(row, RANK_ERROR, a->n);
	const bool *adds = (const bool *) ARR_DATA_PTR(array_at(row, ADDS, a->n));
	char	  **statistic = texts_at(row, STATISTIC, a->n, where);
	char	  **key = texts_at(row, KEY, a->n, where);

	a->cell = MemoryContextAllocHuge(where, (a->n + 1) * sizeof(DpemKeptCell));
	for (int i = 0; i < a->n; i++)
		a->cell[i] = (DpemKeptCell) {statistic[i], key[i], value[i], noise[i], lower[i], upper[i], rank_error[i], adds[i]};
}

static DpemKeptAnswer *
read_answer(uint64 row, MemoryContext where)
{
	DpemKeptAnswer *a = MemoryContextAllocZero(where, sizeof(DpemKeptAnswer));
	ArrayType  *value = DatumGetArrayTypeP(dpem_spi_required(row, VALUE));

	a->n = ArrayGetNItems(ARR_NDIM(value), ARR_DIMS(value));
	a->epsilon = dpem_spi_float8(row, EPSILON);
	a->delta = dpem_spi_float8(row, DELTA);
	a->charge = dpem_spi_int64(row, CHARGE);
	a->answered_at = DatumGetTimestampTz(dpem_spi_required(row, ANSWERED_AT));
	a->releases = 1;
	a->since = a->answered_at;
	read_cells(a, row, where);
	return a;
}

/* ---- averages ---- */

/* cells of a release that agree with those of this one; is any? */
static bool
add_release(DpemAverage *average, const DpemKeptAnswer *a, uint64 row)
{
	const double *value;
	const double *noise;
	bool		any = false;

	/* keys that are not public make releases of other lengths, of which nothing adds */
	value = numbers_at(row, VALUE, a->n);
	noise = numbers_at(row, NOISE, a->n);
	for (int i = 0; i < a->n; i++)
	{
		const DpemKeptCell *c = &a->cell[i];

		if (!c->adds || !dpem_average_agrees(c->value, c->noise, value[i], noise[i]))
			continue;
		dpem_average_add(&average[i], value[i], noise[i]);
		any = true;
	}
	return any;
}

static void
put_average(DpemKeptCell *c, const DpemAverage *average)
{
	double		reach;

	c->value = average->mean;
	c->noise = dpem_average_deviation(average);
	reach = dpem_noise_half_width(DPEM_NOISE_GAUSSIAN, c->noise, 0);
	c->lower = c->value - reach;
	c->upper = c->value + reach;
}

static bool
any_adds(const DpemKeptAnswer *a)
{
	for (int i = 0; i < a->n; i++)
	{
		if (a->cell[i].adds)
			return true;
	}
	return false;
}

static void
average_releases(DpemKeptAnswer *a, uint64 rows)
{
	DpemAverage *average;

	if (rows < 2 || !any_adds(a))
		return;
	average = palloc0((a->n + 1) * sizeof(DpemAverage));
	a->releases = 0;
	for (uint64 row = 0; row < rows; row++)
	{
		if (!add_release(average, a, row))
			continue;
		a->releases++;
		a->since = Min(a->since, DatumGetTimestampTz(dpem_spi_required(row, ANSWERED_AT)));
	}
	for (int i = 0; i < a->n; i++)
	{
		if (a->cell[i].adds)
			put_average(&a->cell[i], &average[i]);
	}
}

/* ---- finding ---- */

#define PARAMETERS 8
#define FOUND \
	"SELECT " COLUMNS " FROM dpem_internal.answer a WHERE a.dataset = $1" \
	" AND pg_catalog.hashtextextended(a.question, 0) = pg_catalog.hashtextextended($2, 0) AND a.question = $2 AND a.facts = $3" \
	" AND a.answered_at > pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => $4)" \
	" AND a.incarnation = (SELECT max(i.id) FROM dpem_internal.incarnation i WHERE i.account = $5)"
#define ME "(SELECT r.id FROM dpem_internal.role_number r WHERE r.role = $6::regrole)"
#define PAID " (a.role = " ME " OR EXISTS (SELECT 1 FROM dpem_internal.charge c WHERE c.reads = a.charge AND c.role = " ME "))"
#define LATEST " ORDER BY a.id DESC LIMIT "

static uint64
query(const DpemKeptQuestion *q, Oid role, const char *sql)
{
	Oid			types[] = {INT8OID, TEXTOID, TEXTOID, FLOAT8OID, INT8OID, OIDOID, FLOAT8OID, FLOAT8OID};
	Datum		values[] = {
		Int64GetDatum(q->dataset->id), CStringGetTextDatum(q->text), CStringGetTextDatum(q->facts), Float8GetDatum(answer_age),
		Int64GetDatum(q->dataset->account), ObjectIdGetDatum(role), Float8GetDatum(q->epsilon), Float8GetDatum(q->delta)
	};

	/* the index finds what anybody has asked, and how often it did everybody may read */
	return dpem_spi_query_uncounted(sql, PARAMETERS, types, values);
}

static bool
is_reusable(const DpemKeptQuestion *q)
{
	return !q->fresh && answer_age > 0 && isfinite(q->epsilon) && !dpem_rehearsal_pays(q->dataset->id) &&
		dpem_incarnation_origin(q->dataset->account) == NULL;
}

/* the latest that was worth the price, averaged with all others */
DpemKeptAnswer *
dpem_kept_own(const DpemKeptQuestion *q)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemKeptAnswer *a = NULL;
	DpemIdentity saved;
	Oid			role = GetUserId();
	uint64		rows;

	if (!is_reusable(q))
		return NULL;
	dpem_owner_enter(&saved);
	rows = query(q, role, FOUND " AND" PAID LATEST CppAsString2(MOST_RELEASES));
	for (uint64 row = 0; row < rows && a == NULL; row++)
	{
		if (dpem_spi_float8(row, EPSILON) >= q->epsilon && dpem_spi_float8(row, DELTA) >= q->delta)
			a = read_answer(row, caller);
	}
	if (a != NULL)
		average_releases(a, rows);
	dpem_owner_leave(&saved);
	return a;
}

/*
 * Another role's, at the very price that was asked for: nobody is charged more than that.  One that this role has paid
 * for since dpem_kept_own looked is among them, and the worker charges nobody for reading twice.
 */
static DpemKeptAnswer *
find_others(const DpemKeptQuestion *q)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemKeptAnswer *a = NULL;
	DpemIdentity saved;
	Oid			role = GetUserId();

	dpem_owner_enter(&saved);
	if (query(q, role, FOUND " AND a.role IS DISTINCT FROM " ME " AND a.epsilon = $7 AND a.delta = $8" LATEST "1") > 0)
		a = read_answer(0, caller);
	dpem_owner_leave(&saved);
	return a;
}

static char *
age_of(TimestampTz when)
{
	long		seconds;
	int			microseconds;

	TimestampDifference(when, GetCurrentTimestamp(), &seconds, &microseconds);
	if (seconds < 120)
		return psprintf("%ld s", seconds);
	return seconds < 7200 ? psprintf("%ld min", seconds / 60) : seconds < 172800 ? psprintf("%ld h", seconds / 3600)
		: psprintf("%ld days", seconds / 86400);
}

static void
notice_reuse(const DpemKeptQuestion *q, const DpemKeptAnswer *a, bool shared)
{
	if (q->quiet)
		return;
	ereport(NOTICE,
			(errmsg("%s: an answer that is %s old is given again, %s", q->function, age_of(a->answered_at),
					shared ? "which your share of the budget pays once and the dataset does not pay" : "which costs nothing"),
			 a->releases > 1 ? errdetail("Where noise is Gaussian it is the average of up to %d releases, the oldest %s old, weighted by their noise.",
										 a->releases, age_of(a->since))
			 : errdetail("Rows may have changed since."),
			 errhint("fresh => true, or SET dpem.fresh = on, pays for a new one.")));
}

DpemKeptAnswer *
dpem_kept_find(const DpemKeptQuestion *q)
{
	DpemKeptAnswer *a = dpem_kept_own(q);
	DpemKeptAnswer *theirs = a == NULL && is_reusable(q) ? find_others(q) : NULL;

	if (theirs != NULL)
	{
		dpem_kept_pay_share(q, theirs->charge);
		/* now it is the role's own, to be averaged with others of its own; but a snapshot may be older than the charge */
		a = dpem_kept_own(q);
		a = a != NULL ? a : theirs;
	}
	if (a != NULL)
		notice_reuse(q, a, theirs != NULL);
	return a;
}

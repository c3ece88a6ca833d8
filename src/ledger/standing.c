/*
 * standing.c - see standing.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/timestamp.h"

#include "ledger/incarnation.h"
#include "ledger/standing.h"
#include "ledger/totals.h"
#include "server/as_owner.h"
#include "server/errors.h"

/* parameters of a query, of which the last ones are what a request costs */
#define OWN_PARAMETERS 3
#define PARAMETERS (OWN_PARAMETERS + DPEM_TOTAL_FIELDS)
#define COST "ROW($4, $5, $6, $7, $8, $9, $10, $11, $12)::dpem_internal.total"

typedef struct Parameters
{
	Oid			types[PARAMETERS];
	Datum		values[PARAMETERS];
	char		nulls[PARAMETERS + 1];
} Parameters;

static void
set_parameter(Parameters *p, int at, Oid type, Datum value)
{
	p->types[at - 1] = type;
	p->values[at - 1] = value;
	p->nulls[at - 1] = ' ';
}

static void
set_cost(Parameters *p, const DpemChargeRequest *request)
{
	dpem_total_cost_fields(request, p->types + OWN_PARAMETERS, p->values + OWN_PARAMETERS, p->nulls + OWN_PARAMETERS);
	p->nulls[PARAMETERS] = '\0';
}

static uint64
query(const char *sql, const Parameters *p, int n, int expected)
{
	return dpem_spi_query(sql, n, p->types, p->values, p->nulls, false, expected);
}

/* columns of the query below */
enum
{
	OF_ROLE = 1,
	LIMIT_EPSILON,
	LIMIT_DELTA,
	LIMIT_KEYS,
	EXPIRED,
	SPENT,
	AFTER,
	AGREES,
	LAST_CHARGE,
	ACCOUNT,
	ACCOUNTANT,
	OWN,						/* a budget of the dataset that was asked about */
	SERIES_ROLE,
	SERIES_SINCE
};

#define COLUMNS " s.role IS NOT NULL, s.epsilon, s.delta, s.keys_share, coalesce(s.expires <= clock_timestamp(), false), s.total"
#define WITH_COST " dpem_internal.add_totals(s.total, " COST ")"
#define MORE_COLUMNS " s.agrees, coalesce(s.last_charge, 0), s.account, s.accountant, s.dataset = $1, s.role_id, s.since"
#define OF_DATASET " FROM dpem_internal.standing s WHERE s.dataset = $1 AND (s.role IS NULL OR s.role = $2::regrole) ORDER BY 1"
#define OF_ACCOUNT " FROM dpem_internal.standing s WHERE s.account = (SELECT d.account FROM dpem_internal.dataset d WHERE d.id = $1)" \
	" AND s.role_id IN (0, $3) ORDER BY s.dataset <> $1, 1"

static DpemSpending
read_spending(uint64 row)
{
	return (DpemSpending) {
		.limit = {dpem_spi_float8(row, LIMIT_EPSILON), dpem_spi_float8(row, LIMIT_DELTA), dpem_spi_float8(row, LIMIT_KEYS)},
			.spent = dpem_total_read(dpem_spi_required(row, SPENT)),.after = dpem_total_read(dpem_spi_required(row, AFTER))
	};
}

static void
read_dataset(DpemStanding *standing)
{
	standing->account = dpem_spi_int64(0, ACCOUNT);
	standing->accountant = dpem_accountant_from_name(dpem_spi_text(0, ACCOUNTANT, CurrentMemoryContext));
	standing->last_charge = dpem_spi_int64(0, LAST_CHARGE);
	standing->dataset = read_spending(0);
	standing->agrees = DatumGetBool(dpem_spi_required(0, AGREES));
}

static void
read_share(DpemStanding *standing, uint64 row)
{
	standing->has_share = true;
	standing->expired = DatumGetBool(dpem_spi_required(row, EXPIRED));
	standing->share = read_spending(row);
	standing->agrees &= DatumGetBool(dpem_spi_required(row, AGREES));
}

/* every series once; in the given memory context */
static void
read_series(DpemStanding *standing, uint64 rows, MemoryContext where)
{
	MemoryContext old = MemoryContextSwitchTo(where);

	standing->series = palloc(mul_size(rows, sizeof(DpemSeries)));
	for (uint64 row = 0; row < rows; row++)
	{
		DpemSeries	series = {.role = dpem_spi_int64(row, SERIES_ROLE),.since = DatumGetTimestampTz(dpem_spi_required(row, SERIES_SINCE))};
		int			i = 0;

		while (i < standing->nseries && (standing->series[i].role != series.role || standing->series[i].since != series.since))
			i++;
		if (i < standing->nseries)
			continue;
		series.after = datumCopy(dpem_spi_required(row, AFTER), false, -1);
		standing->series[standing->nseries++] = series;
		standing->agrees &= DatumGetBool(dpem_spi_required(row, AGREES));
	}
	MemoryContextSwitchTo(old);
}

/* the dataset's row, then the share's, then, with series, those of the account's other datasets */
static uint64
ask_standing(int64 dataset, Oid role, int64 role_number, const DpemChargeRequest *request)
{
	Parameters	p;

	set_parameter(&p, 1, INT8OID, Int64GetDatum(dataset));
	set_parameter(&p, 2, OIDOID, ObjectIdGetDatum(role));
	set_parameter(&p, 3, INT8OID, Int64GetDatum(role_number));
	if (request == NULL)
		return query("SELECT" COLUMNS ", s.total," MORE_COLUMNS OF_DATASET, &p, OWN_PARAMETERS, SPI_OK_SELECT);
	set_cost(&p, request);
	if (role_number == 0)
		return query("SELECT" COLUMNS "," WITH_COST "," MORE_COLUMNS OF_DATASET, &p, PARAMETERS, SPI_OK_SELECT);
	return query("SELECT" COLUMNS "," WITH_COST "," MORE_COLUMNS OF_ACCOUNT, &p, PARAMETERS, SPI_OK_SELECT);
}

/* columns of the query below */
enum
{
	IS_OWN = 1,
	SHARE_EPSILON,
	SHARE_DELTA,
	SHARE_KEYS,
	SHARE_SPENT,
	SHARE_AFTER,
	PERIODS,
	BUDGET_EPSILON,
	BUDGET_DELTA
};

#define RESERVED(after) \
	"SELECT coalesce(s.dataset = $1 AND s.role = $2::regrole, false), s.epsilon, s.delta, s.keys_share, s.total, " after "," \
	" s.reserved_periods, d.epsilon, d.delta FROM dpem_internal.standing s JOIN dpem_internal.dataset d ON d.id = s.dataset" \
	" WHERE s.reserved_periods > 0 AND s.account = (SELECT o.account FROM dpem_internal.dataset o WHERE o.id = $1)"
/* asked first, as in most ledgers nothing is, and the view takes as long to plan as all else that a charge asks */
#define ANY_RESERVED \
	"SELECT 1 FROM dpem_internal.dataset o JOIN dpem_internal.dataset d ON d.account = o.account JOIN dpem_internal.budget b ON b.dataset = d.id" \
	" WHERE o.id = $1 AND b.reserved"
#define AFTER_COST "CASE WHEN s.role = $2::regrole THEN dpem_internal.add_totals(s.total, " COST ") ELSE s.total END"

/* a role's calls count in all its shares of the ledger, and so leave less to be kept */
static void
add_reserved(DpemStanding *standing, uint64 row, DpemTotals *before, DpemTotals *after)
{
	DpemLimit	share = {dpem_spi_float8(row, SHARE_EPSILON), dpem_spi_float8(row, SHARE_DELTA), dpem_spi_float8(row, SHARE_KEYS)};
	DpemLimit	budget = {dpem_spi_float8(row, BUDGET_EPSILON), dpem_spi_float8(row, BUDGET_DELTA), share.keys_share};
	DpemTotals	spent = dpem_total_read(dpem_spi_required(row, SHARE_SPENT));
	DpemTotals	spent_after = dpem_total_read(dpem_spi_required(row, SHARE_AFTER));
	int			periods = DatumGetInt32(dpem_spi_required(row, PERIODS));

	dpem_budget_add_reserved(standing->accountant, before, share, &spent, periods);
	dpem_budget_add_reserved(standing->accountant, after, share, &spent_after, periods);
	if (dpem_budget_covers(standing->accountant, standing->unreserved.limit, budget))
		standing->unreserved.limit = budget;
}

/* what is kept for others; a role that spends its own reserved share takes from nobody's */
static void
load_reserved(DpemStanding *standing, int64 dataset, Oid role, const DpemChargeRequest *request)
{
	DpemTotals	before = {0};
	DpemTotals	after = {0};
	Parameters	p;
	uint64		rows;

	set_parameter(&p, 1, INT8OID, Int64GetDatum(dataset));
	set_parameter(&p, 2, OIDOID, ObjectIdGetDatum(role));
	set_parameter(&p, 3, INT8OID, Int64GetDatum(0));
	standing->unreserved = standing->dataset;
	if (query(ANY_RESERVED, &p, 1, SPI_OK_SELECT) == 0)
		return;
	if (request != NULL)
		set_cost(&p, request);
	rows = request == NULL ? query(RESERVED("s.total"), &p, OWN_PARAMETERS, SPI_OK_SELECT)
		: query(RESERVED(AFTER_COST), &p, PARAMETERS, SPI_OK_SELECT);
	for (uint64 row = 0; row < rows; row++)
	{
		if (DatumGetBool(dpem_spi_required(row, IS_OWN)))
			return;
		add_reserved(standing, row, &before, &after);
	}
	standing->has_reserved = rows > 0;
	standing->unreserved.spent = dpem_budget_with_reserved(&standing->dataset.spent, &before);
	standing->unreserved.after = dpem_budget_with_reserved(&standing->dataset.after, &after);
}

static DpemStanding
load(int64 dataset, Oid role, int64 role_number, const DpemChargeRequest *request)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemStanding standing = {0};
	DpemIdentity saved;
	uint64		rows;

	dpem_owner_enter(&saved);
	rows = ask_standing(dataset, role, role_number, request);
	if (rows == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("the dataset does not exist"),
				 errhint("If it was registered in this transaction, commit first.")));
	read_dataset(&standing);
	if (rows > 1 && DatumGetBool(dpem_spi_required(1, OWN)))
		read_share(&standing, 1);
	if (role_number != 0)
		read_series(&standing, rows, caller);
	load_reserved(&standing, dataset, role, request);
	dpem_owner_leave(&saved);
	standing.comes_from = dpem_incarnation_origin(standing.account);
	return standing;
}

DpemStanding
dpem_standing_load(int64 dataset, Oid role, const DpemChargeRequest *request)
{
	return load(dataset, role, 0, request);
}

DpemStanding
dpem_standing_load_series(const DpemChargeRequest *request, int64 role_number)
{
	return load(request->dataset, request->role, role_number, request);
}

DpemLimit
dpem_standing_limit(const DpemDataset *ds, Oid role)
{
	Oid			types[] = {INT8OID, OIDOID};
	Datum		values[] = {Int64GetDatum(ds->id), ObjectIdGetDatum(role)};
	DpemLimit	limit = {ds->epsilon, ds->delta, ds->keys_share};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT b.epsilon, b.delta FROM dpem_internal.budget b WHERE b.dataset = $1 AND b.role::oid = $2",
					   lengthof(types), types, values, NULL, false, SPI_OK_SELECT) > 0)
		limit = (DpemLimit) {dpem_spi_float8(0, 1), dpem_spi_float8(0, 2), ds->keys_share};
	dpem_owner_leave(&saved);
	return limit;
}

void
dpem_standing_require_share(const DpemStanding *standing, const char *dataset, Oid role)
{
	if (!standing->has_share)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("role \"%s\" has no budget on dataset \"%s\"", GetUserNameFromId(role, false), dataset),
				 errhint("The dataset's owner grants one with dp_grant_budget.")));
	if (standing->expired)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("the budget of role \"%s\" on dataset \"%s\" has expired", GetUserNameFromId(role, false), dataset),
				 errhint("The dataset's owner prolongs it with dp_grant_budget.")));
}

void
dpem_standing_require_ledger(const DpemStanding *standing, const char *dataset)
{
	if (standing->comes_from != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_LEDGER_RESTORED),
				 errmsg("no charges to dataset \"%s\": its ledger comes from %s", dataset, standing->comes_from),
				 errhint("Charges that were made there later may be missing here. The owner of the source decides, with dp_acknowledge_restore(dataset, reason).")));
	if (!standing->agrees)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_LEDGER_DISAGREES),
				 errmsg("no charges to dataset \"%s\": its running totals contradict its ledger", dataset),
				 errhint("Somebody or something has changed one of them. The owner of the source sees from which charge on, with dp_check_ledger; docs/restore.md says what to do.")));
}

bool
dpem_standing_has_ledger(const DpemStanding *standing)
{
	return standing->comes_from == NULL && standing->agrees;
}

bool
dpem_standing_affords(const DpemStanding *standing)
{
	return dpem_budget_affords(standing->accountant, &standing->dataset.after, standing->dataset.limit) &&
		(!standing->has_reserved ||
		 dpem_budget_affords(standing->accountant, &standing->unreserved.after, standing->unreserved.limit)) &&
		(!standing->has_share ||
		 dpem_budget_affords(standing->accountant, &standing->share.after, standing->share.limit));
}

double
dpem_standing_remaining(const DpemStanding *standing, double delta)
{
	const DpemSpending *all = &standing->dataset;
	const DpemSpending *mine = &standing->share;
	double		left = dpem_budget_remaining(standing->accountant, &all->after, all->limit, delta);

	if (standing->has_reserved)
		left = Min(left, dpem_budget_remaining(standing->accountant, &standing->unreserved.after, standing->unreserved.limit, delta));
	if (standing->has_share)
		left = Min(left, dpem_budget_remaining(standing->accountant, &mine->after, mine->limit, delta));
	return left;
}

/* a series that no budget is compared with now is added up when one is */
TimestampTz
dpem_standing_append(const DpemStanding *standing, int64 charge, bool reading)
{
	TimestampTz latest = DT_NOBEGIN;

	/* last_charge is the last that the account was charged */
	if (charge <= standing->last_charge)
		elog(ERROR, "dpem: charge " INT64_FORMAT " after charge " INT64_FORMAT, charge, standing->last_charge);
	for (int i = 0; i < standing->nseries; i++)
	{
		const DpemSeries *s = &standing->series[i];
		Oid			types[] = {INT8OID, INT8OID, TIMESTAMPTZOID, INT8OID, HeapTupleHeaderGetTypeId(DatumGetHeapTupleHeader(s->after))};
		Datum		values[] = {Int64GetDatum(standing->account), Int64GetDatum(s->role), TimestampTzGetDatum(s->since),
		Int64GetDatum(charge), s->after};

		if (reading && s->role == 0)
			continue;
		dpem_spi_query("INSERT INTO dpem_internal.running_total (account, role, since, charge, total) VALUES ($1, $2, $3, $4, $5)",
					   lengthof(types), types, values, NULL, false, SPI_OK_INSERT);
		latest = Max(latest, s->since);
	}
	return latest;
}

void
dpem_standing_check_lines(int64 charge, TimestampTz since, const DpemChargeRequest *request)
{
	Parameters	p;
	DpemIdentity saved;

	set_parameter(&p, 1, INT8OID, Int64GetDatum(charge));
	set_parameter(&p, 2, TIMESTAMPTZOID, TimestampTzGetDatum(since));
	set_parameter(&p, 3, INT8OID, Int64GetDatum(0));
	set_cost(&p, request);
	dpem_owner_enter(&saved);
	query("SELECT dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure) = " COST
		  " AND min(c.charged_at) >= $2 FROM dpem_internal.charge c WHERE c.charge = $1",
		  &p, PARAMETERS, SPI_OK_SELECT);
	if (!DatumGetBool(dpem_spi_required(0, 1)))
		elog(ERROR, "dpem: charge " INT64_FORMAT " is not what was to be charged", charge);
	dpem_owner_leave(&saved);
}

void
dpem_standing_check_reading(int64 account, const DpemChargeRequest *request)
{
	Parameters	p;
	DpemIdentity saved;

	if (request->reads == 0)
		return;
	set_parameter(&p, 1, INT8OID, Int64GetDatum(request->reads));
	set_parameter(&p, 2, INT8OID, Int64GetDatum(account));
	set_parameter(&p, 3, INT8OID, Int64GetDatum(0));
	set_cost(&p, request);
	dpem_owner_enter(&saved);
	query("SELECT coalesce(dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure) = " COST
		  ", false) FROM dpem_internal.charge c WHERE c.charge = $1 AND c.account = $2 AND c.reads IS NULL",
		  &p, PARAMETERS, SPI_OK_SELECT);
	if (!DatumGetBool(dpem_spi_required(0, 1)))
		elog(ERROR, "dpem: charge " INT64_FORMAT " is not what was to be read", request->reads);
	dpem_owner_leave(&saved);
}

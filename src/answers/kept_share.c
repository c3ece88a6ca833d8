/*
 * kept_share.c - a role reads what another role has paid for.
 *
 * The request that the worker is sent has the very lines of the charge that made the answer, and
 * its number: the worker compares them, counts them in the role's share alone, and only once.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "answers/kept.h"
#include "ledger/charge.h"
#include "ledger/mechanism.h"
#include "ledger/totals.h"
#include "server/as_owner.h"

enum
{
	STATISTIC = 1, MECHANISM, NOISE_MULTIPLIER, RELEASES, FAILURE, MU2, RHO, CURVE, COMPOSITION, EPSILON, DELTA
};

#define LINES \
	"SELECT statistic, mechanism, noise_multiplier, releases, failure, mu2_units, rho_units, rdp_units," \
	" composition, epsilon, delta FROM dpem_internal.charge WHERE charge = $1 ORDER BY line"

static void
copy_text(char *name, uint64 row, int column)
{
	strlcpy(name, dpem_spi_text(row, column, CurrentMemoryContext), DPEM_CHARGE_NAME);
}

static void
read_line(DpemChargeLine *line, uint64 row)
{
	bool		isnull;
	Datum		curve = dpem_spi_datum(row, CURVE, &isnull);

	copy_text(line->statistic, row, STATISTIC);
	line->mechanism = dpem_mechanism_from_name(dpem_spi_text(row, MECHANISM, CurrentMemoryContext));
	line->noise_multiplier = dpem_spi_float8(row, NOISE_MULTIPLIER);
	line->releases = DatumGetInt32(dpem_spi_required(row, RELEASES));
	line->sampling = DPEM_SAMPLING_NONE;
	line->sampling_rate = 1;
	line->failure = dpem_spi_float8(row, FAILURE);
	line->mu2_units = dpem_spi_int64(row, MU2);
	line->rho_units = dpem_spi_int64(row, RHO);
	if (!isnull)
		dpem_curve_from_array(DatumGetArrayTypeP(curve), &line->curve);
}

static void
read_lines(DpemChargeRequest *request, uint64 lines)
{
	if (lines < 1 || lines > DPEM_CHARGE_MAX_LINES)
		elog(ERROR, "dpem: an answer without its charge");
	request->nlines = (int) lines;
	for (int i = 0; i < request->nlines; i++)
		read_line(&request->lines[i], i);
	copy_text(request->composition, 0, COMPOSITION);
	request->epsilon = dpem_spi_float8(0, EPSILON);
	request->delta = dpem_spi_float8(0, DELTA);
}

void
dpem_kept_pay_share(const DpemKeptQuestion *q, int64 paid)
{
	DpemChargeRequest request = {.dataset = q->dataset->id,.account = q->dataset->account,.role = GetUserId(),.reads = paid};
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(paid)};
	DpemIdentity saved;

	/* what refuses a release must not tell, for nothing, that there is an answer */
	q->require_open(q->asked);
	strlcpy(request.function, q->function, DPEM_CHARGE_NAME);
	dpem_owner_enter(&saved);
	read_lines(&request, dpem_spi_query_uncounted(LINES, 1, types, values));
	dpem_owner_leave(&saved);
	(void) dpem_charge_commit(&request);
}

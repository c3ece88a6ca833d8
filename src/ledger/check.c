/*
 * check.c - see check.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"

#include "ledger/check.h"
#include "server/as_owner.h"
#include "server/errors.h"

/*
 * A series has a row for charges that count in it only, the first of which may
 * come after others that count as well.
 */
static const char *const wrong_sql =
	"SELECT coalesce(min(w.charge), 0), (SELECT count(*) FROM dpem_internal.charge c WHERE c.account = $1 AND c.line = 1)"
	" FROM (SELECT t.role, t.since, max(t.charge) AS last_charge FROM dpem_internal.running_total t"
	"  WHERE t.account = $1 GROUP BY t.role, t.since) s, LATERAL ("
	" SELECT t.charge FROM dpem_internal.running_total t LEFT JOIN ("
	"  SELECT c.charge, c.line, dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure)"
	"   OVER (ORDER BY c.charge) AS total FROM dpem_internal.charge c"
	"  WHERE c.account = $1 AND CASE WHEN s.role = 0 THEN c.reads IS NULL ELSE c.role = s.role END AND c.charged_at >= s.since AND c.charge <= s.last_charge"
	"  ) l ON l.charge = t.charge AND l.line = 1"
	" WHERE t.account = $1 AND t.role = s.role AND t.since = s.since AND t.total IS DISTINCT FROM l.total) w";

DpemLedgerCheck
dpem_ledger_check(int64 account)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(account)};
	DpemIdentity saved;
	DpemLedgerCheck check;

	dpem_owner_enter(&saved);
	dpem_spi_query(wrong_sql, 1, types, values, NULL, false, SPI_OK_SELECT);
	check = (DpemLedgerCheck) {.wrong_from = dpem_spi_int64(0, 1),.charges = dpem_spi_int64(0, 2)};
	dpem_owner_leave(&saved);
	return check;
}

void
dpem_ledger_require_right(int64 account, const char *dataset)
{
	DpemLedgerCheck check = dpem_ledger_check(account);

	if (check.wrong_from != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DPEM_LEDGER_DISAGREES),
				 errmsg("the ledger of dataset \"%s\" and its running totals contradict each other from charge " INT64_FORMAT " on",
						dataset, check.wrong_from),
				 errhint("Restore again, with all tables of schema dpem from the same moment, or see docs/restore.md.")));
}

/*
 * dataset_rules.c - see dataset_rules.h.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "api/datasets/dataset_rules.h"
#include "server/as_owner.h"

void
dpem_require_read_committed(const char *done)
{
	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("a dataset can only be %s in a read committed transaction", done),
				 errhint("BEGIN ISOLATION LEVEL READ COMMITTED, or leave BEGIN out.")));
}

void
dpem_require_new_name(const char *name, int64 dataset)
{
	Oid			types[] = {TEXTOID, INT8OID};
	Datum		values[] = {CStringGetTextDatum(name), Int64GetDatum(dataset)};

	if (dpem_spi_query("SELECT name FROM dpem_internal.dataset WHERE $1 = ANY (name || former_names) AND id <> $2",
					   2, types, values, NULL, false, SPI_OK_SELECT) == 0)
		return;
	if (strcmp(dpem_spi_text(0, 1, CurrentMemoryContext), name) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("dataset \"%s\" has charges under the name \"%s\"",
						dpem_spi_text(0, 1, CurrentMemoryContext), name),
				 errhint("Choose another name.")));
	ereport(ERROR,
			(errcode(ERRCODE_DUPLICATE_OBJECT),
			 errmsg("dataset \"%s\" already exists", name),
			 errhint("Change it with dp_alter_dataset, or drop it with dp_drop_dataset first; its ledger continues when the source is registered again.")));
}

/* the budgets that a ledger is, or was, charged under: of its datasets, and of dropped ones that it has charges of */
#define RULES_OF_ACCOUNT \
	"SELECT accountant, epsilon, delta, keys_share FROM dpem_internal.dataset WHERE account = $1" \
	" UNION SELECT accountant, epsilon, delta, keys_share FROM dpem_internal.account_budget WHERE account = $1"

static void
refuse_rule(const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the ledger of this source %s", what),
			 errhint("%s", hint)));
}

void
dpem_require_same_rule(int64 account, const char *accountant, DpemLimit limit)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(account)};
	DpemAccountant rule = dpem_accountant_from_name(accountant);
	uint64		n = dpem_spi_query(RULES_OF_ACCOUNT, 1, types, values, NULL, false, SPI_OK_SELECT);

	for (uint64 i = 0; i < n; i++)
	{
		char	   *its = dpem_spi_text(i, 1, CurrentMemoryContext);
		DpemLimit	other = {dpem_spi_float8(i, 2), dpem_spi_float8(i, 3), dpem_spi_float8(i, 4)};

		if (strcmp(its, accountant) != 0)
			refuse_rule(psprintf("is kept by accountant \"%s\"", its),
						psprintf("Give accountant => '%s', as its other datasets or earlier charges have.", its));
		if (other.keys_share != limit.keys_share)
			refuse_rule(psprintf("has keys_share %g", other.keys_share),
						psprintf("Give keys_share => %g, as its other datasets or earlier charges have.", other.keys_share));
		if (!dpem_budget_covers(rule, limit, other) && !dpem_budget_covers(rule, other, limit))
			refuse_rule(psprintf("has a budget of epsilon %g at delta %g, which neither covers this one nor is covered by it", other.epsilon, other.delta),
						"Give an epsilon and a delta that are both at most, or both at least, as large.");
	}
}

void
dpem_record_rule(const DpemDataset *ds)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(ds->id)};

	dpem_spi_query("INSERT INTO dpem_internal.account_budget (account, accountant, epsilon, delta, keys_share)"
				   " SELECT d.account, d.accountant, d.epsilon, d.delta, d.keys_share FROM dpem_internal.dataset d"
				   " WHERE d.id = $1 AND EXISTS (SELECT 1 FROM dpem_internal.charge c WHERE c.account = d.account"
				   "  AND c.dataset = ANY (d.name || d.former_names))"
				   " ON CONFLICT DO NOTHING", 1, types, values, NULL, false, SPI_OK_INSERT);
}

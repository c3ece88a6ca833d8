/*
 * selftest.c - dp_selftest: every family on neighbouring tables, with the same randomness.
 *
 * For each kind of neighbour the dataset is made, and every case is tested on it (selftest_run.h).
 * Everything happens in subtransactions that are rolled back: no table, no
 * dataset, no model and no charge is left.  Nothing but the made-up rows is
 * read, and noise is drawn as always.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "api/selftest/selftest_cases.h"
#include "api/selftest/selftest_rows.h"
#include "api/selftest/selftest_run.h"
#include "fit/watch.h"
#include "ledger/rehearsal.h"
#include "server/as_owner.h"
#include "server/attempt.h"
#include "server/version_shims.h"
#include "wall/tape.h"

PG_FUNCTION_INFO_V1(dp_selftest);

typedef struct Tests
{
	ReturnSetInfo *rows;		/* of the answer */
	const DpemSelftestUnits *units;
	const char *functions;		/* schema of the extension's functions, quoted */
	const char *wanted;			/* cases: a LIKE pattern, or how names begin */
	List	   *cases;
} Tests;

static void
begin_rehearsal(void)
{
	bool		isnull;
	int64		dataset;
	Oid			source;

	if (SPI_execute("SELECT id, source::oid FROM dpem_internal.dataset WHERE name = '" DPEM_SELFTEST_DATASET "'",
					false, 0) != SPI_OK_SELECT || SPI_processed != 1)
		elog(ERROR, "dpem: the dataset of dp_selftest is not there");
	dataset = dpem_spi_int64(0, 1);
	source = DatumGetObjectId(dpem_spi_datum(0, 2, &isnull));
	dpem_rehearsal_begin(dataset, source);
}

static void
test_cases(void *argument)
{
	const Tests *tests = argument;
	MemoryContext one = AllocSetContextCreate(CurrentMemoryContext, "dpem selftest", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old;
	ListCell   *cell;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	dpem_selftest_make_dataset(tests->units, tests->functions);
	begin_rehearsal();
	old = MemoryContextSwitchTo(one);
	foreach(cell, tests->cases)
	{
		const DpemSelftestCase *test = lfirst(cell);

		if (dpem_selftest_is_wanted(test->name, tests->wanted))
			dpem_selftest_run(test, tests->units, tests->functions, tests->rows);
		MemoryContextReset(one);
	}
	MemoryContextSwitchTo(old);
	SPI_finish();
}

static void
require_trusted(void)
{
	if (!superuser() && !has_privs_of_role(GetUserId(), dpem_extension_owner()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("dp_selftest is for superusers and the owner of the extension")));
	PreventCommandIfReadOnly("dp_selftest");
	PreventCommandDuringRecovery("dp_selftest");
}

/*
 * dp_selftest(families text; quick: the first case of each, with one kind of units) returns family, adjacency, what was checked, what was
 * declared, what was measured, and whether that is as it should be.
 */
Datum
dp_selftest(PG_FUNCTION_ARGS)
{
	const char *families = PG_ARGISNULL(0) ? "%" : text_to_cstring(PG_GETARG_TEXT_PP(0));
	bool		quick = strcmp(families, "quick") == 0;
	Tests		tests = {.wanted = quick ? "%" : families,.cases = dpem_selftest_cases(quick)};
	DpemIdentity saved;
	ErrorData  *volatile error = NULL;

	require_trusted();
	tests.functions = dpem_extension_schema(fcinfo);
	dpem_selftest_require_wanted(tests.wanted);
	InitMaterializedSRF(fcinfo, 0);
	tests.rows = (ReturnSetInfo *) fcinfo->resultinfo;
	/* as the caller, who is trusted, but with no setting of theirs */
	dpem_identity_enter(&saved, InvalidOid, false);
	PG_TRY();
	{
		for (int u = 0; u < (quick ? 1 : dpem_selftest_nunits) && error == NULL; u++)
		{
			tests.units = &dpem_selftest_units[u];
			error = dpem_attempt(test_cases, &tests, false);
			dpem_rehearsal_end();
		}
	}
	PG_FINALLY();
	{
		dpem_rehearsal_end();
		dpem_tape_stop();
		dpem_watch_stop();
	}
	PG_END_TRY();
	if (error != NULL)
		dpem_throw_outside(error);
	dpem_identity_leave(&saved);
	return (Datum) 0;
}

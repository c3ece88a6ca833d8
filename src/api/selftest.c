/*
 * selftest.c - dp_selftest: every family on neighbouring tables, with the same randomness.
 *
 * For each kind of neighbour and each family: a fit on made-up rows is
 * recorded, then played back on every neighbour (wall/tape.h).  Under the
 * same releases a neighbour's fit must send the same queries with the same
 * parameters, end alike, say the same and give the same result, and none of its raw
 * moments may have moved further than was declared and paid for.
 *
 * Everything happens in subtransactions that are rolled back: no table, no
 * dataset, no model and no charge is left.  Nothing but the made-up rows is
 * read, and noise is drawn as always.
 */
#include "postgres.h"

#include <math.h>

#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "api/selftest_cases.h"
#include "api/selftest_rows.h"
#include "core/numeric/bisect.h"
#include "fit/watch.h"
#include "ledger/rehearsal.h"
#include "server/as_owner.h"
#include "server/attempt.h"
#include "server/version_shims.h"
#include "wall/tape.h"

PG_FUNCTION_INFO_V1(dp_selftest);

/* what a run showed to others */
typedef struct Outcome
{
	DpemWatch  *watch;
	ErrorData  *error;			/* NULL: none */
	char	   *result;			/* rows as text */
	DpemRehearsedPayment payment;
} Outcome;

/* one fit on one table */
typedef struct Run
{
	const DpemSelftestUnits *units;
	int			neighbour;
	bool		alone;
	const char *call;
	MemoryContext keep;
	Outcome    *outcome;
} Run;

/* a family under one kind of neighbours */
typedef struct Case
{
	FunctionCallInfo fcinfo;
	const char *family;
	const DpemSelftestUnits *units;
	const char *call;
	bool		draws;			/* rows at random */
	int			charges;		/* of one run: calls in the case */
	DpemTape   *tape;
	Outcome    *recorded;
	int			queries;		/* of the neighbour that sent another number, else as recorded */
	int			messages;
	int			other_queries;	/* neighbours that differ from the recorded run ... */
	int			other_messages;
	int			other_ends;
	int			other_results;
	int			other_releases;
	double		mu2;			/* greatest over neighbours */
	double		failure;
	double		order;			/* what another order of the same rows changed */
} Case;

static void
connect_spi(void)
{
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
}

/* ---- one run ---- */

/* everything it would tell an analyst who asks for much */
static void
let_fit_speak(void)
{
	(void) set_config_option("dpem.progress", "on", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL,
							 true, 0, false);
	/* but for what it says of released numbers, which differ as they should */
	(void) set_config_option("dpem.noise_warnings", "off", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL,
							 true, 0, false);
}

static void
fit_once(void *argument)
{
	Run		   *run = argument;
	char	   *sql = psprintf("SELECT coalesce(string_agg(r::text, E'\\n'), '') FROM %s AS r", run->call);

	connect_spi();
	let_fit_speak();
	dpem_selftest_become(run->units, run->neighbour, run->alone);
	dpem_watch_start(run->outcome->watch);
	if (SPI_execute(sql, false, 0) != SPI_OK_SELECT || SPI_processed != 1)
		elog(ERROR, "dpem: a fit of dp_selftest returned nothing");
	dpem_watch_stop();
	run->outcome->result = dpem_spi_text(0, 1, run->keep);
	SPI_finish();
}

static Outcome *
run_fit(const Case *c, int neighbour)
{
	Outcome    *outcome = palloc0(sizeof(Outcome));
	Run			run = {c->units, neighbour, c->draws, c->call, CurrentMemoryContext, outcome};

	outcome->watch = dpem_watch_create();
	(void) dpem_rehearsal_payment();
	outcome->error = dpem_attempt(fit_once, &run, false);
	dpem_watch_stop();
	outcome->payment = dpem_rehearsal_payment();
	return outcome;
}

/* ---- comparing ---- */

static bool
same_text(const char *a, const char *b)
{
	return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

static bool
same_end(const ErrorData *a, const ErrorData *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return a->sqlerrcode == b->sqlerrcode && same_text(a->message, b->message) &&
		same_text(a->detail, b->detail) && same_text(a->hint, b->hint);
}

static void
compare(Case *c, const Outcome *outcome)
{
	const Outcome *first = c->recorded;
	const DpemReplay *replay = dpem_tape_replayed(c->tape);

	if (outcome->watch->queries != first->watch->queries)
		c->queries = outcome->watch->queries;
	if (outcome->watch->messages != first->watch->messages)
		c->messages = outcome->watch->messages;
	c->other_queries += !same_text(outcome->watch->query_log.data, first->watch->query_log.data);
	c->other_messages += !same_text(outcome->watch->message_log.data, first->watch->message_log.data);
	c->other_ends += !same_end(outcome->error, first->error);
	c->other_results += !same_text(outcome->result, first->result);
	c->other_releases += !replay->same_shape;
	c->mu2 = Max(c->mu2, replay->mu2);
	c->failure = Max(c->failure, replay->failure);
}

static void
play_neighbours(Case *c)
{
	int			n = dpem_selftest_neighbours(c->units);
	MemoryContext keep = CurrentMemoryContext;
	MemoryContext temporary = AllocSetContextCreate(keep, "dpem selftest run", ALLOCSET_DEFAULT_SIZES);

	for (int i = 1; i <= n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(temporary);
		dpem_tape_replay(c->tape);
		{
			Outcome    *outcome = run_fit(c, i);

			dpem_tape_stop();
			compare(c, outcome);
		}
		if (i == n)				/* the same rows in another order */
			c->order = dpem_tape_replayed(c->tape)->worst;
		MemoryContextSwitchTo(keep);
		MemoryContextReset(temporary);
	}
	MemoryContextDelete(temporary);
}

/* ---- rows of the answer ---- */

/*
 * Two noisy integers may be the same by chance: one in so many is let pass, none
 * where there are fewer.
 */
#define CHANCE_MEETINGS 500

static void
emit(const Case *c, const char *check, double declared, double measured, bool passed)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) c->fcinfo->resultinfo;
	Datum		values[] = {CStringGetTextDatum(c->family), CStringGetTextDatum(c->units->name),
		CStringGetTextDatum(check), Float8GetDatum(declared), Float8GetDatum(measured),
	BoolGetDatum(passed)};
	bool		nulls[6] = {false};

	tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
}

/* `measured` may not be greater than `declared` */
static void
emit_bound(const Case *c, const char *check, double declared, double measured)
{
	emit(c, check, declared, measured, measured <= declared * (1 + 1e-9));
}

/* no neighbour may differ */
static void
emit_same(const Case *c, const char *check, int differing)
{
	emit(c, check, 0, differing, differing == 0);
}

static void
emit_case(const Case *c, const DpemTape *again)
{
	const DpemMeasured *m;
	int			n = dpem_tape_measured(c->tape, &m);
	const DpemRehearsedPayment *paid = &c->recorded->payment;
	int			numbers;
	int			differing;

	for (int i = 0; i < n; i++)
		emit_bound(c, psprintf("sensitivity: %s", m[i].statistic), m[i].declared, m[i].measured);
	emit_bound(c, "mu of all releases, as charged", dpem_round_up(sqrt(paid->mu2)), sqrt(c->mu2));
	if (paid->failure > 0)
		emit_bound(c, "failure of keys, as charged", paid->failure, c->failure);
	emit(c, "releases, as charged", paid->releases_paid, paid->releases_taken,
		 paid->charges == c->charges && paid->releases_taken > 0 && paid->releases_taken <= paid->releases_paid);
	emit_same(c, "same releases at all neighbours", c->other_releases);
	emit(c, "same queries at all neighbours", c->recorded->watch->queries, c->queries, c->other_queries == 0);
	emit(c, "same messages at all neighbours", c->recorded->watch->messages, c->messages,
		 c->other_messages == 0);
	emit_same(c, "same end at all neighbours", c->other_ends + (c->recorded->error != NULL));
	emit_same(c, "same model from the same releases", c->other_results);
	if (!c->draws)
		emit(c, "same sums in any order of rows", 0, c->order, c->order == 0);
	dpem_tape_differences(c->tape, again, &numbers, &differing);
	emit(c, "numbers that vary from fit to fit", numbers, differing,
		 dpem_tape_releases(again) == dpem_tape_releases(c->tape) && numbers - differing <= numbers / CHANCE_MEETINGS);
}

/* ---- the whole ---- */

static void
test_family(Case *c)
{
	DpemTape   *again = dpem_tape_create();

	c->tape = dpem_tape_create();
	dpem_tape_record(c->tape);
	c->recorded = run_fit(c, 0);
	dpem_tape_stop();
	c->queries = c->recorded->watch->queries;
	c->messages = c->recorded->watch->messages;
	play_neighbours(c);
	dpem_tape_record(again);
	(void) run_fit(c, 0);
	dpem_tape_stop();
	emit_case(c, again);
}

typedef struct Tests
{
	FunctionCallInfo fcinfo;
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
test_all_families(void *argument)
{
	const Tests *tests = argument;
	MemoryContext one = AllocSetContextCreate(CurrentMemoryContext, "dpem selftest", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old;
	ListCell   *cell;

	connect_spi();
	dpem_selftest_make_dataset(tests->units, tests->functions);
	begin_rehearsal();
	old = MemoryContextSwitchTo(one);
	foreach(cell, tests->cases)
	{
		const DpemSelftestCase *test = lfirst(cell);
		DpemSelftestUnits units = *tests->units;
		Case		c = {
			.fcinfo = tests->fcinfo,.family = test->name,.units = &units,
			.call = dpem_selftest_call(test, tests->functions),.charges = dpem_selftest_charges(test),.draws = (test->kind & DPEM_SELFTEST_DRAWS) != 0
		};

		units.counts_nulls = (test->kind & DPEM_SELFTEST_COUNTS_NULLS) != 0;
		if (dpem_selftest_is_wanted(c.family, tests->wanted))
			test_family(&c);
		MemoryContextReset(one);
	}
	MemoryContextSwitchTo(old);
	SPI_finish();
}

/* the schema that CREATE EXTENSION was given */
static char *
functions_schema(void)
{
	MemoryContext caller = CurrentMemoryContext;
	DpemIdentity saved;
	char	   *name;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e"
					   " JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace"
					   " WHERE e.extname = 'dpem'", 0, NULL, NULL, NULL, true, SPI_OK_SELECT) != 1)
		elog(ERROR, "dpem: the extension is not there");
	name = dpem_spi_text(0, 1, caller);
	dpem_owner_leave(&saved);
	return name;
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
	Tests		tests = {.fcinfo = fcinfo,.wanted = quick ? "%" : families,.cases = dpem_selftest_cases(quick)};
	DpemIdentity saved;
	ErrorData  *volatile error = NULL;

	require_trusted();
	tests.functions = functions_schema();
	dpem_selftest_require_wanted(tests.wanted);
	InitMaterializedSRF(fcinfo, 0);
	/* as the caller, who is trusted, but with no setting of theirs */
	dpem_identity_enter(&saved, InvalidOid, false);
	PG_TRY();
	{
		for (int u = 0; u < (quick ? 1 : dpem_selftest_nunits) && error == NULL; u++)
		{
			tests.units = &dpem_selftest_units[u];
			error = dpem_attempt(test_all_families, &tests, false);
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

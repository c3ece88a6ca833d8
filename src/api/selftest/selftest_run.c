/*
 * selftest_run.c - see selftest_run.h.
 *
 * A fit on made-up rows, one of the passes that the case is there for, is recorded, then played back on every neighbour (wall/tape.h).
 * Under the same releases a neighbour's fit must send the same queries with the same
 * parameters, end alike, say the same and give the same result, and none of its raw
 * moments may have moved further than was declared and paid for.  Fits of the same rows
 * that are not played back must have other noise in every number.
 */
#include "postgres.h"

#include <math.h>

#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#include "api/selftest/selftest_cases.h"
#include "api/selftest/selftest_run.h"
#include "core/numeric/bisect.h"
#include "fit/watch.h"
#include "ledger/rehearsal.h"
#include "server/as_owner.h"
#include "server/attempt.h"
#include "wall/tape.h"

/* what a fit showed to others */
typedef struct Outcome
{
	DpemWatch  *watch;
	ErrorData  *error;			/* NULL: none */
	char	   *result;			/* rows as text */
	DpemRehearsedPayment payment;
} Outcome;

/* a case under one kind of neighbours */
typedef struct Case
{
	ReturnSetInfo *rows;		/* of the answer */
	const char *family;
	const DpemSelftestUnits *units;
	const char *call;
	int			kind;			/* of DPEM_SELFTEST_*: of which passes the recorded fit must have one */
	DpemSelftestOthers others;	/* varied, unless the case draws rows at random */
	int			charges;		/* of one fit: calls in the case */
	DpemTape   *tape;
	Outcome    *recorded;
	int			queries;		/* of the neighbour that sent another number, else as recorded */
	int			messages;
	int			other_queries;	/* neighbours that differ from the recorded fit ... */
	int			other_messages;
	int			other_ends;
	int			other_results;
	int			other_releases;
	double		mu2;			/* greatest over neighbours */
	double		failure;
	double		order;			/* what another order of the same rows changed */
	bool		as_many_again;	/* releases in fits of the same rows that were not played back */
} Case;

/* ---- one fit ---- */

/* one fit on one table */
typedef struct Fit
{
	const Case *test;
	int			neighbour;
	MemoryContext keep;
	Outcome    *outcome;
} Fit;

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
	Fit		   *fit = argument;
	const Case *c = fit->test;
	char	   *sql = psprintf("SELECT coalesce(string_agg(r::text, E'\\n'), '') FROM %s AS r", c->call);

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	let_fit_speak();
	dpem_selftest_become(c->units, fit->neighbour, c->others);
	dpem_watch_start(fit->outcome->watch);
	if (SPI_execute(sql, false, 0) != SPI_OK_SELECT || SPI_processed != 1)
		elog(ERROR, "dpem: a fit of dp_selftest returned nothing");
	dpem_watch_stop();
	fit->outcome->result = dpem_spi_text(0, 1, fit->keep);
	SPI_finish();
}

/* on the n-th neighbour; 0: on the table itself */
static Outcome *
run_fit(const Case *c, int neighbour)
{
	Outcome    *outcome = palloc0(sizeof(Outcome));
	Fit			fit = {c, neighbour, CurrentMemoryContext, outcome};

	outcome->watch = dpem_watch_create();
	(void) dpem_rehearsal_payment();
	outcome->error = dpem_attempt(fit_once, &fit, false);
	dpem_watch_stop();
	dpem_tape_stop();
	outcome->payment = dpem_rehearsal_payment();
	return outcome;
}

static Outcome *
record_fit(const Case *c, DpemTape *tape)
{
	dpem_tape_record(tape);
	return run_fit(c, 0);
}

/* ---- the recorded fit ---- */

enum
{
	UNITS_OF_ANY, UNITS_OF_ONE, UNITS_OF_SEVERAL
};

/* passes that a case may be there for, which noise decides on */
typedef struct Sought
{
	int			kind;
	const char *phase;			/* how it ends */
	const char *check;
	int			units;			/* those of so many rows that noise decides so: */
} Sought;

static const Sought sought[] = {
	{DPEM_SELFTEST_OWN_FRAMES, DPEM_OWN_FRAMES_PHASE, "passes in own frames", UNITS_OF_ANY},
	{DPEM_SELFTEST_IN_PLACE, DPEM_IN_PLACE_PHASE, "passes in place of cells", UNITS_OF_ONE},
	{DPEM_SELFTEST_IN_PLACE_SEVERAL, DPEM_IN_PLACE_PHASE, "passes in place of cells", UNITS_OF_SEVERAL},
	{DPEM_SELFTEST_ALL_ROWS, DPEM_ALL_ROWS_PHASE, "looks at all rows in place of cells", UNITS_OF_ANY}
};

static bool
is_sought(const Case *c, const Sought *pass)
{
	return (c->kind & pass->kind) &&
		(pass->units == UNITS_OF_ANY || (pass->units == UNITS_OF_SEVERAL) == c->units->several);
}

static bool
has_pass(const Case *c, const Sought *pass)
{
	return strstr(c->recorded->watch->message_log.data, pass->phase) != NULL;
}

static bool
has_sought(const Case *c)
{
	for (int i = 0; i < lengthof(sought); i++)
		if (is_sought(c, &sought[i]) && !has_pass(c, &sought[i]))
			return false;
	return true;
}

/* where noise keeps a third of fits from them, none of so many has them with a probability below 1e-18; with two thirds, 1e-6 */
#define MOST_TRIES 40

static void
record_case(Case *c)
{
	int			tries = 0;

	do
	{
		CHECK_FOR_INTERRUPTS();
		c->tape = dpem_tape_create();
		c->recorded = record_fit(c, c->tape);
	} while (!has_sought(c) && ++tries < MOST_TRIES);
}

/* ---- neighbours ---- */

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
		compare(c, run_fit(c, i));
		if (i == n)				/* the same rows in another order */
			c->order = dpem_tape_replayed(c->tape)->worst;
		MemoryContextSwitchTo(keep);
		MemoryContextReset(temporary);
	}
	MemoryContextDelete(temporary);
}

/* ---- fits of the same rows ---- */

/*
 * What makes it sure that a number has no noise: that noise would have been the same in so many fits with this
 * probability at most.  A run of all cases has fewer than ten million numbers (test/audit/selftest.sql), and so accuses
 * noise that is there with a probability below one in a million.
 */
#define LUCK 1e-13

/* one fit more as a rule, and as many as it takes where a number is the same in that */
static void
repeat_fit(Case *c)
{
	c->as_many_again = true;
	do
	{
		DpemTape   *again = dpem_tape_create();

		CHECK_FOR_INTERRUPTS();
		(void) record_fit(c, again);
		c->as_many_again &= dpem_tape_releases(again) == dpem_tape_releases(c->tape);
		dpem_tape_meet(c->tape, again);
	} while (dpem_tape_variety(c->tape).luck > LUCK);
}

/* ---- rows of the answer ---- */

static void
emit(const Case *c, const char *check, double declared, double measured, bool passed)
{
	Datum		values[] = {CStringGetTextDatum(c->family), CStringGetTextDatum(c->units->name),
		CStringGetTextDatum(check), Float8GetDatum(declared), Float8GetDatum(measured),
	BoolGetDatum(passed)};
	bool		nulls[6] = {false};

	tuplestore_putvalues(c->rows->setResult, c->rows->setDesc, values, nulls);
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

/* what neighbours moved, and what was paid */
static void
emit_prices(const Case *c)
{
	const DpemMeasured *m;
	int			n = dpem_tape_measured(c->tape, &m);
	const DpemRehearsedPayment *paid = &c->recorded->payment;

	for (int i = 0; i < n; i++)
		emit_bound(c, psprintf("sensitivity: %s", m[i].statistic), m[i].declared, m[i].measured);
	emit_bound(c, "mu of all releases, as charged", dpem_round_up(sqrt(paid->mu2)), sqrt(c->mu2));
	if (paid->failure > 0)
		emit_bound(c, "failure of keys, as charged", paid->failure, c->failure);
	emit(c, "releases, as charged", paid->releases_paid, paid->releases_taken,
		 paid->charges == c->charges && paid->releases_taken > 0 && paid->releases_taken <= paid->releases_paid);
}

static void
emit_comparisons(const Case *c)
{
	const DpemWatch *watch = c->recorded->watch;

	emit_same(c, "same releases at all neighbours", c->other_releases);
	emit(c, "same queries at all neighbours", watch->queries, c->queries, c->other_queries == 0);
	emit(c, "same messages at all neighbours", watch->messages, c->messages, c->other_messages == 0);
	emit_same(c, "same end at all neighbours", c->other_ends + (c->recorded->error != NULL));
	emit_same(c, "same model from the same releases", c->other_results);
	if (c->others == DPEM_OTHERS_VARIED)
		emit(c, "same sums in any order of rows", 0, c->order, c->order == 0);
}

/* a case that does not test what it is for would hold, too */
static void
emit_sought(const Case *c)
{
	for (int i = 0; i < lengthof(sought); i++)
		if (is_sought(c, &sought[i]))
			emit(c, sought[i].check, 1, has_pass(c, &sought[i]), has_pass(c, &sought[i]));
}

static void
emit_variety(const Case *c)
{
	DpemVariety variety = dpem_tape_variety(c->tape);

	emit(c, "numbers that vary from fit to fit", variety.numbers, variety.varied,
		 c->as_many_again && variety.varied == variety.numbers);
}

/* ---- the case ---- */

static DpemSelftestOthers
others_of(int kind)
{
	if (!(kind & DPEM_SELFTEST_DRAWS))
		return DPEM_OTHERS_VARIED;
	return kind & DPEM_SELFTEST_ALIKE ? DPEM_OTHERS_ALIKE : DPEM_OTHERS_NULL;
}

void
dpem_selftest_run(const DpemSelftestCase *test, const DpemSelftestUnits *units, const char *functions,
				  ReturnSetInfo *rows)
{
	DpemSelftestUnits own = *units;
	Case		c = {
		.rows = rows,.family = test->name,.units = &own,.call = dpem_selftest_call(test, functions),
		.charges = dpem_selftest_charges(test),.others = others_of(test->kind),
		.kind = test->kind
	};

	own.counts_nulls = (test->kind & DPEM_SELFTEST_COUNTS_NULLS) != 0;
	own.classes = (test->kind & DPEM_SELFTEST_CLASSES) != 0;
	own.wide = (test->kind & DPEM_SELFTEST_WIDE) != 0;
	record_case(&c);
	c.queries = c.recorded->watch->queries;
	c.messages = c.recorded->watch->messages;
	play_neighbours(&c);
	repeat_fit(&c);
	emit_prices(&c);
	emit_sought(&c);
	emit_comparisons(&c);
	emit_variety(&c);
}

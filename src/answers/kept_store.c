/*
 * kept_store.c - answers as rows.
 *
 * An answer is written after its charge was committed and its noise was drawn, in the caller's
 * transaction: whoever can read it reads a released number.  A transaction that is rolled back
 * forgets it, and its charge stands.  There is no unique key but a sequence's number, so two
 * sessions that ask the same at once both pay, both keep, and neither fails.
 */
#include "postgres.h"

#include <math.h>

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "answers/kept.h"
#include "ledger/rehearsal.h"
#include "server/as_owner.h"
#include "server/attempt.h"

typedef enum Field
{
	VALUE, NOISE, LOWER, UPPER, RANK_ERROR
} Field;

static double
field_of(const DpemKeptCell *c, Field field)
{
	switch (field)
	{
		case VALUE:
			return c->value;
		case NOISE:
			return c->noise;
		case LOWER:
			return c->lower;
		case UPPER:
			return c->upper;
		default:
			return c->rank_error;
	}
}

static Datum
numbers(const DpemKeptAnswer *a, Field field)
{
	Datum	   *item = palloc((a->n + 1) * sizeof(Datum));

	for (int i = 0; i < a->n; i++)
		item[i] = Float8GetDatum(field_of(&a->cell[i], field));
	return PointerGetDatum(construct_array(item, a->n, FLOAT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

static Datum
additions(const DpemKeptAnswer *a)
{
	Datum	   *item = palloc((a->n + 1) * sizeof(Datum));

	for (int i = 0; i < a->n; i++)
		item[i] = BoolGetDatum(a->cell[i].adds);
	return PointerGetDatum(construct_array(item, a->n, BOOLOID, 1, true, TYPALIGN_CHAR));
}

static Datum
texts(const DpemKeptAnswer *a, bool keys)
{
	Datum	   *item = palloc((a->n + 1) * sizeof(Datum));
	bool	   *nulls = palloc((a->n + 1) * sizeof(bool));

	for (int i = 0; i < a->n; i++)
	{
		const char *text = keys ? a->cell[i].key : a->cell[i].statistic;

		nulls[i] = text == NULL;
		item[i] = text ? CStringGetTextDatum(text) : (Datum) 0;
	}
	return PointerGetDatum(construct_md_array(item, nulls, a->n > 0 ? 1 : 0, (int[]) {a->n}, (int[]) {1}, TEXTOID, -1, false, TYPALIGN_INT));
}

typedef struct Storing
{
	const DpemKeptQuestion *question;
	const DpemKeptAnswer *answer;
} Storing;

/* who paid, and in which server's ledger, is what the charge says */
static void
insert(void *argument)
{
	const Storing *s = argument;
	const DpemKeptAnswer *a = s->answer;
	Oid			types[] = {INT8OID, INT8OID, TEXTOID, TEXTOID, TEXTOID, FLOAT8OID, FLOAT8OID, TIMESTAMPTZOID, TEXTARRAYOID, TEXTARRAYOID,
	FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, BOOLARRAYOID, OIDOID, INT8OID};
	Datum		values[] = {
		Int64GetDatum(s->question->dataset->id), Int64GetDatum(a->charge), CStringGetTextDatum(s->question->function),
		CStringGetTextDatum(s->question->text), CStringGetTextDatum(s->question->facts), Float8GetDatum(a->epsilon), Float8GetDatum(a->delta),
		TimestampTzGetDatum(a->answered_at), texts(a, false), texts(a, true), numbers(a, VALUE), numbers(a, NOISE), numbers(a, LOWER),
		numbers(a, UPPER), numbers(a, RANK_ERROR), additions(a), ObjectIdGetDatum(GetUserId()), Int64GetDatum(s->question->dataset->account)
	};
	DpemIdentity saved;

	/* a kept answer belongs to its charge, which is recorded from read-only transactions, too; the subtransaction's end sets it back */
	XactReadOnly = false;
	dpem_owner_enter(&saved);
	(void) dpem_spi_query("INSERT INTO dpem_internal.answer (dataset, role, incarnation, charge, function, question, facts, epsilon, delta, answered_at,"
						  " statistic, key, value, noise_stddev, ci_lower, ci_upper, rank_error, adds)"
						  " SELECT $1, r.id, (SELECT max(i.id) FROM dpem_internal.incarnation i WHERE i.account = $18), $2, $3, $4, $5, $6, $7, $8,"
						  " $9, $10, $11, $12, $13, $14, $15, $16 FROM dpem_internal.role_number r WHERE r.role = $17::regrole",
						  lengthof(types), types, values, NULL, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
}

void
dpem_kept_store(const DpemKeptQuestion *q, const DpemKeptAnswer *a)
{
	Storing		s = {q, a};
	ErrorData  *error;

	if (a->charge == 0 || dpem_rehearsal_pays(q->dataset->id))
		return;
	error = dpem_attempt(insert, &s, true);
	if (error == NULL)
		return;
	ereport(LOG_SERVER_ONLY,
			(errcode(error->sqlerrcode), errmsg_internal("dpem: an answer was not kept: %s", error->message),
			 error->detail_log ? errdetail_internal("%s", error->detail_log) : 0));
	ereport(WARNING,
			(errmsg("%s: the answer could not be kept", q->function),
			 errdetail("It was paid for and is returned; asking again costs again."),
			 errhint("The server log has the reason.")));
}

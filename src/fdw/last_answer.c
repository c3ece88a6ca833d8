/*
 * last_answer.c - the noise beside the numbers: what dpem.last_answer shows of this
 * session's last query of private tables.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "fdw/fdw.h"
#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dpem_last_answer);

typedef struct Shown
{
	char	   *table;
	char	   *aggregate;
	char	   *key;			/* NULL: there is one group */
	double		value;
	double		noise;
	double		lower;
	double		upper;
	double		rank_error;
	double		epsilon;		/* of the query */
	double		delta;
	int64		charge;			/* 0: none */
	TimestampTz answered_at;
	bool		reused;
	Oid			role;			/* whose it is: a function that runs as another does not see it */
} Shown;

static MemoryContext memory = NULL;
static List *shown = NIL;		/* of Shown, in `memory` */

void
dpem_last_answer_begin(void)
{
	if (memory == NULL)
		memory = AllocSetContextCreate(TopMemoryContext, "dpem last answer", ALLOCSET_SMALL_SIZES);
	MemoryContextReset(memory);
	shown = NIL;
}

static char *
as_text(const Const *value)
{
	Oid			output;
	bool		varlena;

	if (value->constisnull)
		return pstrdup("");
	getTypeOutputInfo(value->consttype, &output, &varlena);
	return OidOutputFunctionCall(output, value->constvalue);
}

char *
dpem_key_of(const DpemQuestion *q, const DpemAnswer *a, int group)
{
	StringInfoData out;

	if (q->keys == NIL)
		return NULL;
	initStringInfo(&out);
	for (int i = 0; i < q->columns; i++)
	{
		const DpemGroupKey *key = q->constant[i] == NULL && q->place[i] >= 0 ? list_nth(q->keys, q->place[i]) : NULL;
		Const		value = {.xpr.type = T_Const};

		if (key == NULL)
			continue;
		value.consttype = exprType(key->expression);
		value.constvalue = dpem_answer_column(q, a, group, i, &value.constisnull);
		appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "", as_text(&value));
	}
	return out.data;
}

static void
add(const DpemQuestion *q, const DpemAnswer *a, int group, int ask)
{
	Shown	   *s = palloc0(sizeof(Shown));
	int			at = group * a->asks + ask;

	s->table = get_rel_name(q->table->relation);
	s->aggregate = pstrdup(((DpemAsk *) list_nth(q->asks, ask))->name);
	s->key = dpem_key_of(q, a, group);
	s->value = a->value[at];
	s->noise = a->noise[at];
	s->lower = a->lower[at];
	s->upper = a->upper[at];
	s->rank_error = a->rank_error[at];
	s->epsilon = a->epsilon;
	s->delta = a->delta;
	s->charge = a->charge;
	s->answered_at = a->answered_at;
	s->reused = a->reused;
	s->role = GetUserId();
	shown = lappend(shown, s);
}

void
dpem_last_answer_add(const DpemQuestion *q, const DpemAnswer *a)
{
	MemoryContext old;

	if (memory == NULL)
		dpem_last_answer_begin();
	old = MemoryContextSwitchTo(memory);
	for (int g = 0; g < a->groups; g++)
	{
		for (int i = 0; i < a->asks && !dpem_answer_is_excluded(q, g); i++)
			add(q, a, g, i);
	}
	MemoryContextSwitchTo(old);
}

static void
put_number(Datum *values, bool *nulls, int at, double number)
{
	values[at] = Float8GetDatum(number);
	nulls[at] = isnan(number);
}

/*
 * rows (table_name, aggregate, key, value, noise_stddev, ci_lower, ci_upper, rank_error, epsilon,
 * delta, charge, answered_at, reused); of nothing but what this session was given
 */
Datum
dpem_last_answer(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	ListCell   *cell;

	InitMaterializedSRF(fcinfo, 0);
	foreach(cell, shown)
	{
		const Shown *s = lfirst(cell);
		Datum		values[13] = {0};
		bool		nulls[13] = {false, false, s->key == NULL};

		if (s->role != GetUserId())
			continue;
		values[0] = CStringGetTextDatum(s->table);
		values[1] = CStringGetTextDatum(s->aggregate);
		values[2] = s->key ? CStringGetTextDatum(s->key) : (Datum) 0;
		put_number(values, nulls, 3, s->value);
		put_number(values, nulls, 4, s->noise);
		put_number(values, nulls, 5, s->lower);
		put_number(values, nulls, 6, s->upper);
		put_number(values, nulls, 7, s->rank_error);
		put_number(values, nulls, 8, s->epsilon);
		put_number(values, nulls, 9, s->delta);
		values[10] = Int64GetDatum(s->charge);
		nulls[10] = s->charge == 0;
		values[11] = TimestampTzGetDatum(s->answered_at);
		values[12] = BoolGetDatum(s->reused);
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * answer_value.c - room for an answer; released numbers and public groups, in the types that a query's columns have.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "fdw/fdw.h"
#include "registry/calendar.h"

DpemAnswer *
dpem_create_answer(const DpemQuestion *q, int groups)
{
	DpemAnswer *a = palloc0(sizeof(DpemAnswer));
	size_t		n = (size_t) groups * list_length(q->asks) + 1;
	double	  **field[] = {&a->value, &a->noise, &a->lower, &a->upper, &a->rank_error};

	a->groups = groups;
	a->asks = list_length(q->asks);
	for (int i = 0; i < lengthof(field); i++)
		*field[i] = palloc0(n * sizeof(double));
	a->adds = palloc0((a->asks + 1) * sizeof(bool));
	return a;
}

DpemAnswer *
dpem_answer_of_groups(const DpemQuestion *q)
{
	return dpem_create_answer(q, q->groups);
}

/* whole days and the rest, as the server's own difference of two times */
static Datum
interval_of(double seconds)
{
	double		days = trunc(seconds / SECS_PER_DAY);
	Interval   *value = palloc0(sizeof(Interval));

	value->day = (int32) fmin(fmax(days, PG_INT32_MIN), PG_INT32_MAX);
	value->time = (TimeOffset) rint((seconds - days * SECS_PER_DAY) * USECS_PER_SEC);
	return IntervalPGetDatum(value);
}

/* NULL where there is no number */
static Datum
number_as(double value, Oid type, bool *isnull)
{
	*isnull = isnan(value);
	if (*isnull)
		return (Datum) 0;
	if (type == INT8OID)
		return DirectFunctionCall1(dtoi8, Float8GetDatum(fmin(fmax(rint(value), -9e18), 9e18)));
	if (type == NUMERICOID)
		return DirectFunctionCall1(float8_numeric, Float8GetDatum(value));
	if (type == INT4OID)
		return DirectFunctionCall1(dtoi4, Float8GetDatum(fmin(fmax(rint(value), PG_INT32_MIN), PG_INT32_MAX)));
	if (type == INT2OID)
		return DirectFunctionCall1(dtoi2, Float8GetDatum(fmin(fmax(rint(value), PG_INT16_MIN), PG_INT16_MAX)));
	if (type == INTERVALOID)
		return interval_of(value);
	if (dpem_is_calendar(type))
		return dpem_calendar_value(type, value);
	return Float8GetDatum(value);
}

/* groups of several keys are counted like digits, the last one first */
static int
group_of_key(const DpemQuestion *q, int group, int key)
{
	for (int i = list_length(q->keys) - 1; i > key; i--)
		group /= ((DpemGroupKey *) list_nth(q->keys, i))->n;
	return group % ((DpemGroupKey *) list_nth(q->keys, key))->n;
}

Datum
dpem_answer_column(const DpemQuestion *q, const DpemAnswer *a, int group, int column, bool *isnull)
{
	int			place = q->place[column];
	const DpemGroupKey *key;

	*isnull = q->constant[column] != NULL && q->constant[column]->constisnull;
	if (q->constant[column] != NULL)
		return q->constant[column]->constvalue;
	if (place < 0)
		return number_as(a->value[group * a->asks - 1 - place], ((DpemAsk *) list_nth(q->asks, -1 - place))->aggregate->aggtype, isnull);
	key = list_nth(q->keys, place);
	if (key->is_private)
		return CStringGetTextDatum(a->key[group]);
	*isnull = key->value[group_of_key(q, group, place)]->constisnull;
	return key->value[group_of_key(q, group, place)]->constvalue;
}

bool
dpem_answer_is_excluded(const DpemQuestion *q, int group)
{
	ListCell   *cell;

	foreach(cell, q->keys)
	{
		const DpemGroupKey *key = lfirst(cell);

		if (key->excluded != NULL && key->excluded[group_of_key(q, group, foreach_current_index(cell))])
			return true;
	}
	return false;
}

bool
dpem_answer_is_hidden(const DpemQuestion *q, const DpemAnswer *a, int group)
{
	if (dpem_answer_is_excluded(q, group))
		return true;
	for (int i = 0; i < a->asks; i++)
	{
		if (!isnan(a->value[group * a->asks + i]))
			return false;
	}
	return q->keys != NIL && a->asks > 0;
}

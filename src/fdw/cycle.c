/*
 * cycle.c - groups that begin again: days of the week, months of the year, hours of the day.
 *
 * The column's public domain is cut where the expression may change (grain.c), and the expression is
 * computed for each part.  Parts with the same value are one group.  So a row's group follows from the
 * part that its value is in, and the list of groups from the domain and the expression.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "fdw/cycle.h"

/* a second's work for each time that a query is planned; every hour of two centuries */
#define MOST_PARTS 2000000

#define TOO_FINE "It changes more than 100000 times in the column's domain: group by a larger unit, such as the day or the hour."
#define TOO_LONG "It would be computed for more than 2000000 values of the column's domain, or days or hours of it: register a smaller domain, or group by a larger unit."
#define CLOCK "Its value changes within a unit of the clock that it reads: name a time zone in full, such as 'Europe/Berlin'."

/* ---- the domain in parts ---- */

static bool
same(const DpemParts *p, Datum a, Datum b)
{
	return DatumGetInt32(FunctionCall2Coll(p->compare, p->collation, a, b)) == 0;
}

/* copied into the caller's memory */
static Datum
value_at(const DpemParts *p, int64 point)
{
	MemoryContext old;
	Datum		value;

	ResetExprContext(p->curve.context);
	old = MemoryContextSwitchTo(p->curve.context->ecxt_per_tuple_memory);
	value = dpem_step_curve_value(&p->curve, point);
	MemoryContextSwitchTo(old);
	return datumCopy(value, p->by_value, p->length);
}

static void
free_value(const DpemParts *p, Datum value)
{
	if (!p->by_value)
		pfree(DatumGetPointer(value));
}

bool
dpem_parts_begin(DpemParts *p, const DpemPrivateTable *table, Node *expression)
{
	*p = (DpemParts) {.collation = exprCollation(expression)};
	p->compare = &lookup_type_cache(exprType(expression), TYPECACHE_CMP_PROC_FINFO)->cmp_proc_finfo;
	if (!OidIsValid(p->compare->fn_oid) || !dpem_grain_of(table, expression, &p->grain))
		return false;
	get_typlenbyval(exprType(expression), &p->length, &p->by_value);
	p->curve = dpem_step_curve_begin(table, expression);
	dpem_step_curve_bounds(p->curve.column, false, &p->first, &p->last);
	p->at = p->first;
	if (p->first > p->last)
		dpem_refuse_expression(table, expression, "It has no values in the column's domain.");
	return true;
}

void
dpem_parts_end(DpemParts *p)
{
	dpem_step_curve_end(&p->curve);
}

int64
dpem_parts_read(DpemParts *p)
{
	int64		next = Min(dpem_grain_next(&p->grain, p->at), p->last + 1);

	CHECK_FOR_INTERRUPTS();
	if (++p->read > MOST_PARTS)
		dpem_refuse_expression(p->curve.table, p->curve.expression, TOO_LONG);
	p->value = value_at(p, p->at);
	if (p->grain.named && next - 1 > p->at)
	{
		Datum		end = value_at(p, next - 1);

		if (!same(p, p->value, end))
			dpem_refuse_expression(p->curve.table, p->curve.expression, CLOCK);
		free_value(p, end);
	}
	return next;
}

/* ---- groups ---- */

/* group of the part's value, a new one if need be; values are in ascending order, numbers in that of their appearance */
static int
group_of(const DpemParts *p, DpemGroupKey *key, int *number)
{
	int			low = 0;
	int			high = key->n;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;
		int			order = DatumGetInt32(FunctionCall2Coll(p->compare, p->collation, key->value[middle]->constvalue, p->value));

		if (order == 0)
		{
			free_value(p, p->value);
			return number[middle];
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (key->n == DPEM_GROUPS_MAX)
		dpem_refuse_expression(p->curve.table, p->curve.expression, "It has too many values in the column's domain: at most 4096 groups.");
	memmove(&key->value[low + 1], &key->value[low], (key->n - low) * sizeof(Const *));
	memmove(&number[low + 1], &number[low], (key->n - low) * sizeof(int));
	key->value[low] = makeConst(exprType(p->curve.expression), -1, p->collation, p->length, p->value, false, p->by_value);
	number[low] = key->n;
	return key->n++;
}

/* from the order in which values appeared to their own */
static void
sort_groups(DpemGroupKey *key, const int *number)
{
	int		   *place = palloc(key->n * sizeof(int));

	for (int i = 0; i < key->n; i++)
		place[number[i]] = i;
	for (int i = 0; i < key->request.bins; i++)
		key->request.cycle[i] = place[key->request.cycle[i]];
	pfree(place);
}

/* a bin for each stretch of parts with one value */
static void
fill_bins(DpemParts *p, DpemGroupKey *key, int *number)
{
	DpemGroupsRequest *r = &key->request;
	int			room = 1024;

	r->edges = palloc((room + 1) * sizeof(double));
	r->cycle = palloc(room * sizeof(int));
	for (r->bins = 0; p->at <= p->last;)
	{
		int64		next = dpem_parts_read(p);
		int			group = group_of(p, key, number);

		if (r->bins == 0 || r->cycle[r->bins - 1] != group)
		{
			if (r->bins == DPEM_CYCLE_BINS_MAX)
				dpem_refuse_expression(p->curve.table, p->curve.expression, TOO_FINE);
			if (r->bins == room)
			{
				room *= 2;
				r->edges = repalloc(r->edges, (room + 1) * sizeof(double));
				r->cycle = repalloc(r->cycle, room * sizeof(int));
			}
			r->edges[r->bins] = r->bins == 0 ? p->curve.column->lower : dpem_number_at_point(p->curve.type, p->at);
			r->cycle[r->bins++] = group;
		}
		p->at = next;
	}
	r->edges[r->bins] = dpem_number_at_point(p->curve.type, p->last + 1);
}

bool
dpem_cycle_groups(const DpemPrivateTable *table, DpemGroupKey *key)
{
	int		   *number = palloc(DPEM_GROUPS_MAX * sizeof(int));
	DpemParts	p;

	if (!dpem_parts_begin(&p, table, key->expression))
		return false;
	key->value = palloc(DPEM_GROUPS_MAX * sizeof(Const *));
	fill_bins(&p, key, number);
	sort_groups(key, number);
	key->request.groups = DPEM_BY_BINS;
	key->request.cycle_groups = key->n;
	dpem_parts_end(&p);
	pfree(number);
	return true;
}

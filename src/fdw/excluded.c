/*
 * excluded.c - groups of which a query's own WHERE leaves no row: WHERE region = 'north' GROUP BY region has no south.
 *
 * The filter is read as what it may say of a group's public category or interval, whatever other columns
 * have.  That is known from the query alone: charge, noise and kept answers are those of all groups.
 */
#include "postgres.h"

#include <math.h>

#include "fdw/fdw.h"
#include "registry/binding.h"
#include "registry/calendar.h"

/* the values of a column in a group: a category, or numbers from lower to below upper */
typedef struct Region
{
	const DpemColumn *column;
	const char *category;
	double		lower;
	double		upper;
} Region;

typedef struct Verdict
{
	bool		may_hold;
	bool		may_fail;
} Verdict;

static const Verdict open_verdict = {true, true};

static Verdict
negated(Verdict v)
{
	return (Verdict) {v.may_fail, v.may_hold};
}

static Verdict
both(Verdict a, Verdict b)
{
	return (Verdict) {a.may_hold && b.may_hold, a.may_fail || b.may_fail};
}

static Verdict
either(Verdict a, Verdict b)
{
	return negated(both(negated(a), negated(b)));
}

/* ---- comparisons with one literal ---- */

static Verdict
of_order(const char *op, int order)
{
	bool		holds = strcmp(op, "=") == 0 ? order == 0 : strcmp(op, "<>") == 0 ? order != 0
		: strcmp(op, "<") == 0 ? order < 0 : strcmp(op, "<=") == 0 ? order <= 0
		: strcmp(op, ">") == 0 ? order > 0 : order >= 0;

	return (Verdict) {holds, !holds};
}

static Verdict
of_interval(const Region *r, const char *op, double x)
{
	if (strcmp(op, "<") == 0)
		return (Verdict) {r->lower < x, r->upper > x};
	if (strcmp(op, "<=") == 0)
		return (Verdict) {r->lower <= x, r->upper > x};
	if (strcmp(op, "=") == 0)
		return (Verdict) {r->lower <= x && r->upper > x, true};
	return negated(of_interval(r, strcmp(op, ">") == 0 ? "<=" : strcmp(op, ">=") == 0 ? "<" : "=", x));
}

static Verdict
compare(const Region *r, const char *op, const DpemFilterLiteral *literal)
{
	double		x = literal->number;

	if (r->category != NULL)
		return literal->is_text ? of_order(op, strcmp(r->category, literal->text)) : open_verdict;
	if (literal->is_text && !(OidIsValid(r->column->calendar) && dpem_calendar_read(r->column->calendar, literal->text, &x)))
		return open_verdict;
	return of_interval(r, op, x);
}

/* ---- filters ---- */

static Verdict
in_list(const Region *r, const DpemFilter *filter, const DpemFilterNode *node)
{
	Verdict		v = {false, true};

	for (int i = 0; i < node->literals; i++)
		v = either(v, compare(r, "=", &filter->literal[node->literal + i]));
	return v;
}

/* rows without a value are in no group */
static Verdict
of_leaf(const Region *r, const DpemFilter *filter, const DpemFilterNode *node)
{
	const DpemFilterLiteral *literal = &filter->literal[node->literal];

	if (strcmp(filter->column[node->column].name, r->column->name) != 0)
		return open_verdict;
	switch (node->kind)
	{
		case DPEM_FILTER_COMPARE:
			return compare(r, strcmp(node->op, "!=") == 0 ? "<>" : node->op, literal);
		case DPEM_FILTER_BETWEEN:
			return both(compare(r, ">=", literal), compare(r, "<=", literal + 1));
		case DPEM_FILTER_IN:
			return in_list(r, filter, node);
		case DPEM_FILTER_IS_NULL:
			return (Verdict) {false, true};
		default:
			return open_verdict;
	}
}

static Verdict
verdict_of(const Region *r, const DpemFilter *filter, int number)
{
	const DpemFilterNode *node = &filter->node[number];
	Verdict		leaf;

	switch (node->kind)
	{
		case DPEM_FILTER_OR:
			return either(verdict_of(r, filter, node->left), verdict_of(r, filter, node->right));
		case DPEM_FILTER_AND:
			return both(verdict_of(r, filter, node->left), verdict_of(r, filter, node->right));
		case DPEM_FILTER_NOT:
			return negated(verdict_of(r, filter, node->left));
		default:
			leaf = of_leaf(r, filter, node);
			return node->negated ? negated(leaf) : leaf;
	}
}

/* ---- groups ---- */

/* values beyond the domain count as its end, so the first and the last bin are as wide as numbers are */
static void
exclude_bins(DpemGroupKey *key, const DpemColumn *column, const DpemFilter *filter)
{
	const DpemGroupsRequest *r = &key->request;

	memset(key->excluded, true, key->n * sizeof(bool));
	for (int i = 0; i < r->bins; i++)
	{
		Region		region = {
			.column = column,.lower = i == 0 ? -INFINITY : r->edges[i],.upper = i == r->bins - 1 ? INFINITY : r->edges[i + 1]
		};

		if (verdict_of(&region, filter, filter->root).may_hold)
			key->excluded[r->cycle != NULL ? r->cycle[i] : i] = false;
	}
}

static void
exclude_categories(DpemGroupKey *key, const DpemColumn *column, const DpemFilter *filter)
{
	for (int i = 0; i < key->n; i++)
	{
		Region		region = {.column = column,.category = key->category[i]};

		key->excluded[i] = !verdict_of(&region, filter, filter->root).may_hold;
	}
}

void
dpem_exclude_groups(DpemQuestion *q, const char *where)
{
	const DpemFilter *filter = where == NULL ? NULL : &dpem_binding_parse_filter(where)->parsed;
	ListCell   *cell;

	foreach(cell, q->keys)
	{
		DpemGroupKey *key = lfirst(cell);
		const DpemColumn *column = dpem_only_column(q->table, key->expression);

		if (filter == NULL || column == NULL || key->is_private)
			continue;
		key->excluded = palloc0(Max(key->n, 1) * sizeof(bool));
		if (key->category != NULL)
			exclude_categories(key, column, filter);
		else if (key->request.edges != NULL)
			exclude_bins(key, column, filter);
	}
}

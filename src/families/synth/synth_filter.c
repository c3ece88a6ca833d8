/*
 * synth_filter.c - conditions on the categories of a model's columns.
 *
 * A model knows bins, so a condition must be true or false of a whole bin, and
 * conditions on several columns can only be joined by AND.
 */
#include "postgres.h"

#include <math.h>

#include "families/synth/synth.h"
#include "fit/fit_arguments.h"
#include "server/version_shims.h"

#define CLOSE	1e-3			/* parts of a bin */

typedef enum Truth
{
	TRUTH_FALSE, TRUTH_TRUE, TRUTH_NULL, TRUTH_CUT
} Truth;

/* a category: of a number the values in it */
typedef struct Values
{
	const char *text;			/* of a label; NULL: a number, or unknown */
	bool		unknown;
	double		from;
	double		to;
	double		close;			/* to an edge, which is written in few digits */
} Values;

static Values
values_of(const DpemReadySynth *ready, int c, int code)
{
	const DpemSynthColumn *column = &ready->column[c];
	const DpemModel *model = ready->model;
	DpemColumnScale scale = model->scale ? model->scale[column->first] : DPEM_SCALE_LINEAR;
	double		from;
	double		to;

	if (column->length > 1)
		return (Values) {
			.text = code < column->length ? model->category_of[column->first + code] : NULL,.unknown = code >= column->length
		};
	if (code >= column->bins)
		return (Values) {.unknown = true};
	if (column->whole > 0)
		return (Values) {
			.from = dpem_synth_first_whole(column, code),.to = dpem_synth_last_whole(column, code)
		};
	from = dpem_scale_invert(scale, dpem_synth_edge(column, code));
	to = dpem_scale_invert(scale, dpem_synth_edge(column, code + 1));
	return (Values) {
		.from = from,.to = nextafter(to, code == column->bins - 1 ? INFINITY : -INFINITY),.close = CLOSE * (to - from)
	};
}

static Truth
all_or_none(bool all, bool none)
{
	return all ? TRUTH_TRUE : none ? TRUTH_FALSE : TRUTH_CUT;
}

static Truth
compare_number(const char *op, const Values *v, double x)
{
	bool		whole = v->from == rint(v->from) && v->to == rint(v->to);
	double		from = !whole && fabs(v->from - x) <= v->close ? x : v->from;
	double		to = !whole && fabs(v->to - x) <= v->close ? nextafter(x, -INFINITY) : v->to;

	switch (op[0])
	{
		case '<':
			if (op[1] == '>')
				return all_or_none(x < from || x > to, from == to && from == x);
			return op[1] == '=' ? all_or_none(to <= x, from > x) : all_or_none(to < x, from >= x);
		case '>':
			return op[1] == '=' ? all_or_none(from >= x, to < x) : all_or_none(from > x, to <= x);
		default:
			return all_or_none(from == to && from == x, x < from || x > to);
	}
}

static Truth
compare_text(const char *op, const Values *v, const char *x)
{
	bool		equal = strcmp(v->text, x) == 0;

	if (strcmp(op, "=") != 0 && strcmp(op, "<>") != 0)
		dpem_refuse_argument(psprintf("filter compares categories with %s", op), "Categories can be compared with =, <> and IN.");
	return (equal == (op[0] == '=')) ? TRUTH_TRUE : TRUTH_FALSE;
}

static Truth
compare(const char *op, const Values *v, const DpemFilterLiteral *literal, const char *name)
{
	if (v->unknown)
		return TRUTH_NULL;
	if ((v->text != NULL) != literal->is_text)
		dpem_refuse_argument(psprintf("filter compares column \"%s\" with a literal of another kind", name),
							 "Numbers are compared with numbers, categories with strings.");
	return v->text ? compare_text(op, v, literal->text) : compare_number(op, v, literal->number);
}

static Truth
both(Truth a, Truth b)
{
	if (a == TRUTH_FALSE || b == TRUTH_FALSE)
		return TRUTH_FALSE;
	return a == TRUTH_CUT || b == TRUTH_CUT ? TRUTH_CUT : a == TRUTH_NULL || b == TRUTH_NULL ? TRUTH_NULL : TRUTH_TRUE;
}

static Truth
negated(Truth a)
{
	return a == TRUTH_TRUE ? TRUTH_FALSE : a == TRUTH_FALSE ? TRUTH_TRUE : a;
}

static Truth
is_in(const DpemFilter *filter, const DpemFilterNode *node, const Values *v, const char *name)
{
	Truth		all = TRUTH_TRUE;

	for (int i = 0; i < node->literals; i++)
		all = both(all, negated(compare("=", v, &filter->literal[node->literal + i], name)));
	return negated(all);
}

static Truth
evaluate(const DpemFilter *filter, int number, const Values *v)
{
	const DpemFilterNode *node = &filter->node[number];
	const char *name = node->kind >= DPEM_FILTER_COMPARE ? filter->column[node->column].name : NULL;
	const DpemFilterLiteral *literal = &filter->literal[node->literal];
	Truth		truth = TRUTH_FALSE;

	switch (node->kind)
	{
		case DPEM_FILTER_AND:
			return both(evaluate(filter, node->left, v), evaluate(filter, node->right, v));
		case DPEM_FILTER_OR:
			return negated(both(negated(evaluate(filter, node->left, v)), negated(evaluate(filter, node->right, v))));
		case DPEM_FILTER_NOT:
			return negated(evaluate(filter, node->left, v));
		case DPEM_FILTER_COMPARE:
			return compare(node->op, v, literal, name);
		case DPEM_FILTER_BETWEEN:
			truth = both(compare(">=", v, literal, name), compare("<=", v, literal + 1, name));
			break;
		case DPEM_FILTER_IN:
			truth = is_in(filter, node, v, name);
			break;
		case DPEM_FILTER_IS_NULL:
			truth = v->unknown ? TRUTH_TRUE : TRUTH_FALSE;
			break;
	}
	return node->negated ? negated(truth) : truth;
}

/* the one column that a part of a filter names; -1: several */
static int
column_of(const DpemFilter *filter, int number)
{
	const DpemFilterNode *node = &filter->node[number];
	int			left;

	if (node->kind >= DPEM_FILTER_COMPARE)
		return node->column;
	left = column_of(filter, node->left);
	return node->kind == DPEM_FILTER_NOT || left == column_of(filter, node->right) ? left : -1;
}

static int
find_column(const DpemReadySynth *ready, const char *name)
{
	for (int c = 0; c < ready->columns; c++)
	{
		if (strcmp(ready->name[c], name) == 0)
			return c;
	}
	dpem_refuse_argument(psprintf("filter names \"%s\", which is no column of the model", name),
						 "The view dpem.model_columns lists the columns of a model.");
}

pg_noreturn static void
refuse_cut(const DpemReadySynth *ready, int c, int code)
{
	int			group = ready->levels.group[0][ready->levels.offset[c] + code];

	dpem_refuse_argument(psprintf("filter is true of a part of the bin %s of column \"%s\" only", dpem_synth_key(ready, c, 0, group), ready->name[c]),
						 "A model knows bins as wholes: use an edge of one.");
}

/* a condition on one column, of each of its categories */
static void
apply_part(const DpemReadySynth *ready, const DpemFilter *filter, int number, int named, bool *allowed, DpemSynthSet *columns)
{
	int			c = find_column(ready, filter->column[named].name);

	*columns |= dpem_synth_column(c);
	for (int i = 0; i < ready->column[c].cells; i++)
	{
		Values		v = values_of(ready, c, i);
		Truth		truth = evaluate(filter, number, &v);

		if (truth == TRUTH_CUT)
			refuse_cut(ready, c, i);
		allowed[ready->levels.offset[c] + i] &= truth == TRUTH_TRUE;
	}
}

static void
apply(const DpemReadySynth *ready, const DpemFilter *filter, int number, bool *allowed, DpemSynthSet *columns)
{
	const DpemFilterNode *node = &filter->node[number];
	int			named = column_of(filter, number);

	if (named >= 0)
		apply_part(ready, filter, number, named, allowed, columns);
	else if (node->kind == DPEM_FILTER_AND)
	{
		apply(ready, filter, node->left, allowed, columns);
		apply(ready, filter, node->right, allowed, columns);
	}
	else
		dpem_refuse_argument("filter joins conditions on several columns by OR", "Join conditions on different columns by AND.");
}

bool *
dpem_synth_filter(const DpemReadySynth *ready, const char *text, DpemSynthSet *columns)
{
	int			all = ready->levels.offset[ready->columns];
	bool	   *allowed = palloc(all * sizeof(bool));
	const DpemFilter *filter = &dpem_binding_parse_filter(text)->parsed;

	memset(allowed, true, all * sizeof(bool));
	*columns = 0;
	apply(ready, filter, filter->root, allowed, columns);
	return allowed;
}

/*
 * filter.c - the parser of filter.h: recursive descent over one token of look-ahead.
 */
#include <string.h>

#include "core/statistics/filter_reader.h"

static int
add_node(DpemFilterReader *p, const DpemFilterNode *node)
{
	if (p->filter->nodes == DPEM_FILTER_MAX_NODES)
		dpem_filter_fail(p, p->position, "a filter of fewer conditions");
	if (p->failed)
		return 0;
	p->filter->node[p->filter->nodes] = *node;
	return p->filter->nodes++;
}

static int
read_column(DpemFilterReader *p)
{
	DpemFilter *f = p->filter;

	if (p->kind != DPEM_TOKEN_NAME)
	{
		dpem_filter_fail(p, p->position, "a column");
		return 0;
	}
	for (int i = 0; i < f->columns; i++)
	{
		if (strcmp(f->column[i].name, p->word) == 0)
		{
			dpem_filter_advance(p);
			return i;
		}
	}
	if (f->columns == DPEM_FILTER_MAX_COLUMNS)
	{
		dpem_filter_fail(p, p->position, "a column that was named before: there are too many");
		return 0;
	}
	f->column[f->columns] = (DpemFilterColumn) {p->word, p->position};
	dpem_filter_advance(p);
	return f->columns++;
}

/* a column of booleans is a label, whose categories are these words */
static bool
is_boolean(const DpemFilterReader *p)
{
	return p->kind == DPEM_TOKEN_NAME && (strcmp(p->word, "true") == 0 || strcmp(p->word, "false") == 0);
}

static void
read_literal(DpemFilterReader *p)
{
	DpemFilter *f = p->filter;
	DpemFilterLiteral literal = {.position = p->position};
	double		sign = 1;

	if (dpem_filter_take(p, "-"))
		sign = -1;
	else
		(void) dpem_filter_take(p, "+");
	literal.is_text = p->kind == DPEM_TOKEN_TEXT || is_boolean(p);
	if (p->kind != DPEM_TOKEN_NUMBER && (!literal.is_text || p->position != literal.position))
		dpem_filter_fail(p, p->position, p->position == literal.position ? "a number or a 'string'" : "a number");
	else if (f->literals == DPEM_FILTER_MAX_LITERALS)
		dpem_filter_fail(p, p->position, "a filter of fewer literals");
	if (p->failed)
		return;
	literal.text = literal.is_text ? p->word : NULL;
	literal.number = literal.is_text ? 0 : sign * p->number;
	f->literal[f->literals++] = literal;
	dpem_filter_advance(p);
}

static const char *
read_operator(DpemFilterReader *p)
{
	static const char *const operators[] = {"=", "<>", "<=", ">=", "<", ">"};

	if (dpem_filter_take(p, "!="))
		return "<>";
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
	{
		if (dpem_filter_take(p, operators[i]))
			return operators[i];
	}
	dpem_filter_fail(p, p->position, "a comparison");
	return "=";
}

/* what follows a column and, perhaps, NOT */
static void
read_set(DpemFilterReader *p, DpemFilterNode *node)
{
	if (dpem_filter_take(p, "between"))
	{
		node->kind = DPEM_FILTER_BETWEEN;
		read_literal(p);
		dpem_filter_require(p, "and", "AND and the upper end of BETWEEN");
		read_literal(p);
		return;
	}
	dpem_filter_require(p, "in", "BETWEEN or IN");
	node->kind = DPEM_FILTER_IN;
	dpem_filter_require(p, "(", "a list of literals in parentheses");
	do
		read_literal(p);
	while (!p->failed && dpem_filter_take(p, ","));
	dpem_filter_require(p, ")", "a comma or a closing parenthesis");
}

/* as if it had been written: a literal true or false */
static void
add_word(DpemFilterReader *p, const char *word)
{
	DpemFilter *f = p->filter;

	if (f->literals == DPEM_FILTER_MAX_LITERALS)
		dpem_filter_fail(p, p->position, "a filter of fewer literals");
	if (!p->failed)
		f->literal[f->literals++] = (DpemFilterLiteral) {.is_text = true,.text = word,.position = p->position};
}

/* nothing follows a column that it could be compared with */
static bool
is_alone(const DpemFilterReader *p)
{
	return p->kind == DPEM_TOKEN_END ||
		((p->kind == DPEM_TOKEN_KEYWORD || p->kind == DPEM_TOKEN_SYMBOL) &&
		 (strcmp(p->word, "and") == 0 || strcmp(p->word, "or") == 0 || strcmp(p->word, ")") == 0));
}

/* column = true; of a row that does not know it, not known, as a comparison is */
static void
stand_alone(DpemFilterReader *p, DpemFilterNode *node)
{
	node->kind = DPEM_FILTER_COMPARE;
	node->op = "=";
	node->alone = true;
	add_word(p, "true");
}

/* after IS or IS NOT: known to be so, or else anything else */
static int
read_truth(DpemFilterReader *p, int column, bool negated)
{
	bool		value = strcmp(p->word, "true") == 0;
	DpemFilterNode word = {.kind = DPEM_FILTER_COMPARE,.column = column,.op = "=",.alone = true,.literal = p->filter->literals,.literals = 1};
	DpemFilterNode null = {.kind = DPEM_FILTER_IS_NULL,.column = column,.negated = !negated,.literal = p->filter->literals + 1};
	DpemFilterNode both = {.kind = negated ? DPEM_FILTER_OR : DPEM_FILTER_AND};

	add_word(p, value != negated ? "true" : "false");
	dpem_filter_advance(p);
	both.left = add_node(p, &word);
	both.right = add_node(p, &null);
	return add_node(p, &both);
}

static int
read_comparison(DpemFilterReader *p)
{
	DpemFilterNode node = {.column = read_column(p),.literal = p->filter->literals};

	if (!p->failed && is_alone(p))
		stand_alone(p, &node);
	else if (dpem_filter_take(p, "is"))
	{
		node.kind = DPEM_FILTER_IS_NULL;
		node.negated = dpem_filter_take(p, "not");
		if (is_boolean(p))
			return read_truth(p, node.column, node.negated);
		dpem_filter_require(p, "null", "NULL, TRUE or FALSE, or NOT and one of these");
	}
	else if (p->kind == DPEM_TOKEN_KEYWORD)
	{
		node.negated = dpem_filter_take(p, "not");
		read_set(p, &node);
	}
	else
	{
		node.kind = DPEM_FILTER_COMPARE;
		node.op = read_operator(p);
		read_literal(p);
	}
	node.literals = p->filter->literals - node.literal;
	return add_node(p, &node);
}

static int	read_or(DpemFilterReader *p);
static int	read_nested(DpemFilterReader *p);

static int
read_primary(DpemFilterReader *p)
{
	int			node;

	if (dpem_filter_take(p, "not"))
	{
		node = read_nested(p);
		return add_node(p, &(DpemFilterNode) {.kind = DPEM_FILTER_NOT,.left = node});
	}
	if (!dpem_filter_take(p, "("))
		return read_comparison(p);
	node = read_or(p);
	dpem_filter_require(p, ")", "AND, OR or a closing parenthesis");
	return node;
}

/* one level of nesting more; NOT nests as parentheses do */
static int
read_nested(DpemFilterReader *p)
{
	int			node = 0;

	if (++p->depth > DPEM_FILTER_MAX_DEPTH)
		dpem_filter_fail(p, p->position, "a condition that is nested less deeply");
	if (!p->failed)
		node = read_primary(p);
	p->depth--;
	return node;
}

static int
read_and(DpemFilterReader *p)
{
	int			left = read_nested(p);

	while (!p->failed && dpem_filter_take(p, "and"))
	{
		int			right = read_nested(p);

		left = add_node(p, &(DpemFilterNode) {.kind = DPEM_FILTER_AND,.left = left,.right = right});
	}
	return left;
}

static int
read_or(DpemFilterReader *p)
{
	int			left = read_and(p);

	while (!p->failed && dpem_filter_take(p, "or"))
	{
		int			right = read_and(p);

		left = add_node(p, &(DpemFilterNode) {.kind = DPEM_FILTER_OR,.left = left,.right = right});
	}
	return left;
}

DpemStatus
dpem_filter_parse(const char *source, DpemFilter *filter, DpemFilterError *error)
{
	DpemFilterReader		parser = {.source = source,.filter = filter,.error = error};

	filter->root = filter->nodes = filter->columns = filter->literals = 0;
	filter->used = 0;
	*error = (DpemFilterError) {0, NULL};
	if (strnlen(source, DPEM_FILTER_MAX_TEXT + 1) > DPEM_FILTER_MAX_TEXT)
		dpem_filter_fail(&parser, DPEM_FILTER_MAX_TEXT, "a shorter filter");
	dpem_filter_advance(&parser);
	filter->root = read_or(&parser);
	if (!parser.failed && parser.kind != DPEM_TOKEN_END)
		dpem_filter_fail(&parser, parser.position, "AND, OR or the end");
	return parser.failed ? DPEM_BAD_ARGUMENT : DPEM_OK;
}

/*
 * filter_text.c - a filter in one way of writing it: keywords in lower case, single blanks,
 * parentheses where they are needed, numbers as their shortest decimals.
 */
#include "postgres.h"

#include "common/shortest_dec.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "answers/kept.h"

typedef struct Writer
{
	StringInfo	out;
	const DpemFilter *filter;
} Writer;

static void
append_literal(const Writer *w, int i)
{
	const DpemFilterLiteral *literal = &w->filter->literal[i];
	char		digits[DOUBLE_SHORTEST_DECIMAL_LEN];

	if (literal->is_text)
	{
		appendStringInfoString(w->out, quote_literal_cstr(literal->text));
		return;
	}
	double_to_shortest_decimal_buf(literal->number, digits);
	appendStringInfoString(w->out, digits);
}

static void
append_literals(const Writer *w, const DpemFilterNode *node, const char *between)
{
	for (int i = 0; i < node->literals; i++)
	{
		appendStringInfoString(w->out, i > 0 ? between : "");
		append_literal(w, node->literal + i);
	}
}

static void append_node(const Writer *w, int number, DpemFilterKind inside);

static void
append_pair(const Writer *w, const DpemFilterNode *node)
{
	append_node(w, node->left, node->kind);
	appendStringInfoString(w->out, node->kind == DPEM_FILTER_OR ? " or " : " and ");
	append_node(w, node->right, node->kind);
}

static void
append_condition(const Writer *w, const DpemFilterNode *node)
{
	const char *not = node->negated ? "not " : "";

	appendStringInfoString(w->out, quote_identifier(w->filter->column[node->column].name));
	if (node->kind == DPEM_FILTER_IS_NULL)
		appendStringInfo(w->out, " is %snull", not);
	else if (node->kind == DPEM_FILTER_COMPARE)
		appendStringInfo(w->out, " %s ", node->op);
	else
		appendStringInfo(w->out, " %s%s", not, node->kind == DPEM_FILTER_IN ? "in (" : "between ");
	append_literals(w, node, node->kind == DPEM_FILTER_IN ? ", " : " and ");
	appendStringInfoString(w->out, node->kind == DPEM_FILTER_IN ? ")" : "");
}

/* inside: what it is an operand of */
static void
append_node(const Writer *w, int number, DpemFilterKind inside)
{
	const DpemFilterNode *node = &w->filter->node[number];
	bool		pair = node->kind == DPEM_FILTER_OR || node->kind == DPEM_FILTER_AND;
	bool		open = pair && node->kind != inside;

	appendStringInfoString(w->out, open ? "(" : "");
	if (pair)
		append_pair(w, node);
	else if (node->kind == DPEM_FILTER_NOT)
	{
		appendStringInfoString(w->out, "not ");
		append_node(w, node->left, DPEM_FILTER_NOT);
	}
	else
		append_condition(w, node);
	appendStringInfoString(w->out, open ? ")" : "");
}

char *
dpem_filter_text(const DpemRowFilter *filter)
{
	StringInfoData out;
	Writer		w = {&out, &filter->parsed};

	initStringInfo(&out);
	append_node(&w, filter->parsed.root, filter->parsed.node[filter->parsed.root].kind);
	return out.data;
}

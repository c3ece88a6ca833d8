/*
 * test_filter.c - the language of filters: what is read and as what, what is
 * refused and where.
 */
#include "unit.h"

#include <string.h>

#include "core/statistics/filter.h"

static DpemFilter filter;

/* a condition with a parenthesis about everything, in a notation of its own */
static char *
write_node(char *out, int number)
{
	static const char *const word[] = {"or", "and"};
	const DpemFilterNode *node = &filter.node[number];
	const char *column = filter.column[node->column].name;

	if (node->negated)
		out += sprintf(out, "!");
	switch (node->kind)
	{
		case DPEM_FILTER_OR:
		case DPEM_FILTER_AND:
			out = write_node(out + sprintf(out, "("), node->left);
			out = write_node(out + sprintf(out, " %s ", word[node->kind]), node->right);
			return out + sprintf(out, ")");
		case DPEM_FILTER_NOT:
			return write_node(out + sprintf(out, "!"), node->left);
		case DPEM_FILTER_COMPARE:
			out += sprintf(out, "[%s %s", column, node->op);
			break;
		case DPEM_FILTER_BETWEEN:
			out += sprintf(out, "[%s between", column);
			break;
		case DPEM_FILTER_IN:
			out += sprintf(out, "[%s in", column);
			break;
		case DPEM_FILTER_IS_NULL:
			out += sprintf(out, "[%s null", column);
			break;
	}
	for (int i = 0; i < node->literals; i++)
	{
		const DpemFilterLiteral *literal = &filter.literal[node->literal + i];

		out += literal->is_text ? sprintf(out, " '%s'", literal->text) : sprintf(out, " %g", literal->number);
	}
	return out + sprintf(out, "]");
}

static void
expect(const char *source, const char *meaning)
{
	char		text[4096] = "";
	DpemFilterError error;
	DpemStatus	status = dpem_filter_parse(source, &filter, &error);

	if (status == DPEM_OK)
		write_node(text, filter.root);
	CHECK(status == DPEM_OK && strcmp(text, meaning) == 0, "%s is %s, not %s", source, meaning,
		  status == DPEM_OK ? text : error.expected);
}

static void
refuse(const char *source, int position, const char *expected)
{
	DpemFilterError error;
	DpemStatus	status = dpem_filter_parse(source, &filter, &error);

	CHECK(status == DPEM_BAD_ARGUMENT && error.position == position && strcmp(error.expected, expected) == 0,
		  "%s: %d %s, not %d %s", source, position, expected, error.position, error.expected ? error.expected : "read");
}

static void
test_meaning(void)
{
	expect("age >= 40", "[age >= 40]");
	expect("age>=-40.5e1", "[age >= -405]");
	expect("x = + .5", "[x = 0.5]");
	expect("x = 5.", "[x = 5]");
	expect("x != 1", "[x <> 1]");
	expect("age >= 40 and smoker = 'yes'", "([age >= 40] and [smoker = 'yes'])");
	expect("a = 1 OR b = 2 AND c = 3", "([a = 1] or ([b = 2] and [c = 3]))");
	expect("(a = 1 or b = 2) and c = 3", "(([a = 1] or [b = 2]) and [c = 3])");
	expect("a=1 and b=2 and c=3", "(([a = 1] and [b = 2]) and [c = 3])");
	expect("not a = 1 and b = 2", "(![a = 1] and [b = 2])");
	expect("not not a < 1", "!![a < 1]");
	expect("not (a < 1 or b > 2)", "!([a < 1] or [b > 2])");
	expect("a between 1 and 2 and b <> 3", "([a between 1 2] and [b <> 3])");
	expect("a not between -1 and -2", "![a between -1 -2]");
	expect("a in (1, 2,3)", "[a in 1 2 3]");
	expect("s NOT IN ('x','it''s','')", "![s in 'x' 'it's' '']");
	expect("s is null", "[s null]");
	expect("s Is Not Null", "![s null]");
	expect("Age = 1 and \"Age\" = 2 and \"a\"\"b\" = 3", "(([age = 1] and [Age = 2]) and [a\"b = 3])");
	expect("\"and\" = 1", "[and = 1]");
	expect("smoker", "[smoker = 'true']");
	expect("not smoker and (old or \"True\") or a < 1", "((![smoker = 'true'] and ([old = 'true'] or [True = 'true'])) or [a < 1])");
	expect("s is true and s Is False", "(([s = 'true'] and ![s null]) and ([s = 'false'] and ![s null]))");
	expect("s is not true or s is not false", "(([s = 'false'] or [s null]) or ([s = 'true'] or [s null]))");
	expect("\t\xc3\xa4lter\n=\r1", "[\xc3\xa4lter = 1]");
	expect("a$1 = 'a; drop table x -- \\ '", "[a$1 = 'a; drop table x -- \\ ']");
}

static void
test_refusals(void)
{
	refuse("", 0, "a column");
	refuse("age >=", 6, "a number or a 'string'");
	refuse("age = -'x'", 7, "a number");
	refuse("age = 40 foo", 9, "AND, OR or the end");
	refuse("age = 40;", 8, "AND, OR or the end");
	refuse("age = 40 -- x", 9, "AND, OR or the end");
	refuse("age 5", 4, "a comparison");
	refuse("a is not", 8, "NULL, TRUE or FALSE, or NOT and one of these");
	refuse("and", 0, "a column");
	refuse("not", 3, "a column");
	refuse("lower(x) = 'a'", 5, "a comparison");
	refuse("x = lower('a')", 4, "a number or a 'string'");
	refuse("x = y", 4, "a number or a 'string'");
	refuse("1 = x", 0, "a column");
	refuse("x::int = 1", 1, "a comparison");
	refuse("x = 1::int", 5, "AND, OR or the end");
	refuse("x + 1 = 2", 2, "a comparison");
	refuse("x = 1 + 1", 6, "AND, OR or the end");
	refuse("x like 'a%'", 2, "a comparison");
	refuse("x in (select 1)", 6, "a number or a 'string'");
	refuse("x in ()", 6, "a number or a 'string'");
	refuse("x in (1", 7, "a comma or a closing parenthesis");
	refuse("x in 1", 5, "a list of literals in parentheses");
	refuse("x between 1 or 2", 12, "AND and the upper end of BETWEEN");
	refuse("x not 1", 6, "BETWEEN or IN");
	refuse("x is 1", 5, "NULL, TRUE or FALSE, or NOT and one of these");
	refuse("x = null", 4, "a number or a 'string'");
	refuse("(x = 1", 6, "AND, OR or a closing parenthesis");
	refuse("x = 'a", 4, "a closing quote to what begins here");
	refuse("\"x = 1", 0, "a closing quote to what begins here");
	refuse("\"\" = 1", 0, "a column");
	refuse("x = 1e400", 4, "a number in the range of double precision");
	refuse("x = 1a", 4, "a number");
	refuse("x = 1.2.3", 4, "a number");
	refuse("x = E'a'", 4, "a number or a 'string'");
	refuse("x = $1", 4, "a number or a 'string'");
	refuse("a.b = 1", 1, "a comparison");
	refuse("and = 1", 0, "a column");
	refuse("x === 1", 3, "a number or a 'string'");
}

/* nothing that is repeated has no end */
static void
test_limits(void)
{
	char		source[DPEM_FILTER_MAX_TEXT + 64];
	char	   *at = source;
	DpemFilterError error;

	for (int i = 0; i < DPEM_FILTER_MAX_DEPTH; i++)
		at += sprintf(at, "(");
	sprintf(at, "x = 1");
	refuse(source, DPEM_FILTER_MAX_DEPTH, "a condition that is nested less deeply");
	at = source;
	for (int i = 0; i < 3 * DPEM_FILTER_MAX_DEPTH; i++)
		at += sprintf(at, "not ");
	sprintf(at, "x = 1");
	CHECK(dpem_filter_parse(source, &filter, &error) == DPEM_BAD_ARGUMENT, "NOT nests too");
	at = source + sprintf(source, "x = 1");
	for (int i = 0; i < 200; i++)
		at += sprintf(at, " or x = 1");
	CHECK(dpem_filter_parse(source, &filter, &error) == DPEM_BAD_ARGUMENT &&
		  strcmp(error.expected, "a filter of fewer conditions") == 0, "conditions");
	at = source + sprintf(source, "x in (1");
	for (int i = 0; i < DPEM_FILTER_MAX_LITERALS; i++)
		at += sprintf(at, ",1");
	sprintf(at, ")");
	CHECK(dpem_filter_parse(source, &filter, &error) == DPEM_BAD_ARGUMENT &&
		  strcmp(error.expected, "a filter of fewer literals") == 0, "literals");
	at = source + sprintf(source, "c = 1");
	for (int i = 0; i < DPEM_FILTER_MAX_COLUMNS; i++)
		at += sprintf(at, " and c%d = 1", i);
	CHECK(dpem_filter_parse(source, &filter, &error) == DPEM_BAD_ARGUMENT &&
		  strcmp(error.expected, "a column that was named before: there are too many") == 0, "columns");
	memset(source, ' ', sizeof(source));
	memcpy(source + DPEM_FILTER_MAX_TEXT, "x = 1", sizeof("x = 1"));
	refuse(source, DPEM_FILTER_MAX_TEXT, "a shorter filter");
}

int
main(void)
{
	test_meaning();
	test_refusals();
	test_limits();
	return unit_report();
}

/*
 * filter.c - the parser of filter.h: recursive descent over one token of look-ahead.
 *
 * Bytes above 127 are letters, as in SQL: every encoding a server can have
 * writes its other characters with such bytes alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/statistics/filter.h"

typedef enum TokenKind
{
	TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SYMBOL, TOKEN_KEYWORD, TOKEN_BAD
} TokenKind;

typedef struct Parser
{
	const char *source;
	int			at;				/* next byte to be read */
	int			depth;
	DpemFilter *filter;
	DpemFilterError *error;
	bool		failed;

	/* the token that was read last and not taken */
	TokenKind	kind;
	int			position;
	const char *word;			/* symbol, keyword, name, text */
	double		number;
} Parser;

static const char *const keywords[] = {"and", "between", "in", "is", "not", "null", "or"};

/* longer ones first */
static const char *const symbols[] = {"<>", "!=", "<=", ">=", "=", "<", ">", "(", ")", ",", "-", "+"};

/* only the first failure counts */
static void
fail(Parser *p, int position, const char *expected)
{
	if (p->failed)
		return;
	p->failed = true;
	p->error->position = position;
	p->error->expected = expected;
	p->kind = TOKEN_BAD;
}

/* ---- tokens ---- */

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
starts_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char) c > 127;
}

/* the memory is twice the source, which bounds what names and strings can need */
static void
keep(Parser *p, char c)
{
	if (p->filter->used < sizeof(p->filter->memory))
		p->filter->memory[p->filter->used++] = c;
	else
		fail(p, p->position, "a shorter filter");
}

static void
read_name(Parser *p)
{
	p->word = p->filter->memory + p->filter->used;
	while (starts_name(p->source[p->at]) || is_digit(p->source[p->at]) || p->source[p->at] == '$')
	{
		char		c = p->source[p->at++];

		keep(p, c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c);
	}
	keep(p, '\0');
	p->kind = TOKEN_NAME;
	for (size_t i = 0; !p->failed && i < sizeof(keywords) / sizeof(keywords[0]); i++)
	{
		if (strcmp(p->word, keywords[i]) != 0)
			continue;
		p->filter->used = (size_t) (p->word - p->filter->memory);
		p->word = keywords[i];
		p->kind = TOKEN_KEYWORD;
		return;
	}
}

/* between two quotes, a doubled one standing for itself */
static void
read_quoted(Parser *p, char quote, TokenKind kind)
{
	p->word = p->filter->memory + p->filter->used;
	p->kind = kind;
	for (p->at++;; p->at++)
	{
		char		c = p->source[p->at];

		if (c == '\0')
		{
			fail(p, p->position, "a closing quote to what begins here");
			return;
		}
		if (c == quote && p->source[++p->at] != quote)
			break;
		keep(p, c);
	}
	keep(p, '\0');
	if (kind == TOKEN_NAME && !p->failed && p->word[0] == '\0')
		fail(p, p->position, "a column");
}

static int
skip_digits(const char *source, int at)
{
	while (is_digit(source[at]))
		at++;
	return at;
}

/* digits [. digits] [e [sign] digits]; what follows must not be a letter */
static void
read_number(Parser *p)
{
	char		text[64];
	int			end = skip_digits(p->source, p->at);
	int			length;

	if (p->source[end] == '.')
		end = skip_digits(p->source, end + 1);
	if (p->source[end] == 'e' || p->source[end] == 'E')
	{
		int			digits = end + 1 + (p->source[end + 1] == '-' || p->source[end + 1] == '+');

		end = skip_digits(p->source, digits) > digits ? skip_digits(p->source, digits) : end;
	}
	length = end - p->at;
	if (length >= (int) sizeof(text) || starts_name(p->source[end]) || p->source[end] == '.')
	{
		fail(p, p->position, "a number");
		return;
	}
	memcpy(text, p->source + p->at, (size_t) length);
	text[length] = '\0';
	p->number = strtod(text, NULL);
	p->kind = TOKEN_NUMBER;
	p->at = end;
	if (!isfinite(p->number))
		fail(p, p->position, "a number in the range of double precision");
}

static void
read_symbol(Parser *p)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
	{
		size_t		length = strlen(symbols[i]);

		if (strncmp(p->source + p->at, symbols[i], length) != 0)
			continue;
		p->kind = TOKEN_SYMBOL;
		p->word = symbols[i];
		p->at += (int) length;
		return;
	}
	p->kind = TOKEN_BAD;
}

static void
advance(Parser *p)
{
	char		c;

	if (p->failed)
		return;
	while (is_space(p->source[p->at]))
		p->at++;
	p->position = p->at;
	c = p->source[p->at];
	if (c == '\0')
		p->kind = TOKEN_END;
	else if (starts_name(c))
		read_name(p);
	else if (c == '"')
		read_quoted(p, '"', TOKEN_NAME);
	else if (c == '\'')
		read_quoted(p, '\'', TOKEN_TEXT);
	else if (is_digit(c) || (c == '.' && is_digit(p->source[p->at + 1])))
		read_number(p);
	else
		read_symbol(p);
}

/* takes the token if it is this keyword or symbol */
static bool
take(Parser *p, const char *word)
{
	if ((p->kind != TOKEN_KEYWORD && p->kind != TOKEN_SYMBOL) || strcmp(p->word, word) != 0)
		return false;
	advance(p);
	return true;
}

static void
require(Parser *p, const char *word, const char *expected)
{
	if (!take(p, word))
		fail(p, p->position, expected);
}

/* ---- conditions ---- */

static int
add_node(Parser *p, const DpemFilterNode *node)
{
	if (p->filter->nodes == DPEM_FILTER_MAX_NODES)
		fail(p, p->position, "a filter of fewer conditions");
	if (p->failed)
		return 0;
	p->filter->node[p->filter->nodes] = *node;
	return p->filter->nodes++;
}

static int
read_column(Parser *p)
{
	DpemFilter *f = p->filter;

	if (p->kind != TOKEN_NAME)
	{
		fail(p, p->position, "a column");
		return 0;
	}
	for (int i = 0; i < f->columns; i++)
	{
		if (strcmp(f->column[i].name, p->word) == 0)
		{
			advance(p);
			return i;
		}
	}
	if (f->columns == DPEM_FILTER_MAX_COLUMNS)
	{
		fail(p, p->position, "a column that was named before: there are too many");
		return 0;
	}
	f->column[f->columns] = (DpemFilterColumn) {p->word, p->position};
	advance(p);
	return f->columns++;
}

static void
read_literal(Parser *p)
{
	DpemFilter *f = p->filter;
	DpemFilterLiteral literal = {.position = p->position};
	double		sign = 1;

	if (take(p, "-"))
		sign = -1;
	else
		(void) take(p, "+");
	literal.is_text = p->kind == TOKEN_TEXT;
	if (p->kind != TOKEN_NUMBER && (p->kind != TOKEN_TEXT || p->position != literal.position))
		fail(p, p->position, p->position == literal.position ? "a number or a 'string'" : "a number");
	else if (f->literals == DPEM_FILTER_MAX_LITERALS)
		fail(p, p->position, "a filter of fewer literals");
	if (p->failed)
		return;
	literal.text = literal.is_text ? p->word : NULL;
	literal.number = literal.is_text ? 0 : sign * p->number;
	f->literal[f->literals++] = literal;
	advance(p);
}

static const char *
read_operator(Parser *p)
{
	static const char *const operators[] = {"=", "<>", "<=", ">=", "<", ">"};

	if (take(p, "!="))
		return "<>";
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
	{
		if (take(p, operators[i]))
			return operators[i];
	}
	fail(p, p->position, "a comparison");
	return "=";
}

/* what follows a column and, perhaps, NOT */
static void
read_set(Parser *p, DpemFilterNode *node)
{
	if (take(p, "between"))
	{
		node->kind = DPEM_FILTER_BETWEEN;
		read_literal(p);
		require(p, "and", "AND and the upper end of BETWEEN");
		read_literal(p);
		return;
	}
	require(p, "in", "BETWEEN or IN");
	node->kind = DPEM_FILTER_IN;
	require(p, "(", "a list of literals in parentheses");
	do
		read_literal(p);
	while (!p->failed && take(p, ","));
	require(p, ")", "a comma or a closing parenthesis");
}

static int
read_comparison(Parser *p)
{
	DpemFilterNode node = {.column = read_column(p),.literal = p->filter->literals};

	if (take(p, "is"))
	{
		node.kind = DPEM_FILTER_IS_NULL;
		node.negated = take(p, "not");
		require(p, "null", "NULL or NOT NULL");
	}
	else if (p->kind == TOKEN_KEYWORD)
	{
		node.negated = take(p, "not");
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

static int	read_or(Parser *p);
static int	read_nested(Parser *p);

static int
read_primary(Parser *p)
{
	int			node;

	if (take(p, "not"))
	{
		node = read_nested(p);
		return add_node(p, &(DpemFilterNode) {.kind = DPEM_FILTER_NOT,.left = node});
	}
	if (!take(p, "("))
		return read_comparison(p);
	node = read_or(p);
	require(p, ")", "AND, OR or a closing parenthesis");
	return node;
}

/* one level of nesting more; NOT nests as parentheses do */
static int
read_nested(Parser *p)
{
	int			node = 0;

	if (++p->depth > DPEM_FILTER_MAX_DEPTH)
		fail(p, p->position, "a condition that is nested less deeply");
	if (!p->failed)
		node = read_primary(p);
	p->depth--;
	return node;
}

static int
read_and(Parser *p)
{
	int			left = read_nested(p);

	while (!p->failed && take(p, "and"))
	{
		int			right = read_nested(p);

		left = add_node(p, &(DpemFilterNode) {.kind = DPEM_FILTER_AND,.left = left,.right = right});
	}
	return left;
}

static int
read_or(Parser *p)
{
	int			left = read_and(p);

	while (!p->failed && take(p, "or"))
	{
		int			right = read_and(p);

		left = add_node(p, &(DpemFilterNode) {.kind = DPEM_FILTER_OR,.left = left,.right = right});
	}
	return left;
}

DpemStatus
dpem_filter_parse(const char *source, DpemFilter *filter, DpemFilterError *error)
{
	Parser		parser = {.source = source,.filter = filter,.error = error};

	filter->root = filter->nodes = filter->columns = filter->literals = 0;
	filter->used = 0;
	*error = (DpemFilterError) {0, NULL};
	if (strnlen(source, DPEM_FILTER_MAX_TEXT + 1) > DPEM_FILTER_MAX_TEXT)
		fail(&parser, DPEM_FILTER_MAX_TEXT, "a shorter filter");
	advance(&parser);
	filter->root = read_or(&parser);
	if (!parser.failed && parser.kind != TOKEN_END)
		fail(&parser, parser.position, "AND, OR or the end");
	return parser.failed ? DPEM_BAD_ARGUMENT : DPEM_OK;
}

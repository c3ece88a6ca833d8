/*
 * filter_reader.c - see filter_reader.h.
 *
 * Bytes above 127 are letters, as in SQL: every encoding a server can have
 * writes its other characters with such bytes alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/statistics/filter_reader.h"

static const char *const keywords[] = {"and", "between", "in", "is", "not", "null", "or"};

/* longer ones first */
static const char *const symbols[] = {"<>", "!=", "<=", ">=", "=", "<", ">", "(", ")", ",", "-", "+"};

void
dpem_filter_fail(DpemFilterReader *p, int position, const char *expected)
{
	if (p->failed)
		return;
	p->failed = true;
	p->error->position = position;
	p->error->expected = expected;
	p->kind = DPEM_TOKEN_BAD;
}

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
keep(DpemFilterReader *p, char c)
{
	if (p->filter->used < sizeof(p->filter->memory))
		p->filter->memory[p->filter->used++] = c;
	else
		dpem_filter_fail(p, p->position, "a shorter filter");
}

static void
read_name(DpemFilterReader *p)
{
	p->word = p->filter->memory + p->filter->used;
	while (starts_name(p->source[p->at]) || is_digit(p->source[p->at]) || p->source[p->at] == '$')
	{
		char		c = p->source[p->at++];

		keep(p, c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c);
	}
	keep(p, '\0');
	p->kind = DPEM_TOKEN_NAME;
	for (size_t i = 0; !p->failed && i < sizeof(keywords) / sizeof(keywords[0]); i++)
	{
		if (strcmp(p->word, keywords[i]) != 0)
			continue;
		p->filter->used = (size_t) (p->word - p->filter->memory);
		p->word = keywords[i];
		p->kind = DPEM_TOKEN_KEYWORD;
		return;
	}
}

/* between two quotes, a doubled one standing for itself */
static void
read_quoted(DpemFilterReader *p, char quote, DpemTokenKind kind)
{
	p->word = p->filter->memory + p->filter->used;
	p->kind = kind;
	for (p->at++;; p->at++)
	{
		char		c = p->source[p->at];

		if (c == '\0')
		{
			dpem_filter_fail(p, p->position, "a closing quote to what begins here");
			return;
		}
		if (c == quote && p->source[++p->at] != quote)
			break;
		keep(p, c);
	}
	keep(p, '\0');
	if (kind == DPEM_TOKEN_NAME && !p->failed && p->word[0] == '\0')
		dpem_filter_fail(p, p->position, "a column");
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
read_number(DpemFilterReader *p)
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
		dpem_filter_fail(p, p->position, "a number");
		return;
	}
	memcpy(text, p->source + p->at, (size_t) length);
	text[length] = '\0';
	p->number = strtod(text, NULL);
	p->kind = DPEM_TOKEN_NUMBER;
	p->at = end;
	if (!isfinite(p->number))
		dpem_filter_fail(p, p->position, "a number in the range of double precision");
}

static void
read_symbol(DpemFilterReader *p)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
	{
		size_t		length = strlen(symbols[i]);

		if (strncmp(p->source + p->at, symbols[i], length) != 0)
			continue;
		p->kind = DPEM_TOKEN_SYMBOL;
		p->word = symbols[i];
		p->at += (int) length;
		return;
	}
	p->kind = DPEM_TOKEN_BAD;
}

void
dpem_filter_advance(DpemFilterReader *p)
{
	char		c;

	if (p->failed)
		return;
	while (is_space(p->source[p->at]))
		p->at++;
	p->position = p->at;
	c = p->source[p->at];
	if (c == '\0')
		p->kind = DPEM_TOKEN_END;
	else if (starts_name(c))
		read_name(p);
	else if (c == '"')
		read_quoted(p, '"', DPEM_TOKEN_NAME);
	else if (c == '\'')
		read_quoted(p, '\'', DPEM_TOKEN_TEXT);
	else if (is_digit(c) || (c == '.' && is_digit(p->source[p->at + 1])))
		read_number(p);
	else
		read_symbol(p);
}

bool
dpem_filter_take(DpemFilterReader *p, const char *word)
{
	if ((p->kind != DPEM_TOKEN_KEYWORD && p->kind != DPEM_TOKEN_SYMBOL) || strcmp(p->word, word) != 0)
		return false;
	dpem_filter_advance(p);
	return true;
}

void
dpem_filter_require(DpemFilterReader *p, const char *word, const char *expected)
{
	if (!dpem_filter_take(p, word))
		dpem_filter_fail(p, p->position, expected);
}

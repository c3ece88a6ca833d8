/*
 * filter.h - conditions on columns: a small language and its parser.
 *
 *     condition := condition OR condition | condition AND condition
 *                | NOT condition | ( condition ) | comparison
 *     comparison := column = | <> | != | < | <= | > | >= literal
 *                | column [NOT] BETWEEN literal AND literal
 *                | column [NOT] IN ( literal, ... )
 *                | column IS [NOT] NULL | column IS [NOT] TRUE | FALSE | column
 *
 * with SQL's precedence.  A column is a name, folded to lower case unless it
 * is quoted ("Name"); a literal is a number or a string ('it''s').  There are no
 * functions, casts or user-defined operators.  A column of booleans may stand alone, or after IS; such conditions are read
 * as comparisons with the words true and false.
 *
 * Parsing depends on the text alone; the caller checks that columns exist and that
 * literals have their types.
 */
#ifndef DPEM_CORE_FILTER_H
#define DPEM_CORE_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/numeric/status.h"

#define DPEM_FILTER_MAX_TEXT	4096	/* bytes of the source */
#define DPEM_FILTER_MAX_NODES	256
#define DPEM_FILTER_MAX_DEPTH	32
#define DPEM_FILTER_MAX_COLUMNS 32
#define DPEM_FILTER_MAX_LITERALS 512

typedef enum DpemFilterKind
{
	DPEM_FILTER_OR,				/* left, right */
	DPEM_FILTER_AND,			/* left, right */
	DPEM_FILTER_NOT,			/* left */
	DPEM_FILTER_COMPARE,		/* column op literal */
	DPEM_FILTER_BETWEEN,		/* column, two literals */
	DPEM_FILTER_IN,				/* column, literals */
	DPEM_FILTER_IS_NULL			/* column */
} DpemFilterKind;

typedef struct DpemFilterNode
{
	DpemFilterKind kind;
	bool		negated;		/* of BETWEEN, IN, IS NULL */
	int			left;			/* numbers of nodes */
	int			right;
	int			column;			/* number of a column */
	const char *op;				/* =, <>, <, <=, >, >= */
	bool		alone;			/* no literal was written: the column must be one of booleans */
	int			literal;		/* number of the first literal */
	int			literals;
} DpemFilterNode;

typedef struct DpemFilterLiteral
{
	bool		is_text;
	double		number;			/* finite */
	const char *text;			/* in the filter's own memory */
	int			position;		/* byte of the source, from 0 */
} DpemFilterLiteral;

typedef struct DpemFilterColumn
{
	const char *name;			/* in the filter's own memory; each name once */
	int			position;		/* where it is first named */
} DpemFilterColumn;

typedef struct DpemFilter
{
	int			root;			/* number of a node */
	int			nodes;
	int			columns;
	int			literals;
	DpemFilterNode node[DPEM_FILTER_MAX_NODES];
	DpemFilterColumn column[DPEM_FILTER_MAX_COLUMNS];
	DpemFilterLiteral literal[DPEM_FILTER_MAX_LITERALS];
	size_t		used;			/* of memory: names and strings, each ended by a zero */
	char		memory[2 * DPEM_FILTER_MAX_TEXT];
} DpemFilter;

typedef struct DpemFilterError
{
	int			position;		/* byte of the source at which reading stopped, from 0 */
	const char *expected;		/* what could have stood there */
} DpemFilterError;

/*
 * Reads a zero-terminated text.  DPEM_BAD_ARGUMENT, with *error, for what is
 * not in the language or beyond its limits.  A filter must not be copied: it
 * points into itself.
 */
extern DpemStatus dpem_filter_parse(const char *source, DpemFilter *filter, DpemFilterError *error);

#endif							/* DPEM_CORE_FILTER_H */

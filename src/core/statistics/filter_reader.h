/*
 * filter_reader.h - the tokens of a filter, one at a time, for its parser (filter.c).
 */
#ifndef DPEM_CORE_FILTER_READER_H
#define DPEM_CORE_FILTER_READER_H

#include <stdbool.h>

#include "core/statistics/filter.h"

typedef enum DpemTokenKind
{
	DPEM_TOKEN_END, DPEM_TOKEN_NAME, DPEM_TOKEN_NUMBER, DPEM_TOKEN_TEXT, DPEM_TOKEN_SYMBOL, DPEM_TOKEN_KEYWORD, DPEM_TOKEN_BAD
} DpemTokenKind;

typedef struct DpemFilterReader
{
	const char *source;
	int			at;				/* next byte to be read */
	int			depth;
	DpemFilter *filter;
	DpemFilterError *error;
	bool		failed;

	/* the token that was read last and not taken */
	DpemTokenKind	kind;
	int			position;
	const char *word;			/* symbol, keyword, name, text */
	double		number;
} DpemFilterReader;

/* only the first failure counts; no token follows it */
extern void dpem_filter_fail(DpemFilterReader *p, int position, const char *expected);

/* reads the next token */
extern void dpem_filter_advance(DpemFilterReader *p);

/* goes on to the next token if this one is the keyword or symbol */
extern bool dpem_filter_take(DpemFilterReader *p, const char *word);

/* fails if it is not */
extern void dpem_filter_require(DpemFilterReader *p, const char *word, const char *expected);

#endif							/* DPEM_CORE_FILTER_READER_H */

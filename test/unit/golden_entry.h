/*
 * golden_entry.h - a line that golden_accountant.pl makes of a golden entry, and comparing with it.
 */
#ifndef DPEM_TEST_GOLDEN_ENTRY_H
#define DPEM_TEST_GOLDEN_ENTRY_H

#include <stdlib.h>
#include <string.h>

#include "core/numeric/status.h"
#include "unit.h"

typedef struct Golden
{
	const char *line;
	char		kind[32];
	double		tolerance;
} Golden;

/* the text after " name=", up to the next space, or NULL */
static inline const char *
word(const Golden *golden, const char *name)
{
	static char value[512];
	char		key[64];
	const char *at;
	size_t		length;

	snprintf(key, sizeof(key), " %s=", name);
	at = strstr(golden->line, key);
	if (at == NULL)
		return NULL;
	at += strlen(key);
	length = strcspn(at, " \n");
	if (length >= sizeof(value))
		return NULL;
	memcpy(value, at, length);
	value[length] = '\0';
	return value;
}

static inline bool
is_null(const Golden *golden, const char *name)
{
	const char *text = word(golden, name);

	return text == NULL || strcmp(text, "null") == 0;
}

static inline double
number(const Golden *golden, const char *name)
{
	return is_null(golden, name) ? NAN : strtod(word(golden, name), NULL);
}

static inline bool
has_text(const Golden *golden, const char *name, const char *text)
{
	const char *value = word(golden, name);

	return value != NULL && strcmp(value, text) == 0;
}

/* an expected value, if the entry has it, against an actual one */
static inline void
expect(const Golden *golden, const char *name, double actual)
{
	if (!is_null(golden, name))
		CHECK_CLOSE(actual, number(golden, name), golden->tolerance, "%s of %s", name, golden->line);
}

/* a call's output if it succeeded; NaN otherwise, which no expectation meets */
static inline double
good(DpemStatus status, double value)
{
	return status == DPEM_OK ? value : NAN;
}

#define CALL(out, call) ((call) == DPEM_OK ? (out) : ((out) = NAN))

#endif							/* DPEM_TEST_GOLDEN_ENTRY_H */

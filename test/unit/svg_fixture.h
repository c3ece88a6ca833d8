/*
 * svg_fixture.h - a picture's text, in memory.
 */
#ifndef SVG_FIXTURE_H
#define SVG_FIXTURE_H

#include <string.h>

#include "core/svg/svg.h"

typedef struct Sink
{
	size_t		n;
	char		text[1 << 20];
} Sink;

static Sink sink;

static void
keep(void *to, const char *text, size_t n)
{
	Sink	   *s = to;

	if (s->n + n < sizeof(s->text))
	{
		memcpy(s->text + s->n, text, n);
		s->n += n;
	}
	s->text[s->n] = '\0';
}

static const DpemSvg svg = {keep, &sink};

/* how often a text is in it */
static int
count(const char *what)
{
	int			n = 0;

	for (const char *p = strstr(sink.text, what); p != NULL; p = strstr(p + 1, what))
		n++;
	return n;
}

#endif							/* SVG_FIXTURE_H */

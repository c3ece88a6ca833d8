/*
 * topics_corpus.h - documents of utility_topics_data.py, for bench programs.
 */
#ifndef TOPICS_CORPUS_H
#define TOPICS_CORPUS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels/lda_kernel.h"

#define MOST_TERMS	20000		/* of a document */

typedef struct Corpus
{
	int			terms;
	int			documents;
	int			held;			/* of the documents, the first ones */
	DpemLdaDocument *document;
} Corpus;

static double *
zeros(size_t n)
{
	double	   *memory = calloc(n + 1, sizeof(double));

	if (memory == NULL)
		abort();
	return memory;
}

static double *
filled(size_t n, double value)
{
	double	   *memory = zeros(n);

	for (size_t i = 0; i < n; i++)
		memory[i] = value;
	return memory;
}

/* numbers up to a brace, which is returned */
static char *
read_numbers(char *from, double *number, int *n)
{
	*n = 0;
	while (*from != '}')
	{
		char	   *after = NULL;

		number[(*n)++] = strtod(from, &after);
		from = *after == ',' ? after + 1 : after;
	}
	return from;
}

static DpemLdaDocument
read_document(char *line)
{
	static double term[MOST_TERMS];
	static double count[MOST_TERMS];
	DpemLdaDocument d;

	line = read_numbers(strchr(line, '{') + 2, term, &d.terms);
	read_numbers(strchr(line, '{') + 1, count, &d.terms);
	d.term = malloc((d.terms + 1) * sizeof(int32_t));
	d.count = zeros(d.terms);
	for (int i = 0; i < d.terms; i++)
	{
		d.term[i] = (int32_t) term[i] - 1;
		d.count[i] = count[i];
	}
	return d;
}

/* those of fold 0 are held out */
static Corpus
read_corpus(const char *path, int terms)
{
	Corpus		c = {.terms = terms};
	FILE	   *file = fopen(path, "r");
	char	   *line = NULL;
	size_t		room = 0;

	if (file == NULL)
		abort();
	while (getline(&line, &room, file) > 0)
	{
		DpemLdaDocument d = read_document(line);

		c.document = realloc(c.document, (c.documents + 1) * sizeof(d));
		c.document[c.documents++] = d;
		if (atoi(line) > 0)
			continue;
		c.document[c.documents - 1] = c.document[c.held];
		c.document[c.held++] = d;
	}
	free(line);
	fclose(file);
	return c;
}

#endif							/* TOPICS_CORPUS_H */

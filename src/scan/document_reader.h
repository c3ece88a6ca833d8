/*
 * document_reader.h - from a column's value to the terms of a document.
 *
 * A document is a tsvector (every lexeme as often as it has positions, once if
 * they were stripped), a text[] of words, an int[] of terms, or an int[] of two
 * rows, terms and how often each occurs.  Terms are numbered by the
 * vocabulary, from 1; others are ignored, and terms may be repeated.
 */
#ifndef DPEM_SCAN_DOCUMENT_READER_H
#define DPEM_SCAN_DOCUMENT_READER_H

#include "fmgr.h"

#include "core/kernels/lda_kernel.h"

typedef struct DpemDocumentReader DpemDocumentReader;

/*
 * A reader of documents of that type in the current memory context; 22023 for
 * any other type.  vocabulary: distinct strings, used for types with words.
 */
extern DpemDocumentReader *dpem_document_reader_create(Oid type, char **vocabulary, int terms);

/* the strings of a text[] without NULLs, in the current memory context */
extern char **dpem_document_vocabulary(Datum array, int *terms);

/*
 * The document's distinct terms, from 0, in the order of their first
 * occurrence; the arrays belong to the reader until its next call.  False for
 * a null row: NULLs inside, another shape, a count below 1, more than 2^31 words or than
 * DPEM_ROW_VALUE_BYTES.  Never raises because of a value.
 */
extern bool dpem_document_reader_read(DpemDocumentReader *reader, Datum value, DpemLdaDocument *document);

#endif							/* DPEM_SCAN_DOCUMENT_READER_H */

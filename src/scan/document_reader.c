/*
 * document_reader.c - see document_reader.h.
 *
 * Words find their term in a hash table with open addressing, made once for a
 * pass.  Occurrences are counted in one number per term of the vocabulary,
 * of which only those that were touched are cleared again.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "tsearch/ts_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "scan/document_reader.h"
#include "scan/row_value.h"
#include "server/version_shims.h"

#define MOST_WORDS	2147483648.0

typedef bool (*ReadDocument) (DpemDocumentReader *reader, struct varlena *value);

struct DpemDocumentReader
{
	ReadDocument read;
	int			terms;
	char	  **words;
	int		   *word_length;
	uint32		mask;			/* of the hash table */
	int32	   *slot;			/* a term, or -1 */
	double	   *occurs;			/* terms: in the document being read */
	DpemLdaDocument document;
	double		total;			/* words so far */
};

char **
dpem_document_vocabulary(Datum array, int *terms)
{
	ArrayType  *a = DatumGetArrayTypeP(array);
	Datum	   *elements;
	char	  **words;

	deconstruct_array(a, TEXTOID, -1, false, TYPALIGN_INT, &elements, NULL, terms);
	words = palloc(Max(*terms, 1) * sizeof(char *));
	if (array_contains_nulls(a))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("a vocabulary cannot contain nulls")));
	for (int i = 0; i < *terms; i++)
		words[i] = TextDatumGetCString(elements[i]);
	return words;
}

static uint32
place_of(const DpemDocumentReader *r, const char *word, int length)
{
	uint32		at = hash_bytes((const unsigned char *) word, length) & r->mask;

	while (r->slot[at] >= 0 && (r->word_length[r->slot[at]] != length ||
								memcmp(r->words[r->slot[at]], word, length) != 0))
		at = (at + 1) & r->mask;
	return at;
}

static void
make_table(DpemDocumentReader *r)
{
	uint32		slots = 16;

	while (slots < 2 * (uint32) r->terms)
		slots *= 2;
	r->mask = slots - 1;
	r->slot = palloc(slots * sizeof(int32));
	memset(r->slot, 0xff, slots * sizeof(int32));
	r->word_length = palloc(Max(r->terms, 1) * sizeof(int));
	for (int i = 0; i < r->terms; i++)
	{
		r->word_length[i] = (int) strlen(r->words[i]);
		r->slot[place_of(r, r->words[i], r->word_length[i])] = i;
	}
}

static void
add_term(DpemDocumentReader *r, int64 term, double count)
{
	if (term < 0 || term >= r->terms)
		return;
	if (r->occurs[term] == 0)
		r->document.term[r->document.terms++] = (int32) term;
	r->occurs[term] += count;
	r->total += count;
}

static void
add_word(DpemDocumentReader *r, const char *word, int length, double count)
{
	add_term(r, r->slot[place_of(r, word, length)], count);
}

static bool
read_tsvector(DpemDocumentReader *r, struct varlena *value)
{
	TSVector	vector = (TSVector) value;
	WordEntry  *entry = ARRPTR(vector);

	for (int i = 0; i < vector->size; i++, entry++)
		add_word(r, STRPTR(vector) + entry->pos, entry->len,
				 entry->haspos ? Max(POSDATALEN(vector, entry), 1) : 1);
	return true;
}

static bool
read_words(DpemDocumentReader *r, struct varlena *value)
{
	ArrayType  *array = (ArrayType *) value;
	int			n = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	char	   *at = ARR_DATA_PTR(array);

	if (ARR_NDIM(array) > 1 || ARR_HASNULL(array))
		return false;
	for (int i = 0; i < n; i++)
	{
		add_word(r, VARDATA_ANY(at), VARSIZE_ANY_EXHDR(at), 1);
		at = att_addlength_pointer(at, -1, at);
		at = (char *) att_align_nominal(at, TYPALIGN_INT);
	}
	return true;
}

/* one row of terms, or a row of terms and one of counts */
static bool
read_terms(DpemDocumentReader *r, struct varlena *value)
{
	ArrayType  *array = (ArrayType *) value;
	int			dims = ARR_NDIM(array);
	int			n = ArrayGetNItems(dims, ARR_DIMS(array));
	const int32 *term = (const int32 *) ARR_DATA_PTR(array);
	const int32 *count = NULL;

	if (ARR_HASNULL(array) || dims > 2 || (dims == 2 && ARR_DIMS(array)[0] != 2))
		return false;
	if (dims == 2)
	{
		n /= 2;
		count = term + n;
	}
	for (int i = 0; i < n; i++)
	{
		if (count != NULL && count[i] < 1)
			return false;
		add_term(r, (int64) term[i] - 1, count ? count[i] : 1);
	}
	return true;
}

static ReadDocument
reader_of(Oid type)
{
	switch (type)
	{
		case TSVECTOROID:
			return read_tsvector;
		case TEXTARRAYOID:
			return read_words;
		case INT4ARRAYOID:
			return read_terms;
		default:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a document cannot be of type %s", format_type_be(type))));
	}
}

DpemDocumentReader *
dpem_document_reader_create(Oid type, char **vocabulary, int terms)
{
	DpemDocumentReader *r = palloc0(sizeof(DpemDocumentReader));

	r->read = reader_of(type);
	r->terms = terms;
	r->words = vocabulary;
	make_table(r);
	r->occurs = palloc0(Max(terms, 1) * sizeof(double));
	r->document.term = palloc(Max(terms, 1) * sizeof(int32));
	r->document.count = palloc(Max(terms, 1) * sizeof(double));
	return r;
}

bool
dpem_document_reader_read(DpemDocumentReader *r, Datum value, DpemLdaDocument *document)
{
	struct varlena *fetched;
	bool		good;

	r->document.terms = 0;
	r->total = 0;
	if (toast_raw_datum_size(value) > DPEM_ROW_VALUE_BYTES)
	{
		dpem_row_value_pass_over(value);
		return false;
	}
	fetched = PG_DETOAST_DATUM(value);
	good = r->read(r, fetched) && r->total < MOST_WORDS;
	if ((Pointer) fetched != DatumGetPointer(value))
		pfree(fetched);
	for (int i = 0; i < r->document.terms; i++)
	{
		r->document.count[i] = r->occurs[r->document.term[i]];
		r->occurs[r->document.term[i]] = 0;
	}
	*document = r->document;
	return good;
}

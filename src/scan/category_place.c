/*
 * category_place.c - which of many registered categories a row's value is.
 *
 * The server's array_position looks at one category after the other.  Here they are
 * sorted once for a query; finding a value takes as many steps whichever it is, and whether or not it is one.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "server/version_shims.h"

PG_FUNCTION_INFO_V1(dpem_place);

typedef struct Category
{
	const char *bytes;
	int			length;
	int			place;			/* from 1 */
} Category;

typedef struct Categories
{
	int			n;
	Category   *sorted;
} Categories;

static int
compare_bytes(const Category *a, const Category *b)
{
	int			order = memcmp(a->bytes, b->bytes, Min(a->length, b->length));

	return order != 0 ? order : a->length - b->length;
}

/* of equal ones the first place first */
static int
compare_categories(const void *a, const void *b)
{
	int			order = compare_bytes(a, b);

	return order != 0 ? order : ((const Category *) a)->place - ((const Category *) b)->place;
}

static Category
category_of(Datum value, int place)
{
	text	   *word = DatumGetTextPP(value);

	return (Category) {VARDATA_ANY(word), VARSIZE_ANY_EXHDR(word), place};
}

static Categories *
sort_categories(ArrayType *array, MemoryContext where)
{
	MemoryContext old = MemoryContextSwitchTo(where);
	Categories *c = palloc(sizeof(Categories));
	Datum	   *item;
	bool	   *null;
	int			n;

	deconstruct_array(DatumGetArrayTypePCopy(PointerGetDatum(array)), TEXTOID, -1, false, TYPALIGN_INT, &item, &null, &n);
	c->sorted = palloc(Max(n, 1) * sizeof(Category));
	c->n = 0;
	for (int i = 0; i < n; i++)
	{
		if (!null[i])
			c->sorted[c->n++] = category_of(item[i], i + 1);
	}
	qsort(c->sorted, c->n, sizeof(Category), compare_categories);
	MemoryContextSwitchTo(old);
	return c;
}

/* the last one that is not above it is its equal, or none is; of equal ones the search ends with the first */
static int
find(const Categories *c, const Category *wanted)
{
	int			low = 0;

	for (int width = c->n; width > 1; width -= width / 2)
	{
		int			half = width / 2;

		low += compare_bytes(&c->sorted[low + half - 1], wanted) < 0 ? half : 0;
	}
	return c->n > 0 && compare_bytes(&c->sorted[low], wanted) == 0 ? c->sorted[low].place : 0;
}

/* dpem_internal.place(categories text[], value text): where it is among them, from 1, byte by byte; NULL: it is not, or is NULL */
Datum
dpem_place(PG_FUNCTION_ARGS)
{
	Categories *c = fcinfo->flinfo->fn_extra;
	Category	wanted = category_of(PG_GETARG_DATUM(1), 0);
	int			place;

	if (c == NULL)
	{
		bool		same = get_fn_expr_arg_stable(fcinfo->flinfo, 0);

		c = sort_categories(PG_GETARG_ARRAYTYPE_P(0), same ? fcinfo->flinfo->fn_mcxt : CurrentMemoryContext);
		if (same)
			fcinfo->flinfo->fn_extra = c;
	}
	place = find(c, &wanted);
	if (place == 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(place);
}

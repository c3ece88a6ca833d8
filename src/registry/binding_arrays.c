/*
 * binding_arrays.c - the coordinates of bound columns as SQL arrays, which models keep.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "registry/binding.h"
#include "registry/calendar.h"

/* one label per coordinate */
Datum
dpem_binding_labels(const DpemBinding *bound, int n)
{
	char	  **names = dpem_binding_coordinates(bound);
	Datum	   *labels = palloc(n * sizeof(Datum));

	for (int j = 0; j < n; j++)
		labels[j] = CStringGetTextDatum(names[j]);
	return PointerGetDatum(construct_array(labels, n, TEXTOID, -1, false, TYPALIGN_INT));
}

/* a text for each coordinate that has one; *null: 'n' if none has */
static Datum
texts_of(const char *const *text, int n, char *null)
{
	Datum	   *texts = palloc(n * sizeof(Datum));
	bool	   *nulls = palloc(n * sizeof(bool));

	*null = 'n';
	for (int j = 0; j < n; j++)
	{
		nulls[j] = text[j] == NULL;
		texts[j] = text[j] ? CStringGetTextDatum(text[j]) : (Datum) 0;
		*null = text[j] ? ' ' : *null;
	}
	return PointerGetDatum(construct_md_array(texts, nulls, 1, &n, (int[]) {1}, TEXTOID, -1, false, TYPALIGN_INT));
}

/* the registered column of each coordinate that is one of several, or the category that it stands for; NULL if none is */
Datum
dpem_binding_origins(const DpemBinding *bound, int n, bool columns, char *null)
{
	char	  **category = dpem_binding_categories(bound);
	const char **text = palloc(n * sizeof(char *));
	const DpemColumn **column = dpem_binding_columns(bound);

	for (int j = 0; j < n; j++)
	{
		bool		several = column[j]->kind == DPEM_COLUMN_LABEL || column[j]->kind == DPEM_COLUMN_ARRAY;

		text[j] = !columns ? category[j] : several ? column[j]->name : NULL;
	}
	return texts_of(text, n, null);
}

Datum
dpem_binding_calendars(const DpemBinding *bound, int n)
{
	char		none;
	const char **text = palloc(n * sizeof(char *));
	const DpemColumn **column = dpem_binding_columns(bound);

	for (int j = 0; j < n; j++)
		text[j] = dpem_calendar_name(column[j]->calendar);
	return texts_of(text, n, &none);
}

/* one bound per coordinate */
Datum
dpem_binding_bounds(const DpemBinding *bound, int n, bool upper)
{
	const DpemColumn **column = dpem_binding_columns(bound);
	Datum	   *bounds = palloc(n * sizeof(Datum));

	for (int j = 0; j < n; j++)
		bounds[j] = Float8GetDatum(upper ? column[j]->upper : column[j]->lower);
	return PointerGetDatum(construct_array(bounds, n, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* one name per coordinate, or NULL if all scales are linear */
Datum
dpem_binding_scales(const DpemBinding *bound, int n, char *null)
{
	const DpemColumn **column = dpem_binding_columns(bound);
	Datum	   *names = palloc(n * sizeof(Datum));

	*null = 'n';
	for (int j = 0; j < n; j++)
	{
		names[j] = CStringGetTextDatum(dpem_scale_name(column[j]->scale));
		if (column[j]->scale != DPEM_SCALE_LINEAR)
			*null = ' ';
	}
	return PointerGetDatum(construct_array(names, n, TEXTOID, -1, false, TYPALIGN_INT));
}

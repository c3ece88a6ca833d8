/*
 * model_bytes.c - see model_bytes.h.
 *
 * The format is that of binary COPY: lengths before what they are of, in network byte order.
 */
#include "postgres.h"

#include <math.h>

#include "libpq/pqformat.h"
#include "storage/shmem.h"

#include "families/evaluation/model_bytes.h"

#define MOST_COORDINATES 100000

static void
malformed(void)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("malformed model given to dpem_internal.moments")));
}

/* ---- writing ---- */

static void
write_text(StringInfo bytes, const char *text)
{
	pq_sendint32(bytes, text ? (int32) strlen(text) : -1);
	if (text)
		pq_sendbytes(bytes, text, (int) strlen(text));
}

static void
write_numbers(StringInfo bytes, const double *number, Size n)
{
	for (Size i = 0; i < n; i++)
		pq_sendfloat8(bytes, number[i]);
}

static void
write_coordinates(StringInfo bytes, const DpemModel *model)
{
	for (int j = 0; j < model->d; j++)
	{
		pq_sendfloat8(bytes, model->own_lower[j]);
		pq_sendfloat8(bytes, model->own_upper[j]);
		pq_sendfloat8(bytes, model->imputed[j]);
		pq_sendfloat8(bytes, model->clamp_lower[j]);
		pq_sendfloat8(bytes, model->clamp_upper[j]);
		write_text(bytes, model->scale ? dpem_scale_name(model->scale[j]) : NULL);
		write_text(bytes, model->column[j]);
		write_text(bytes, model->column_of[j]);
		write_text(bytes, model->category_of[j]);
	}
}

static void
write_field(StringInfo bytes, const DpemModelTable *table, const DpemModelField *field, const DpemModel *model, int value)
{
	int			rows = dpem_field_rows(table, field, model->k);

	for (int row = 0; field->shape == DPEM_FIELD_ARRAY && row < rows; row++)
	{
		const DpemFieldArray *array = (const DpemFieldArray *) model->value[value] + row;

		pq_sendint32(bytes, array->n);
		write_numbers(bytes, array->number, array->n);
	}
	if (field->shape != DPEM_FIELD_TEXT && field->shape != DPEM_FIELD_ARRAY)
		write_numbers(bytes, model->value[value], mul_size(rows, dpem_field_length(field, model)));
	for (int row = 0; field->shape == DPEM_FIELD_TEXT && row < rows; row++)
		write_text(bytes, ((char *const *) model->value[value])[row]);
}

void
dpem_model_write(StringInfo bytes, const DpemFamily *family, const DpemModel *model)
{
	int			value = 0;

	write_text(bytes, family->name);
	write_text(bytes, model->mechanism);
	pq_sendint32(bytes, model->k);
	pq_sendint32(bytes, model->d);
	pq_sendint32(bytes, model->cells);
	pq_sendint32(bytes, model->features);
	write_coordinates(bytes, model);
	for (const DpemModelTable *table = family->table; table->name; table++)
	{
		for (const DpemModelField *field = table->field; field->column; field++, value++)
		{
			if (field->loaded)
				write_field(bytes, table, field, model, value);
		}
	}
}

/* ---- reading ---- */

static char *
read_text(StringInfo bytes)
{
	int32		length = (int32) pq_getmsgint(bytes, 4);

	if (length == -1)
		return NULL;
	if (length < 0 || length > bytes->len - bytes->cursor)
		malformed();
	return pnstrdup(pq_getmsgbytes(bytes, length), length);
}

static double *
read_numbers(StringInfo bytes, Size n)
{
	double	   *number;

	if (n > (Size) (bytes->len - bytes->cursor) / sizeof(double))
		malformed();
	number = palloc(Max(n, 1) * sizeof(double));
	for (Size i = 0; i < n; i++)
		number[i] = pq_getmsgfloat8(bytes);
	return number;
}

static char *
checked_scale(char *name)
{
	if (name != NULL && dpem_scale_from_name(name) == DPEM_SCALES)
		malformed();
	return name;
}

/* all scales or none are written */
static void
read_coordinates(StringInfo bytes, DpemModel *model)
{
	Size		n = Max(model->d, 1);
	double	   *lower = palloc(n * sizeof(double));
	double	   *upper = palloc(n * sizeof(double));
	double	   *imputed = palloc(n * sizeof(double));
	double	   *clamp_lower = palloc(n * sizeof(double));
	double	   *clamp_upper = palloc(n * sizeof(double));
	char	  **scale = palloc(n * sizeof(char *));

	model->column = palloc(n * sizeof(char *));
	model->column_of = palloc(n * sizeof(char *));
	model->category_of = palloc(n * sizeof(char *));
	for (int j = 0; j < model->d; j++)
	{
		lower[j] = pq_getmsgfloat8(bytes);
		upper[j] = pq_getmsgfloat8(bytes);
		imputed[j] = pq_getmsgfloat8(bytes);
		clamp_lower[j] = pq_getmsgfloat8(bytes);
		clamp_upper[j] = pq_getmsgfloat8(bytes);
		scale[j] = checked_scale(read_text(bytes));
		model->column[j] = read_text(bytes);
		model->column_of[j] = read_text(bytes);
		model->category_of[j] = read_text(bytes);
		if (model->column[j] == NULL || isinf(imputed[j]) || isinf(clamp_lower[j]) || isinf(clamp_upper[j]) || (scale[j] == NULL) != (scale[0] == NULL))
			malformed();
	}
	model->lower = lower;
	model->upper = upper;
	model->imputed = imputed;
	model->clamp_lower = clamp_lower;
	model->clamp_upper = clamp_upper;
	dpem_model_set_scales(model, scale, CurrentMemoryContext);
}

static DpemFieldArray *
read_arrays(StringInfo bytes, int rows)
{
	DpemFieldArray *array;

	if (rows > bytes->len - bytes->cursor)
		malformed();
	array = palloc(Max(rows, 1) * sizeof(DpemFieldArray));
	for (int row = 0; row < rows; row++)
	{
		array[row].n = (int) pq_getmsgint(bytes, 4);
		if (array[row].n < 0)
			malformed();
		array[row].number = read_numbers(bytes, array[row].n);
	}
	return array;
}

static const void *
read_field(StringInfo bytes, const DpemModelTable *table, const DpemModelField *field, const DpemModel *model)
{
	int			rows = dpem_field_rows(table, field, model->k);
	char	  **texts;

	if (field->shape == DPEM_FIELD_ARRAY)
		return read_arrays(bytes, rows);
	if (field->shape != DPEM_FIELD_TEXT)
		return read_numbers(bytes, mul_size(rows, dpem_field_length(field, model)));
	if (rows > bytes->len - bytes->cursor)
		malformed();
	texts = palloc(Max(rows, 1) * sizeof(char *));
	for (int row = 0; row < rows; row++)
	{
		texts[row] = read_text(bytes);
		if (texts[row] == NULL)
			malformed();
	}
	return texts;
}

static const DpemFamily *
read_family(StringInfo bytes)
{
	char	   *name = read_text(bytes);

	for (const DpemFamily *const *family = dpem_families; name != NULL && *family; family++)
	{
		if (strcmp((*family)->name, name) == 0 && (*family)->use.load != NULL)
			return *family;
	}
	malformed();
	return NULL;
}

DpemModel *
dpem_model_read(StringInfo bytes, const DpemFamily **family)
{
	DpemModel  *model = palloc0(sizeof(DpemModel));
	int			value = 0;

	*family = read_family(bytes);
	model->mechanism = read_text(bytes);
	model->k = (int) pq_getmsgint(bytes, 4);
	model->d = (int) pq_getmsgint(bytes, 4);
	model->cells = (int) pq_getmsgint(bytes, 4);
	model->features = (int) pq_getmsgint(bytes, 4);
	if (model->mechanism == NULL || model->cells < 0 || model->features < 0 || model->k < 1 || model->k > MOST_COORDINATES || model->d < 1 || model->d > MOST_COORDINATES)
		malformed();
	read_coordinates(bytes, model);
	for (const DpemModelTable *table = (*family)->table; table->name; table++)
	{
		for (const DpemModelField *field = table->field; field->column; field++, value++)
		{
			if (field->loaded)
				model->value[value] = read_field(bytes, table, field, model);
		}
	}
	return model;
}

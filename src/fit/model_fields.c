/*
 * model_fields.c - see model_fields.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "storage/shmem.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "fit/model_fields.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

void
dpem_model_corrupt(void)
{
	elog(ERROR, "dpem: corrupt model parameters");
}

/* id, number and fields */
#define MOST_COLUMNS (2 + DPEM_TABLE_FIELDS)

void
dpem_model_copy_floats(uint64 row, int column, double *out, Size n)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);
	ArrayType  *array = isnull ? NULL : DatumGetArrayTypeP(value);

	if (array == NULL || ARR_HASNULL(array) || ARR_ELEMTYPE(array) != FLOAT8OID ||
		(Size) ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) != n)
		dpem_model_corrupt();
	memcpy(out, ARR_DATA_PTR(array), n * sizeof(double));
}

/* ---- shapes ---- */

static int
count_rows(const DpemModelTable *table, int k)
{
	return table->rows == DPEM_ROW_OF_MODEL ? 1 : table->rows == DPEM_ROW_OF_COMPONENT ? k : k + 1;
}

static int
side_of(DpemFieldShape shape, int d)
{
	return shape == DPEM_FIELD_LONGER_VECTOR || shape == DPEM_FIELD_LONGER_MATRIX ? d + 1 : d;
}

/* numbers in one row */
static Size
length_of(DpemFieldShape shape, const DpemModel *model)
{
	Size		side = (Size) side_of(shape, model->d);

	if (shape == DPEM_FIELD_CELLS)
		return (Size) model->cells;
	if (shape == DPEM_FIELD_FEATURES)
		return (Size) model->features;
	if (shape == DPEM_FIELD_FEATURES_MATRIX)
		return mul_size(model->features, model->features);
	if (shape == DPEM_FIELD_NUMBER || shape == DPEM_FIELD_TEXT)
		return 1;
	return shape == DPEM_FIELD_MATRIX || shape == DPEM_FIELD_LONGER_MATRIX ? mul_size(side, side) : side;
}

int
dpem_field_rows(const DpemModelTable *table, const DpemModelField *field, int k)
{
	return field->shared ? 1 : count_rows(table, k);
}

Size
dpem_field_length(const DpemModelField *field, const DpemModel *model)
{
	return length_of(field->shape, model);
}

static Oid
type_of(DpemFieldShape shape)
{
	return shape == DPEM_FIELD_NUMBER ? FLOAT8OID : shape == DPEM_FIELD_TEXT ? TEXTOID : FLOAT8ARRAYOID;
}

/* one row's; *null for a NaN that stands for none */
static Datum
datum_of(const DpemModelField *field, const DpemModel *model, int value, int row, bool *null)
{
	Size		n = length_of(field->shape, model);
	const double *number = (const double *) model->value[value] + (field->shared ? 0 : row * n);

	*null = false;
	if (field->shape == DPEM_FIELD_ARRAY)
	{
		const DpemFieldArray *array = (const DpemFieldArray *) model->value[value] + (field->shared ? 0 : row);

		return dpem_float8_array(array->number, array->n);
	}
	if (field->shape == DPEM_FIELD_TEXT)
		return CStringGetTextDatum(((char *const *) model->value[value])[field->shared ? 0 : row]);
	if (field->shape != DPEM_FIELD_NUMBER)
		return dpem_float8_array(number, (int) n);
	*null = field->nullable && isnan(*number);
	return Float8GetDatum(*number);
}

/* ---- coordinates ---- */

void
dpem_model_set_scales(DpemModel *model, char **names, MemoryContext where)
{
	int			d = model->d;
	DpemColumnScale *scale;
	double	   *bounds;

	model->own_lower = model->lower;
	model->own_upper = model->upper;
	if (d == 0 || names[0] == NULL)
		return;
	scale = MemoryContextAlloc(where, d * sizeof(DpemColumnScale));
	bounds = MemoryContextAllocHuge(where, mul_size(2 * d, sizeof(double)));
	for (int j = 0; j < d; j++)
	{
		scale[j] = dpem_scale_from_name(names[j]);
		bounds[j] = dpem_scale_apply(scale[j], model->lower[j]);
		bounds[d + j] = dpem_scale_apply(scale[j], model->upper[j]);
	}
	model->scale = scale;
	model->lower = bounds;
	model->upper = bounds + d;
}

void
dpem_model_to_coordinates(const DpemModel *model, double *x)
{
	for (int j = 0; model->scale != NULL && j < model->d; j++)
		x[j] = dpem_scale_point(model->scale[j], model->own_lower[j], x[j]);
}

/* rounding may leave a domain */
static double
within(double x, double lower, double upper)
{
	return x < lower ? lower : x > upper ? upper : x;
}

/* what is beyond a domain would be many times beyond it in the column's own unit */
void
dpem_model_from_coordinates(const DpemModel *model, double *x)
{
	for (int j = 0; model->scale != NULL && j < model->d; j++)
	{
		if (model->scale[j] == DPEM_SCALE_LINEAR || isnan(x[j]))
			continue;
		if (x[j] <= model->lower[j] || x[j] >= model->upper[j])
			x[j] = x[j] <= model->lower[j] ? model->own_lower[j] : model->own_upper[j];
		else
			x[j] = within(dpem_scale_invert(model->scale[j], x[j]), model->own_lower[j], model->own_upper[j]);
	}
}

/* what has no logarithm counts as the lower bound */
static double
counted_value(const DpemModel *model, int j, double x)
{
	return model->scale[j] == DPEM_SCALE_LOG && x <= 0 ? model->own_lower[j] : x;
}

double
dpem_model_log_volume(const DpemModel *model, const double *x)
{
	double		sum = 0;

	for (int j = 0; model->scale != NULL && j < model->d; j++)
	{
		double		unit = dpem_scale_unit(model->scale[j], counted_value(model, j, x[j]));

		sum -= isnan(unit) ? 0 : log(unit);
	}
	return sum;
}

double *
dpem_model_numbers(const DpemModel *model, int value)
{
	return unconstify(void *, model->value[value]);
}

/* ---- store and drop ---- */

static SPIPlanPtr
prepare_insert(const DpemModelTable *table)
{
	Oid			types[MOST_COLUMNS] = {INT8OID, INT4OID};
	int			n = table->number ? 2 : 1;
	StringInfoData names;
	StringInfoData values;

	initStringInfo(&names);
	initStringInfo(&values);
	if (table->number)
		appendStringInfo(&names, ", %s", table->number);
	for (const DpemModelField *field = table->field; field->column; field++)
	{
		appendStringInfo(&names, ", %s", field->column);
		types[n++] = type_of(field->shape);
	}
	for (int i = 2; i <= n; i++)
		appendStringInfo(&values, ", $%d", i);
	return dpem_spi_prepare(psprintf("INSERT INTO dpem_internal.%s (model%s) VALUES ($1%s)", table->name, names.data, values.data), n, types);
}

static void
insert_row(const DpemModelTable *table, SPIPlanPtr plan, int64 id, const DpemModel *model, int first, int row)
{
	Datum		values[MOST_COLUMNS] = {Int64GetDatum(id), Int32GetDatum(row + (table->rows == DPEM_ROW_OF_COMPONENT ? 1 : 0))};
	char		nulls[MOST_COLUMNS + 1];
	int			n = table->number ? 2 : 1;

	memset(nulls, ' ', sizeof(nulls));
	for (const DpemModelField *field = table->field; field->column; field++)
	{
		bool		null;

		values[n] = datum_of(field, model, first++, row, &null);
		nulls[n++] = null ? 'n' : ' ';
	}
	nulls[n] = '\0';
	dpem_spi_execute(plan, values, nulls, false, SPI_OK_INSERT);
}

int
dpem_fields_count(const DpemModelTable *table)
{
	int			n = 0;

	while (table->field[n].column)
		n++;
	return n;
}

void
dpem_fields_insert(const DpemModelTable *tables, int64 id, const DpemModel *model)
{
	int			first = 0;

	for (const DpemModelTable *table = tables; table->name; table++)
	{
		SPIPlanPtr	plan = prepare_insert(table);

		for (int row = 0; row < count_rows(table, model->k); row++)
			insert_row(table, plan, id, model, first, row);
		SPI_freeplan(plan);
		first += dpem_fields_count(table);
	}
}

void
dpem_fields_delete(const DpemModelTable *tables, int64 id)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};

	for (const DpemModelTable *table = tables; table->name; table++)
		dpem_spi_query(psprintf("DELETE FROM dpem_internal.%s WHERE model = $1", table->name), 1, types, values, NULL, false,
					   SPI_OK_DELETE);
}

/* ---- load ---- */

/* of the first row: all have as many, and some: after none the next field would say how many there are */
static int
count_floats(int column)
{
	ArrayType  *array = DatumGetArrayTypeP(dpem_spi_required(0, column));
	int			n = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));

	if (n == 0)
		dpem_model_corrupt();
	return n;
}

static DpemFieldArray
copy_array(uint64 row, int column, MemoryContext where)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);
	ArrayType  *array = isnull ? NULL : DatumGetArrayTypeP(value);
	DpemFieldArray copy = {.n = array ? ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) : 0};

	copy.number = MemoryContextAllocHuge(where, mul_size(Max(copy.n, 1), sizeof(double)));
	dpem_model_copy_floats(row, column, copy.number, copy.n);
	return copy;
}

static void
load_field(const DpemModelField *field, int rows, int column, DpemModel *model, int value, MemoryContext where)
{
	Size		n;
	double	   *numbers;

	if (field->shared)
		rows = 1;
	if (field->shape == DPEM_FIELD_CELLS && model->cells == 0)
		model->cells = count_floats(column);
	if (field->shape == DPEM_FIELD_FEATURES)
		model->features = count_floats(column);
	n = length_of(field->shape, model);
	if (field->shape == DPEM_FIELD_ARRAY)
	{
		DpemFieldArray *arrays = MemoryContextAlloc(where, mul_size(rows, sizeof(DpemFieldArray)));

		for (int row = 0; row < rows; row++)
			arrays[row] = copy_array(row, column, where);
		model->value[value] = arrays;
		return;
	}
	if (field->shape == DPEM_FIELD_TEXT)
	{
		char	  **texts = MemoryContextAlloc(where, mul_size(rows, sizeof(char *)));

		for (int row = 0; row < rows; row++)
			texts[row] = dpem_spi_text(row, column, where);
		model->value[value] = texts;
		return;
	}
	numbers = MemoryContextAllocHuge(where, mul_size(mul_size(rows, n), sizeof(double)));
	for (int row = 0; row < rows; row++)
	{
		if (field->shape == DPEM_FIELD_NUMBER)
		{
			bool		isnull;
			Datum		number = dpem_spi_datum(row, column, &isnull);

			numbers[row] = isnull ? NAN : DatumGetFloat8(number);
		}
		else
			dpem_model_copy_floats(row, column, numbers + row * n, n);
	}
	model->value[value] = numbers;
}

static char *
select_query(const DpemModelTable *table)
{
	StringInfoData sql;
	const char *separator = "SELECT ";

	initStringInfo(&sql);
	for (const DpemModelField *field = table->field; field->column; field++)
	{
		if (!field->loaded)
			continue;
		appendStringInfo(&sql, "%s%s", separator, field->column);
		separator = ", ";
	}
	if (sql.len == 0)
		return NULL;
	appendStringInfo(&sql, " FROM dpem_internal.%s WHERE model = $1", table->name);
	if (table->number)
		appendStringInfo(&sql, " ORDER BY %s", table->number);
	return sql.data;
}

static void
load_table(const DpemModelTable *table, int64 id, DpemModel *model, int first, MemoryContext where)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	char	   *sql = select_query(table);
	int			rows = count_rows(table, model->k);
	int			column = 1;

	if (sql == NULL)
		return;
	if (dpem_spi_query(sql, 1, types, values, NULL, true, SPI_OK_SELECT) != (uint64) rows)
		elog(ERROR, "dpem: a model with parts missing");
	for (const DpemModelField *field = table->field; field->column; field++, first++)
	{
		if (field->loaded)
			load_field(field, rows, column++, model, first, where);
	}
}

void
dpem_fields_load(const DpemModelTable *tables, int64 id, DpemModel *model, MemoryContext where)
{
	int			first = 0;

	for (const DpemModelTable *table = tables; table->name; table++)
	{
		load_table(table, id, model, first, where);
		first += dpem_fields_count(table);
	}
}

/*
 * fit_rows.c - what a fit returns, row by row; see model_fields.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "fit/model_fields.h"
#include "server/version_shims.h"

Datum
dpem_float8_array(const double *values, int n)
{
	return dpem_float8_matrix(values, 0, n);
}

/* rows 0: of one dimension */
Datum
dpem_float8_matrix(const double *values, int rows, int columns)
{
	int			n = Max(rows, 1) * columns;
	Datum	   *elements = palloc(Max(n, 1) * sizeof(Datum));
	int			dims[2] = {rows, columns};
	int			bounds[2] = {1, 1};
	ArrayType  *array;

	for (int i = 0; i < n; i++)
		elements[i] = Float8GetDatum(values[i]);
	array = rows > 0 ? construct_md_array(elements, NULL, 2, dims, bounds, FLOAT8OID, sizeof(float8), true, TYPALIGN_DOUBLE)
		: construct_array(elements, n, FLOAT8OID, sizeof(float8), true, TYPALIGN_DOUBLE);
	pfree(elements);
	return PointerGetDatum(array);
}

static ReturnSetInfo *
result_of(const DpemFitRows *rows)
{
	return (ReturnSetInfo *) rows->call->resultinfo;
}

DpemFitRows
dpem_fit_rows_begin(FunctionCallInfo fcinfo)
{
	DpemFitRows rows = {.call = fcinfo};
	int			n;

	InitMaterializedSRF(fcinfo, 0);
	n = result_of(&rows)->setDesc->natts;
	rows.value = palloc0(n * sizeof(Datum));
	rows.null = palloc0(n * sizeof(bool));
	return rows;
}

/* from 0; below 0: there is none of that name */
static int
place_of(const DpemFitRows *rows, const char *column)
{
	return SPI_fnumber(result_of(rows)->setDesc, column) - 1;
}

void
dpem_fit_put(DpemFitRows *rows, const char *column, Datum value)
{
	int			at = place_of(rows, column);

	if (at < 0)
		elog(ERROR, "dpem: a result without the column %s", column);
	rows->value[at] = value;
	rows->null[at] = false;
}

void
dpem_fit_put_number(DpemFitRows *rows, const char *column, double value)
{
	if (!isnan(value))
		dpem_fit_put(rows, column, Float8GetDatum(value));
}

void
dpem_fit_row(DpemFitRows *rows)
{
	memset(rows->null, true, result_of(rows)->setDesc->natts * sizeof(bool));
	if (rows->model)
		dpem_fit_put(rows, "model", CStringGetTextDatum(rows->model));
	if (rows->key)
		dpem_fit_put(rows, "key", CStringGetTextDatum(rows->key));
	if (rows->counted_noise > 0)
	{
		dpem_fit_put_number(rows, "rows_counted", rows->counted);
		dpem_fit_put_number(rows, "rows_counted_noise", rows->counted_noise);
	}
}

void
dpem_fit_row_end(DpemFitRows *rows)
{
	tuplestore_putvalues(result_of(rows)->setResult, result_of(rows)->setDesc, rows->value, rows->null);
}

/* numbers of which none is known are no array */
static void
put_vector(DpemFitRows *rows, const char *column, const double *number, int n)
{
	for (int j = 0; j < n; j++)
		if (!isnan(number[j]))
		{
			dpem_fit_put(rows, column, dpem_float8_array(number, n));
			return;
		}
}

static void
put_field(const DpemModelField *field, const DpemModel *model, int value, int row, DpemFitRows *rows)
{
	size_t		d = (size_t) model->d;
	const double *number = model->value[value];

	if (field->shape == DPEM_FIELD_MATRIX)
		dpem_fit_put(rows, field->result, dpem_float8_matrix(number + row * d * d, model->d, model->d));
	else if (field->shape == DPEM_FIELD_VECTOR)
		put_vector(rows, field->result, number + row * d, model->d);
	else if (field->shape == DPEM_FIELD_NUMBER)
		dpem_fit_put_number(rows, field->result, number[row]);
	else
		elog(ERROR, "dpem: field %s is not for results", field->column);
}

void
dpem_fields_emit(const DpemModelTable *tables, const DpemModel *model, DpemFitRows *rows)
{
	int			first = 0;
	const DpemModelTable *table = tables;

	for (; table->rows != DPEM_ROW_OF_COMPONENT; table++)
		first += dpem_fields_count(table);
	for (int row = 0; row < model->k; row++)
	{
		dpem_fit_row(rows);
		dpem_fit_put(rows, table->number, Int32GetDatum(row + 1));
		for (int f = 0; table->field[f].column; f++)
		{
			if (table->field[f].result)
				put_field(&table->field[f], model, first + f, row, rows);
		}
		dpem_fit_row_end(rows);
	}
}

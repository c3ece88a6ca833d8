/*
 * logit_store.c - see logit_store.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/builtins.h"

#include "families/logit/logit_store.h"
#include "server/as_owner.h"

static void
insert_parameter(int64 model, const DpemModelRecord *record, const void *rows)
{
	const DpemLogitRow *row = rows;
	Oid			types[] = {INT8OID, TEXTOID, TEXTOID, TEXTOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID};
	Datum		values[] = {Int64GetDatum(model), CStringGetTextDatum(row->label->column.name),
		CStringGetTextDatum(row->label->category[0]), CStringGetTextDatum(row->label->category[1]),
		dpem_float8_array(row->mean, row->n), dpem_float8_array(row->covariance, row->n * row->n),
	dpem_float8_array(row->noise, row->n)};

	dpem_spi_query("INSERT INTO dpem.logit_parameter (model, label, negative, positive, mean, covariance,"
				   " mean_noise) VALUES ($1, $2, $3, $4, $5, $6, $7)",
				   7, types, values, NULL, false, SPI_OK_INSERT);
}

char *
dpem_model_save_logit(const DpemModelRecord *record, const DpemLogitRow *row)
{
	return dpem_model_save(record, insert_parameter, row);
}

DpemStoredLogit *
dpem_model_load_logit(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	Oid			types[] = {INT8OID};
	Datum		values[1];
	DpemStoredLogit *model = palloc(sizeof(DpemStoredLogit));
	DpemIdentity saved;
	Size		n;
	int			k;

	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(dpem_model_find(name, role, "logit", "a logistic regression", &k, &model->d));
	if (dpem_spi_query("SELECT mean, covariance FROM dpem.logit_parameter WHERE model = $1",
					   1, types, values, NULL, true, SPI_OK_SELECT) != 1)
		elog(ERROR, "dpem: a logistic regression without coefficients");
	n = (Size) model->d + 1;
	model->mean = MemoryContextAlloc(caller, mul_size(n, sizeof(double)));
	model->covariance = MemoryContextAlloc(caller, mul_size(mul_size(n, n), sizeof(double)));
	dpem_model_copy_floats(0, 1, model->mean, (int) n);
	dpem_model_copy_floats(0, 2, model->covariance, (int) (n * n));
	dpem_owner_leave(&saved);
	return model;
}

/*
 * factors_store.c - see factors_store.h.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/shmem.h"

#include "families/factors/factors_store.h"
#include "server/as_owner.h"

static void
insert_fa(int64 model, int d, const DpemFaRow *row)
{
	Oid			types[] = {INT8OID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8OID};
	Datum		values[] = {Int64GetDatum(model), dpem_float8_array(row->mean, d),
		dpem_float8_array(row->mean_noise, d), dpem_float8_array(row->noise, d),
	dpem_float8_array(row->noise_noise, d), Float8GetDatum(row->log_likelihood)};

	dpem_spi_query("INSERT INTO dpem.fa_parameter (model, mean, mean_noise, noise_variance,"
				   " noise_variance_noise, log_likelihood) VALUES ($1, $2, $3, $4, $5, $6)",
				   6, types, values, NULL, false, SPI_OK_INSERT);
}

static void
insert_factor(int64 model, int factor, int d, const double *loading, const double *noise)
{
	Oid			types[] = {INT8OID, INT4OID, FLOAT8ARRAYOID, FLOAT8ARRAYOID};
	Datum		values[] = {Int64GetDatum(model), Int32GetDatum(factor), dpem_float8_array(loading, d),
	dpem_float8_array(noise, d)};

	dpem_spi_query("INSERT INTO dpem.fa_factor (model, factor, loading, loading_noise)"
				   " VALUES ($1, $2, $3, $4)", 4, types, values, NULL, false, SPI_OK_INSERT);
}

static void
insert_fa_rows(int64 model, const DpemModelRecord *record, const void *rows)
{
	const DpemFaRow *row = rows;
	size_t		d = (size_t) record->d;

	insert_fa(model, record->d, row);
	for (int f = 0; f < record->k; f++)
		insert_factor(model, f + 1, record->d, row->loading + f * d, row->loading_noise + f * d);
}

char *
dpem_model_save_fa(const DpemModelRecord *record, const DpemFaRow *row)
{
	return dpem_model_save(record, insert_fa_rows, row);
}

static void
insert_pca(int64 model, int d, const DpemPcaRow *row)
{
	Oid			types[] = {INT8OID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, FLOAT8OID, FLOAT8OID};
	Datum		values[] = {Int64GetDatum(model), dpem_float8_array(row->mean, d),
		dpem_float8_array(row->mean_noise, d), dpem_float8_array(row->unit, d),
	Float8GetDatum(row->total), Float8GetDatum(row->total_noise)};

	dpem_spi_query("INSERT INTO dpem.pca_parameter (model, mean, mean_noise, unit, total_variance,"
				   " total_variance_noise) VALUES ($1, $2, $3, $4, $5, $6)",
				   6, types, values, NULL, false, SPI_OK_INSERT);
}

static void
insert_component(int64 model, int i, int d, const DpemPcaRow *row)
{
	Oid			types[] = {INT8OID, INT4OID, FLOAT8OID, FLOAT8OID, FLOAT8OID, FLOAT8OID, FLOAT8ARRAYOID};
	Datum		values[] = {Int64GetDatum(model), Int32GetDatum(i + 1), Float8GetDatum(row->variance[i]),
		Float8GetDatum(row->variance_noise[i]), Float8GetDatum(row->share[i]), Float8GetDatum(row->alignment[i]),
	dpem_float8_array(row->direction + (size_t) i * d, d)};
	char		nulls[] = "       ";

	if (isnan(row->alignment[i]))
		nulls[5] = 'n';
	dpem_spi_query("INSERT INTO dpem.pca_component (model, component, variance, variance_noise, explained_ratio,"
				   " alignment, direction) VALUES ($1, $2, $3, $4, $5, $6, $7)",
				   7, types, values, nulls, false, SPI_OK_INSERT);
}

static void
insert_pca_rows(int64 model, const DpemModelRecord *record, const void *rows)
{
	const DpemPcaRow *row = rows;

	insert_pca(model, record->d, row);
	for (int i = 0; i < record->k; i++)
		insert_component(model, i, record->d, row);
}

char *
dpem_model_save_pca(const DpemModelRecord *record, const DpemPcaRow *row)
{
	return dpem_model_save(record, insert_pca_rows, row);
}

static double *
allocate(MemoryContext where, size_t n)
{
	return MemoryContextAlloc(where, mul_size(n, sizeof(double)));
}

/* the k arrays of d numbers of a query's first column */
static void
load_rows(const char *sql, int64 model, int k, int d, double *out)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(model)};

	if (dpem_spi_query(sql, 1, types, values, NULL, true, SPI_OK_SELECT) != (uint64) k)
		elog(ERROR, "dpem: a model with parts missing");
	for (int i = 0; i < k; i++)
		dpem_model_copy_floats(i, 1, out + (size_t) i * d, d);
}

DpemStoredFa *
dpem_model_load_fa(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	DpemStoredFa *fa = palloc(sizeof(DpemStoredFa));
	DpemIdentity saved;
	int64		id;

	dpem_owner_enter(&saved);
	id = dpem_model_find(name, role, "fa", "a factor model", &fa->k, &fa->d);
	fa->mean = allocate(caller, fa->d);
	fa->noise = allocate(caller, fa->d);
	fa->loading = allocate(caller, (size_t) fa->k * fa->d);
	load_rows("SELECT mean FROM dpem.fa_parameter WHERE model = $1", id, 1, fa->d, fa->mean);
	load_rows("SELECT noise_variance FROM dpem.fa_parameter WHERE model = $1", id, 1, fa->d, fa->noise);
	load_rows("SELECT loading FROM dpem.fa_factor WHERE model = $1 ORDER BY factor", id, fa->k, fa->d, fa->loading);
	dpem_owner_leave(&saved);
	return fa;
}

DpemStoredPca *
dpem_model_load_pca(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	DpemStoredPca *pca = palloc(sizeof(DpemStoredPca));
	DpemIdentity saved;
	int64		id;

	dpem_owner_enter(&saved);
	id = dpem_model_find(name, role, "pca", "principal components", &pca->k, &pca->d);
	pca->mean = allocate(caller, pca->d);
	pca->unit = allocate(caller, pca->d);
	pca->direction = allocate(caller, (size_t) pca->k * pca->d);
	load_rows("SELECT mean FROM dpem.pca_parameter WHERE model = $1", id, 1, pca->d, pca->mean);
	load_rows("SELECT unit FROM dpem.pca_parameter WHERE model = $1", id, 1, pca->d, pca->unit);
	load_rows("SELECT direction FROM dpem.pca_component WHERE model = $1 ORDER BY component", id, pca->k, pca->d,
			  pca->direction);
	dpem_owner_leave(&saved);
	return pca;
}

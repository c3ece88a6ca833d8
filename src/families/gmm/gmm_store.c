/*
 * gmm_store.c - mixtures as rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/shmem.h"

#include "families/gmm/gmm_store.h"
#include "server/as_owner.h"

static void
insert_component(int64 model, int component, int d, const DpemGmmRow *row)
{
	Oid			types[] = {INT8OID, INT4OID, FLOAT8OID, FLOAT8OID, FLOAT8ARRAYOID, FLOAT8ARRAYOID,
	FLOAT8ARRAYOID, FLOAT8ARRAYOID};
	Datum		values[] = {Int64GetDatum(model), Int32GetDatum(component),
		Float8GetDatum(row->weight), Float8GetDatum(row->weight_noise),
		dpem_float8_array(row->mean, d), dpem_float8_array(row->mean_noise, d),
	dpem_float8_array(row->covariance, d * d), dpem_float8_array(row->covariance_noise, d * d)};

	dpem_spi_query("INSERT INTO dpem.gmm_parameter (model, component, weight, weight_noise, mean,"
				   " mean_noise, covariance, covariance_noise)"
				   " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
				   8, types, values, NULL, false, SPI_OK_INSERT);
}

static void
insert_components(int64 model, const DpemModelRecord *record, const void *rows)
{
	for (int k = 0; k < record->k; k++)
		insert_component(model, k + 1, record->d, (const DpemGmmRow *) rows + k);
}

char *
dpem_model_save_gmm(const DpemModelRecord *record, const DpemGmmRow *rows)
{
	return dpem_model_save(record, insert_components, rows);
}

static DpemStoredGmm *
create_stored(int k, int d, MemoryContext where)
{
	MemoryContext old = MemoryContextSwitchTo(where);
	DpemStoredGmm *gmm = palloc(sizeof(DpemStoredGmm));

	gmm->k = k;
	gmm->d = d;
	gmm->weight = palloc(mul_size(k, sizeof(double)));
	gmm->mean = palloc(mul_size(mul_size(k, d), sizeof(double)));
	gmm->covariance = palloc(mul_size(mul_size(mul_size(k, d), d), sizeof(double)));
	MemoryContextSwitchTo(old);
	return gmm;
}

DpemStoredGmm *
dpem_model_load_gmm(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	Oid			types[] = {INT8OID};
	Datum		values[1];
	DpemStoredGmm *gmm;
	DpemIdentity saved;
	int			k;
	int			d;

	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(dpem_model_find(name, role, "gmm", "a mixture", &k, &d));
	if (dpem_spi_query("SELECT weight, mean, covariance FROM dpem.gmm_parameter WHERE model = $1"
					   " ORDER BY component",
					   1, types, values, NULL, true, SPI_OK_SELECT) != (uint64) k)
		elog(ERROR, "dpem: a mixture with components missing");
	gmm = create_stored(k, d, caller);
	for (int i = 0; i < k; i++)
	{
		gmm->weight[i] = dpem_spi_float8(i, 1);
		dpem_model_copy_floats(i, 2, gmm->mean + (size_t) i * d, d);
		dpem_model_copy_floats(i, 3, gmm->covariance + (size_t) i * d * d, d * d);
	}
	dpem_owner_leave(&saved);
	return gmm;
}

/*
 * kmeans_store.c - k-means models as rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/shmem.h"

#include "families/kmeans/kmeans_store.h"
#include "server/as_owner.h"

static void
insert_component(int64 model, const DpemKmeans *means, int k)
{
	Oid			types[] = {INT8OID, INT4OID, FLOAT8OID, FLOAT8OID, FLOAT8ARRAYOID, FLOAT8ARRAYOID};
	size_t		at = (size_t) k * means->d;
	Datum		values[] = {Int64GetDatum(model), Int32GetDatum(k + 1),
		Float8GetDatum(means->weight[k]), Float8GetDatum(means->weight_noise[k]),
		dpem_float8_array(means->centre + at, means->d),
	dpem_float8_array(means->centre_noise + at, means->d)};

	dpem_spi_query("INSERT INTO dpem.kmeans_parameter (model, component, weight, weight_noise,"
				   " center, center_noise) VALUES ($1, $2, $3, $4, $5, $6)",
				   6, types, values, NULL, false, SPI_OK_INSERT);
}

static void
insert_components(int64 model, const DpemModelRecord *record, const void *means)
{
	for (int k = 0; k < record->k; k++)
		insert_component(model, means, k);
}

char *
dpem_model_save_kmeans(const DpemModelRecord *record, const DpemKmeans *means)
{
	return dpem_model_save(record, insert_components, means);
}

static DpemStoredKmeans *
create_stored(int k, int d, MemoryContext where)
{
	MemoryContext old = MemoryContextSwitchTo(where);
	DpemStoredKmeans *means = palloc(sizeof(DpemStoredKmeans));

	means->k = k;
	means->d = d;
	means->centre = palloc(mul_size(mul_size(k, d), sizeof(double)));
	means->lower = palloc(mul_size(d, sizeof(double)));
	means->upper = palloc(mul_size(d, sizeof(double)));
	MemoryContextSwitchTo(old);
	return means;
}

DpemStoredKmeans *
dpem_model_load_kmeans(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	Oid			types[] = {INT8OID};
	Datum		values[1];
	DpemStoredKmeans *means;
	DpemIdentity saved;
	int			k;
	int			d;

	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(dpem_model_find(name, role, "kmeans", "a k-means model", &k, &d));
	if (dpem_spi_query("SELECT m.lower, m.upper, p.center FROM dpem.model m"
					   " JOIN dpem.kmeans_parameter p ON p.model = m.id WHERE m.id = $1"
					   " ORDER BY p.component",
					   1, types, values, NULL, true, SPI_OK_SELECT) != (uint64) k)
		elog(ERROR, "dpem: a k-means model with centers missing");
	means = create_stored(k, d, caller);
	dpem_model_copy_floats(0, 1, means->lower, d);
	dpem_model_copy_floats(0, 2, means->upper, d);
	for (int i = 0; i < k; i++)
		dpem_model_copy_floats(i, 3, means->centre + (size_t) i * d, d);
	dpem_owner_leave(&saved);
	return means;
}

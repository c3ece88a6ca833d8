/*
 * sbn_store.c - see sbn_store.h.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/shmem.h"

#include "families/sbn/sbn_store.h"
#include "server/as_owner.h"

/* unit 0 is constant and has no bias */
static void
insert_unit(int64 model, int unit, double bias, const double *weight, int d)
{
	Oid			types[] = {INT8OID, INT4OID, FLOAT8OID, FLOAT8ARRAYOID};
	Datum		values[] = {Int64GetDatum(model), Int32GetDatum(unit), Float8GetDatum(bias), dpem_float8_array(weight, d)};

	dpem_spi_query("INSERT INTO dpem.sbn_parameter (model, unit, bias, weight) VALUES ($1, $2, $3, $4)",
				   4, types, values, unit > 0 ? NULL : "  n ", false, SPI_OK_INSERT);
}

typedef struct Network
{
	const double *bias;			/* of each hidden unit */
	const double *weight;		/* of the constant unit, then of each hidden one */
} Network;

static void
insert_units(int64 model, const DpemModelRecord *record, const void *rows)
{
	const Network *sbn = rows;

	for (int k = 0; k <= record->k; k++)
		insert_unit(model, k, k > 0 ? sbn->bias[k - 1] : 0, sbn->weight + (size_t) k * record->d, record->d);
}

char *
dpem_model_save_sbn(const DpemModelRecord *record, const double *bias, const double *weight)
{
	Network		sbn = {bias, weight};

	return dpem_model_save(record, insert_units, &sbn);
}

static DpemStoredSbn *
create_stored(int hidden, int d, MemoryContext where)
{
	MemoryContext old = MemoryContextSwitchTo(where);
	DpemStoredSbn *sbn = palloc(sizeof(DpemStoredSbn));

	sbn->hidden = hidden;
	sbn->d = d;
	sbn->lower = palloc(mul_size(d, sizeof(double)));
	sbn->upper = palloc(mul_size(d, sizeof(double)));
	sbn->bias = palloc(mul_size(hidden, sizeof(double)));
	sbn->weight = palloc(mul_size(mul_size((Size) hidden + 1, d), sizeof(double)));
	MemoryContextSwitchTo(old);
	return sbn;
}

DpemStoredSbn *
dpem_model_load_sbn(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	Oid			types[] = {INT8OID};
	Datum		values[1];
	DpemStoredSbn *sbn;
	DpemIdentity saved;
	int			k;
	int			d;

	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(dpem_model_find(name, role, "sbn", "a sigmoid belief network", &k, &d));
	if (dpem_spi_query("SELECT m.lower, m.upper, p.weight, p.bias FROM dpem.model m"
					   " JOIN dpem.sbn_parameter p ON p.model = m.id WHERE m.id = $1 ORDER BY p.unit",
					   1, types, values, NULL, true, SPI_OK_SELECT) != (uint64) k + 1)
		elog(ERROR, "dpem: a sigmoid belief network with units missing");
	sbn = create_stored(k, d, caller);
	dpem_model_copy_floats(0, 1, sbn->lower, d);
	dpem_model_copy_floats(0, 2, sbn->upper, d);
	for (int i = 0; i <= k; i++)
	{
		bool		isnull;

		dpem_model_copy_floats(i, 3, sbn->weight + (size_t) i * d, d);
		if (i > 0)
			sbn->bias[i - 1] = DatumGetFloat8(dpem_spi_datum(i, 4, &isnull));
	}
	dpem_owner_leave(&saved);
	return sbn;
}

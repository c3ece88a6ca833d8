/*
 * model_store.c - released models as rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "catalog/as_owner.h"
#include "catalog/model_store.h"

/* model m may be read by role $2 */
#define MAY_READ \
	" (pg_has_role($2, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = m.owner), 'USAGE')" \
	"  OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = m.source AND pg_has_role($2, c.relowner, 'USAGE'))" \
	"  OR EXISTS (SELECT 1 FROM dpem.model_grant g WHERE g.model = m.id AND pg_has_role($2, g.role, 'USAGE')))"

/* ... and be granted or dropped by it */
#define MAY_CHANGE \
	" (pg_has_role($2, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = m.owner), 'USAGE')" \
	"  OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = m.source AND pg_has_role($2, c.relowner, 'USAGE')))"

Datum
dpem_float8_array(const double *values, int n)
{
	Datum	   *elements = palloc(Max(n, 1) * sizeof(Datum));
	Datum		array;

	for (int i = 0; i < n; i++)
		elements[i] = Float8GetDatum(values[i]);
	array = PointerGetDatum(construct_array(elements, n, FLOAT8OID, sizeof(float8), true, TYPALIGN_DOUBLE));
	pfree(elements);
	return array;
}

Datum
dpem_float8_matrix(const double *values, int rows, int columns)
{
	int			n = rows * columns;
	Datum	   *elements = palloc(Max(n, 1) * sizeof(Datum));
	int			dims[2] = {rows, columns};
	int			bounds[2] = {1, 1};

	for (int i = 0; i < n; i++)
		elements[i] = Float8GetDatum(values[i]);
	return PointerGetDatum(construct_md_array(elements, NULL, 2, dims, bounds, FLOAT8OID,
											  sizeof(float8), true, TYPALIGN_DOUBLE));
}

void
dpem_model_require_free_name(const char *name)
{
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(name)};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	if (dpem_spi_query("SELECT 1 FROM dpem.model WHERE name = $1", 1, types, values, NULL, false,
					   SPI_OK_SELECT) > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("model \"%s\" already exists", name),
				 errhint("Choose another name, or drop it with dp_drop_model.")));
	dpem_owner_leave(&saved);
}

/* one label per coordinate: the column, with a subscript for arrays */
static Datum
coordinate_labels(const DpemDataset *ds)
{
	Datum	   *labels = palloc(dpem_dataset_dimension(ds) * sizeof(Datum));
	ListCell   *cell;
	int			n = 0;

	foreach(cell, ds->columns)
	{
		DpemColumn *column = lfirst(cell);

		for (int i = 1; i <= column->length; i++)
			labels[n++] = CStringGetTextDatum(column->kind == DPEM_COLUMN_ARRAY
											  ? psprintf("%s[%d]", column->name, i) : column->name);
	}
	return PointerGetDatum(construct_array(labels, n, TEXTOID, -1, false, TYPALIGN_INT));
}

static Datum
text_or_null(const char *value, char *null)
{
	*null = value ? ' ' : 'n';
	return value ? CStringGetTextDatum(value) : (Datum) 0;
}

static int64
insert_model(const DpemModelRecord *r, const char *name)
{
	Oid			types[] = {TEXTOID, TEXTOID, TEXTOID, OIDOID, INT8OID, INT8OID, INT4OID, INT4OID,
		TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, INT4OID, FLOAT8OID, FLOAT8OID,
	TEXTARRAYOID};
	char		nulls[] = "                 ";
	Datum		values[] = {CStringGetTextDatum(name), CStringGetTextDatum(r->family),
		CStringGetTextDatum(r->dataset->name), ObjectIdGetDatum(r->dataset->source),
		Int64GetDatum(r->maker), Int64GetDatum(r->charge), Int32GetDatum(r->k),
		Int32GetDatum(r->d), text_or_null(r->covariance, &nulls[8]),
		text_or_null(r->estimator, &nulls[9]), CStringGetTextDatum(r->mechanism),
		CStringGetTextDatum(r->composition), text_or_null(r->precondition, &nulls[12]),
		Int32GetDatum(r->iterations), Float8GetDatum(r->epsilon), Float8GetDatum(r->delta),
	coordinate_labels(r->dataset)};

	dpem_spi_query("INSERT INTO dpem.model (name, family, dataset, source, owner, charge, k, d,"
				   " covariance, estimator, mechanism, composition, precondition, iterations,"
				   " epsilon, delta, columns) VALUES ($1, $2, $3, $4::regclass, $5, $6,"
				   " $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) RETURNING id",
				   17, types, values, nulls, false, SPI_OK_INSERT_RETURNING);
	return dpem_spi_int64(0, 1);
}

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

char *
dpem_model_save_gmm(const DpemModelRecord *record, const DpemGmmRow *rows)
{
	char	   *name = record->name ? pstrdup(record->name)
		: psprintf("%s_%s_" INT64_FORMAT, record->dataset->name, record->family, record->charge);
	DpemIdentity saved;
	int64		id;

	dpem_owner_enter(&saved);
	id = insert_model(record, name);
	for (int k = 0; k < record->k; k++)
		insert_component(id, k + 1, record->d, &rows[k]);
	dpem_owner_leave(&saved);
	return name;
}

/*
 * The id of a model that the current role may read or, with `change`, grant
 * and drop.  A model one may not read looks like one that does not exist.
 */
static int64
find_model(const char *name, Oid role, bool change, bool read_only)
{
	Oid			types[] = {TEXTOID, OIDOID};
	Datum		values[] = {CStringGetTextDatum(name), ObjectIdGetDatum(role)};

	if (dpem_spi_query("SELECT m.id FROM dpem.model m WHERE m.name = $1 AND" MAY_READ,
					   2, types, values, NULL, read_only, SPI_OK_SELECT) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("model \"%s\" does not exist or was not granted to you", name),
				 errhint("The view dpem.models lists the models you may read.")));
	if (change && dpem_spi_query("SELECT m.id FROM dpem.model m WHERE m.name = $1 AND" MAY_CHANGE,
								 2, types, values, NULL, read_only, SPI_OK_SELECT) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be maker of model \"%s\" or owner of its dataset", name)));
	return dpem_spi_int64(0, 1);
}

static void
copy_floats(uint64 row, int column, double *out, int n)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);
	ArrayType  *array = isnull ? NULL : DatumGetArrayTypeP(value);

	if (array == NULL || ARR_HASNULL(array) || ARR_ELEMTYPE(array) != FLOAT8OID ||
		ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) != n)
		elog(ERROR, "dpem: corrupt model parameters");
	memcpy(out, ARR_DATA_PTR(array), n * sizeof(double));
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
	uint64		k;
	bool		isnull;

	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(find_model(name, role, false, true));
	k = dpem_spi_query("SELECT m.d, p.weight, p.mean, p.covariance FROM dpem.model m"
					   " JOIN dpem.gmm_parameter p ON p.model = m.id WHERE m.id = $1"
					   " ORDER BY p.component",
					   1, types, values, NULL, true, SPI_OK_SELECT);
	if (k == 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE), errmsg("model \"%s\" is not a mixture", name)));
	gmm = create_stored((int) k, DatumGetInt32(dpem_spi_datum(0, 1, &isnull)), caller);
	for (uint64 i = 0; i < k; i++)
	{
		gmm->weight[i] = dpem_spi_float8(i, 2);
		copy_floats(i, 3, gmm->mean + i * gmm->d, gmm->d);
		copy_floats(i, 4, gmm->covariance + i * gmm->d * gmm->d, gmm->d * gmm->d);
	}
	dpem_owner_leave(&saved);
	return gmm;
}

void
dpem_model_grant(const char *name, Oid role)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID, OIDOID, TEXTOID};
	Datum		values[3];
	DpemIdentity saved;

	(void) GetUserNameFromId(role, false);
	values[1] = ObjectIdGetDatum(role);
	values[2] = CStringGetTextDatum(GetUserNameFromId(caller, false));
	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(find_model(name, caller, true, false));
	dpem_spi_query("INSERT INTO dpem.model_grant (model, role, granted_by)"
				   " VALUES ($1, $2::regrole, $3) ON CONFLICT DO NOTHING",
				   3, types, values, NULL, false, SPI_OK_INSERT);
	dpem_owner_leave(&saved);
}

void
dpem_model_revoke(const char *name, Oid role)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID, OIDOID};
	Datum		values[2];
	DpemIdentity saved;

	values[1] = ObjectIdGetDatum(role);
	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(find_model(name, caller, true, false));
	if (dpem_spi_query("DELETE FROM dpem.model_grant WHERE model = $1 AND role = $2", 2, types,
					   values, NULL, false, SPI_OK_DELETE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("model \"%s\" was not granted to role \"%s\"", name,
						GetUserNameFromId(role, false))));
	dpem_owner_leave(&saved);
}

void
dpem_model_drop(const char *name)
{
	Oid			caller = GetUserId();
	Oid			types[] = {INT8OID};
	Datum		values[1];
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	values[0] = Int64GetDatum(find_model(name, caller, true, false));
	dpem_spi_query("WITH p AS (DELETE FROM dpem.gmm_parameter WHERE model = $1),"
				   " g AS (DELETE FROM dpem.model_grant WHERE model = $1)"
				   " DELETE FROM dpem.model WHERE id = $1", 1, types, values, NULL, false,
				   SPI_OK_DELETE);
	dpem_owner_leave(&saved);
}

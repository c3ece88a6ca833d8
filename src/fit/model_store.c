/*
 * model_store.c - released models as rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "fit/model_name.h"
#include "fit/model_store.h"
#include "server/as_owner.h"
#include "server/attempt.h"

/* model m may be read by role $2 */
#define MAY_READ \
	" (pg_has_role($2, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = m.owner), 'USAGE')" \
	"  OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = m.source AND pg_has_role($2, c.relowner, 'USAGE'))" \
	"  OR EXISTS (SELECT 1 FROM dpem.model_grant g WHERE g.model = m.id AND pg_has_role($2, g.role, 'USAGE')))"

/* ... and be granted or dropped by it */
#define MAY_CHANGE \
	" (pg_has_role($2, (SELECT r.role::oid FROM dpem.role_number r WHERE r.id = m.owner), 'USAGE')" \
	"  OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = m.source AND pg_has_role($2, c.relowner, 'USAGE')))"

/* whatever holds a part of a model; the model itself goes last */
static const struct
{
	const char *table;
	const char *key;
}			model_tables[] = {
	{"gmm_parameter", "model"},
	{"kmeans_parameter", "model"},
	{"fa_parameter", "model"},
	{"fa_factor", "model"},
	{"pca_parameter", "model"},
	{"pca_component", "model"},
	{"logit_parameter", "model"},
	{"lda_parameter", "model"},
	{"sbn_parameter", "model"},
	{"model_grant", "model"},
	{"model", "id"}
};

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

/* one label per coordinate */
static Datum
coordinate_labels(const DpemDataset *ds)
{
	int			n = dpem_dataset_dimension(ds);
	char	  **names = dpem_dataset_coordinates(ds);
	Datum	   *labels = palloc(n * sizeof(Datum));

	for (int j = 0; j < n; j++)
		labels[j] = CStringGetTextDatum(names[j]);
	return PointerGetDatum(construct_array(labels, n, TEXTOID, -1, false, TYPALIGN_INT));
}

/* one bound per coordinate */
static Datum
coordinate_bounds(const DpemDataset *ds, bool upper)
{
	double	   *bounds = palloc(dpem_dataset_dimension(ds) * sizeof(double));
	ListCell   *cell;
	int			n = 0;

	foreach(cell, ds->columns)
	{
		DpemColumn *column = lfirst(cell);

		for (int i = 0; i < column->length; i++)
			bounds[n++] = upper ? column->upper : column->lower;
	}
	return dpem_float8_array(bounds, n);
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
	TEXTARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, TEXTOID, TEXTOID};
	char		nulls[] = "                     ";
	Datum		values[] = {CStringGetTextDatum(name), CStringGetTextDatum(r->family),
		CStringGetTextDatum(r->dataset->name), ObjectIdGetDatum(r->dataset->source),
		Int64GetDatum(r->maker), Int64GetDatum(r->charge), Int32GetDatum(r->k),
		Int32GetDatum(r->d), text_or_null(r->covariance, &nulls[8]),
		text_or_null(r->estimator, &nulls[9]), CStringGetTextDatum(r->mechanism),
		CStringGetTextDatum(r->composition), text_or_null(r->precondition, &nulls[12]),
		Int32GetDatum(r->iterations), Float8GetDatum(r->epsilon), Float8GetDatum(r->delta),
	coordinate_labels(r->dataset), coordinate_bounds(r->dataset, false), coordinate_bounds(r->dataset, true),
	text_or_null(r->category ? r->dataset->grouping->column.name : NULL, &nulls[19]), text_or_null(r->category, &nulls[20])};

	dpem_spi_query("INSERT INTO dpem.model (name, family, dataset, source, owner, charge, k, d,"
				   " covariance, estimator, mechanism, composition, precondition, iterations,"
				   " epsilon, delta, columns, lower, upper, by, category) VALUES ($1, $2, $3, $4::regclass, $5, $6,"
				   " $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21) RETURNING id",
				   21, types, values, nulls, false, SPI_OK_INSERT_RETURNING);
	return dpem_spi_int64(0, 1);
}

typedef struct Saving
{
	const DpemModelRecord *record;
	DpemModelRows insert;
	const void *rows;
	char	   *name;			/* it was, or was to be, stored under */
} Saving;

static void
save_as(Saving *s, const char *stem)
{
	DpemIdentity saved;

	s->name = dpem_model_name(stem, s->record->category);
	dpem_owner_enter(&saved);
	/* nobody but the administrator can be in the way, who has so long */
	(void) set_config_option("lock_timeout", "10s", PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	s->insert(insert_model(s->record, s->name), s->record, s->rows);
	dpem_owner_leave(&saved);
}

static void
save(void *argument)
{
	Saving	   *s = argument;

	save_as(s, s->record->stem);
}

static void
save_elsewhere(void *argument)
{
	Saving	   *s = argument;
	char	   *category = unconstify(char *, s->record->category);
	DpemModelNames names = {s->record->stem, &category, category ? 1 : 0};

	save_as(s, dpem_model_claim_free(&names, 2));
}

static void
log_failure(const ErrorData *error)
{
	ereport(LOG_SERVER_ONLY,
			(errcode(error->sqlerrcode),
			 errmsg_internal("dpem: a model was not stored: %s", error->message),
			 error->detail_log ? errdetail_internal("%s", error->detail_log) : 0));
}

void
dpem_model_warn_lost(const ErrorData *error)
{
	log_failure(error);
	ereport(WARNING,
			(errmsg("the model could not be stored"),
			 errdetail("It was paid for: its rows are returned, and nothing else has them."),
			 errhint("Keep the rows; the server log has the reason.")));
}

char *
dpem_model_save(const DpemModelRecord *record, DpemModelRows insert, const void *rows)
{
	Saving		s = {.record = record,.insert = insert,.rows = rows};
	char	   *wanted;
	ErrorData  *error;

	if (record->stem == NULL)
		return NULL;
	error = dpem_attempt(save, &s, true);
	if (error == NULL)
		return s.name;
	wanted = s.name;
	log_failure(error);
	error = dpem_attempt(save_elsewhere, &s, true);
	if (error == NULL)
	{
		ereport(WARNING, (errmsg("model \"%s\" could not be stored under this name: it is \"%s\"", wanted, s.name)));
		return s.name;
	}
	dpem_model_warn_lost(error);
	return NULL;
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

static char *
family_of(int64 id, int *k, int *d)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	bool		isnull;

	dpem_spi_query("SELECT family, k, d FROM dpem.model WHERE id = $1", 1, types, values, NULL, true,
				   SPI_OK_SELECT);
	*k = DatumGetInt32(dpem_spi_datum(0, 2, &isnull));
	*d = DatumGetInt32(dpem_spi_datum(0, 3, &isnull));
	return TextDatumGetCString(dpem_spi_datum(0, 1, &isnull));
}

int64
dpem_model_find(const char *name, Oid role, const char *family, const char *title, int *k, int *d)
{
	int64		id = find_model(name, role, false, true);

	if (strcmp(family_of(id, k, d), family) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE), errmsg("model \"%s\" is not %s", name, title)));
	return id;
}

char *
dpem_model_family(const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	DpemIdentity saved;
	char	   *family;
	int			k;
	int			d;

	dpem_owner_enter(&saved);
	family = MemoryContextStrdup(caller, family_of(find_model(name, role, false, true), &k, &d));
	dpem_owner_leave(&saved);
	return family;
}

void
dpem_model_copy_floats(uint64 row, int column, double *out, int n)
{
	bool		isnull;
	Datum		value = dpem_spi_datum(row, column, &isnull);
	ArrayType  *array = isnull ? NULL : DatumGetArrayTypeP(value);

	if (array == NULL || ARR_HASNULL(array) || ARR_ELEMTYPE(array) != FLOAT8OID ||
		ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) != n)
		elog(ERROR, "dpem: corrupt model parameters");
	memcpy(out, ARR_DATA_PTR(array), n * sizeof(double));
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
	for (int i = 0; i < lengthof(model_tables); i++)
		dpem_spi_query(psprintf("DELETE FROM dpem.%s WHERE %s = $1", model_tables[i].table, model_tables[i].key),
					   1, types, values, NULL, false, SPI_OK_DELETE);
	dpem_owner_leave(&saved);
}

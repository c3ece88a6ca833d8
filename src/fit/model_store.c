/*
 * model_store.c - released models as rows.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "fit/family.h"
#include "fit/model_name.h"
#include "fit/model_store.h"
#include "registry/calendar.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/attempt.h"

/* model m may be read by role $2 */
#define MAY_READ \
	" (pg_has_role($2, (SELECT r.role::oid FROM dpem_internal.role_number r WHERE r.id = m.maker), 'USAGE')" \
	"  OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = m.source AND pg_has_role($2, c.relowner, 'USAGE'))" \
	"  OR EXISTS (SELECT 1 FROM dpem_internal.model_grant g WHERE g.model = m.id AND (g.role = 0 OR pg_has_role($2, g.role, 'USAGE'))))"

static Datum
text_or_null(const char *value, char *null)
{
	*null = value ? ' ' : 'n';
	return value ? CStringGetTextDatum(value) : (Datum) 0;
}

/* a number per coordinate, NULL for NaN; NULL: all are */
static Datum
numbers_or_null(const double *number, int d, char *null)
{
	Datum	   *numbers = palloc(d * sizeof(Datum));
	bool	   *nulls = palloc(d * sizeof(bool));

	*null = number ? ' ' : 'n';
	for (int j = 0; j < d && number; j++)
	{
		nulls[j] = isnan(number[j]);
		numbers[j] = Float8GetDatum(number[j]);
	}
	return number == NULL ? (Datum) 0
		: PointerGetDatum(construct_md_array(numbers, nulls, 1, &d, (int[]) {1}, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

static int64
insert_model(const DpemModelRecord *r, const DpemModel *model, const char *name, int version)
{
	int			d = dpem_binding_source_dimension(r->binding);
	Oid			types[] = {TEXTOID, TEXTOID, TEXTOID, OIDOID, INT8OID, INT8OID, INT4OID, INT4OID,
		TEXTOID, TEXTOID, TEXTOID, TEXTOID, TEXTOID, INT4OID, FLOAT8OID, FLOAT8OID,
	TEXTARRAYOID, FLOAT8ARRAYOID, FLOAT8ARRAYOID, TEXTOID, TEXTOID, TEXTARRAYOID, TEXTARRAYOID, TEXTARRAYOID,
	FLOAT8OID, TEXTOID, TEXTOID, TEXTOID, FLOAT8OID, INT4OID, FLOAT8OID, FLOAT8OID, FLOAT8ARRAYOID, TEXTARRAYOID,
	FLOAT8ARRAYOID, FLOAT8ARRAYOID};
	char		nulls[] = "                                    ";
	Datum		values[] = {CStringGetTextDatum(name), CStringGetTextDatum(r->family->name),
		CStringGetTextDatum(r->binding->dataset->name), ObjectIdGetDatum(r->binding->dataset->source),
		Int64GetDatum(r->maker), Int64GetDatum(r->charge), Int32GetDatum(model->k),
		Int32GetDatum(d), text_or_null(r->covariance, &nulls[8]),
		text_or_null(r->estimator, &nulls[9]), CStringGetTextDatum(r->mechanism),
		CStringGetTextDatum(r->composition), text_or_null(r->precondition, &nulls[12]),
		Int32GetDatum(r->iterations), Float8GetDatum(r->epsilon), Float8GetDatum(r->delta),
	dpem_binding_labels(r->binding, d), dpem_binding_bounds(r->binding, d, false), dpem_binding_bounds(r->binding, d, true),
	text_or_null(r->category ? r->binding->grouping->column.name : NULL, &nulls[19]), text_or_null(r->category, &nulls[20]),
	dpem_binding_origins(r->binding, d, true, &nulls[21]), dpem_binding_origins(r->binding, d, false, &nulls[22]),
	dpem_binding_scales(r->binding, d, &nulls[23]), Float8GetDatum(r->binding->holdout),
		CStringGetTextDatum(r->binding->held_out ? "holdout" : "rest"), text_or_null(r->arguments ? r->function : NULL, &nulls[26]),
	text_or_null(r->arguments, &nulls[27]), Float8GetDatum(r->public_rows), Int32GetDatum(version), Float8GetDatum(model->rows), Float8GetDatum(model->rows_noise),
	numbers_or_null(model->imputed, d, &nulls[32]), dpem_binding_calendars(r->binding, d),
	numbers_or_null(model->clamp_lower, d, &nulls[34]), numbers_or_null(model->clamp_upper, d, &nulls[35])};

	nulls[24] = nulls[25] = r->binding->holdout == 0 ? 'n' : ' ';
	nulls[28] = r->public_rows > 0 ? ' ' : 'n';
	nulls[30] = nulls[31] = model->rows_noise > 0 ? ' ' : 'n';
	dpem_spi_query("INSERT INTO dpem_internal.model (name, family, dataset, source, maker, charge, k, d,"
				   " covariance, estimator, mechanism, composition, precondition, iterations,"
				   " epsilon, delta, columns, lower, upper, by, category, column_of, category_of, scale, holdout, part, function, arguments, public_rows, version, rows_counted, rows_noise, imputed, calendar, clamp_lower, clamp_upper) VALUES ($1, $2, $3, $4::regclass, $5, $6,"
				   " $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36) RETURNING id",
				   36, types, values, nulls, false, SPI_OK_INSERT_RETURNING);
	return dpem_spi_int64(0, 1);
}

static const DpemFamily *
family_of(int64 id)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	bool		isnull;

	dpem_spi_query("SELECT family FROM dpem_internal.model WHERE id = $1", 1, types, values, NULL, true, SPI_OK_SELECT);
	return dpem_family_named(TextDatumGetCString(dpem_spi_datum(0, 1, &isnull)));
}

/* as the extension's owner; the grants of a model that goes are left */
void
dpem_model_delete(int64 id)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};

	dpem_fields_delete(family_of(id)->table, id);
	dpem_spi_query_latest("DELETE FROM dpem_internal.evaluation_metric v USING dpem_internal.evaluation e WHERE e.model = $1 AND v.charge = e.charge",
						  1, types, values, SPI_OK_DELETE);
	dpem_spi_query_latest("DELETE FROM dpem_internal.evaluation WHERE model = $1", 1, types, values, SPI_OK_DELETE);
	dpem_spi_query("DELETE FROM dpem_internal.model_candidate WHERE model = $1", 1, types, values, NULL, false, SPI_OK_DELETE);
	dpem_spi_query("DELETE FROM dpem_internal.model WHERE id = $1", 1, types, values, NULL, false, SPI_OK_DELETE);
}

/* the id of the model that had the name and is gone now, 0: there was none; and the next version */
static int64
make_room(const char *name, Oid caller, int *version)
{
	Oid			types[] = {TEXTOID};
	Datum		values[] = {CStringGetTextDatum(name)};
	int64		id;

	if (dpem_spi_query("SELECT version::int8 FROM dpem_internal.model WHERE name = $1", 1, types, values, NULL, false, SPI_OK_SELECT) == 0)
		return 0;
	*version = (int) dpem_spi_int64(0, 1) + 1;
	id = dpem_model_find(name, caller, true, false);
	dpem_model_delete(id);
	return id;
}

static void
move_grants(int64 old, int64 new)
{
	Oid			types[] = {INT8OID, INT8OID};
	Datum		values[] = {Int64GetDatum(old), Int64GetDatum(new)};

	dpem_spi_query_latest("UPDATE dpem_internal.model_grant SET model = $2 WHERE model = $1", 2, types, values, SPI_OK_UPDATE);
}

typedef struct Saving
{
	const DpemModelRecord *record;
	const DpemModel *model;
	char	   *name;			/* it was, or was to be, stored under */
} Saving;

static void
save_as(Saving *s, const char *stem)
{
	Oid			caller = GetUserId();
	int64		old = 0;
	int64		id;
	int			version = 1;
	DpemIdentity saved;

	s->name = dpem_model_name(stem, s->record->category);
	dpem_owner_enter(&saved);
	/* nobody but the administrator can be in the way, who has so long */
	(void) set_config_option("lock_timeout", "10s", PGC_SUSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	if (s->record->replace)
		old = make_room(s->name, caller, &version);
	id = insert_model(s->record, s->model, s->name, version);
	dpem_fields_insert(s->record->family->table, id, s->model);
	dpem_model_insert_candidates(id, s->model);
	if (old != 0)
		move_grants(old, id);
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
	DpemModelNames names = {s->record->stem, &category, category ? 1 : 0, false};

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
	ereport(WARNING, (errmsg("the model could not be stored"),
					  errdetail("It was paid for: its rows are returned, and nothing else has them."),
					  errhint("Keep the rows; the server log has the reason.")));
}

char *
dpem_model_save(const DpemModelRecord *record, const DpemModel *model)
{
	Saving		s = {.record = record,.model = model};
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

/* raises 42704; proposes none but models that the role may read */
static void
refuse_model(const char *name, Datum *values, bool read_only)
{
	Oid			types[] = {TEXTOID, OIDOID};
	uint64		n = dpem_spi_query("SELECT m.name FROM dpem_internal.model m WHERE m.name <> $1 AND" MAY_READ " ORDER BY m.id DESC LIMIT 1000",
								   2, types, values, NULL, read_only, SPI_OK_SELECT);

	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("model \"%s\" does not exist or was not granted to you", name),
			 errhint("%sThe view dpem.models lists the models you may read.", dpem_model_hint(name, dpem_spi_texts(n, CurrentMemoryContext)))));
}

int64
dpem_model_find(const char *name, Oid role, bool change, bool read_only)
{
	Oid			types[] = {TEXTOID, OIDOID};
	Datum		values[] = {CStringGetTextDatum(name), ObjectIdGetDatum(role)};

	if (dpem_spi_query("SELECT m.id FROM dpem_internal.model m WHERE m.name = $1 AND" MAY_READ, 2, types, values, NULL, read_only, SPI_OK_SELECT) == 0)
		refuse_model(name, values, read_only);
	if (change && dpem_spi_query("SELECT m.id FROM dpem_internal.model m WHERE m.name = $1 AND" DPEM_MAY_CHANGE_MODEL,
								 2, types, values, NULL, read_only, SPI_OK_SELECT) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be maker of model \"%s\" or owner of its dataset", name)));
	return dpem_spi_int64(0, 1);
}

static double *
load_bounds(int column, int d, MemoryContext where)
{
	double	   *bounds = MemoryContextAllocHuge(where, mul_size(d, sizeof(double)));

	dpem_model_copy_floats(0, column, bounds, d);
	return bounds;
}

/* a text, or NULL, for each coordinate; all NULL for an array that is NULL */
static char **
load_texts(int column, int d, MemoryContext where)
{
	MemoryContext old;
	Datum		array;
	Datum	   *texts;
	bool	   *nulls;
	char	  **strings = MemoryContextAllocZero(where, Max(d, 1) * sizeof(char *));
	bool		isnull;
	int			n;

	array = dpem_spi_datum(0, column, &isnull);
	if (isnull)
		return strings;
	deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, &texts, &nulls, &n);
	if (n != d)
		dpem_model_corrupt();
	old = MemoryContextSwitchTo(where);
	for (int j = 0; j < n; j++)
		strings[j] = nulls[j] ? NULL : TextDatumGetCString(texts[j]);
	MemoryContextSwitchTo(old);
	return strings;
}

/* NaN for NULL */
static double *
load_numbers(int column, int d, MemoryContext where)
{
	double	   *number = MemoryContextAllocHuge(where, mul_size(Max(d, 1), sizeof(double)));
	Datum	   *numbers;
	bool	   *nulls;
	bool		isnull;
	Datum		array = dpem_spi_datum(0, column, &isnull);
	int			n = 0;

	if (!isnull)
		deconstruct_array(DatumGetArrayTypeP(array), FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &numbers, &nulls, &n);
	if (!isnull && n != d)
		dpem_model_corrupt();
	for (int j = 0; j < d; j++)
		number[j] = isnull || nulls[j] ? NAN : DatumGetFloat8(numbers[j]);
	return number;
}

/* NULL where the model does not know */
static Oid *
load_calendars(int column, int d, MemoryContext where)
{
	char	  **name = load_texts(column, d, where);
	Oid		   *calendar = MemoryContextAlloc(where, Max(d, 1) * sizeof(Oid));
	bool		isnull;

	(void) dpem_spi_datum(0, column, &isnull);
	if (isnull)
		return NULL;
	for (int j = 0; j < d; j++)
		calendar[j] = dpem_calendar_from_name(name[j]);
	return calendar;
}

static void
load_record(int64 id, DpemModel *model, MemoryContext where)
{
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(id)};
	bool		isnull;

	dpem_spi_query("SELECT k, d, lower, upper, columns, mechanism, column_of, category_of, scale, imputed, calendar, clamp_lower, clamp_upper FROM dpem_internal.model WHERE id = $1",
				   1, types, values, NULL, true, SPI_OK_SELECT);
	model->k = DatumGetInt32(dpem_spi_datum(0, 1, &isnull));
	model->d = DatumGetInt32(dpem_spi_datum(0, 2, &isnull));
	model->lower = load_bounds(3, model->d, where);
	model->upper = load_bounds(4, model->d, where);
	model->column = load_texts(5, model->d, where);
	model->column_of = load_texts(7, model->d, where);
	model->category_of = load_texts(8, model->d, where);
	model->mechanism = dpem_spi_text(0, 6, where);
	model->imputed = load_numbers(10, model->d, where);
	model->clamp_lower = load_numbers(12, model->d, where);
	model->clamp_upper = load_numbers(13, model->d, where);
	model->calendar = load_calendars(11, model->d, where);
	dpem_model_set_scales(model, load_texts(9, model->d, where), where);
}

DpemModel *
dpem_model_load(const char *name, const DpemFamily *family)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			role = GetUserId();
	DpemModel  *model = palloc0(sizeof(DpemModel));
	DpemIdentity saved;
	int64		id;

	dpem_owner_enter(&saved);
	id = dpem_model_find(name, role, false, true);
	if (family_of(id) != family)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE), errmsg("model \"%s\" is not %s", name, family->title), errhint("dp_%s_fit makes one.", family->name)));
	load_record(id, model, caller);
	dpem_fields_load(family->table, id, model, caller);
	dpem_owner_leave(&saved);
	return model;
}

const DpemFamily *
dpem_model_family(const char *name)
{
	Oid			role = GetUserId();
	DpemIdentity saved;
	const DpemFamily *family;

	dpem_owner_enter(&saved);
	family = family_of(dpem_model_find(name, role, false, true));
	dpem_owner_leave(&saved);
	return family;
}

bool
dpem_model_may_change(const char *name)
{
	Oid			types[] = {TEXTOID, OIDOID};
	Datum		values[] = {CStringGetTextDatum(name), ObjectIdGetDatum(GetUserId())};
	DpemIdentity saved;
	bool		may;

	dpem_owner_enter(&saved);
	may = dpem_spi_query("SELECT 1 FROM dpem_internal.model m WHERE m.name = $1 AND" DPEM_MAY_CHANGE_MODEL, 2, types, values, NULL, true,
						 SPI_OK_SELECT) > 0;
	dpem_owner_leave(&saved);
	return may;
}

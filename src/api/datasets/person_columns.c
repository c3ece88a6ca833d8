/*
 * person_columns.c - dp_register_person_column: for the owner of the tables.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"

#include "api/datasets/dataset_rules.h"
#include "api/datasets/released_histogram.h"
#include "ledger/registration.h"
#include "registry/clip_rules.h"
#include "registry/person_column.h"
#include "registry/source_capture.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dp_register_person_column);
PG_FUNCTION_INFO_V1(dp_register_person_column_auto);

static DpemDataset *
dataset_of_persons(FunctionCallInfo fcinfo)
{
	DpemDataset *ds = dpem_dataset_load(dpem_text_argument(fcinfo, 0, "dataset"));

	dpem_dataset_require_owner(ds);
	if (ds->path == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("dataset \"%s\" does not know its persons' table", ds->name),
				 errhint("Register it with unit => 'column -> schema.table.key', or of the persons' table itself unit => 'schema.table.key'.")));
	return ds;
}

static DpemPersonColumn *
aggregate_argument(FunctionCallInfo fcinfo)
{
	char	   *text = dpem_text_argument(fcinfo, 2, "aggregate");
	DpemPersonColumn *person = dpem_person_column_parse(text);

	if (person == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is not an aggregate of a person's rows", text),
				 errhint("It is count(schema.table), exists(schema.table), count(distinct schema.table.column), or sum, avg, min or max of schema.table.column; conditions on the rows are the argument filter.")));
	person->name = dpem_text_argument(fcinfo, 1, "column_name");
	return person;
}

/* given, or the only one that there is; it ends at the dataset's persons */
static DpemUnitPath *
path_argument(const DpemDataset *ds, const DpemPersonColumn *person, const char *text)
{
	DpemUnitPath *path;

	if (text == NULL)
		return dpem_unit_path_find(person->detail, ds->path);
	path = dpem_unit_path_parse(text);
	if (path == NULL || strcmp(path->person, ds->unit) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("path must lead from %s to %s, as \"%s\" does not", person->detail_name, ds->unit, text),
				 errhint("A path is column -> schema.table.key, further steps after commas.")));
	return path;
}

static void
require_name(const DpemDataset *ds, const DpemPersonColumn *person)
{
	DpemColumnPlace place;

	if (strlen(person->name) >= NAMEDATALEN)
		ereport(ERROR,
				(errcode(ERRCODE_NAME_TOO_LONG), errmsg("column_name is longer than %d bytes", NAMEDATALEN - 1)));
	if (dpem_dataset_place(ds, person->name, &place) && place.person == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_COLUMN),
				 errmsg("\"%s\" is a column of %s already", person->name, dpem_relation_qualified_name(place.relation)),
				 errhint("Give the new column another name.")));
}

/* whoever reads the detail rows owns them, and they have the ledger of the persons */
static void
claim_details(const DpemDataset *ds, const DpemPersonColumn *person)
{
	List	   *relations = list_make1_oid(person->detail);
	ListCell   *cell;

	foreach(cell, person->path->steps)
		relations = lappend_oid(relations, ((DpemUnitStep *) lfirst(cell))->relation);
	foreach(cell, relations)
	{
		int64		account;

		dpem_source_require_registrable(lfirst_oid(cell));
		dpem_source_refuse_borrowed(lfirst_oid(cell));
		account = dpem_registration_begin(ds->name, lfirst_oid(cell));
		if (account != 0 && account != ds->account)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_IN_USE),
					 errmsg("%s and dataset \"%s\" have different ledgers", dpem_relation_qualified_name(lfirst_oid(cell)), ds->name),
					 errhint("All tables of these persons share one ledger: register each with %s as unit from the first time on.", ds->unit)));
		dpem_source_require_registrable(lfirst_oid(cell));
	}
	foreach(cell, relations)
		dpem_source_record(lfirst_oid(cell), ds->account);
}

/* of one that does not exist, as part of a hint */
static const char *
nearest_column(const DpemPersonColumn *person)
{
	if (person->column == NULL || OidIsValid(dpem_source_column_type(person->detail, person->column)))
		return "";
	return dpem_did_you_mean(person->column, dpem_source_column_names(person->detail));
}

/* raises 22023 where the tables do not prove whose rows they are */
static void
require_proof(const DpemPersonColumn *person)
{
	char	   *fault = dpem_person_column_fault(person);

	if (fault != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s %s", person->text, fault),
				 errhint("%sEvery step is a foreign key to a primary or unique key. A view has none: what it says of persons is your word.",
						 nearest_column(person))));
	if (person->filter != NULL)
		(void) dpem_person_filter(person);
}

static void
record(DpemDataset *ds, const DpemPersonColumn *person, double lower, double upper, DpemColumnScale scale)
{
	Oid			types[] = {INT8OID, TEXTOID, TEXTOID, OIDOID, TEXTOID, TEXTOID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(person->name), CStringGetTextDatum(person->text),
		ObjectIdGetDatum(person->detail), CStringGetTextDatum(person->path->text),
	CStringGetTextDatum(dpem_unit_path_relations(person->path)), person->filter ? CStringGetTextDatum(person->filter) : (Datum) 0};
	const char	nulls[] = {' ', ' ', ' ', ' ', ' ', ' ', person->filter ? ' ' : 'n', '\0'};
	DpemIdentity saved;

	dpem_dataset_register_column(ds, person->name, DPEM_COLUMN_NUMBER, lower, upper, 0, scale, InvalidOid, (Datum) 0);
	dpem_owner_enter(&saved);
	dpem_spi_query("UPDATE dpem_internal.dataset_column SET aggregate = $3, detail = $4::regclass, detail_path = $5,"
				   " detail_relations = string_to_array($6, ' ')::oid[]::regclass[], detail_filter = $7"
				   " WHERE dataset = $1 AND column_name = $2", 7, types, values, nulls, false, SPI_OK_UPDATE);
	dpem_owner_leave(&saved);
}

/* everything but the domain; arguments filter, path from number i */
static DpemPersonColumn *
person_arguments(FunctionCallInfo fcinfo, const DpemDataset *ds, int i)
{
	DpemPersonColumn *person = aggregate_argument(fcinfo);

	person->filter = dpem_optional_text(fcinfo, i);
	person->path = path_argument(ds, person, dpem_optional_text(fcinfo, i + 1));
	require_name(ds, person);
	return person;
}

/*
 * dp_register_person_column(dataset text, column_name text, aggregate text, lower float8, upper float8, filter text,
 * path text, scale text).  Raises 22023 for an aggregate, path or filter that is none, or that the catalog does not
 * prove, 42501 unless the caller owns all tables.
 */
Datum
dp_register_person_column(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dataset_of_persons(fcinfo);
	DpemPersonColumn *person = person_arguments(fcinfo, ds, 5);
	float8		lower = dpem_float8_argument(fcinfo, 3, "lower");
	float8		upper = dpem_float8_argument(fcinfo, 4, "upper");
	DpemColumnScale scale;

	dpem_check_bounds(lower, upper);
	scale = dpem_scale_argument(fcinfo, 7, lower, upper);
	claim_details(ds, person);
	require_proof(person);
	record(ds, person, lower, upper, scale);
	return dpem_dataset_answer(ds);
}

/* ---- the clip that is chosen privately ---- */

#define STEPS (DPEM_CLIP_LAST - DPEM_CLIP_FIRST + 1)

/* the end of the last step of which more than noise is heard: what is released is public, and so is whatever is made of it */
static double
race(const DpemDataset *ds, const char *column, double lower, double epsilon, double delta)
{
	/* lower, lower + 2^DPEM_CLIP_FIRST, lower + 2 of these, ... */
	double	   *edge = palloc((STEPS + 1) * sizeof(double));
	const DpemStatisticValue *value;
	int			fullest = 0;
	int			last = 0;

	edge[0] = lower;
	for (int i = 0; i < STEPS; i++)
		edge[i + 1] = lower + ldexp(1, DPEM_CLIP_FIRST + i);
	value = dpem_released_histogram("dp_register_person_column", ds, column, epsilon, delta, edge, STEPS);
	for (int i = 0; i < STEPS; i++)
	{
		if (dpem_statistic_is_hidden(&value[i]))
			continue;
		fullest = dpem_statistic_is_hidden(&value[fullest]) || value[i].value > value[fullest].value ? i : fullest;
		last = value[i].value > DPEM_CLIP_HEARD * value[i].sd ? i : last;
	}
	return edge[(last > 0 ? last : fullest) + 1];
}

static void
set_upper(const DpemDataset *ds, const char *column, double upper)
{
	Oid			types[] = {INT8OID, TEXTOID, FLOAT8OID};
	Datum		values[] = {Int64GetDatum(ds->id), CStringGetTextDatum(column), Float8GetDatum(upper)};
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	dpem_spi_query("UPDATE dpem_internal.dataset_column SET upper = $3 WHERE dataset = $1 AND column_name = $2",
				   3, types, values, NULL, false, SPI_OK_UPDATE);
	dpem_owner_leave(&saved);
}

/*
 * dp_register_person_column(dataset text, column_name text, aggregate text, lower float8, upper text, epsilon float8,
 * delta float8, filter text, path text): with upper 'auto', which it returns as chosen
 */
Datum
dp_register_person_column_auto(PG_FUNCTION_ARGS)
{
	DpemDataset *ds = dataset_of_persons(fcinfo);
	DpemPersonColumn *person = person_arguments(fcinfo, ds, 7);
	float8		lower = dpem_float8_argument(fcinfo, 3, "lower");
	char	   *word = dpem_text_argument(fcinfo, 4, "upper");
	double		upper;

	if (strcmp(word, "auto") != 0)
		dpem_refuse_name("upper", word, "auto, or a number");
	dpem_check_bounds(lower, lower + ldexp(1, DPEM_CLIP_LAST));
	if (!(lower + ldexp(1, DPEM_CLIP_FIRST) > lower))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("lower is too large for steps of %g, at %g", ldexp(1, DPEM_CLIP_FIRST), lower),
				 errhint("Measure the column in other units, or give upper.")));
	claim_details(ds, person);
	require_proof(person);
	record(ds, person, lower, lower + ldexp(1, DPEM_CLIP_LAST), DPEM_SCALE_LINEAR);
	upper = race(ds, person->name, lower, dpem_float8_argument(fcinfo, 5, "epsilon"), dpem_float8_argument(fcinfo, 6, "delta"));
	set_upper(ds, person->name, upper);
	PG_RETURN_FLOAT8(upper);
}

/*
 * synth_importance.c - weights that make public rows look like private ones; and how much
 * columns say of each other.
 *
 * The weight of a public row is the ratio of the model's probability of it to that
 * of public rows in a graph of the same cliques: the product over cliques of
 * (model's count / public count), over the product of the same for separators.
 * (Importance weighting of public data: Ji, Elkan 2013.)
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "parser/parse_coerce.h"
#include "server/version_shims.h"
#include "storage/itemptr.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"

#include "families/synth/synth.h"
#include "fit/fit_arguments.h"
#include "registry/calendar.h"
#include "registry/source_relations.h"
#include "server/argument_list.h"
#include "server/arguments.h"
#include "server/as_owner.h"
#include "server/fit_memory.h"

PG_FUNCTION_INFO_V1(dp_importance);
PG_FUNCTION_INFO_V1(dp_association);

#define MOST_ROWS 5000000

typedef struct PublicRows
{
	size_t		n;
	ItemPointerData *ctid;
	int16	   *group;			/* n * columns: groups of level 1 */
} PublicRows;

/* ---- public rows, as the caller may read them ---- */

/* of what type a column of public rows must be, or come to be by a cast */
static Oid
type_wanted(const DpemReadySynth *ready, int c, Oid type)
{
	const DpemModel *model = ready->model;

	if (ready->column[c].length > 1)
		return TEXTOID;
	if (model->calendar == NULL && dpem_is_calendar(type))
		return type;
	return OidIsValid(dpem_model_calendar(model, ready->column[c].first)) ? dpem_model_calendar(model, ready->column[c].first) : FLOAT8OID;
}

static char *
column_query(const DpemReadySynth *ready, int c, Oid relation)
{
	Oid			type = dpem_source_column_type(relation, ready->name[c]);
	Oid			wanted = type_wanted(ready, c, type);
	Oid			cast;

	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("public_table has no column \"%s\"", ready->name[c]),
				 errhint("%sIt must have every column of the model, which the view dpem.model_columns lists.",
						 dpem_did_you_mean(ready->name[c], dpem_source_column_names(relation)))));
	if (type != wanted && find_coercion_pathway(wanted, type, COERCION_EXPLICIT, &cast) == COERCION_PATH_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("column \"%s\" of public_table cannot be of type %s", ready->name[c], format_type_be(type)),
				 errhint("Give a table in which it is of type %s.", format_type_be(wanted))));
	if (dpem_is_calendar(wanted))
		return dpem_calendar_expression(wanted, quote_identifier(ready->name[c]));
	return psprintf("%s::%s", quote_identifier(ready->name[c]), format_type_extended(wanted, -1, FORMAT_TYPE_FORCE_QUALIFY));
}

static char *
rows_query(const DpemReadySynth *ready, Oid relation)
{
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ctid");
	for (int c = 0; c < ready->columns; c++)
		appendStringInfo(&sql, ", %s", column_query(ready, c, relation));
	appendStringInfo(&sql, " FROM %s LIMIT %d", quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation)),
					 MOST_ROWS + 1);
	return sql.data;
}

static void
set_coordinates(const DpemReadySynth *ready, uint64 row, double *x)
{
	for (int c = 0; c < ready->columns; c++)
	{
		const DpemSynthColumn *column = &ready->column[c];
		bool		isnull;
		Datum		value = dpem_spi_datum(row, c + 2, &isnull);
		char	   *category = column->length > 1 && !isnull ? TextDatumGetCString(value) : NULL;

		for (int i = 0; column->length > 1 && i < column->length; i++)
			x[column->first + i] = category != NULL && strcmp(category, ready->model->category_of[column->first + i]) == 0;
		if (column->length == 1)
			x[column->first] = isnull || !isfinite(DatumGetFloat8(value)) ? NAN : DatumGetFloat8(value);
		if (category != NULL)
			pfree(category);
	}
	dpem_model_to_coordinates(ready->model, x);
}

/* what is not known where the model never misses it counts as the first bin */
static void
take_row(const DpemReadySynth *ready, uint64 i, double *x, PublicRows *rows)
{
	bool		isnull;

	set_coordinates(ready, i, x);
	dpem_synth_codes(ready, x, ready->row);
	rows->ctid[i] = *(ItemPointer) DatumGetPointer(dpem_spi_datum(i, 1, &isnull));
	for (int c = 0; c < ready->columns; c++)
		rows->group[i * ready->columns + c] = (int16) ready->levels.group[1][ready->levels.offset[c] + Max(ready->row[c], 0)];
}

static PublicRows
read_rows(const DpemReadySynth *ready, Oid relation)
{
	MemoryContext here = CurrentMemoryContext;
	PublicRows	rows;
	DpemIdentity saved;
	double	   *x = dpem_fit_allocate(ready->model->d);

	dpem_caller_enter(&saved);
	rows.n = dpem_spi_query(rows_query(ready, relation), 0, NULL, NULL, NULL, true, SPI_OK_SELECT);
	if (rows.n > MOST_ROWS)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("public_table must have at most %d rows", MOST_ROWS),
						errhint("Give a table of some of them, chosen at random.")));
	rows.ctid = MemoryContextAllocHuge(here, mul_size(Max(rows.n, 1), sizeof(ItemPointerData)));
	rows.group = MemoryContextAllocHuge(here, mul_size(Max(rows.n, 1) * ready->columns, sizeof(int16)));
	for (size_t i = 0; i < rows.n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		take_row(ready, i, x, &rows);
	}
	dpem_owner_leave(&saved);
	return rows;
}

/* ---- ratios ---- */

static size_t
place_of(const DpemReadySynth *ready, DpemSynthSet set, const int16 *group)
{
	size_t		at = 0;

	for (int c = 0; c < ready->columns; c++)
	{
		if (set & dpem_synth_column(c))
			at = at * ready->levels.size[1][c] + group[c];
	}
	return at;
}

/* the place in a table of `part` of each cell of one of `set` */
static size_t
place_of_cell(const DpemReadySynth *ready, DpemSynthSet set, DpemSynthSet part, size_t cell)
{
	int16		group[DPEM_SYNTH_COLUMNS] = {0};

	for (int c = ready->columns - 1; c >= 0; c--)
	{
		if (!(set & dpem_synth_column(c)))
			continue;
		group[c] = (int16) (cell % ready->levels.size[1][c]);
		cell /= ready->levels.size[1][c];
	}
	return place_of(ready, part, group);
}

/* log weights += sign * ln of the ratio of the model's count to the public one, both by one row more than nothing, in the table of that set, of which belief are the model's counts */
static void
add_ratios(const DpemReadySynth *ready, const PublicRows *rows, DpemSynthSet set, const double *belief, double sign, double *weight)
{
	size_t		cells = (size_t) dpem_synth_cells(ready->levels.size[1], set);
	double	   *count = dpem_fit_allocate(cells);

	for (size_t i = 0; i < rows->n; i++)
		count[place_of(ready, set, rows->group + i * ready->columns)]++;
	for (size_t i = 0; i < rows->n; i++)
	{
		size_t		at = place_of(ready, set, rows->group + i * ready->columns);

		weight[i] += sign * log((fmax(belief[at], 0) + 1) / (count[at] + 1));
	}
	pfree(count);
}

static void
add_separator(const DpemReadySynth *ready, const PublicRows *rows, const DpemSynthClique *clique, double *weight)
{
	double	   *belief = dpem_fit_allocate((size_t) dpem_synth_cells(ready->levels.size[1], clique->separator));

	for (size_t i = 0; i < clique->cells; i++)
		belief[place_of_cell(ready, clique->set, clique->separator, i)] += clique->belief[i];
	add_ratios(ready, rows, clique->separator, belief, -1, weight);
	pfree(belief);
}

/* of mean 1 */
static double *
find_weights(const DpemReadySynth *ready, const PublicRows *rows)
{
	double	   *weight = dpem_fit_allocate(rows->n);
	double		most = -INFINITY;
	double		sum = 0;

	for (int k = 0; k < ready->graph.cliques; k++)
	{
		const DpemSynthClique *clique = &ready->graph.clique[k];

		CHECK_FOR_INTERRUPTS();
		add_ratios(ready, rows, clique->set, clique->belief, 1, weight);
		if (clique->parent >= 0 && clique->separator != 0)
			add_separator(ready, rows, clique, weight);
	}
	for (size_t i = 0; i < rows->n; i++)
		most = fmax(most, weight[i]);
	for (size_t i = 0; i < rows->n; i++)
		sum += weight[i] = exp(weight[i] - most);
	for (size_t i = 0; i < rows->n; i++)
		weight[i] *= rows->n / sum;
	return weight;
}

/*
 * dp_importance(model text, public_table regclass): place (ctid) and weight, of mean 1, of each row of a table that the
 * caller may read and that has the model's columns.
 */
Datum
dp_importance(PG_FUNCTION_ARGS)
{
	DpemReadySynth *ready = dpem_ready_synth(fcinfo, true);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	PublicRows	rows;
	double	   *weight;

	dpem_require_argument(fcinfo, 1, "public_table");
	if (get_rel_relkind(PG_GETARG_OID(1)) != RELKIND_RELATION)
		dpem_refuse_argument("public_table must be a table", "Rows are told apart by their ctid, which a table has.");
	rows = read_rows(ready, PG_GETARG_OID(1));
	weight = find_weights(ready, &rows);
	InitMaterializedSRF(fcinfo, 0);
	for (size_t i = 0; i < rows.n; i++)
	{
		Datum		values[2] = {PointerGetDatum(&rows.ctid[i]), Float8GetDatum(weight[i])};
		bool		nulls[2] = {false, false};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

#define ASSOCIATIONS_SQL \
	"SELECT a.column_a, a.column_b, a.information, a.association, a.measured FROM dpem.synth_associations a" \
	" WHERE a.model = $1 AND a.position_a < a.position_b ORDER BY a.association DESC, a.position_a, a.position_b"

static void
require_marginals(const char *model)
{
	if (dpem_model_family(model) != &dpem_family_synth)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("model \"%s\" is not %s", model, dpem_family_synth.title),
				 errhint("dp_synth_fit makes one.")));
}

/* dp_association(model text): a row per pair of columns, those that say most of each other first.  Raises 42704, 42809 */
Datum
dp_association(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			types[] = {TEXTOID};
	Datum		argument[] = {CStringGetTextDatum(dpem_text_argument(fcinfo, 0, "model"))};
	DpemIdentity saved;
	uint64		n;

	require_marginals(TextDatumGetCString(argument[0]));
	InitMaterializedSRF(fcinfo, 0);
	dpem_caller_enter(&saved);
	n = dpem_spi_query(ASSOCIATIONS_SQL, 1, types, argument, NULL, true, SPI_OK_SELECT);
	for (uint64 i = 0; i < n; i++)
	{
		Datum		values[5];
		bool		nulls[5];

		for (int c = 0; c < 5; c++)
			values[c] = dpem_spi_datum(i, c + 1, &nulls[c]);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	dpem_owner_leave(&saved);
	return (Datum) 0;
}

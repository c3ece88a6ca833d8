/*
 * source_query.c - the one query that a pass sends.
 *
 * `SELECT dpem_internal.moments($1, flags, group, label, columns) FROM source`: every row is
 * read once, and boolean flags say which rows count; the others are null rows.
 * A label, where there is one, comes as 1 or -1; documents come with their
 * vocabulary, $2, before the flags.  Filters and groups are written by source_rows.c.
 *
 * Quota: with a unit column, each pass keeps at most the registered number of
 * a unit's rows.  Sampling: each pass draws its units anew.  Both choose by
 * random UUIDs (pg_strong_random, so no seed of the session's matters).  The
 * first 32 bits of one are uniform, so that comparing it with a bound keeps a
 * unit with the bound's probability exactly.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/version_shims.h"

/* arguments of a function call are limited to 100: more columns travel in arrays */
#define MAX_SCALAR_ARGS		90
#define COLUMNS_PER_ARRAY	64

#define RATE_UNITS	4294967296.0	/* of the leading 32 bits of a UUID */

double
dpem_sample_rate(double rate)
{
	return fmax(floor(rate * RATE_UNITS), 1) / RATE_UNITS;
}

/*
 * A column as the aggregate's argument.  Packed into an array it must be a
 * float8, and no value may raise on the way: numbers out of range become
 * infinities, and so null rows, as they do outside an array; and a NULL that is
 * no null row must be NaN, as an array with a NULL is one.
 */
static char *
column_reference(const DpemColumn *column, const char *alias, bool pack)
{
	const char *name = dpem_source_reference(column, alias);

	if (column->kind == DPEM_COLUMN_CONSTANT)
		return pstrdup("1::pg_catalog.float8");
	if (column->kind == DPEM_COLUMN_LABEL)
		return dpem_source_place(column->words, column->length, dpem_source_value(column, name));
	return pack || OidIsValid(column->calendar) ? dpem_source_number(column, name) : pstrdup(name);
}

/* every scalar column an argument of its own, or, if there are many, in float8 arrays; what tells which are known is made of these */
static void
append_columns(StringInfo sql, DpemSource *source, const DpemBinding *bound, bool renamed)
{
	bool		chunked = list_length(bound->columns) - source->known > MAX_SCALAR_ARGS;
	ListCell   *cell;
	int			open = 0;		/* columns in the array being written */

	foreach(cell, bound->columns)
	{
		DpemColumn *column = lfirst(cell);
		bool		told = column->kind == DPEM_COLUMN_OBSERVED;
		bool		pack = chunked && column->length == 1 && column->kind != DPEM_COLUMN_ARRAY && !told;
		const char *alias = renamed ? psprintf("c%d", foreach_current_index(cell)) : NULL;
		char	   *name = told ? NULL : column_reference(column, alias, pack);

		if (open > 0 && (!pack || open == COLUMNS_PER_ARRAY))
		{
			appendStringInfoString(sql, "]");
			open = 0;
		}
		if (told)
			continue;
		if (open > 0)
		{
			appendStringInfo(sql, ", %s", name);
			source->arg_lengths[source->nargs - 1]++;
			open++;
			continue;
		}
		appendStringInfo(sql, pack ? ", ARRAY[%s" : ", %s", name);
		source->arg_lengths[source->nargs++] = column->length;
		open = pack ? 1 : 0;
	}
	if (open > 0)
		appendStringInfoString(sql, "]");
}

/* does the label say this category?  Byte by byte, or as a number; NULL for NULL, and nothing raises */
static char *
is_category(const DpemLabel *label, const char *alias, int class)
{
	const DpemColumn *column = &label->column;
	const char *value = dpem_source_value(column, dpem_source_reference(column, alias));

	if (column->kind == DPEM_COLUMN_NUMBER)
		return psprintf("(%s OPERATOR(pg_catalog.=) '%.17g'::pg_catalog.float8)", value,
						class == 0 ? column->lower : column->upper);
	return psprintf("(%s OPERATOR(pg_catalog.=) %s::pg_catalog.text)", value, quote_literal_cstr(label->category[class]));
}

/*
 * The same in a form that a foreign data wrapper sends to the other server: a
 * comparison of the label's own type and collation.  Where collations are
 * deterministic, equal strings are equal bytes.
 */
static char *
is_category_there(const DpemBinding *bound, const char *alias, int class)
{
	const DpemLabel *label = bound->label;
	const char *reference = dpem_source_fetched(label->column.type, dpem_source_reference(&label->column, alias));
	const char *category = label->category[class];
	const char *literal = quote_literal_cstr(category);

	if (label->column.kind == DPEM_COLUMN_LABEL)
	{
		switch (label->column.type)
		{
			case TEXTOID:
			case VARCHAROID:
				if (bound->dataset->path == NULL && dpem_source_column_is_bytewise(bound->dataset->source, label->column.name))
					return psprintf("(%s::pg_catalog.text OPERATOR(pg_catalog.=) %s::pg_catalog.text)", reference, literal);
				break;
			case BOOLOID:
				if (strcmp(category, "true") != 0 && strcmp(category, "false") != 0)
					return pstrdup("false");
				return psprintf("(%s OPERATOR(pg_catalog.=) %s::pg_catalog.bool)", reference, literal);
			case INT2OID:
			case INT4OID:
			case INT8OID:
				if (strcmp(category, psprintf(INT64_FORMAT, (int64) strtoi64(category, NULL, 10))) != 0)
					return pstrdup("false");
				return psprintf("(%s::pg_catalog.int8 OPERATOR(pg_catalog.=) %s::pg_catalog.int8)", reference, literal);
		}
	}
	return is_category(label, alias, class);
}

/* 1 or -1 for the classes 1 and 0, 0 or NULL for what is neither; of more classes, their numbers from 1 */
static void
append_label(StringInfo sql, const DpemBinding *bound, bool renamed, bool there)
{
	const char *alias = renamed ? "label" : NULL;

	if (bound->label == NULL)
		return;
	if (bound->label->classes > 2)
	{
		const DpemColumn *column = &bound->label->column;

		appendStringInfo(sql, ", %s", dpem_source_place(bound->label->category, bound->label->classes,
														dpem_source_value(column, dpem_source_reference(column, alias))));
		return;
	}
	appendStringInfo(sql, ", (%s::pg_catalog.int4 OPERATOR(pg_catalog.-) %s::pg_catalog.int4)",
					 there ? is_category_there(bound, alias, 1) : is_category(bound->label, alias, 1),
					 there ? is_category_there(bound, alias, 0) : is_category(bound->label, alias, 0));
}

/* true for the units of a sample; `uuid` is one random UUID of theirs */
static char *
poisson_flag(const DpemSample *sample, const char *uuid)
{
	return psprintf("%s OPERATOR(pg_catalog.<) '%08x-0000-0000-0000-000000000000'::pg_catalog.uuid",
					uuid, (uint32) (sample->rate * RATE_UNITS));
}

/* sampling that keeps everything needs no flag */
static bool
samples(const DpemSample *sample)
{
	return sample != NULL && sample->sampling != DPEM_SAMPLING_NONE && sample->rate < 1;
}

/* the columns under names of ours, so that none of theirs can be mistaken for a flag; each after a comma */
static void
append_renamed(StringInfo sql, const DpemBinding *bound)
{
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		if (column->kind != DPEM_COLUMN_CONSTANT)
			appendStringInfo(sql, ", u.%s AS c%d", quote_identifier(column->name), foreach_current_index(cell));
	}
	if (bound->label != NULL)
		appendStringInfo(sql, ", u.%s AS label", quote_identifier(bound->label->column.name));
	dpem_source_append_row_columns(sql, bound);
}

/*
 * Rows with the rank of each within its unit and, if `pick`, a random UUID of
 * the unit, first_pick: that of its first row, drawn apart from the order of
 * its rows.
 */
static void
append_unit_rows(StringInfo sql, const DpemBinding *bound, const char *relation, bool pick)
{
	const char *unit = psprintf("u.%s", quote_identifier(bound->dataset->unit));
	Oid			type = dpem_dataset_column_type(bound->dataset, bound->dataset->unit);

	appendStringInfo(sql, "(SELECT r.*, pg_catalog.row_number() OVER one AS rank%s FROM (SELECT"
					 " %s IS NOT NULL AS known, %s AS unit, pg_catalog.gen_random_uuid() AS place%s",
					 pick ? ", pg_catalog.first_value(r.pick) OVER one AS first_pick" : "", unit, dpem_source_fetched(type, unit),
					 pick ? ", pg_catalog.gen_random_uuid() AS pick" : "");
	append_renamed(sql, bound);
	appendStringInfo(sql, " FROM %s AS u) AS r WINDOW one AS (PARTITION BY r.unit ORDER BY r.place))", relation);
}

char *
dpem_source_quota(const DpemBinding *bound)
{
	return psprintf("(s.known AND s.rank OPERATOR(pg_catalog.<=) %d)", bound->dataset->max_rows_per_unit);
}

/*
 * Is the row one of those that the fit reads, with regard to its holdout?  A
 * keyed hash of the unit, or of the whole row where that is the unit: the same in
 * every fit, and nobody who does not know the key can tell.  concat, as a cast
 * to text may be a function of whoever owns the unit's type.  Of char there is one
 * already, which leaves out the blanks that make no other unit.
 */
static char *
holdout_flag(const DpemBinding *bound)
{
	const DpemDataset *ds = bound->dataset;
	const bool	blanks = ds->unit != NULL && dpem_dataset_column_type(ds, ds->unit) == BPCHAROID;
	/* hashes are uniform on all integers of 64 bits */
	double		bound_of_hash = ldexp(bound->holdout - 0.5, 64);

	return psprintf("(pg_catalog.hashtextextended(pg_catalog.concat(%s%s) COLLATE pg_catalog.\"C\", '" INT64_FORMAT "'::pg_catalog.int8)"
					" OPERATOR(pg_catalog.%s) '" INT64_FORMAT "'::pg_catalog.int8)",
					ds->unit ? "s.unit" : "(s.*)", blanks ? "::pg_catalog.text" : "", ds->holdout_key,
					bound->held_out ? "<" : ">=", (int64) bound_of_hash);
}

/* is a random UUID of its unit told with each row? */
static bool
draws_units(const DpemBinding *bound)
{
	return bound->together && bound->dataset->unit != NULL;
}

static void
append_flags(StringInfo sql, const DpemBinding *bound, const DpemSample *sample)
{
	if (bound->dataset->unit != NULL)
		appendStringInfo(sql, ", %s", dpem_source_quota(bound));
	if (samples(sample))
		appendStringInfo(sql, ", (%s)",
						 poisson_flag(sample, bound->dataset->unit ? "s.first_pick" : "pg_catalog.gen_random_uuid()"));
	if (bound->holdout > 0)
		appendStringInfo(sql, ", %s", holdout_flag(bound));
	if (draws_units(bound))
		appendStringInfoString(sql, ", s.first_pick");
}

void
dpem_source_append_from(StringInfo sql, const DpemBinding *bound, const char *relation, const DpemSample *sample)
{
	if (bound->dataset->unit != NULL)
		append_unit_rows(sql, bound, relation, samples(sample) || draws_units(bound));
	else
		appendStringInfoString(sql, relation);
	appendStringInfoString(sql, " AS s");
}

/* all arguments of the aggregate, computed here or on another server; sets nargs and arg_lengths */
static char *
write_arguments(DpemSource *source, const DpemBinding *bound, const DpemSample *sample, bool renamed, bool there)
{
	StringInfoData sql;

	source->nargs = 0;
	source->arg_lengths = palloc0(list_length(bound->columns) * sizeof(double));
	initStringInfo(&sql);
	appendStringInfoString(&sql, dpem_binding_documents(bound) ? "($1, $2" : "($1");
	append_flags(&sql, bound, sample);
	if (bound->filter != NULL)
		appendStringInfo(&sql, ", %s", dpem_source_filter(bound->filter, renamed));
	dpem_source_append_group(&sql, bound->grouping, renamed);
	append_label(&sql, bound, renamed, there);
	append_columns(&sql, source, bound, renamed);
	appendStringInfoChar(&sql, ')');
	return sql.data;
}

static Oid
who_reads(const DpemSource *source)
{
	return OidIsValid(source->run_as) ? source->run_as : GetUserId();
}

/* a column's name of ours; NULL: there are none */
static const char *
first_renamed(const DpemBinding *bound)
{
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		if (((const DpemColumn *) lfirst(cell))->kind != DPEM_COLUMN_CONSTANT)
			return psprintf("c%d", foreach_current_index(cell));
	}
	return bound->label != NULL ? "label" : NULL;
}

/* flags are random and compare rows of all servers, so that a pass with flags reads the rows here, as does one over documents */
static void
write_shards_queries(DpemSource *source, const DpemBinding *bound)
{
	Oid			relation = bound->dataset->source;
	const char *arguments = write_arguments(source, bound, NULL, true, true);
	const char *column = first_renamed(bound);
	List	   *parts = dpem_source_parts(relation, who_reads(source));
	StringInfoData columns;

	initStringInfo(&columns);
	append_renamed(&columns, bound);
	if (columns.len == 0)
		appendStringInfoString(&columns, ", ");
	source->shards = dpem_source_shards_query(parts, arguments, columns.data + strlen(", "));
	if (column != NULL)
		source->trust = dpem_source_trust_queries(relation, parts, arguments, columns.data + strlen(", "), column);
}

/* the source by its name, or what stands for it */
static char *
relation_of(const DpemSource *source, const DpemBinding *bound, bool distributed)
{
	if (bound->dataset->counts_rows)
		return dpem_source_units(bound);
	if (distributed)
		return dpem_source_gathered(bound, who_reads(source));
	return bound->dataset->path ? dpem_source_joined(bound) : dpem_relation_qualified_name(bound->dataset->source);
}

void
dpem_source_build_query(DpemSource *source, const DpemBinding *bound, const DpemSample *sample)
{
	bool		renamed = bound->dataset->unit != NULL;
	bool		distributed = dpem_source_is_distributed(bound->dataset->source);
	const char *relation = relation_of(source, bound, distributed);
	StringInfoData sql;

	source->distinct = !dpem_binding_counts_distinct(bound) ? DPEM_DISTINCT_NONE
		: bound->persons ? DPEM_DISTINCT_PERSONS : DPEM_DISTINCT_VALUES;
	source->seeks_keys = dpem_binding_seeks_keys(bound) || source->distinct != DPEM_DISTINCT_NONE;
	if (source->seeks_keys)
	{
		source->query = source->distinct != DPEM_DISTINCT_NONE ? dpem_source_distinct_query(bound, relation)
			: dpem_source_keys_query(bound, relation);
		return;
	}
	if (bound->dataset->unit == NULL && !samples(sample) && bound->holdout == 0 &&
		!dpem_binding_documents(bound) && !distributed)
		write_shards_queries(source, bound);
	initStringInfo(&sql);
	appendStringInfo(&sql, "%s FROM ", write_arguments(source, bound, sample, renamed, false));
	dpem_source_append_from(&sql, bound, relation, sample);
	source->query = sql.data;
}

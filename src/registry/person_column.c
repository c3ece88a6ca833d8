/*
 * person_column.c - see person_column.h.
 */
#include "postgres.h"

#include <ctype.h>

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "registry/person_column.h"
#include "registry/source_relations.h"
#include "server/as_owner.h"

static const struct
{
	const char *text;
	DpemPersonAggregate aggregate;
	bool		column;			/* of a column, or of the rows */
}			aggregates[] = {
	{"count(distinct", DPEM_PERSON_DISTINCT, true},
	{"count", DPEM_PERSON_COUNT, false},
	{"exists", DPEM_PERSON_EXISTS, false},
	{"sum", DPEM_PERSON_SUM, true},
	{"avg", DPEM_PERSON_AVG, true},
	{"min", DPEM_PERSON_MIN, true},
	{"max", DPEM_PERSON_MAX, true}
};

/* ---- the text ---- */

static const char *
skip_space(const char *at)
{
	while (isspace((unsigned char) *at))
		at++;
	return at;
}

/* behind a word, or NULL: letters of any case, and spaces wherever words meet */
static const char *
take(const char *at, const char *word)
{
	for (; *word != '\0'; word++, at++)
	{
		if (*word == '(')
			at = skip_space(at);
		if (tolower((unsigned char) *at) != *word)
			return NULL;
		if (*word == '(')
			at = skip_space(at + 1) - 1;
	}
	return at;
}

/* `schema.table` and, if the aggregate is of one, a column behind; without the schema, as names are looked up */
static bool
set_target(DpemPersonColumn *person, List *names, bool column)
{
	if (list_length(names) != (column ? 2 : 1) && list_length(names) != (column ? 3 : 2))
		return false;
	person->column = column ? llast(names) : NULL;
	names = column ? list_truncate(names, list_length(names) - 1) : names;
	person->table = makeRangeVar(list_length(names) == 2 ? linitial(names) : NULL, llast(names), -1);
	return true;
}

static char *
write_text(const DpemPersonColumn *person)
{
	const char *name = "";

	for (int i = 0; i < lengthof(aggregates); i++)
		name = aggregates[i].aggregate == person->aggregate ? aggregates[i].text : name;
	return psprintf("%s%s%s%s%s)", name, strchr(name, '(') ? " " : "(", person->detail_name, person->column ? "." : "",
					person->column ? quote_identifier(person->column) : "");
}

static DpemPersonColumn *
read_text(const char *text)
{
	DpemPersonColumn *person = palloc0(sizeof(DpemPersonColumn));

	for (int i = 0; i < lengthof(aggregates); i++)
	{
		const char *at = take(skip_space(text), aggregates[i].text);
		const char *end = strrchr(text, ')');
		List	   *names;

		at = at && aggregates[i].aggregate != DPEM_PERSON_DISTINCT ? take(at, "(") : at;
		if (at == NULL || end == NULL || end < at || *skip_space(end + 1) != '\0')
			continue;
		if (!SplitIdentifierString(pnstrdup(at, end - at), '.', &names) || !set_target(person, names, aggregates[i].column))
			return NULL;
		person->aggregate = aggregates[i].aggregate;
		return person;
	}
	return NULL;
}

DpemPersonColumn *
dpem_person_column_parse(const char *text)
{
	DpemPersonColumn *person = read_text(text);

	if (person == NULL)
		return NULL;
	person->detail = RangeVarGetRelid(person->table, NoLock, false);
	person->detail_name = dpem_relation_qualified_name(person->detail);
	person->text = write_text(person);
	return person;
}

/* ---- the catalog ---- */

static DpemPersonColumn *
load_row(uint64 row, MemoryContext where)
{
	char	   *text = dpem_spi_text(row, 2, where);
	DpemPersonColumn *person = read_text(text);
	bool		isnull;

	if (person == NULL || person->table->schemaname == NULL)
		elog(ERROR, "dpem: the catalog has a person column that is none");
	person->name = dpem_spi_text(row, 1, where);
	person->text = text;
	person->detail_name = psprintf("%s.%s", quote_identifier(person->table->schemaname), quote_identifier(person->table->relname));
	person->detail = DatumGetObjectId(dpem_spi_datum(row, 3, &isnull));
	person->path = dpem_unit_path_restore(dpem_spi_text(row, 4, where), dpem_spi_text(row, 5, where));
	person->filter = dpem_spi_text(row, 6, where);
	return person;
}

List *
dpem_person_columns_load(int64 dataset)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[] = {INT8OID};
	Datum		values[] = {Int64GetDatum(dataset)};
	List	   *columns = NIL;
	DpemIdentity saved;
	uint64		n;

	dpem_owner_enter(&saved);
	n = dpem_spi_query("SELECT column_name, aggregate, detail::oid, detail_path, array_to_string(detail_relations::oid[], ' '), detail_filter"
					   " FROM dpem_internal.dataset_column WHERE dataset = $1 AND aggregate IS NOT NULL ORDER BY position",
					   1, types, values, NULL, false, SPI_OK_SELECT);
	for (uint64 i = 0; i < n; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(caller);

		columns = lappend(columns, load_row(i, caller));
		MemoryContextSwitchTo(old);
	}
	dpem_owner_leave(&saved);
	return columns;
}

/* ---- what it reads ---- */

bool
dpem_person_detail_column(const DpemPersonColumn *person, const char *name, DpemColumn *column)
{
	Oid			type = dpem_source_column_type(person->detail, name);

	*column = (DpemColumn) {.name = pstrdup(name),.length = 1,.type = type,.kind = DPEM_COLUMN_NUMBER};
	if (OidIsValid(type) && !dpem_type_is_kind(type, DPEM_COLUMN_NUMBER))
		column->kind = dpem_type_is_kind(type, DPEM_COLUMN_LABEL) ? DPEM_COLUMN_LABEL : DPEM_COLUMN_KEY;
	return OidIsValid(type) && dpem_type_is_kind(type, column->kind);
}

static char *
column_fault(const DpemPersonColumn *person)
{
	DpemColumn	column;

	if (!dpem_person_detail_column(person, person->column, &column))
		return psprintf("needs a column %s of %s that is a number, a label or a key", quote_identifier(person->column), person->detail_name);
	if (person->aggregate != DPEM_PERSON_DISTINCT && column.kind != DPEM_COLUMN_NUMBER)
		return psprintf("needs a column of numbers, not %s", format_type_be(column.type));
	return NULL;
}

static bool
was_renamed(const DpemPersonColumn *person)
{
	const char *schema = person->table->schemaname;

	return strcmp(get_rel_name(person->detail), person->table->relname) != 0 ||
		(schema != NULL && strcmp(get_namespace_name(get_rel_namespace(person->detail)), schema) != 0);
}

char *
dpem_person_column_fault(const DpemPersonColumn *person)
{
	char	   *fault;

	if (!OidIsValid(person->detail) || !SearchSysCacheExists1(RELOID, ObjectIdGetDatum(person->detail)))
		return psprintf("names %s, which does not exist", person->detail_name);
	if (was_renamed(person))
		return psprintf("was registered with %s, which was renamed", person->detail_name);
	fault = dpem_unit_path_fault(person->path, person->detail);
	if (fault != NULL)
		return psprintf("by %s, %s", person->path->text, fault);
	return person->column ? column_fault(person) : NULL;
}

DpemRowFilter *
dpem_person_filter(const DpemPersonColumn *person)
{
	DpemRowFilter *filter = dpem_binding_parse_filter(person->filter);

	for (int i = 0; i < filter->parsed.columns; i++)
	{
		if (!dpem_person_detail_column(person, filter->parsed.column[i].name, &filter->column[i]))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("the filter needs a column \"%s\" of %s that is a number or a label", filter->parsed.column[i].name,
							person->detail_name)));
	}
	dpem_binding_check_filter(filter);
	return filter;
}

/*
 * dataset_answer.c - what registering and granting answer: which columns are registered, which are
 * not, and what could be next.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "api/datasets/dataset_rules.h"
#include "server/as_owner.h"

#define NAMES_SHOWN "4"

/*
 * Of the dataset $1 with source $2 and unit $3: names of registered columns, of others, how many
 * there are of each, the first other one as a call that registers it, and a role with a share.
 */
#define STANDING_QUERY \
	"WITH registered AS (SELECT c.column_name AS name, row_number() OVER (ORDER BY c.position) AS i" \
	"  FROM dpem_internal.dataset_column c WHERE c.dataset = $1)," \
	" other AS (SELECT a.attname::text AS name, t.typcategory AS category, row_number() OVER (ORDER BY a.attnum) AS i" \
	"  FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid" \
	"  WHERE a.attrelid = $2 AND a.attnum > 0 AND NOT a.attisdropped AND a.attname::text IS DISTINCT FROM $3" \
	"   AND a.attname::text NOT IN (SELECT r.name FROM registered r))" \
	" SELECT (SELECT string_agg(name, ', ' ORDER BY i) FROM registered WHERE i <= " NAMES_SHOWN ")," \
	"  (SELECT string_agg(name, ', ' ORDER BY i) FROM other WHERE i <= " NAMES_SHOWN ")," \
	"  (SELECT count(*) - " NAMES_SHOWN " FROM registered), (SELECT count(*) - " NAMES_SHOWN " FROM other)," \
	"  (SELECT format('dp_register_column(%L, %L%s)', $4, name," \
	"    CASE category WHEN 'N' THEN ', lower, upper' WHEN 'D' THEN ', lower, upper' WHEN 'A' THEN ', lower, upper, length'" \
	"     WHEN 'B' THEN '' WHEN 'E' THEN '' ELSE ', categories' END) FROM other WHERE i = 1)," \
	"  (SELECT min(r.rolname::text) FROM dpem_internal.budget b JOIN pg_catalog.pg_roles r ON r.oid = b.role::oid WHERE b.dataset = $1)"

/* "one, two and 3 more" */
static char *
list_names(int column)
{
	char	   *names = dpem_spi_text(0, column, CurrentMemoryContext);
	int64		more = dpem_spi_int64(0, column + 2);

	if (names == NULL)
		return NULL;
	return more > 0 ? psprintf("%s and " INT64_FORMAT " more", names, more) : names;
}

static char *
columns(const char *registered, const char *others)
{
	if (registered == NULL)
		return psprintf("no column registered yet%s%s", others ? " of " : "", others ? others : "");
	return psprintf("registered %s%s%s", registered, others ? ", not " : "", others ? others : "");
}

static char *
next_step(const DpemDataset *ds, const char *registered)
{
	char	   *name = quote_literal_cstr(ds->name);
	char	   *registration = dpem_spi_text(0, 5, CurrentMemoryContext);
	char	   *role = dpem_spi_text(0, 6, CurrentMemoryContext);

	if (registered == NULL && registration != NULL)
		return registration;
	if (role == NULL)
		return psprintf("dp_grant_budget(role, %s, epsilon, delta)", name);
	return psprintf("dp_describe_plan(%s, epsilon) as %s", name, role);
}

Datum
dpem_dataset_answer(const DpemDataset *ds)
{
	Oid			types[] = {INT8OID, OIDOID, TEXTOID, TEXTOID};
	Datum		values[] = {Int64GetDatum(ds->id), ObjectIdGetDatum(ds->source),
		ds->unit ? CStringGetTextDatum(ds->unit) : (Datum) 0, CStringGetTextDatum(ds->name)};
	const char	nulls[] = {' ', ' ', ds->unit ? ' ' : 'n', ' ', '\0'};
	MemoryContext caller = CurrentMemoryContext;
	char	   *registered;
	char	   *others;
	char	   *answer;
	DpemIdentity saved;

	dpem_owner_enter(&saved);
	dpem_spi_query(STANDING_QUERY, 4, types, values, nulls, false, SPI_OK_SELECT);
	registered = list_names(1);
	others = list_names(2);
	answer = MemoryContextStrdup(caller, psprintf("%s: %s; next: %s", ds->name, columns(registered, others), next_step(ds, registered)));
	dpem_owner_leave(&saved);
	return CStringGetTextDatum(answer);
}

/*
 * unit_proof.c - the proof of a path from the catalog; see unit_path.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "registry/source_relations.h"
#include "registry/unit_path.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

/* one column step: $1 from, $2 to, $5 the table of persons; $3 column, $4 key: their numbers */
#define STEP_ARGUMENTS \
	"WITH RECURSIVE a(f, t, col, key, person) AS (SELECT $1, $2, $3, $4, $5)"

/* every trigger of the constraint and of its parts in partitions must fire for whoever writes */
#define FOREIGN_KEY STEP_ARGUMENTS \
	" SELECT 1 FROM a, pg_catalog.pg_constraint c WHERE c.contype = 'f' AND c.conrelid = a.f AND c.confrelid = a.t AND c.convalidated" \
	" AND c.conkey = ARRAY[a.col] AND c.confkey = ARRAY[a.key] AND NOT c.condeferrable" \
	" AND (SELECT o.oprnamespace FROM pg_catalog.pg_operator o WHERE o.oid = c.conpfeqop[1]) = 'pg_catalog'::regnamespace" \
	" AND NOT EXISTS (WITH RECURSIVE k(id) AS (SELECT c.oid UNION" \
	"   SELECT p.oid FROM k JOIN pg_catalog.pg_constraint p ON p.conparentid = k.id)" \
	"  SELECT FROM k JOIN pg_catalog.pg_trigger t ON t.tgconstraint = k.id WHERE t.tgenabled NOT IN ('O', 'A'))"

/* rows of children that inherit have neither the key nor the foreign key of their parent's */
#define HAS_CHILDREN STEP_ARGUMENTS \
	" SELECT 1 FROM a, pg_catalog.pg_inherits i JOIN pg_catalog.pg_class p ON p.oid = i.inhparent" \
	" WHERE p.relkind <> 'p' AND i.inhparent IN (a.f, a.t)"

#define UNIQUE_KEY STEP_ARGUMENTS \
	" SELECT 1 FROM a, pg_catalog.pg_index x WHERE x.indrelid = a.t AND x.indisunique AND x.indisvalid AND x.indimmediate AND x.indpred IS NULL" \
	" AND x.indexprs IS NULL AND x.indnkeyatts = 1 AND x.indkey[0] = a.key"

/*
 * By any other foreign key of the table, over however many tables.  A foreign key may be of a partition alone, and refer to one
 * alone, so that partitions and what they are parts of count as one table; those of the step itself in partitions are the step.
 */
#define TWO_PERSONS STEP_ARGUMENTS \
	", own(id) AS (SELECT a.f FROM a UNION SELECT i.inhrelid FROM own JOIN pg_catalog.pg_inherits i ON i.inhparent = own.id)" \
	", step(id) AS (SELECT c.oid FROM a JOIN pg_catalog.pg_constraint c ON c.contype = 'f' AND c.conrelid = a.f AND c.confrelid = a.t" \
	"   AND c.conkey = ARRAY[a.col]" \
	"  UNION SELECT p.oid FROM step JOIN pg_catalog.pg_constraint p ON p.conparentid = step.id)" \
	", reach(id) AS (SELECT o.confrelid FROM own JOIN pg_catalog.pg_constraint o ON o.contype = 'f' AND o.conrelid = own.id" \
	"   WHERE o.oid NOT IN (SELECT id FROM step) AND o.confrelid NOT IN (SELECT id FROM own)" \
	"  UNION SELECT n.id FROM reach, LATERAL (" \
	"   SELECT o.confrelid FROM pg_catalog.pg_constraint o WHERE o.contype = 'f' AND o.conrelid = reach.id" \
	"   UNION ALL SELECT i.inhrelid FROM pg_catalog.pg_inherits i WHERE i.inhparent = reach.id" \
	"   UNION ALL SELECT i.inhparent FROM pg_catalog.pg_inherits i WHERE i.inhrelid = reach.id) AS n(id))" \
	" SELECT 1 FROM reach, a WHERE reach.id = a.person"

typedef struct Step
{
	const DpemUnitStep *step;
	Oid			from;
	const char *column;
	Oid			persons;
} Step;

static bool
holds(const char *query, const Step *s)
{
	Oid			types[] = {OIDOID, OIDOID, INT2OID, INT2OID, OIDOID};
	Datum		values[] = {
		ObjectIdGetDatum(s->from), ObjectIdGetDatum(s->step->relation), Int16GetDatum(get_attnum(s->from, s->column)),
		Int16GetDatum(get_attnum(s->step->relation, s->step->key)), ObjectIdGetDatum(s->persons)
	};
	DpemIdentity saved;
	bool		found;

	dpem_owner_enter(&saved);
	found = dpem_spi_query(query, 5, types, values, NULL, false, SPI_OK_SELECT) > 0;
	dpem_owner_leave(&saved);
	return found;
}

/*
 * Equal keys of these types are the same text, as which a holdout divides units, and their equality
 * calls nothing of a user's; types of one class are compared by pg_catalog's operators.
 */
static int
key_class(Oid type)
{
	switch (type)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
			return 1;
		case TEXTOID:
		case VARCHAROID:
			return 2;
		case BPCHAROID:
		case NAMEOID:
		case UUIDOID:
		case DATEOID:
		case OIDOID:
			return type;
	}
	return get_typtype(type) == TYPTYPE_ENUM ? type : 0;
}

static bool
same_text(Oid relation, const char *column, Oid other, const char *key)
{
	Oid			type;
	int32		typmod;
	Oid			collation[2];

	get_atttypetypmodcoll(relation, get_attnum(relation, column), &type, &typmod, &collation[0]);
	get_atttypetypmodcoll(other, get_attnum(other, key), &type, &typmod, &collation[1]);
	return collation[0] == collation[1] && (!OidIsValid(collation[0]) || get_collation_isdeterministic(collation[0]));
}

static bool
has_constraints(Oid relation)
{
	char		kind = get_rel_relkind(relation);

	return kind == RELKIND_RELATION || kind == RELKIND_PARTITIONED_TABLE;
}

static char *
type_fault(const Step *s)
{
	Oid			from = dpem_source_column_type(s->from, s->column);
	Oid			to = dpem_source_column_type(s->step->relation, s->step->key);

	if (!OidIsValid(from) || !OidIsValid(to))
		return psprintf("names a column that does not exist in %s", dpem_relation_qualified_name(OidIsValid(from) ? s->step->relation : s->from));
	if (key_class(from) == 0 || key_class(from) != key_class(to))
		return psprintf("needs a key that is an integer, text, uuid, date or enum on both sides, not %s and %s", format_type_be(from), format_type_be(to));
	if (!same_text(s->from, s->column, s->step->relation, s->step->key))
		return psprintf("needs one deterministic collation for %s and %s.%s", quote_identifier(s->column), s->step->table, quote_identifier(s->step->key));
	return NULL;
}

static char *
key_fault(const Step *s)
{
	if (!has_constraints(s->step->relation) || !holds(UNIQUE_KEY, s))
		return psprintf("needs %s to be a primary or unique key of %s, of that one column and not deferrable", quote_identifier(s->step->key),
						s->step->table);
	if (holds(HAS_CHILDREN, s))
		return psprintf("passes %s or %s, from which other tables inherit", dpem_relation_qualified_name(s->from), s->step->table);
	if (s->step->column == NULL)
		return s->from == s->step->relation ? NULL : psprintf("is a key of %s, which is not the source", s->step->table);
	if (!has_constraints(s->from))
		return NULL;			/* the owner's word */
	if (!holds(FOREIGN_KEY, s))
		return psprintf("needs a foreign key of %s alone, validated, enforced and not deferrable, to %s.%s", quote_identifier(s->column),
						s->step->table, quote_identifier(s->step->key));
	if (holds(TWO_PERSONS, s))
		return psprintf("is not the only way: rows of %s speak of two persons, as another foreign key leads to %s, too",
						dpem_relation_qualified_name(s->from), dpem_relation_qualified_name(s->persons));
	return NULL;
}

static char *
step_fault(const Step *s)
{
	char	   *fault;

	if (!OidIsValid(s->step->relation) || !SearchSysCacheExists1(RELOID, ObjectIdGetDatum(s->step->relation)))
		return psprintf("names %s, which does not exist", s->step->table);
	if (strcmp(dpem_relation_qualified_name(s->step->relation), s->step->table) != 0)
		return psprintf("was registered with %s, which was renamed", s->step->table);
	if (dpem_source_is_distributed(s->from) || dpem_source_is_distributed(s->step->relation))
		return psprintf("passes %s or %s, which Citus has distributed", dpem_relation_qualified_name(s->from), s->step->table);
	fault = type_fault(s);
	return fault ? fault : key_fault(s);
}

char *
dpem_unit_path_fault(const DpemUnitPath *path, Oid source)
{
	Oid			from = source;
	ListCell   *cell;

	foreach(cell, path->steps)
	{
		const DpemUnitStep *step = lfirst(cell);
		Step		s = {step, from, step->column ? step->column : step->key, ((DpemUnitStep *) llast(path->steps))->relation};
		char	   *fault = step_fault(&s);

		if (fault != NULL)
			return fault;
		from = step->relation;
	}
	return NULL;
}

/* ---- finding ---- */

/* foreign keys of one column each from $1 to the key $3 of $2 */
#define PATHS \
	"WITH RECURSIVE way(id, text, last, seen) AS (SELECT $1, ''::text COLLATE \"C\", 0::int2, ARRAY[$1] UNION ALL" \
	" SELECT c.confrelid, w.text || CASE WHEN w.text = '' THEN '' ELSE ', ' END || pg_catalog.format('%I -> %I.%I.%I'," \
	"   f.attname, n.nspname, t.relname, k.attname) COLLATE \"C\", k.attnum, w.seen || c.confrelid" \
	"  FROM way w JOIN pg_catalog.pg_constraint c ON c.contype = 'f' AND c.conrelid = w.id AND pg_catalog.cardinality(c.conkey) = 1" \
	"   AND c.convalidated" \
	"  JOIN pg_catalog.pg_attribute f ON f.attrelid = c.conrelid AND f.attnum = c.conkey[1]" \
	"  JOIN pg_catalog.pg_attribute k ON k.attrelid = c.confrelid AND k.attnum = c.confkey[1]" \
	"  JOIN pg_catalog.pg_class t ON t.oid = c.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace" \
	"  WHERE w.id <> $2 AND c.confrelid <> ALL (w.seen) AND pg_catalog.cardinality(w.seen) <= 8)" \
	" SELECT w.text FROM way w WHERE w.id = $2 AND w.last = $3 GROUP BY w.text ORDER BY pg_catalog.length(w.text), w.text LIMIT 2"

DpemUnitPath *
dpem_unit_path_find(Oid source, const DpemUnitPath *persons)
{
	MemoryContext caller = CurrentMemoryContext;
	const DpemUnitStep *last = llast(persons->steps);
	Oid			types[] = {OIDOID, OIDOID, INT2OID};
	Datum		values[] = {ObjectIdGetDatum(source), ObjectIdGetDatum(last->relation), Int16GetDatum(get_attnum(last->relation, last->key))};
	DpemIdentity saved;
	uint64		n;
	char	   *found[2] = {NULL, NULL};

	dpem_owner_enter(&saved);
	n = dpem_spi_query(PATHS, 3, types, values, NULL, false, SPI_OK_SELECT);
	for (uint64 i = 0; i < n; i++)
		found[i] = dpem_spi_text(i, 1, caller);
	dpem_owner_leave(&saved);
	if (n == 1)
		return dpem_unit_path_parse(found[0]);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 n == 0 ? errmsg("no path of foreign keys leads from \"%s\" to %s", get_rel_name(source), persons->person)
			 : errmsg("rows of \"%s\" speak of two persons", get_rel_name(source)),
			 n == 0 ? 0 : errdetail("%s, and also %s.", found[0], found[1]),
			 errhint("Of a view that has one of the columns that lead to persons, give path => 'column -> %s': that it speaks of that person is then your word.",
					 persons->person)));
	return NULL;				/* keep the compiler quiet */
}

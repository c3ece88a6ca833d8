/*
 * enum_label.c - labels of enum values without a look into the catalog for each.
 *
 * The server's own way looks every value up when it first meets it, and pages
 * of the catalog that are touched are counted where everybody sees it: they
 * would tell how many different values the rows have.  Here all labels of the
 * type are read at once, whichever of them there are.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "server/version_shims.h"

typedef struct EnumLabel
{
	Oid			value;
	text	   *label;
} EnumLabel;

typedef struct EnumLabels
{
	int			n;
	int			room;
	EnumLabel  *label;			/* in the order of values */
} EnumLabels;

PG_FUNCTION_INFO_V1(dpem_enum_label);

static int
compare_values(const void *a, const void *b)
{
	Oid			left = ((const EnumLabel *) a)->value;
	Oid			right = ((const EnumLabel *) b)->value;

	return (left > right) - (left < right);
}

static void
add_label(EnumLabels *labels, Form_pg_enum row)
{
	if (labels->n == labels->room)
	{
		labels->room *= 2;
		labels->label = repalloc(labels->label, labels->room * sizeof(EnumLabel));
	}
	labels->label[labels->n].value = row->oid;
	labels->label[labels->n++].label = cstring_to_text(NameStr(row->enumlabel));
}

static EnumLabels *
load_labels(Oid type, MemoryContext context)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	EnumLabels *labels = palloc0(sizeof(EnumLabels));
	Relation	catalog = table_open(EnumRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	labels->room = 16;
	labels->label = palloc(labels->room * sizeof(EnumLabel));
	ScanKeyInit(&key, Anum_pg_enum_enumtypid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(type));
	scan = systable_beginscan(catalog, EnumTypIdLabelIndexId, true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		add_label(labels, (Form_pg_enum) GETSTRUCT(tuple));
	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	qsort(labels->label, labels->n, sizeof(EnumLabel), compare_values);
	MemoryContextSwitchTo(old);
	return labels;
}

/* dpem_internal.enum_label(anyelement): the label of an enum's value, or of a domain's over one; NULL for one that is not in the catalog */
Datum
dpem_enum_label(PG_FUNCTION_ARGS)
{
	EnumLabels *labels = fcinfo->flinfo->fn_extra;
	EnumLabel	wanted = {PG_GETARG_OID(0), NULL};
	EnumLabel  *found;

	if (labels == NULL)
	{
		Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);

		if (!OidIsValid(type) || get_typtype(getBaseType(type)) != TYPTYPE_ENUM)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("dpem_internal.enum_label needs a value of an enum")));
		labels = load_labels(getBaseType(type), fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = labels;
	}
	found = bsearch(&wanted, labels->label, labels->n, sizeof(EnumLabel), compare_values);
	if (found == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(found->label);
}

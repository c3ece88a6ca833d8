/*
 * source_reader.c - who may read the rows, and so have a fit without noise.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/version_shims.h"

static void
require_column(Oid source, const char *column)
{
	AttrNumber	attnum = get_attnum(source, column);

	if (pg_attribute_aclcheck(source, attnum, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("a fit without noise needs SELECT on column \"%s\" of the source", column),
				 errhint("Give a finite epsilon.")));
}

/* as counting rows does in any query */
static void
require_any_column(Oid source)
{
	if (pg_attribute_aclcheck_all(source, GetUserId(), ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("a statistic without noise needs SELECT on the source"),
				 errhint("Give a finite epsilon.")));
}

/* of several tables, whatever is joined for a column */
static void
require_table(Oid relation)
{
	if (pg_class_aclcheck(relation, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("a fit without noise needs SELECT on %s", dpem_relation_qualified_name(relation)),
				 errhint("Give a finite epsilon.")));
}

DpemReader *
dpem_source_require_reader(const DpemBinding *bound)
{
	DpemReader *reader;
	ListCell   *cell;

	foreach(cell, dpem_dataset_relations(bound->dataset))
	{
		if (lfirst_oid(cell) != bound->dataset->source)
			require_table(lfirst_oid(cell));
	}
	if (bound->dataset->path != NULL)
		require_table(bound->dataset->source);
	else if (pg_class_aclcheck(bound->dataset->source, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
	{
		foreach(cell, dpem_binding_names(bound))
			require_column(bound->dataset->source, lfirst(cell));
		require_any_column(bound->dataset->source);
	}
	reader = palloc(sizeof(DpemReader));
	reader->role = GetUserId();
	reader->source = bound->dataset->source;
	return reader;
}

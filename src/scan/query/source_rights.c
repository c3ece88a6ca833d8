/*
 * source_rights.c - may the source's owner run the query that a scan will send?
 *
 * Asked before a charge, as what was paid for would be lost otherwise: an owner may lack rights on what a source is made of, by
 * REVOKE, by default privileges of whoever made it, or since a view in between has another owner.  The query is parsed and
 * rewritten as that role, and not planned: no row is read, and nothing of a view is called.  What is looked at is what the
 * executor would, tables in each level of the query and functions in expressions, and what the planner may drop besides: columns of a view
 * that nobody reads.  Of what functions do inside nobody knows.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/plancache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/as_owner.h"
#include "server/attempt.h"
#include "server/version_shims.h"

static void
require_filled(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	bool		filled;

	if (!HeapTupleIsValid(tuple))
		return;
	filled = ((Form_pg_class) GETSTRUCT(tuple))->relispopulated;
	ReleaseSysCache(tuple);
	if (!filled)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("materialized view %s has not been populated", dpem_relation_qualified_name(relation)),
				 errhint("REFRESH MATERIALIZED VIEW %s fills it.", dpem_relation_qualified_name(relation))));
}

static bool
require_function(Oid function, void *context)
{
	if (pg_proc_aclcheck(function, GetUserId(), ACL_EXECUTE) != ACLCHECK_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for function %s", format_procedure_qualified(function))));
	return false;
}

static void
require_tables(Query *query)
{
	ListCell   *cell;

	(void) dpem_check_query_rights(query);
	/* a scan writes nothing, as a lock on a row would */
	if (query->rowMarks != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a view locks the rows that it reads"),
				 errhint("Its owner can replace it by one without FOR UPDATE and FOR SHARE.")));
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst(cell);

		if (rte->rtekind == RTE_RELATION && rte->relkind == RELKIND_MATVIEW)
			require_filled(rte->relid);
	}
}

static bool
require_rights(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		require_tables((Query *) node);
		return query_tree_walker((Query *) node, require_rights, context, 0);
	}
	/* everybody may call what reads and writes a type's values */
	if (!IsA(node, CoerceViaIO))
		(void) check_functions_in_node(node, require_function, context);
	return expression_tree_walker(node, require_rights, context);
}

static void
look_at_query(void *argument)
{
	const DpemSource *source = argument;
	const char *query = source->seeks_keys ? source->query : dpem_source_moments_query(source);
	Oid			types[] = {BYTEAOID, TEXTARRAYOID};
	SPIPlanPtr	plan;
	ListCell   *cell;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	plan = SPI_prepare(query, lengthof(types), types);
	if (plan == NULL)
		elog(ERROR, "dpem: unexpected query of a source");
	foreach(cell, SPI_plan_get_plan_sources(plan))
		(void) require_rights((Node *) ((CachedPlanSource *) lfirst(cell))->query_list, NULL);
	SPI_finish();
}

/* what is missing depends on no row, and may be told */
static void
refuse(const DpemSource *source, const ErrorData *error)
{
	const char *owner = GetUserNameFromId(source->run_as, false);

	ereport(ERROR,
			(errcode(error->sqlerrcode),
			 errmsg("the source of dataset \"%s\" cannot be read as its owner \"%s\": %s", source->dataset->name, owner, error->message),
			 errdetail("Nothing was read and nothing was spent."),
			 error->hint ? errhint("%s", error->hint) :
			 error->sqlerrcode != ERRCODE_INSUFFICIENT_PRIVILEGE ? errhint("The dataset's owner can put that right, or register another source.") :
			 errhint("GRANT SELECT, EXECUTE or USAGE on what is named TO %s, or to the owner of the view that reads it.",
					 quote_identifier(owner))));
}

void
dpem_source_require_rights(DpemSource *source)
{
	DpemIdentity saved;
	ErrorData  *error;

	dpem_identity_enter(&saved, source->run_as, true);
	error = dpem_attempt(look_at_query, source, true);
	dpem_identity_leave(&saved);
	if (error != NULL)
		refuse(source, error);
}

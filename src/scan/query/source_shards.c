/*
 * source_shards.c - a source whose rows lie on several servers.
 *
 * The foreign data wrapper sends an aggregate to the other server only where
 * it is asked for one foreign table at a time, and complete.  So a source that
 * is the sum of foreign and other tables is asked for one state of each:
 *
 *   SELECT dpem_internal.moments_total(t.state) FROM (
 *     SELECT dpem_internal.moments($1, s.c0) AS state FROM (SELECT u.x AS c0 FROM ONLY far AS u) AS s
 *     UNION ALL ...) AS t
 *
 * Everything that is not on a server with dpem makes up one arm.  The arms are
 * what the source itself would read, and read with the same rights: where that
 * is not certain, the source is not split.  All that decides is in the catalog.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "commands/defrem.h"
#include "foreign/foreign.h"
#include "lib/stringinfo.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/as_owner.h"
#include "server/version_shims.h"

/* a part of the source, to be read from as u */
typedef struct Part
{
	const char *from;
	bool		far;			/* on a server that computes dpem_internal.moments */
} Part;

/* does the server's option `extensions` say that dpem is there? */
static bool
is_far(Oid relation)
{
	ForeignServer *server;
	ListCell   *cell;

	if (get_rel_relkind(relation) != RELKIND_FOREIGN_TABLE)
		return false;
	server = GetForeignServer(GetForeignTable(relation)->serverid);
	foreach(cell, server->options)
	{
		DefElem    *option = lfirst(cell);
		List	   *names;
		ListCell   *name;

		if (strcmp(option->defname, "extensions") != 0 ||
			!SplitIdentifierString(pstrdup(defGetString(option)), ',', &names))
			continue;
		foreach(name, names)
		{
			if (strcmp(lfirst(name), "dpem") == 0)
				return true;
		}
	}
	return false;
}

static List *
append_part(List *parts, const char *from, bool far)
{
	Part	   *part = palloc(sizeof(Part));

	part->from = from;
	part->far = far;
	return lappend(parts, part);
}

/* read as a child of its parent, a table's own policies and grants do not count, and its parent's do */
static bool
reads_alike(Oid relation, Oid role)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Form_pg_class form;
	bool		alike;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "dpem: relation %u vanished", relation);
	form = (Form_pg_class) GETSTRUCT(tuple);
	alike = !form->relrowsecurity && form->relpersistence != RELPERSISTENCE_TEMP &&
		pg_class_aclcheck(relation, role, ACL_SELECT) == ACLCHECK_OK;
	ReleaseSysCache(tuple);
	return alike;
}

/* a table and all that inherits from it; NIL unless it has children that can be read alike */
static List *
parts_of_table(Oid source, Oid role)
{
	List	   *relations = find_all_inheritors(source, AccessShareLock, NULL);
	List	   *parts = NIL;
	ListCell   *cell;

	if (list_length(relations) < 2)
		return NIL;
	foreach(cell, relations)
	{
		Oid			relation = lfirst_oid(cell);

		if (!reads_alike(relation, role))
			return NIL;
		if (get_rel_relkind(relation) != RELKIND_PARTITIONED_TABLE)
			parts = append_part(parts, psprintf("ONLY %s AS u", dpem_relation_qualified_name(relation)),
								is_far(relation));
	}
	return parts;
}

/* SELECT ... FROM one foreign table whose server computes dpem_internal.moments */
static bool
selects_far(const Query *query)
{
	RangeTblRef *reference;
	RangeTblEntry *rte;

	if (query->setOperations != NULL || query->jointree == NULL || list_length(query->jointree->fromlist) != 1)
		return false;
	reference = linitial(query->jointree->fromlist);
	if (!IsA(reference, RangeTblRef))
		return false;
	rte = rt_fetch(reference->rtindex, query->rtable);
	return rte->rtekind == RTE_RELATION && is_far(rte->relid);
}

/* types and collations of a member of a union are those of the union, so that nothing is converted */
static bool
has_types(const Query *query, const SetOperationStmt *all)
{
	ListCell   *target;
	ListCell   *type;
	ListCell   *collation;

	if (list_length(query->targetList) != list_length(all->colTypes))
		return false;
	forthree(target, query->targetList, type, all->colTypes, collation, all->colCollations)
	{
		TargetEntry *entry = lfirst(target);

		if (entry->resjunk || exprType((Node *) entry->expr) != lfirst_oid(type) ||
			exprCollation((Node *) entry->expr) != lfirst_oid(collation))
			return false;
	}
	return true;
}

/* adds the members of a tree of UNION ALL to *parts; false if it is another tree */
static bool
collect_members(Node *node, const Query *view, const char *alias, List **parts)
{
	Query	   *member;
	char	   *text;

	if (IsA(node, SetOperationStmt))
	{
		SetOperationStmt *set = (SetOperationStmt *) node;

		return set->op == SETOP_UNION && set->all &&
			collect_members(set->larg, view, alias, parts) &&
			collect_members(set->rarg, view, alias, parts);
	}
	member = rt_fetch(((RangeTblRef *) node)->rtindex, view->rtable)->subquery;
	if (!has_types(member, (SetOperationStmt *) view->setOperations))
		return false;
	text = pg_get_querydef(copyObject(member), false);
	if (text == NULL)
		return false;
	*parts = append_part(*parts, psprintf("(%s) AS %s", text, alias),
						 selects_far(member));
	return true;
}

/* u("first column", ...) */
static char *
view_alias(Relation view)
{
	TupleDesc	columns = RelationGetDescr(view);
	StringInfoData alias;

	initStringInfo(&alias);
	for (int i = 0; i < columns->natts; i++)
		appendStringInfo(&alias, "%s%s", i == 0 ? "u(" : ", ",
						 quote_identifier(NameStr(TupleDescAttr(columns, i)->attname)));
	appendStringInfoChar(&alias, ')');
	return alias.data;
}

/* the members of a view that is a UNION ALL; NIL for another view, or another's */
static List *
parts_of_view(Oid source, Oid role)
{
	Relation	view;
	Query	   *query;
	List	   *parts = NIL;
	DpemIdentity saved;

	if (dpem_relation_owner(source) != role)
		return NIL;
	view = relation_open(source, AccessShareLock);
	query = get_view_query(view);
	if (query->setOperations != NULL && query->cteList == NIL && query->sortClause == NIL &&
		query->limitCount == NULL && query->limitOffset == NULL)
	{
		/* what is locked keeps its name, so that the text names the same tables when it is run */
		AcquireRewriteLocks(copyObject(query), true, false);
		/* names are written as the scan will look them up */
		dpem_identity_enter(&saved, InvalidOid, false);
		if (!collect_members(query->setOperations, query, view_alias(view), &parts))
			parts = NIL;
		dpem_identity_leave(&saved);
	}
	relation_close(view, NoLock);
	return parts;
}

static void
append_arm(StringInfo sql, const char *arguments, const char *rows)
{
	appendStringInfo(sql, "%sSELECT dpem_internal.moments%s AS state FROM (%s) AS s",
					 sql->len > 0 ? " UNION ALL " : "", arguments, rows);
}

List *
dpem_source_parts(Oid source, Oid role)
{
	return get_rel_relkind(source) == RELKIND_VIEW ? parts_of_view(source, role) : parts_of_table(source, role);
}

List *
dpem_source_trust_queries(Oid source, const List *parts, const char *arguments, const char *columns, const char *column)
{
	List	   *queries = NIL;
	ListCell   *cell;

	if (parts == NIL && is_far(source))
		parts = append_part(NIL, psprintf("%s AS u", dpem_relation_qualified_name(source)), true);
	foreach(cell, parts)
	{
		const Part *part = lfirst(cell);

		if (part->far)
			queries = lappend(queries, psprintf("SELECT dpem_internal.brings_models%s FROM (SELECT %s FROM %s) AS s WHERE ($2 AND s.%s IS NULL) >= true",
												arguments, columns, part->from, column));
	}
	return queries;
}

char *
dpem_source_shards_query(const List *parts, const char *arguments, const char *columns)
{
	StringInfoData arms;
	StringInfoData rest;
	ListCell   *cell;

	initStringInfo(&arms);
	initStringInfo(&rest);
	foreach(cell, parts)
	{
		const Part *part = lfirst(cell);
		char	   *rows = psprintf("SELECT %s FROM %s", columns, part->from);

		if (part->far)
			append_arm(&arms, arguments, rows);
		else
			appendStringInfo(&rest, "%s%s", rest.len > 0 ? " UNION ALL " : "", rows);
	}
	if (arms.len == 0)
		return NULL;
	if (rest.len > 0)
		append_arm(&arms, arguments, rest.data);
	return psprintf("SELECT dpem_internal.moments_total(t.state) FROM (%s) AS t", arms.data);
}

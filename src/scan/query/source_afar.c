/*
 * source_afar.c - can the foreign tables that a source's query names be opened?
 *
 * Asked before a charge, as what was paid for would be lost otherwise: a user mapping that is missing, a password that is not the
 * right one any more, a server or a file that is not there.  Wrappers find out when a plan is started.  So one is, of
 *
 *   SELECT FROM far WHERE $1
 *
 * with $1 false, for which no row is asked for: the plan has the condition above its scans.  What a wrapper does when its scan
 * starts is its own business; only of those that are known to read nothing then is a plan started here.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "executor/spi.h"
#include "foreign/fdwapi.h"
#include "foreign/foreign.h"
#include "utils/lsyscache.h"

#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/as_owner.h"
#include "server/attempt.h"

typedef struct Afar
{
	const char *query;
	Oid			role;
} Afar;

static bool
runs_program(Oid relation)
{
	ListCell   *cell;

	foreach(cell, GetForeignTable(relation)->options)
	{
		if (strcmp(((DefElem *) lfirst(cell))->defname, "program") == 0)
			return true;
	}
	return false;
}

static bool
opens_unread(Oid relation)
{
	ForeignServer *server = GetForeignServer(GetForeignServerIdByRelId(relation));
	const char *handler = get_func_name(GetForeignDataWrapper(server->fdwid)->fdwhandler);

	if (handler == NULL)
		return false;
	return strcmp(handler, "postgres_fdw_handler") == 0 || (strcmp(handler, "file_fdw_handler") == 0 && !runs_program(relation));
}

/* is any of them a foreign table, and can all such be opened without being read? */
static bool
can_be_opened(const List *relations)
{
	ListCell   *cell;
	bool		any = false;

	foreach(cell, relations)
	{
		if (get_rel_relkind(lfirst_oid(cell)) != RELKIND_FOREIGN_TABLE)
			continue;
		if (!opens_unread(lfirst_oid(cell)))
			return false;
		any = true;
	}
	return any;
}

List *
dpem_source_note_afar(List *afar, Oid relation, bool inherited, Oid role, MemoryContext where)
{
	List	   *relations = inherited ? find_all_inheritors(relation, AccessShareLock, NULL) : list_make1_oid(relation);
	MemoryContext old;
	Afar	   *one;

	if (!can_be_opened(relations))
		return afar;
	old = MemoryContextSwitchTo(where);
	one = palloc(sizeof(Afar));
	one->query = psprintf("SELECT FROM %s%s WHERE $1", inherited ? "" : "ONLY ", dpem_relation_qualified_name(relation));
	one->role = role;
	afar = lappend(afar, one);
	MemoryContextSwitchTo(old);
	return afar;
}

/* a generic plan: one for this value would have no scan */
static void
open_one(void *argument)
{
	const Afar *one = argument;
	Oid			types[] = {BOOLOID};
	Datum		values[] = {BoolGetDatum(false)};
	DpemIdentity saved;
	SPIPlanPtr	plan;

	dpem_identity_enter(&saved, one->role, true);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	plan = SPI_prepare_cursor(one->query, lengthof(types), types, CURSOR_OPT_GENERIC_PLAN);
	if (plan == NULL || SPI_execute_plan(plan, values, NULL, true, 0) != SPI_OK_SELECT)
		elog(ERROR, "dpem: unexpected result of a query without rows");
	SPI_finish();
	dpem_identity_leave(&saved);
}

ErrorData *
dpem_source_open_afar(List *afar)
{
	ErrorData  *error = NULL;
	ListCell   *cell;

	foreach(cell, afar)
	{
		if (error == NULL)
			error = dpem_attempt(open_one, lfirst(cell), true);
	}
	return error;
}

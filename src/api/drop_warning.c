/*
 * drop_warning.c - DROP EXTENSION dpem says what it forgets, and forgets charges only with CASCADE.
 *
 * An event trigger on ddl_command_start: at sql_drop the extension's own
 * trigger would be gone already.
 */
#include "postgres.h"

#include "commands/event_trigger.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "nodes/value.h"
#include "utils/acl.h"
#include "utils/guc.h"

#include "server/as_owner.h"

PG_FUNCTION_INFO_V1(dpem_warn_drop);

static bool
drops_dpem(Node *statement)
{
	DropStmt   *drop = (DropStmt *) statement;
	ListCell   *cell;

	if (statement == NULL || !IsA(statement, DropStmt) || drop->removeType != OBJECT_EXTENSION)
		return false;
	foreach(cell, drop->objects)
	{
		if (IsA(lfirst(cell), String) && strcmp(strVal(lfirst(cell)), "dpem") == 0)
			return true;
	}
	return false;
}

Datum
dpem_warn_drop(PG_FUNCTION_ARGS)
{
	DpemIdentity saved;
	int64		datasets,
				charges,
				models;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("not called as an event trigger")));
	/* who may not drop it is told so by the command, and learns no numbers here */
	if (!drops_dpem(((EventTriggerData *) fcinfo->context)->parsetree) ||
		!has_privs_of_role(GetUserId(), dpem_extension_owner()))
		PG_RETURN_NULL();
	dpem_owner_enter(&saved);
	dpem_spi_query("SELECT (SELECT count(*) FROM dpem.dataset),"
				   " (SELECT count(DISTINCT charge) FROM dpem.charge), (SELECT count(*) FROM dpem.model)",
				   0, NULL, NULL, NULL, false, SPI_OK_SELECT);
	datasets = dpem_spi_int64(0, 1);
	charges = dpem_spi_int64(0, 2);
	models = dpem_spi_int64(0, 3);
	dpem_owner_leave(&saved);
	/* a script of pg_dump --clean drops what it then restores; like no one else it does not check functions' bodies */
	if (charges > 0 && check_function_bodies && ((DropStmt *) ((EventTriggerData *) fcinfo->context)->parsetree)->behavior != DROP_CASCADE)
		ereport(ERROR,
				(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				 errmsg("extension dpem has a ledger of " INT64_FORMAT " charges", charges),
				 errdetail("Without it nobody knows what was spent, and the budgets of the same persons would begin anew."),
				 errhint("Keep a dump (pg_dump) of the database. DROP EXTENSION dpem CASCADE drops the ledger, too.")));
	if (datasets + charges + models > 0)
		ereport(WARNING,
				(errmsg("dropping extension dpem forgets " INT64_FORMAT " datasets, " INT64_FORMAT
						" models and a ledger of " INT64_FORMAT " charges", datasets, models, charges),
				 errhint("Afterwards nobody knows what was spent. Keep a dump (pg_dump) of the database.")));
	PG_RETURN_NULL();
}

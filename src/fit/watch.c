/*
 * watch.c - see watch.h.
 *
 * The executor's hook sees every query of the session, those of C code
 * included; the log's hook sees every message.  Both are in place while a
 * watch runs and are handed back afterwards.  What is watched is kept from the
 * client, which asked for dp_selftest's answer only.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "nodes/params.h"
#include "utils/elog.h"
#include "utils/guc.h"

#include "fit/watch.h"
#include "scan/pass.h"
#include "server/version_shims.h"

static DpemWatch *running = NULL;
static ExecutorStart_hook_type previous_start = NULL;
static emit_log_hook_type previous_log = NULL;

/* a pass is a bytea: its bits hold everything that a fit has learned so far */
static void
log_passes(StringInfo log, ParamListInfo params)
{
	for (int i = 0; params != NULL && i < params->numParams; i++)
	{
		const ParamExternData *param = &params->params[i];

		if (param->ptype == BYTEAOID && !param->isnull)
		{
			bytea	   *value = DatumGetByteaPCopy(param->value);

			dpem_pass_clear_rows(value);
			appendStringInfo(log, " [" UINT64_FORMAT "]",
							 hash_bytes_extended((unsigned char *) VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value), 0));
		}
	}
}

static void
watch_query(QueryDesc *query, int flags)
{
	if (running != NULL)
	{
		running->queries++;
		appendStringInfoString(&running->query_log, query->sourceText);
		log_passes(&running->query_log, query->params);
		appendStringInfoChar(&running->query_log, '\n');
	}
	if (previous_start)
		previous_start(query, flags);
	else
		standard_ExecutorStart(query, flags);
}

static void
watch_message(ErrorData *edata)
{
	if (running != NULL && edata->output_to_client)
	{
		running->messages++;
		appendStringInfo(&running->message_log, "%d %s %s %s %s\n", edata->elevel,
						 unpack_sql_state(edata->sqlerrcode), edata->message ? edata->message : "",
						 edata->detail ? edata->detail : "", edata->hint ? edata->hint : "");
		edata->output_to_client = false;
		/* it is there only because the watch asked for it */
		edata->output_to_server &= edata->elevel >= WARNING;
	}
	if (previous_log)
		previous_log(edata);
}

DpemWatch *
dpem_watch_create(void)
{
	DpemWatch  *watch = palloc0(sizeof(DpemWatch));

	initStringInfo(&watch->query_log);
	initStringInfo(&watch->message_log);
	return watch;
}

void
dpem_watch_start(DpemWatch *watch)
{
	if (running != NULL)
		elog(ERROR, "dpem: watched twice");
	previous_start = ExecutorStart_hook;
	previous_log = emit_log_hook;
	ExecutorStart_hook = watch_query;
	emit_log_hook = watch_message;
	running = watch;
	/* the log's hook sees what goes to the log */
	(void) set_config_option("client_min_messages", "notice", PGC_SUSET, PGC_S_SESSION,
							 GUC_ACTION_LOCAL, true, 0, false);
	(void) set_config_option("log_min_messages", "info", PGC_SUSET, PGC_S_SESSION,
							 GUC_ACTION_LOCAL, true, 0, false);
}

void
dpem_watch_stop(void)
{
	if (running == NULL)
		return;
	ExecutorStart_hook = previous_start;
	emit_log_hook = previous_log;
	running = NULL;
}

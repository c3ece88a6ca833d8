/*
 * raw_keys.c - see raw_keys.h.
 *
 * The query's rows go to the sink as the executor makes them: they are gathered
 * nowhere, however many keys there are.
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "nodes/parsenodes.h"
#include "utils/builtins.h"

#include "scan/query/raw_keys.h"
#include "scan/query/source_query.h"

typedef struct KeyReceiver
{
	DpemRowReceiver rows;		/* must be first */
	DpemKeySink *sink;
} KeyReceiver;

static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	DpemKeySink *sink = ((KeyReceiver *) self)->sink;
	char	   *key;

	slot_getallattrs(slot);
	if (slot->tts_isnull[0])
		return true;
	key = TextDatumGetCString(slot->tts_values[0]);
	sink->take(sink, key, DatumGetInt64(slot->tts_values[1]));
	explicit_bzero(key, strlen(key));
	pfree(key);
	return true;
}

static void
scan_keys(DpemSource *source, void *argument)
{
	KeyReceiver receiver = {.rows.receiver.receiveSlot = receive_row,.sink = argument};

	dpem_source_execute(source, source->query, CURSOR_OPT_GENERIC_PLAN, NULL, &receiver.rows);
}

void
dpem_source_scan_keys(DpemSource *source, DpemKeySink *sink)
{
	if (!source->seeks_keys)
		elog(ERROR, "dpem: a scan for keys of a source without a key");
	dpem_source_guard(source, scan_keys, sink);
}

const DpemRowsRead *
dpem_source_rows(const DpemSource *source)
{
	return &source->rows;
}

DpemDistinct
dpem_source_distinct(const DpemSource *source)
{
	return source->distinct;
}

/*
 * raw_keys.c - see raw_keys.h.
 *
 * The query's rows go to the sink as the executor makes them: they are gathered
 * nowhere, however many keys there are.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "tcop/dest.h"
#include "utils/builtins.h"

#include "scan/query/raw_keys.h"
#include "scan/query/source_query.h"

typedef struct KeyReceiver
{
	DestReceiver receiver;		/* must be first */
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
receive_nothing(DestReceiver *self, int operation, TupleDesc columns)
{
}

static void
end_receiving(DestReceiver *self)
{
}

static void
scan_keys(DpemSource *source, void *argument)
{
	KeyReceiver receiver = {{receive_row, receive_nothing, end_receiving, end_receiving, DestTuplestore}, argument};
	SPIExecuteOptions options = {.read_only = true,.dest = &receiver.receiver};
	SPIPlanPtr	plan;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "dpem: SPI_connect failed");
	plan = SPI_prepare_cursor(source->query, 0, NULL, CURSOR_OPT_PARALLEL_OK | CURSOR_OPT_GENERIC_PLAN);
	if (plan == NULL || SPI_execute_plan_extended(plan, &options) != SPI_OK_SELECT)
		elog(ERROR, "dpem: unexpected result of a scan for keys");
	SPI_finish();
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

/*
 * source.c - a scan of a private source and its pinned surroundings.
 *
 * The query (source_query.c) runs as the source's owner in a
 * security-restricted operation.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "ledger/rehearsal.h"
#include "registry/source_capture.h"
#include "registry/source_relations.h"
#include "scan/query/source_query.h"
#include "server/as_owner.h"
#include "server/errors.h"
#include "server/version_shims.h"

static void
find_told(DpemSource *source, const DpemBinding *bound)
{
	ListCell   *cell;
	int			at = 0;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);

		if (column->kind == DPEM_COLUMN_OBSERVED && source->known++ == 0)
			source->told = at;
		at += column->length;
	}
}

/* in the coordinates of the columns' scales */
static void
fill_domain(DpemSource *source, const DpemBinding *bound)
{
	double	   *scale = palloc(source->d * sizeof(double));
	ListCell   *cell;
	int			j = 0;

	source->lower = palloc(source->d * sizeof(double));
	source->upper = palloc(source->d * sizeof(double));
	foreach(cell, bound->columns)
	{
		DpemColumn *column = lfirst(cell);

		for (int i = 0; i < column->length; i++, j++)
		{
			source->lower[j] = dpem_scale_apply(column->scale, column->lower);
			source->upper[j] = dpem_scale_apply(column->scale, column->upper);
			scale[j] = column->scale;
		}
		if (column->scale != DPEM_SCALE_LINEAR)
			source->scale = scale;
	}
}

static Datum
vocabulary_of(const DpemColumn *column)
{
	Datum	   *words = palloc(column->length * sizeof(Datum));

	for (int i = 0; i < column->length; i++)
		words[i] = CStringGetTextDatum(column->words[i]);
	return PointerGetDatum(construct_array(words, column->length, TEXTOID, -1, false, TYPALIGN_INT));
}

static bool
reads_tables(const DpemDataset *ds)
{
	ListCell   *cell;

	foreach(cell, dpem_dataset_relations(ds))
	{
		if (get_rel_relkind(lfirst_oid(cell)) != RELKIND_RELATION)
			return false;
	}
	return true;
}

DpemSource *
dpem_source_open(const DpemBinding *bound, const DpemReader *reader, const DpemSample *sample)
{
	DpemSource *source = palloc0(sizeof(DpemSource));

	source->dataset = bound->dataset;
	if (reader != NULL && (reader->role != GetUserId() || reader->source != bound->dataset->source))
		elog(ERROR, "dpem: a reader's proof of another role or source");
	if (reader == NULL)
	{
		ListCell   *cell;

		foreach(cell, dpem_dataset_relations(bound->dataset))
			dpem_source_refuse_capture(lfirst_oid(cell), bound->dataset->name);
		source->run_as = dpem_dataset_source_owner(bound->dataset);
	}
	source->d = dpem_binding_dimension(bound);
	source->groups = bound->grouping ? dpem_binding_groups(bound) : 0;
	source->classes = bound->label ? bound->label->classes : 0;
	source->unknown = bound->unknown;
	find_told(source, bound);
	source->rows = (DpemRowsRead) {
		.rehearsed = dpem_rehearsal_covers(bound->dataset->id, bound->dataset->source),.replace_one = bound->dataset->replace_one,
			.rows_per_unit = bound->dataset->max_rows_per_unit,.together = bound->together || bound->dataset->unit == NULL,.groups = Max(source->groups, 1),
			.sampling = sample ? sample->sampling : DPEM_SAMPLING_NONE,.rate = sample ? sample->rate : 1
	};
	dpem_source_build_query(source, bound, sample);
	source->is_table = source->shards == NULL && reads_tables(bound->dataset);
	fill_domain(source, bound);
	if (dpem_binding_documents(bound) != NULL)
		source->vocabulary = vocabulary_of(dpem_binding_documents(bound));
	return source;
}

void
dpem_source_describe(const DpemSource *source, DpemPass *pass)
{
	pass->map.d = source->d;
	pass->map.lower = source->lower;
	pass->map.upper = source->upper;
	pass->scale = source->scale;
	pass->nargs = source->nargs;
	pass->arg_lengths = source->arg_lengths;
	pass->groups = source->groups;
	pass->classes = source->classes;
	pass->unknown = source->unknown;
	pass->known = source->known;
	pass->told = source->told;
}

/* header of a tuple and its line pointer, and the narrowest form of the columns */
static int
row_width(const DpemBinding *bound)
{
	int			width = SizeofHeapTupleHeader + sizeof(ItemIdData);
	ListCell   *cell;

	foreach(cell, bound->columns)
	{
		const DpemColumn *column = lfirst(cell);
		int			typlen = OidIsValid(column->type) ? get_typlen(column->type) : 0;

		if (column->kind == DPEM_COLUMN_ARRAY)
			width += column->length * (column->type == FLOAT8ARRAYOID ? sizeof(float8) : sizeof(float4));
		else if (column->kind != DPEM_COLUMN_CONSTANT && column->kind != DPEM_COLUMN_OBSERVED)
			width += typlen > 0 ? typlen : 4;
	}
	return width;
}

void
dpem_source_keep_rows(DpemSource *source, const DpemBinding *bound, int features, int codes, int passes)
{
	DpemIdentity saved;
	double		rows;

	/* documents are read by an aggregate of their own, keys by none, and neither keeps rows */
	if (source->vocabulary != 0 || source->seeks_keys ||
		!dpem_source_expected_rows(bound->dataset->source, row_width(bound), &rows))
		return;
	/* where the file goes is the owner's business, not the session's */
	dpem_identity_enter(&saved, InvalidOid, false);
	source->resident = dpem_resident_fit_begin((DpemResidentShape) {
		.d = source->d,.features = codes > 0 ? 0 : features,.codes = codes,.groups = Max(source->groups, 1)
	}, rows, passes);
	dpem_identity_leave(&saved);
}

bool
dpem_source_keeps_rows(const DpemSource *source)
{
	return source->resident != NULL;
}

void
dpem_source_close(DpemSource *source)
{
	if (source->resident != NULL)
		dpem_resident_fit_end(source->resident);
	source->resident = NULL;
}

/* may the first, or a later, pass of a fit that keeps rows be this one? */
static bool
can_keep(const DpemSource *source, const DpemPass *pass)
{
	return source->resident != NULL && pass->kernel->aggregate == NULL;
}

/* sends a query; its rows are kept where there is room for them */
static DpemRawMoments *
scan_query(DpemSource *source, const DpemPass *pass)
{
	DpemPass	with = *pass;
	DpemMomentLayout layout = dpem_pass_moments(pass);
	DpemRawMoments *moments;
	bytea	   *wire;

	with.rows = can_keep(source, pass) ? dpem_resident_fit_place(source->resident) : 0;
	wire = dpem_source_query_pass(source, &with);
	if (wire == NULL && pass->kernel->contribution == DPEM_BLOCK_OUTPUT)
		wire = dpem_blocks_without_rows(pass);
	moments = dpem_raw_moments_read(wire, pass->kernel, &layout, pass->map.bits > 0);
	if (with.rows != 0)
		dpem_resident_fit_filled(source->resident, pass);
	return moments;
}

static DpemRawMoments *
run_pass(DpemSource *source, const DpemPass *pass)
{
	if (can_keep(source, pass) && dpem_resident_fit_place(source->resident) == 0)
		return dpem_resident_fit_pass(source->resident, pass);
	return scan_query(source, pass);
}

static const char *
what_stands(const DpemSource *source)
{
	return source->asks ? "Nothing was charged." : "The charge stands.";
}

static void
refuse_uncharged(const DpemSource *source)
{
	ereport(ERROR,
			(errcode(ERRCODE_DPEM_SOURCE_CHANGED),
			 errmsg("the source of dataset \"%s\" has come to read another table since the charge", source->dataset->name),
			 errdetail("%s That table was not read.", what_stands(source)),
			 errhint("Ask again in a new transaction: the next charge is for that table, too, or says why it cannot be.")));
}

/*
 * Whatever went wrong may speak of rows: it goes to the server log only.
 * What the analyst sees depends on nothing but its class.  Logging would
 * end with a look at interrupts, and raise the error of a worker that failed at
 * the same time; interrupts wait for the end of the transaction, which
 * takes the workers with it.
 */
static void
hide_error(const DpemSource *source)
{
	ErrorData  *error;
	bool		cancelled;

	HOLD_INTERRUPTS();
	MemoryContextSwitchTo(TopTransactionContext);
	error = CopyErrorData();
	FlushErrorState();
	cancelled = error->sqlerrcode == ERRCODE_QUERY_CANCELED;
	ereport(LOG_SERVER_ONLY,
			(errcode(error->sqlerrcode),
			 errmsg_internal("dpem: scan of a private source failed: %s", error->message),
			 error->detail ? errdetail_internal("%s", error->detail) : 0,
			 error->context ? errcontext_msg("%s", error->context) : 0,
			 errhidecontext(false)));
	if (cancelled)
		ereport(ERROR,
				(errcode(ERRCODE_QUERY_CANCELED),
				 errmsg("canceling a private scan on request or timeout"),
				 errdetail("%s", what_stands(source))));
	if (source->uncharged)
		refuse_uncharged(source);
	if (source->asks && error->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE)
		dpem_source_refuse_distrust();
	ereport(ERROR,
			(errcode(ERRCODE_DPEM_SCAN_FAILED),
			 errmsg("the private source could not be scanned"),
			 errdetail("%s", what_stands(source)),
			 errhint("The owner of the dataset finds the reason in the server log.")));
}

/*
 * EXPLAIN (BUFFERS, WAL), pg_stat_statements and auto_explain would add what
 * the scan touched to the analyst's own statement.
 */
static void
forget_usage(const BufferUsage *buffers, const WalUsage *wal)
{
	pgBufferUsage = *buffers;
	pgWalUsage = *wal;
}

void
dpem_source_guard(DpemSource *source, void (*body) (DpemSource *source, void *argument), void *argument)
{
	const CommandDest dest = whereToSendOutput;
	const BufferUsage buffers = pgBufferUsage;
	const WalUsage wal = pgWalUsage;
	const MemoryContext here = CurrentMemoryContext;
	const bool	private = OidIsValid(source->run_as);
	DpemIdentity saved;

	dpem_identity_enter(&saved, source->run_as, private);
	if (private)
		dpem_source_watch(source);
	PG_TRY();
	{
		/* nothing goes to the client meanwhile: INFO would, whatever client_min_messages is */
		whereToSendOutput = DestNone;
		body(source, argument);
		whereToSendOutput = dest;
		if (private)
			forget_usage(&buffers, &wal);
	}
	PG_CATCH();
	{
		whereToSendOutput = dest;
		/* a reader of the rows may see what is wrong with one */
		if (!private)
			dpem_rethrow_outside(here);
		forget_usage(&buffers, &wal);
		hide_error(source);
	}
	PG_END_TRY();
	dpem_identity_leave(&saved);
}

typedef struct PassScan
{
	const DpemPass *pass;
	DpemRawMoments *moments;
} PassScan;

static void
scan_pass(DpemSource *source, void *argument)
{
	PassScan   *scan = argument;

	scan->moments = run_pass(source, scan->pass);
}

DpemRawMoments *
dpem_source_scan(DpemSource *source, const DpemPass *pass)
{
	PassScan	scan = {pass, NULL};

	if (source->seeks_keys)
		elog(ERROR, "dpem: a pass over a source whose keys are not known");
	dpem_source_guard(source, scan_pass, &scan);
	dpem_raw_moments_set_rows(scan.moments, &source->rows);
	dpem_raw_moments_note_tables(scan.moments, pass);
	return scan.moments;
}

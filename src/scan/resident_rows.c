/*
 * resident_rows.c - see resident_rows.h.
 *
 * One segment: a header, then slots of one size.  Blocks are numbered in the
 * order of their putting; those below the number of slots are in memory, block
 * i of the others is record i - slots of the files, which take turns.  Nobody
 * reads before all have put, and a block is of one process at a time: slots
 * need no lock.
 *
 * The files are unlinked when the leader detaches, however the fit ends.  They are
 * there, empty, also where all rows fit, so that what others could see of a fit
 * does not depend on the number of rows.  They lie in a directory of its own,
 * below those whose files pg_tablespace_size adds up.
 */
#include "postgres.h"

#include <fcntl.h>
#include <math.h>

#include "access/xact.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/dsm.h"
#include "storage/dsm_impl.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "core/pass/feature_store.h"
#include "scan/resident_inside.h"
#include "server/version_shims.h"

#define ROWS_MAGIC	   UINT64CONST(0x6470656d726f7773) /* "dpemrows" */

/* ---- sizes ---- */

static Size
features_offset(void)
{
	return TYPEALIGN(SLOT_ALIGNMENT, sizeof(DpemResidentSlot)) + DPEM_BLOCK_ROWS;
}

static Size
record_offset(DpemResidentShape shape)
{
	return features_offset() + DPEM_FEATURE_STORE_LENGTH(shape.features) * sizeof(int16);
}

static DpemResidentSlot *
slot_at(const DpemRowsHeader *header, uint32 index)
{
	return (DpemResidentSlot *) ((char *) header + TYPEALIGN(SLOT_ALIGNMENT, sizeof(DpemRowsHeader)) +
								 index * header->slot_size);
}

/* a few more than the rows need: each process ends with blocks that are not full, one of each group */
static uint32
slots_for(double rows, int groups, Size memory, Size slot_size)
{
	double		blocks = ceil(Max(rows, 0) / DPEM_BLOCK_ROWS);
	double		room = floor((double) memory / slot_size);

	return (uint32) Min(Min(floor(blocks * 17 / 16) + groups, room), UINT32_MAX / 2);
}

/* ---- life ---- */

/*
 * Unlinks the files and overwrites rows in memory that the next user of the
 * segment would find; the kernel clears what it gives out itself.  Unlinking
 * would count and log the file's size, where the analyst could see it.
 */
static void
on_leader_detach(dsm_segment *segment, Datum header_of)
{
	DpemRowsHeader *header = (DpemRowsHeader *) DatumGetPointer(header_of);
	bool		track_counts = pgstat_track_counts;
	int			log_files = log_temp_files;

	if (min_dynamic_shared_memory > 0)
		explicit_bzero(slot_at(header, 0), header->slots * header->slot_size);
	pgstat_track_counts = false;
	log_temp_files = -1;
	FileSetDeleteAll(&header->files);
	pgstat_track_counts = track_counts;
	log_temp_files = log_files;
}

/* NULL where the system has no such segment to give; in a subtransaction, which undoes what was begun */
static dsm_segment *
try_segment(Size size)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	dsm_segment *volatile segment = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		segment = dsm_create(size, 0);
		dsm_pin_mapping(segment);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		segment = NULL;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	if (segment != NULL)
		dsm_unpin_mapping(segment);
	return segment;
}

static void
fill_header(DpemRowsHeader *header, DpemResidentShape shape, uint32 slots, Size slot_size)
{
	memset(header, 0, sizeof(DpemRowsHeader));
	header->leader = MyProcPid;
	header->shape = shape;
	header->slots = slots;
	header->slot_size = slot_size;
	pg_atomic_init_u32(&header->blocks, 0);
	FileSetInit(&header->files);
	header->magic = ROWS_MAGIC;
}

/*
 * A segment for *slots slots, fewer where the system has no more: half as many
 * until there is one, and then a quarter of that, so that enough is left for
 * the server's own parallel queries.
 */
static dsm_segment *
find_segment(uint32 *slots, Size slot_size)
{
	Size		first = TYPEALIGN(SLOT_ALIGNMENT, sizeof(DpemRowsHeader));
	dsm_segment *segment = try_segment(add_size(first, mul_size(*slots, slot_size)));

	if (segment != NULL)
		return segment;
	while (segment == NULL && *slots > 0)
	{
		*slots /= 2;
		CHECK_FOR_INTERRUPTS();
		segment = try_segment(add_size(first, mul_size(*slots, slot_size)));
	}
	if (segment != NULL)
	{
		dsm_detach(segment);
		*slots /= 4;
		segment = try_segment(add_size(first, mul_size(*slots, slot_size)));
	}
	if (segment == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("there is no dynamic shared memory to keep rows in"),
				 errhint("Set dpem.resident_memory to 0 to read the source in every pass.")));
	return segment;
}

DpemResidentRows *
dpem_resident_rows_create(DpemResidentShape shape, double rows, Size memory)
{
	DpemResidentRows *resident = palloc0(sizeof(DpemResidentRows));
	Size		slot_size = add_size(record_offset(shape), dpem_resident_record_size(&shape, DPEM_BLOCK_ROWS));
	uint32		slots = slots_for(rows, shape.groups, memory, slot_size);

	resident->segment = find_segment(&slots, slot_size);
	resident->context = CurrentMemoryContext;
	resident->attached = true;
	resident->header = dsm_segment_address(resident->segment);
	fill_header(resident->header, shape, slots, slot_size);
	on_dsm_detach(resident->segment, on_leader_detach, PointerGetDatum(resident->header));
	dpem_resident_files_create(resident);
	return resident;
}

void
dpem_resident_rows_detach(DpemResidentRows *resident)
{
	dpem_resident_files_close(resident);
	if (resident->record != NULL)
		pfree(resident->record);
	resident->record = NULL;
	if (resident->attached)
		dsm_detach(resident->segment);
	resident->attached = false;
	resident->header = NULL;
}

void
dpem_resident_rows_destroy(DpemResidentRows *resident)
{
	dpem_resident_rows_detach(resident);
	pfree(resident);
}

uint32
dpem_resident_rows_handle(const DpemResidentRows *resident)
{
	return dsm_segment_handle(resident->segment);
}

static pid_t
leader_pid(void)
{
	return MyProc->lockGroupLeader != NULL ? MyProc->lockGroupLeader->pid : MyProcPid;
}

static bool
is_ours(dsm_segment *segment, int d, int groups)
{
	const DpemRowsHeader *header = dsm_segment_address(segment);

	return dsm_segment_map_length(segment) >= sizeof(DpemRowsHeader) && header->magic == ROWS_MAGIC &&
		   header->leader == leader_pid() && header->shape.d == d && header->shape.groups == groups;
}

DpemResidentRows *
dpem_resident_rows_attach(uint32 handle, int d, int groups)
{
	DpemResidentRows *resident;
	dsm_segment *segment = dsm_find_mapping(handle);
	bool		attached = segment == NULL;

	if (attached && (segment = dsm_attach(handle)) == NULL)
		return NULL;
	if (!is_ours(segment, d, groups))
	{
		if (attached)
			dsm_detach(segment);
		return NULL;
	}
	resident = palloc0(sizeof(DpemResidentRows));
	resident->context = CurrentMemoryContext;
	resident->segment = segment;
	resident->attached = attached;
	resident->header = dsm_segment_address(segment);
	return resident;
}

int
dpem_resident_rows_codes(const DpemResidentRows *resident)
{
	return resident->header->shape.codes;
}

uint32
dpem_resident_rows_blocks(const DpemResidentRows *resident)
{
	return pg_atomic_read_u32(&resident->header->blocks);
}

/* ---- records ---- */

static void
write_values(const DpemBlock *block, double *value)
{
	for (int j = 0; j < block->d; j++)
		memcpy(value + (Size) j * block->rows, block->x + (Size) j * DPEM_BLOCK_STRIDE, block->rows * sizeof(double));
}

static void
write_head(DpemBlockRecord *record, const DpemGroupRows *rows)
{
	const DpemBlock *block = &rows->block;
	const double *sign = rows->sign;

	record->rows = block->rows;
	record->group = rows->group;
	for (int row = 0; row < block->rows; row++)
		record->flag[row] = block->keep[row] == 0 ? 0 : sign != NULL ? (int16) sign[row] : 1;
}

static void
write_record(const DpemResidentShape *shape, DpemBlockRecord *record, const DpemGroupRows *rows)
{
	const DpemBlock *block = &rows->block;

	write_head(record, rows);
	if (shape->codes > 0)
		memcpy(RECORD_CODES(record), block->code, dpem_resident_data_size(shape, block->rows));
	else
		write_values(block, RECORD_VALUES(record));
}

/* all but values and flags; codes stay where they are */
static void
read_head(const DpemRowsHeader *header, const DpemBlockRecord *record, DpemGroupRows *rows)
{
	if (record->group < 0 || record->group >= header->shape.groups)
		elog(ERROR, "dpem: kept rows are of no group");
	rows->group = record->group;
	rows->block.rows = record->rows;
	for (int row = 0; rows->sign != NULL && row < record->rows; row++)
		rows->sign[row] = record->flag[row];
	rows->block.code = header->shape.codes > 0 ? RECORD_CODES(record) : NULL;
}

static void
read_flags(const DpemBlockRecord *record, DpemBlock *block)
{
	double	   *keep = block->keep;

	for (int row = 0; row < record->rows; row++)
		keep[row] = record->flag[row] != 0;
}

static void
read_values(const DpemBlockRecord *record, DpemBlock *block)
{
	const double *value = RECORD_VALUES(record);

	for (int j = 0; j < block->d; j++)
		memcpy(block->x + (Size) j * DPEM_BLOCK_STRIDE, value + (Size) j * record->rows,
			   record->rows * sizeof(double));
}

/* ---- blocks ---- */

static DpemResidentSlot *
fill_slot(const DpemRowsHeader *header, uint32 index, const DpemGroupRows *rows)
{
	DpemResidentSlot *slot = slot_at(header, index);

	slot->map = 0;
	slot->features = features_offset();
	slot->room = header->shape.features;
	slot->record = record_offset(header->shape);
	write_record(&header->shape, SLOT_RECORD(slot), rows);
	return slot;
}

DpemResidentSlot *
dpem_resident_rows_put(DpemResidentRows *resident, const DpemGroupRows *rows)
{
	DpemRowsHeader *header = resident->header;
	uint32		index = pg_atomic_fetch_add_u32(&header->blocks, 1);

	if (index < header->slots)
		return fill_slot(header, index, rows);
	write_head(dpem_resident_file_record(resident), rows);
	dpem_resident_file_write(resident, index, header->shape.codes > 0 ? (const void *) rows->block.code : rows->block.x);
	return NULL;
}

DpemResidentSlot *
dpem_resident_rows_get(DpemResidentRows *resident, uint32 index, uint32 map, DpemGroupRows *rows)
{
	DpemRowsHeader *header = resident->header;

	if (index < header->slots)
	{
		DpemResidentSlot *slot = slot_at(header, index);

		read_head(header, SLOT_RECORD(slot), rows);
		if (rows->block.code == NULL && slot->map != map)
		{
			read_flags(SLOT_RECORD(slot), &rows->block);
			read_values(SLOT_RECORD(slot), &rows->block);
		}
		return slot;
	}
	dpem_resident_file_read(resident, index, rows->block.x);
	read_head(header, resident->record, rows);
	if (rows->block.code == NULL)
		read_flags(resident->record, &rows->block);
	return NULL;
}

/* ---- features ---- */

void
dpem_resident_store_features(DpemResidentSlot *slot, uint32 map, const DpemBlock *block)
{
	if (slot->room < block->d)
		return;
	dpem_features_store(block, SLOT_FEATURES(slot), SLOT_KEPT(slot));
	slot->map = map;
}

bool
dpem_resident_restore_features(const DpemResidentSlot *slot, uint32 map, DpemBlock *block)
{
	if (slot->map != map)
		return false;
	dpem_features_restore(SLOT_FEATURES(slot), SLOT_KEPT(slot), block);
	return true;
}

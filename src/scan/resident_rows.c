/*
 * resident_rows.c - see resident_rows.h.
 *
 * One segment: a header, then slots of one size.  Blocks are numbered in the
 * order of their putting; those below the number of slots are in memory, block
 * i of the others is record i - slots of the file.  Nobody reads before all
 * have put, and a block is of one process at a time: slots need no lock.
 *
 * The file is unlinked when the leader detaches, however the fit ends.  It is
 * there, empty, also where all rows fit, so that what others could see of a fit
 * does not depend on the number of rows.  It lies in a directory of its own,
 * below those whose files pg_tablespace_size adds up.
 */
#include "postgres.h"

#include <fcntl.h>
#include <math.h>

#include "access/xact.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "port/atomics.h"
#include "storage/dsm.h"
#include "storage/dsm_impl.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/wait_event.h"

#include "core/pass/feature_store.h"
#include "scan/resident_rows.h"
#include "server/version_shims.h"

#define ROWS_MAGIC	   UINT64CONST(0x6470656d726f7773) /* "dpemrows" */
#define ROWS_FILE	   "rows"
#define SLOT_ALIGNMENT 64

typedef struct RowsHeader
{
	uint64		magic;
	pid_t		leader;
	DpemResidentShape shape;
	uint32		slots;
	Size		slot_size;
	pg_atomic_uint32 blocks; /* put so far */
	FileSet		files;
} RowsHeader;

/* in memory; then kept (DPEM_BLOCK_ROWS), features, if they have room, and the block's record */
struct DpemResidentSlot
{
	uint32		map; /* that the features are of; 0: none */
	Size		features; /* where they begin; 0: no room */
	Size		record;
};

/* in memory and in the file; then a flag for each row, then rows * d values, coordinate by coordinate */
typedef struct BlockRecord
{
	int32		rows;
	int32		group;
	int8		flag[DPEM_BLOCK_ROWS]; /* 0: a null row; else 1, or -1 by its label */
} BlockRecord;

struct DpemResidentRows
{
	dsm_segment *segment;
	bool		attached; /* by us, and not found mapped */
	RowsHeader *header;
	File		file; /* 0: not open */
	MemoryContext context;
	BlockRecord *record; /* between the file and a block; NULL before its first use */
};

#define SLOT_KEPT(slot)		  ((int8 *) (slot) + TYPEALIGN(SLOT_ALIGNMENT, sizeof(DpemResidentSlot)))
#define SLOT_FEATURES(slot)	  ((int16 *) ((char *) (slot) + (slot)->features))
#define SLOT_RECORD(slot)	  ((BlockRecord *) ((char *) (slot) + (slot)->record))
#define RECORD_HEADER		  TYPEALIGN(SLOT_ALIGNMENT, sizeof(BlockRecord))
#define RECORD_VALUES(record) ((double *) ((uintptr_t) (record) + RECORD_HEADER))

/* ---- sizes ---- */

static Size
record_size(int d, int rows)
{
	return add_size(RECORD_HEADER, mul_size(mul_size(d, rows), sizeof(double)));
}

static Size
features_offset(void)
{
	return TYPEALIGN(SLOT_ALIGNMENT, sizeof(DpemResidentSlot)) + DPEM_BLOCK_ROWS;
}

static Size
record_offset(DpemResidentShape shape)
{
	return features_offset() + (shape.features ? DPEM_FEATURE_STORE_LENGTH(shape.d) * sizeof(int16) : 0);
}

static DpemResidentSlot *
slot_at(const RowsHeader *header, uint32 index)
{
	return (DpemResidentSlot *) ((char *) header + TYPEALIGN(SLOT_ALIGNMENT, sizeof(RowsHeader)) +
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
 * Unlinks the file and overwrites rows in memory that the next user of the
 * segment would find; the kernel clears what it gives out itself.  Unlinking
 * would count and log the file's size, where the analyst could see it.
 */
static void
on_leader_detach(dsm_segment *segment, Datum header_of)
{
	RowsHeader *header = (RowsHeader *) DatumGetPointer(header_of);
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
fill_header(RowsHeader *header, DpemResidentShape shape, uint32 slots, Size slot_size)
{
	memset(header, 0, sizeof(RowsHeader));
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
	Size		first = TYPEALIGN(SLOT_ALIGNMENT, sizeof(RowsHeader));
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
	Size		slot_size = add_size(record_offset(shape), record_size(shape.d, DPEM_BLOCK_ROWS));
	uint32		slots = slots_for(rows, shape.groups, memory, slot_size);

	resident->segment = find_segment(&slots, slot_size);
	resident->context = CurrentMemoryContext;
	resident->attached = true;
	resident->header = dsm_segment_address(resident->segment);
	fill_header(resident->header, shape, slots, slot_size);
	on_dsm_detach(resident->segment, on_leader_detach, PointerGetDatum(resident->header));
	resident->file = FileSetCreate(&resident->header->files, ROWS_FILE);
	return resident;
}

void
dpem_resident_rows_detach(DpemResidentRows *resident)
{
	if (resident->file > 0)
		FileClose(resident->file);
	resident->file = 0;
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
	const RowsHeader *header = dsm_segment_address(segment);

	return dsm_segment_map_length(segment) >= sizeof(RowsHeader) && header->magic == ROWS_MAGIC &&
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

uint32
dpem_resident_rows_blocks(const DpemResidentRows *resident)
{
	return pg_atomic_read_u32(&resident->header->blocks);
}

/* ---- records ---- */

static void
write_record(BlockRecord *record, const DpemGroupRows *rows)
{
	const DpemBlock *block = &rows->block;
	const double *sign = rows->sign;
	double	   *value = RECORD_VALUES(record);

	record->rows = block->rows;
	record->group = rows->group;
	for (int row = 0; row < block->rows; row++)
		record->flag[row] = block->keep[row] == 0 ? 0 : sign != NULL && sign[row] < 0 ? -1 : 1;
	for (int j = 0; j < block->d; j++)
		memcpy(value + (Size) j * block->rows, block->x + (Size) j * DPEM_BLOCK_STRIDE,
			   block->rows * sizeof(double));
}

/* all but values and flags */
static void
read_head(const RowsHeader *header, const BlockRecord *record, DpemGroupRows *rows)
{
	if (record->group < 0 || record->group >= header->shape.groups)
		elog(ERROR, "dpem: kept rows are of no group");
	rows->group = record->group;
	rows->block.rows = record->rows;
	for (int row = 0; rows->sign != NULL && row < record->rows; row++)
		rows->sign[row] = record->flag[row];
}

static void
read_values(const BlockRecord *record, DpemBlock *block)
{
	const double *value = RECORD_VALUES(record);
	double	   *keep = block->keep;

	for (int row = 0; row < record->rows; row++)
		keep[row] = record->flag[row] != 0;
	for (int j = 0; j < block->d; j++)
		memcpy(block->x + (Size) j * DPEM_BLOCK_STRIDE, value + (Size) j * record->rows,
			   record->rows * sizeof(double));
}

/* ---- the file ---- */

static void
open_file(DpemResidentRows *resident)
{
	if (resident->file <= 0)
		resident->file = FileSetOpen(&resident->header->files, ROWS_FILE, O_RDWR);
	if (resident->file <= 0)
		elog(ERROR, "dpem: the file of kept rows is gone");
	if (resident->record == NULL)
		resident->record = MemoryContextAlloc(resident->context,
											  record_size(resident->header->shape.d, DPEM_BLOCK_ROWS));
}

static off_t
file_offset(const DpemResidentRows *resident, uint32 index)
{
	const RowsHeader *header = resident->header;

	return (off_t) (index - header->slots) * (off_t) record_size(header->shape.d, DPEM_BLOCK_ROWS);
}

/* what a file of one process would be refused for by the server; this one is of several */
static void
check_file_limit(off_t end)
{
	if (temp_file_limit >= 0 && end > (off_t) temp_file_limit * 1024)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("temporary file size exceeds temp_file_limit (%dkB)", temp_file_limit)));
}

static void
transfer(DpemResidentRows *resident, char *at, off_t offset, Size size, bool write)
{
	while (size > 0)
	{
		int			part = (int) Min(size, (Size) 1 << 30);
		int			done = write ? FileWrite(resident->file, at, part, offset, WAIT_EVENT_BUFFILE_WRITE) :
						   FileRead(resident->file, at, part, offset, WAIT_EVENT_BUFFILE_READ);

		if (done <= 0)
			ereport(ERROR, (errcode_for_file_access(),
							write ? errmsg("could not write kept rows to a temporary file: %m") :
									errmsg("could not read kept rows from a temporary file")));
		at += done;
		offset += done;
		size -= done;
	}
}

static void
read_record(DpemResidentRows *resident, off_t offset)
{
	BlockRecord *record;

	open_file(resident);
	record = resident->record;
	transfer(resident, (char *) record, offset, RECORD_HEADER, false);
	if (record->rows < 1 || record->rows > DPEM_BLOCK_ROWS)
		elog(ERROR, "dpem: the file of kept rows is damaged");
	transfer(resident, (char *) RECORD_VALUES(record), offset + RECORD_HEADER,
			 (Size) record->rows * resident->header->shape.d * sizeof(double), false);
}

/* ---- blocks ---- */

static DpemResidentSlot *
fill_slot(const RowsHeader *header, uint32 index, const DpemGroupRows *rows)
{
	DpemResidentSlot *slot = slot_at(header, index);

	slot->map = 0;
	slot->features = header->shape.features ? features_offset() : 0;
	slot->record = record_offset(header->shape);
	write_record(SLOT_RECORD(slot), rows);
	return slot;
}

DpemResidentSlot *
dpem_resident_rows_put(DpemResidentRows *resident, const DpemGroupRows *rows)
{
	RowsHeader *header = resident->header;
	Size		size = record_size(rows->block.d, rows->block.rows);
	uint32		index = pg_atomic_fetch_add_u32(&header->blocks, 1);
	off_t		offset;

	if (index < header->slots)
		return fill_slot(header, index, rows);
	open_file(resident);
	write_record(resident->record, rows);
	offset = file_offset(resident, index);
	check_file_limit(offset + (off_t) size);
	transfer(resident, (char *) resident->record, offset, size, true);
	return NULL;
}

DpemResidentSlot *
dpem_resident_rows_get(DpemResidentRows *resident, uint32 index, uint32 map, DpemGroupRows *rows)
{
	RowsHeader *header = resident->header;

	if (index < header->slots)
	{
		DpemResidentSlot *slot = slot_at(header, index);

		read_head(header, SLOT_RECORD(slot), rows);
		if (slot->map != map)
			read_values(SLOT_RECORD(slot), &rows->block);
		return slot;
	}
	read_record(resident, file_offset(resident, index));
	read_head(header, resident->record, rows);
	read_values(resident->record, &rows->block);
	return NULL;
}

/* ---- features ---- */

void
dpem_resident_store_features(DpemResidentSlot *slot, uint32 map, const DpemBlock *block)
{
	if (slot->features == 0)
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

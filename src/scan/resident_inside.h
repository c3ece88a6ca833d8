/*
 * resident_inside.h - how kept rows lie in shared memory and in their file, for
 * resident_rows.c and resident_file.c.
 */
#ifndef DPEM_SCAN_RESIDENT_INSIDE_H
#define DPEM_SCAN_RESIDENT_INSIDE_H

#include "port/atomics.h"
#include "storage/dsm.h"
#include "storage/sharedfileset.h"

#include "scan/resident_rows.h"
#include "server/version_shims.h"

#define DPEM_ROWS_FILES 4	/* which processes that write one block after another write to in turn: one waits for no other */
#define SLOT_ALIGNMENT 64

typedef struct DpemRowsHeader
{
	uint64		magic;
	pid_t		leader;
	DpemResidentShape shape;
	uint32		slots;
	Size		slot_size;
	pg_atomic_uint32 blocks; /* put so far */
	FileSet		files;
} DpemRowsHeader;

/* in memory; then kept (DPEM_BLOCK_ROWS), features, if they have room, and the block's record */
struct DpemResidentSlot
{
	uint32		map; /* feature map of the features; 0: no features */
	Size		features; /* where they begin */
	int			room;	  /* for so many of each row; 0: none */
	Size		record;
};

/*
 * In memory and in a file; then values, coordinate by coordinate (rows of each in memory, DPEM_BLOCK_STRIDE in a file), or,
 * of a shape with codes, these, each for DPEM_BLOCK_ROWS rows.
 */
typedef struct DpemBlockRecord
{
	int32		rows;
	int32		group;
	int16		flag[DPEM_BLOCK_ROWS]; /* 0: a null row; else 1, or its label */
} DpemBlockRecord;

struct DpemResidentRows
{
	dsm_segment *segment;
	bool		attached; /* by this module, not found mapped */
	DpemRowsHeader *header;
	File		file[DPEM_ROWS_FILES]; /* 0: not open */
	MemoryContext context;
	DpemBlockRecord *record; /* of a file, without values; NULL before its first use */
};

#define SLOT_KEPT(slot)		  ((int8 *) (slot) + TYPEALIGN(SLOT_ALIGNMENT, sizeof(DpemResidentSlot)))
#define SLOT_FEATURES(slot)	  ((int16 *) ((char *) (slot) + (slot)->features))
#define SLOT_RECORD(slot)	  ((DpemBlockRecord *) ((char *) (slot) + (slot)->record))
#define RECORD_HEADER		  TYPEALIGN(SLOT_ALIGNMENT, sizeof(DpemBlockRecord))
#define RECORD_VALUES(record) ((double *) ((uintptr_t) (record) + RECORD_HEADER))
#define RECORD_CODES(record)  ((int16 *) ((uintptr_t) (record) + RECORD_HEADER))

/* bytes of a record of so many rows in memory, and of what comes after its header */
extern Size dpem_resident_record_size(const DpemResidentShape *shape, int rows);
extern Size dpem_resident_data_size(const DpemResidentShape *shape, int rows);

/* the files, empty; closed, if they are open */
extern void dpem_resident_files_create(DpemResidentRows *resident);
extern void dpem_resident_files_close(DpemResidentRows *resident);

/* room for the head of a record of a file, and for codes */
extern DpemBlockRecord *dpem_resident_file_record(DpemResidentRows *resident);

/*
 * That record to and from the place of block `index` in its file, with the values or codes of its block (data) and its
 * values (x; codes are read into the record); raises what files raise.
 */
extern void dpem_resident_file_write(DpemResidentRows *resident, uint32 index, const void *data);
extern void dpem_resident_file_read(DpemResidentRows *resident, uint32 index, double *x);

#endif							/* DPEM_SCAN_RESIDENT_INSIDE_H */

/*
 * resident_rows.h - the rows of a fit, kept between its passes.
 *
 * The first pass of a fit puts the blocks that it reads into dynamic shared
 * memory, in as many slots as dpem.resident_memory allows, and the others into
 * temporary files of the server's; later passes take them from there.  What
 * is kept is what the query returned: raw column values, whether a row counts,
 * and its label, in blocks of rows of one group, with the group's
 * number.  Slots also hold the features that the last feature map of the group
 * made of the values.
 *
 * Only the process that made them (the leader of a fit) and its parallel
 * workers can attach to them.
 */
#ifndef DPEM_SCAN_RESIDENT_ROWS_H
#define DPEM_SCAN_RESIDENT_ROWS_H

#include "core/pass/block.h"

typedef struct DpemResidentRows DpemResidentRows;

/* shape of the rows of a fit */
typedef struct DpemResidentShape
{
	int			d;
	int			features; /* that are kept beside a row, where it is in memory: as many as a map makes at most; 0: none */
	int			codes; /* of a row, which are kept instead of it (core/kernels/kernel.h, encode); 0: none */
	int			groups; /* at least 1 */
} DpemResidentShape;

/* rows of one group: its number, from 0; raw column values and keep flags; the label of each row (column_reader.h), or NULL */
typedef struct DpemGroupRows
{
	int			group;
	DpemBlock	block;
	double	   *sign;
} DpemGroupRows;

/* the number of the feature maps, one for each group, of the pass that puts the rows */
#define DPEM_RESIDENT_FIRST_MAP 1

/* one block in shared memory; of one process at a time */
typedef struct DpemResidentSlot DpemResidentSlot;

/*
 * Room for blocks of this shape: about `rows` rows, in at most `memory`
 * bytes of shared memory, less where the system has no more; and empty
 * files for what does not fit.  Everything is released by
 * dpem_resident_rows_destroy, or at the end of the current resource owner.
 */
extern DpemResidentRows *dpem_resident_rows_create(DpemResidentShape shape, double rows, Size memory);

extern void dpem_resident_rows_destroy(DpemResidentRows *rows);

/* what a worker attaches by; never 0 */
extern uint32 dpem_resident_rows_handle(const DpemResidentRows *rows);

/*
 * Attaches in the leader or one of its workers; NULL unless the handle is that
 * of rows of d coordinates in so many groups which this process may use.
 * Detach before the query or the worker ends.
 */
extern DpemResidentRows *dpem_resident_rows_attach(uint32 handle, int d, int groups);
extern void dpem_resident_rows_detach(DpemResidentRows *rows);

/*
 * Gives back the memory that the system keeps files in, of part `part` of so many, from 0, as far as this process has read them: for
 * rows that nobody reads any more.
 */
extern void dpem_resident_rows_empty(DpemResidentRows *resident, int part, int parts);

/* codes of a row that are kept instead of it; 0: none */
extern int dpem_resident_rows_codes(const DpemResidentRows *rows);

/* blocks that were put */
extern uint32 dpem_resident_rows_blocks(const DpemResidentRows *rows);

/*
 * Keeps a block, or its codes.  Returns its slot, or NULL if it went into a file.  Raises
 * if that cannot take it (temp_file_limit, a full disk).
 */
extern DpemResidentSlot *dpem_resident_rows_put(DpemResidentRows *resident, const DpemGroupRows *rows);

/* block `index`, below dpem_resident_rows_blocks, as it was put; rows->sign may be NULL.  Not its
   values and flags, where features of `map` are kept, to be restored, or codes, which are there until the next get. */
extern DpemResidentSlot *dpem_resident_rows_get(DpemResidentRows *resident, uint32 index, uint32 map,
												DpemGroupRows *rows);

/*
 * The features that the feature maps number `map` (not 0) made of the slot's rows:
 * kept; put into the block, or false if there are none of this map.
 */
extern void
dpem_resident_store_features(DpemResidentSlot *slot, uint32 map, const DpemBlock *block);
extern bool
dpem_resident_restore_features(const DpemResidentSlot *slot, uint32 map, DpemBlock *block);

#endif /* DPEM_SCAN_RESIDENT_ROWS_H */

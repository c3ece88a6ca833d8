/*
 * moments.h - the aggregate dpem_internal.moments(pass bytea, VARIADIC "any") and its result.
 *
 * Raw moments are the private side of the wall: they may be passed to
 * dpem_release (release.h) and to nothing else.  Their definition is in
 * raw_moments.h, for the scan and the wall.
 */
#ifndef DPEM_SCAN_MOMENTS_H
#define DPEM_SCAN_MOMENTS_H

#include "core/kernels/kernel.h"
#include "core/pass/moments.h"
#include "ledger/rows_read.h"
#include "scan/pass.h"

/* exact integers derived from private rows */
typedef struct DpemRawMoments DpemRawMoments;

/*
 * Reads the bytea that the aggregate returned (NULL: the source has no row)
 * for a pass of this kernel and layout; an internal error if they are of
 * another.  The bytes are wiped and freed.
 */
extern DpemRawMoments *dpem_raw_moments_read(bytea *wire, const DpemKernel *kernel, const DpemMomentLayout *layout,
											 bool exact);

/* for passes of kernel blocks or block_cells over a source without rows, the bytes: blocks without rows (sample_aggregate.c) */
extern bytea *dpem_blocks_without_rows(const DpemPass *pass);

/* records how the rows were read, which a source knows; the wall releases nothing without it */
extern void dpem_raw_moments_set_rows(DpemRawMoments *moments, const DpemRowsRead *rows);

/* of a pass of the kernel `tables`: records which these are; an internal error if groups have tables of their own */
extern void dpem_raw_moments_note_tables(DpemRawMoments *moments, const DpemPass *pass);

#endif							/* DPEM_SCAN_MOMENTS_H */

/*
 * block_pass.h - a pass, block by block: what the aggregate dpem_internal.moments does
 * with rows as they come, and the workers of resident_pass.c with rows that
 * are kept.
 */
#ifndef DPEM_SCAN_BLOCK_PASS_H
#define DPEM_SCAN_BLOCK_PASS_H

#include "core/pass/block.h"
#include "scan/pass.h"
#include "scan/raw_moments.h"
#include "scan/resident_rows.h"

typedef struct DpemBlockPass
{
	DpemPass	pass;
	DpemRawMoments *moments; /* of all groups */
	size_t		length;	 /* numbers in a group's moments */
	double	   *r;		 /* of a kernel that responds */
	double	   *sums;
	int64		held;	 /* rows of `holder` whose sums are not in the moments yet */
	int			holder;
	int16	   *code;	 /* of a kernel that encodes: room for a block's codes */
	DpemBlock	incomplete; /* of a kernel that adds incomplete rows: those of the block at hand, with their raw values */
	int32	   *component; /* of a kernel that locates */
	const double *prepared; /* what it locates by; NULL: theta */
	double	   *scratch;
	double	   *own; /* workspace of the kernel alone if it adds, else scratch */
} DpemBlockPass;

/* codes of a row, of the group with most of them; 0: the kernel has none */
extern int dpem_block_pass_codes(const DpemPass *pass);

/*
 * Zeroed moments and a workspace for this pass, whose arrays must outlive the
 * result, in the current memory context.  Raises 54000 if they do not fit.
 */
extern DpemBlockPass *dpem_block_pass_create(const DpemPass *pass);

/* an empty block for rows of a group, with signs for a kernel with labels; in the current memory context */
extern DpemGroupRows dpem_block_pass_rows(const DpemBlockPass *bp, int group);

/* the feature map whose features it takes in place of a kept block's values; that of none where it needs these */
extern uint32 dpem_block_pass_map(const DpemBlockPass *bp, uint32 map);

/*
 * Makes features, or codes, of raw rows, in place.  If slot is not NULL, the rows are kept there: features of `map` are
 * taken from it, or stored in it.
 */
extern void dpem_block_pass_prepare(DpemBlockPass *bp, DpemGroupRows *rows, DpemResidentSlot *slot, uint32 map);

/* adds the prepared rows to the moments of their group and empties the block */
extern void dpem_block_pass_add(DpemBlockPass *bp, DpemGroupRows *rows);

/* no more rows come: only now bp->moments are complete */
extern void dpem_block_pass_end(DpemBlockPass *bp);

#endif /* DPEM_SCAN_BLOCK_PASS_H */

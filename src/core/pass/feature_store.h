/*
 * feature_store.h - features kept between passes, in a quarter of the memory.
 *
 * Features of at most 14 bits are integers that fit into 16 bits.  Later passes
 * with the same feature map need not clamp, whiten, clip and round again.
 */
#ifndef DPEM_CORE_FEATURE_STORE_H
#define DPEM_CORE_FEATURE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "core/pass/block.h"
#include "core/pass/kernel_clone.h"

#define DPEM_FEATURE_STORE_BITS 14 /* greatest q of features that can be stored */

/* numbers that the features of a block take, and where coordinate j begins among them */
#define DPEM_FEATURE_STORE_LENGTH(d) ((size_t) (d) *DPEM_BLOCK_ROWS)

/*
 * The features of a block, as dpem_features_apply left them with bits of at
 * most DPEM_FEATURE_STORE_BITS: coordinate j of row r to
 * feature[j * DPEM_BLOCK_ROWS + r], its keep flag as 1 or 0 to keep[r].
 * feature: DPEM_FEATURE_STORE_LENGTH(d) numbers; keep: DPEM_BLOCK_ROWS.
 */
extern void dpem_features_store(const DpemBlock *block, int16_t *feature, int8_t *keep);

/* the reverse, of the block's number of rows: x and keep, padding included, as dpem_features_apply left them */
extern void dpem_features_restore(const int16_t *feature, const int8_t *keep, DpemBlock *block);

/* of one clone; undefined unless dpem_clone_runs(clone) */
extern void
dpem_features_store_clone(DpemClone clone, const DpemBlock *block, int16_t *feature, int8_t *keep);
extern void dpem_features_restore_clone(DpemClone clone, const int16_t *feature, const int8_t *keep,
										DpemBlock *block);

#endif /* DPEM_CORE_FEATURE_STORE_H */

/*
 * feature_store.c - features between two passes, in a quarter of the room.
 *
 * Features are never -0.0 (rounding ends in a subtraction of equal numbers,
 * which gives +0.0, and null rows are +0.0), so that integers bring back
 * their very bits.
 */
#include "core/pass/feature_store.h"

#define KERNEL_BODY "core/pass/feature_store_body.h"
#include "core/pass/kernel_each_clone.h"

void
dpem_features_store_clone(DpemClone clone, const DpemBlock *block, int16_t *feature, int8_t *keep)
{
	CALL_CLONE(clone, features_store, (block, feature, keep));
}

void
dpem_features_restore_clone(DpemClone clone, const int16_t *feature, const int8_t *keep,
							DpemBlock *block)
{
	CALL_CLONE(clone, features_restore, (feature, keep, block));
}

void
dpem_features_store(const DpemBlock *block, int16_t *feature, int8_t *keep)
{
	dpem_features_store_clone(dpem_clone_best(), block, feature, keep);
}

void
dpem_features_restore(const int16_t *feature, const int8_t *keep, DpemBlock *block)
{
	dpem_features_restore_clone(dpem_clone_best(), feature, keep, block);
}

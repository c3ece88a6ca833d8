/*
 * kernel_clone.h - the same kernels compiled for several processors.
 *
 * Every clone is compiled from one text (*_body.h) with its own lane width and instruction set.  Lanes run
 * across rows and each row sees one fixed sequence of IEEE operations, so
 * features and responsibilities have the same bits in every clone, and
 * integer moments are exact in all of them.  (Moments of real-valued inputs
 * may differ between clones in the last bits: their sums are ordered by lane.)
 *
 * Private to the kernels, their tests, and the choice of BLAS's own (server/blas_library.c).
 */
#ifndef DPEM_CORE_KERNEL_CLONE_H
#define DPEM_CORE_KERNEL_CLONE_H

#include <stdbool.h>

#include "core/pass/features.h"
#include "core/pass/moments.h"

typedef enum DpemClone
{
	DPEM_CLONE_DEFAULT = 0,		/* the platform's baseline, two lanes */
	DPEM_CLONE_V3,				/* x86-64-v3's AVX2 and FMA, four lanes */
	DPEM_CLONE_V4,				/* x86-64-v4's AVX-512 F, DQ and VL, eight lanes */
	DPEM_CLONES
} DpemClone;

#if defined(__x86_64__) && defined(__GNUC__)
#define DPEM_HAVE_X86_CLONES	1
#endif

extern const char *dpem_clone_name(DpemClone clone);

/* Can this processor, under this operating system, run the clone? */
extern bool dpem_clone_runs(DpemClone clone);

/* The widest clone that runs here. */
extern DpemClone dpem_clone_best(void);

/* One clone of a kernel.  Undefined unless dpem_clone_runs(clone). */
extern void dpem_features_apply_clone(DpemClone clone, const DpemFeatureMap *map,
									  DpemBlock *block, double *scratch);
extern void dpem_moments_block_clone(DpemClone clone, const DpemMomentLayout *layout,
									 const DpemBlock *block, const double *r,
									 double *sums, double *scratch);

#endif							/* DPEM_CORE_KERNEL_CLONE_H */

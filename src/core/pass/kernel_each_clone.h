/*
 * kernel_each_clone.h - compile KERNEL_BODY once for every clone.
 *
 * Define KERNEL_BODY as the quoted name of a header whose functions are named
 * through CLONE(), then include this file once.
 *
 * GROUP_VECS vectors of LANES rows go through the per-row kernels together;
 * the tile sizes are what fits 32 (v4) or 16 vector registers.  All are
 * compile-time numbers that change speed only.
 */
#include <stdint.h>

#include "core/pass/kernel_clone.h"

#ifdef DPEM_HAVE_X86_CLONES
#include <immintrin.h>
#endif

#ifdef __FAST_MATH__
#error "value-changing floating-point optimisations break row purity"
#endif

#ifdef DPEM_HAVE_X86_CLONES

#define CLONE(name)		name##_v4
#define CLONE_TARGET	__attribute__((target("avx512f,avx512dq,avx512vl,fma")))
#define LANES			8
#define GROUP_VECS		4
#define TILE_FEATURES	4
#define TILE_COMPONENTS 5
#include "core/pass/kernel_lanes.h"
#include KERNEL_BODY
#include "core/pass/kernel_undefine.h"

#define CLONE(name)		name##_v3
#define CLONE_TARGET	__attribute__((target("avx2,fma")))
#define LANES			4
#define GROUP_VECS		2
#define TILE_FEATURES	2
#define TILE_COMPONENTS 5
#include "core/pass/kernel_lanes.h"
#include KERNEL_BODY
#include "core/pass/kernel_undefine.h"

#endif							/* DPEM_HAVE_X86_CLONES */

#define CLONE(name)		name##_default
#define CLONE_TARGET
#define LANES			2
#define GROUP_VECS		2
#define TILE_FEATURES	2
#define TILE_COMPONENTS 5
#include "core/pass/kernel_lanes.h"
#include KERNEL_BODY
#include "core/pass/kernel_undefine.h"

/* One call of the clone asked for. */
#ifdef DPEM_HAVE_X86_CLONES
#define CALL_CLONE(clone, name, args) \
	do { \
		if ((clone) == DPEM_CLONE_V4) \
			name##_v4 args; \
		else if ((clone) == DPEM_CLONE_V3) \
			name##_v3 args; \
		else \
			name##_default args; \
	} while (0)
#else
#define CALL_CLONE(clone, name, args)	((void) (clone), name##_default args)
#endif

/*
 * kernel_lanes.h - SIMD vocabulary of the kernels, for one clone.
 *
 * Included by kernel_each_clone.h with LANES, CLONE(name) and CLONE_TARGET
 * defined; no include guard, on purpose.  Only operations that IEEE 754
 * rounds correctly, and bit operations, are used: their results do not depend
 * on the lane width.
 */

#define Vec		CLONE(Vec)
#define VecMem	CLONE(VecMem)
#define Mask	CLONE(Mask)

typedef double Vec __attribute__((vector_size(8 * LANES), may_alias));

/* in memory: callers owe 64-byte alignment for speed, not for safety */
typedef double VecMem __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef int64_t Mask __attribute__((vector_size(8 * LANES), may_alias));

#define NOINLINE	__attribute__((noinline))
#define INLINE		static inline CLONE_TARGET __attribute__((always_inline))
#define LOAD(p)		((Vec) *(const VecMem *) (p))
#define STORE(p, v) (*(VecMem *) (p) = (VecMem) (v))

/* for loops of a few constant turns, so that arrays of vectors become registers */
#ifdef __clang__
#define UNROLL	_Pragma("unroll 8")
#else
#define UNROLL	_Pragma("GCC unroll 8")
#endif

/* 1.5 * 2^52: adding and subtracting it rounds |x| < 2^51 to an integer, ties to even */
#define ROUNDER		6755399441055744.0

INLINE Vec
CLONE(splat)(double x)
{
	Vec			v;

	for (int lane = 0; lane < LANES; lane++)
		v[lane] = x;
	return v;
}

/* +0.0 where the mask is off, whatever x holds there */
INLINE Vec
CLONE(keep_where)(Mask mask, Vec x)
{
	return (Vec) (mask & (Mask) x);
}

INLINE Vec
CLONE(select)(Mask mask, Vec yes, Vec no)
{
	return (Vec) ((mask & (Mask) yes) | (~mask & (Mask) no));
}

INLINE Vec
CLONE(rint)(Vec x)
{
	return (x + ROUNDER) - ROUNDER;
}

/*
 * a > b ? a : b and a < b ? a : b: b where either is a NaN or both are equal.
 * x86 has exactly these as one instruction each.
 */
#if defined(DPEM_HAVE_X86_CLONES) && LANES == 8
#define VEC_MAX(a, b)	((Vec) _mm512_max_pd((__m512d) (a), (__m512d) (b)))
#define VEC_MIN(a, b)	((Vec) _mm512_min_pd((__m512d) (a), (__m512d) (b)))
#elif defined(DPEM_HAVE_X86_CLONES) && LANES == 4
#define VEC_MAX(a, b)	((Vec) _mm256_max_pd((__m256d) (a), (__m256d) (b)))
#define VEC_MIN(a, b)	((Vec) _mm256_min_pd((__m256d) (a), (__m256d) (b)))
#elif defined(DPEM_HAVE_X86_CLONES)
#define VEC_MAX(a, b)	((Vec) _mm_max_pd((__m128d) (a), (__m128d) (b)))
#define VEC_MIN(a, b)	((Vec) _mm_min_pd((__m128d) (a), (__m128d) (b)))
#else
#define VEC_MAX(a, b)	CLONE(select) ((Mask) ((a) > (b)), (a), (b))
#define VEC_MIN(a, b)	CLONE(select) ((Mask) ((a) < (b)), (a), (b))
#endif

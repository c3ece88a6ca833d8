/*
 * kernel_undefine.h - make room for the next clone (kernel_each_clone.h).
 */
#undef Vec
#undef VecMem
#undef Mask
#undef NOINLINE
#undef INLINE
#undef VEC_MAX
#undef VEC_MIN
#undef LOAD
#undef STORE
#undef ROUNDER
#undef UNROLL
#undef CLONE
#undef CLONE_TARGET
#undef LANES
#undef GROUP_VECS
#undef TILE_FEATURES
#undef TILE_COMPONENTS

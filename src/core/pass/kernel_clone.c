/*
 * kernel_clone.c - which clone of the kernels runs on this processor.
 *
 * A plain test of cpuid's answer at every call, a few nanoseconds per block,
 * in place of target_clones: the lane width differs between clones, tests
 * can call each one, and nothing depends on the linker's ifunc support.
 */
#include "core/pass/kernel_clone.h"

const char *
dpem_clone_name(DpemClone clone)
{
	static const char *const names[DPEM_CLONES] = {"default", "x86-64-v3", "x86-64-v4"};

	return names[clone];
}

/* __builtin_cpu_supports also asks whether the system saves the registers. */
bool
dpem_clone_runs(DpemClone clone)
{
	switch (clone)
	{
#ifdef DPEM_HAVE_X86_CLONES
		case DPEM_CLONE_V4:
			return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
				__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
		case DPEM_CLONE_V3:
			return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
		case DPEM_CLONE_DEFAULT:
			return true;
		default:
			return false;
	}
}

DpemClone
dpem_clone_best(void)
{
	if (dpem_clone_runs(DPEM_CLONE_V4))
		return DPEM_CLONE_V4;
	if (dpem_clone_runs(DPEM_CLONE_V3))
		return DPEM_CLONE_V3;
	return DPEM_CLONE_DEFAULT;
}

/*
 * aligned_zeros.h - memory as kernels want it, for fixtures.
 */
#ifndef ALIGNED_ZEROS_H
#define ALIGNED_ZEROS_H

#include <stdlib.h>
#include <string.h>

/* n zeros on whole cache lines, for free() */
static inline void *
zeros(size_t n)
{
	void	   *memory = aligned_alloc(64, (n * sizeof(double) + 127) / 64 * 64);

	if (memory == NULL)
		abort();
	memset(memory, 0, n * sizeof(double));
	return memory;
}

#endif							/* ALIGNED_ZEROS_H */

/*
 * linked.c - the table for programs that are linked with it: tests, fuzzers,
 * benchmarks.
 */
#include "core/numeric/blas.h"

const DpemBlas *
dpem_blas(void)
{
	static bool ready = false;

	if (!ready)
		dpem_blas_table.single_thread();
	ready = true;
	return &dpem_blas_table;
}

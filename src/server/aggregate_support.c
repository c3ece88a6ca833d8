/*
 * aggregate_support.c - see aggregate_support.h.
 */
#include "postgres.h"

#include "storage/shmem.h"
#include "utils/memutils.h"

#include "server/aggregate_support.h"

MemoryContext
dpem_aggregate_context(FunctionCallInfo fcinfo, const char *aggregate)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("function of %s called outside an aggregate", aggregate)));
	return context;
}

double *
dpem_aggregate_doubles(size_t n)
{
	Size		size = add_size(mul_size(Max(n, 1), sizeof(double)), 64);

	if (!AllocSizeIsValid(size))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the workspace of dpem_internal.moments does not fit into memory")));
	return (double *) TYPEALIGN(64, palloc0(size));
}

/*
 * fit_memory.c - see fit_memory.h.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "server/fit_memory.h"

static Size
size_of(size_t n)
{
	Size		size = mul_size(Max(n, 1), sizeof(double));

	if (!AllocSizeIsValid(size))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the fit does not fit into memory"),
				 errhint("Fewer columns or fewer components take less.")));
	return size;
}

double *
dpem_fit_allocate(size_t n)
{
	return palloc0(size_of(n));
}

DpemWorkspace
dpem_fit_workspace(size_t n)
{
	double	   *start = dpem_fit_allocate(n);

	return (DpemWorkspace) {start, start + n};
}

DpemWorkspace
dpem_fit_workspace_unset(size_t n)
{
	double	   *start = palloc(size_of(n));

	return (DpemWorkspace) {start, start + n};
}

void
dpem_fit_pause(void)
{
	CHECK_FOR_INTERRUPTS();
}

/*
 * workspace.h - handing out pieces of one caller-owned array of doubles.
 */
#ifndef DPEM_CORE_WORKSPACE_H
#define DPEM_CORE_WORKSPACE_H

#include <assert.h>
#include <stddef.h>

typedef struct DpemWorkspace
{
	double	   *next;
	double	   *end;
} DpemWorkspace;

static inline double *
dpem_workspace_take(DpemWorkspace *work, size_t n)
{
	double	   *piece = work->next;

	assert((size_t) (work->end - work->next) >= n);
	work->next += n;
	return piece;
}

#endif							/* DPEM_CORE_WORKSPACE_H */

/*
 * workspace.h - handing out pieces of one caller-owned array of doubles.
 *
 * How many doubles a function needs is found by a dry run: what takes its
 * pieces takes them once of a workspace without memory, {NULL, NULL}, which
 * only counts.  So there is no second sum that could be wrong:
 *
 *     static Pieces take(int d, DpemWorkspace *work);
 *
 *     size_t f_work(int d)
 *     {
 *         DpemWorkspace dry = {NULL, NULL};
 *
 *         take(d, &dry);
 *         return dpem_workspace_taken(&dry);
 *     }
 */
#ifndef DPEM_CORE_WORKSPACE_H
#define DPEM_CORE_WORKSPACE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

typedef struct DpemWorkspace
{
	double	   *next;			/* without memory: bytes taken, as an address */
	double	   *end;			/* NULL without memory */
} DpemWorkspace;

/* the next n doubles; NULL of a workspace without memory */
static inline double *
dpem_workspace_take(DpemWorkspace *work, size_t n)
{
	double	   *piece = work->next;

	if (work->end == NULL)
	{
		work->next = (double *) ((uintptr_t) work->next + n * sizeof(double));
		return NULL;
	}
	assert((size_t) (work->end - work->next) >= n);
	work->next += n;
	return piece;
}

/* room for that many bytes of anything that a double is aligned for */
static inline void *
dpem_workspace_take_bytes(DpemWorkspace *work, size_t bytes)
{
	return dpem_workspace_take(work, (bytes + sizeof(double) - 1) / sizeof(double));
}

/* the doubles taken of a workspace without memory */
static inline size_t
dpem_workspace_taken(const DpemWorkspace *work)
{
	return (uintptr_t) work->next / sizeof(double);
}

#endif							/* DPEM_CORE_WORKSPACE_H */

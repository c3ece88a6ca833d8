/*
 * moment_state.h - the state that aggregates of raw moments share, so that
 * they can be combined, sent between workers and finished by the same functions.
 */
#ifndef DPEM_SCAN_MOMENT_STATE_H
#define DPEM_SCAN_MOMENT_STATE_H

#include "scan/raw_moments.h"

/* An aggregate's own state begins with it. */
typedef struct DpemMomentState
{
	uint32		magic;
	DpemRawMoments *moments;
	/* adds what is buffered to the moments; NULL: came from a worker, and takes no rows */
	void		(*flush) (struct DpemMomentState *state);
} DpemMomentState;

extern void dpem_moment_state_init(DpemMomentState *state, DpemRawMoments *moments,
								   void (*flush) (DpemMomentState *state));

/* the state at a pointer; internal error unless it is one that rows can be added to */
extern DpemMomentState *dpem_moment_state_taking_rows(void *pointer);

#endif							/* DPEM_SCAN_MOMENT_STATE_H */

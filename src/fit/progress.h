/*
 * progress.h - the progress of running fits, visible to other sessions.
 *
 * The contents depend on no row: names and numbers of the plan, and its current
 * phase.  But the time at which a phase begins depends on how long scans take,
 * so progress is shown only to the owner of the source and the role that runs
 * the fit.
 */
#ifndef DPEM_FIT_PROGRESS_H
#define DPEM_FIT_PROGRESS_H

#include "datatype/timestamp.h"

#define DPEM_PROGRESS_TEXT 64	/* bytes of a name kept, terminator included */

typedef struct DpemProgress
{
	int			pid;
	Oid			database;
	Oid			source;			/* relation of the dataset */
	Oid			role;			/* the role that runs the fit */
	int			iteration;		/* 0: the phase is not counted */
	int			iterations;		/* of the plan */
	TimestampTz started_at;
	char		dataset[DPEM_PROGRESS_TEXT];
	char		function[DPEM_PROGRESS_TEXT];
	char		phase[DPEM_PROGRESS_TEXT];
} DpemProgress;

/*
 * Starts to show this session's fit, until the current memory context is
 * deleted or reset.  Does nothing if there is no free slot.
 */
extern void dpem_progress_begin(const char *dataset, Oid source, const char *function, int iterations);

/* sets the current phase */
extern void dpem_progress_update(const char *phase, int iteration);

/* stops showing the fit; need not be called */
extern void dpem_progress_end(void);

/* *fits = the running fits in this database, in the current memory context; returns their number */
extern int	dpem_progress_list(DpemProgress **fits);

#endif							/* DPEM_FIT_PROGRESS_H */

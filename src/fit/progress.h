/*
 * progress.h - what fits under way are doing, for other sessions to see.
 *
 * Nothing here depends on a row: names and numbers of the plan, and the phase
 * that the plan has come to.  When a phase begins depends on how long scans
 * take, so it is shown to the owner of the source and to the role that runs
 * the fit only.
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
	Oid			role;			/* that runs the fit */
	int			iteration;		/* 0: the phase is not counted */
	int			iterations;		/* of the plan */
	TimestampTz started_at;
	char		dataset[DPEM_PROGRESS_TEXT];
	char		function[DPEM_PROGRESS_TEXT];
	char		phase[DPEM_PROGRESS_TEXT];
} DpemProgress;

/*
 * This session's fit begins; it ends with the current memory context, however
 * that comes about.  Not shown while as many others are as there is room for.
 */
extern void dpem_progress_begin(const char *dataset, Oid source, const char *function, int iterations);

/* it has come to this phase */
extern void dpem_progress_update(const char *phase, int iteration);

/* it is over; need not be called */
extern void dpem_progress_end(void);

/* fits under way in this database, in an array of the current memory context; their number */
extern int	dpem_progress_list(DpemProgress **fits);

#endif							/* DPEM_FIT_PROGRESS_H */

/*
 * fit_memory.h - what core functions are given: memory of a fit, in the current memory context, and where they may be cancelled.
 */
#ifndef DPEM_SERVER_FIT_MEMORY_H
#define DPEM_SERVER_FIT_MEMORY_H

#include "core/numeric/workspace.h"

/* n zeroed doubles; raises 54000 if they do not fit into memory */
extern double *dpem_fit_allocate(size_t n);

/* the same as workspace of a core function */
extern DpemWorkspace dpem_fit_workspace(size_t n);

/* not zeroed: of a large one only what is used is taken from the system */
extern DpemWorkspace dpem_fit_workspace_unset(size_t n);

/* called between the steps of a long search among released numbers: raises 57014 where the query is to be cancelled */
extern void dpem_fit_pause(void);

#endif							/* DPEM_SERVER_FIT_MEMORY_H */

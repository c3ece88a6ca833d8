/*
 * fit_memory.h - memory of a fit, in the current memory context.
 */
#ifndef DPEM_SERVER_FIT_MEMORY_H
#define DPEM_SERVER_FIT_MEMORY_H

#include "core/numeric/workspace.h"

/* n zeroed doubles; raises 54000 if they do not fit into memory */
extern double *dpem_fit_allocate(size_t n);

/* the same as workspace of a core function */
extern DpemWorkspace dpem_fit_workspace(size_t n);

#endif							/* DPEM_SERVER_FIT_MEMORY_H */

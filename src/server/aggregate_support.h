/*
 * aggregate_support.h - what the transition functions of dpem's aggregates share.
 */
#ifndef DPEM_SERVER_AGGREGATE_SUPPORT_H
#define DPEM_SERVER_AGGREGATE_SUPPORT_H

#include "fmgr.h"

/* the aggregate's memory context; raises 0A000 outside an aggregate */
extern MemoryContext dpem_aggregate_context(FunctionCallInfo fcinfo, const char *aggregate);

/* n zeroed doubles aligned to 64 bytes, for vector loads; raises 54000 if they do not fit into memory */
extern double *dpem_aggregate_doubles(size_t n);

#endif							/* DPEM_SERVER_AGGREGATE_SUPPORT_H */

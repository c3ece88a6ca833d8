/*
 * kmeans_arguments.h - the arguments that dp_kmeans_fit and dp_kmeans_plan share.
 */
#ifndef DPEM_FAMILY_KMEANS_ARGUMENTS_H
#define DPEM_FAMILY_KMEANS_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"

#include "families/kmeans/kmeans_request.h"

/* reads and checks them; raises 22023 naming the argument */
extern DpemKmeansRequest *dpem_kmeans_arguments(FunctionCallInfo fcinfo, const char *function);

#endif							/* DPEM_FAMILY_KMEANS_ARGUMENTS_H */

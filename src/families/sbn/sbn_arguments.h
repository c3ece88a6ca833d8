/*
 * sbn_arguments.h - the arguments that dp_sbn_fit and dp_sbn_plan share.
 */
#ifndef DPEM_FAMILY_SBN_ARGUMENTS_H
#define DPEM_FAMILY_SBN_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"

#include "families/sbn/sbn_request.h"

/* reads and checks them; raises 22023 naming the argument */
extern DpemSbnRequest *dpem_sbn_arguments(FunctionCallInfo fcinfo, const char *function);

#endif							/* DPEM_FAMILY_SBN_ARGUMENTS_H */

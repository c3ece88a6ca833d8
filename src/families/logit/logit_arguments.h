/*
 * logit_arguments.h - the arguments that dp_logit_fit and dp_logit_plan share.
 */
#ifndef DPEM_FAMILY_LOGIT_ARGUMENTS_H
#define DPEM_FAMILY_LOGIT_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"

#include "families/logit/logit_request.h"

/* reads and checks them; raises 22023 naming the argument */
extern DpemLogitRequest *dpem_logit_arguments(FunctionCallInfo fcinfo, const char *function);

#endif							/* DPEM_FAMILY_LOGIT_ARGUMENTS_H */

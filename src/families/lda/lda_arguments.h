/*
 * lda_arguments.h - the arguments of dp_lda_fit and dp_lda_plan.
 */
#ifndef DPEM_FAMILY_LDA_ARGUMENTS_H
#define DPEM_FAMILY_LDA_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"

#include "families/lda/lda_request.h"

/* raises 22023 naming the argument, its value and what is allowed */
extern DpemLdaRequest *dpem_lda_arguments(FunctionCallInfo fcinfo, const char *function);

#endif							/* DPEM_FAMILY_LDA_ARGUMENTS_H */

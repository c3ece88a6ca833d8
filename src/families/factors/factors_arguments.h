/*
 * factors_arguments.h - the arguments of dp_fa_fit, dp_pca_fit and their plans.
 */
#ifndef DPEM_FAMILY_FACTORS_ARGUMENTS_H
#define DPEM_FAMILY_FACTORS_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"

#include "families/factors/factors_request.h"

/* read and check them; raise 22023 naming the argument */
extern DpemFactorsRequest *dpem_fa_arguments(FunctionCallInfo fcinfo, const char *function);
extern DpemFactorsRequest *dpem_pca_arguments(FunctionCallInfo fcinfo, const char *function);

#endif							/* DPEM_FAMILY_FACTORS_ARGUMENTS_H */

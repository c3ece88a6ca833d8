/*
 * gmm_arguments.h - the arguments that dp_gmm_fit and dp_gmm_plan share.
 */
#ifndef DPEM_FAMILY_GMM_ARGUMENTS_H
#define DPEM_FAMILY_GMM_ARGUMENTS_H

#include "postgres.h"

#include "fmgr.h"

#include "families/gmm/gmm_request.h"

/* reads and checks them; raises 22023 naming the argument */
extern DpemGmmRequest *dpem_gmm_arguments(FunctionCallInfo fcinfo, const char *function);

/* 'full', 'diagonal' or 'spherical' */
extern const char *dpem_gmm_shape_name(DpemSecondMoment shape);

#endif							/* DPEM_FAMILY_GMM_ARGUMENTS_H */

/*
 * kept_models.h - models that a query uses, made ready once each.
 */
#ifndef DPEM_EXPORT_KEPT_MODELS_H
#define DPEM_EXPORT_KEPT_MODELS_H

#include "postgres.h"

#include "fmgr.h"

/* makes the model of that name ready for the calling function, in the current memory context; raises where it is not there, or not for the role */
typedef void *(*DpemMakeReady) (FunctionCallInfo fcinfo, const char *name);

/*
 * What `make` has made of the name for the current role, at this place of a query, or of a transaction where PL/pgSQL evaluates
 * it there: several models, those that were used last, as many as work_mem has room for, and one at least.  For so long it is as it
 * was, whoever drops or revokes it meanwhile.  Valid until the next call from there.
 */
extern void *dpem_kept_model(FunctionCallInfo fcinfo, const char *name, DpemMakeReady make);

#endif							/* DPEM_EXPORT_KEPT_MODELS_H */

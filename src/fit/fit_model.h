/*
 * fit_model.h - from a finished fit to a stored model.
 */
#ifndef DPEM_FIT_FIT_MODEL_H
#define DPEM_FIT_FIT_MODEL_H

#include "fit/fit.h"
#include "fit/model_store.h"

/* before planning: raises where no charge could be made (dpem_charge_require_possible); a fit without noise makes none */
extern void dpem_fit_require_possible(const DpemFitRequest *request);

/* category of a group of rows; NULL without groups */
extern const char *dpem_fit_category(const DpemFitPlan *plan, int group);

/* before spending: the name asked for is this transaction's from now on; raises 42710 if it cannot be */
extern void dpem_fit_claim_name(DpemFitPlan *plan);

/* a fit is over: gives models that nobody named a name that is free */
extern void dpem_fit_name_models(DpemFitPlan *plan, const char *family, int64 charge);

/*
 * A fit is over: fills what the plan knows of the record of a group's model: name, binding, category,
 * composition, iterations, epsilon, delta.
 */
extern void dpem_fit_record(const DpemFitPlan *plan, int group, DpemModelRecord *record);

#endif							/* DPEM_FIT_FIT_MODEL_H */

/*
 * fit_model.h - from a finished fit to a stored model.
 */
#ifndef DPEM_FIT_FIT_MODEL_H
#define DPEM_FIT_FIT_MODEL_H

#include "fit/fit.h"
#include "fit/model_store.h"

/* before planning a noisy fit: raises where no charge is possible (dpem_charge_require_possible) */
extern void dpem_fit_require_possible(const DpemFitRequest *request);

/* category of a group of rows; NULL without groups */
extern const char *dpem_fit_category(const DpemFitPlan *plan, int group);

/* before spending: claims the requested name for this transaction; raises 42710 if it is taken */
extern void dpem_fit_claim_name(DpemFitPlan *plan);

/* after a fit: gives unnamed models a free name */
extern void dpem_fit_name_models(DpemFitPlan *plan, const char *family, int64 charge);

/*
 * After a fit: fills the fields of a group's model record that the plan knows:
 * name, binding, category, composition, iterations, epsilon, delta.
 */
extern void dpem_fit_record(const DpemFitPlan *plan, int group, DpemModelRecord *record);

#endif							/* DPEM_FIT_FIT_MODEL_H */

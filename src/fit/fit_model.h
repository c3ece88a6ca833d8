/*
 * fit_model.h - from a finished fit to a stored model; what is stored of Fourier features, and
 * these again.
 */
#ifndef DPEM_FIT_FIT_MODEL_H
#define DPEM_FIT_FIT_MODEL_H

#include "core/pass/fourier.h"
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

/*
 * What numbers of points are taken for, as the group's rows were seen last: unknown ones (nothing without bind.imputed), and
 * those beyond the map's range, if it has one.
 */
extern void dpem_fit_put_points(const DpemFitRun *run, int group, DpemModel *model);

/* a number on the column's scale, in its own unit and domain */
extern double dpem_fit_own_number(const DpemColumn *column, double value);

/*
 * Fields of a model's tables that say what its features are made of, one after the other: number of Fourier features
 * (0: none), width and seed of their frequencies, and center and scale of the model's columns (d each), in
 * coordinates of their domains.
 */
enum
{
	DPEM_FOURIER_DIMENSION, DPEM_FOURIER_WIDTH, DPEM_FOURIER_SEED, DPEM_FOURIER_CENTER, DPEM_FOURIER_SCALE
};

/* fills these from field `first` on; the run's pass maps the group's rows */
extern void dpem_fit_put_fourier(const DpemFitRun *run, int group, const DpemFitFourier *fourier, double width, int first,
								 DpemModel *model);

/*
 * The map of a loaded model; an internal error unless model->features is what they say: the columns and an intercept, or
 * the Fourier features and `others` more.  The model may come from elsewhere.
 */
extern DpemFourierMap dpem_fit_load_fourier(const DpemModel *model, int first, int others);

#endif							/* DPEM_FIT_FIT_MODEL_H */

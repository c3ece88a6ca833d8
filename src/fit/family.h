/*
 * family.h - a family of models, as one table: what can be asked for, what a
 * fit does, what a model has, and what can be done with it.
 *
 * `dp_NAME_fit` and `dp_NAME_plan` are the frame's (family.c); a family says
 * only what is its own.  docs/contributing.md says how to add one.
 */
#ifndef DPEM_FIT_FAMILY_H
#define DPEM_FIT_FAMILY_H

#include "core/noise/sampler.h"
#include "fit/fit.h"
#include "fit/forecast.h"
#include "fit/model_fields.h"
#include "fit/model_store.h"
#include "fit/plot.h"
#include "server/named_arguments.h"

/* what a fit has made, of each of the plan's groups */
typedef struct DpemFitted
{
	DpemModel  *model;			/* allocated by the frame; d and iterations are the plan's unless the family says otherwise */
	int64		charge;			/* number of the charge; 0 without noise */
	int64		maker;			/* who paid, in dpem.role_number */
} DpemFitted;

/*
 * A model is loaded once per query, in a context that lives as long, and then
 * asked point by point; x has `dimension` finite numbers in the columns' own
 * units.  A family leaves NULL what it has no meaning for; the caller then
 * gets an error that names the family.  Arrays that are returned may be the
 * model's own scratch.
 */
typedef struct DpemModelUse
{
	void	   *(*load) (DpemModel *model);
	int			(*predict) (void *ready, const double *x);	/* from 1 */
	const double *(*posterior) (void *ready, const double *x, int *n);
	double		(*log_density) (void *ready, const double *x);
	double		(*squared_distance) (void *ready, const double *x);	/* to what is nearest in the model */
	const double *(*transform) (void *ready, const double *x, int *n);
	void		(*sample) (void *ready, DpemSampler *sampler, double *x);
	void		(*plot) (DpemPlot *plot);	/* in the plane of two columns; loads nothing */
} DpemModelUse;

/* a call that dp_selftest makes on neighbouring tables; see api/selftest.c */
typedef struct DpemSelftestCase
{
	const char *name;			/* NULL ends the list */
	const char *call;			/* without a schema */
	bool		draws;			/* rows at random, besides noise */
} DpemSelftestCase;

typedef struct DpemFamily
{
	const char *name;			/* in dpem.model, and in names that models are given */
	const char *title;			/* as messages call one of its models, with the article */
	size_t		request_size;	/* of its request, which begins with a DpemFitRequest */

	/* its own arguments, after the shared ones; raises 22023 naming the argument */
	void		(*read) (const DpemArguments *arguments, DpemFitRequest *request);

	/* a plan, which begins with a DpemFitPlan; raises 22023 and others for whatever cannot be done */
	DpemFitPlan *(*plan) (const DpemFitRequest *request);

	/* the lines and rows of its releases; NULL: each stage is a joint release */
	void		(*forecast) (const DpemFitPlan *plan, DpemForecast *forecast);

	/* passes and releases of a fit that has begun, and the model of each group; raises 22003 */
	void		(*run) (DpemFitRun *run, DpemFitted *fitted);

	/* what dpem.model says of it beyond what every plan knows; NULL: nothing */
	void		(*describe) (const DpemFitPlan *plan, DpemModelRecord *record);

	DpemModelTable table[DPEM_MODEL_TABLES + 1];

	/* the rows of one model; NULL: one for each component, with the fields that have a result */
	void		(*emit) (const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows);

	DpemModelUse use;
	DpemPicture picture[DPEM_PICTURES];	/* those that are queries */
	const DpemSelftestCase *selftest;	/* NULL: none */
} DpemFamily;

/* all of them, ended by NULL: families/families.c */
extern const DpemFamily *const dpem_families[];

/* the family of that name; an internal error if there is none */
extern const DpemFamily *dpem_family_named(const char *name);

/* dp_NAME_fit: checks arguments, plans, charges, reads, releases, stores, returns rows */
extern Datum dpem_family_fit(FunctionCallInfo fcinfo, const DpemFamily *family, const char *function);

/* dp_NAME_plan: a row per statistic, then one for the whole fit; reads no row of the source, spends nothing */
extern Datum dpem_family_plan(FunctionCallInfo fcinfo, const DpemFamily *family, const char *function);

#define DPEM_FAMILY_FUNCTIONS(name) \
	PG_FUNCTION_INFO_V1(dp_##name##_fit); \
	PG_FUNCTION_INFO_V1(dp_##name##_plan); \
	Datum dp_##name##_fit(PG_FUNCTION_ARGS) \
	{ return dpem_family_fit(fcinfo, &dpem_family_##name, "dp_" #name "_fit"); } \
	Datum dp_##name##_plan(PG_FUNCTION_ARGS) \
	{ return dpem_family_plan(fcinfo, &dpem_family_##name, "dp_" #name "_plan"); }

#endif							/* DPEM_FIT_FAMILY_H */

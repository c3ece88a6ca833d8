/*
 * family.h - a family of models, described by one table: its arguments, its
 * fit, the fields of its models, and how models are used.
 *
 * `dp_NAME_fit` and `dp_NAME_plan` are common to all families (family.c); a
 * family defines only what is specific to it.  docs/contributing.md explains
 * how to add one.
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

/* result of a fit, for one of the plan's groups */
typedef struct DpemFitted
{
	DpemModel  *model;			/* allocated by family.c, with the plan's d and iterations */
	bool	   *hidden;			/* which of the groups' models are of too few persons to be shown (dpem_fit_is_hidden) */
	int64		charge;			/* number of the charge; 0 without noise */
	int64		maker;			/* who paid: a number in dpem_internal.role_number */
} DpemFitted;

struct DpemPredictor;			/* export/predictor.h */
struct DpemLdaTask;				/* core/kernels/lda_kernel.h */
struct DpemExpectedTables;		/* core/synth/tables.h */

/*
 * A model is loaded once per query, in a memory context of the query's
 * lifetime, and then evaluated point by point; x has `dimension` finite numbers
 * in the coordinates of the columns' scales, to and from which callers map.  A
 * function that makes no sense for a family is NULL; callers then raise an error
 * that names the family.  Returned arrays may
 * be the model's own scratch memory.
 */
typedef struct DpemModelUse
{
	void	   *(*load) (DpemModel *model);
	bool		missing;		/* NaN in x stands for what was not observed; else x has none */
	int			(*predict) (void *ready, const double *x);	/* from 1 */
	double		(*value) (void *ready, const double *x);	/* of the target, within its domain */
	const DpemScaledDomain *(*domain) (void *ready);	/* that; of a family with value */
	bool		(*is_number) (void *ready); /* of a family with value and posterior: which does this model have? */
	/* bounds[2]: that many standard deviations of a new row's target, noise included, on either side of the value, in the domain or not */
	void		(*interval) (void *ready, const double *x, double reach, double *bounds);
	const char *(*label) (void *ready, const double *x);	/* of the class that predict gives */
	const double *(*posterior) (void *ready, const double *x, int *n);
	/* of what a class or a value is predicted: the column's name as registered; and a class's category, classes from 1 */
	const char *(*target) (void *ready);
	const char *(*category) (void *ready, int class);
	double		(*log_density) (void *ready, const double *x);	/* per unit of volume, unless discrete */
	bool		discrete;		/* log_density is that of a probability */
	bool		binned;			/* all that a number tells is the bin that it is in, one on an edge in that above it */
	double		(*squared_distance) (void *ready, const double *x);	/* to the nearest center */
	const double *(*transform) (void *ready, const double *x, int *n);
	void		(*sample) (void *ready, DpemSampler *sampler, double *x);
	/* of topics, whose rows are documents: as dpem_lda_evaluation, kept by the model */
	const struct DpemLdaTask *(*topics) (void *ready);
	/* of marginals: the tables that they are to be compared with rows by; raises 22003 */
	const struct DpemExpectedTables *(*tables) (void *ready);
	/* the same as value, predict and posterior as data; model, missing and target are filled; raises 42809 where a model has no such form */
	void		(*predictor) (void *ready, struct DpemPredictor *predictor);
	void		(*plot) (DpemPlot *plot);	/* in the plane of two columns; does not call load */
	void		(*draw) (DpemPlot *plot, const char *x, const char *y); /* instead, what dp_plot of these names shows, NULL: not given */
} DpemModelUse;

#define DPEM_SELFTEST_DRAWS			1	/* samples rows at random, besides drawing noise */
#define DPEM_SELFTEST_COUNTS_NULLS	2	/* a row with NULLs is not the null row */
#define DPEM_SELFTEST_ALIKE			4	/* of what draws rows: others than the differing unit's are not null rows but all alike */
#define DPEM_SELFTEST_CLASSES		8	/* the label has three classes */
#define DPEM_SELFTEST_WIDE			16	/* two numbers more, d and e: of a form that is found in more dimensions than three */
#define DPEM_SELFTEST_OWN_FRAMES	32	/* the case is one of passes in components' own frames: without such a pass it fails */
#define DPEM_SELFTEST_IN_PLACE		64	/* the same of passes about centers in place of looks at cells, with units of one row */
#define DPEM_SELFTEST_IN_PLACE_SEVERAL	256 /* with units of several */
#define DPEM_SELFTEST_ALL_ROWS		128 /* and of looks at all rows together in place of these */

/* how the phase of such a pass ends (dpem_fit_report) */
#define DPEM_OWN_FRAMES_PHASE		", own frames"
#define DPEM_IN_PLACE_PHASE			", in place of cells"
#define DPEM_ALL_ROWS_PHASE			", all rows together"

/* argument of a call that samples rows: others than the differing unit's count nowhere, whatever the call makes of NULLs */
#define DPEM_SELFTEST_COMPLETE \
	"filter => 'a between -1e300 and 1e300 and b between -1e300 and 1e300 and c between -1e300 and 1e300 and label in (''no'', ''yes'')'"

/* a call that dp_selftest makes on neighbouring tables; see api/selftest/selftest.c */
typedef struct DpemSelftestCase
{
	const char *name;			/* NULL ends the list */
	const char *call;			/* without a schema; @ stands for that of other functions of dpem in it */
	int			kind;			/* of DPEM_SELFTEST_*; 0: none */
} DpemSelftestCase;

typedef struct DpemFamily
{
	const char *name;			/* in dpem_internal.model and in generated model names */
	const char *title;			/* one of its models in messages, with the article */
	size_t		request_size;	/* of its request struct, which begins with a DpemFitRequest */

	/* reads its own arguments, after the shared ones; raises 22023 naming the argument */
	void		(*read) (const DpemArguments *arguments, DpemFitRequest *request);

	/* a plan, which begins with a DpemFitPlan; raises 22023 and others for impossible requests */
	DpemFitPlan *(*plan) (const DpemFitRequest *request);

	/* adds the lines and rows of its releases; NULL: each stage is one joint release */
	void		(*forecast) (const DpemFitPlan *plan, DpemForecast *forecast);

	/* passes and releases, after dpem_fit_begin; fills the model of each group; raises 22003 */
	void		(*run) (DpemFitRun *run, DpemFitted *fitted);

	/* fills the fields of dpem_internal.model that are specific to the family; NULL: none */
	void		(*describe) (const DpemFitPlan *plan, DpemModelRecord *record);

	DpemModelTable table[DPEM_MODEL_TABLES + 1];

	/* emits the rows of one model; NULL: one per component, with the fields that have a result */
	void		(*emit) (const DpemFitPlan *plan, const DpemModel *model, DpemFitRows *rows);

	DpemModelUse use;
	DpemPicture picture[DPEM_PICTURES];	/* those drawn from queries */
	const DpemSelftestCase *selftest;	/* NULL: none */
} DpemFamily;

/* all families, ended by NULL: families/families.c */
extern const DpemFamily *const dpem_families[];

/* the family of this name; an internal error if there is none */
extern const DpemFamily *dpem_family_named(const char *name);

/* dp_NAME_fit: checks arguments, plans, charges, reads, releases, stores, returns rows */
extern Datum dpem_family_fit(FunctionCallInfo fcinfo, const DpemFamily *family, const char *function);

/* dp_NAME_plan: a row per statistic, then one for the whole fit; reads no rows, spends nothing */
extern Datum dpem_family_plan(FunctionCallInfo fcinfo, const DpemFamily *family, const char *function);

#define DPEM_FAMILY_FUNCTIONS(name) \
	PG_FUNCTION_INFO_V1(dp_##name##_fit); \
	PG_FUNCTION_INFO_V1(dp_##name##_plan); \
	Datum dp_##name##_fit(PG_FUNCTION_ARGS) \
	{ return dpem_family_fit(fcinfo, &dpem_family_##name, "dp_" #name "_fit"); } \
	Datum dp_##name##_plan(PG_FUNCTION_ARGS) \
	{ return dpem_family_plan(fcinfo, &dpem_family_##name, "dp_" #name "_plan"); }

#endif							/* DPEM_FIT_FAMILY_H */

/*
 * mixture.h - request, plan and model fields of a mixture of numbers and categories.
 *
 * Stages: margins of the numbers; the moments of all rows together, which the
 * components start from; and passes over the components.
 */
#ifndef DPEM_FAMILY_MIXTURE_H
#define DPEM_FAMILY_MIXTURE_H

#include "core/mixture/mixture_estimate.h"
#include "fit/family.h"
#include "fit/fit_margins.h"

typedef struct DpemMixtureRequest
{
	DpemFitRequest fit;
	int			k;
	List	   *poisson;		/* names of the columns that are counts */
} DpemMixtureRequest;

enum
{
	DPEM_MIXTURE_MARGINS, DPEM_MIXTURE_TOTAL, DPEM_MIXTURE_COMPONENTS, DPEM_MIXTURE_STAGES
};

typedef struct DpemMixturePlan
{
	DpemFitPlan fit;
	int			k;
	int			early;			/* most components of the first passes */
	int			passes;			/* over components; 0: there is one, or noise would hide them, and they are all of all rows */
	DpemMixtureRows rows;		/* middle and unit: found by the fit */
	DpemMarginGrid grid;		/* of the numbers */
} DpemMixturePlan;

/* fields of the model's table: in the columns' own units; of a category its probability */
enum
{
	DPEM_MIXTURE_WEIGHT, DPEM_MIXTURE_WEIGHT_NOISE, DPEM_MIXTURE_MEAN, DPEM_MIXTURE_VARIANCE, DPEM_MIXTURE_MEAN_NOISE,
	DPEM_MIXTURE_LAW,			/* DpemMixtureLaw of each coordinate, the same in every row */
	DPEM_MIXTURE_ATOM, DPEM_MIXTURE_ATOM_LOWER, DPEM_MIXTURE_ATOM_UPPER,	/* core/columns/column_atom.h: shares of a component, 0 for none; ends, the same in every row */
	DPEM_MIXTURE_REST_SCALE		/* core/density/atom_rest.h: factors of the deviations beside atoms, the same in every row; 1 without one */
};

/* members of DpemFamily */
extern DpemFitPlan *dpem_mixture_plan(const DpemFitRequest *request);
extern void dpem_mixture_run(DpemFitRun *run, DpemFitted *fitted);
extern void *dpem_mixture_load(DpemModel *model);
extern int	dpem_mixture_predict(void *ready, const double *x);
extern const double *dpem_mixture_posterior(void *ready, const double *x, int *n);
extern double dpem_mixture_log_density(void *ready, const double *x);
extern void dpem_mixture_sample(void *ready, DpemSampler *sampler, double *x);

extern const DpemFamily dpem_family_mixture;

#endif							/* DPEM_FAMILY_MIXTURE_H */

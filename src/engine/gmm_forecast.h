/*
 * gmm_forecast.h - a plan in numbers: how much noise each statistic of a fit
 * gets, and what its releases cost under every composition.
 */
#ifndef DPEM_ENGINE_GMM_FORECAST_H
#define DPEM_ENGINE_GMM_FORECAST_H

#include "engine/gmm_request.h"

#define DPEM_COMPOSITIONS (DPEM_COMPOSE_LINEAR + 1)

/* NaN stands for what does not apply */
typedef struct DpemGmmForecastRow
{
	int			line;			/* of the charge; rows of one line are one release; 0: the whole fit */
	const char *statistic;
	const char *mechanism;		/* NULL for the whole fit */
	double		sensitivity;	/* in units of this statistic */
	double		noise_multiplier;
	double		deviation;		/* of an entry: rows, sums and (svec of) second moments in the unit ball */
	double	   *column_deviation;	/* d numbers in the columns' own units, or NULL */
	int			releases;
	double		mu2;
	double		epsilon[DPEM_COMPOSITIONS]; /* by DpemComposition */
	double		concentrated_mean;
	double		concentrated_tau;
} DpemGmmForecastRow;

/*
 * A row per statistic of every release, then one for the whole fit; *n of
 * them, in the current memory context.  Own units are those of a component's
 * mean and variances if the public number of rows were spread evenly over the
 * components, and of noise in sums and second moments alone; they are not
 * known before a whitened fit, nor where the number of rows is not public.
 */
extern DpemGmmForecastRow *dpem_gmm_forecast(const DpemGmmPlan *plan, int *n);

#endif							/* DPEM_ENGINE_GMM_FORECAST_H */

/*
 * forecast.h - a plan in numbers: how much noise each statistic of a fit
 * gets, and what its releases cost under every composition.
 */
#ifndef DPEM_FIT_FORECAST_H
#define DPEM_FIT_FORECAST_H

#include "fit/fit.h"

#define DPEM_COMPOSITIONS (DPEM_COMPOSE_LINEAR + 1)

/* NaN stands for what does not apply */
typedef struct DpemForecastRow
{
	int			line;			/* of the charge; rows of one line are one release; 0: the whole fit */
	const char *statistic;
	DpemMechanism mechanism;	/* none for the whole fit */
	double		sensitivity;	/* in units of this statistic */
	double		noise_multiplier;
	double		deviation;		/* of an entry: rows, sums and (svec of) second moments in the unit ball */
	double	   *column_deviation;	/* d numbers in the columns' own units, or NULL */
	int			releases;
	double		mu2;
	double		epsilon[DPEM_COMPOSITIONS]; /* by DpemComposition */
	double		concentrated_mean;
	double		concentrated_tau;
} DpemForecastRow;

/*
 * A forecast is written line by line: dpem_forecast_line, then a row for each
 * statistic of its releases; at last dpem_forecast_total.  Rows are in the
 * memory context that was current at the beginning.
 */
typedef struct DpemForecast
{
	const DpemFitPlan *plan;
	double		step_delta;		/* as dpem_cost_epsilon reads it; 0: the default */
	DpemForecastRow *rows;
	int			n;
	DpemCostLine lines[DPEM_CHARGE_MAX_LINES];
	DpemMechanism mechanism[DPEM_CHARGE_MAX_LINES];
	int			nlines;
	bool		is_private;		/* every line so far */
} DpemForecast;

extern void dpem_forecast_begin(DpemForecast *forecast, const DpemFitPlan *plan);

/* one more line of the charge, to which the next rows belong */
extern void dpem_forecast_line(DpemForecast *forecast, DpemMechanism mechanism, const DpemCostLine *cost);

/* the same for noise that protects nobody, and so costs nothing that could be said */
extern void dpem_forecast_unprotected(DpemForecast *forecast, DpemMechanism mechanism, double noise_multiplier,
									  double releases);

/* a statistic of the last line */
extern DpemForecastRow *dpem_forecast_row(DpemForecast *forecast, const char *statistic,
										  double sensitivity, double deviation);

/*
 * A joint release over k components as the plan's line says it: a line and a row for each statistic it has.  *sum and *second
 * (either may be NULL) get the rows of sums and second moments, or NULL.
 */
extern void dpem_forecast_joint(DpemForecast *forecast, int line, const DpemReleaseSpec *spec, int k,
								DpemForecastRow **sum, DpemForecastRow **second);

/* a row that costs nothing: what it says, and the number it says it of, as deviation */
extern void dpem_forecast_remark(DpemForecast *forecast, const char *remark, double number);

extern void dpem_forecast_total(DpemForecast *forecast);

/*
 * Noise in the sum of a unit-ball coordinate over `size` rows, as a deviation
 * of their mean in the columns' own units, to the power 1, or of their second
 * moment, to the power 2: x = middle + half-width * clip_norm * y.  NULL where
 * size is not known (not above 0).
 */
extern double *dpem_forecast_columns(const DpemFitPlan *plan, double deviation, double size, int power);

#endif							/* DPEM_FIT_FORECAST_H */

/*
 * forecast.h - a plan in numbers: the noise of each statistic of a fit, and
 * the cost of its releases under every composition.
 */
#ifndef DPEM_FIT_FORECAST_H
#define DPEM_FIT_FORECAST_H

#include "postgres.h"

#include "fmgr.h"

#include "fit/fit.h"

#define DPEM_COMPOSITIONS (DPEM_COMPOSE_LINEAR + 1)

/* NaN: does not apply */
typedef struct DpemForecastRow
{
	int			line;			/* of the charge; rows of one line are one release; 0: the whole fit */
	const char *statistic;
	DpemMechanism mechanism;	/* none for the whole fit */
	double		sensitivity;	/* in units of this statistic */
	double		noise_multiplier;
	double		deviation;		/* of an entry: rows; unit-ball sums and (svec of) second moments */
	double	   *column_deviation;	/* d numbers in the columns' own units, or NULL */
	int			releases;
	double		mu2;
	double		epsilon[DPEM_COMPOSITIONS]; /* by DpemComposition */
	double		concentrated_mean;
	double		concentrated_tau;
} DpemForecastRow;

/*
 * A forecast is written line by line: dpem_forecast_line, or dpem_forecast_charged of one
 * that the plan has, then a row for each statistic of its releases; finally dpem_forecast_total.  Rows live in the
 * memory context that was current in dpem_forecast_begin.
 */
typedef struct DpemForecast
{
	const DpemFitPlan *plan;
	double		step_delta;		/* argument of dpem_cost_epsilon; 0: the default */
	DpemForecastRow *rows;
	int			n;
	DpemCostLine lines[DPEM_CHARGE_MAX_LINES];
	DpemMechanism mechanism[DPEM_CHARGE_MAX_LINES];
	int			nlines;
	bool		is_private;		/* true of every line so far */
} DpemForecast;

extern void dpem_forecast_begin(DpemForecast *forecast, const DpemFitPlan *plan);

/* adds a line of the charge, to which the following rows belong */
extern void dpem_forecast_line(DpemForecast *forecast, DpemMechanism mechanism, const DpemCostLine *cost);

/* the same for noise that protects nobody, and so has no cost to state */
extern void dpem_forecast_unprotected(DpemForecast *forecast, DpemMechanism mechanism, double noise_multiplier,
									  double releases);

/* adds a row for a statistic of the last line */
extern DpemForecastRow *dpem_forecast_row(DpemForecast *forecast, const char *statistic,
										  double sensitivity, double deviation);

/* adds line `line` of the plan's charge, to which the following rows belong */
extern const DpemChargeLine *dpem_forecast_charged(DpemForecast *forecast, int line);

/* the same, and a row for the one statistic of its releases */
extern DpemForecastRow *dpem_forecast_release(DpemForecast *forecast, int line, double sensitivity, double deviation);

/*
 * Adds a joint release over k components, paid for by line `line` of the plan's
 * charge: a line, and a row for each of its statistics.  *sum and *second (either
 * pointer may be NULL) are set to the rows of sums and second moments, or NULL.
 */
extern void dpem_forecast_joint(DpemForecast *forecast, int line, const DpemReleaseSpec *spec, int k,
								DpemForecastRow **sum, DpemForecastRow **second);

/* adds a row without cost: a remark, with its number, if it has one, as the deviation; NaN: none */
extern void dpem_forecast_remark(DpemForecast *forecast, const char *remark, double number);

extern void dpem_forecast_total(DpemForecast *forecast);

/*
 * Noise in the sum of a unit-ball coordinate over `size` rows, converted to the
 * standard deviation of their mean (power 1) or second moment (power 2) in the
 * columns' own units: x = middle + half-width * clip_norm * y.  d numbers, or
 * NULL where size is not known (not above 0).
 */
extern double *dpem_forecast_columns(const DpemFitPlan *plan, double deviation, double size, int power);

/* ---- the result of every dp_*_plan function (emit_forecast.c) ---- */

/* writes the lines and rows of a plan's releases to a forecast; called after dpem_forecast_begin */
typedef void (*DpemForecaster) (const DpemFitPlan *plan, DpemForecast *forecast);

/*
 * Emits the rows of a plan's forecast, with the budget the caller would have
 * left after paying for the fit.  Raises 42501 for a role that has no budget
 * and does not own the source.
 */
extern void dpem_emit_plan(FunctionCallInfo fcinfo, const DpemFitPlan *plan, DpemForecaster forecaster);

/* raises 22023 for an infinite epsilon: without noise there is nothing to plan */
extern void dpem_require_plannable(const DpemFitRequest *request);

#endif							/* DPEM_FIT_FORECAST_H */

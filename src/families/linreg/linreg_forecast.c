/*
 * linreg_forecast.c - what a linear regression will add as noise.
 *
 * Beside the statistics a row in the analyst's units, of what is known of these before a fit: coefficients in
 * standard deviations where rows will be standardised, the target's mean otherwise.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/column_target.h"
#include "core/linreg/linreg_rules.h"
#include "families/linreg/linreg.h"

/*
 * Moments are of standardised rows in a ball of radius r: with noise of deviation sd in svec entries, r^2 sd / sqrt(2) in a
 * covariance, and so in a coefficient of predictors whose covariance is the identity and which say nothing of the
 * target (core/linreg/linreg_estimate.h).
 */
static void
forecast_coefficient(const DpemFitPlan *plan, double rows, DpemForecast *f)
{
	double		noise;

	dpem_linreg_frame_radius(plan, rows, &noise);
	dpem_forecast_row(f, "coefficient, in standard deviations of target and column", NAN,
					  noise / M_SQRT2);
}

static void
forecast_mean(const DpemFitPlan *plan, double rows, double sum_sd, DpemForecast *f)
{
	/* a mean alone is clamped at its domain at most, whatever rows are clipped at */
	double		unit = dpem_linreg_is_mean(plan) ? plan->clip_norm : 1;

	if (dpem_linreg_is_mean(plan) && plan->stage[DPEM_LINREG_LOCATION].line >= 0)
		dpem_forecast_row(f, "mean of the target, in standard deviations", NAN, dpem_target_reach * sum_sd / rows);
	else
		dpem_forecast_row(f, "mean of the target, in its own units", NAN, dpem_forecast_columns(plan, sum_sd / unit, rows, 1)[plan->d - 1]);
}

/* no row where the number of rows is not public, for blocks, whose coefficients are clipped at released ones, or for those of features */
void
dpem_linreg_forecast(const DpemFitPlan *plan, DpemForecast *f)
{
	double		rows = dpem_fit_sample_rows(plan);

	if (dpem_linreg_is_tested(plan))
	{
		dpem_linreg_forecast_tested(plan, f);
		return;
	}
	dpem_fit_forecast_stages(plan, f);
	if (!(rows > 0) || dpem_linreg_is_blocks(plan) || plan->features > 0)
		return;
	if (plan->stage[DPEM_LINREG_MARGINS].line >= 0)
		forecast_coefficient(plan, rows, f);
	else
		forecast_mean(plan, rows, dpem_fit_stage_noise(plan, DPEM_LINREG_MOMENTS).sum, f);
}

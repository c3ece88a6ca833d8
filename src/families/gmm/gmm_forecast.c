/*
 * gmm_forecast.c - what a mixture fit will add as noise.
 */
#include "postgres.h"

#include <math.h>

#include "families/gmm/gmm.h"

static double *
mean_deviation(const DpemGmmPlan *plan, double deviation)
{
	double		size = plan->request->whiten ? 0 : plan->fit.public_rows / plan->request->k;

	return dpem_forecast_columns(&plan->fit, deviation, size, 1);
}

/* the one number |x|^2 is d variances */
static double *
variance_deviation(const DpemGmmPlan *plan, double deviation)
{
	double		size = plan->request->whiten ? 0 : plan->fit.public_rows / plan->request->k;

	if (plan->request->shape == DPEM_SECOND_NORM)
		deviation /= plan->fit.d;
	return dpem_forecast_columns(&plan->fit, deviation, size, 2);
}

/* in units of each column's standard deviation, in which whitened rows are seen, as that is private */
#define A_THIRD "mean of a third of the rows, in standard deviations"

static void
forecast_whitened_mean(DpemForecast *f, const DpemGmmPlan *plan, double deviation)
{
	DpemGmmPrediction p = dpem_gmm_expected_noise(plan, plan->noise_multiplier[DPEM_STAGE_MIXTURE]);
	DpemForecastRow *row = dpem_forecast_row(f, A_THIRD, NAN, 3 * deviation / plan->fit.public_rows * dpem_gmm_whitened_radius(&p, 0));

	/* the standard deviation of a column spread evenly over its domain is a half-width over sqrt(3) */
	row->column_deviation = dpem_forecast_columns(&plan->fit, row->deviation / (sqrt(3) * plan->fit.clip_norm), 1, 1);
}

static void
forecast_stage(DpemForecast *f, const DpemGmmPlan *plan, DpemGmmStage stage)
{
	bool		mixture = stage == DPEM_STAGE_MIXTURE;
	DpemForecastRow *sum;
	DpemForecastRow *second;

	dpem_forecast_joint(f, plan->line[stage], &plan->spec[stage], dpem_gmm_stage_components(plan, stage),
						&sum, &second);
	if (mixture && sum != NULL)
		sum->column_deviation = mean_deviation(plan, sum->deviation);
	if (mixture && second != NULL)
		second->column_deviation = variance_deviation(plan, second->deviation);
	if (mixture && sum != NULL && plan->request->whiten && plan->method != DPEM_GMM_CELLS && plan->fit.public_rows > 0)
		forecast_whitened_mean(f, plan, sum->deviation);
}

static void
forecast_paper(DpemForecast *f, const DpemGmmPlan *plan, DpemPaperStatistic statistic)
{
	const DpemGmmPaperPlan *paper = &plan->paper;
	DpemMomentLayout layout = {plan->request->k, plan->fit.d, plan->request->shape};
	DpemNoiseKind noise = paper->spec.noise[statistic];
	DpemMechanism mechanism = dpem_noise_mechanism(noise, plan->request->shape);
	double		z = paper->noise_multiplier[statistic];
	double		releases = (double) dpem_paper_releases(statistic, layout.k) * plan->fit.iterations;
	double		sensitivity = dpem_release_separate_sensitivity(&paper->spec, &layout, statistic);
	DpemForecastRow *row;

	if (noise == DPEM_NOISE_ONE_SIDED)
		dpem_forecast_unprotected(f, mechanism, z, releases);
	else
	{
		DpemCostLine cost = dpem_cost_line(noise == DPEM_NOISE_LAPLACE ? DPEM_COST_LAPLACE : DPEM_COST_GAUSSIAN,
										   z, releases);

		dpem_forecast_line(f, mechanism, &cost);
	}
	row = dpem_forecast_row(f, dpem_paper_statistic_names[statistic], sensitivity,
							dpem_noise_deviation(noise, &layout, z, sensitivity));
	if (statistic == DPEM_PAPER_MEANS)
		row->column_deviation = mean_deviation(plan, row->deviation);
	else if (statistic == DPEM_PAPER_COVARIANCES)
		row->column_deviation = variance_deviation(plan, row->deviation);
}

/*
 * Own units are those of a component's mean and variances if the public number
 * of rows were spread evenly over the components, and of noise in sums and
 * second moments alone; they are not known before a whitened fit, nor where
 * the number of rows is not public.  A whitened fit has a row for what one pass
 * adds to the mean of a component of a third of the rows, in standard deviations of the
 * column over all rows, if whitening finds these, and in own units of columns that
 * are spread evenly over their domains; averages of passes have less.
 */
void
dpem_gmm_forecast(const DpemFitPlan *fit, DpemForecast *f)
{
	const DpemGmmPlan *plan = (const DpemGmmPlan *) fit;

	if (plan->request->paper)
	{
		f->step_delta = plan->paper.step_delta;
		for (int s = 0; s < DPEM_PAPER_STATISTICS; s++)
			forecast_paper(f, plan, s);
		return;
	}
	for (int s = 0; s < DPEM_STAGES; s++)
		if (plan->line[s] >= 0)
			forecast_stage(f, plan, s);
}

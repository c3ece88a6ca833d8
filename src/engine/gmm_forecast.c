/*
 * gmm_forecast.c - see gmm_forecast.h.
 */
#include "postgres.h"

#include <math.h>

#include "core/fit_cost.h"
#include "engine/gmm_forecast.h"

#define MAX_ROWS (3 * DPEM_CHARGE_MAX_LINES + 1)

typedef struct Forecast
{
	const DpemGmmPlan *plan;
	DpemGmmForecastRow *rows;
	int			n;
	DpemCostLine lines[DPEM_CHARGE_MAX_LINES];
	int			nlines;
	bool		is_private;		/* every line so far */
} Forecast;

static void
fill_cost(const Forecast *f, const DpemCostLine *lines, int n, DpemGmmForecastRow *row)
{
	double		step_delta = f->plan->request->paper ? f->plan->paper.step_delta : 0;

	row->mu2 = dpem_cost_mu2(lines, n);
	for (int c = 0; c < DPEM_COMPOSITIONS; c++)
		(void) dpem_cost_epsilon(lines, n, (DpemComposition) c, f->plan->request->delta, step_delta,
								 &row->epsilon[c]);
	dpem_cost_concentrated(lines, n, &row->concentrated_mean, &row->concentrated_tau);
}

static void
no_cost(DpemGmmForecastRow *row)
{
	row->mu2 = row->concentrated_mean = row->concentrated_tau = NAN;
	for (int c = 0; c < DPEM_COMPOSITIONS; c++)
		row->epsilon[c] = NAN;
}

/* one more line of the charge, to which the next rows belong */
static void
add_line(Forecast *f, DpemNoiseKind noise, double noise_multiplier, double releases)
{
	f->lines[f->nlines++] = (DpemCostLine) {noise == DPEM_NOISE_LAPLACE, noise_multiplier, releases};
	f->is_private &= noise != DPEM_NOISE_ONE_SIDED;
}

static DpemGmmForecastRow *
add_row(Forecast *f, const char *statistic, DpemNoiseKind noise, double sensitivity, double deviation)
{
	DpemGmmForecastRow *row = &f->rows[f->n++];
	const DpemCostLine *line = &f->lines[f->nlines - 1];

	row->line = f->nlines;
	row->statistic = statistic;
	row->mechanism = dpem_noise_name(noise, f->plan->request->shape);
	row->sensitivity = sensitivity;
	row->noise_multiplier = line->noise_multiplier;
	row->deviation = deviation;
	row->releases = (int) line->releases;
	if (noise == DPEM_NOISE_ONE_SIDED)
		no_cost(row);
	else
		fill_cost(f, line, 1, row);
	return row;
}

/*
 * In the columns' units: x = middle + half-width * clip_norm * y for y in the
 * unit ball, to the power 1 for means and 2 for variances.
 */
static double *
column_deviation(const DpemGmmPlan *plan, double deviation, int power)
{
	double	   *out;
	double		size = plan->public_rows / plan->request->k;
	ListCell   *cell;
	int			j = 0;

	if (plan->request->whiten || !(plan->public_rows > 0))
		return NULL;
	out = palloc(plan->d * sizeof(double));
	foreach(cell, plan->dataset->columns)
	{
		const DpemColumn *column = lfirst(cell);
		double		unit = (column->upper / 2 - column->lower / 2) * plan->clip_norm;

		for (int i = 0; i < column->length; i++)
			out[j++] = deviation / size * pow(unit, power);
	}
	return out;
}

/* the one number |x|^2 is d variances */
static double *
variance_deviation(const DpemGmmPlan *plan, double deviation)
{
	return column_deviation(plan, plan->request->shape == DPEM_SECOND_NORM ? deviation / plan->d : deviation, 2);
}

static void
forecast_stage(Forecast *f, DpemGmmStage stage)
{
	const DpemGmmPlan *plan = f->plan;
	const DpemChargeLine *line = &plan->charge.lines[plan->line[stage]];
	const DpemReleaseSpec *spec = &plan->spec[stage];
	bool		mixture = stage == DPEM_STAGE_MIXTURE;
	int			k = mixture ? plan->request->k : 1;
	double		delta = dpem_release_sensitivity(spec, k);
	double		sd[3];
	DpemGmmForecastRow *row;

	add_line(f, DPEM_NOISE_GAUSSIAN, line->noise_multiplier, line->releases);
	dpem_release_noise(spec, k, line->noise_multiplier, &sd[0], &sd[1], &sd[2]);
	if (spec->count_weight > 0)
		add_row(f, psprintf("%s: counts", line->statistic), DPEM_NOISE_GAUSSIAN,
				delta / spec->count_weight, sd[0]);
	row = add_row(f, psprintf("%s: sums", line->statistic), DPEM_NOISE_GAUSSIAN,
				  delta / spec->sum_weight, sd[1]);
	row->column_deviation = mixture ? column_deviation(plan, sd[1], 1) : NULL;
	if (spec->second_weight > 0)
	{
		row = add_row(f, psprintf("%s: second moments", line->statistic), DPEM_NOISE_GAUSSIAN,
					  delta / spec->second_weight, sd[2]);
		row->column_deviation = mixture ? variance_deviation(plan, sd[2]) : NULL;
	}
}

static void
forecast_paper(Forecast *f, DpemPaperStatistic statistic)
{
	const DpemGmmPlan *plan = f->plan;
	const DpemGmmPaperPlan *paper = &plan->paper;
	DpemMomentLayout layout = {plan->request->k, plan->d, plan->request->shape};
	DpemNoiseKind noise = paper->spec.noise[statistic];
	double		z = paper->noise_multiplier[statistic];
	double		sensitivity = dpem_release_separate_sensitivity(&paper->spec, &layout, statistic);
	double		deviation = dpem_noise_deviation(noise, &layout, z, sensitivity);
	DpemGmmForecastRow *row;

	add_line(f, noise, z, (double) dpem_paper_releases(statistic, layout.k) * plan->iterations);
	row = add_row(f, dpem_paper_statistic_names[statistic], noise, sensitivity, deviation);
	if (statistic == DPEM_PAPER_MEANS)
		row->column_deviation = column_deviation(plan, deviation, 1);
	else if (statistic == DPEM_PAPER_COVARIANCES)
		row->column_deviation = variance_deviation(plan, deviation);
}

static void
forecast_total(Forecast *f)
{
	DpemGmmForecastRow *row = &f->rows[f->n++];

	row->statistic = "total";
	row->sensitivity = row->noise_multiplier = row->deviation = NAN;
	for (int i = 0; i < f->nlines; i++)
		row->releases += (int) f->lines[i].releases;
	if (f->is_private)
		fill_cost(f, f->lines, f->nlines, row);
	else
		no_cost(row);
}

DpemGmmForecastRow *
dpem_gmm_forecast(const DpemGmmPlan *plan, int *n)
{
	Forecast	f = {.plan = plan,.rows = palloc0(MAX_ROWS * sizeof(DpemGmmForecastRow)),.is_private = true};

	if (plan->request->paper)
	{
		for (int s = 0; s < DPEM_PAPER_STATISTICS; s++)
			forecast_paper(&f, s);
	}
	else
	{
		for (int s = 0; s < DPEM_STAGES; s++)
			if (plan->line[s] >= 0)
				forecast_stage(&f, s);
	}
	forecast_total(&f);
	*n = f.n;
	return f.rows;
}

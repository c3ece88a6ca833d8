/*
 * forecast.c - see forecast.h.
 */
#include "postgres.h"

#include <math.h>

#include "fit/forecast.h"

/* counts, sums and second moments of each line, and the total */
#define MAX_ROWS (3 * DPEM_CHARGE_MAX_LINES + 1)

void
dpem_forecast_begin(DpemForecast *f, const DpemFitPlan *plan)
{
	(void) dpem_fit_require_cost(plan);
	*f = (DpemForecast) {
		.plan = plan,.rows = palloc0(MAX_ROWS * sizeof(DpemForecastRow)),.is_private = true
	};
}

static void
fill_cost(const DpemForecast *f, const DpemCostLine *lines, int n, DpemForecastRow *row)
{
	row->mu2 = dpem_cost_mu2(lines, n);
	for (int c = 0; c < DPEM_COMPOSITIONS; c++)
		(void) dpem_cost_epsilon(lines, n, (DpemComposition) c, dpem_fit_noise_delta(f->plan), f->step_delta,
								 &row->epsilon[c]);
	dpem_cost_concentrated(lines, n, &row->concentrated_mean, &row->concentrated_tau);
}

static void
no_cost(DpemForecastRow *row)
{
	row->mu2 = row->concentrated_mean = row->concentrated_tau = NAN;
	for (int c = 0; c < DPEM_COMPOSITIONS; c++)
		row->epsilon[c] = NAN;
}

void
dpem_forecast_line(DpemForecast *f, DpemMechanism mechanism, const DpemCostLine *cost)
{
	if (f->nlines >= DPEM_CHARGE_MAX_LINES)
		elog(ERROR, "dpem: a forecast of too many lines");
	f->mechanism[f->nlines] = mechanism;
	f->lines[f->nlines++] = *cost;
}

const DpemChargeLine *
dpem_forecast_charged(DpemForecast *f, int line)
{
	const DpemChargeLine *l = &f->plan->charge.lines[line];
	DpemCostLine cost = dpem_fit_cost_of_line(l);

	dpem_forecast_line(f, l->mechanism, &cost);
	return l;
}

void
dpem_forecast_unprotected(DpemForecast *f, DpemMechanism mechanism, double noise_multiplier, double releases)
{
	DpemCostLine cost = dpem_cost_line(DPEM_COST_GAUSSIAN, noise_multiplier, releases);

	dpem_forecast_line(f, mechanism, &cost);
	f->is_private = false;
}

static DpemForecastRow *
next_row(DpemForecast *f)
{
	if (f->n >= MAX_ROWS)
		elog(ERROR, "dpem: a forecast of too many rows");
	return &f->rows[f->n++];
}

DpemForecastRow *
dpem_forecast_row(DpemForecast *f, const char *statistic, double sensitivity, double deviation)
{
	DpemForecastRow *row = next_row(f);
	const DpemCostLine *line = &f->lines[f->nlines - 1];

	row->line = f->nlines;
	row->statistic = statistic;
	row->mechanism = f->mechanism[f->nlines - 1];
	row->sensitivity = sensitivity;
	row->noise_multiplier = line->noise_multiplier;
	row->deviation = deviation;
	row->releases = (int) line->releases;
	if (f->is_private)
		fill_cost(f, line, 1, row);
	else
		no_cost(row);
	return row;
}

DpemForecastRow *
dpem_forecast_release(DpemForecast *f, int line, double sensitivity, double deviation)
{
	return dpem_forecast_row(f, dpem_forecast_charged(f, line)->statistic, sensitivity, deviation);
}

void
dpem_forecast_joint(DpemForecast *f, int line, const DpemReleaseSpec *spec, int k,
					DpemForecastRow **sum, DpemForecastRow **second)
{
	const DpemChargeLine *l = dpem_forecast_charged(f, line);
	double		delta = dpem_release_sensitivity(spec, k, f->plan->d);
	double		sd[3];
	DpemForecastRow *row[2] = {NULL, NULL};

	dpem_release_noise(spec, k, f->plan->d, l->noise_multiplier, &sd[0], &sd[1], &sd[2]);
	if (spec->count_weight > 0)
		dpem_forecast_row(f, psprintf("%s: counts", l->statistic), delta / spec->count_weight, sd[0]);
	if (spec->sum_weight > 0)
		row[0] = dpem_forecast_row(f, psprintf("%s: sums", l->statistic), delta / spec->sum_weight, sd[1]);
	if (spec->second_weight > 0)
		row[1] = dpem_forecast_row(f, psprintf("%s: second moments", l->statistic),
								   delta / spec->second_weight, sd[2]);
	if (sum != NULL)
		*sum = row[0];
	if (second != NULL)
		*second = row[1];
}

void
dpem_forecast_remark(DpemForecast *f, const char *remark, double number)
{
	DpemForecastRow *row = next_row(f);

	row->statistic = remark;
	row->deviation = number;
	row->sensitivity = row->noise_multiplier = NAN;
	no_cost(row);
}

void
dpem_forecast_total(DpemForecast *f)
{
	DpemForecastRow *row = next_row(f);

	row->statistic = "total";
	row->sensitivity = row->noise_multiplier = row->deviation = NAN;
	for (int i = 0; i < f->nlines; i++)
		row->releases += (int) f->lines[i].releases;
	if (f->is_private)
		fill_cost(f, f->lines, f->nlines, row);
	else
		no_cost(row);
}

double *
dpem_forecast_columns(const DpemFitPlan *plan, double deviation, double size, int power)
{
	double	   *out;
	ListCell   *cell;
	int			j = 0;

	if (!(size > 0))
		return NULL;
	out = palloc(plan->d * sizeof(double));
	foreach(cell, plan->binding->columns)
	{
		const DpemColumn *column = lfirst(cell);
		double		unit = (dpem_scale_apply(column->scale, column->upper) / 2 -
							dpem_scale_apply(column->scale, column->lower) / 2) * plan->clip_norm;

		for (int i = 0; i < column->length; i++)
			out[j++] = deviation / size * pow(unit, power);
	}
	return out;
}

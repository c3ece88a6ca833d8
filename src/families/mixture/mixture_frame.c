/*
 * mixture_frame.c - where the numbers of a mixture lie, by their margins.
 */
#include "postgres.h"

#include <math.h>

#include "core/mixture/mixture_rules.h"
#include "families/mixture/mixture_run.h"
#include "server/fit_memory.h"

/* ---- the frame: numbers about their centers, in their own units ---- */

/* where, in the box, a number is seen that is not known: in the middle of its domain, clamped to the range */
static double
unknown_at(const double *range, size_t n, int j)
{
	return range == NULL ? 0 : fmin(fmax(0, range[j]), range[n + j]);
}

/* what is not known becomes 0: the center's distance from it is taken away by the coordinate that tells */
static void
set_frame(DpemFitRun *fit, int group, MixtureRun *run, const double *center, const double *deviation)
{
	const double *range = fit->part[group].range;
	size_t		n = (size_t) fit->plan->d;
	double	   *whitening = dpem_fit_allocate(n * n);
	double	   *origin = dpem_fit_allocate(n);

	for (size_t j = 0; j < n; j++)
		whitening[j * n + j] = j < (size_t) run->rows.numbers ? 1 / deviation[j]
			: j < (size_t) run->rows.d ? 1 : DPEM_MIXTURE_KNOWN;
	for (int j = 0; j < run->rows.numbers; j++)
	{
		origin[j] = run->rows.missing ? unknown_at(range, n, j) : center[j];
		if (run->rows.missing)
			whitening[j * n + run->rows.d + j] = (origin[j] - center[j]) / deviation[j];
	}
	fit->part[group].center = origin;
	fit->part[group].whitening = whitening;
	fit->part[group].radius = run->rows.radius;
}

static void
set_units(const DpemFitRun *fit, MixtureRun *run, const double *center, const double *deviation)
{
	DpemFeatureMap map = dpem_fit_map(fit, 0);
	double	   *middle = dpem_fit_allocate(run->rows.numbers);
	double	   *unit = dpem_fit_allocate(run->rows.numbers);

	for (int j = 0; j < run->rows.numbers; j++)
	{
		double		half = map.upper[j] / 2 - map.lower[j] / 2;

		middle[j] = map.upper[j] / 2 + map.lower[j] / 2 + half * center[j];
		unit[j] = half * deviation[j];
	}
	run->rows.middle = middle;
	run->rows.unit = unit;
}

/* a count's rate is the mean of all its rows, rare ones too */
static const DpemColumnValues *
values_of(const DpemMixturePlan *plan)
{
	DpemColumnValues *values = dpem_fit_density_values(plan->rows.numbers);

	for (int j = 0; j < plan->rows.numbers; j++)
		if (plan->rows.law[j] == DPEM_LAW_POISSON)
			values[j] = DPEM_VALUES_ANY;
	return values;
}

void
dpem_mixture_find_frames(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run)
{
	int			numbers = plan->rows.numbers;
	double	   *center = dpem_fit_allocate(numbers);
	double	   *deviation = dpem_fit_allocate(numbers);
	const DpemColumnValues *values = values_of(plan);
	DpemMargins *margins = numbers == 0 ? NULL
		: dpem_fit_release_margins(fit, &plan->fit.stage[DPEM_MIXTURE_MARGINS], &plan->grid);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		if (numbers > 0)
		{
			margins[g].values = values;
			dpem_fit_density_spread(fit, g, &margins[g], plan->fit.noisy, center, deviation);
			run[g].margins = &margins[g];
			run[g].atom = dpem_fit_column_atoms(fit, &margins[g]);
		}
		set_frame(fit, g, &run[g], center, deviation);
		set_units(fit, &run[g], center, deviation);
	}
}

/* row j of the whitening is in units of number j */
static void
change_units(DpemFitRun *fit, int group, MixtureRun *run, const double *factor)
{
	size_t		n = (size_t) fit->plan->d;
	double	   *whitening = dpem_fit_allocate(n * n);
	double	   *unit = dpem_fit_allocate(run->rows.numbers);

	memcpy(whitening, fit->part[group].whitening, n * n * sizeof(double));
	for (size_t j = 0; j < (size_t) run->rows.numbers; j++)
	{
		for (size_t i = 0; i < n; i++)
			whitening[j * n + i] /= factor[j];
		unit[j] = run->rows.unit[j] * factor[j];
	}
	fit->part[group].whitening = whitening;
	run->rows.unit = unit;
}

void
dpem_mixture_widen_units(DpemFitRun *fit, const DpemMixturePlan *plan, int group, MixtureRun *run, DpemNoisyMoments *m)
{
	const double *whitening = fit->part[group].whitening;
	size_t		n = (size_t) plan->fit.d;
	double	   *bins = dpem_fit_allocate(run->rows.numbers);
	double	   *factor = dpem_fit_allocate(run->rows.numbers);

	if (run->rows.numbers == 0)
		return;
	for (size_t j = 0; j < (size_t) run->rows.numbers; j++)
		bins[j] = dpem_margin_level_bins(&plan->grid, plan->grid.levels - 1) / (2 * whitening[j * n + j]);
	if (dpem_mixture_widen(&run->rows, bins, dpem_fit_is_sampled(&plan->fit), m, &run->all, &run->total, factor))
		change_units(fit, group, run, factor);
}

/*
 * mixture_frame.c - where the numbers of a mixture lie, by their margins.
 */
#include "postgres.h"

#include "families/mixture/mixture_run.h"
#include "server/fit_memory.h"

/* ---- the frame: numbers about their centers, in their own units ---- */

/* what is not known stays 0: its center is taken away by the coordinate that tells */
static void
set_frame(DpemFitRun *fit, int group, MixtureRun *run, const double *center, const double *deviation)
{
	size_t		n = (size_t) fit->plan->d;
	double	   *whitening = dpem_fit_allocate(n * n);
	double	   *origin = run->rows.missing ? NULL : dpem_fit_allocate(n);

	for (size_t j = 0; j < n; j++)
		whitening[j * n + j] = j < (size_t) run->rows.numbers ? 1 / deviation[j]
			: j < (size_t) run->rows.d ? 1 : DPEM_MIXTURE_KNOWN;
	for (int j = 0; j < run->rows.numbers; j++)
	{
		if (origin != NULL)
			origin[j] = center[j];
		else
			whitening[j * n + run->rows.d + j] = -center[j] / deviation[j];
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

void
dpem_mixture_find_frames(DpemFitRun *fit, const DpemMixturePlan *plan, MixtureRun *run)
{
	int			numbers = plan->rows.numbers;
	double	   *center = dpem_fit_allocate(numbers);
	double	   *deviation = dpem_fit_allocate(numbers);
	DpemMargins *margins = numbers == 0 ? NULL
		: dpem_fit_release_margins(fit, &plan->fit.stage[DPEM_MIXTURE_MARGINS], &plan->grid);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		if (numbers > 0)
			dpem_column_spread(&margins[g], true, center, deviation, dpem_fit_workspace(dpem_column_spread_work(&plan->grid)));
		set_frame(fit, g, &run[g], center, deviation);
		set_units(fit, &run[g], center, deviation);
	}
}

/*
 * fit_margins.c - see fit_margins.h.
 */
#include "postgres.h"

#include "fit/fit_margins.h"
#include "server/fit_memory.h"

DpemFitStage
dpem_fit_margins_stage(const DpemFitPlan *plan, const DpemMarginGrid *grid, double share)
{
	return (DpemFitStage) {
		.statistic = "margins",.share = share,.releases = 1,
			.spec = {
				.sum_weight = 1,.replace_one = plan->dataset->replace_one,.rows_per_unit = plan->dataset->max_rows_per_unit,
				.contribution = DPEM_DOCUMENT
			},
			.layout = {plan->groups * dpem_margin_bins(grid), plan->d, DPEM_SECOND_NONE}
	};
}

DpemMargins *
dpem_fit_release_margins(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid)
{
	int			groups = run->plan->groups;
	DpemMomentLayout layout = {dpem_margin_bins(grid), run->plan->d, DPEM_SECOND_NONE};
	DpemMargins *margins = palloc(groups * sizeof(DpemMargins));
	double		theta[DPEM_MARGINS_THETA];
	DpemNoisyMoments *m;

	dpem_fit_report(run, "margins", 0);
	dpem_margins_write(grid, theta);
	for (int g = 0; g < groups; g++)
		run->part[g].theta = theta;
	m = dpem_fit_release_groups(run, stage->line, &stage->spec,
								run->plan->binding->label ? &dpem_kernel_class_margins : &dpem_kernel_margins, &layout);
	for (int g = 0; g < groups; g++)
	{
		run->part[g].theta = NULL;
		margins[g] = dpem_margins_take(grid, &m[g], run->plan->public_rows);
	}
	return margins;
}

void
dpem_fit_set_frame(DpemFitRun *run, int group, const double *center, const double *scale, double radius)
{
	size_t		d = (size_t) run->plan->d;
	double	   *whitening = dpem_fit_allocate(d * d);

	for (size_t j = 0; j < d; j++)
		whitening[j * d + j] = scale[j];
	run->part[group].center = center;
	run->part[group].whitening = whitening;
	run->part[group].radius = radius;
}

/*
 * kmeans_locate.c - see kmeans_locate.h.
 *
 * Lloyd's passes read rows in a ball, with noise in proportion to its radius, from centers spread over it: in a
 * domain that is many times as wide as the rows both are wasted on what is empty.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "core/gmm/gmm_rules.h"
#include "core/gmm/total_covariance.h"
#include "families/kmeans/kmeans_locate.h"
#include "fit/fit_margins.h"
#include "server/fit_memory.h"

/* ---- plan ---- */

/* of a group: of a table that has a public number of them no more than its part of these, which is private */
double
dpem_kmeans_assumed_rows(const DpemFitPlan *plan)
{
	double		rows = plan->public_rows;

	if (rows == 0 && plan->dataset->replace_one && plan->dataset->unit == NULL)
		rows = dpem_dataset_public_rows(plan->dataset);
	return rows > 0 ? rows / plan->groups : dpem_supposed_rows(0);
}

/* in a bin of the first level, of a group's rows, with that share of the squared mu */
static double
margins_noise(const DpemKmeansPlan *plan, double share)
{
	return dpem_fit_margins_noise(&plan->fit, &plan->margins, share, dpem_kmeans_assumed_rows(&plan->fit));
}

/* of the margins; 0: rows are not looked for, as the caller knows the ball or the start, or noise would hide where they are */
static double
choose_share(const DpemKmeansPlan *plan)
{
	double		share = dpem_lloyd_margins_share(0);

	if (plan->request->init_means != NULL || plan->request->fit.clip_norm > 0)
		return 0;
	if (!plan->fit.noisy)
		return share;
	share = dpem_lloyd_margins_share(margins_noise(plan, share));
	return dpem_gmm_margins_tell(margins_noise(plan, share)) ? share : 0;
}

void
dpem_kmeans_plan_locate(DpemKmeansPlan *plan)
{
	DpemFitPlan *fit = &plan->fit;

	plan->margins = dpem_margin_grid(fit->d, fit->groups, fit->clip_norm);
	fit->stage[DPEM_LLOYD_MARGINS] = dpem_fit_margins_stage(fit, &plan->margins, 0);
	fit->stage[DPEM_LLOYD_MARGINS].share = choose_share(plan);
	plan->located = fit->stage[DPEM_LLOYD_MARGINS].share > 0;
	fit->stage[DPEM_LLOYD_BALL] = (DpemFitStage) {
		.statistic = "center",.share = plan->located ? dpem_lloyd_ball_share : 0,.releases = 1,.spec = dpem_fit_spec(fit, 1, 1, 1),
			.layout = {fit->groups, fit->d, DPEM_SECOND_NORM}
	};
}

double
dpem_kmeans_passes_share(const DpemKmeansPlan *plan)
{
	return 1 - plan->fit.stage[DPEM_LLOYD_MARGINS].share - plan->fit.stage[DPEM_LLOYD_BALL].share;
}

/* ---- run ---- */

/* noise in a sum by all passes together, of a sample made that of all rows */
static double
passes_noise(const DpemKmeansPlan *plan)
{
	return dpem_fit_stage_noise(&plan->fit, DPEM_LLOYD_PASSES).sum / sqrt(plan->fit.iterations) / plan->fit.sample.rate;
}

/* the group's later passes are in that ball */
static void
set_ball(DpemKmeansRun *run, int group, const double *origin, double radius)
{
	run[group].origin = origin;
	run[group].radius = radius;
	run->fit->part[group].center = origin;
	run->fit->part[group].radius = radius;
}

/* what margins show of a group's columns */
typedef struct Columns
{
	double	   *origin;
	double	   *deviation;
} Columns;

/* what margins say of so few rows is noise: they may be anywhere */
static void
set_anywhere(const DpemFitPlan *plan, Columns *columns)
{
	for (int j = 0; j < plan->d; j++)
	{
		columns->origin[j] = 0;
		columns->deviation[j] = 1 / sqrt(3);
	}
}

/* a pass for margins, and the balls that the next one reads rows in */
static Columns *
find_columns(DpemKmeansRun *run, DpemMargins *margins, DpemWorkspace work)
{
	const DpemKmeansPlan *plan = run->plan;
	int			d = plan->fit.d;
	Columns    *columns = palloc(plan->fit.groups * sizeof(Columns));

	for (int g = 0; g < plan->fit.groups; g++)
	{
		CHECK_FOR_INTERRUPTS();
		columns[g] = (Columns) {dpem_fit_allocate(d), dpem_fit_allocate(d)};
		if (!plan->fit.noisy || dpem_gmm_margins_tell(margins[g].noise))
			dpem_column_spread(&margins[g], true, columns[g].origin, columns[g].deviation, work);
		else
			set_anywhere(&plan->fit, &columns[g]);
		set_ball(run, g, columns[g].origin,
				 dpem_columns_ball(d, plan->fit.clip_norm, dpem_lloyd_norms_noise(margins[g].rows, dpem_fit_stage_noise(&plan->fit, DPEM_LLOYD_BALL).second),
								   columns[g].origin, columns[g].deviation));
	}
	return columns;
}

/* where a group's passes start, in the ball's coordinates: spread over the domain, or over the columns' laws */
static void
find_start(DpemKmeansRun *run, const DpemMargins *margins, bool anywhere, DpemWorkspace work)
{
	DpemKmeans *means = &run->means;
	int			d = means->d;
	int			bins = dpem_margin_level_bins(&margins->grid, margins->grid.levels - 1);
	double	   *p = dpem_fit_allocate(bins);

	CHECK_FOR_INTERRUPTS();
	dpem_kmeans_start(means->k, d, 1 / sqrt(d), means->center, dpem_fit_workspace(dpem_kmeans_start_work(means->k, d)));
	for (int j = 0; j < d; j++)
	{
		dpem_margins_law(margins, j, p, work);
		for (int k = 0; k < means->k; k++)
		{
			double	   *x = &means->center[(size_t) k * d + j];

			*x = ((anywhere ? *x * sqrt(d) : dpem_lloyd_place(bins, p, *x * sqrt(d))) - run->origin[j]) / run->radius;
		}
	}
	dpem_kmeans_clamp(means->k, d, 1, means->center);
}

/* of a group in which noise would hide several centers: its passes look for the middle of its rows from now on */
static void
look_for_middle(DpemKmeansRun *run, const DpemNoisyMoments *m, const double *origin)
{
	const DpemFitPlan *plan = &run->plan->fit;
	double	   *center = dpem_fit_allocate(plan->d);

	run->total = palloc(sizeof(DpemKmeansTotal));
	*run->total = dpem_kmeans_total_make(run);
	run->middle = dpem_fit_allocate(plan->d);
	for (int j = 0; j < plan->d; j++)
		center[j] = origin[j] / plan->clip_norm;
	dpem_kmeans_add_look(run, m, center, run->radius / plan->clip_norm, run->total);
	run->total->rows *= plan->sample.rate;
	run->total->rows_sd *= plan->sample.rate;
}

/* the passes' history is that of centers where it is read */
static bool
hides_clusters(const DpemKmeansPlan *plan, double rows)
{
	return plan->fit.noisy && plan->request->postprocess == NULL && dpem_lloyd_hides(plan->fit.d, rows, passes_noise(plan));
}

/* a pass for the balls of the next ones, within those of the rows as they are seen now */
static void
find_balls(DpemKmeansRun *run, const DpemMargins *margins, const Columns *columns, DpemWorkspace work)
{
	const DpemKmeansPlan *plan = run->plan;
	int			d = plan->fit.d;
	const DpemFitStage *stage = &plan->fit.stage[DPEM_LLOYD_BALL];
	DpemNoisyMoments *m = dpem_fit_release_total(run->fit, stage->line, &stage->spec, DPEM_SECOND_NORM, DPEM_FIT_ANYWHERE, NULL);

	for (int g = 0; g < plan->fit.groups; g++)
	{
		double	   *origin = dpem_fit_allocate(d);
		double		rows = dpem_total_rows(&m[g], plan->fit.public_rows);
		double		noise = dpem_lloyd_ball_noise(plan->request->k, d, rows, passes_noise(plan));
		double		distance = dpem_total_distance(&m[g], plan->fit.public_rows) * run[g].radius;
		double		radius;

		if (hides_clusters(plan, rows))
		{
			look_for_middle(&run[g], &m[g], columns[g].origin);
			continue;
		}
		radius = dpem_total_ball(&m[g], plan->fit.public_rows, true, run[g].radius, noise, origin);

		for (int j = 0; j < d; j++)
			origin[j] += columns[g].origin[j];
		set_ball(run, g, origin, radius);
		find_start(&run[g], &margins[g], dpem_lloyd_starts_anywhere(distance, plan->fit.clip_norm), work);
	}
}

void
dpem_kmeans_locate(DpemKmeansRun *run)
{
	const DpemKmeansPlan *plan = run->plan;
	DpemMargins *margins;
	DpemWorkspace work;

	margins = dpem_fit_release_margins(run->fit, &plan->fit.stage[DPEM_LLOYD_MARGINS], &plan->margins);
	work = dpem_fit_workspace(dpem_column_spread_work(&plan->margins));
	dpem_fit_report(run->fit, "center", 0);
	find_balls(run, margins, find_columns(run, margins, work), work);
}

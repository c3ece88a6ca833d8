/*
 * gmm_components.c - the last stage where it is no EM over rows.
 */
#include "postgres.h"

#include "core/mixture/gmm_grid.h"
#include "core/mixture/gmm_total.h"
#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

/* noise in the count of a cell: counts alone, by one of the releases that the mixture's stage has paid for */
static double
count_noise(const DpemGmmPlan *plan)
{
	DpemReleaseSpec spec = dpem_gmm_counts_spec(plan);
	double		sd;
	double		unused;

	dpem_release_noise(&spec, 2, plan->fit.d, plan->noise_multiplier[DPEM_STAGE_MIXTURE], &sd, &unused, &unused);
	return sd;
}

/* counts of a grid's cells, over the first axes of whitened rows; theta and counts live in the current context */
static DpemGmmCells
count_cells(GmmRun *run, const GmmGroup *group, int axes)
{
	const DpemGmmPlan *plan = run->plan;
	DpemReleaseSpec spec = dpem_gmm_counts_spec(plan);
	DpemMomentLayout layout = {.d = plan->fit.d,.second = DPEM_COUNTS_ALONE};
	double		sd = count_noise(plan);
	DpemCellGrid grid = dpem_gmm_grid(plan->request->k, axes, plan->fit.d, axes < plan->fit.d ? DPEM_GMM_SEED_CELLS : DPEM_CELLS_MAX, group->part->center, group->part->whitening, group->rows, sd,
									  dpem_fit_allocate((size_t) axes * plan->fit.d));
	double	   *theta = dpem_fit_allocate(dpem_cells_theta_length(&grid));
	DpemGmmCells cells;

	dpem_cells_write(&grid, theta);
	group->part->theta = theta;
	dpem_fit_report(run->fit, "cells", 0);
	cells = dpem_gmm_grid_cells(&grid, NULL, sd, group->rows,
								dpem_fit_allocate((size_t) dpem_cells_number(&grid) * grid.axes));
	layout.k = cells.n;
	cells.count = dpem_fit_release_groups(run->fit, plan->line[DPEM_STAGE_MIXTURE], &spec, &dpem_kernel_cells, &layout)->value;
	cells.pause = dpem_fit_pause;
	return cells;
}

/* of one group: a grid follows from what was released of its rows */
void
dpem_gmm_run_cells(GmmRun *run)
{
	GmmGroup   *group = &run->group[0];
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemGmmCells cells = count_cells(run, group, group->gmm.d);
	DpemWorkspace work = dpem_fit_workspace(dpem_gmm_cells_work(cells.n, group->gmm.k, cells.d));
	int			distinct;

	if (run->candidates.n > 0)
	{
		dpem_gmm_cells_choose(&cells, &run->candidates, &group->gmm, work);
		dpem_gmm_settle(run);
	}
	distinct = run->candidates.n > 0 ? dpem_gmm_cells_refit(&cells, &group->gmm, work) : dpem_gmm_cells_fit(&cells, &group->gmm, work);
	dpem_fit_require_ok(distinct > 0 ? DPEM_OK : DPEM_NO_SOLUTION);
	group->noise = dpem_gmm_grid_noise(&cells, &group->gmm);
	group->history.total[0] = group->rows;
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

void
dpem_gmm_start_in_cells(GmmRun *run)
{
	GmmGroup   *group = &run->group[0];
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemGmm		found = dpem_gmm_create(group->gmm.k, group->gmm.d, group->gmm.shape);
	DpemGmmCells cells = count_cells(run, group, group->gmm.d);

	/* the usual noise of counts: without any, seeds are as likely to be cells of a single row */
	cells.sd = 1;
	if (dpem_gmm_cells_fit(&cells, &found, dpem_fit_workspace(dpem_gmm_cells_work(cells.n, found.k, cells.d))) == found.k)
		dpem_gmm_copy(&found, &group->gmm);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* a component found in the first axes, which are those of the grid's ball; in the others it has mean and covariance of all rows */
static void
place_seed(const DpemGmm *found, int c, double unit, double variance, DpemGmm *gmm)
{
	size_t		axes = (size_t) found->d;
	size_t		d = (size_t) gmm->d;
	double	   *covariance = gmm->covariance + c * d * d;

	memset(gmm->mean + c * d, 0, d * sizeof(double));
	memset(covariance, 0, d * d * sizeof(double));
	for (size_t i = 0; i < d; i++)
		covariance[i * d + i] = variance;
	for (size_t i = 0; i < axes; i++)
	{
		gmm->mean[c * d + i] = unit * found->mean[c * axes + i];
		for (size_t j = 0; j < axes; j++)
			covariance[i * d + j] = unit * unit * found->covariance[(c * axes + i) * axes + j];
	}
}

static bool
can_seed(const GmmRun *run, int passes)
{
	const DpemGmmPlan *plan = run->plan;

	return plan->method == DPEM_GMM_PASSES && dpem_gmm_can_refine(plan) && plan->request->k > 1 && plan->fit.groups == 1 &&
		plan->request->shape != DPEM_SECOND_NORM && !dpem_fit_is_sampled(&plan->fit) && passes > DPEM_GMM_SEED_PASSES && run->group[0].rows > 0 &&
		dpem_gmm_cells_seed(count_noise(plan) * plan->request->k / run->group[0].rows, plan->probes);
}

static void
place_seeds(const DpemGmm *found, double unit, double variance, DpemGmm *gmm)
{
	memcpy(gmm->weight, found->weight, found->k * sizeof(double));
	for (int c = 0; c < found->k; c++)
		place_seed(found, c, unit, variance, gmm);
}

/*
 * Clusters are there at once.  Where nothing but a tail or a spike is cut into pieces, a start from the pieces is worse than one that is
 * spread over all rows.
 */
static void
start_from_cells(GmmRun *run)
{
	GmmGroup   *group = &run->group[0];
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	int			axes = Min(group->gmm.d, DPEM_GMM_CELLS_MAX_D);
	double		radius = group->part->radius;
	DpemGmm		found = dpem_gmm_create(group->gmm.k, axes, group->gmm.shape);
	DpemGmmCells cells;
	DpemWorkspace work;

	/* counts do not depend on the ball */
	group->part->radius = dpem_gmm_grid_radius(group->gmm.d);
	cells = count_cells(run, group, axes);
	group->part->radius = radius;
	work = dpem_fit_workspace(dpem_gmm_cells_work(cells.n, found.k, cells.d));
	if (dpem_gmm_cells_start(&cells, &found, work) && dpem_gmm_cells_apart(dpem_gmm_cells_within(&cells, &found, work)))
	{
		place_seeds(&found, dpem_gmm_grid_radius(group->gmm.d) / radius, 1 / (radius * radius), &group->gmm);
		/* means of as few components differ in the cells' axes alone: passes in the frame of all rows have nothing to find */
		run->placed = run->plan->probes || found.k - 1 <= axes || run->plan->first_passes <= DPEM_GMM_SEED_FEW;
	}
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* a component is a K-th of the total, and so is its noise */
static void
take_noise(GmmGroup *group, DpemGmmTotalNoise left, double factor)
{
	const DpemGmmHistory *h = &group->history;
	double		rows = fmax(h->total[0], 1) / group->gmm.k;

	group->noise = (DpemNoisyMoments) {
		.count_sd = h->public_rows > 0 ? 0 : h->total_sd[0] / group->gmm.k,.sum_sd = left.mean * rows,.second_sd = factor * left.second * rows
	};
}

void
dpem_gmm_take_total(const GmmRun *run, GmmGroup *group)
{
	double		radius = group->part->radius;
	DpemGmmTotalNoise left;

	dpem_fit_require_ok(dpem_gmm_total(&group->history, 1 / (radius * radius), &group->gmm, &left,
									   dpem_fit_workspace(dpem_gmm_maximize_work(group->gmm.k, run->plan->fit.d))));
	take_noise(group, left, dpem_gmm_unclip(&group->gmm));
}

void
dpem_gmm_unclip_group(GmmGroup *group)
{
	const DpemGmmHistory *h = &group->history;
	double		factor = dpem_gmm_unclip(&group->gmm);
	size_t		record = dpem_moments_record(&h->average.layout);
	double		rows = dpem_known_rows(h->total[0], h->total_sd[0], h->public_rows);
	double	   *total = dpem_fit_allocate(record);

	group->noise.second_sd *= factor;
	if (group->gmm.k > 1)
		return;
	memcpy(total, h->total, record * sizeof(double));
	take_noise(group, dpem_gmm_history_total(h, rows, total, dpem_fit_workspace(dpem_gmm_maximize_work(1, group->gmm.d))), factor);
	pfree(total);
}

static void
measure_total(GmmRun *run, int pass)
{
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemNoisyMoments *m;

	dpem_fit_report(run->fit, "total", pass);
	m = dpem_gmm_release_total(run);
	for (int g = 0; g < run->groups; g++)
		dpem_gmm_history_add_total(&run->group[g].history, &m[g]);
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

/* the total is what components are compared with: passes in their own frames do not tell it */
int
dpem_gmm_seed(GmmRun *run, int passes)
{
	if (!can_seed(run, passes))
		return 0;
	start_from_cells(run);
	if (!run->placed)
		return 1;
	measure_total(run, 1);
	return 2;
}

void
dpem_gmm_run_total(GmmRun *run, int passes)
{
	for (int pass = 1; pass <= passes; pass++)
		measure_total(run, pass);
	for (int g = 0; g < run->groups; g++)
		dpem_gmm_take_total(run, &run->group[g]);
}

/* the total where cells show nothing */
int
dpem_gmm_probe(GmmRun *run, int passes)
{
	int			left = passes - dpem_gmm_seed(run, passes);

	if (run->placed)
		return left;
	run->apart = false;
	dpem_gmm_run_total(run, left);
	if (dpem_fit_tells())
		dpem_fit_notice_equal(&run->plan->request->fit, run->plan->request->k);
	return 0;
}

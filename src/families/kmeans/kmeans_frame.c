/*
 * kmeans_frame.c - see kmeans_frame.h.
 *
 * The second moment's top eigenvectors are Analyze Gauss (Dwork, Talwar,
 * Thakurta, Zhang 2014, algorithm 1).
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/factors/pca.h"
#include "core/gmm/gmm_covariance.h"
#include "core/gmm/gmm_whiten.h"
#include "core/kmeans/subspace.h"
#include "families/kmeans/kmeans_frame.h"
#include "server/fit_memory.h"

static DpemReleaseSpec
center_spec(const DpemFitPlan *fit)
{
	return dpem_fit_spec(fit, 1, 1, 1);
}

void
dpem_kmeans_frame_stages(DpemKmeansPlan *plan, const double shares[DPEM_FRAME_STAGES], int looks,
						 const char *passes, DpemSecondMoment second)
{
	DpemFitPlan *fit = &plan->fit;
	DpemFitStage *s = fit->stage;

	dpem_fit_check_second_moments(fit, "Name fewer columns, or use algorithm joint.");
	plan->grid.spec = dpem_fit_spec(fit, 1, 0, 0);
	s[DPEM_FRAME_CENTER] = (DpemFitStage) {.statistic = "center",.releases = looks,.spec = center_spec(fit),.layout = {1, fit->d, DPEM_SECOND_NORM},.line = -1};
	s[DPEM_FRAME_SECOND] = (DpemFitStage) {.statistic = "second moment",.releases = 1,.spec = dpem_fit_spec(fit, 0, 0, 1),.layout = {1, fit->d, DPEM_SECOND_FULL},.line = -1};
	s[DPEM_FRAME_CELLS] = (DpemFitStage) {.statistic = "cells",.releases = 1,.spec = plan->grid.spec,.layout = {2, fit->d, DPEM_COUNTS_ALONE},.line = -1};
	s[DPEM_FRAME_PASSES] = (DpemFitStage) {.statistic = passes,.releases = fit->iterations,.spec = plan->joint,.layout = {plan->request->k, fit->d, second},.line = -1,.sampled = true};
	for (int i = 0; i < DPEM_FRAME_STAGES; i++)
		s[i].share = shares[i];
	dpem_fit_plan_stages(fit, DPEM_FRAME_STAGES);
	for (int i = DPEM_FRAME_SECOND; i < DPEM_FRAME_STAGES && fit->request->candidates.n == 0; i++)
		dpem_kmeans_check_look(fit, s[i].line);
	plan->grid.line[DPEM_GRID_CELLS] = s[DPEM_FRAME_CELLS].line;
	plan->line = s[DPEM_FRAME_PASSES].line;
	plan->noise_multiplier = dpem_fit_stage_multiplier(fit, DPEM_FRAME_PASSES);
}

/* of looks at the whole ball, averaged */
double
dpem_kmeans_frame_expected_noise(const DpemKmeansPlan *plan, double share)
{
	const DpemFitPlan *fit = &plan->fit;
	DpemReleaseSpec spec = center_spec(fit);
	double		sum_sd = 0;
	double		unused;

	if (fit->noisy)
		dpem_release_noise(&spec, 1, fit->d, dpem_fit_exact_multiplier(fit, share), &unused, &sum_sd, &unused);
	return sqrt((double) fit->d) * sum_sd / dpem_supposed_rows(fit->public_rows);
}

DpemKmeansFrame
dpem_kmeans_frame_make(int axes, int d)
{
	return (DpemKmeansFrame) {
		.axes = axes,.d = d,.axis = dpem_fit_allocate((size_t) axes * d),.variance = dpem_fit_allocate(axes)
	};
}

/* one component's moments; the result lives in per_pass */
static DpemNoisyMoments *
release_total(DpemKmeansRun *run, DpemKmeansFrameStage stage)
{
	const DpemFitStage *s = &run->plan->fit.stage[stage];

	dpem_fit_report(run->fit, s->statistic, 0);
	return dpem_fit_release_stage(run->fit, stage, &dpem_kernel_sums, &s->layout, NULL);
}

/* released moments of two looks by the same feature map, as those of one with less noise */
static void
average_looks(DpemNoisyMoments *m, const double *before)
{
	size_t		n = dpem_moments_length(&m->layout);

	for (size_t i = 0; i < n; i++)
		m->value[i] = (m->value[i] + before[i]) / 2;
	m->count_sd /= M_SQRT2;
	m->sum_sd /= M_SQRT2;
	m->second_sd /= M_SQRT2;
}

/* deviations of noise, in squared norms, the mean that is taken off them and the number of rows, by which the mean squared distance stands out */
static double
resolution(const DpemNoisyMoments *m, double rows, double rows_sd)
{
	double		norm = m->value[1 + m->layout.d] / rows;
	double		noise = m->sum_sd / rows;
	double		shift = 0;
	double		sd;

	for (int j = 1; j <= m->layout.d; j++)
		shift += pow(m->value[j] / rows, 2);
	shift = fmax(shift - m->layout.d * noise * noise, 0);
	sd = hypot(m->second_sd / rows, hypot(sqrt(2 * m->layout.d) * noise * noise, 2 * sqrt(shift) * noise));
	sd = hypot(sd, norm * rows_sd / rows);
	return sd > 0 ? (norm - shift) / sd : INFINITY;
}

/* what moments by the present map say about the rows: to, and the map that they suggest, its center from the present one */
static void
read_look(const DpemKmeansRun *run, const DpemNoisyMoments *m, DpemKmeansFrame *to, DpemGmmCenter *frame)
{
	const DpemFeatureMap *map = &run->fit->pass.map;

	dpem_gmm_center(m, run->plan->fit.public_rows, map->radius, frame);
	to->rows = dpem_known_rows(m->value[0], m->count_sd, run->plan->fit.public_rows);
	to->rows_sd = to->rows == run->plan->fit.public_rows ? 0 : m->count_sd;
	to->spread = frame->radius / DPEM_GMM_CENTER_REACH / run->plan->fit.clip_norm;
	to->resolution = resolution(m, to->rows, to->rows_sd);
	to->ball_noise = sqrt((double) m->layout.d) * m->sum_sd / to->rows;
	to->center_noise = to->ball_noise * map->radius / run->plan->fit.clip_norm;
}

/* a look by the present map, before it is averaged with another */
static void
add_up(const DpemKmeansRun *run, const DpemNoisyMoments *m, DpemKmeansFrame *to)
{
	const DpemFeatureMap *map = &run->fit->pass.map;
	double		clip = run->plan->fit.clip_norm;
	double	   *center = dpem_fit_allocate(to->d);

	for (int j = 0; j < to->d; j++)
		center[j] = map->center ? map->center[j] / clip : 0;
	dpem_kmeans_add_look(run, m, center, map->radius / clip, &to->total);
}

/* the map that a look suggests; rows that fill the ball, or are clipped to it, suggest no smaller one */
static void
move_map(DpemKmeansRun *run, const DpemGmmCenter *frame, bool filled, double *center)
{
	for (int j = 0; j < run->plan->fit.d; j++)
		center[j] += frame->center[j];
	run->fit->pass.map.center = center;
	run->fit->pass.map.radius = filled ? run->fit->pass.map.radius : frame->radius;
}

/*
 * The second look is from as near as the first saw the rows, or, where that is not
 * much nearer, the same again.
 */
void
dpem_kmeans_frame_center(DpemKmeansRun *run, DpemKmeansFrame *to)
{
	size_t		n = dpem_moments_length(&run->plan->fit.stage[DPEM_FRAME_CENTER].layout);
	int			looks = run->plan->fit.stage[DPEM_FRAME_CENTER].releases;
	double	   *before = dpem_fit_allocate(n);
	DpemGmmCenter frame = {.center = dpem_fit_allocate(run->plan->fit.d)};
	double	   *center = dpem_fit_allocate(run->plan->fit.d);
	bool		same = false;

	to->total = dpem_kmeans_total_make(run);
	for (int look = 1; look <= looks; look++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
		DpemNoisyMoments *m = release_total(run, DPEM_FRAME_CENTER);
		bool		filled = look > 1 && !same;

		if (run->plan->fit.noisy)
			add_up(run, m, to);
		if (same)
			average_looks(m, before);
		read_look(run, m, to, &frame);
		memcpy(before, m->value, n * sizeof(double));
		same = !dpem_subspace_nearer(run->fit->pass.map.radius, frame.radius);
		if (look == looks || !same)
			move_map(run, &frame, filled && same, center);
		MemoryContextSwitchTo(fit);
		MemoryContextReset(run->fit->per_pass);
	}
	to->center = center;
	to->radius = run->fit->pass.map.radius;
}

void
dpem_kmeans_frame_axes(DpemKmeansRun *run, DpemKmeansFrame *frame)
{
	int			d = run->plan->fit.d;
	DpemPca		pca = {
		.d = d,.k = frame->axes,.variance = frame->variance,.variance_sd = dpem_fit_allocate(frame->axes),
		.direction = frame->axis,.alignment = dpem_fit_allocate(frame->axes)
	};
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemNoisyMoments *m = release_total(run, DPEM_FRAME_SECOND);
	double	   *moment = dpem_fit_allocate((size_t) d * d);

	dpem_gmm_central_moment(&m->layout, m->value, frame->rows, dpem_fit_allocate(d), moment);
	frame->variance_noise = m->second_sd / frame->rows * sqrt(2.0 * d);
	dpem_fit_require_ok(dpem_pca_analyze(moment, m->second_sd / frame->rows, &pca,
										 dpem_fit_workspace(dpem_pca_analyze_work(d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
}

double
dpem_kmeans_cell_noise(const DpemKmeansPlan *plan)
{
	return dpem_kmeans_count_deviation(plan, plan->grid.line[DPEM_GRID_CELLS], &plan->grid.spec);
}

static DpemCellGrid
make_grid(const DpemKmeansRun *run, const DpemKmeansFrame *frame, int centers)
{
	DpemCellGrid grid = {.axes = frame->axes,.d = frame->d,.projection = frame->axis};
	double		half[DPEM_CELLS_MAX_AXES];
	int			parts[DPEM_CELLS_MAX_AXES];

	for (int a = 0; a < frame->axes; a++)
	{
		half[a] = dpem_subspace_half(frame->axes, frame->variance[a], frame->variance_noise);
		if (!(half[a] > 1e-6))	/* all rows are one point */
			half[a] = 1e-6;
	}
	dpem_subspace_parts(half, frame->axes, dpem_subspace_cells(frame->axes, centers, frame->rows, dpem_kmeans_cell_noise(run->plan)),
						parts);
	for (int a = 0; a < frame->axes; a++)
		grid.axis[a] = (DpemCellAxis) {-half[a], half[a], parts[a]};
	return grid;
}

DpemKmeansCounts
dpem_kmeans_frame_cells(DpemKmeansRun *run, const DpemKmeansFrame *frame, int centers)
{
	DpemCellGrid grid = make_grid(run, frame, centers);

	dpem_fit_report(run->fit, "cells", 0);
	return dpem_kmeans_count_cells(run, run->plan->grid.line[DPEM_GRID_CELLS], &run->plan->grid.spec, &grid);
}

void
dpem_kmeans_frame_leave(DpemKmeansRun *run)
{
	run->fit->pass.map.center = NULL;
	run->fit->pass.map.radius = run->plan->fit.clip_norm;
}

void
dpem_kmeans_frame_lift(const DpemKmeansFrame *frame, const DpemKmeans *flat, DpemKmeans *means)
{
	int			d = means->d;

	for (int k = 0; k < means->k; k++)
		for (int j = 0; j < d; j++)
		{
			double		x = 0;
			double		noise = 0;

			for (int a = 0; a < frame->axes; a++)
			{
				x += flat->center[k * frame->axes + a] * frame->axis[a * d + j];
				noise = hypot(noise, flat->center_noise[k * frame->axes + a] * frame->axis[a * d + j]);
			}
			means->center[(size_t) k * d + j] = x;
			means->center_noise[(size_t) k * d + j] = noise;
		}
}

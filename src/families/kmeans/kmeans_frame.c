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
#include "families/kmeans/kmeans_frame.h"
#include "server/fit_memory.h"

DpemReleaseSpec
dpem_kmeans_frame_spec(const DpemKmeansPlan *plan, double count, double sum, double second)
{
	const DpemDataset *ds = plan->fit.dataset;

	return (DpemReleaseSpec) {
		.noise = DPEM_NOISE_GAUSSIAN,.count_weight = count,.sum_weight = sum,.second_weight = second,
			.replace_one = ds->replace_one,.rows_per_unit = ds->max_rows_per_unit
	};
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
release_total(DpemKmeansRun *run, const char *phase, int line, const DpemReleaseSpec *spec,
			  DpemSecondMoment second)
{
	DpemMomentLayout layout = {1, run->plan->fit.d, second};

	dpem_fit_report(run->fit, phase, 0);
	return dpem_fit_release(run->fit, line, spec, &dpem_kernel_sums, &layout, NULL);
}

void
dpem_kmeans_frame_center(DpemKmeansRun *run, DpemKmeansFrame *to)
{
	DpemGmmCenter frame = {.center = dpem_fit_allocate(run->plan->fit.d)};
	MemoryContext fit = MemoryContextSwitchTo(run->fit->per_pass);
	DpemFeatureMap *map = &run->fit->pass.map;
	DpemNoisyMoments *m = release_total(run, "center", run->plan->plane.center_line,
										&run->plan->plane.center, DPEM_SECOND_NORM);

	dpem_gmm_center(m, run->plan->fit.public_rows, map->radius, &frame);
	to->rows = dpem_gmm_rows(m->value[0], m->count_sd, run->plan->fit.public_rows);
	map->center = frame.center;
	map->radius = frame.radius;
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
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
	DpemNoisyMoments *m = release_total(run, "second moment", run->plan->plane.second_line,
										&run->plan->plane.second, DPEM_SECOND_FULL);
	double	   *moment = dpem_fit_allocate((size_t) d * d);

	dpem_gmm_central_moment(&m->layout, m->value, frame->rows, dpem_fit_allocate(d), moment);
	frame->variance_noise = m->second_sd / frame->rows * sqrt(2.0 * d);
	dpem_fit_require_ok(dpem_pca_analyze(moment, m->second_sd / frame->rows, &pca,
										 dpem_fit_workspace(dpem_pca_analyze_work(d))));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->fit->per_pass);
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

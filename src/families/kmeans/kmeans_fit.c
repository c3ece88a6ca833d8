/*
 * kmeans_fit.c - the frame of every k-means algorithm: begin, run,
 * postprocess, and back into the columns' own units.
 */
#include "postgres.h"

#include <math.h>

#include "utils/float.h"

#include "families/kmeans/kmeans.h"
#include "fit/fit_model.h"
#include "server/fit_memory.h"

DpemKmeans
dpem_kmeans_make(int k, int d)
{
	size_t		n = (size_t) k * d;

	return (DpemKmeans) {
		.k = k,.d = d,.center = dpem_fit_allocate(n),.center_noise = dpem_fit_allocate(n),
		.weight = dpem_fit_allocate(k),.weight_noise = dpem_fit_allocate(k)
	};
}

void
dpem_kmeans_copy(const DpemKmeans *from, DpemKmeans *to)
{
	size_t		k = (size_t) from->k;
	size_t		n = k * (size_t) from->d;

	to->k = from->k;
	memcpy(to->center, from->center, n * sizeof(double));
	memcpy(to->center_noise, from->center_noise, n * sizeof(double));
	memcpy(to->weight, from->weight, k * sizeof(double));
	memcpy(to->weight_noise, from->weight_noise, k * sizeof(double));
}

void
dpem_kmeans_run_start(DpemKmeansRun *run)
{
	const DpemKmeansRequest *r = run->plan->request;
	DpemKmeans *means = &run->means;

	if (r->init_means == NULL)
		dpem_kmeans_start(means->k, means->d, 1 / run->fit->pass.map.radius, means->center,
						  dpem_fit_workspace(dpem_kmeans_start_work(means->k, means->d)));
	else
		dpem_kmeans_from_columns(&run->fit->pass.map, means->k, dpem_fit_coordinates(run->fit->plan, r->init_means, means->k),
								 means->center);
	dpem_kmeans_clamp(means->k, means->d, 1 / run->fit->pass.map.radius, means->center);
}

/* a center that no released number moved is where a start, or noise, put it: its noise is not known, rather than none */
static void
forget_untouched(DpemKmeans *means)
{
	int			d = means->d;

	for (int k = 0; k < means->k; k++)
	{
		double	   *noise = means->center_noise + (size_t) k * d;
		double		most = 0;

		for (int j = 0; j < d; j++)
			most = fmax(most, noise[j]);
		for (int j = 0; j < d && most == 0; j++)
			noise[j] = get_float8_nan();
	}
}

/* noise to first order */
static void
to_own_units(const DpemFitPlan *plan, DpemKmeans *means)
{
	const DpemColumn **column = dpem_binding_columns(plan->binding);

	for (size_t i = 0; i < (size_t) means->k * means->d; i++)
	{
		const DpemColumn *c = column[i % means->d];

		if (c->scale == DPEM_SCALE_LINEAR)
			continue;
		means->center[i] = dpem_fit_own_number(c, means->center[i]);
		means->center_noise[i] *= dpem_scale_unit(c->scale, means->center[i]);
	}
}

static void
finish(DpemKmeansRun *run, DpemModel *model)
{
	DpemKmeans *means = &run->means;
	DpemFeatureMap map = run->fit->pass.map;

	map.center = run->origin;
	map.radius = run->radius;
	if (run->plan->fit.noisy)
		forget_untouched(means);
	dpem_kmeans_to_columns(&map, means);
	to_own_units(run->fit->plan, means);
	model->k = means->k;
	model->value[DPEM_KMEANS_WEIGHT] = means->weight;
	model->value[DPEM_KMEANS_WEIGHT_NOISE] = means->weight_noise;
	model->value[DPEM_KMEANS_CENTER] = means->center;
	model->value[DPEM_KMEANS_CENTER_NOISE] = means->center_noise;
}

/* one for each group, which begin alike */
static DpemKmeansRun *
begin(DpemFitRun *fit)
{
	const DpemKmeansPlan *plan = (const DpemKmeansPlan *) fit->plan;
	DpemKmeansRun *run = palloc0(plan->fit.groups * sizeof(DpemKmeansRun));

	for (int g = 0; g < plan->fit.groups; g++)
	{
		run[g].fit = fit;
		run[g].plan = plan;
		run[g].radius = fit->pass.map.radius;
		run[g].means = dpem_kmeans_make(plan->request->k, plan->fit.d);
		run[g].sizes = plan->fit.request->candidates;
	}
	return run;
}

void
dpem_kmeans_run(DpemFitRun *fit, DpemFitted *fitted)
{
	DpemKmeansRun *run = begin(fit);
	const DpemKmeansPlan *plan = run->plan;

	plan->algorithm->run(run);
	/* what follows needs no rows, and may take long */
	dpem_fit_end(fit);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		if (plan->request->postprocess != NULL && plan->fit.noisy)
			plan->request->postprocess->apply(&run[g]);
		finish(&run[g], &fitted->model[g]);
		fitted->model[g].candidates = run[g].sizes.n > 0 ? &run[g].sizes : NULL;
	}
}

/*
 * kmeans_plan.c - what a k-means fit will do and cost, from public facts alone.
 */
#include "postgres.h"

#include <math.h>

#include "utils/memutils.h"

#include "core/kernels/kmeans_kernel.h"
#include "families/kmeans/kmeans.h"

/* numbers a fit keeps in memory: responsibilities of a block, moments, history */
static double
fit_bytes(double k, double groups, double d, double iterations)
{
	return 8 * k * (DPEM_BLOCK_STRIDE + groups * (8 * (1 + d) + (1 + 2 * d) * Max(iterations, 1)));
}

static void
check_size(const DpemKmeansRequest *request, int groups, int d)
{
	int			most = DPEM_KMEANS_MAX_COMPONENTS;

	while (most > 1 && (fit_bytes(most, groups, d, request->fit.iterations) > (double) MaxAllocSize ||
						most * groups > DPEM_PASS_MAX_COMPONENTS))
		most--;
	if (request->k < 1 || request->k > most)
		dpem_fit_bad_argument("k", psprintf("%d", request->k),
							  psprintf("between 1 and %d for %d coordinates", most, d));
}

static void
check_start(const DpemKmeansRequest *request, int d)
{
	if (request->init_means != NULL && request->n_init != request->k * d)
		dpem_fit_bad_argument("init_means", psprintf("an array of %d elements", request->n_init),
							  psprintf("k x d = %d x %d numbers", request->k, d));
}

/* arguments that speak of Lloyd's passes, given to an algorithm that has none */
static void
check_algorithm(const DpemKmeansPlan *plan)
{
	const char *name = plan->algorithm->name;

	if (plan->request->init_means != NULL && !plan->algorithm->iterates)
		dpem_fit_bad_argument("init_means", "an array", psprintf("null with algorithm %s", name));
	if (plan->request->postprocess != NULL && !plan->algorithm->iterates)
		dpem_fit_bad_argument("postprocess", plan->request->postprocess->name,
							  psprintf("none with algorithm %s", name));
	if (plan->request->fit.candidates.n > 0 && !plan->algorithm->chooses)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k must be one number with algorithm %s", name),
				 errhint("Several are for algorithms sparse_grid, grid and subspace, without by, init_means and postprocess; "
						 "choose k with one of these first.")));
	if (plan->request->fit.bind.by != NULL && !plan->algorithm->groups)
		dpem_fit_bad_argument("by", psprintf("\"%s\"", plan->request->fit.bind.by), psprintf("null with algorithm %s", name));
}

int
dpem_kmeans_components(const DpemKmeansPlan *plan)
{
	return plan->fit.groups * plan->request->k;
}

/* noise is that of samples where all releases of a pass are one; a dataset that explains all passes would be one sample */
static void
check_sampling(const DpemKmeansPlan *plan)
{
	char	   *rate = psprintf("%g", plan->fit.request->sampling_rate);

	if (!dpem_fit_is_sampled(&plan->fit))
		return;
	if (!plan->algorithm->samples)
		dpem_fit_bad_argument("sampling_rate", rate, psprintf("null with algorithm %s", plan->algorithm->name));
	if (plan->request->postprocess != NULL)
		dpem_fit_bad_argument("sampling_rate", rate,
							  psprintf("null with postprocess %s", plan->request->postprocess->name));
}

DpemFitPlan *
dpem_kmeans_plan(const DpemFitRequest *fit)
{
	const DpemKmeansRequest *request = (const DpemKmeansRequest *) fit;
	DpemKmeansPlan *plan = palloc0(sizeof(DpemKmeansPlan));

	plan->request = request;
	dpem_fit_plan_init(&plan->fit, &request->fit);
	check_size(request, plan->fit.groups, plan->fit.d);
	check_start(request, plan->fit.d);
	plan->algorithm = request->algorithm ? request->algorithm : dpem_kmeans_choose(plan);
	check_algorithm(plan);
	check_sampling(plan);
	plan->algorithm->plan(plan);
	return &plan->fit;
}

double
dpem_kmeans_forecast_size(const DpemKmeansPlan *plan)
{
	return dpem_fit_sample_rows(&plan->fit) / Max(plan->request->k, 3);
}

void
dpem_kmeans_forecast_center(const DpemKmeansPlan *plan, DpemForecast *f, double deviation, double reach)
{
	int			k = plan->request->k;
	double		size = dpem_kmeans_forecast_size(plan);
	DpemForecastRow *row;

	if (!(size > 0))
		return;
	row = dpem_forecast_row(f, psprintf("center of a cluster of %s of the rows%s", k > 3 ? psprintf("1/%d", k) : "a third",
										reach > 0 ? ", in root mean square distances" : ""),
							NAN, reach > 0 ? deviation / size * reach : NAN);
	if (!(reach > 0))
		row->column_deviation = dpem_forecast_columns(&plan->fit, deviation, size, 1);
}

void
dpem_kmeans_forecast(const DpemFitPlan *fit, DpemForecast *forecast)
{
	const DpemKmeansPlan *plan = (const DpemKmeansPlan *) fit;

	if (plan->algorithm->forecast)
		plan->algorithm->forecast(plan, forecast);
	else
		dpem_fit_forecast_stages(fit, forecast);
}

/*
 * gmm_compare.c - whether what a fit has found is worth more than one component (core/density/compare_kernel.h).
 *
 * EM maximises the likelihood of normal laws, of clipped rows, through noise.  Densities of models have atoms and tails besides, and
 * what of a mixture is noise makes them worse.  So the rows are asked.
 */
#include "postgres.h"

#include <math.h>

#include "core/density/compare_kernel.h"
#include "core/gmm/gmm_rules.h"
#include "core/mixture/gmm_total.h"
#include "families/gmm/gmm_run.h"
#include "server/fit_memory.h"

/* no pass travels with other numbers: what was paid for shall not be lost over what can be left out */
static bool
can_travel(const double *theta, size_t n)
{
	bool		finite = true;

	for (size_t i = 0; i < n; i++)
		finite &= isfinite(theta[i]);
	return finite;
}

/* what was seen before there were cells: whitened rows have mean 0 and, as they were clipped, variance 1, in units of the radius */
static void
take_whitened(const GmmRun *run, GmmGroup *group)
{
	size_t		d = (size_t) group->gmm.d;
	double		unit = group->clip / group->part->radius;
	double		mean_variance = 0;
	double		variance = 0;

	for (size_t i = 0; i < group->gmm.k * d * d; i++)
		group->gmm.covariance[i] = i % (d * d) % (d + 1) == 0 ? 1 / (group->clip * group->clip) : 0;
	for (int k = 0; k < group->gmm.k; k++)
		group->gmm.weight[k] = 1.0 / group->gmm.k;
	dpem_gmm_unclip(&group->gmm);
	for (size_t i = 0; i < group->gmm.k * d * d; i++)
		group->gmm.covariance[i] *= unit * unit;
	for (size_t i = 0; i < d * d; i++)
		variance += group->seen->variance[i] / (d * d);
	for (size_t j = 0; j < d; j++)
		mean_variance += group->seen->mean_variance[j] / d;
	group->noise = (DpemNoisyMoments) {
		.count_sd = 0,.sum_sd = sqrt(mean_variance) * group->rows / group->gmm.k,.second_sd = sqrt(variance) * group->rows / group->gmm.k
	};
}

/* the total is of rows that were clipped nearer than those of components in frames of their own: tails are seen by these */
static void
widen_total(const GmmRun *run, GmmGroup *group)
{
	size_t		n = (size_t) group->gmm.k * group->gmm.d * group->gmm.d;
	double		factor = fmin(fmax(run->spread / dpem_gmm_spread(&group->gmm), 1), DPEM_GMM_COMPARE_WIDER);

	for (size_t i = 0; i < n; i++)
		group->gmm.covariance[i] *= factor;
	group->noise.second_sd *= factor;
}

/* as many components, all equal */
static DpemModel
make_one(GmmRun *run)
{
	GmmGroup	one = run->group[0];
	DpemModel	model = {.d = one.gmm.d};

	one.refined = NULL;
	one.gmm = dpem_gmm_create(one.gmm.k, one.gmm.d, one.gmm.shape);
	if (run->plan->method == DPEM_GMM_CELLS)
		take_whitened(run, &one);
	else
	{
		dpem_gmm_take_total(run, &one);
		widen_total(run, &one);
	}
	dpem_gmm_finish(run, &one, &model);
	return model;
}

/*
 * Are the components worth more than their numbers could be by chance (Akaike's criterion: half a unit of twice the log-likelihood
 * for each)?  The less noise lets be seen, the more has to speak against them.
 */
static bool
are_better(const GmmRun *run, const double *count, double count_sd, double looked_at)
{
	const DpemGmmRequest *r = run->plan->request;
	double		sd;
	double		gain = dpem_compare_sum(count, count_sd, &sd) / looked_at;
	double		more = dpem_gmm_parameters(r->k, run->plan->fit.d, r->shape, r->tied) - dpem_gmm_parameters(1, run->plan->fit.d, r->shape, false);

	return gain - more / fmax(run->group[0].rows, 1) >= -DPEM_GMM_COMPARE_PRIOR * (sd / looked_at) * (sd / looked_at);
}

static void
take_model(const DpemModel *from, int k, DpemModel *model)
{
	memcpy(model->value, from->value, sizeof(model->value));
	if (dpem_fit_tells())
		ereport(NOTICE,
				(errmsg("the rows are no likelier in %d components than in one: they are equal, each of all rows", k),
				 errdetail("A released comparison says so, not the rows."),
				 errhint("Name iterations to have components as they are found.")));
}

void
dpem_gmm_compare(GmmRun *run, DpemModel *model)
{
	const DpemGmmPlan *plan = run->plan;
	const DpemFeatureMap *map = &run->fit->pass.map;
	DpemMomentLayout layout = {DPEM_COMPARE_LEVELS, plan->fit.d, DPEM_COUNTS_ALONE};
	DpemModel	one = make_one(run);
	double		rows = fmax(run->group[0].rows, 1);
	double		sd = dpem_gmm_compare_noise(plan, plan->noise_multiplier[DPEM_STAGE_COMPARE]);
	double		rate = dpem_gmm_compared_rows(model->k, plan->fit.d, rows, sd) / rows;
	size_t		length = dpem_compare_theta_length(model->k, 1, plan->fit.d);
	double	   *theta = dpem_fit_allocate(length);
	DpemCompareTask task = dpem_compare_begin(rate, map->radius, model->k, 1, plan->fit.d, theta);
	DpemNoisyMoments *m;

	if (dpem_gmm_fill_whole(model, map->lower, map->upper, &task.mixture[0]) != DPEM_OK ||
		dpem_gmm_fill_whole(&one, map->lower, map->upper, &task.mixture[1]) != DPEM_OK || !can_travel(theta, length))
		return;
	dpem_fit_report(run->fit, "comparison", 0);
	m = dpem_fit_release(run->fit, plan->line[DPEM_STAGE_COMPARE], &plan->spec[DPEM_STAGE_COMPARE], &dpem_kernel_compare, &layout, theta);
	if (run->apart && model->k > 1 && !are_better(run, m->value, m->count_sd, rate * rows))
		take_model(&one, model->k, model);
}

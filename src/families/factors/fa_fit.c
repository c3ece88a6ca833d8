/*
 * fa_fit.c - factor analysis: one release of second moments, then EM free of charge.
 */
#include "postgres.h"

#include <math.h>

#include "core/columns/column_domain.h"
#include "core/factors/factor_choice.h"
#include "families/factors/factors_run.h"
#include "server/fit_memory.h"

#define EM_STEPS		1000	/* unless the caller says how many */
#define EM_TOLERANCE	1e-11

static DpemFactors
create_factors(int k, int d)
{
	return (DpemFactors) {d, k, dpem_fit_allocate((size_t) k * d), dpem_fit_allocate(d)};
}

/* a factor model in the ball, then in the columns' own units */
typedef struct FaFit
{
	DpemFactorsFrame frame;
	DpemFactors factors;
	double	   *loading_noise;	/* k * d */
	double	   *noise_noise;	/* d */
	DpemFactorsResult result;	/* log-likelihood per row */
	DpemSizes	sizes;			/* with their scores, if there is a choice */
} FaFit;

/* from the ball to the columns' own units */
static void
scale_factors(FaFit *fit, const DpemFactorsBall *ball)
{
	int			d = fit->factors.d;

	for (int j = 0; j < d; j++)
	{
		double		unit = fit->frame.unit[j] * dpem_factors_unit(ball, j);

		fit->factors.noise[j] *= unit * unit;
		fit->noise_noise[j] *= unit * unit;
		fit->result.log_likelihood -= log(unit);
		for (int f = 0; f < fit->factors.k; f++)
		{
			fit->factors.loading[f * (size_t) d + j] *= unit;
			fit->loading_noise[f * (size_t) d + j] *= unit;
		}
	}
}

static DpemFactorsRule
em_rule(const DpemFactorsPlan *plan, double sd)
{
	int			iterations = plan->request->fit.iterations;

	return (DpemFactorsRule) {
		.iterations = iterations > 0 ? iterations : EM_STEPS,
			.tolerance = iterations > 0 ? 0 : EM_TOLERANCE,
			.sd = sd
	};
}

/* covariances of whitened rows were cleaned where their noise is the same in all directions */
static void
estimate_factors(const DpemFactorsPlan *plan, DpemFactorsTotal *total, int k, FaFit *fit)
{
	int			d = plan->fit.d;
	double		sd = total->total.second_sd;
	DpemFactorsRule rule = em_rule(plan, total->metric ? 0 : sd);
	DpemWorkspace work = dpem_fit_workspace(Max(dpem_factors_fit_work(d, k), dpem_factors_noise_work(d, k)));

	rule.two_starts = total->metric != NULL;
	fit->factors = create_factors(k, d);
	fit->loading_noise = dpem_fit_allocate((size_t) k * d);
	fit->noise_noise = dpem_fit_allocate(d);
	dpem_fit_require_ok(dpem_factors_fit(&rule, total->covariance, &fit->factors, &fit->result, work));
	dpem_factors_noise_levels(&fit->factors, sd, total->metric, fit->loading_noise, fit->noise_noise, work);
	pfree(work.next);
}

/* variance of the axes that noise and sampling errors are alike in: of whitened rows, or of unexplained ones on average */
static double
typical_variance(const DpemFactorsTotal *total, const FaFit *fit)
{
	size_t		d = (size_t) fit->factors.d;
	double		trace = 0;
	double		metric = 0;
	double		log_noise = 0;

	for (size_t j = 0; j < d; j++)
	{
		trace += total->covariance[j * d + j];
		metric += total->metric ? total->metric[j * d + j] : 0;
		log_noise += log(fit->factors.noise[j]) / d;
	}
	return total->metric ? trace / metric : exp(log_noise);
}

/* every candidate is fitted to the same covariance, which a fit overwrites */
static void
choose_factors(const DpemFactorsPlan *plan, const DpemFactorsTotal *total, FaFit *best)
{
	size_t		d = (size_t) plan->fit.d;
	DpemFactorsTotal copy = *total;
	DpemSizes  *sizes = &best->sizes;
	double		rows = 0;
	double		log_likelihood[DPEM_SIZES_MAX];

	copy.covariance = dpem_fit_allocate(d * d);
	for (int i = sizes->n - 1; i >= 0; i--)
	{
		FaFit		fit = {0};

		memcpy(copy.covariance, total->covariance, d * d * sizeof(double));
		estimate_factors(plan, &copy, sizes->k[i], &fit);
		log_likelihood[i] = fit.result.log_likelihood;
		if (i == sizes->n - 1)
			rows = dpem_covariance_effective_rows(total->total.second_sd, typical_variance(total, &fit), total->total.rows);
	}
	for (int i = 0; i < sizes->n; i++)
		dpem_sizes_score(sizes, i, log_likelihood[i], dpem_factor_parameters((int) d, sizes->k[i]), rows);
	(void) dpem_sizes_choose(sizes);
	pfree(copy.covariance);
}

/* of the variance of column j, as far as that of loadings and of what they leave are known */
static double
variance_noise(const FaFit *fit, int j, double *variance)
{
	double		square = fit->noise_noise[j] * fit->noise_noise[j];

	*variance = fit->factors.noise[j];
	for (int f = 0; f < fit->factors.k; f++)
	{
		size_t		at = f * (size_t) fit->factors.d + j;
		double		loading = fit->factors.loading[at];

		*variance += loading * loading;
		square += 4 * loading * loading * fit->loading_noise[at] * fit->loading_noise[at];
	}
	return sqrt(square);
}

/* rows were clamped to the domain */
static void
keep_within_domain(const DpemFeatureMap *map, FaFit *fit)
{
	int			d = fit->factors.d;

	for (int j = 0; j < d; j++)
	{
		double		variance;
		double		sd = variance_noise(fit, j, &variance);
		DpemDomainPull pull = dpem_domain_pull(map->lower[j], map->upper[j], variance, sd);

		fit->factors.noise[j] = pull.factor * pull.factor * fit->factors.noise[j] + pull.added;
		fit->noise_noise[j] *= pull.factor;
		for (int f = 0; f < fit->factors.k; f++)
		{
			fit->factors.loading[f * (size_t) d + j] *= pull.factor;
			fit->loading_noise[f * (size_t) d + j] *= pull.factor;
		}
		fit->frame.mean[j] = dpem_domain_mean(map->lower[j], map->upper[j], fit->frame.mean[j], &fit->frame.mean_noise[j]);
	}
}

static void
finish(const FaFit *fit, DpemModel *model)
{
	double	   *log_likelihood = dpem_fit_allocate(1);

	*log_likelihood = fit->result.log_likelihood;
	model->k = fit->factors.k;
	model->candidates = fit->sizes.n > 0 ? &fit->sizes : NULL;
	model->iterations = fit->result.iterations;
	model->value[DPEM_FA_MEAN] = fit->frame.mean;
	model->value[DPEM_FA_MEAN_NOISE] = fit->frame.mean_noise;
	model->value[DPEM_FA_VARIANCE] = fit->factors.noise;
	model->value[DPEM_FA_VARIANCE_NOISE] = fit->noise_noise;
	model->value[DPEM_FA_LOG_LIKELIHOOD] = log_likelihood;
	model->value[DPEM_FA_LOADING] = fit->factors.loading;
	model->value[DPEM_FA_LOADING_NOISE] = fit->loading_noise;
}

void
dpem_fa_run(DpemFitRun *run, DpemFitted *fitted)
{
	const DpemFactorsPlan *plan = (const DpemFactorsPlan *) run->plan;
	DpemFactorsTotal *total = dpem_factors_release_covariance(run, plan);

	/* what follows needs no rows, and may take long */
	dpem_fit_end(run);
	for (int g = 0; g < plan->fit.groups; g++)
	{
		FaFit	   *fit = palloc0(sizeof(FaFit));

		fit->sizes = run->plan->request->candidates;
		if (fit->sizes.n > 0)
			choose_factors(plan, &total[g], fit);
		estimate_factors(plan, &total[g], fit->sizes.n > 0 ? fit->sizes.chosen : plan->request->k, fit);
		pfree(total[g].covariance);
		dpem_factors_fill_frame(run, &total[g].ball, total[g].mean, total[g].total.mean_sd, &fit->frame);
		for (int j = 0; total[g].metric && j < plan->fit.d; j++)
			fit->frame.mean_noise[j] *= sqrt(total[g].metric[j * (size_t) plan->fit.d + j]);
		scale_factors(fit, &total[g].ball);
		if (plan->fit.noisy)
			keep_within_domain(&run->pass.map, fit);
		finish(fit, &fitted->model[g]);
		dpem_factors_share_atoms(run, &total[g], &fit->factors, fit->frame.mean, &fitted->model[g]);
	}
}
